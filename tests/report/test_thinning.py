"""Long runs: plots draw some of the rows, keep every extreme, and the page says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report.test_page import read, step_of, unpack  # type: ignore[import-not-found]

import opensim_inertia as oi
from opensim_inertia._core.arrays import MOST_DRAWN, drawn_rows
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.reports import Report
from opensim_inertia.reports.content import Plot
from opensim_inertia.reports.results import inverse_dynamics_content

ROWS = 100_000


@pytest.mark.parametrize("count", [1, 3, 9])
@pytest.mark.parametrize("rows", [4001, 50_000, ROWS + 7])
def test_curves_keep_their_extremes(rows: int, count: int) -> None:
    """In every span of rows: the least and the greatest value of each curve are at rows that are drawn."""
    rng = np.random.default_rng(rows)
    curves = [np.cumsum(rng.normal(size=rows)) for _ in range(count)]
    curves[0][rng.integers(rows, size=20)] += 1e6  # single rows
    drawn = drawn_rows(curves, MOST_DRAWN)
    assert count < len(drawn) <= MOST_DRAWN and (np.diff(drawn) > 0).all() and (drawn[0], drawn[-1]) == (0, rows - 1)
    width = -(-rows // ((MOST_DRAWN - 2) // (2 * count + 1)))
    for start in range(0, rows, width):
        within = drawn[(drawn >= start) & (drawn < start + width)]
        for curve in curves:
            span = curve[start : start + width]
            assert (curve[within].min(), curve[within].max()) == (span.min(), span.max())


def test_gaps_stay_gaps() -> None:
    curve = np.sin(np.arange(ROWS) / 700)
    curve[30_000:30_003] = np.nan
    curve[60_000:70_000] = np.nan
    assert len(drawn_rows([curve[:MOST_DRAWN]])) == MOST_DRAWN, "all rows, where they are few enough"
    drawn = curve[drawn_rows([curve], 1000)]
    spans = np.count_nonzero(np.diff(np.isnan(drawn).astype(int)) == 1)
    assert spans == 2 and np.nanmax(drawn) == np.nanmax(curve)


def test_a_page_of_a_long_run_says_so_and_is_small(demo: Any, tmp_path: Path) -> None:
    """The demo's run many times over, with noise; its own page draws all of its rows and says nothing."""
    inertial, result = demo
    short = tmp_path / "short.html"
    content = oi.report(result, short, inertial)
    assert 'id="thinned"' not in content.html
    rng = np.random.default_rng(0)
    times = np.arange(ROWS) / 60
    curves = {name: np.sin(times) + rng.normal(size=ROWS) for name in ("a", "b")}
    curves["a"][54_321] = 25.0
    band_lengths: list[int] = []

    def band(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        band_lengths.append(len(rows))
        return curves["a"][rows] - 1, curves["a"][rows] + 1

    plots = [
        Plot("forces", "N", [(n, v, "") for n, v in curves.items()], band),
        Plot("a", "N", [("a", curves["a"], "")]),
    ]
    thinned_content = replace(
        inverse_dynamics_content(result),
        times=times,
        panels=[("joint", "Coordinates", plots)],
        start=times[54_321],
    )
    path = tmp_path / "long.html"
    Report.of(thinned_content).save(path)
    page = read(path)
    assert "The run has 100000 rows" in page.text and "curves keep their extremes" in page.text
    assert path.stat().st_size < 2e6
    data, arrays = page.data, page.scripts["arrays"]
    assert unpack(arrays, data["times"]).tolist() == [times[0], times[-1]]
    (forces, alone) = data["panels"][0]["plots"]
    assert band_lengths == [forces["times"]["shape"][0]]
    for plot in (forces, alone):
        drawn, series = unpack(arrays, plot["times"]), plot["series"][0]
        assert 1000 < len(drawn) <= MOST_DRAWN and (np.diff(drawn) > 0).all()
        values = unpack(arrays, series["values"])
        peak = int(values.argmax())
        assert abs(drawn[peak] - times[54_321]) < 1e-5 and values[peak] == 25.0
        assert np.abs(np.interp(drawn, times, curves["a"]) - values).max() < 0.51 * step_of(series["values"]) + 1e-3


def test_pictures_keep_extremes() -> None:
    times = np.arange(ROWS) / 60
    lumped = np.sin(times)
    inertial = lumped + 0.1 * np.cos(3 * times)
    inertial[77_777] = 9.0
    figure = oi.plot(InverseDynamicsResult(times, ("knee",), (True,), lumped[:, None], inertial[:, None]))
    lines = [line.get_xydata() for axis in figure.axes for line in axis.get_lines() if len(line.get_xydata()) > 2]
    assert len(lines) == 3 and all(len(line) <= MOST_DRAWN for line in lines)
    for line in lines[1:]:
        assert line[line[:, 1].argmax(), 0] == times[77_777]

"""The report of inverse dynamics: what muscle inertia changes, by how much, how sure that is, and by which muscles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...report import Band, Content, Panel, Plot, Series, Table
from ...report.facts import assumptions, details, number, trial, unanswered
from .bellies import Bellies
from .parts import foremost
from .residuals import report_tables
from .uncertainty import Uncertainty, said_of_places

__all__ = ["MOST_STACKED", "CoordinateTraces", "by_change", "report_content"]

#: Muscles that are drawn apart.
MOST_STACKED = 8
#: Rows of the first table.
MOST_ROWS = 6


@dataclass(frozen=True)
class CoordinateTraces:
    """What a report draws of one coordinate.

    Attributes:
        name: of the coordinate.
        unit: "N m" or "N".
        lumped, moved, inertial: forces (T,).
        band: ends around inertial - lumped, or what computes them at some rows; None for no band.
        muscles: what each muscle adds, a column each; None where that was not kept.
    """

    name: str
    unit: str
    lumped: Array
    moved: Array
    inertial: Array
    band: Band | None
    muscles: pd.DataFrame | None


def by_change(names: Sequence[str], summary: pd.DataFrame, on_base: Collection[str]) -> list[str]:
    """Return coordinates by how much changes at their lumped peak: moments, forces, and what is on the base last."""
    sizes = summary["difference at peak"].abs()
    return sorted(names, key=lambda name: (name in on_base, summary.loc[name, "unit"] != "N m", -sizes[name]))


def report_content(
    summary: pd.DataFrame,
    times: Array,
    answered: NDArray[np.bool_],
    traces: Iterable[CoordinateTraces],
    made: Mapping[str, Any],
    uncertainty: Uncertainty | None,
    bellies: Bellies | None,
) -> Content:
    """Return what a report says.

    Args:
        summary: that of the result.
        times: (T,) [s].
        answered: (T,), which rows have an answer.
        traces: one per coordinate, those that change most first; each is dropped before the next one is asked for.
        made: the provenance.
        uncertainty: what the band covers; None for no band.
        bellies: whose places it covers; None for none.
    """
    span = f"{len(times)} rows from {times[0]:.4g} to {times[-1]:.4g} s" if len(times) > 1 else f"at {times[0]:.4g} s"
    level = 0.0 if uncertainty is None else uncertainty.level
    panels = [_panel(trace, level) for trace in traces]
    names = [panel.name for panel in panels]
    return Content(
        title="Inverse dynamics with muscle inertia",
        subtitle=", ".join(part for part in (trial(made), span) if part),
        answer=_answer(summary.loc[names], level, int(answered.sum())),
        certainty=[*unanswered(times, answered), *_certainty(uncertainty, bellies, made), *_residuals(made)],
        table=_table("The coordinates that change most", summary.loc[names[:MOST_ROWS]], level),
        times=times,
        panels=panels,
        assumptions=assumptions(made),
        warnings=list(made.get("warnings", ())),
        details=(_table("All coordinates", summary, level), *report_tables(made), *details(made)),
        start=float(summary.loc[names[0], "peak time"]) if names else None,
    )


def _answer(summary: pd.DataFrame, level: float, rows: int) -> list[str]:
    changed = summary[summary["largest difference"] != 0]
    if changed.empty:
        return ["Muscle inertia changes nothing: no muscle with mass moves, or none has mass."]
    sentences = []
    for place, (name, row) in enumerate(changed.iloc[:3].iterrows()):
        unit, share = row["unit"], row["difference at peak [%]"]
        what = "moment" if unit == "N m" else "force"
        verb = "Muscle inertia changes" if place == 0 else "It changes"
        told = f"{verb} the {what} at {name} by {number(row['difference at peak'])} {unit}"
        told += f" where OpenSim\u2019s own (lumped) {what} peaks at {number(row['lumped peak'])} {unit}"
        told += f", {number(abs(share))} % of it" if np.isfinite(share) else ""
        if level:
            ends = f"{number(row['lower at peak'])} to {number(row['upper at peak'])}"
            told += f" ({100 * level:g} % band: {ends} {unit})"
        if rows > 1:
            most = number(row["largest difference"])
            told += f"; its largest change is {most} {unit}, at {row['time of largest']:.3f} s"
        sentences.append(told + ".")
    more = len(changed) - len(sentences)
    if more > 0:
        sentences.append(f"Of the other coordinates {more} change; the tables have them all.")
    return sentences


def _certainty(uncertainty: Uncertainty | None, bellies: Bellies | None, made: Mapping[str, Any]) -> list[str]:
    if uncertainty is None:
        return ["This run has no band: how much of the difference hangs on uncertain masses was not computed."]
    covered = f"each muscle\u2019s mass varies by {100 * uncertainty.mass_cv:g} % (coefficient of variation; "
    covered += f"{100 * uncertainty.common:g} % of the variance is common to all muscles)"
    covered += said_of_places(bellies)
    sentences = [f"The band holds {100 * uncertainty.level:g} % of {uncertainty.draws} draws: {covered}."]
    projected = (made.get("band") or {}).get("draws with a projected remainder", {})
    if projected:
        told = ", ".join(f"{name} in {count}" for name, count in projected.items())
        sentences.append(
            f"As in a run with such masses and bellies, segments cannot be conserved exactly in some draws: {told}."
        )
    sentences.append(
        "It does not cover the donor segments, the paths, the model\u2019s segments, the loads or the filter."
    )
    return sentences


def _residuals(made: Mapping[str, Any]) -> list[str]:
    verdict = made["residuals"]["verdict"] if "residuals" in made else ""
    return [verdict[0].upper() + verdict[1:]] if verdict else []


def _table(title: str, summary: pd.DataFrame, level: float) -> Table:
    head = ["coordinate", "unit", "lumped peak", "at [s]", "change there", "change [%]"]
    head += [f"{100 * level:g} % band"] if level else []
    head += ["largest change", "at [s]", "of that sliding", "RMS change"]
    rows = []
    for name, row in summary.iterrows():
        share = row["difference at peak [%]"]
        cells = [str(name), row["unit"], number(row["lumped peak"]), f"{row['peak time']:.3f}"]
        cells += [number(row["difference at peak"]), number(share) if np.isfinite(share) else ""]
        cells += [f"{number(row['lower at peak'])} to {number(row['upper at peak'])}"] if level else []
        cells += [number(row["largest difference"]), f"{row['time of largest']:.3f}", number(row["largest sliding"])]
        rows.append([*cells, number(row["difference RMS"])])
    note = (
        "Changes are inertial \u2212 lumped, signed. Sliding is the part of mass that moves along the muscles\u2019 "
        "paths; the rest comes of mass that no longer lies where the model has it."
    )
    return Table(title, head, rows, note)


def _panel(trace: CoordinateTraces, level: float) -> Panel:
    lumped, inertial = trace.lumped, trace.inertial
    forces = [Series("lumped (OpenSim)", lumped, "lumped"), Series("inertial muscles", inertial, "inertial")]
    parts = [Series("inertial \u2212 lumped", inertial - lumped, "inertial")]
    if np.nanmax(np.abs(trace.moved - lumped)) > 0.01 * np.nanmax(np.abs(inertial - lumped), initial=0.0):
        forces.append(Series("moved, not sliding", trace.moved, "moved"))
        parts.append(Series("moved \u2212 lumped", trace.moved - lumped, "moved"))
    what = "Moment" if trace.unit == "N m" else "Force"
    plots = [
        Plot(what, trace.unit, forces),
        Plot("What muscle inertia changes", trace.unit, parts, trace.band, f"{100 * level:g} % band"),
    ]
    stacked = _stacked(trace.muscles)
    if stacked:
        plots.append(Plot("What each muscle adds to that", trace.unit, stacked, stacked=True))
    return Panel(trace.name, "Coordinates", [plot.thinned() for plot in plots])


def _stacked(table: pd.DataFrame | None) -> list[Series]:
    """Return the muscles that add most, and the others together."""
    if table is None:
        return []
    shown, others = foremost(table, MOST_STACKED)
    series = [Series(name, values) for name, values in shown.items()]
    return series if others is None else [*series, Series(*others, "others")]

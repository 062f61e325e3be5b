"""The report of inverse dynamics: what muscle inertia changes, by how much, how sure that is, and by which muscles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...report import Band, Content, Panel, Plot, Series, Table
from ...report.facts import about_the_run, assumptions, details, number, trial, unanswered
from .bellies import Bellies
from .parts import foremost
from .residuals import report_tables
from .sliding_parts import PARTS
from .uncertainty import Uncertainty, said_of_places

__all__ = ["MOST_STACKED", "CoordinateTraces", "by_change", "report_content"]

#: Muscles that are drawn apart.
MOST_STACKED = 8
#: Rows of the first table.
MOST_ROWS = 6


@dataclass(frozen=True)
class CoordinateTraces:
    """Curves of one coordinate in a report.

    Attributes:
        name: of the coordinate.
        unit: "N m" or "N".
        lumped, inertial: forces (T,).
        band: ends around inertial - lumped, or what computes them at some rows; None for no band.
        muscles: what each muscle adds, a column each; None where that was not kept.
        wobble: what swinging adds (T,); None where nothing swings.
        sliding: the parts of sliding (T,), by name; empty where they are unknown.
    """

    name: str
    unit: str
    lumped: Array
    inertial: Array
    band: Band | None
    muscles: pd.DataFrame | None
    wobble: Array | None = None
    sliding: Mapping[str, Array] = field(default_factory=dict)


def by_change(names: Sequence[str], summary: pd.DataFrame, on_base: Collection[str]) -> list[str]:
    """Return coordinates by how much changes at their lumped peak: moments, forces, and what is on the base last."""
    sizes = summary["difference at peak"].abs()
    return sorted(names, key=lambda name: (name in on_base, summary.loc[name, "unit"] != "N m", -sizes[name]))


def report_content(
    summary: pd.DataFrame,
    times: Array,
    answered: NDArray[np.bool_],
    traces: Iterable[CoordinateTraces],
    provenance: Mapping[str, Any],
    uncertainty: Uncertainty | None,
    bellies: Bellies | None,
) -> Content:
    """Return the sentences, tables and curves of the report.

    Args:
        summary: that of the result.
        times: (T,) [s].
        answered: (T,), which rows have an answer.
        traces: one per coordinate, those that change most first; each is dropped before the next one is asked for.
        provenance: the provenance.
        uncertainty: what the band covers; None for no band.
        bellies: whose places it covers; None for none.
    """
    span = f"{len(times)} rows from {times[0]:.4g} to {times[-1]:.4g} s" if len(times) > 1 else f"at {times[0]:.4g} s"
    level = 0.0 if uncertainty is None else uncertainty.level
    panels = [_panel(trace, level) for trace in traces]
    names = [panel.name for panel in panels]
    return Content(
        title="Inverse dynamics with muscle inertia",
        subtitle=", ".join(part for part in (trial(provenance), span) if part),
        answer=_answer(summary.loc[names], level, int(answered.sum())),
        certainty=[
            *unanswered(times, answered),
            *_certainty(uncertainty, bellies),
        ],
        table=_table("The coordinates that change most", summary.loc[names[:MOST_ROWS]], level),
        times=times,
        panels=panels,
        assumptions=assumptions(provenance),
        warnings=list(provenance.get("warnings", ())),
        details=(
            _table("All coordinates", summary, level),
            *report_tables(provenance),
            *_sliding_table(summary),
            *details(provenance),
        ),
        start=float(summary.loc[names[0], "peak time"]) if names else None,
        **about_the_run(provenance, times, answered),
    )


def _sliding_table(summary: pd.DataFrame) -> list[Table]:
    """Return the parts of what slides; nothing where they are unknown, or nothing slides."""
    if "sliding RMS" not in summary or not (summary["sliding RMS"] > 0).any():
        return []
    rows = []
    for name, row in summary[summary["sliding RMS"] > 0].iterrows():
        sizes = [number(row[f"{part} RMS"]) for part in ("sliding", *PARTS)]
        rows.append([str(name), row["unit"], *sizes, number(100 * row["armature explains"])])
    note = (
        "Root mean squares over the motion; the parts add up at each time. Armature is the force of the muscles\u2019 "
        "length rates alone, as of a tendon armature; coupling that of other accelerations; velocity that of other "
        "velocities. The last column is 1 \u2212 RMS(sliding \u2212 armature) / RMS(sliding)."
    )
    head = ["coordinate", "unit", "sliding", *PARTS, "armature explains [%]"]
    return [Table("Parts of sliding", head, rows, note)]


def _answer(summary: pd.DataFrame, level: float, rows: int) -> list[str]:
    """Return sentences about the three coordinates whose force muscle inertia changes most, and the number of others.

    Args:
        summary: a row for each coordinate, the most changed ones first.
        level: the part of draws within the band, as 0.95; 0 for no band.
        rows: how many rows of the motion have an answer.
    """
    changed = summary[summary["largest difference"].abs() > 0]
    if changed.empty:
        return ["Muscle inertia changes nothing: no muscle with mass moves, or none has mass."]
    sentences = []
    for place, (name, row) in enumerate(changed.iloc[:3].iterrows()):
        unit, share = row["unit"], row["difference at peak [%]"]
        quantity = "moment" if unit == "N m" else "force"
        verb = "Muscle inertia changes" if place == 0 else "It changes"
        sentence = f"{verb} the {quantity} at {name} by {number(row['difference at peak'])} {unit}"
        sentence += f" where OpenSim\u2019s own (lumped) {quantity} peaks at {number(row['lumped peak'])} {unit}"
        sentence += f", {number(abs(share))} % of it" if np.isfinite(share) else ""
        if level:
            ends = f"{number(row['lower at peak'])} to {number(row['upper at peak'])}"
            sentence += f" ({100 * level:g} % band: {ends} {unit})"
        if rows > 1:
            most = number(row["largest difference"])
            sentence += f"; its largest change is {most} {unit}, at {row['time of largest']:z.3f} s"
        sentences.append(sentence + ".")
    more = len(changed) - 3
    if more > 0:
        sentences.append(f"Of the other coordinates {more} change; the tables have them all.")
    return sentences


def _certainty(uncertainty: Uncertainty | None, bellies: Bellies | None) -> list[str]:
    """Return sentences that say which unknowns the band covers, and which it does not."""
    if uncertainty is None:
        return ["This run has no band: how much of the difference hangs on uncertain masses was not computed."]
    covered = f"each muscle\u2019s mass varies by {100 * uncertainty.mass_cv:g} % (coefficient of variation; "
    covered += f"{100 * uncertainty.common:g} % of the variance is common to all muscles)"
    covered += said_of_places(bellies)
    sentences = [f"The band holds {100 * uncertainty.level:g} % of {uncertainty.draws} draws: {covered}."]
    sentences.append(
        "It does not cover the donor segments, the paths, the model\u2019s segments, the loads or the filter."
    )
    return sentences


def _table(title: str, summary: pd.DataFrame, level: float) -> Table:
    """Return the changes of some coordinates as a table; with a band if its ``level``, as 0.95, is not 0."""
    head = ["coordinate", "unit", "lumped peak", "at [s]", "change there", "change [%]"]
    head += [f"{100 * level:g} % band"] if level else []
    wobbles = "largest wobble" in summary
    head += ["largest change", "at [s]", *(["largest wobble"] if wobbles else []), "RMS change"]
    rows = []
    for name, row in summary.iterrows():
        share = row["difference at peak [%]"]
        cells = [str(name), row["unit"], number(row["lumped peak"]), f"{row['peak time']:z.3f}"]
        cells += [number(row["difference at peak"]), number(share) if np.isfinite(share) else ""]
        cells += [f"{number(row['lower at peak'])} to {number(row['upper at peak'])}"] if level else []
        cells += [number(row["largest difference"]), f"{row['time of largest']:z.3f}"]
        cells += [number(row["largest wobble"])] if wobbles else []
        rows.append([*cells, number(row["difference RMS"])])
    note = "Changes are inertial \u2212 lumped, signed"
    note += "; wobble is the part that swinging mass makes." if wobbles else "."
    return Table(title, head, rows, note)


def _panel(trace: CoordinateTraces, level: float) -> Panel:
    """Return the plots of one coordinate: forces, what muscle inertia changes, and what each muscle adds to that."""
    lumped, inertial = trace.lumped, trace.inertial
    forces = [Series("lumped (OpenSim)", lumped, "lumped"), Series("inertial muscles", inertial, "inertial")]
    parts = [Series("inertial \u2212 lumped", inertial - lumped, "inertial")]
    quantity = "Moment" if trace.unit == "N m" else "Force"
    if trace.wobble is not None:
        parts.append(Series("wobble alone", trace.wobble))
    plots = [
        Plot(quantity, trace.unit, forces),
        Plot("What muscle inertia changes", trace.unit, parts, trace.band, f"{100 * level:g} % band"),
    ]
    if any(np.nanmax(np.abs(part), initial=0.0) > 0 for part in trace.sliding.values()):
        of_sliding = [Series(name, part) for name, part in trace.sliding.items()]
        plots.append(Plot("Parts of sliding", trace.unit, of_sliding))
    stacked = _stacked(trace.muscles)
    if stacked:
        plots.append(Plot("What each muscle adds to that", trace.unit, stacked, stacked=True))
    return Panel(trace.name, "Coordinates", [plot.thinned() for plot in plots])


def _stacked(table: pd.DataFrame | None) -> list[Series]:
    """Return the muscles that add most, and the others together."""
    if table is None:
        return []
    largest, remaining = foremost(table, MOST_STACKED)
    series = [Series(name, values) for name, values in largest.items()]
    return series if remaining is None else [*series, Series(*remaining, "others")]

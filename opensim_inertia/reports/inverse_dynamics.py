"""The report of inverse dynamics: what muscle inertia changes, by how much, how sure that is, and by which muscles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.inverse_dynamics.parts import foremost, sure_rows
from ..analyses.inverse_dynamics.residuals import residuals_as_text
from ..analyses.inverse_dynamics.sliding_parts import PARTS
from ..analyses.inverse_dynamics.uncertainty import said_of_places
from .content import Content, Panel, Plot, Series, Table, compared
from .facts import about_the_run, assumptions, details, number, subtitle, unanswered

__all__ = ["inverse_dynamics_content"]

#: Muscles that are drawn apart.
MOST_STACKED = 8
#: Rows of the first table.
MOST_ROWS = 6


def inverse_dynamics_content(result: InverseDynamicsResult, coordinates: Iterable[str] | None = None) -> Content:
    """Return the sentences, tables and curves of the report.

    Args:
        result: of inverse dynamics.
        coordinates: names; default: all independent ones, those that change most first.
    """
    summary, provenance = result.summary(), result.provenance
    level = 0.0 if result.uncertainty is None else result.uncertainty.level
    names = _by_change(result, summary) if coordinates is None else list(coordinates)
    return Content(
        title="Inverse dynamics with muscle inertia",
        subtitle=subtitle(provenance, result.times),
        answer=_answer(summary.loc[names], level, int(result.answered.sum())),
        certainty=[*unanswered(result.times, result.answered), *_certainty(result)],
        table=_table("The coordinates that change most", summary.loc[names[:MOST_ROWS]], level),
        times=result.times,
        panels=[_panel(result, name, level) for name in names],
        assumptions=assumptions(provenance),
        warnings=list(provenance.get("warnings", ())),
        details=(
            _table("All coordinates", summary, level),
            *_residuals(result),
            *_sliding_table(summary),
            *details(provenance),
        ),
        start=float(summary.loc[names[0], "peak time"]) if names else None,
        **about_the_run(provenance, result.times, result.answered),
    )


def _by_change(result: InverseDynamicsResult, summary: pd.DataFrame) -> list[str]:
    """Return all coordinates; of the first ones moments, forces, and the base last, each by its change at the peak."""
    sizes = summary["difference at peak"].abs()
    based = {name for name, is_base in zip(result.coordinate_names, result.on_base, strict=False) if is_base}
    first = sorted(
        result.most_changed(MOST_ROWS), key=lambda n: (n in based, summary.loc[n, "unit"] != "N m", -sizes[n])
    )
    return list(dict.fromkeys([*first, *(result.coordinate_names[i] for i in result.independent)]))


def _residuals(result: InverseDynamicsResult) -> list[Table]:
    """Return the table of residuals; nothing where there are none."""
    if "residuals" not in result.provenance:
        return []
    table = pd.DataFrame(result.provenance["residuals"]["table"]).set_index(["mass", "component"])
    text = residuals_as_text(table)
    return [Table("Residuals at the base", text.head[0], text.rows, " ".join(text.notes))]


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


def _certainty(result: InverseDynamicsResult) -> list[str]:
    """Return sentences that say which unknowns the band covers, and which it does not."""
    if (uncertainty := result.uncertainty) is None:
        return ["This run has no band: how much of the difference hangs on uncertain masses was not computed."]
    covered = f"each muscle\u2019s mass varies by {100 * uncertainty.mass_cv:g} % (coefficient of variation; "
    covered += f"{100 * uncertainty.common:g} % of the variance is common to all muscles)"
    covered += said_of_places(result.bellies)
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


def _panel(result: InverseDynamicsResult, name: str, level: float) -> Panel:
    """Return the plots of one coordinate: forces, what muscle inertia changes, and what each muscle adds to that."""
    i = result.coordinate_names.index(name)
    lumped, inertial = (forces[:, i] for forces in result.folded_answers(doubtful=np.nan))
    unit = result.units[i]
    forces, change = compared("Moment" if unit == "N m" else "Force", unit, {"lumped": lumped, "inertial": inertial})
    if result.wobble is not None:
        wobble = Series("wobble alone", result.folded(result.wobble.forces)[:, i])
        change = replace(change, series=[*change.series, wobble])
    band = None if result.uncertainty is None else partial(result.difference_band, name)
    plots = [forces, replace(change, band=band, band_label=f"{100 * level:g} % band")]
    parts = () if result.sliding_parts is None else result.folded(result.sliding_parts)[..., i]
    if any(np.nanmax(np.abs(part), initial=0.0) > 0 for part in parts):
        of_sliding = [Series(part, values) for part, values in zip(PARTS, parts, strict=True)]
        plots.append(Plot("Parts of sliding", unit, of_sliding))
    if result.parts is not None:
        largest, remaining = foremost(sure_rows(result.muscle_table(name), result.doubtful[:, i]), MOST_STACKED)
        stacked = [Series(muscle, values) for muscle, values in largest.items()]
        stacked += [] if remaining is None else [Series(*remaining, "others")]
        plots += [Plot("What each muscle adds to that", unit, stacked, stacked=True)] if stacked else []
    return Panel(name, "Coordinates", [plot.thinned() for plot in plots])

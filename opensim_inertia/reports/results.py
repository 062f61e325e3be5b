"""Content of reports on inverse dynamics, muscle recruitment and simulations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import InertiaError
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.inverse_dynamics.band import said_of_places
from ..analyses.inverse_dynamics.residuals import residuals_as_text
from ..analyses.inverse_dynamics.summary import PARTS, foremost, sure_rows
from ..analyses.recruitment import RecruitmentResult
from .content import Content, Panel, Plot, Table, about_the_run, compared, details, number, unanswered

if TYPE_CHECKING:
    from ..analyses.forward_simulation import Trajectory
    from ..analyses.recruitment import RecruitmentResult


#: Largest number of separate muscles or curves in a plot.
MOST_STACKED = 8
#: Rows of the first table, for coordinates and for muscles; names in the answer.
MOST_COORDINATES, MOST_MUSCLES, MOST_NAMED = 6, 12, 3
#: Smaller changes of controls are rounding.
NO_CHANGE = 1e-9
#: Headings of columns, and columns of summaries; missing columns are left out.
CHANGES = {
    "unit": "unit",
    "lumped peak": "lumped peak",
    "at [s]": "peak time",
    "change there": "difference at peak",
    "change [%]": "difference at peak [%]",
    "{} % band": "band",
    "largest change": "largest difference",
    " at [s]": "time of largest",
    "largest wobble": "largest wobble",
    "RMS change": "difference RMS",
}
ACTUATORS = {
    "largest control": "largest control",
    "at [s]": "time",
    "mean control": "mean control",
    "largest force [N or N m]": "largest force",
    "rows at upper bound": "rows at upper bound",
    "change of control": "largest change of control",
    " at [s]": "time of change",
    "change of force": "largest change of force",
    "RMS change of control": "control RMS change",
}
SLIDING = {
    "unit": "unit",
    **{part: f"{part} RMS" for part in ("sliding", *PARTS)},
    "armature explains [%]": "explained",
}
MOTIONS = {name: name for name in ("unit", "first", "last", "least", "most", "largest change")}
MOTIONS |= {"at [s]": "time", "change at the end": "at the end"}
SLIDING_NOTE = (
    "Root mean squares over the motion; the parts add up at each time. Armature is the force of the muscles\u2019 "
    "length rates alone, as of a tendon armature; coupling that of other accelerations; velocity that of other "
    "velocities. The last column is 1 \u2212 RMS(sliding \u2212 armature) / RMS(sliding)."
)
NO_LUMPED = (
    "One run does not show the effect of muscle inertia: simulate the same model with all mass in the segments, too, "
    "and give it as lumped= (the command: --lumped)."
)


def inverse_dynamics_content(result: InverseDynamicsResult) -> Content:
    """Return the content of a report on an inverse dynamics result."""
    summary, provenance = result.summary(), result.provenance
    level = 0.0 if result.uncertainty is None else result.uncertainty.level
    names = _by_change(result, summary)
    columns = {head.format(f"{100 * level:g}"): column for head, column in CHANGES.items()}
    note = "Changes are inertial \u2212 lumped, signed"
    note += "; wobble is the part by wobbling mass." if "largest wobble" in summary else "."
    table = summary
    if level:
        ends = zip(summary["lower at peak"], summary["upper at peak"], strict=True)
        table = summary.assign(band=[f"{number(low)} to {number(high)}" for low, high in ends])
    further = [_table("All coordinates", "coordinate", table, columns, note)]
    if "residuals" in provenance:
        residuals = pd.DataFrame(provenance["residuals"]["table"]).set_index(["mass", "component"])
        text = residuals_as_text(residuals)
        further.append(Table("Residuals at the base", text.head[0], text.rows, " ".join(text.notes)))
    if "sliding RMS" in summary and (summary["sliding RMS"] > 0).any():
        sliding = summary[summary["sliding RMS"] > 0].assign(explained=100 * summary["armature explains"])
        further.append(_table("Parts of sliding", "coordinate", sliding, SLIDING, SLIDING_NOTE))
    first = "The coordinates that change most"
    return Content(
        title="Inverse dynamics with muscle inertia",
        answer=[result.largest_change],
        certainty=[*unanswered(result.times, result.answered), *_band(result)],
        table=_table(first, "coordinate", table.loc[names[:MOST_COORDINATES]], columns, note),
        panels=[_coordinate(result, name, level) for name in names],
        details=(*further, *details(provenance)),
        start=float(summary.loc[names[0], "peak time"]) if names else None,
        **about_the_run(provenance, result.times, result.answered),
    )


def _by_change(result: InverseDynamicsResult, summary: pd.DataFrame) -> list[str]:
    """Return independent coordinates: the most changed (in order rotations, translations, base), then others."""
    sizes = summary["difference at peak"].abs()
    based = {name for name, is_base in zip(result.coordinate_names, result.on_base, strict=False) if is_base}
    forces = set(summary.index[~summary["unit"].str.startswith("N m")])
    first = sorted(result.most_changed(MOST_COORDINATES), key=lambda n: (n in based, n in forces, -sizes[n]))
    return list(dict.fromkeys([*first, *(result.coordinate_names[i] for i in result.independent)]))


def _table(title: str, first: str, summary: pd.DataFrame, columns: Mapping[str, str], note: str = "") -> Table:
    """Return columns of a summary as a :class:`Table`; ``columns`` maps headings to columns of the summary."""
    columns = {head: column for head, column in columns.items() if column in summary}

    def text(head: str, value: Any) -> str:
        if isinstance(value, str):
            return value
        return "" if np.isnan(value) else f"{value:z.3f}" if head.endswith("at [s]") else number(value)

    rows = [[str(name), *(text(h, row[c]) for h, c in columns.items())] for name, row in summary.iterrows()]
    return Table(title, [first, *map(str.strip, columns)], rows, note)


def _band(result: InverseDynamicsResult) -> list[str]:
    """Return sentences on the uncertain inputs that the uncertainty band covers."""
    if (uncertainty := result.uncertainty) is None:
        return ["This run has no band: how much of the difference hangs on uncertain masses was not computed."]
    covered = f"each muscle\u2019s mass varies by {100 * uncertainty.mass_cv:g} % (coefficient of variation; "
    covered += f"{100 * uncertainty.common:g} % of the variance is common to all muscles)"
    covered += said_of_places(result.bellies)
    return [
        f"The band holds {100 * uncertainty.level:g} % of {uncertainty.draws} draws: {covered}.",
        "It does not cover the donor segments, the paths, the model\u2019s segments, the loads or the filter.",
    ]


def _coordinate(result: InverseDynamicsResult, name: str, level: float) -> Panel:
    """Return a coordinate's panel: lumped and inertial forces, and their difference in total, by term and by muscle."""
    i = result.coordinate_names.index(name)
    lumped, inertial = (forces[:, i] for forces in result.folded_answers(doubtful=np.nan))
    unit, what = result.units[i], "Moment" if result.rotational[i] else "Force"
    forces, change = compared(what, unit, {"lumped": lumped, "inertial": inertial})
    if result.wobble is not None:
        wobble = result.folded(result.wobble.forces)[:, i]
        change = replace(change, series=[*change.series, ("wobble alone", wobble, "")])

    def band(rows: NDArray[np.intp]) -> tuple[Array, Array]:
        lower, upper = np.where(result.doubtful[rows, i], np.nan, result.difference_band(name, rows))
        return lower, upper

    plots = [forces, replace(change, band=band if level else None, band_label=f"{100 * level:g} % band")]
    parts = () if result.sliding_parts is None else result.folded(result.sliding_parts)[..., i]
    if any(np.nanmax(np.abs(part), initial=0.0) > 0 for part in parts):
        of_sliding = [(part, values, "") for part, values in zip(PARTS, parts, strict=True)]
        plots.append(Plot("Parts of sliding", unit, of_sliding))
    if result.parts is not None:
        largest, remaining = foremost(sure_rows(result.muscle_table(name), result.doubtful[:, i]), MOST_STACKED)
        stacked = [(muscle, values, "") for muscle, values in largest.items()]
        stacked += [] if remaining is None else [(*remaining, "others")]
        plots += [Plot("What each muscle adds to that", unit, stacked, stacked=True)] if stacked else []
    return name, "Coordinates", [plot.thinned() for plot in plots]


def recruitment_content(result: RecruitmentResult) -> Content:
    """Return the content of a report on a recruitment result."""
    summary, provenance, muscles = result.summary(), result.provenance, len(result.muscles)
    about: dict[str, Any] = about_the_run(provenance, result.times, result.answered)
    sure = {kind: result.sure(kind) for kind in result.answers}
    controls, forces = ({kind: each[i] for kind, each in sure.items()} for i in (0, 1))
    reactions = {
        joint: {kind: np.linalg.norm(result.sure_reactions(joint, kind), axis=1) for kind in result.answers}
        for joint in result.joints
    }
    changes = "largest change of control" in summary
    of_muscles = summary.iloc[:muscles]
    by = "largest change of control" if changes else "largest control"
    order = list(of_muscles.index[np.argsort(-of_muscles[by].abs().to_numpy(), kind="stable")])
    panels: list[Panel] = []
    for name in [*order, *summary.index[muscles:]]:
        control, force = ({kind: table[name].to_numpy() for kind, table in each.items()} for each in (controls, forces))
        group, what, unit = ("Muscles", "Activation", "N") if name in order else ("Others", "Control", "N or N m")
        panels.append((str(name), group, [*compared(what, "", control), compared("Force", unit, force)[0]]))
    largest = {kind: np.asarray(table.iloc[:, :muscles].max(axis=1)) for kind, table in controls.items()}
    panels.insert(1, ("largest of all muscles", "Overview", compared("Largest activation", "", largest)))
    table, note = summary, "Changes are largest in size, inertial \u2212 lumped, signed." if changes else ""
    if changes:
        table = summary.assign(**{by: summary[by].where(summary[by].abs() > NO_CHANGE, 0.0)})
    joints = [(name, "Joint reactions", compared("Size of the force", "N", s)) for name, s in reactions.items()]
    title = "The muscles that change most" if changes else "The most active muscles"
    return Content(
        title="Muscle recruitment with muscle inertia",
        answer=_changed_activations(of_muscles.loc[order], reactions, result.kind, changes),
        certainty=[
            *unanswered(result.times, result.answered),
            *_solved(result.unsolved, int(result.answered.sum()), changes),
        ],
        table=_table(title, "actuator", table.loc[order[:MOST_MUSCLES]], ACTUATORS, note),
        panels=[*panels, *joints],
        details=(_table("All actuators", "actuator", table, ACTUATORS, note), *details(provenance)),
        start=float(of_muscles.loc[order[0], "time of change" if changes else "time"]) if order else None,
        **about | {"assumptions": {"criterion": result.caption, **about["assumptions"]}},
    )


def _changed_activations(
    ordered: pd.DataFrame, reactions: Mapping[str, Mapping[str, Array]], kind: str, changes: bool
) -> list[str]:
    """Return sentences on changes by muscle inertia or, without ``changes``, on largest activations and forces."""
    sentences = []
    listed = ordered[ordered["largest change of control"].abs() > NO_CHANGE] if changes else ordered
    if listed.empty:
        sentences.append("Muscle inertia changes no activation.")
    for place, (name, row) in enumerate(listed.iloc[:MOST_NAMED].iterrows()):
        if changes:
            start = "Muscle inertia changes" if place == 0 else "It changes"
            sentence = f"{start} the activation of {name} by up to {number(row['largest change of control'])}"
            sentence += f", at {row['time of change']:z.3f} s, and its force by up to "
            sentence += f"{number(row['largest change of force'])} N"
            sentence += f" (its activation is at most {number(row['largest control'])})."
        else:
            sentence = f"{name} is active by up to {number(row['largest control'])}, at {row['time']:z.3f} s"
            sentence += f", with a force of up to {number(row['largest force'])} N."
        sentences.append(sentence)
    for joint, by_kind in list(reactions.items()) if changes else []:
        change = by_kind[kind] - by_kind["lumped"]
        most = float(change[np.nanargmax(np.abs(change))])
        largest = float(np.nanmax(by_kind[kind]))
        sentences.append(f"The force in {joint}, at most {number(largest)} N, changes by up to {number(most)} N.")
    if not changes:
        sentences.append("What muscle inertia changes is not part of this run: ask for kind=('inertial', 'lumped').")
    return sentences


def _solved(unsolved: int, rows: int, changes: bool) -> list[str]:
    solved = f"All {rows} rows are solved" if not unsolved else f"{unsolved} of {rows} rows have NO solution"
    no_band = (
        "There is no band: how far activations hang on uncertain masses is not computed. Inverse dynamics has the band "
        "of the moments that the muscles share."
    )
    about = "The criterion is a hypothesis about how muscles share moments; another one gives other activations."
    return [f"{solved}; each is the exact minimum of the criterion.", *([no_band] if changes else []), about]


def simulation_content(trajectory: Trajectory, lumped: Trajectory | None, activations: Mapping[str, Array]) -> Content:
    """Return the content of a report on a simulation."""
    times, units = trajectory.times, dict(zip(trajectory.layout.coordinate_names, trajectory.units, strict=True))
    shown = pd.Series({name: np.degrees(1.0) if unit == "rad" else 1.0 for name, unit in units.items()})
    units = {name: "deg" if unit == "rad" else unit for name, unit in units.items()}
    coordinates = trajectory.coordinates() * shown
    notes = [*trajectory.notes, *(["the simulation was interrupted before its end"] if trajectory.interrupted else [])]
    tables: dict[str, pd.DataFrame | None] = {}
    for what, compute in (("energy", trajectory.energy), ("work", trajectory.work)):
        try:
            tables[what] = compute()
        except (InertiaError, RuntimeError) as error:  # the simulation may have diverged
            tables[what] = None
            notes.append(f"{what} cannot be computed: {error}")
    energy, work = tables["energy"], tables["work"]
    provenance = trajectory.inertial.provenance(trajectory.model_notes)
    beside = None if lumped is None else _at(lumped.coordinates() * shown, times)
    changes = None if beside is None else _changes(coordinates, beside, units)
    panels: list[Panel] = []
    for name in coordinates.columns if changes is None else changes.index:
        kinds = {} if beside is None else {"lumped": beside[name].to_numpy()}
        kinds["inertial"] = coordinates[name].to_numpy()
        panels.append((name, "Coordinates", compared("Value", units[name], kinds)))
    panels += [] if energy is None else [_energies(energy)]
    worked = {} if work is None else dict(work.items())
    panels += [_largest_curves("work of muscles", "Work done until then", "J", worked)]
    panels += [_largest_curves("activations", "Activation", "", activations)]
    table, note = trajectory.summary().drop(columns="unit").mul(shown, axis=0).assign(unit=pd.Series(units)), ""
    if changes is not None:
        more = {"largest change": changes["largest"], "time": changes["time"], "at the end": changes["last"]}
        table = table.loc[changes.index].assign(**more)
        note = "Changes are inertial \u2212 lumped, each simulation by itself, at the same times."
    evaluations = f"{trajectory.evaluations} evaluations of the equations of motion"
    run = {"integrator": f"{trajectory.integrator}, {evaluations}", "method": repr(trajectory.record.method)}
    about = about_the_run(provenance, times, np.ones(len(times), dtype=bool))
    about["assumptions"] = {**run, "engine": trajectory.engine, **about["assumptions"]}
    about["warnings"] = [*notes, *about["warnings"]]
    return Content(
        title="Simulation with muscle inertia",
        answer=[*_changed_motion(changes), *_share(energy)],
        certainty=_no_band(changes is not None),
        table=_table("Coordinates", "coordinate", table, MOTIONS, note),
        panels=[panel for panel in panels if panel[2]],
        details=details(provenance),
        start=None if changes is None or changes.empty else float(changes["time"].iloc[0]),
        **about,
    )


def _at(table: pd.DataFrame, times: Array) -> pd.DataFrame:
    """Return a table interpolated at other times; NaN outside the table's time range."""
    from scipy.interpolate import CubicSpline  # slow import

    known = table.index.to_numpy(float)
    if len(known) > 1:
        values = CubicSpline(known, table.to_numpy(), extrapolate=False)(times)
    else:
        values = np.where(times[:, None] == known, table.to_numpy(), np.nan)
    return pd.DataFrame(values, index=pd.Index(times, name="time"), columns=table.columns)


def _changes(coordinates: pd.DataFrame, beside: pd.DataFrame, units: Mapping[str, str]) -> pd.DataFrame:
    """Return each coordinate's largest and last difference from ``beside``, sorted by ratio to the coordinate range."""
    rows = {}
    for name in coordinates.columns:
        difference = (coordinates[name] - beside[name]).to_numpy()
        known = np.flatnonzero(np.isfinite(difference))
        if len(known):
            at = int(known[np.abs(difference[known]).argmax()])
            span = float(np.ptp(coordinates[name].to_numpy()[known]))
            share = abs(difference[at]) / span if span > 0 else 0.0
            rows[name] = (float(difference[at]), float(coordinates.index[at]), float(difference[known[-1]]), share)
    columns = ["largest", "time", "last", "share"]
    changes = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    return changes.sort_values("share", ascending=False, kind="stable").assign(unit=[units[n] for n in changes.index])


def _changed_motion(changes: pd.DataFrame | None) -> list[str]:
    if changes is None:
        return [NO_LUMPED]
    changed = changes[changes["largest"] != 0]
    if changed.empty:
        return ["Muscle inertia changes nothing: the motion is that of the lumped model."]
    sentences = []
    for place, (name, row) in enumerate(changed.iloc[:MOST_NAMED].iterrows()):
        start = "Muscle inertia changes" if place == 0 else "It changes"
        sentence = f"{start} {name} by up to {number(row['largest'])} {row['unit']}, at {row['time']:.3f} s"
        sentence += (
            f", {number(100 * row['share'])} % of its range, and by {number(row['last'])} {row['unit']} at the end."
        )
        sentences.append(sentence)
    return sentences


def _share(energy: pd.DataFrame | None) -> list[str]:
    if energy is None or not np.isfinite(energy.to_numpy()).all():
        return []
    kinetic = energy["kinetic"].to_numpy()
    at = int(kinetic.argmax())
    if not kinetic[at] > 0:
        return []
    share = energy["kinetic_muscles"].to_numpy()[at] / kinetic[at]
    return [
        f"Where kinetic energy is largest, {number(kinetic[at])} J at {energy.index[at]:.3f} s, "
        f"{number(100 * share)} % of it is in the muscles\u2019 mass."
    ]


def _no_band(compared: bool) -> list[str]:
    no_band = (
        "There is no band: a simulation is one run with the masses as they are, and how far it hangs on them is not "
        "computed. Vary the mass table, or take gradients with respect to masses, to see that."
    )
    early = "Differences grow with time where a motion is unstable: compare early times first."
    return [no_band, *([early] if compared else [])]


def _energies(energy: pd.DataFrame) -> Panel:
    def plot(title: str, *names: str) -> Plot:
        return Plot(title, "J", [(n.replace("_", " "), energy[n].to_numpy(), "") for n in names])

    parts = plot("Kinetic energy, of bones and of the muscles\u2019 mass", "kinetic_bones", "kinetic_muscles")
    return "energies", "Energy", [plot("Energy", "kinetic", "potential", "total"), parts]


def _largest_curves(name: str, title: str, unit: str, curves: Mapping[Any, Any]) -> Panel:
    """Return a panel of the few ``curves`` with the largest peaks."""
    sizes = {key: float(np.nanmax(np.abs(np.asarray(values)), initial=0.0)) for key, values in curves.items()}
    named = sorted((key for key in sizes if sizes[key] > 0), key=lambda key: -sizes[key])[:MOST_STACKED]
    series = [(str(key), np.asarray(curves[key]), "") for key in named]
    return name, "Muscles", [Plot(title, unit, series)] if series else []

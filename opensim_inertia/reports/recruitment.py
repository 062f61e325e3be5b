"""The report of muscle recruitment: what muscle inertia changes of activations, forces and joint reactions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from .._core.arrays import Array
from ..analyses.recruitment import RecruitmentResult
from .content import Content, Panel, Table, compared
from .facts import about_the_run, assumptions, details, number, subtitle, unanswered

__all__ = ["recruitment_content"]

#: Rows of the first table, and actuators that the answer names.
MOST_ROWS, MOST_NAMED = 12, 3
#: Smaller changes of a control are rounding.
NO_CHANGE = 1e-9


def recruitment_content(result: RecruitmentResult) -> Content:
    """Return the sentences, tables and curves of the report."""
    summary, provenance, muscles = result.summary(), result.provenance, len(result.muscles)
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
    names = [*order, *summary.index[muscles:]]
    actuators = [_actuator(str(n), "Muscles" if n in of_muscles.index else "Others", controls, forces) for n in names]
    joints = [Panel(name, "Joint reactions", compared("Size of the force", "N", s)) for name, s in reactions.items()]
    title = "The muscles that change most" if changes else "The most active muscles"
    return Content(
        title="Muscle recruitment with muscle inertia",
        subtitle=subtitle(provenance, result.times),
        answer=_answer(of_muscles.loc[order], reactions, result.kind, changes),
        certainty=[
            *unanswered(result.times, result.answered),
            *_certainty(result.unsolved, int(result.answered.sum()), changes),
        ],
        table=_table(title, of_muscles.loc[order[:MOST_ROWS]], changes),
        times=result.times,
        panels=[*actuators[:1], _largest(controls, muscles), *actuators[1:], *joints],
        assumptions={"criterion": result.caption, **assumptions(provenance)},
        warnings=list(provenance.get("warnings", ())),
        details=(_table("All actuators", summary, changes), *details(provenance)),
        start=float(of_muscles.loc[order[0], "time of change" if changes else "time"]) if order else None,
        **about_the_run(provenance, result.times, result.answered),
    )


def _answer(ordered: pd.DataFrame, reactions: Mapping[str, Mapping[str, Array]], kind: str, changes: bool) -> list[str]:
    """Return sentences about the muscles whose activations change most, or are largest, and about joint reactions.

    Args:
        ordered: the summary's rows of muscles, in the order of the sentences.
        reactions: sizes of joint reactions (T,) [N], by joint and kind.
        kind: "lumped" or "inertial", the one shown.
        changes: whether there are lumped answers to compare with.
    """
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


def _certainty(unsolved: int, rows: int, changes: bool) -> list[str]:
    solved = f"All {rows} rows are solved" if not unsolved else f"{unsolved} of {rows} rows have NO solution"
    sentences = [f"{solved}; each is the exact minimum of the criterion."]
    if changes:
        sentences.append(
            "There is no band: how far activations hang on uncertain masses is not computed. Inverse dynamics has the "
            "band of the moments that the muscles share."
        )
    sentences.append(
        "The criterion is a hypothesis about how muscles share moments; another one gives other activations."
    )
    return sentences


def _table(title: str, summary: pd.DataFrame, changes: bool) -> Table:
    head = ["actuator", "largest control", "at [s]", "mean control", "largest force [N or N m]", "rows at upper bound"]
    head += ["change of control", "at [s]", "change of force", "RMS change of control"] if changes else []
    rows = []
    for name, row in summary.iterrows():
        cells = [str(name), number(row["largest control"]), f"{row['time']:z.3f}", number(row["mean control"])]
        cells += [number(row["largest force"]), str(int(row["rows at upper bound"]))]
        if changes:
            change = row["largest change of control"]
            cells += [number(change if abs(change) > NO_CHANGE else 0.0), f"{row['time of change']:z.3f}"]
            cells += [number(row["largest change of force"]), number(row["control RMS change"])]
        rows.append(cells)
    return Table(title, head, rows, "Changes are largest in size, inertial \u2212 lumped, signed." if changes else "")


def _largest(controls: Mapping[str, pd.DataFrame], muscles: int) -> Panel:
    largest = {kind: np.asarray(table.iloc[:, :muscles].max(axis=1)) for kind, table in controls.items()}
    return Panel("largest of all muscles", "Overview", compared("Largest activation", "", largest))


def _actuator(name: str, group: str, controls: Mapping[str, pd.DataFrame], forces: Mapping[str, pd.DataFrame]) -> Panel:
    control = compared("Activation" if group == "Muscles" else "Control", "", _column(controls, name))
    unit = "N" if group == "Muscles" else "N or N m"
    return Panel(name, group, [*control, compared("Force", unit, _column(forces, name))[0]])


def _column(tables: Mapping[str, pd.DataFrame], name: str) -> dict[str, Array]:
    return {kind: table[name].to_numpy() for kind, table in tables.items()}

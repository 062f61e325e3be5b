"""Results of muscle recruitment, as arrays, tables and files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_names
from ..._core.choices import PREFIXES, REACTION_FRAMES, SIDES, Kind, ReactionFrame, Side
from ..._core.errors import OptionError
from ..._core.provenance import model_sentence, version_sentence
from ..._core.representation import TextTable
from ..._core.tables import PrintedFrame
from ...options.recruitment import Criterion
from ..result import File, MotionResult, Variable
from .rows import INFEASIBLE, STATUSES, Answer

if TYPE_CHECKING:
    import pandas as pd

GROUND = "ground"
#: Default body and axes of joint reactions in OpenSim.
REACTION: tuple[Side, ReactionFrame] = ("child", "ground")
COMPONENTS = [f"{quantity}{axis}" for quantity in "fmp" for axis in "xyz"]
#: Tolerance of an activation at a bound.
AT_BOUND = 1e-6
#: Number of muscles in the printed summary.
MOST_SHOWN = 12


@dataclass(frozen=True, eq=False, repr=False)
class RecruitmentResult(MotionResult):
    """Activations, forces and joint reactions of a motion, for lumped and sliding muscle mass (see :func:`recruit`).

    Attributes:
        free: coordinates without equations.
        muscles: names of the muscles, the first of the n ``actuators``.
        actuators: muscles, other actuators of the model and of files, and reserves (``<coordinate>_reserve``).
        lower, upper: bounds of the controls (n,).
        strengths: force per unit of control, (T, n) [N or N m].
        passive_forces: passive forces of muscles, (T, muscles) [N]; zero by default.
        answers: results by kind, "lumped" or "inertial".
        joints: names of joints with reactions; ``joint_bodies``: their child and parent bodies.
        joint_frames: origin and rotation to ground of these joints' child and parent frames, (T, joints, 2, 12).
        carriers: muscles with mass, if tensions at their ends were requested.
        ends: tension minus force at origin and insertion, (T, carriers, 2) [N].
        kind: the kind in the tables; :meth:`of` selects another.
        criterion: the minimised cost.
        doubtful: (T, n), controls that jumps of the recording change; peaks and means exclude them.
        doubtful_reactions: (T, joints), joint reactions that jumps change.
    """

    free: tuple[str, ...]
    muscles: tuple[str, ...]
    actuators: tuple[str, ...]
    lower: Array
    upper: Array
    strengths: Array
    passive_forces: Array
    answers: Mapping[str, Answer]
    joints: tuple[str, ...]
    joint_bodies: tuple[tuple[str, str], ...]
    joint_frames: Array
    carriers: tuple[str, ...]
    ends: Array
    kind: str
    criterion: Criterion
    doubtful: NDArray[np.bool_]
    doubtful_reactions: NDArray[np.bool_]
    prefix: ClassVar[str] = PREFIXES["recruitment"]

    def description(self) -> Mapping[str, str]:
        """Return the criterion, the model, the motion and the solved rows as text."""
        others = len(self.actuators) - len(self.muscles)
        solved = "all" if not self.unsolved else f"{self.unsolved} rows NOT solved"
        first = {"criterion": self.criterion.in_words, "muscles": f"{len(self.muscles)}, {others} other actuators"}
        return first | {**super().description(), "solved": solved}

    def of(self, kind: Kind) -> RecruitmentResult:
        """Return a copy with tables for another kind of muscle mass, "lumped" or "inertial".

        Raises:
            OptionError: the kind was not requested.
        """
        return self._of(kind)

    def _of(self, kind: str) -> RecruitmentResult:
        return replace(self, kind=check_choice("kind", kind, self.answers))

    @property
    def answer(self) -> Answer:
        """Results for the kind of muscle mass (lumped or inertial) that the tables show."""
        return self.answers[self.kind]

    @property
    def activations(self) -> pd.DataFrame:
        """Activations of the muscles, index time [s]."""
        return self.controls.loc[:, list(self.muscles)]

    @property
    def controls(self) -> pd.DataFrame:
        """Controls of all actuators, index time [s]; controls of muscles are activations."""
        return self._table(self.answer.controls, self.actuators)

    @property
    def forces(self) -> pd.DataFrame:
        """Forces of all actuators [N or N m]; muscle forces act along tendons and contain passive forces."""
        forces = self.answer.controls * self.strengths
        forces[:, : len(self.muscles)] += self.passive_forces
        return self._table(forces, self.actuators)

    @property
    def tension_ends(self) -> pd.DataFrame:
        """Tensions at the muscles' ends [N], index time [s]; columns (muscle, "origin" or "insertion").

        A muscle's force is conjugate to the length of its path. Sliding mass changes the tension along the path by sum
        m (a - g).e from origin to insertion. With lumped mass, and for muscles without mass, both tensions equal the
        force.

        Raises:
            OptionError: tensions were not requested.
        """
        import pandas as pd

        has_mass = self.provenance.get("muscles with mass")
        if self.kind == "inertial" and len(self.ends) and not self.carriers and has_mass:
            raise OptionError("tension_ends", False, "True, for the tensions at the muscles' ends")
        forces = self.forces[list(self.muscles)].to_numpy()
        tensions = np.repeat(forces[:, :, None], 2, axis=2)
        if self.kind == "inertial" and self.carriers:
            tensions[:, [self.muscles.index(name) for name in self.carriers]] += self.ends
        columns = pd.MultiIndex.from_product([self.muscles, ["origin", "insertion"]])
        return self._table(tensions.reshape(len(tensions), -1), columns)

    @property
    def reactions(self) -> dict[str, pd.DataFrame]:
        """Reactions on the child of each requested joint, in ground, by joint; see :meth:`reaction`."""
        return {joint: self.reaction(joint) for joint in self.joints}

    def reaction(self, joint: str, on: Side = "child", frame: ReactionFrame = "ground") -> pd.DataFrame:
        """Return a joint's reaction on one of its bodies, like OpenSim's Joint Reaction analysis.

        Args:
            joint: a requested joint.
            on: "child" or "parent".
            frame: axes of the components: "child", "parent" or "ground".

        Returns:
            index time [s]; columns fx, fy, fz [N], mx, my, mz [N m], and px, py, pz [m], the point of the force: the
            origin of the joint's frame in the body, in axes of ``frame`` from its origin.
        """
        check_names("joint", [joint], self.joints)
        side, i = SIDES.index(check_choice("on", on, SIDES)), self.joints.index(joint)
        seen_from = None if check_choice("frame", frame, REACTION_FRAMES) == GROUND else SIDES.index(frame)
        loads, frames = self.answer.reactions[:, i, side], self.joint_frames[:, i]
        moment, force, place = loads[:, :3], loads[:, 3:], frames[:, side, :3]
        if seen_from is not None:
            origin, rotation = frames[:, seen_from, :3], frames[:, seen_from, 3:].reshape(-1, 3, 3)
            force, moment, place = (np.einsum("tji,tj->ti", rotation, v) for v in (force, moment, place - origin))
        return self._table(np.hstack([force, moment, place]), COMPONENTS)

    def variables(self) -> dict[str, Variable]:
        """Return named arrays for lumped and inertial mass: controls, forces, missing forces, status, reactions.

        The first ``muscles`` of the actuators are muscles; reactions act on the child, in ground.
        """
        each = [self._of(kind) for kind in self.answers]
        kinds, time, actuators = {"kind": list(self.answers)}, {"time": self.times}, {"actuator": list(self.actuators)}
        missing = np.stack([r.answer.missing for r in each])
        found: dict[str, Variable] = {
            "control": (kinds | time | actuators, np.stack([r.answer.controls for r in each]), "1"),
            "force": (kinds | time | actuators, np.stack([r.forces for r in each]), "N; N m where it acts on an angle"),
            "missing": (kinds | time | {"coordinate": list(self.coordinate_names)}, missing, ""),
            "status": (kinds | time, np.stack([r.status for r in each]).astype(str), "1"),
        }
        if self.joints:
            loads = np.stack([np.stack(list(r.reactions.values())) for r in each])
            axes = kinds | {"joint": list(self.joints)} | time | {"component": COMPONENTS}
            found["reaction"] = (axes, loads, "f: N; m: N m; p: m")
        return found

    def assumptions(self) -> dict[str, Any]:
        """Return the criterion's name and options, and the number of muscles."""
        return {**self._criterion(), "muscles": len(self.muscles)}

    def summary(self) -> pd.DataFrame:
        """Return peaks of controls and forces, and their changes by muscle inertia, one row per actuator.

        Columns: ``largest control`` in size, its ``time`` [s], ``mean control``, ``largest force`` [N or N m], ``rows
        at upper bound``, ``rows unsolved`` (equal for all actuators). With lumped results also: ``largest change of
        control`` (this kind minus lumped, signed), its ``time of change`` [s], ``largest change of force``, and
        ``control RMS change``. Doubtful rows are left out; an actuator with doubtful rows only has NaN. Printed, the
        table is that of ``opensim-inertia recruit``.
        """
        import pandas as pd

        rows, sure = self.answered, {kind: self.sure(kind) for kind in self.answers}
        times, saturated = self.times[rows], (self.bounds_active == 2) & ~self.doubtful
        controls, forces = (each.to_numpy()[rows] for each in sure[self.kind])
        peaks = _largest(controls)
        columns = {
            "largest control": _at(controls, peaks),
            "time": times[peaks],
            "mean control": pd.DataFrame(controls).mean().to_numpy(),
            "largest force": _at(forces, _largest(forces)),
            "rows at upper bound": saturated.sum(axis=0).to_numpy(),
            "rows unsolved": self.unsolved,
        }
        if self.kind != "lumped" and "lumped" in sure:
            lumped = [each.to_numpy()[rows] for each in sure["lumped"]]
            change, of_force = controls - lumped[0], forces - lumped[1]
            most = _largest(change)
            columns |= {"largest change of control": _at(change, most), "time of change": times[most]}
            columns["largest change of force"] = _at(of_force, _largest(of_force))
            columns["control RMS change"] = np.sqrt(pd.DataFrame(change**2).mean().to_numpy())
        table = pd.DataFrame(columns, index=pd.Index(self.actuators, name="actuator"))
        counts = {"rows": int(rows.sum()), "unsolved": self.unsolved, "unanswered": int((~rows).sum())}
        return PrintedFrame(table, partial(summary_as_text, muscles=self.muscles, kind=self.kind, **counts))

    def sure(self, kind: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return controls and forces for a kind of muscle mass; doubtful values are NaN."""
        result = self._of(kind)
        return result.controls.mask(self.doubtful), result.forces.mask(self.doubtful)

    def sure_reactions(self, joint: str, kind: str, on: Side = "child") -> Array:
        """Return a joint's reaction force (T, 3) [N] on one of its bodies, in ground; doubtful values are NaN."""
        force = self._of(kind).reaction(joint, on)[["fx", "fy", "fz"]].to_numpy()
        return np.where(self.doubtful_reactions[:, self.joints.index(joint), None], np.nan, force)

    @property
    def bounds_active(self) -> pd.DataFrame:
        """Active bound per control: 0 lower, 1 none, 2 upper; 3 in rows without solution, 4 without external loads."""
        places, controls = np.ones(self.answer.controls.shape, dtype=np.int8), self.answer.controls
        places[controls <= self.lower + AT_BOUND] = 0
        places[controls >= self.upper - AT_BOUND] = 2
        places[self.infeasible] = 3
        places[np.isnan(controls)] = 4
        return self._table(places, self.actuators)

    @property
    def unsolved(self) -> int:
        """Number of rows without a solution, except rows without external loads."""
        return int(self.infeasible.sum())

    @property
    def infeasible(self) -> NDArray[np.bool_]:
        """Whether rows (T,) have no solution, except rows without external loads."""
        return np.isin(self.answer.status, [STATUSES.index(status) for status in INFEASIBLE])

    def reaction_size(self, joint: str, on: Side = "child") -> Array:
        """Return the magnitude (T,) [N] of a joint's reaction force on one of its bodies, see :meth:`reaction`."""
        return np.linalg.norm(self.reaction(joint, on)[["fx", "fy", "fz"]].to_numpy(), axis=1)

    def reaction_table(self, wanted: Sequence[tuple[str, Side, ReactionFrame]] = ()) -> pd.DataFrame:
        """Return joint reactions with OpenSim's column names, ``<joint>_on_<body>_in_<frame>_fx`` and so on.

        Args:
            wanted: joint, body ("child" or "parent") and axes ("child", "parent" or "ground") of each reaction;
                default: all joints, on the child and in ground, like OpenSim.
        """
        import pandas as pd

        tables: dict[str, pd.DataFrame] = {}
        for joint, on, frame in wanted or [(joint, *REACTION) for joint in self.joints]:
            check_names("joint", [joint], self.joints)
            bodies: dict[ReactionFrame, str] = dict(
                zip(SIDES, self.joint_bodies[self.joints.index(joint)], strict=True)
            )
            name = f"{joint}_on_{bodies[on]}_in_{bodies.get(frame, GROUND)}_"
            tables[name] = self.reaction(joint, on, frame).add_prefix(name)
        return pd.concat(tables.values(), axis=1)

    def save(
        self,
        folder: str | os.PathLike[str],
        prefix: str | None = None,
        reactions: Sequence[tuple[str, Side, ReactionFrame]] = (),
    ) -> dict[str, Path]:
        """Write tables, masses and provenance, like :meth:`Result.save`, with OpenSim's file names.

        Activations and forces of the kind in the tables are in ``StaticOptimization_activation.sto`` and
        ``StaticOptimization_force.sto``, joint reactions in ``JointReaction_ReactionLoads.sto``; names of other files
        contain the kind. ``reactions`` selects joint reactions, see :meth:`reaction_table`.
        """
        return self._save(folder, self.prefix if prefix is None else prefix, self.files(reactions))

    def files(self, reactions: Sequence[tuple[str, Side, ReactionFrame]] = ()) -> dict[str, File]:
        """Return the files of controls, forces, joint reactions, summary and status."""
        names, found = result_files(self.kind, tuple(self.answers), bool(self.joints)), dict[str, File]()
        criterion = {n: value if isinstance(value, str) else f"{value:g}" for n, value in self._criterion().items()}
        for kind in self.answers:
            result, notes = self._of(kind), {"muscle_mass": kind, **criterion}
            for content, table, title in (
                ("activation", result.controls, "Static Optimization"),
                ("force", result.forces, "ModelForces"),
            ):
                content = content if kind == self.kind else f"{kind} {content}"
                found[content] = names[content], table, title, notes
            if self.joints and kind == self.kind:
                found["reactions"] = names["reactions"], self.reaction_table(reactions), "Joint Reaction Loads", notes
        return found | super().files() | {"status": (names["status"], self.status.to_frame(), "", {})}

    def _criterion(self) -> dict[str, Any]:
        """Return the criterion's name and options."""
        return {"criterion": self.criterion.name, **self.criterion.values()}

    @property
    def caption(self) -> str:
        """Sentences on criterion, model, unsolved rows and version, for figures."""
        provenance, other_count = self.provenance, len(self.actuators) - len(self.muscles)
        sentences = [f"Criterion: {self.criterion.in_words}; {len(self.muscles)} muscles, {other_count} others."]
        sentences += [model_sentence(provenance)] if provenance else []
        if self.unsolved:
            sentences.append(f"{self.unsolved} of {self.answered.sum()} rows have no solution.")
        sentences += [version_sentence(provenance)] if provenance else []
        return " ".join(sentences)

    @property
    def missing(self) -> pd.DataFrame:
        """Required minus produced forces [N m or N]; at ``free`` coordinates (no actuators), the required forces."""
        return self._table(self.answer.missing, self.coordinate_names)

    @property
    def status(self) -> pd.Series:
        """Status of each row: "solved", "infeasible", "failed" or "no loads", index time [s]."""
        return self._table([STATUSES[i] for i in self.answer.status], ["status"])["status"]

    @property
    def objective(self) -> pd.Series:
        """Value of the criterion at each row; for min/max the largest muscle activation."""
        return self._table(self.answer.objective, [self.criterion.name])[self.criterion.name]


def result_files(kind: str, kinds: tuple[str, ...], has_reactions: bool) -> dict[str, str]:
    """Return the names of a result's files by content; the user's prefix is left out."""
    files = {}
    for each in kinds:
        prefix = "" if each == kind else f"{each} "
        for content in ("activation", "force"):
            files[f"{prefix}{content}"] = f"StaticOptimization_{prefix.replace(' ', '_')}{content}.sto"
    if has_reactions:
        files["reactions"] = "JointReaction_ReactionLoads.sto"
    return files | {"summary": "summary.csv", "status": "status.csv", "masses": "masses.csv", "run": "run.json"}


def _largest(values: Array) -> NDArray[np.intp]:
    """Return for each column of values (T, n) the row (n,) with the largest absolute value."""
    return np.asarray(np.nan_to_num(np.abs(values), nan=-1.0).argmax(axis=0))


def _at(values: Array, rows: NDArray[np.intp]) -> Array:
    return values[rows, np.arange(values.shape[1])]


def summary_as_text(
    summary: pd.DataFrame, muscles: Sequence[str], kind: str, rows: int, unsolved: int, unanswered: int
) -> TextTable:
    """Return the summary of muscles with the largest control changes (controls, without lumped results) as text."""
    table = summary.loc[[name for name in muscles if name in summary.index]]
    changes = "largest change of control" in table
    by = "largest change of control" if changes else "largest control"
    listed = table.reindex(table[by].abs().sort_values(ascending=False, kind="stable").index)[:MOST_SHOWN]
    columns = {"largest activation": "largest control", "at [s]": "time", "largest force [N]": "largest force"}
    forms, notes = ["{:.3f}", "{:.3f}", "{:.1f}"], []
    if changes:
        columns |= {"change of activation": by, " at [s]": "time of change"}
        columns["change of force [N]"] = "largest change of force"
        forms += ["{:+.4f}", "{:.3f}", "{:+.1f}"]
        notes = [f"Changes are {kind} - lumped, where they are largest; muscles that change most."]
    solved = f"all {rows} rows are solved" if not unsolved else f"{unsolved} of {rows} rows are NOT solved"
    solved += f"; {unanswered} more have no external loads, and no answer" if unanswered else ""
    values = listed[list(columns.values())].itertuples(name=None)
    cells = [[str(name), *(f.format(value) for f, value in zip(forms, row, strict=True))] for name, *row in values]
    head = ["muscle", *map(str.strip, columns)]
    return TextTable("Muscle recruitment", [head], cells, notes=[*notes, f"{solved}."])

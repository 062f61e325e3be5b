"""The result of muscle recruitment: arrays and names, and the tables and files that they make."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_names
from ..._core.choices import PREFIXES, REACTION_FRAMES, SIDES, Kind, ReactionFrame, Side
from ..._core.diagnostics import notes_among
from ..._core.errors import OptionError
from ..._core.provenance import model_sentence, run_record, version_sentence
from ..._core.representation import PrintedFrame
from ...files.atomic import writing
from ...files.tables import write_table
from ...muscles.masses import write_masses
from ...opensim_model.reading.motion import Motion
from ...options.recruitment import Criterion
from .reactions import expressed
from .rows import INFEASIBLE, STATUSES, UNANSWERED, Answer
from .summary import bound_places, summarise, summary_as_text

GROUND = "ground"
#: On which body, and in which axes, OpenSim gives reactions if not told otherwise.
REACTION: tuple[Side, ReactionFrame] = ("child", "ground")


@dataclass(frozen=True)
class RecruitmentResult:
    """Activations and forces of a motion (see :func:`recruit`), for one or both kinds.

    Attributes:
        times: (T,) [s].
        coordinate_names: the k independent coordinates, each of which has an equation.
        rotational: per such coordinate, whether its force is a moment.
        free: coordinates whose equations were left out.
        muscles: names of the muscles, the first of the ``actuators``, which are all n: muscles, other actuators of the
            model and of files, and reserves (``<coordinate>_reserve``).
        lower, upper: bounds of the controls (n,).
        strengths: force per unit of control, (T, n) [N or N m].
        passive_forces: of the muscles' fibres, (T, muscles) [N]; zero unless asked for.
        answers: by kind, "lumped" or "inertial".
        joints: names of the joints whose reactions were asked for; ``joint_bodies``: their child and parent bodies.
        joint_frames: origin and rotation to ground of the frames of these joints in child and parent, (T, joints, 2,
            12).
        carriers: muscles with mass, if the tensions at their ends were asked for.
        ends: tension less force at their origin and insertion, (T, carriers, 2) [N].
        kind: which of the answers the tables show; :meth:`of` shows another.
        criterion: what was made least.
        provenance: versions, options and inputs, as JSON knows them; "masses" is the mass table.
        motion: the motion whose rows were solved.
        doubtful: (T, n), which controls jumps of the recording change; peaks and means leave them out.
        doubtful_reactions: (T, joints), the same of joint reactions.
    """

    times: Array
    coordinate_names: tuple[str, ...]
    rotational: tuple[bool, ...]
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
    provenance: Mapping[str, Any] = field(default_factory=dict)
    motion: Motion | None = None
    doubtful: NDArray[np.bool_] = None  # type: ignore[assignment]  # none
    doubtful_reactions: NDArray[np.bool_] = None  # type: ignore[assignment]  # none

    def __post_init__(self) -> None:
        for name, columns in (("doubtful", self.actuators), ("doubtful_reactions", self.joints)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, np.zeros((len(self.times), len(columns)), dtype=bool))

    def of(self, kind: Kind) -> RecruitmentResult:
        """Return this result with tables of another kind.

        Raises:
            OptionError: that kind was not asked for.
        """
        return self._of(kind)

    def _of(self, kind: str) -> RecruitmentResult:
        return replace(self, kind=check_choice("kind", kind, self.answers))

    @property
    def answer(self) -> Answer:
        """The answer that the tables show, as arrays."""
        return self.answers[self.kind]

    @property
    def activations(self) -> pd.DataFrame:
        """The muscles' activations, index time [s]."""
        return self.controls.loc[:, list(self.muscles)]

    @property
    def controls(self) -> pd.DataFrame:
        """The controls of all actuators, of which activations are the muscles', index time [s]."""
        return self._table(self.answer.controls, self.actuators)

    @property
    def forces(self) -> pd.DataFrame:
        """The forces of all actuators [N or N m]; those of muscles act along their tendons, passive fibres included."""
        forces = self.answer.controls * self.strengths
        forces[:, : len(self.muscles)] += self.passive_forces
        return self._table(forces, self.actuators)

    @property
    def tension_ends(self) -> pd.DataFrame:
        """The tensions at the muscles' two ends [N], index time [s]; columns (muscle, "origin" or "insertion").

        A muscle's force is conjugate to the length of its path: mass that slides makes the tension change along it, by
        sum m (a - g).e from origin to insertion. Where mass is lumped, and for muscles without mass, both tensions are
        the force.

        Raises:
            OptionError: they were not asked for.
        """
        if self.kind == "inertial" and len(self.ends) and not self.carriers and self._has_mass:
            raise OptionError("tension_ends", False, "True, for the tensions at the muscles' ends")
        forces = self.forces[list(self.muscles)].to_numpy()
        tensions = np.repeat(forces[:, :, None], 2, axis=2)
        if self.kind == "inertial" and self.carriers:
            tensions[:, [self.muscles.index(name) for name in self.carriers]] += self.ends
        columns = pd.MultiIndex.from_product([self.muscles, ["origin", "insertion"]])
        return self._table(tensions.reshape(len(tensions), -1), columns)

    @property
    def reactions(self) -> dict[str, pd.DataFrame]:
        """The reaction of each joint that was asked for, on its child and in ground; see :meth:`reaction`."""
        return {joint: self.reaction(joint) for joint in self.joints}

    def reaction(self, joint: str, on: Side = "child", frame: ReactionFrame = "ground") -> pd.DataFrame:
        """Return a joint's reaction on one of its bodies, as OpenSim's Joint Reaction analysis does.

        Args:
            joint: one of the joints that were asked for.
            on: "child" or "parent".
            frame: the axes in which it is expressed, "child", "parent" or "ground".

        Returns:
            index time [s]; columns fx, fy, fz [N], mx, my, mz [N m], and px, py, pz [m]: the point at which the force
            acts, the origin of the joint's frame in that body, in the axes of ``frame`` and from its origin.
        """
        check_names("joint", [joint], self.joints)
        side, i = SIDES.index(check_choice("on", on, SIDES)), self.joints.index(joint)
        seen_from = None if check_choice("frame", frame, REACTION_FRAMES) == GROUND else SIDES.index(frame)
        values = expressed(self.answer.reactions[:, i], self.joint_frames[:, i], side, seen_from)
        return self._table(values, [f"{quantity}{axis}" for quantity in "fmp" for axis in "xyz"])

    def to_xarray(self) -> Any:
        """Return an ``xarray.Dataset`` with units and assumptions, of all kinds that were asked for.

        It holds controls and forces of the actuators, the first ``muscles`` of which are muscles, missing forces,
        status, and joint reactions (on the child, in ground).

        Raises:
            MissingPackageError: xarray is not installed.
        """
        from ..._core.xarray import labelled

        each = [self._of(kind) for kind in self.answers]
        dims, components = ["kind", "time"], [f"{quantity}{axis}" for quantity in "fmp" for axis in "xyz"]
        variables: dict[str, tuple[list[str], Any, str]] = {
            "control": ([*dims, "actuator"], np.stack([r.controls for r in each]), "1"),
            "force": ([*dims, "actuator"], np.stack([r.forces for r in each]), "N; N m where it acts on an angle"),
            "missing": ([*dims, "coordinate"], np.stack([r.missing for r in each]), ""),
            "status": (dims, np.stack([r.status for r in each]).astype(str), "1"),
        }
        labels: dict[str, Any] = {"kind": list(self.answers), "time": each[0].controls.index}
        labels |= {"actuator": list(each[0].controls), "coordinate": list(each[0].missing)}
        reactions = [r.reactions for r in each]
        if reactions[0]:
            loads = np.stack([np.stack([of[joint][components] for joint in of]) for of in reactions])
            variables["reaction"] = (["kind", "joint", "time", "component"], loads, "f: N; m: N m; p: m")
            labels |= {"joint": list(reactions[0]), "component": components}
        units = ["N m" if turns else "N" for turns in self.rotational]
        return labelled(variables, labels, self.provenance, units, **self._criterion(), muscles=len(self.muscles))

    def summary(self) -> pd.DataFrame:
        """Return the summary, one row per actuator; see :func:`~.summary.summarise`.

        Printed, the table is the one of ``opensim-inertia recruit``; it has all rows and columns for computing.
        """
        rows, sure = self.answered, {kind: self.sure(kind) for kind in self.answers}
        controls, forces = ({kind: each[i].to_numpy()[rows] for kind, each in sure.items()} for i in (0, 1))
        saturated = ((self.bounds_active == 2) & ~self.doubtful).sum(axis=0).to_numpy()
        table = summarise(self.times[rows], self.actuators, controls, forces, self.kind, saturated, self.unsolved)
        counts = {"rows": int(rows.sum()), "unsolved": self.unsolved, "unanswered": int((~rows).sum())}
        return PrintedFrame(table, partial(summary_as_text, muscles=self.muscles, kind=self.kind, **counts))

    def sure(self, kind: str) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return controls and forces of a kind, NaN where they are doubtful."""
        result = self._of(kind)
        return result.controls.mask(self.doubtful), result.forces.mask(self.doubtful)

    def sure_reactions(self, joint: str, kind: str, on: Side = "child") -> Array:
        """Return the force (T, 3) [N] that a joint exerts, see :meth:`reaction`, NaN where it is doubtful."""
        force = self._of(kind).reaction(joint, on)[["fx", "fy", "fz"]].to_numpy()
        return np.where(self.doubtful_reactions[:, self.joints.index(joint), None], np.nan, force)

    @property
    def bounds_active(self) -> pd.DataFrame:
        """Which bounds are active: 0 the lower, 1 none, 2 the upper one; 3 without a solution, 4 without loads."""
        places = bound_places(self.answer.controls, self.lower, self.upper, self.infeasible)
        return self._table(places, self.actuators)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which rows were looked at, (T,): all but those without external loads, which hold NaN."""
        return np.asarray(self.answer.status != STATUSES.index(UNANSWERED))

    @property
    def unsolved(self) -> int:
        """The number of rows without a solution, rows without external loads apart."""
        return int(self.infeasible.sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about changes of the motion after reading it."""
        return notes_among(() if self.motion is None else self.motion.findings)

    @property
    def infeasible(self) -> NDArray[np.bool_]:
        """Which rows have no solution, (T,), those without external loads apart."""
        return np.isin(self.answer.status, [STATUSES.index(status) for status in INFEASIBLE])

    def reaction_size(self, joint: str, on: Side = "child") -> Array:
        """Return the size (T,) [N] of the force that a joint exerts on one of its bodies, see :meth:`reaction`."""
        return np.linalg.norm(self.reaction(joint, on)[["fx", "fy", "fz"]].to_numpy(), axis=1)

    def reaction_table(self, wanted: Sequence[tuple[str, Side, ReactionFrame]] = ()) -> pd.DataFrame:
        """Return joint reactions with OpenSim's column names, ``<joint>_on_<body>_in_<frame>_fx`` and so on.

        Args:
            wanted: joint, the body on which the reaction acts ("child" or "parent") and the axes ("child", "parent" or
                "ground") of each; default: all joints, on the child and in ground, as OpenSim does.
        """
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
        prefix: str = PREFIXES["recruitment"],
        reactions: Sequence[tuple[str, Side, ReactionFrame]] = (),
    ) -> dict[str, Path]:
        """Write tables, masses and provenance; files are named as OpenSim's are where it has such files.

        These are ``StaticOptimization_activation.sto`` and ``StaticOptimization_force.sto``, and where joints were
        asked for ``JointReaction_ReactionLoads.sto``, all of the kind that the tables show; the activations and forces
        of other kinds have the kind in their names.

        Args:
            folder: where.
            prefix: of the files' names, such as ``subject01_``; by default they are those of the command line where it
                is given no setup with a name.
            reactions: which joint reactions, as for :meth:`reaction_table`.

        Returns:
            paths by what they hold.

        Raises:
            OutputError: a file cannot be written.
        """
        files = result_files(self.kind, tuple(self.answers), bool(self.joints))
        paths = {content: Path(folder) / (prefix + name) for content, name in files.items()}
        tables = {}
        for kind in self.answers:
            result, content_prefix = self._of(kind), "" if kind == self.kind else f"{kind} "
            tables[paths[f"{content_prefix}activation"]] = ("Static Optimization", result.controls, result._notes())
            tables[paths[f"{content_prefix}force"]] = ("ModelForces", result.forces, result._notes())
        if self.joints:
            tables[paths["reactions"]] = ("Joint Reaction Loads", self.reaction_table(reactions), self._notes())
        for path, (name, table, notes) in tables.items():
            write_table(table, path, in_degrees=False, name=name, notes=notes, gaps=True)
        for content, summary in (("summary", self.summary()), ("status", self.status.to_frame())):
            with writing(paths[content]) as temporary:
                summary.to_csv(temporary)
        if "masses" in self.provenance:
            write_masses(self.provenance["masses"], paths["masses"])
        with writing(paths["run"]) as temporary:
            temporary.write_text(run_record(self.provenance), encoding="utf-8")
        return paths

    def __repr__(self) -> str:
        solved = "all solved" if not self.unsolved else f"{self.unsolved} NOT solved"
        times, unanswered = self.times[self.answered], int((~self.answered).sum())
        rows = f"{len(times)} rows from {times[0]:.6g} to {times[-1]:.6g} s"
        solved += f", {unanswered} more without external loads and answer" if unanswered else ""
        other_count = len(self.actuators) - len(self.muscles)
        text = f"RecruitmentResult: {self.criterion.in_words}; {len(self.muscles)} muscles, {other_count} others"
        if provenance := self.provenance:
            carried = f"{provenance['muscles with mass']} muscles with {provenance['muscle mass [kg]']:.3g} kg"
            text += f"; model {provenance['model']['name']}, {carried}"
        return f"{text}; {rows}, {solved}."

    def _repr_html_(self) -> str:
        return f"<div>{escape(repr(self))}</div>{self.summary()._repr_html_()}"

    def _notes(self) -> dict[str, Any]:
        options = {name: value if isinstance(value, str) else f"{value:g}" for name, value in self._criterion().items()}
        return {"muscle_mass": self.kind, **options}

    def _criterion(self) -> dict[str, Any]:
        """Return the criterion's name and options."""
        return {"criterion": self.criterion.name, **self.criterion.values()}

    @property
    def caption(self) -> str:
        """Criterion and assumptions, in sentences."""
        provenance, other_count = self.provenance, len(self.actuators) - len(self.muscles)
        sentences = [f"Criterion: {self.criterion.in_words}; {len(self.muscles)} muscles, {other_count} others."]
        sentences += [model_sentence(provenance)] if provenance else []
        if self.unsolved:
            sentences.append(f"{self.unsolved} of {self.answered.sum()} rows have no solution.")
        sentences += [version_sentence(provenance)] if provenance else []
        return " ".join(sentences)

    @property
    def missing(self) -> pd.DataFrame:
        """Forces asked for less those made [N m or N], by independent coordinate; of free ones what acts there."""
        return self._table(self.answer.missing, self.coordinate_names)

    @property
    def status(self) -> pd.Series:
        """The status of each row: "solved", "infeasible", "failed" or "no loads", index time [s]."""
        return pd.Series([STATUSES[i] for i in self.answer.status], index=self._index(), name="status")

    @property
    def objective(self) -> pd.Series:
        """The criterion's value at each row; of min/max the largest activation of a muscle."""
        return pd.Series(self.answer.objective, index=self._index(), name=self.criterion.name)

    @property
    def _has_mass(self) -> bool:
        return bool(self.provenance.get("muscles with mass"))

    def _index(self) -> pd.Index:
        return pd.Index(self.times, name="time")

    def _table(self, values: NDArray[Any], columns: Any) -> pd.DataFrame:
        return pd.DataFrame(
            values, index=self._index(), columns=columns if isinstance(columns, pd.Index) else list(columns)
        )


def result_files(kind: str, kinds: tuple[str, ...], has_reactions: bool) -> dict[str, str]:
    """Return the names of a result's files without their prefix, by content."""
    files = {}
    for each in kinds:
        prefix = "" if each == kind else f"{each} "
        for content in ("activation", "force"):
            files[f"{prefix}{content}"] = f"StaticOptimization_{prefix.replace(' ', '_')}{content}.sto"
    if has_reactions:
        files["reactions"] = "JointReaction_ReactionLoads.sto"
    return files | {"summary": "summary.csv", "status": "status.csv", "masses": "masses.csv", "run": "run.json"}

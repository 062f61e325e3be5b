"""The result of muscle recruitment: arrays and names, and the tables, files and pictures that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import Array
from ..checks import check_choice, check_names
from ..errors import OptionError
from .rows import STATUSES, Answer

__all__ = ["RecruitmentResult"]

SIDES, GROUND = ("child", "parent"), "ground"


@dataclass(frozen=True)
class RecruitmentResult:
    """Activations and forces of a motion (see :func:`recruit`), for one or several places of muscle mass.

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
        answers: what was found, by where muscle mass is.
        joints: names of the joints whose reactions were asked for; ``joint_bodies``: their child and parent bodies.
        joint_frames: origin and rotation to ground of the frames of these joints in child and parent, (T, joints, 2,
            12).
        carriers: muscles with mass, if the tensions at their ends were asked for.
        ends: tension less force at their origin and insertion, (T, carriers, 2) [N].
        kind: which of the answers the tables show; :meth:`of` shows another.
        criterion, power, secondary: as asked.
        provenance: versions, options and inputs, as JSON knows them; "masses" is the mass table.
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
    criterion: str
    power: float
    secondary: str
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def of(self, kind: str) -> RecruitmentResult:
        """Return the same result with its tables showing another place of muscle mass.

        Raises:
            OptionError: that place was not asked for.
        """
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
        sum m (a - g).e from origin to insertion. Where mass is lumped or moved, and of muscles without mass, both
        tensions are the force.

        Raises:
            OptionError: they were not asked for.
        """
        if self.kind == "inertial" and len(self.ends) and not self.carriers and self._has_mass:
            raise OptionError("tension_ends", False, "True, for the tensions at the muscles' ends")
        forces = self.forces[list(self.muscles)].to_numpy()
        both = np.repeat(forces[:, :, None], 2, axis=2)
        if self.kind == "inertial" and self.carriers:
            both[:, [self.muscles.index(name) for name in self.carriers]] += self.ends
        columns = pd.MultiIndex.from_product([self.muscles, ["origin", "insertion"]])
        return self._table(both.reshape(len(both), -1), columns)

    @property
    def reactions(self) -> dict[str, pd.DataFrame]:
        """The reaction of each joint that was asked for, on its child and in ground; see :meth:`reaction`."""
        return {joint: self.reaction(joint) for joint in self.joints}

    def reaction(self, joint: str, on: str = "child", frame: str = "ground") -> pd.DataFrame:
        """Return what a joint exerts on one of its bodies, as OpenSim's Joint Reaction analysis does.

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
        check_choice("frame", frame, (*SIDES, GROUND))
        load, place = self.answer.reactions[:, i, side], self.joint_frames[:, i, side, :3]
        moment, force = load[:, :3], load[:, 3:]
        if frame != GROUND:
            origin = self.joint_frames[:, i, SIDES.index(frame), :3]
            rotation = self.joint_frames[:, i, SIDES.index(frame), 3:].reshape(-1, 3, 3)
            force, moment, place = (np.einsum("tji,tj->ti", rotation, v) for v in (force, moment, place - origin))
        columns = [f"{what}{axis}" for what in "fmp" for axis in "xyz"]
        return self._table(np.hstack([force, moment, place]), columns)

    @property
    def missing(self) -> pd.DataFrame:
        """Forces asked for less those made [N m or N], by independent coordinate; of free ones what acts there."""
        return self._table(self.answer.missing, self.coordinate_names)

    @property
    def status(self) -> pd.Series:
        """What became of each row: "solved", "infeasible" or "failed", index time [s]."""
        return pd.Series([STATUSES[i] for i in self.answer.status], index=self._index(), name="status")

    @property
    def objective(self) -> pd.Series:
        """The criterion's value at each row; of min/max the largest activation of a muscle."""
        return pd.Series(self.answer.objective, index=self._index(), name=self.criterion)

    @property
    def _has_mass(self) -> bool:
        return bool(self.provenance.get("muscles with mass"))

    def _index(self) -> pd.Index:
        return pd.Index(self.times, name="time")

    def _table(self, values: Array, columns: Any) -> pd.DataFrame:
        return pd.DataFrame(
            values, index=self._index(), columns=columns if isinstance(columns, pd.Index) else list(columns)
        )

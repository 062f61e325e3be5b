"""Recorded motions of an inertial model: read, held against the model's constraints, and projected on them if asked.

A coordinate that is off from its coupler by more than :data:`FAR` or :data:`LENGTH` at some recorded row follows the
coupler at all rows, whatever the time range; otherwise it stays as recorded, as in OpenSim. Other errors are taken at
the rows that are solved; constraints on speeds alone, as of rolling, are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.choices import Accelerations
from .._core.diagnostics import Diagnostic
from .._core.errors import Option, first_of
from .._core.opensim import osim
from .._core.warnings import BrokenConstraintWarning
from ..opensim_model.reading.coordinates import follow_couplers
from ..opensim_model.reading.motion import Motion, load_motion
from ..opensim_model.reading.recorded_table import MotionSource, motion_name
from ..options.recording import Recording
from .constraints import poses_on_the_way
from .model import InertialModel

ANGLE = 0.05
"""Constraints on angles may be off by this much [rad]: 2.9 degrees."""
FAR = np.radians(5.0)
"""A coupled angle that is farther off [rad] follows its coupler."""
LENGTH = 0.005
"""Constraints on lengths may be off by this much [m]; a coupled length that is farther off follows its coupler."""
COUPLER = "CoordinateCouplerConstraint"
MOST_NAMED = 3
"""How many constraints a message describes."""


def recorded_motion(inertial: InertialModel, recording: Recording, source: MotionSource | None = None) -> Motion:
    """Read a motion (``source``, if it has been read); SimulationError: with ``assemble`` constraints cannot be met."""
    source = recording.motion if source is None else source
    findings: list[Diagnostic] = []
    constraints = None if recording.as_recorded else _Constraints(inertial)

    def moved(times: Array, poses: Array, inside: NDArray[np.bool_]) -> Array:
        assert constraints is not None
        if recording.assemble:
            return constraints.assembled(times, poses)
        return constraints.following(times, poses, inside, motion_name(source), findings)

    assembled = None if recording.as_recorded else moved
    names, given = inertial.coordinate_names, recording.accelerations
    speeds = None if isinstance(given, str) else given
    motion = load_motion(
        source,
        inertial.model,
        names,
        recording.cutoff,
        recording.time_range,
        assembled,
        cast(Accelerations, given) if speeds is None else "speeds",
        speeds,
        recording.interpolate_jumps,
    )
    return replace(motion, findings=(*motion.findings, *findings))


def broken_constraints(inertial: InertialModel, motion: Motion, origin: str) -> list[Diagnostic]:
    """Return a diagnostic of constraints that a motion from ``origin`` breaks, if there are such."""
    broken = sorted(_Constraints(inertial).broken(motion), key=lambda b: -b[0])
    if not broken:
        return []
    described = first_of((how for _, how in broken), MOST_NAMED, "; ")
    text = f"it breaks constraints of the model by more than {ANGLE:g} rad or {LENGTH:g} m: {described}"
    cure = (Option("assemble", True, "Recording"), " projects the motion on them")
    return [Diagnostic("warning", "constraints", origin, text, cure, BrokenConstraintWarning)]


#: By how many times what is tolerated a motion breaks a constraint, and how.
_Broken = tuple[float, str]


class _Constraints:
    """The constraints of an inertial model on positions."""

    def __init__(self, inertial: InertialModel) -> None:
        self._model, self._kinematics = inertial.model, inertial.kinematics
        self._coordinates = inertial.coordinates
        self._default = inertial.initial_state()
        self._every = inertial.dynamics.binding.constraints
        owned = self._model.getCoordinateSet()
        each = [owned.get(name) for name in self._coordinates.names]
        self._prescribed = {i: c for i, c in enumerate(each) if c.isPrescribed(self._default)}
        self._locked = [i for i, c in enumerate(each) if c.getLocked(self._default) and i not in self._prescribed]
        self._others = [c for c in self._every if c.isEnforced(self._default) and c.getConcreteClassName() != COUPLER]

    def broken(self, motion: Motion) -> Iterator[_Broken]:
        """Yield the constraints that a motion breaks by more than is tolerated."""
        fixed = self._with_fixed(motion.times, motion.q)
        followed = follow_couplers(self._model, self._coordinates, motion.q)
        for wanted, how in ((followed, "its coupler asks for"), (fixed, "it is locked or prescribed at")):
            for i in np.flatnonzero((wanted != motion.q).any(axis=0)).tolist():
                yield from self._broken_coordinate(i, motion, wanted[:, i], how)
        for constraint in self._others:
            yield from self._broken_other(constraint, motion)

    def assembled(self, times: Array, q: Array) -> Array:
        """Return poses (rows, nu) that meet the constraints, near those given."""
        q = follow_couplers(self._model, self._coordinates, self._with_fixed(times, q))
        if self._others:
            state = osim.State(self._default)
            for time, pose in zip(times.tolist(), q, strict=True):
                state.setTime(time)
                self._coordinates.set_values(state, pose)
                pose[:] = poses_on_the_way(self._kinematics, state)[-1][self._coordinates.slots]
        return q

    def following(
        self, times: Array, q: Array, inside: NDArray[np.bool_], origin: str, findings: list[Diagnostic]
    ) -> Array:
        """Return poses q (rows, nu) in which coupled coordinates far off in rows ``inside`` follow; add a finding."""
        followed = follow_couplers(self._model, self._coordinates, q)
        misses = np.abs(followed - q)[inside]
        tolerated = np.where(self._coordinates.translational, LENGTH, FAR)
        far = np.flatnonzero((misses > tolerated).any(axis=0)).tolist()
        if not far:
            return q
        moved = q.copy()
        moved[:, far] = followed[:, far]
        described = []
        for i in sorted(far, key=lambda i: -(misses[:, i].max() / tolerated[i])):
            row = int(np.flatnonzero(inside)[misses[:, i].argmax()])
            unit = "m" if self._coordinates.translational[i] else "rad"
            degrees = self._seems_in_degrees(i, q[inside, i], followed[inside, i])
            hint = "; it seems to be in degrees" if degrees else ""
            described.append(
                f"'{self._coordinates.names[i]}', which is up to {abs(followed[row, i] - q[row, i]):.4g} {unit} off "
                f"({q[row, i]:.4g} where its coupler asks for {followed[row, i]:.4g}, at time {times[row]:.6g} s{hint})"
            )
        which = first_of(described, MOST_NAMED, "; ")
        text = f"these coordinates follow their couplers here, and not the recording: {which}"
        cure = (Option("as_recorded", True, "Recording"), " takes them as they are, as OpenSim does")
        findings.append(Diagnostic("note", "followers", origin, text, cure))
        return moved

    def _seems_in_degrees(self, i: int, values: Array, wanted: Array) -> bool:
        """Tell whether values of an angle are what is wanted, but for the unit."""
        angle = not self._coordinates.translational[i] and np.abs(wanted).max() > 2 * ANGLE
        return bool(angle and np.allclose(np.radians(values), wanted, rtol=0, atol=ANGLE))

    def _with_fixed(self, times: Array, q: Array) -> Array:
        """Return poses whose locked and prescribed coordinates are what they must be."""
        q = q.copy()
        q[:, self._locked] = self._coordinates.values(self._default)[self._locked]
        for i, coordinate in self._prescribed.items():
            function = coordinate.getPrescribedFunction()
            q[:, i] = [function.calcValue(osim.Vector(1, time)) for time in times.tolist()]
        return q

    def _broken_coordinate(self, i: int, motion: Motion, wanted: Array, how: str) -> Iterator[_Broken]:
        values, translates = motion.q[:, i], self._coordinates.translational[i]
        tolerated, unit = (LENGTH, "m") if translates else (ANGLE, "rad")
        row = int(np.argmax(np.abs(values - wanted)))
        excess = float(abs(values[row] - wanted[row])) / tolerated
        if excess > 1:
            hint = ""
            if self._seems_in_degrees(i, values, wanted):
                hint = " (it seems to be in degrees; of coordinates that follow others OpenSim converts none)"
            name = self._coordinates.names[i]
            what = f"coordinate '{name}' is {values[row]:.4g} {unit} where {how} {wanted[row]:.4g}{hint},"
            yield excess, f"{what} {_when(motion, row)}"

    def _broken_other(self, constraint: osim.Constraint, motion: Motion) -> Iterator[_Broken]:
        """Yield a constraint that is no coupler if a motion breaks it; no other constraint is enforced meanwhile."""
        state = self._alone(constraint)
        errors = []
        for time, pose in zip(motion.times.tolist(), motion.q, strict=True):
            state.setTime(time)
            self._coordinates.set_values(state, pose)
            self._model.realizePosition(state)
            errors.append(state.getQErr().to_numpy().copy())
        sizes = np.abs(errors)
        tolerated = np.full(sizes.shape[1], LENGTH)
        if constraint.getConcreteClassName() == "WeldConstraint":
            tolerated[:3] = ANGLE
        row, column = np.unravel_index(np.argmax(sizes / tolerated), sizes.shape)
        excess = float(sizes[row, column] / tolerated[column])
        if excess > 1:
            unit = "m" if tolerated[column] == LENGTH else "rad"
            what = f"constraint '{constraint.getName()}' is off by {sizes[row, column]:.4g} {unit}"
            yield excess, f"{what} {_when(motion, int(row))}"

    def _alone(self, constraint: osim.Constraint) -> osim.State:
        """Return a state in which one constraint is enforced, and no other."""
        state = osim.State(self._default)
        for coordinate in self._model.getCoordinateSet():
            coordinate.setLocked(state, False)
            coordinate.setIsPrescribed(state, False)
        for other in self._every:
            other.setIsEnforced(state, other.getAbsolutePathString() == constraint.getAbsolutePathString())
        return state


def _when(motion: Motion, row: int) -> str:
    return f"at time {motion.times[row]:.6g} s (row {row + 1} of {len(motion)})"


def motion_states(inertial: InertialModel, motion: Motion) -> Iterator[osim.State]:
    """Yield the states of a motion of all coordinates; it is the same object, changed in place."""
    state = inertial.initial_state()
    for row in range(len(motion)):
        state.setTime(float(motion.times[row]))
        inertial.coordinates.set_values(state, motion.q[row])
        state.setU(osim.Vector.createFromMat(motion.u[row]))
        yield state

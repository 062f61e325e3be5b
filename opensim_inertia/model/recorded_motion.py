"""Recorded motions of an inertial model: check of constraints and, on request, projection onto constraints.

A coordinate that deviates from its coupler by more than :data:`FAR` or :data:`LENGTH` at any recorded row follows the
coupler at all rows; otherwise it stays as recorded, as in OpenSim. Other errors are evaluated at solved rows; velocity
constraints, such as rolling, are not checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
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
"""Tolerance of constraints on angles [rad]: 2.9 degrees."""
FAR = np.radians(5.0)
"""Coupled angles with larger errors [rad] follow their couplers."""
LENGTH = 0.005
"""Tolerance of constraints on lengths [m]; coupled lengths with larger errors follow their couplers."""
COUPLER = "CoordinateCouplerConstraint"
MOST_NAMED = 3
"""Number of constraints in a message."""


def recorded_motion(inertial: InertialModel, recording: Recording, source: MotionSource | None = None) -> Motion:
    """Return a motion processed by the options ``recording``; raise SimulationError if constraints cannot be met."""
    source, given = recording.motion if source is None else source, recording.accelerations
    findings: list[Diagnostic] = []
    following = partial(_following, inertial, motion_name(source), findings)
    moved = partial(_assembled, inertial) if recording.assemble else following
    is_named = isinstance(given, str)
    motion = load_motion(
        source,
        inertial.model,
        inertial.coordinate_names,
        recording.cutoff,
        recording.time_range,
        None if recording.as_recorded else moved,
        cast(Accelerations, given) if is_named else "speeds",
        None if is_named else given,
        recording.interpolate_jumps,
    )
    return replace(motion, findings=(*motion.findings, *findings))


#: Ratio of a constraint error to its tolerance, and a description.
_Broken = tuple[float, str]


def broken_constraints(inertial: InertialModel, motion: Motion, origin: str) -> list[Diagnostic]:
    """Return a list with one diagnostic on all constraints that the motion violates, or an empty list."""
    fixed = _with_fixed(inertial, motion.times, motion.q)
    followed = follow_couplers(inertial.model, inertial.coordinates, motion.q)
    found: list[_Broken] = []
    for wanted, how in ((followed, "its coupler asks for"), (fixed, "it is locked or prescribed at")):
        for i in np.flatnonzero((wanted != motion.q).any(axis=0)).tolist():
            found += _broken_coordinate(inertial, i, motion, wanted[:, i], how)
    for constraint in _others(inertial):
        found += _broken_other(inertial, constraint, motion)
    if not found:
        return []
    described = first_of((how for _, how in sorted(found, key=lambda b: -b[0])), MOST_NAMED, "; ")
    text = f"it breaks constraints of the model by more than {ANGLE:g} rad or {LENGTH:g} m: {described}"
    cure = (Option("assemble", True, "Recording"), " projects the motion on them")
    return [Diagnostic("warning", "constraints", origin, text, cure, BrokenConstraintWarning)]


def _others(inertial: InertialModel) -> list[osim.Constraint]:
    """Return the model's enforced constraints except coordinate couplers."""
    every, state = inertial.dynamics.binding.constraints, inertial.model.getWorkingState()
    return [c for c in every if c.isEnforced(state) and c.getConcreteClassName() != COUPLER]


def _assembled(inertial: InertialModel, times: Array, q: Array, _: NDArray[np.bool_]) -> Array:
    q = follow_couplers(inertial.model, inertial.coordinates, _with_fixed(inertial, times, q))
    if _others(inertial):
        state = inertial.initial_state()
        for time, pose in zip(times.tolist(), q, strict=True):
            state.setTime(time)
            inertial.coordinates.set_values(state, pose)
            pose[:] = poses_on_the_way(inertial.kinematics, state)[-1][inertial.coordinates.slots]
    return q


def _following(
    inertial: InertialModel,
    origin: str,
    findings: list[Diagnostic],
    times: Array,
    q: Array,
    inside: NDArray[np.bool_],
) -> Array:
    """Return poses (rows, nu); coordinates far from their couplers' values get these, noted in ``findings``."""
    coordinates = inertial.coordinates
    followed = follow_couplers(inertial.model, coordinates, q)
    misses = np.abs(followed - q)[inside]
    tolerated = np.where(coordinates.translational, LENGTH, FAR)
    far = np.flatnonzero((misses > tolerated).any(axis=0)).tolist()
    if not far:
        return q
    moved = q.copy()
    moved[:, far] = followed[:, far]
    described = []
    for i in sorted(far, key=lambda i: -(misses[:, i].max() / tolerated[i])):
        row = int(np.flatnonzero(inside)[misses[:, i].argmax()])
        unit = "m" if coordinates.translational[i] else "rad"
        degrees = _seems_in_degrees(inertial, i, q[inside, i], followed[inside, i])
        hint = "; it seems to be in degrees" if degrees else ""
        described.append(
            f"'{coordinates.names[i]}', which is up to {abs(followed[row, i] - q[row, i]):.4g} {unit} off "
            f"({q[row, i]:.4g} where its coupler asks for {followed[row, i]:.4g}, at time {times[row]:.6g} s{hint})"
        )
    which = first_of(described, MOST_NAMED, "; ")
    text = f"these coordinates follow their couplers here, and not the recording: {which}"
    cure = (Option("as_recorded", True, "Recording"), " takes them as they are, as OpenSim does")
    findings.append(Diagnostic("note", "followers", origin, text, cure))
    return moved


def _seems_in_degrees(inertial: InertialModel, i: int, values: Array, wanted: Array) -> bool:
    """Return whether an angle's recorded values, read as degrees, agree with the wanted values [rad]."""
    angle = not inertial.coordinates.translational[i] and np.abs(wanted).max() > 2 * ANGLE
    return bool(angle and np.allclose(np.radians(values), wanted, rtol=0, atol=ANGLE))


def _with_fixed(inertial: InertialModel, times: Array, q: Array) -> Array:
    """Return poses (rows, nu), with locked and prescribed coordinates set to their required values."""
    q, state = q.copy(), inertial.initial_state()
    defaults, owned = inertial.coordinates.values(state), inertial.model.getCoordinateSet()
    for i, name in enumerate(inertial.coordinate_names):
        coordinate = owned.get(name)
        if coordinate.isPrescribed(state):
            function = coordinate.getPrescribedFunction()
            q[:, i] = [function.calcValue(osim.Vector(1, time)) for time in times.tolist()]
        elif coordinate.getLocked(state):
            q[:, i] = defaults[i]
    return q


def _broken_coordinate(inertial: InertialModel, i: int, motion: Motion, wanted: Array, how: str) -> Iterator[_Broken]:
    values, translates = motion.q[:, i], inertial.coordinates.translational[i]
    tolerated, unit = (LENGTH, "m") if translates else (ANGLE, "rad")
    row = int(np.argmax(np.abs(values - wanted)))
    excess = float(abs(values[row] - wanted[row])) / tolerated
    if excess > 1:
        hint = ""
        if _seems_in_degrees(inertial, i, values, wanted):
            hint = " (it seems to be in degrees; of coordinates that follow others OpenSim converts none)"
        what = f"coordinate '{inertial.coordinate_names[i]}' is {values[row]:.4g} {unit}"
        yield excess, f"{what} where {how} {wanted[row]:.4g}{hint}, {_when(motion, row)}"


def _broken_other(inertial: InertialModel, constraint: osim.Constraint, motion: Motion) -> Iterator[_Broken]:
    """Yield (error / tolerance, text) if the motion violates ``constraint`` while all other constraints are off."""
    state, errors = inertial.initial_state(), []
    for coordinate in inertial.model.getCoordinateSet():
        coordinate.setLocked(state, False)
        coordinate.setIsPrescribed(state, False)
    for other in inertial.dynamics.binding.constraints:
        other.setIsEnforced(state, other.getAbsolutePathString() == constraint.getAbsolutePathString())
    for time, pose in zip(motion.times.tolist(), motion.q, strict=True):
        state.setTime(time)
        inertial.coordinates.set_values(state, pose)
        inertial.model.realizePosition(state)
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


def _when(motion: Motion, row: int) -> str:
    return f"at time {motion.times[row]:.6g} s (row {row + 1} of {len(motion)})"


def motion_states(inertial: InertialModel, motion: Motion) -> Iterator[osim.State]:
    """Yield one state, updated in place, at each time of a motion."""
    state = inertial.initial_state()
    for row in range(len(motion)):
        state.setTime(float(motion.times[row]))
        inertial.coordinates.set_values(state, motion.q[row])
        state.setU(osim.Vector.createFromMat(motion.u[row]))
        yield state

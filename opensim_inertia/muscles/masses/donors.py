"""The donor segment: which segment gives up the mass of a muscle, namely the one along which its belly lies.

Most of a muscle's mass sits in its belly, so the segment whose published mass contains it is the one that the belly
lies along, which need not be the one that the muscle moves: the calf's bellies belong to the tibia, not to the foot.
:func:`default_donors` answers that from the model's own geometry; a mass table may say otherwise for any muscle.

The rule. The muscle's architecture (:mod:`~opensim_inertia.muscles.masses.architecture`, the same as the mass map's)
says how much of its slack length ``l_s`` is free tendon at either end, ``t_p`` and ``t_d``, and how much is
aponeurosis, ``a``. On OpenSim's current path of length ``L`` at the reference pose the fibres are ``F = L - l_s`` long,
and the middle of the belly is at arc length ``s = t_p + (a + F) / 2``. The candidates are the bodies on the kinematic
chain that joins the bodies of the path's two ends, less ground and less small bones (:data:`SMALLEST_DONOR` of the
model's mass; patella, talus and toes fall out here). Each candidate is represented by lines from its parent joint to
its child joints; the line nearest to the middle of the belly decides, and between equals (1 mm) the heavier body.
Beyond the end of a chain of bones, above the hip say, all lines that meet at the joint are equally near.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.errors import FileFormatError, ModelError, OptionError, UnknownNameError, UnsupportedPathError
from ..._core.opensim import osim
from ...files import read_motion_table
from ...opensim_model.reading import (
    CoordinateTable,
    coordinate_of_path,
    defined_points,
    follow_couplers,
    initialise,
    model_muscles,
    path_line,
    read_coordinates,
)
from .architecture import MuscleArchitecture, default_architecture

__all__ = [
    "SMALLEST_DONOR",
    "Reference",
    "Skeleton",
    "belly_midpoint",
    "default_donor",
    "default_donors",
    "reference_pose",
]

Reference: TypeAlias = osim.State | Mapping[str, float] | ArrayLike | str | os.PathLike[str] | None
"""What may stand for a reference pose, see :func:`reference_pose`."""

SMALLEST_DONOR = 0.005
"""Bodies lighter than this fraction of the model's mass are not donors by default: patella, talus, toes."""

_TIE = 1e-3
"""Distances [m] that differ by less are equal. Both sides of a joint are equally near to what lies beyond it, and all
but equally near to what lies level with it: of the middle part of gluteus maximus, which is level with the hip
within 6 mm in the public gait models, the donor should not depend on the millimetre."""


@dataclass(frozen=True)
class Skeleton:
    """A model's bodies at one pose, as far as the choice of a donor needs them.

    Attributes:
        mass: mass of each body [kg].
        parent: the body that each body's joint hangs on; absent for bodies without a joint. May be ``"ground"``.
        lines: straight lines by body, in ground [m], (n, 2, 3): from its parent joint's centre to each child
            joint's centre; for the last body of a chain to its centre of mass and as far again.
    """

    mass: dict[str, float]
    parent: dict[str, str]
    lines: dict[str, Array]

    @classmethod
    def of(cls, model: Any, state: Any) -> Skeleton:
        """Return the skeleton of ``model`` (an ``osim.Model``) at ``state``, which is realized to position here.

        Raises:
            ModelError: a body's place is not finite.
        """
        model.realizePosition(state)
        mass: dict[str, float] = {}
        ends: dict[str, Array] = {}
        bodies = model.getBodySet()
        for i in range(bodies.getSize()):
            body = bodies.get(i)
            mass[body.getName()] = float(body.getMass())
            ends[body.getName()] = _vector(body.findStationLocationInGround(state, body.getMassCenter()))
            if not np.isfinite(ends[body.getName()]).all():
                raise ModelError(
                    f"model '{model.getName()}': the place of body '{body.getName()}' is not finite at the reference "
                    "pose; check its centre of mass, its joint and the joint's functions"
                )
        parent: dict[str, str] = {}
        start: dict[str, Array] = {}
        children: dict[str, list[Array]] = {name: [] for name in mass}
        joints = model.getJointSet()
        for i in range(joints.getSize()):
            joint = joints.get(i)
            parent_name = joint.getParentFrame().findBaseFrame().getName()
            child_name = joint.getChildFrame().findBaseFrame().getName()
            if child_name not in mass or child_name in parent:  # a second joint to the same body closes a loop
                continue
            parent[child_name] = parent_name
            start[child_name] = _vector(joint.getChildFrame().getPositionInGround(state))
            if parent_name in children:
                children[parent_name].append(start[child_name])
        lines = {}
        for name in mass:
            centre = ends[name]
            origin = start.get(name, centre)
            ends_of_lines = children[name] or [2 * centre - origin]
            lines[name] = np.array([[origin, end] for end in ends_of_lines])
        return cls(mass, parent, lines)

    def chain(self, first: str, last: str) -> list[str]:
        """Return the bodies on the way from ``first`` to ``last`` through the tree, both included, ground excluded."""
        from_first, from_last = self.ancestors(first), self.ancestors(last)
        common = next((name for name in from_first if name in from_last), None)
        if common is None:
            return list(dict.fromkeys(n for n in from_first + from_last if n in self.mass))
        bodies = from_first[: from_first.index(common) + 1] + from_last[: from_last.index(common)][::-1]
        return [name for name in bodies if name in self.mass]

    def distance(self, body: str, point: Array) -> float:
        """Return the distance [m] of ``point`` (3,) in ground from the nearest line of ``body``."""
        a, b = self.lines[body][:, 0], self.lines[body][:, 1]
        along = b - a
        squared = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        t = np.clip(np.einsum("ij,ij->i", point - a, along) / squared, 0.0, 1.0)
        return float(np.min(np.linalg.norm(a + t[:, None] * along - point, axis=1)))

    def ancestors(self, name: str) -> list[str]:
        """Return a body, the one its joint hangs on, and so on to the root."""
        names = [name]
        while name in self.parent and self.parent[name] not in names:
            name = self.parent[name]
            names.append(name)
        return names


def default_donors(
    model: Any,
    state: Any,
    muscles: Iterable[str] | None = None,
    architectures: Mapping[str, MuscleArchitecture] | None = None,
    without: dict[str, str] | None = None,
) -> dict[str, str]:
    """Return the name of the donor segment of each muscle; the rule is at the top of this module.

    Args:
        model: ``osim.Model`` whose system exists; not modified.
        state: its state at the pose where the bellies are looked at (:func:`reference_pose`).
        muscles: names of muscles; all of the model's if omitted.
        architectures: where the bellies lie, by muscle; the default of those that are not in it.
        without: where given, muscles for which there is no donor are put here, with the reason, instead of an error.

    Raises:
        UnknownNameError: the model has no such muscle.
        UnsupportedPathError: a muscle's path has no points (``FunctionBasedPath``, for example).
        MassError: a muscle's slack length, optimal fibre length or pennation is none that a muscle can have.
        ModelError: no body on the way from origin to insertion is heavy enough to be the donor.
    """
    skeleton = Skeleton.of(model, state)
    model_by_name = model_muscles(model)
    names = list(model_by_name)
    requested = names if muscles is None else list(muscles)
    known_architectures = architectures or {}
    bellies = {
        **default_architecture(model, [name for name in requested if name not in known_architectures]),
        **known_architectures,
    }
    donors = {}
    for name in requested:
        if name not in names:
            raise UnknownNameError("muscle", name, names, f"model '{model.getName()}'")
        try:
            donors[name] = _donor(skeleton, state, model_by_name[name], bellies[name])
        except _NoDonor as error:
            if without is None:
                raise
            without[name] = str(error)
    return donors


class _NoDonor(ModelError):
    """No body is heavy enough to give up a muscle's mass."""


def default_donor(model: Any, state: Any, muscle: str, architecture: MuscleArchitecture | None = None) -> str:
    """Return the name of the donor segment of one muscle; see :func:`default_donors`, which is faster for several."""
    return default_donors(model, state, [muscle], {} if architecture is None else {muscle: architecture})[muscle]


def reference_pose(model: Any, reference: Reference = None) -> tuple[Any, Any]:
    """Return a copy of ``model`` and its state at a reference pose; ``model`` and its states stay as they are.

    Keep both: a state that outlives its model is not safe to use.

    Args:
        model: ``osim.Model``.
        reference: one of

            * ``None``: the default pose;
            * a dict ``{coordinate: value}`` in rad or m; other coordinates keep their defaults;
            * an array (nu,) of all coordinates in rad or m, in the order of the model's speeds
              (``InertialModel.coordinates.names``);
            * the path of a motion file of a static trial (``.mot`` or ``.sto``): the mean of its rows. Columns that are
              no coordinates of the model are left out, as in inverse dynamics;
            * an ``osim.State`` of a model with the same coordinates, which must still exist: its coordinate values.

            Locked coordinates take the values given. Coordinates that an enforced coupler ties to others follow them;
            other constraints are not enforced.

    Raises:
        UnknownNameError: the model has no such coordinate, or none of the file's columns is one.
        OptionError: a value is not a finite number, or there are too many or too few of them.
        FileFormatError: the file is missing or malformed, or a coordinate in it is not a number.
        ModelError: the model cannot be initialised.
    """
    copy = osim.Model(model)
    state = initialise(copy)
    if reference is None:
        return copy, state
    table = read_coordinates(copy, state)
    if isinstance(reference, osim.State):
        if reference.getNQ() != state.getNQ():
            raise OptionError(
                "reference",
                f"a state of {reference.getNQ()} generalized coordinates",
                f"one of {state.getNQ()}, as model '{model.getName()}' has",
            )
        state.setQ(reference.getQ())
        return copy, state
    values = _pose(copy, table, table.values(state), reference)
    table.set_values(state, follow_couplers(copy, table, values[None])[0])
    return copy, state


def _pose(model: Any, table: CoordinateTable, default: Array, reference: Any) -> Array:
    """Return coordinate values (nu,) [rad or m] of a reference that is not a state."""
    where = f"model '{model.getName()}'"
    if isinstance(reference, str | os.PathLike):
        reference = _mean_of_rows(reference, model, table)
    if isinstance(reference, Mapping):
        values = default.copy()
        for name, value in reference.items():
            if name not in table.names:
                raise UnknownNameError("coordinate", str(name), table.names, where)
            values[table.index(name)] = _number(value, f"a number in rad or m for coordinate '{name}'")
        return values
    expected = f"one number in rad or m for each of the {len(table.names)} coordinates of {where}"
    try:
        values = np.array(reference, dtype=float)
    except (TypeError, ValueError):
        raise OptionError("reference", reference, expected) from None
    if values.shape != default.shape:
        raise OptionError("reference", f"an array of shape {values.shape}", expected)
    for name, value in zip(table.names, values, strict=True):
        _number(value, f"a number in rad or m for coordinate '{name}'")
    return values


def _number(value: Any, expected: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise OptionError("reference", value, expected)
    return number


def _mean_of_rows(path: str | os.PathLike[str], model: Any, table: CoordinateTable) -> dict[str, float]:
    """Return the mean value [rad or m] of each coordinate in a motion file."""
    motion = read_motion_table(path, model)
    means: dict[str, float] = {}
    for label, column in motion.items():
        name = coordinate_of_path(str(label)) or str(label)
        if name in means:
            raise FileFormatError(path, f"coordinate '{name}' has more than one column")
        if name in table.names:
            means[name] = float(column.mean(skipna=False))
            if not np.isfinite(means[name]):
                raise FileFormatError(path, f"coordinate '{name}' is not a number in every row")
    if not means:
        first_label = str(next(iter(motion), ""))
        raise UnknownNameError("coordinate", first_label, table.names, f"{path}, whose columns are none of the model's")
    return means


def belly_midpoint(muscle: Any, state: Any, architecture: MuscleArchitecture) -> tuple[Array, str, str]:
    """Return the middle of a muscle's belly in ground (3,) [m], and the bodies of its path's origin and insertion.

    Arcs on wrap objects count as chords. ``state`` must be realized to position.

    Raises:
        UnsupportedPathError: the path has no points.
    """
    try:
        points, active_points = path_line(muscle, state), [p for p in defined_points(muscle) if p.isActive(state)]
    except UnsupportedPathError as error:
        problem = "has no points to find the belly on; say in the mass table which segment is its donor"
        raise UnsupportedPathError(muscle.getName(), error.element, problem) from None
    if len(points) < 2:
        raise ModelError(f"muscle '{muscle.getName()}' has a path of fewer than two points")
    origin, insertion = (active_points[end].getParentFrame().findBaseFrame().getName() for end in (0, -1))
    return _along(points, architecture), origin, insertion


def _donor(skeleton: Skeleton, state: Any, muscle: Any, architecture: MuscleArchitecture) -> str:
    middle, origin, insertion = belly_midpoint(muscle, state, architecture)
    least = SMALLEST_DONOR * sum(skeleton.mass.values())
    candidates = [b for b in skeleton.chain(origin, insertion) if skeleton.mass[b] > 0 and skeleton.mass[b] >= least]
    if not candidates:
        raise _NoDonor(
            f"muscle '{muscle.getName()}': no body between its origin ('{origin}') and its insertion ('{insertion}') "
            "is heavy enough to give up its mass; say in the mass table which segment is its donor"
        )
    distance = {body: skeleton.distance(body, middle) for body in candidates}
    nearest = min(distance.values())
    return max((b for b in candidates if distance[b] <= nearest + _TIE), key=lambda b: skeleton.mass[b])


def _along(points: Array, architecture: MuscleArchitecture) -> Array:
    """Return the point of the polyline ``points`` (n, 3) at the belly's middle."""
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    length = at[-1]
    fibre = length - architecture.slack_length
    s = np.clip(architecture.free_tendon_proximal + 0.5 * (architecture.aponeurosis + fibre), 0.0, length)
    return np.array([np.interp(s, at, points[:, axis]) for axis in range(3)])


def _vector(v: Any) -> Array:
    return np.array([v.get(0), v.get(1), v.get(2)])

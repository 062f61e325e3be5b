"""The donor segments: which segments give up the mass of a muscle, namely those in which its belly lies.

A published segment holds the parts of muscles that lie in it. So each stretch of a belly is given up by the segment
in which it lies at the reference pose, which need not be one that the muscle moves: the calf's bellies belong to the
tibia, not to the foot. :func:`default_donors` answers that from the model's own geometry; a mass table may say
otherwise for any muscle.

The rule. Between two points of a path, on bodies A and B, the path crosses the joints on the kinematic chain from A to
B; it lies in A up to the place that is nearest to the first joint's centre, then in the next body of the chain, and so
on to B. Bodies too light to hold muscle (below :data:`SMALLEST_DONOR` of the model's mass: patella, talus, toes, ribs
without mass) pass on to their parent, and where ground follows, to the next body of the chain. The muscle's
architecture (:mod:`~opensim_inertia.muscles.masses.architecture`, the same as the mass map's) says where on OpenSim's
current path the belly lies and how its mass is spread: from the end of the proximal free tendon on, over the length of
aponeurosis and fibres, as a trapezoid. Stretches of less than :data:`SMALLEST_SHARE` of the mass join the longer one
beside them: nobody knows bellies to that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.errors import FileFormatError, ModelError, OptionError, UnknownNameError, UnsupportedPathError
from ..._core.opensim import osim
from ...files import read_motion_table
from ...opensim_model.reading import (
    CoordinateTable,
    InitialisedModel,
    coordinate_of_path,
    defined_points,
    follow_couplers,
    initialise,
    model_muscles,
    path_line,
    read_coordinates,
)
from .architecture import MuscleArchitecture, default_architecture
from .stretches import stretches_text

__all__ = [
    "SMALLEST_DONOR",
    "Reference",
    "Skeleton",
    "default_donor",
    "default_donors",
    "reference_pose",
]

Reference: TypeAlias = osim.State | Mapping[str, float] | ArrayLike | str | os.PathLike[str] | None
"""What may stand for a reference pose, see :func:`reference_pose`."""

SMALLEST_DONOR = 0.005
"""Bodies lighter than this fraction of the model's mass are not donors by default: patella, talus, toes."""

SMALLEST_SHARE = 0.05
"""Share of a muscle's mass below which no segment of its own gives it up."""


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

    def chain(self, first: str, last: str) -> tuple[list[str], list[str]]:
        """Return the bodies on the way from ``first`` to ``last`` through the tree, both included.

        Returns:
            the bodies, ground among them where the way leads over it; and the bodies whose parent joints lie between
            each and the next. Between two trees there is no joint, and the second list is shorter.
        """
        from_first, from_last = self.ancestors(first), self.ancestors(last)
        common = next((name for name in from_first if name in from_last), None)
        if common is None:
            return [first, last], []
        up, down = from_first[: from_first.index(common)], from_last[: from_last.index(common)][::-1]
        return [*up, common, *down], [*up, *down]

    def joint_centre(self, body: str) -> Array:
        """Return the centre (3,) of a body's parent joint in ground [m]."""
        return np.asarray(self.lines[body][0, 0])

    def holder(self, body: str, least: float) -> str | None:
        """Return the nearest of a body and those it hangs on that weighs at least ``least`` [kg], if there is one."""
        return next((name for name in self.ancestors(body) if self.mass.get(name, 0.0) >= least), None)

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
    smallest: float = SMALLEST_DONOR,
) -> dict[str, str]:
    """Return the donor segments of each muscle as a mass table writes them; the rule is at the top of this module.

    Args:
        model: ``osim.Model`` whose system exists; not modified.
        state: its state at the pose where the bellies are looked at (:func:`reference_pose`).
        muscles: names of muscles; all of the model's if omitted.
        architectures: where the bellies lie, by muscle; the default of those that are not in it.
        without: where given, muscles for which there is no donor are put here, with the reason, instead of an error.
        smallest: share of the model's mass below which bodies pass on.

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
            donors[name] = _donor(skeleton, state, model_by_name[name], bellies[name], smallest)
        except _NoDonor as error:
            if without is None:
                raise
            without[name] = str(error)
    return donors


class _NoDonor(ModelError):
    """No body is heavy enough to give up a muscle's mass."""


def default_donor(model: Any, state: Any, muscle: str, architecture: MuscleArchitecture | None = None) -> str:
    """Return the donor segments of one muscle; see :func:`default_donors`, which is faster for several."""
    return default_donors(model, state, [muscle], {} if architecture is None else {muscle: architecture})[muscle]


def reference_pose(model: Any, reference: Reference = None) -> tuple[Any, Any]:
    """Return a copy of ``model`` and its state at a reference pose; ``model`` and its states stay as they are.

    Keep both: a state that outlives its model is not safe to use.

    Args:
        model: ``osim.Model``; of an initialised one that is handed on, that one is returned and no copy.
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
    if not isinstance(model, InitialisedModel):
        copy = osim.Model(model)
        initialise(copy)
        model = InitialisedModel(copy)
    copy, state = model.model, model.state()
    if reference is None:
        return copy, state
    table = read_coordinates(copy, state)
    if isinstance(reference, osim.State):
        if reference.getNQ() != state.getNQ():
            raise OptionError(
                "reference",
                f"a state of {reference.getNQ()} generalized coordinates",
                f"one of {state.getNQ()}, as model '{copy.getName()}' has",
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


def _donor(skeleton: Skeleton, state: Any, muscle: Any, architecture: MuscleArchitecture, smallest: float) -> str:
    """Return the donor segments of a muscle as its cell of a mass table; ``state`` is realized to position."""
    try:
        points, defined = path_line(muscle, state), [p for p in defined_points(muscle) if p.isActive(state)]
    except UnsupportedPathError as error:
        problem = "has no points to find the belly on; say in the mass table which segment is its donor"
        raise UnsupportedPathError(muscle.getName(), error.element, problem) from None
    if len(points) < 2:
        raise ModelError(f"muscle '{muscle.getName()}' has a path of fewer than two points")
    least = max(smallest * sum(skeleton.mass.values()), np.finfo(float).tiny)
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    before = _share_before(at[-1], architecture)
    shares: list[tuple[str, float]] = []
    for end, body in _lain_in(skeleton, points, at, _points_on_bodies(defined, points, state), least):
        share = before(end) - sum(share for _, share in shares)
        if shares and shares[-1][0] == body:
            shares[-1] = body, shares[-1][1] + share
        elif share > 0.0:
            shares.append((body, share))
    if not shares:
        ends = [point.getParentFrame().findBaseFrame().getName() for point in (defined[0], defined[-1])]
        raise _NoDonor(
            f"muscle '{muscle.getName()}': no body between its origin ('{ends[0]}') and its insertion ('{ends[1]}') "
            "is heavy enough to give up its mass; say in the mass table which segment is its donor"
        )
    return stretches_text(_without_small(shares))


def _points_on_bodies(defined: Sequence[Any], points: Array, state: Any) -> list[tuple[int, str]]:
    """Return the numbers of a polyline's points (n, 3) that are the path's own, and the bodies that these are on."""
    numbers, first = [], 0
    for point in defined:
        place = _vector(point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)))
        first += int(np.argmin(np.linalg.norm(points[first:] - place, axis=1)))
        numbers.append((first, point.getParentFrame().findBaseFrame().getName()))
    return [(0, numbers[0][1]), *numbers[1:-1], (len(points) - 1, numbers[-1][1])]


def _lain_in(
    skeleton: Skeleton, points: Array, at: Array, own: Sequence[tuple[int, str]], least: float
) -> list[tuple[float, str]]:
    """Return where on a polyline (n, 3) each stretch ends [m], and the body in which it lies.

    Args:
        skeleton: the bodies.
        points, at: of the polyline, and how far along it they are [m].
        own: numbers of the path's own points, and their bodies.
        least: mass below which a body passes on [kg].
    """
    ends: list[tuple[float, str | None]] = []
    for (i, first), (j, last) in pairwise(own):
        bodies, joints = skeleton.chain(first, last)
        crossings = [_nearest(points[i : j + 1], at[i : j + 1], skeleton.joint_centre(joint)) for joint in joints]
        if not joints and len(bodies) > 1:
            crossings = [0.5 * (at[i] + at[j])]
        lower = at[i]
        for body, crossing in zip(bodies, [*crossings, at[j]], strict=True):
            lower = max(lower, min(crossing, at[j]))
            ends.append((lower, skeleton.holder(body, least)))
    known = [body for _, body in ends if body is not None]
    following: str | None = None
    for k in range(len(ends) - 1, -1, -1):  # what hangs on ground belongs to the next body of the chain
        following = ends[k][1] or following
        ends[k] = ends[k][0], following
    return [(end, body or known[-1]) for end, body in ends if known]


def _nearest(points: Array, at: Array, centre: Array) -> float:
    """Return how far along a polyline (n, 3), whose points are ``at`` (n,) [m], its place nearest to a point is [m]."""
    along = np.diff(points, axis=0)
    squared = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
    t = np.clip(np.einsum("ij,ij->i", centre - points[:-1], along) / squared, 0.0, 1.0)
    k = int(np.argmin(np.linalg.norm(points[:-1] + t[:, None] * along - centre, axis=1)))
    return float(at[k] + t[k] * (at[k + 1] - at[k]))


def _share_before(length: float, architecture: MuscleArchitecture) -> Callable[[float], float]:
    """Return the share of the mass that lies before a distance [m] from the origin on a path of a length [m].

    It is the integral of the trapezoid that even material between aponeuroses makes along the path.
    """
    fibre = max(length - architecture.slack_length, 0.0)
    p, b = sorted((architecture.aponeurosis, fibre))

    def share(distance: float) -> float:
        c = distance - architecture.free_tendon_proximal
        if distance >= length or c >= p + b:
            return 1.0
        if c <= 0.0:
            return 0.0
        if c < p:
            return c * c / (2 * p * b)
        return 1.0 - (p + b - c) ** 2 / (2 * p * b) if c > b else (c - 0.5 * p) / b

    return share


def _without_small(shares: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return shares by segment in which those below :data:`SMALLEST_SHARE` have joined the larger one beside them."""
    shares = list(shares)
    while len(shares) > 1:
        k = min(range(len(shares)), key=lambda i: shares[i][1])
        if shares[k][1] >= SMALLEST_SHARE:
            break
        beside = max((i for i in (k - 1, k + 1) if 0 <= i < len(shares)), key=lambda i: shares[i][1])
        shares[beside] = shares[beside][0], shares[beside][1] + shares[k][1]
        del shares[k]
        shares = [(name, sum(share for _, share in group)) for name, group in groupby(shares, key=lambda pair: pair[0])]
    return shares


def _vector(v: Any) -> Array:
    return np.array([v.get(0), v.get(1), v.get(2)])

"""Coordinates in the order of the speeds, coordinate couplers, and random poses."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim
from .functions import values_at

#: Shares of the ranges, and largest values, of the poses used to classify coordinates.
SHARES, MOST_MOVED = (0.31, 0.73), 3.0
#: Body velocities [rad/s, m/s] at unit speed that count as zero.
NO_MOTION = 1e-9
#: Tolerance of ranges [rad or m].
BEYOND = 1e-6
#: Left and right in names of bodies, muscles and coordinates: ``femur_r``, ``l_knee``, ``arm_right``.
_SIDE = re.compile(r"(?:^|(?<=[_.-]))(r|l|right|left)(?=[_.-]|$)", re.IGNORECASE)
_LEFT = {"r": "l", "R": "L", "right": "left", "Right": "Left", "RIGHT": "LEFT"}


@dataclass(frozen=True, eq=False)
class CoordinateTable:
    """Coordinates in Simbody's mobility order, which differs from CoordinateSet order.

    A coordinate that rotates and translates a body, such as a rolling knee, is rotational.
    """

    names: tuple[str, ...]  # one per speed
    rotational: tuple[bool, ...]  # whether it rotates a body (moment [N m])
    translational: tuple[bool, ...]  # whether it only translates a body (force [N])
    called_moments: tuple[bool, ...]  # whether OpenSim writes ``<coordinate>_moment`` instead of ``_force``
    defaults: Array  # default values (nu,) [rad or m]
    ranges: Array  # (nu, 2) [rad or m]
    slots: NDArray[np.intp]  # (nu,), index of each value in the state's generalized coordinates
    nq: int  # number of generalized coordinates; ball and free joints have an unused one

    def values(self, state: osim.State) -> Array:
        """Return the coordinates' values (nu,) [rad or m]."""
        return np.asarray(state.getQ().to_numpy()[self.slots])

    def set_values(self, state: osim.State, values: Array) -> None:
        """Set the coordinates' values (nu,) [rad or m] in a state, ignoring locks and constraints."""
        q = np.zeros(self.nq)
        q[self.slots] = values
        state.setQ(osim.Vector.createFromMat(q))

    def misplaced(self, name: str, value: float) -> tuple[bool, str]:
        """Return whether a coordinate's value is impossible, and a message, empty for a value within the range."""
        i = self.index(name)
        low, high = self.ranges[i].tolist()
        if low - BEYOND <= value <= high + BEYOND or not low < high:
            return False, ""
        unit = "rad" if self.rotational[i] else "m"
        text = f"beyond the range of this coordinate, {low:.4g} to {high:.4g} {unit}"
        radians = math.radians(value)
        is_impossible = self.rotational[i] and not 2 * low - high <= value <= 2 * high - low
        if is_impossible and low - BEYOND <= radians <= high + BEYOND:
            text += f"; degrees? {value:g} degrees are {radians:.4g} rad"
        return is_impossible, text

    def index(self, name: str) -> int:
        """Return the index of a coordinate."""
        return self.names.index(name)


def coordinate_of_path(path: str, names: Collection[str]) -> str | None:
    """Return the coordinate name in a state path ``.../value``, or None for other paths."""
    parts = path.split("/")
    if len(parts) <= 2 or parts[-1] != "value":
        return None
    joined = "_".join(parts[-3:-1])
    return joined if joined in names else parts[-2]


def read_coordinates(model: osim.Model, state: osim.State) -> CoordinateTable:
    """Return the coordinates of an initialised model."""
    coordinates = list(model.getCoordinateSet())
    coordinates.sort(key=lambda c: (int(c.getBodyIndex()), int(c.getMobilizerQIndex())))
    if len(coordinates) != state.getNU():
        raise ModelError(
            f"model '{model.getName()}' has {len(coordinates)} coordinates but {state.getNU()} speeds; one per "
            "coordinate is expected"
        )
    for name, count in Counter(c.getName() for c in coordinates).items():
        if count > 1:
            raise ModelError(
                f"model '{model.getName()}' has {count} coordinates named '{name}', which motions and results cannot "
                "tell apart; give each coordinate a name of its own"
            )
    trial_state = osim.State(state)
    trial_state.setQ(osim.Vector.createFromMat(np.arange(float(state.getNQ()))))
    defaults = np.array([c.getDefaultValue() for c in coordinates], dtype=float).reshape(-1)
    ranges = np.array([(c.getRangeMin(), c.getRangeMax()) for c in coordinates], dtype=float).reshape(-1, 2)
    slots = np.array([c.getValue(trial_state) for c in coordinates]).round().astype(np.intp)
    trial_state.setQ(state.getQ())
    # system Jacobians at several poses show rotations and pure translations
    places = np.array([int(c.getBodyIndex()) for c in coordinates], dtype=int)
    angular, linear, matrix = np.zeros(len(coordinates)), np.zeros(len(coordinates)), osim.Matrix()
    low, high = np.clip(np.nan_to_num(ranges), -MOST_MOVED, MOST_MOVED).T
    for share in (None, *SHARES) if coordinates else ():
        if share is not None:
            q = trial_state.getQ().to_numpy().copy()
            q[slots] = low + share * (high - low)
            trial_state.setQ(osim.Vector.createFromMat(q))
        model.realizePosition(trial_state)
        model.getMatterSubsystem().calcSystemJacobian(trial_state, matrix)
        columns = matrix.to_numpy().reshape(-1, 6, len(coordinates))[places, :, np.arange(len(coordinates))]
        np.maximum(angular, np.abs(columns[:, :3]).max(axis=1), out=angular)
        np.maximum(linear, np.abs(columns[:, 3:]).max(axis=1), out=linear)
    rotates, translates = angular > NO_MOTION, linear > NO_MOTION
    types, is_still = np.array([c.getMotionType() for c in coordinates], dtype=int), ~rotates & ~translates
    called_moments = types == osim.Coordinate.Rotational
    rotational = rotates | (is_still & called_moments)
    translational = (translates & ~rotates) | (is_still & (types == osim.Coordinate.Translational))
    turns, shifts, called = (tuple(each.tolist()) for each in (rotational, translational, called_moments))
    names = tuple(c.getName() for c in coordinates)
    return CoordinateTable(names, turns, shifts, called, defaults, ranges, slots, state.getNQ())


def base_coordinates(model: osim.Model, coordinates: CoordinateTable) -> tuple[bool, ...]:
    """Return, by coordinate (nu,), whether its joint is at ground, translates and has three or more coordinates."""
    base = set()
    for joint in model.getJointSet():
        names = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        moves = any(coordinates.translational[coordinates.index(name)] for name in names)
        ends = {frame.findBaseFrame().getName() for frame in (joint.getParentFrame(), joint.getChildFrame())}
        if "ground" in ends and len(names) >= 3 and moves:
            base.update(names)
    return tuple(name in base for name in coordinates.names)


#: Ranges are cut at this distance from the default [rad or m]; wider ranges are placeholders.
WIDEST = 3.2


def random_poses(
    model: osim.Model, coordinates: CoordinateTable, count: int, seed: int = 0, margin: float = 0.0, ends: bool = False
) -> Array:
    """Draw poses (count, nu) [rad or m] within the coordinates' ranges, or at ends of the ranges if ``ends``."""
    draw, shape = np.random.default_rng(seed), (count, len(coordinates.names))
    shares = draw.integers(0, 2, shape).astype(float) if ends else draw.uniform(margin, 1 - margin, shape)
    low = np.maximum(coordinates.ranges[:, 0], coordinates.defaults - WIDEST)
    high = np.minimum(coordinates.ranges[:, 1], coordinates.defaults + WIDEST)
    q = low + (high - low) * shares
    locked = [model.getCoordinateSet().get(name).get_locked() for name in coordinates.names]
    q[:, locked] = coordinates.defaults[locked]
    return follow_couplers(model, coordinates, q)


@dataclass(frozen=True, eq=False)
class Coupling:
    """A coupling of two coordinates (indices); ``slopes`` (T,): d(dependent) / d(independent) at T poses."""

    dependent: int
    independent: int
    slopes: Array


def couplings(model: osim.Model, coordinates: CoordinateTable, q: Array) -> tuple[Coupling, ...]:
    """Return coordinate pairs of all enforced coordinate couplers, with slopes at poses q (T, nu) [rad or m]."""
    slopes: dict[int, dict[int, Array]] = {}
    for dependent, columns, function, scale in _couplers(model, coordinates):
        for i, column in enumerate(columns):
            slopes.setdefault(dependent, {})[column] = scale * values_at(function, q[:, columns], by=i)
    for _ in range(len(slopes)):  # the longest possible chain
        for row in slopes.values():
            for chained in [column for column in row if column in slopes]:
                slope = row.pop(chained)
                for column, chained_slope in slopes[chained].items():
                    row[column] = row.get(column, 0.0) + slope * chained_slope
    return tuple(Coupling(d, column, slope) for d, row in slopes.items() for column, slope in row.items())


def dependent_coordinates(model: osim.Model, coordinates: CoordinateTable) -> set[int]:
    """Return the indices of coupled coordinates."""
    return {dependent for dependent, *_ in _couplers(model, coordinates)}


def follow_couplers(model: osim.Model, coordinates: CoordinateTable, q: Array) -> Array:
    """Return poses q (n, nu) [rad or m] with coupled coordinates computed from the independent ones."""
    q = np.array(q, dtype=float)
    for dependent, columns, function, scale in _couplers(model, coordinates):
        q[:, dependent] = scale * values_at(function, q[:, columns])
    return q


def _couplers(model: osim.Model, coordinates: CoordinateTable) -> Iterator[tuple[int, list[int], Any, float]]:
    """Yield each enforced coupler: coupled coordinate, independent coordinates (indices), function and scale factor."""
    for coupler in map(osim.CoordinateCouplerConstraint.safeDownCast, model.getConstraintSet()):
        if coupler is None or not coupler.get_isEnforced():
            continue
        names = coupler.getIndependentCoordinateNames()
        columns = [coordinates.index(names.get(k)) for k in range(names.getSize())]
        scale = osim.PropertyHelper.getValueDouble(coupler.getPropertyByName("scale_factor"))
        yield coordinates.index(coupler.getDependentCoordinateName()), columns, coupler.getFunction(), scale


def stem_and_side(name: str) -> tuple[str, str]:
    """Return a name without the marker of left or right, and the side: "r", "l" or empty."""
    matches = list(_SIDE.finditer(name))
    if not matches:
        return name, ""
    start, end = matches[-1].span()
    return (name[:start] + name[end:]).strip("_.-"), matches[-1][0][0].lower()


def other_side(name: str, names: Iterable[str]) -> str | None:
    """Return the left-side name in ``names`` for a right-side name (``femur_l`` for ``femur_r``); None if absent."""
    name_set = set(names)
    for match in reversed(list(_SIDE.finditer(name))):
        left = name[: match.start()] + _LEFT.get(match[0], "") + name[match.end() :]
        if match[0] in _LEFT and left in name_set:
            return left
    return None

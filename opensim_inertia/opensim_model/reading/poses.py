"""Poses: random ones within the coordinates' ranges, and coordinates that follow others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from .coordinates import CoordinateTable

#: Ranges wider than this [rad or m] each way of the default are cut to it: they say that nothing is known.
WIDEST = 3.2


def random_poses(
    model: osim.Model, coordinates: CoordinateTable, count: int, seed: int = 0, margin: float = 0.0
) -> Array:
    """Draw coordinate values (count, nu) [rad or m], uniform over the ranges less a share ``margin`` at each end.

    Locked coordinates stay at their defaults; coupled ones follow their couplers.
    """
    shares = np.random.default_rng(seed).uniform(margin, 1 - margin, (count, len(coordinates.names)))
    return _within_ranges(model, coordinates, shares)


def corner_poses(model: osim.Model, coordinates: CoordinateTable, count: int, seed: int = 0) -> Array:
    """Draw coordinate values (count, nu) [rad or m], each at one of the ends of its range.

    Locked coordinates stay at their defaults; coupled ones follow their couplers.
    """
    shares = np.random.default_rng(seed).integers(0, 2, (count, len(coordinates.names)))
    return _within_ranges(model, coordinates, shares.astype(float))


def _within_ranges(model: osim.Model, coordinates: CoordinateTable, shares: Array) -> Array:
    low = np.maximum(coordinates.ranges[:, 0], coordinates.defaults - WIDEST)
    high = np.minimum(coordinates.ranges[:, 1], coordinates.defaults + WIDEST)
    q = low + (high - low) * shares
    locked = [model.getCoordinateSet().get(name).get_locked() for name in coordinates.names]
    q[:, locked] = coordinates.defaults[locked]
    return follow_couplers(model, coordinates, q)


@dataclass(frozen=True)
class Coupling:
    """One coordinate that follows another by a coupler, over T poses.

    Attributes:
        dependent, independent: places on the axis of speeds.
        slopes: derivatives of the one with respect to the other, (T,).
    """

    dependent: int
    independent: int
    slopes: Array


def couplings(model: osim.Model, coordinates: CoordinateTable, q: Array) -> tuple[Coupling, ...]:
    """Return the couplings that the model's enforced couplers make at poses q (T, nu) [rad or m].

    No ``independent`` coordinate follows another one: where couplers make a chain, its slopes are multiplied.
    """
    slopes: dict[int, dict[int, Array]] = {}
    for dependent, columns, function, scale in _couplers(model, coordinates):
        values = [osim.Vector.createFromMat(np.ascontiguousarray(pose[columns])) for pose in q]
        for i, column in enumerate(columns):
            order = osim.StdVectorInt([i])
            slope = np.array([scale * function.calcDerivative(order, value) for value in values])
            slopes.setdefault(dependent, {})[column] = slope
    for _ in range(len(slopes)):  # no chain is longer
        for row in slopes.values():
            for chained in [column for column in row if column in slopes]:
                slope = row.pop(chained)
                for column, chained_slope in slopes[chained].items():
                    row[column] = row.get(column, 0.0) + slope * chained_slope
    return tuple(Coupling(d, column, slope) for d, row in slopes.items() for column, slope in row.items())


def dependent_coordinates(model: osim.Model, coordinates: CoordinateTable) -> set[int]:
    """Return the places of the coordinates that follow others by an enforced coupler."""
    return {dependent for dependent, *_ in _couplers(model, coordinates)}


def follow_couplers(model: osim.Model, coordinates: CoordinateTable, q: Array) -> Array:
    """Return coordinate values (n, nu) [rad or m], those that follow others by an enforced coupler in their place."""
    q = np.array(q, dtype=float)
    for dependent, columns, function, scale in _couplers(model, coordinates):
        for pose in q:
            pose[dependent] = scale * function.calcValue(osim.Vector.createFromMat(pose[columns]))
    return q


def _couplers(model: osim.Model, coordinates: CoordinateTable) -> Iterator[tuple[int, list[int], Any, float]]:
    """Yield the dependent coordinate, those it depends on, function and factor of each enforced coupler."""
    constraints = model.getConstraintSet()
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler is None or not constraints.get(i).get_isEnforced():
            continue
        names = coupler.getIndependentCoordinateNames()
        columns = [coordinates.index(names.get(k)) for k in range(names.getSize())]
        scale = osim.PropertyHelper.getValueDouble(coupler.getPropertyByName("scale_factor"))
        yield coordinates.index(coupler.getDependentCoordinateName()), columns, coupler.getFunction(), scale

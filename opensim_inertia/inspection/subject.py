"""A model made ready for the tests: initialised once, in a copy, with what several tests ask of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from .._core.arrays import Array
from .._core.errors import UnsupportedPathError
from .._core.opensim import osim, quiet
from ..muscles.masses.rigid import RigidMass, body_mass_properties
from ..opensim_model.reading import (
    CoordinateTable,
    InitialisedModel,
    copy_model,
    defined_points,
    initialise,
)

__all__ = ["Subject"]


class PointPlace(NamedTuple):
    """The body of a path point, and its place (3,) [m] in the body's frame; None where the point moves in it."""

    body: str
    station: Array | None


@dataclass(frozen=True, eq=False)
class Subject:
    """An initialised copy of a model, and what tests ask of it.

    Attributes:
        ready: the initialised model.
        name: what findings call it: the file's name, or the model's own.
    """

    ready: InitialisedModel
    name: str

    @classmethod
    def of(cls, model: osim.Model | str | os.PathLike[str]) -> Subject:
        """Return the subject made of a model, which is copied, or of a model's file.

        Raises:
            ModelError: OpenSim cannot read or initialise the model.
        """
        name = model.getName() or "the model" if isinstance(model, osim.Model) else Path(model).name
        with quiet():
            copy = copy_model(model)
            initialise(copy)
        return cls(InitialisedModel(copy), name)

    @property
    def model(self) -> osim.Model:
        """The model."""
        return self.ready.model

    @cached_property
    def state(self) -> osim.State:
        """A state of it at the default pose."""
        return self.ready.state()

    @property
    def coordinates(self) -> CoordinateTable:
        """The coordinates, in the order of the speeds."""
        return self.ready.coordinates

    @cached_property
    def bodies(self) -> dict[str, RigidMass]:
        """The mass properties of all bodies, by name."""
        bodies = self.model.getBodySet()
        names = [bodies.get(i).getName() for i in range(bodies.getSize())]
        return {name: body_mass_properties(self.model, name) for name in names}

    @property
    def muscles(self) -> Mapping[str, osim.Muscle]:
        """The muscles, by name."""
        return self.ready.muscles

    @cached_property
    def parents(self) -> dict[str, tuple[str, int, str]]:
        """By body: the body that its joint joins it to, the number of the joint's coordinates, and the joint."""
        parents = {}
        for joint in self.model.getJointSet():
            parent = joint.getParentFrame().findBaseFrame().getName()
            child = joint.getChildFrame().findBaseFrame().getName()
            parents[child] = parent, int(joint.numCoordinates()), joint.getName()
        return parents

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The bodies that are fixed to ground: their mass properties matter for nothing."""
        fixed = {"ground"}
        for _ in self.parents:
            more = {b for b, (parent, count, _) in self.parents.items() if parent in fixed and not count} - fixed
            if not more:
                break
            fixed |= more
        return frozenset(fixed)

    @cached_property
    def stations(self) -> dict[str, dict[str, Array]]:
        """By body: the places of joints' frames and of fixed path points in its frame, (3,) [m], by what they are."""
        return self._stations(list(self.bodies), self.path_points)

    def stations_on(self, bodies: Collection[str]) -> dict[str, dict[str, Array]]:
        """Return :attr:`stations` of some bodies, which takes less time than those of all."""
        return self._stations(bodies, {name: _point_places(muscle, bodies) for name, muscle in self.muscles.items()})

    def _stations(
        self, bodies: Collection[str], path_points: Mapping[str, Sequence[PointPlace]]
    ) -> dict[str, dict[str, Array]]:
        stations: dict[str, dict[str, Array]] = {name: {} for name in bodies}
        for joint in self.model.getJointSet():
            for frame, side in ((joint.getParentFrame(), "parent"), (joint.getChildFrame(), "child")):
                body = frame.findBaseFrame().getName()
                if body in stations:
                    place = frame.findTransformInBaseFrame().p().to_numpy().copy()
                    stations[body][f"the {side} frame of joint '{joint.getName()}'"] = place
        for muscle, points in path_points.items():
            for number, point in enumerate(points):
                if point.body in stations and point.station is not None:
                    stations[point.body][f"path point {number + 1} of muscle '{muscle}'"] = point.station
        return stations

    @cached_property
    def path_points(self) -> dict[str, list[PointPlace]]:
        """The path points of each muscle from origin to insertion, by muscle; none where its path has no points."""
        return {name: _point_places(muscle) for name, muscle in self.muscles.items()}

    def reach(self, body: str) -> float:
        """Return how far the furthest joint or path point of a body is from its centre of mass [m]."""
        centre = self.bodies[body].center
        return max((float(np.linalg.norm(place - centre)) for place in self.stations[body].values()), default=0.0)

    def label(self, kind: str, name: str) -> str:
        """Return how a finding calls a part of the model."""
        return f"{self.name}, {kind} '{name}'"


def _point_places(muscle: osim.Muscle, bodies: Collection[str] | None = None) -> list[PointPlace]:
    """Return where the points of a muscle's path are; none where the path has none.

    Places of points are left out that are not on one of the bodies, where bodies are named.
    """
    try:
        points = defined_points(muscle)
    except UnsupportedPathError:
        return []
    return [_point_place(point, bodies) for point in points]


def _point_place(point: osim.AbstractPathPoint, bodies: Collection[str] | None) -> PointPlace:
    frame = point.getParentFrame()
    body = frame.findBaseFrame()
    if bodies is not None and body.getName() not in bodies:
        return PointPlace(body.getName(), None)
    fixed = osim.PathPoint.safeDownCast(point)
    if fixed is None:
        return PointPlace(body.getName(), None)
    station = fixed.get_location()
    if frame.getName() != body.getName():
        station = frame.findTransformInBaseFrame().shiftFrameStationToBase(station)
    return PointPlace(body.getName(), station.to_numpy().copy())

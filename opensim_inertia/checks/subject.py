"""A model made ready for the tests: initialised once, in a copy, with all that several tests use of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from .._core.arrays import Array
from .._core.opensim import osim, quiet
from ..muscles.masses.rigid import RigidMass, body_mass_properties
from ..opensim_model.reading.coordinates import CoordinateTable
from ..opensim_model.reading.loading import InitialisedModel, copy_model, initialise
from ..opensim_model.reading.paths import PlacedPoint


@dataclass(frozen=True, eq=False)
class Subject:
    """An initialised copy of a model; ``name`` is what findings call it: the file's name, or the model's own."""

    ready: InitialisedModel
    name: str

    @classmethod
    def of(cls, model: osim.Model | str | os.PathLike[str]) -> Subject:
        """Return the subject made of a model, which is copied, or of a model's file; a ModelError says why not."""
        name = model.getName() or "the model" if isinstance(model, osim.Model) else Path(model).name
        with quiet():
            copy = copy_model(model)
            initialise(copy)
        return cls(InitialisedModel(copy), name)

    @property
    def model(self) -> osim.Model:
        """The model."""
        return self.ready.model

    @property
    def state(self) -> osim.State:
        """A state of it at the default pose, which keeps that pose."""
        return self.ready.default_state

    @property
    def coordinates(self) -> CoordinateTable:
        """The coordinates, in the order of the speeds."""
        return self.ready.coordinates

    @property
    def muscles(self) -> Mapping[str, osim.Muscle]:
        """The muscles, by name."""
        return self.ready.muscles

    @property
    def path_points(self) -> Mapping[str, Sequence[PlacedPoint]]:
        """The path points of each muscle from origin to insertion, by muscle; none where its path has no points."""
        return self.ready.path_points

    @cached_property
    def bodies(self) -> dict[str, RigidMass]:
        """The mass properties of all bodies, by name."""
        return {body.getName(): body_mass_properties(self.model, body.getName()) for body in self.model.getBodySet()}

    @cached_property
    def parents(self) -> dict[str, tuple[str, int]]:
        """By body: the body that its joint joins it to, and the number of the joint's coordinates."""
        joints = self.model.getJointSet()
        frames = [[f.findBaseFrame().getName() for f in (j.getChildFrame(), j.getParentFrame())] for j in joints]
        return {child: (up, int(j.numCoordinates())) for (child, up), j in zip(frames, joints, strict=True)}

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The bodies that are fixed to ground: their mass properties matter for nothing."""
        fixed = {"ground"}
        while more := {b for b, (parent, count) in self.parents.items() if parent in fixed and not count} - fixed:
            fixed |= more
        return frozenset(fixed)

    @cached_property
    def stations(self) -> dict[str, dict[str, Array]]:
        """By body: the places of joints' frames and of fixed path points in its frame, (3,) [m], by what they are."""
        stations = self.joints_on(list(self.bodies))
        for muscle, points in self.path_points.items():
            for number, point in enumerate(points, 1):
                if point.body in stations and point.station is not None:
                    stations[point.body][f"path point {number} of muscle '{muscle}'"] = point.station
        return stations

    def joints_on(self, bodies: Collection[str]) -> dict[str, dict[str, Array]]:
        """Return the places of joints' frames alone, by body and by what they are, of some bodies."""
        stations: dict[str, dict[str, Array]] = {name: {} for name in bodies}
        for joint in self.model.getJointSet():
            for frame, side in ((joint.getParentFrame(), "parent"), (joint.getChildFrame(), "child")):
                body = frame.findBaseFrame().getName()
                if body in stations:
                    place = frame.findTransformInBaseFrame().p().to_numpy().copy()
                    stations[body][f"the {side} frame of joint '{joint.getName()}'"] = place
        return stations

    def reach(self, body: str) -> float:
        """Return how far the furthest joint or path point of a body is from its centre of mass [m]."""
        places = np.reshape(list(self.stations[body].values()), (-1, 3))
        return float(np.linalg.norm(places - self.bodies[body].center, axis=1).max(initial=0.0))

    def label(self, kind: str, name: str) -> str:
        """Return how a finding calls a part of the model."""
        return f"{self.name}, {kind} '{name}'"

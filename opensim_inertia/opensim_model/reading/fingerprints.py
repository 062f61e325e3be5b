"""Fingerprints by which a model is recognised: numbers of its objects, or lengths of its paths at some poses.

The plugin refuses a model whose muscles, segments or surfaces were changed; muscles may be taken out of it. Files of
length polynomials know the model's paths again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OtherModelError
from ..._core.opensim import osim
from .components import model_muscles, property_numbers
from .coordinates import CoordinateTable, random_poses
from .paths import as_cable

#: Random poses at which paths are measured, beside the default one.
POSES = 3
#: Lengths of the same path differ by less [m]; some wraps of OpenSim are iterated to this accuracy.
SAME = 1e-6

Measure = Callable[[Sequence[str], Array], Mapping[str, Array]]
"""Returns the lengths (P,) [m] of muscles' paths, by muscle, at poses (P, nu) [rad or m]."""


@dataclass(frozen=True, eq=False)
class PathFingerprint:
    """Lengths (P,) [m] of a model's paths, by muscle, at poses (P, nu) [rad or m], the default pose first."""

    model: str
    coordinates: tuple[str, ...]
    poses: Array
    measures: Mapping[str, Array]

    @classmethod
    def of(
        cls, model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[str], measure: Measure
    ) -> PathFingerprint:
        """Return the fingerprint of an initialised model's muscles."""
        random = random_poses(model, coordinates, POSES, margin=0.1)
        poses = np.concatenate([coordinates.defaults[None], random])
        return cls(model.getName(), coordinates.names, poses, dict(measure(muscles, poses)))

    def check(self, model: osim.Model, coordinates: CoordinateTable, measure: Measure, where: str) -> None:
        """Raise :class:`OtherModelError`, which begins with ``where``, unless a model's paths have the same lengths."""
        start = f"{where} of model '{self.model}', not of this '{model.getName()}': "
        names, model_paths = list(self.measures), model_muscles(model)
        for kind, ours, theirs in (("coordinate", self.coordinates, coordinates.names), ("muscle", names, model_paths)):
            if missing := [name for name in ours if name not in theirs]:
                raise OtherModelError(f"{start}it has no {kind} '{missing[0]}'")
        if extra := sorted(set(coordinates.names).difference(self.coordinates)):
            raise OtherModelError(f"{start}it has a coordinate '{extra[0]}' besides")
        measured = measure(names, self.poses[:, [self.coordinates.index(name) for name in coordinates.names]])
        errors = {name: np.abs(measured[name] - self.measures[name]) for name in names}
        worst = max(errors, key=lambda name: errors[name].max(), default=None)
        if worst is not None and not errors[worst].max() <= SAME:
            pose = "the default pose" if errors[worst].argmax() == 0 else "a pose"
            size = 1e3 * errors[worst].max()
            raise OtherModelError(f"{start}the path of muscle '{worst}' is {size:.3g} mm off at {pose}")

    def to_dict(self) -> dict[str, Any]:
        """Return the fingerprint as JSON knows it."""
        return {
            "name": self.model,
            "coordinates": list(self.coordinates),
            "poses": self.poses.tolist(),
            "paths": {name: values.tolist() for name, values in self.measures.items()},
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> PathFingerprint:
        """Return the fingerprint that :meth:`to_dict` described; errors are KeyError, TypeError and ValueError."""
        measures = {str(name): np.array(values, dtype=float) for name, values in stored["paths"].items()}
        poses = np.array(stored["poses"], dtype=float)
        coordinates = tuple(map(str, stored["coordinates"]))
        if poses.ndim != 2 or poses.shape[1] != len(coordinates):
            raise ValueError(f"poses of shape {poses.shape} for {len(coordinates)} coordinates")
        return cls(str(stored["name"]), coordinates, poses, measures)


#: Properties on which the muscles' mass and its place depend, where an object has them.
PROPERTIES = (
    "mass",
    "mass_center",
    "inertia",
    "translation",
    "orientation",
    "xyz_body_rotation",
    "radius",
    "length",
    "dimensions",
    "radii",
    "inner_radius",
    "outer_radius",
    "location",
    "contact_hint",
    "optimal_fiber_length",
    "tendon_slack_length",
    "pennation_angle_at_optimal",
)

#: Classes of objects, besides muscles and their paths, whose properties are kept.
CLASSES = frozenset(
    {
        "Body",
        "PhysicalOffsetFrame",
        "WrapCylinder",
        "WrapSphere",
        "WrapEllipsoid",
        "WrapTorus",
        "WrapDoubleCylinderObst",
    }
)

#: Classes of what a path consists of.
PATH_PARTS = frozenset(
    {"PathPoint", "ConditionalPathPoint", "MovingPathPoint", "PathWrap", "Scholz2015GeometryPathObstacle"}
)


def properties(model: osim.Model, muscles: Collection[str]) -> Iterator[tuple[str, str, list[float]]]:
    """Yield paths of objects, names of their properties, and the properties' numbers."""
    yield model.getAbsolutePathString(), "gravity", property_numbers(model.getPropertyByName("gravity"))
    by_name = model_muscles(model)
    cables = [cable for name in muscles if (cable := as_cable(by_name[name].getPath())) is not None]
    obstacles = (cable.getContactGeometry(i) for cable in cables for i in range(cable.getNumObstacles()))
    owners = {each.getAbsolutePathString() for each in (*(by_name[name] for name in muscles), *obstacles)}
    within = tuple(f"{path}/" for path in owners)
    for component in model.getComponentsList():
        path, kind = component.getAbsolutePathString(), component.getConcreteClassName()
        if not (kind in CLASSES or path in owners or (kind in PATH_PARTS and path.startswith(within))):
            continue
        for name in PROPERTIES:
            if component.hasProperty(name):
                numbers = property_numbers(component.getPropertyByName(name))
                if numbers:
                    yield path, name, numbers


def parts(model: osim.Model, muscles: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield paths of muscles, and of how many points and wraps each one's path consists."""
    part_paths = [
        component.getAbsolutePathString()
        for component in model.getComponentsList()
        if component.getConcreteClassName() in PATH_PARTS
    ]
    by_name = model_muscles(model)
    for path in (by_name[name].getAbsolutePathString() for name in muscles):
        yield path, sum(other.startswith(f"{path}/") for other in part_paths)

"""Components of a model: frames, constraints, muscles and numeric properties."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from math import isnan
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim


def walk(model: osim.Model) -> Iterator[Any]:
    """Step OpenSim's component iterator through a model; yield this same iterator object at each component."""
    components = model.getComponentsList()
    place, end = components.begin(), components.end()
    while not place.equals(end):
        yield place
        place.next()


def constraints_of(model: osim.Model) -> tuple[osim.Constraint, ...]:
    """Return all constraints among a model's components."""
    is_constraint: dict[str, bool] = {}
    found = []
    for place in walk(model):
        kind = place.getConcreteClassName()
        if kind not in is_constraint:
            is_constraint[kind] = osim.Constraint.safeDownCast(place.__deref__()) is not None
        if is_constraint[kind]:
            found.append(osim.Constraint.safeDownCast(place.__deref__()))
    return tuple(found)


def model_muscles(model: osim.Model) -> dict[str, osim.Muscle]:
    """Return muscles by name, including those in ``<components>`` of initialised models."""
    try:
        muscles = list(model.getMuscleList())
    except RuntimeError:  # the model was never initialised
        muscles = list(model.getMuscles())
    by_name: dict[str, osim.Muscle] = {}
    for muscle in muscles:
        name = muscle.getName()
        if name in by_name:
            raise ModelError(f"model '{model.getName()}' has two muscles called '{name}'; rename one")
        by_name[name] = muscle
    return by_name


def property_numbers(number_property: osim.AbstractProperty) -> list[float]:
    """Return the numbers of a double, Vec3 or Vec6 property; [] for lists and other types."""
    helper, kind = osim.PropertyHelper, number_property.getTypeName()
    if number_property.isListProperty():
        return []
    if kind == "double":
        return [helper.getValueDouble(number_property)]
    if kind == "Vec3":
        numbers = [helper.getValueVec3(number_property, i) for i in range(3)]
        return [0.0 if isnan(x) else x for x in numbers]  # an omitted contact hint
    if kind == "Vec6":
        return [helper.getValueVec6(number_property, i) for i in range(6)]
    return []


#: A Transform in memory: rotation by columns and position, as doubles.
TRANSFORM = ctypes.c_char * 96


def physical_frame(model: osim.Model, name: str) -> osim.PhysicalFrame:
    """Return the frame of a body or ground."""
    if name == "ground":
        return model.getGround()
    if not model.getBodySet().contains(name):
        raise ModelError(f"model '{model.getName()}' has no body '{name}'")
    return model.getBodySet().get(name)


def placement(transform: osim.Transform) -> tuple[Array, Array]:
    """Return copies of a transform's rotation (3, 3) and origin (3,) [m]."""
    rotation = transform.R()
    return np.array([[rotation.get(i, j) for j in range(3)] for i in range(3)]), transform.p().to_numpy().copy()


def unpack_transforms(memory: bytes) -> tuple[Array, Array]:
    """Return rotations (n, 3, 3) and origins (n, 3) [m] from the bytes of n Simbody transforms."""
    numbers = np.frombuffer(memory).reshape(-1, 4, 3)  # by columns
    return np.ascontiguousarray(numbers[:, :3].swapaxes(1, 2)), np.ascontiguousarray(numbers[:, 3])


class FrameTransforms:
    """Reader of transforms from frames to ground: from memory if ``lie_in_memory``, else by OpenSim's accessors."""

    def __init__(self, frames: Sequence[osim.Frame]) -> None:
        self._frames = list(frames)
        self.lie_in_memory = True

    def places(self, state: osim.State) -> list[int]:
        """Return the memory addresses of the transforms at a state realized to position."""
        return [int(frame.getTransformInGround(state).this) for frame in self._frames]

    def read(self, state: osim.State) -> tuple[Array, Array]:
        """Return rotations (n, 3, 3) to ground and origins (n, 3) [m] of the frames at a state realized to position."""
        return unpack_transforms(self.pack(state))

    def pack(self, state: osim.State) -> bytes:
        """Return the bytes of the transforms, for :func:`unpack_transforms`, at a state realized to position."""
        if self.lie_in_memory:
            return b"".join(map(TRANSFORM.from_address, self.places(state)))
        rotation, origin = self._read_by_accessors(state)
        return np.concatenate([rotation.swapaxes(1, 2), origin[:, None]], axis=1).tobytes()

    def check(self, state: osim.State) -> None:
        """Set ``lie_in_memory`` to False if transforms from memory differ from transforms by OpenSim's accessors."""
        if any(frame.getTransformInGround(state).thisown for frame in self._frames):
            self.lie_in_memory = False  # the transform is a temporary copy
        pairs = zip(self.read(state), self._read_by_accessors(state), strict=True)
        self.lie_in_memory &= all(np.allclose(one, other, rtol=0, atol=1e-12) for one, other in pairs)

    def _read_by_accessors(self, state: osim.State) -> tuple[Array, Array]:
        places = [placement(frame.getTransformInGround(state)) for frame in self._frames]
        return np.array([r for r, _ in places]).reshape(-1, 3, 3), np.array([p for _, p in places]).reshape(-1, 3)

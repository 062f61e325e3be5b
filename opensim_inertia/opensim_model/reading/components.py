"""Components of a model: bodies' frames, constraints, muscles, and numbers of their properties."""

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
    """Yield OpenSim's iterator at each component of a model: the same object, moved on, which is faster."""
    components = model.getComponentsList()
    place, end = components.begin(), components.end()
    while not place.equals(end):
        yield place
        place.next()


def constraints_of(model: osim.Model) -> tuple[osim.Constraint, ...]:
    """Return all constraints of a model, wherever they are among its components."""
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
    """Return a model's muscles by name, with those in ``<components>`` if the model was ever initialised."""
    try:
        muscles = list(model.getMuscleList())
    except RuntimeError:  # the model does not know its components yet
        muscles = list(model.getMuscles())
    by_name: dict[str, osim.Muscle] = {}
    for muscle in muscles:
        name = muscle.getName()
        if name in by_name:
            raise ModelError(f"model '{model.getName()}' has two muscles called '{name}'; rename one")
        by_name[name] = muscle
    return by_name


def property_numbers(number_property: osim.AbstractProperty) -> list[float]:
    """Return the numbers of a property; none if it is not a number or a vector."""
    helper, kind = osim.PropertyHelper, number_property.getTypeName()
    if number_property.isListProperty():
        return []
    if kind == "double":
        return [helper.getValueDouble(number_property)]
    if kind == "Vec3":
        numbers = [helper.getValueVec3(number_property, i) for i in range(3)]
        return [0.0 if isnan(x) else x for x in numbers]  # a contact hint that is left out
    if kind == "Vec6":
        return [helper.getValueVec6(number_property, i) for i in range(6)]
    return []


#: A Transform in memory: a rotation by columns and a position, twelve doubles.
TRANSFORM_BYTES = 96


def physical_frame(model: osim.Model, name: str) -> osim.PhysicalFrame:
    """Return the frame of a body, or of the ground; raise :class:`ModelError` if there is no such body."""
    if name == "ground":
        return model.getGround()
    if not model.getBodySet().contains(name):
        raise ModelError(f"model '{model.getName()}' has no body '{name}'")
    return model.getBodySet().get(name)


def placement(transform: osim.Transform) -> tuple[Array, Array]:
    """Return the rotation (3, 3) and the origin (3,) [m] of a transform, as copies."""
    rotation = transform.R()
    return np.array([[rotation.get(i, j) for j in range(3)] for i in range(3)]), transform.p().to_numpy().copy()


def unpack_transforms(memory: bytes) -> tuple[Array, Array]:
    """Return rotations (n, 3, 3) and origins (n, 3) [m] of transforms in memory."""
    numbers = np.frombuffer(memory).reshape(-1, 4, 3)  # by columns
    return np.ascontiguousarray(numbers[:, :3].swapaxes(1, 2)), np.ascontiguousarray(numbers[:, 3])


class FrameTransforms:
    """Reads transforms of frames, which must not outlive their model; in memory while ``lie_in_memory``."""

    def __init__(self, frames: Sequence[osim.Frame]) -> None:
        self._frames = list(frames)
        self.lie_in_memory = True

    def places(self, state: osim.State) -> list[int]:
        """Return the addresses of the transforms, at a state realized to position."""
        return [int(frame.getTransformInGround(state).this) for frame in self._frames]

    def read(self, state: osim.State) -> tuple[Array, Array]:
        """Return rotations (n, 3, 3), frame to ground, and origins (n, 3) [m], at a state realized to position."""
        return unpack_transforms(self.pack(state))

    def pack(self, state: osim.State) -> bytes:
        """Return the transforms as they lie in memory, at a state realized to position."""
        if self.lie_in_memory:
            return b"".join([ctypes.string_at(place, TRANSFORM_BYTES) for place in self.places(state)])
        rotation, origin = self._read_by_accessors(state)
        return np.concatenate([rotation.swapaxes(1, 2), origin[:, None]], axis=1).tobytes()

    def check(self, state: osim.State) -> None:
        """Compare memory with the transforms' accessors at a state; where they differ, it is not to be read."""
        if any(frame.getTransformInGround(state).thisown for frame in self._frames):
            self.lie_in_memory = False  # a copy, gone before its numbers are read
        pairs = zip(self.read(state), self._read_by_accessors(state), strict=True)
        self.lie_in_memory &= all(np.allclose(one, other, rtol=0, atol=1e-12) for one, other in pairs)

    def _read_by_accessors(self, state: osim.State) -> tuple[Array, Array]:
        places = [placement(frame.getTransformInGround(state)) for frame in self._frames]
        return np.array([r for r, _ in places]).reshape(-1, 3, 3), np.array([p for _, p in places]).reshape(-1, 3)

"""The text from which the plugin makes the kernel that this package uses: the model and its muscles as JSON.

Muscles are described as for the kernel (:mod:`opensim_inertia.paths.kernel.description`); the rest is read by
``plugin_cpp/opensim_plugin/description.cpp``. In front stand a word, ``VERSION``, which changes with either, and a
checksum.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.fingerprints import parts, properties
from ...opensim_model.reading.functions import read_function
from ...opensim_model.reading.joints import SharedRotations
from ...opensim_model.reading.kinematics import Kinematics
from ...opensim_model.reading.paths import MovingFunction
from ...paths.kernel.description import Describer, FunctionRecord, KernelMuscle, MuscleRecord
from ...paths.wrapping.plan import WrapPlan

#: The version of the text.
VERSION = 7

#: By how many widths of its range a coordinate may be beyond it where a rotation's function has to be sampled.
MARGIN = 1.0

#: Of the JSON: every bit of a number is kept, and arrays are lists.
_STYLE: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False, "default": lambda array: array.tolist()}


class RotationRecord(TypedDict):
    """A joint of which Simbody gets the acceleration bias wrong: its child frame in a ``body``, and what it carries."""

    body: str
    rotation: Array
    origin: Array
    second: FunctionRecord
    third: FunctionRecord
    cosine: Array
    sine: Array
    carries: list[int]


class ModelRecord(TypedDict):
    """A model and its muscles. ``properties`` and ``parts`` are by the paths of the model's objects."""

    gravity: Array
    bodies: list[str]
    coordinates: list[str]
    rotations: list[RotationRecord]
    muscles: list[MuscleRecord]
    properties: dict[str, dict[str, list[float]]]
    parts: dict[str, int]


def describe(
    model: osim.Model, kinematics: Kinematics, gravity: Array, muscles: Sequence[KernelMuscle], plan: WrapPlan
) -> str:
    """Return the text that describes muscles, on an initialised model, to the plugin.

    UnsupportedPathError: OpenSim leads a muscle's path. ModelError: an acceleration is known by differences only.
    """
    for muscle in muscles:
        name = muscle.path.muscle
        if name in plan.opensim:
            raise UnsupportedPathError(
                name, "its path", f"is OpenSim's own ({plan.opensim[name]}), which the OpenSim plugin does not follow"
            )
    if not kinematics.knows_bias:
        raise ModelError(
            f"model '{model.getName()}' has joints whose accelerations at constant speeds OpenSim does not know, such "
            "as a CustomJoint with an angle that depends on several coordinates, or by a function of which OpenSim "
            "knows no second derivative (MultivariatePolynomialFunction, ExpressionBasedFunction); the OpenSim plugin "
            "cannot serve it"
        )
    record = _Writer(model, kinematics).record(gravity, muscles, plan)
    return signed(json.dumps(record, **_STYLE))


def signed(text: str) -> str:
    """Return JSON with the word, the version and the checksum that the plugin asks for."""
    return f"inertial-muscles {VERSION} {_checksum(text)} {text}"


def _checksum(text: str) -> str:
    """Return the FNV-1a checksum of a text in hexadecimal."""
    total = 14695981039346656037
    for byte in text.encode():
        total = ((total ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


class _Writer:
    """Describes a model as it is initialised."""

    def __init__(self, model: osim.Model, kinematics: Kinematics) -> None:
        self._model, self._kinematics = model, kinematics
        self._describer = Describer(kinematics.bodies, kinematics.coordinates.names)

    def record(self, gravity: Array, muscles: Sequence[KernelMuscle], plan: WrapPlan) -> ModelRecord:
        """Return the record of the model and its muscles; the arguments are those of :func:`describe`."""
        names = [muscle.path.muscle for muscle in muscles]
        values_by_path: dict[str, dict[str, list[float]]] = {}
        for path, name, values in properties(self._model, names):
            values_by_path.setdefault(path, {})[name] = values
        return {
            "gravity": gravity,
            "bodies": list(self._kinematics.bodies),
            "coordinates": list(self._kinematics.coordinates.names),
            "rotations": [self._rotation(joint) for joint in self._kinematics.shared_rotations],
            "muscles": [self._describer.muscle(muscle, plan) for muscle in muscles],
            "properties": values_by_path,
            "parts": dict(parts(self._model, names)),
        }

    def _rotation(self, joint: SharedRotations) -> RotationRecord:
        """Describe a joint whose rotations share a coordinate."""
        base = joint.frame.findBaseFrame()
        transform = joint.frame.findTransformInBaseFrame()
        return {
            "body": base.getName(),
            "rotation": np.array([[transform.R().get(i, j) for j in range(3)] for i in range(3)]),
            "origin": transform.p().to_numpy().copy(),
            "second": self._angle(joint.second, joint.by_second),
            "third": self._angle(joint.third, joint.by_third),
            "cosine": joint.cosine,
            "sine": joint.sine,
            "carries": [int(sign) for sign in joint.carries],
        }

    def _angle(self, function: osim.Function, coordinate: int) -> FunctionRecord:
        """Describe the function that gives an angle by the coordinate of this number."""
        table = self._kinematics.coordinates
        low, high = table.ranges[coordinate]
        polynomial = read_function(function, low, high, MARGIN)
        if polynomial is None:
            raise ModelError(
                f"model '{self._model.getName()}': a rotation by coordinate '{table.names[coordinate]}', a "
                f"{function.getConcreteClassName()}, is not smooth between {low:.6g} and {high:.6g}, the coordinate's "
                "range, or cannot be sampled there, as the OpenSim plugin needs in joints whose rotations share a "
                "coordinate"
            )
        return self._describer.function(MovingFunction(table.names[coordinate], polynomial, polynomial.reach))

"""The text from which the plugin makes the kernel that this package uses: the model and its muscles as JSON.

Muscles are described as for the kernel (:mod:`opensim_inertia.paths.kernel.description`); the rest is read by
``plugin_cpp/opensim_plugin/description.cpp``. In front stand a word, ``VERSION``, which changes with either, and a
checksum.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..._core.arrays import Array
from ..._core.errors import ModelError, UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles, placement, property_numbers
from ...opensim_model.reading.functions import read_function
from ...opensim_model.reading.joints import SharedRotations
from ...opensim_model.reading.kinematics import Kinematics
from ...opensim_model.reading.paths import MovingFunction, as_cable
from ...paths.kernel.description import Describer, KernelMuscle
from ...paths.wrapping.plan import WrapPlan

#: The version of the text.
VERSION = 7

#: By how many widths of its range a coordinate may be beyond it where a rotation's function has to be sampled.
MARGIN = 1.0

#: Of the JSON: every bit of a number is kept, and arrays are lists.
_STYLE: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False, "default": lambda array: array.tolist()}


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
    describer = Describer(kinematics.bodies, kinematics.coordinates.names)
    names = [muscle.path.muscle for muscle in muscles]
    values_by_path, parts = _fingerprint(model, names)
    record = {
        "gravity": gravity,
        "bodies": list(kinematics.bodies),
        "coordinates": list(kinematics.coordinates.names),
        "rotations": [_rotation(model, kinematics, describer, joint) for joint in kinematics.correction.joints],
        "muscles": [describer.muscle(muscle, plan) for muscle in muscles],
        "properties": values_by_path,
        "parts": parts,
    }
    return signed(json.dumps(record, **_STYLE))


#: Properties on which the muscles' mass and its place depend, where an object has them.
PROPERTIES = (
    *("mass", "mass_center", "inertia", "translation", "orientation", "xyz_body_rotation", "radius", "length"),
    *("dimensions", "radii", "inner_radius", "outer_radius", "location", "contact_hint", "optimal_fiber_length"),
    *("tendon_slack_length", "pennation_angle_at_optimal"),
)
#: Classes of objects, besides muscles and their paths, whose properties are kept, and of what a path consists of.
CLASSES = ("Body", "PhysicalOffsetFrame")
WRAPS = ("WrapCylinder", "WrapSphere", "WrapEllipsoid", "WrapTorus", "WrapDoubleCylinderObst")
PATH_PARTS = ("PathPoint", "ConditionalPathPoint", "MovingPathPoint", "PathWrap", "Scholz2015GeometryPathObstacle")


def _fingerprint(model: osim.Model, names: Sequence[str]) -> tuple[dict[str, dict[str, list[float]]], dict[str, int]]:
    """Return numbers of objects, by path and property, and of points and wraps of muscles; changes are refused."""
    muscles = [model_muscles(model)[name] for name in names]
    counts = {muscle.getAbsolutePathString(): 0 for muscle in muscles}
    cables = [cable for muscle in muscles if (cable := as_cable(muscle.getPath())) is not None]
    obstacles = (cable.getContactGeometry(i) for cable in cables for i in range(cable.getNumObstacles()))
    owners = {*counts, *(geometry.getAbsolutePathString() for geometry in obstacles)}
    numbers = {model.getAbsolutePathString(): {"gravity": property_numbers(model.getPropertyByName("gravity"))}}
    for component in model.getComponentsList():
        path, kind = component.getAbsolutePathString(), component.getConcreteClassName()
        inside = [owner for owner in owners if path.startswith(f"{owner}/")] if kind in PATH_PARTS else []
        for owner in counts.keys() & inside:
            counts[owner] += 1
        if kind in CLASSES + WRAPS or path in owners or inside:
            known = [name for name in PROPERTIES if component.hasProperty(name)]
            entries = {name: property_numbers(component.getPropertyByName(name)) for name in known}
            if entries := {name: values for name, values in entries.items() if values}:
                numbers[path] = entries
    return numbers, counts


def signed(text: str) -> str:
    """Return JSON with the word, the version and the checksum that the plugin asks for."""
    return f"inertial-muscles {VERSION} {_checksum(text)} {text}"


def _checksum(text: str) -> str:
    """Return the FNV-1a checksum of a text in hexadecimal."""
    total = 14695981039346656037
    for byte in text.encode():
        total = ((total ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


def _rotation(
    model: osim.Model, kinematics: Kinematics, describer: Describer, joint: SharedRotations
) -> dict[str, Any]:
    """Describe a joint of which Simbody gets the acceleration bias wrong: its child frame, and bodies it carries."""
    rotation, origin = placement(joint.frame.findTransformInBaseFrame())
    table = kinematics.coordinates

    def angle(function: osim.Function, coordinate: int) -> dict[str, Any]:
        """Describe the function that gives an angle by the coordinate of this number."""
        low, high = table.ranges[coordinate]
        polynomial = read_function(function, low, high, MARGIN)
        if polynomial is None:
            raise ModelError(
                f"model '{model.getName()}': a rotation by coordinate '{table.names[coordinate]}', a "
                f"{function.getConcreteClassName()}, is not smooth between {low:.6g} and {high:.6g}, the coordinate's "
                "range, or cannot be sampled there, as the OpenSim plugin needs in joints whose rotations share a "
                "coordinate"
            )
        return describer.function(MovingFunction(table.names[coordinate], polynomial, polynomial.reach))

    return {
        "body": joint.frame.findBaseFrame().getName(),
        "rotation": rotation,
        "origin": origin,
        "second": angle(joint.second, joint.by_second),
        "third": angle(joint.third, joint.by_third),
        "cosine": joint.cosine,
        "sine": joint.sine,
        "carries": [int(sign) for sign in joint.carries],
    }

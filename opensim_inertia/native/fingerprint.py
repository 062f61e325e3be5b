"""What a model was when its muscles were described: the plugin refuses a model that has been changed since.

Muscles may be taken out of the model, as tools do that replace them by other actuators: their mass stays. What a
muscle can do may be changed, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import isnan

from .._opensim import osim
from ..reading import as_cable, model_muscles

#: Properties on which the muscles' mass and the segments' remainders depend, where an object has them.
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
    """Yield paths of objects, names of their properties, and the properties' numbers.

    Args:
        model: an initialised model.
        muscles: names of the muscles with mass.
    """
    yield model.getAbsolutePathString(), "gravity", _numbers(model.getPropertyByName("gravity"))
    owners = [*_paths(model, muscles), *_obstacles(model, muscles)]
    within = tuple(f"{path}/" for path in owners)
    for component in model.getComponentsList():
        path, kind = component.getAbsolutePathString(), component.getConcreteClassName()
        if not (kind in CLASSES or path in owners or (kind in PATH_PARTS and path.startswith(within))):
            continue
        for name in PROPERTIES:
            if component.hasProperty(name):
                numbers = _numbers(component.getPropertyByName(name))
                if numbers:
                    yield path, name, numbers


def parts(model: osim.Model, muscles: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield paths of muscles, and of how many points and wraps each one's path consists."""
    every = [
        component.getAbsolutePathString()
        for component in model.getComponentsList()
        if component.getConcreteClassName() in PATH_PARTS
    ]
    for path in _paths(model, muscles):
        yield path, sum(other.startswith(f"{path}/") for other in every)


def _paths(model: osim.Model, muscles: Collection[str]) -> list[str]:
    owned = model_muscles(model)
    return [owned[name].getAbsolutePathString() for name in muscles]


def _obstacles(model: osim.Model, muscles: Collection[str]) -> list[str]:
    """Return the paths of the contact geometries that are obstacles of the muscles' cables."""
    owned = model_muscles(model)
    cables = [cable for name in muscles if (cable := as_cable(owned[name].getPath())) is not None]
    found = (cable.getContactGeometry(i) for cable in cables for i in range(cable.getNumObstacles()))
    return list(dict.fromkeys(geometry.getAbsolutePathString() for geometry in found))


def _numbers(given: osim.AbstractProperty) -> list[float]:
    """Return the numbers of a property; none of one that is not a number or a vector of them."""
    helper, kind = osim.PropertyHelper, given.getTypeName()
    if given.isListProperty():
        return []
    if kind == "double":
        return [helper.getValueDouble(given)]
    if kind == "Vec3":
        numbers = [helper.getValueVec3(given, i) for i in range(3)]
        return [0.0 if isnan(x) else x for x in numbers]  # a contact hint that is left out
    if kind == "Vec6":
        return [helper.getValueVec6(given, i) for i in range(6)]
    return []

"""Components of a model: all of them, its constraints and its muscles."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any

from ..._core.errors import ModelError
from ..._core.opensim import osim

__all__ = ["constraints_of", "model_muscles", "property_numbers", "walk"]


def walk(model: osim.Model) -> Iterator[Any]:
    """Yield OpenSim's iterator at each component of a model: it answers what the component is asked.

    It is the same object, moved on. That takes a fifth of the time in which each component is made an object of Python;
    ``__deref__()`` makes one.
    """
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
    """Return a model's muscles by name, those among its ``<components>`` as well as those of its ForceSet.

    ``Model.getMuscles`` knows the ForceSet only; so does this function of a copy that was never initialised.
    """
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

"""Models that carry the plugin's component."""

from __future__ import annotations

from ..._core.choices import Tool
from ..._core.opensim import osim
from .library import CLASS

#: The component's name in the models.
NAME = "inertial_muscles"


def with_component(model: osim.Model, description: str, tool: Tool = "forward") -> osim.Model:
    """Return an uninitialised copy of a described model with inertial muscles for a tool; the plugin is loaded."""
    equipped = osim.Model(model)
    equipped.finalizeFromProperties()
    component = osim.OpenSimObject.newInstanceOfType(CLASS)
    component.setName(NAME)
    helper = osim.PropertyHelper
    helper.setValueString(description, component.updPropertyByName("description"))
    helper.setValueBool(tool == "inverse", component.updPropertyByName("given_accelerations"))
    part = osim.ModelComponent.safeDownCast(component)
    equipped.addModelComponent(part)
    part.thisown = component.thisown = False  # the model owns it
    return equipped

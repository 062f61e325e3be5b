"""The plugin's library: where it lies, which OpenSim it serves, how it is loaded, and models with its component."""

from __future__ import annotations

import sys
from pathlib import Path

from ..._core.choices import Tool
from ..._core.errors import PluginError
from ..._core.opensim import osim, quiet

#: The shared library, if it was built.
LIBRARY = Path(__file__).parent / (
    {"win32": "osimInertialMuscles.dll", "darwin": "libosimInertialMuscles.dylib"}.get(
        sys.platform, "libosimInertialMuscles.so"
    )
)

#: The component's class in OpenSim's model files, and its name in models.
CLASS, NAME = "InertialMuscles", "inertial_muscles"

#: Versions of OpenSim whose classes are laid out as the plugin expects.
VERSIONS = ("4.6",)


def is_loaded() -> bool:
    """Return whether OpenSim knows the plugin's component, whoever has loaded it."""
    return osim.OpenSimObject.getDefaultInstanceOfType(CLASS) is not None


def check_version(version: str) -> None:
    """Raise :class:`PluginError` if the plugin does not serve a version of OpenSim."""
    if not any(version == known or version.startswith((f"{known}-", f"{known}.")) for known in VERSIONS):
        raise PluginError(f"the OpenSim plugin was built for OpenSim {' or '.join(VERSIONS)}, and this is {version}")


def load_library(path: Path = LIBRARY) -> None:
    """Let OpenSim load the plugin once; PluginError: there is none, or it is for another OpenSim, or does not load."""
    if is_loaded():
        return
    if not path.is_file():
        raise PluginError(
            f"the OpenSim plugin was not built: there is no {path}. It needs headers of OpenSim and Simbody, which "
            "plugin_cpp/opensim_plugin/get_headers.sh fetches; install opensim_inertia again with them. Everything "
            "but OpenSim's own tools works without it"
        )
    check_version(osim.GetVersion())
    with quiet():
        loaded = osim.LoadOpenSimLibraryExact(str(path))
    if not loaded or not is_loaded():
        raise PluginError(f"OpenSim {osim.GetVersion()} cannot load the plugin {path}: it was built for another one")


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

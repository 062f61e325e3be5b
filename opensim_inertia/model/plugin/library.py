"""The plugin's shared library, the plugin's component in models, and the component's text about muscles.

The text is a word, ``VERSION``, a checksum and JSON: muscles as for the kernel
(:mod:`opensim_inertia.paths.kernel.description`), and entries of ``plugin_cpp/opensim_plugin/description.cpp``.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.choices import Tool
from ..._core.errors import ModelError, PluginError, SimulationError, UnsupportedPathError, opensim_reason
from ..._core.opensim import osim, quiet
from ...opensim_model.reading.components import model_muscles, placement, property_numbers
from ...opensim_model.reading.functions import read_function
from ...opensim_model.reading.joints import SharedRotations
from ...opensim_model.reading.kinematics import Kinematics
from ...opensim_model.reading.loading import without_mark
from ...opensim_model.reading.paths import MovingFunction, as_cable
from ...paths.kernel.description import Describer, KernelMuscle
from ...paths.wrapping.plan import WrapPlan

#: Path of the shared library.
LIBRARY = Path(__file__).parent / (
    {"win32": "osimInertialMuscles.dll", "darwin": "libosimInertialMuscles.dylib"}.get(
        sys.platform, "libosimInertialMuscles.so"
    )
)

#: OpenSim class and name of the component.
CLASS, NAME = "InertialMuscles", "inertial_muscles"

#: Supported OpenSim versions.
VERSIONS = ("4.6",)


def is_loaded() -> bool:
    """Return whether OpenSim knows the plugin's component."""
    return osim.OpenSimObject.getDefaultInstanceOfType(CLASS) is not None


def check_version(version: str) -> None:
    """Raise :class:`PluginError` for an unsupported OpenSim version."""
    if not any(version == known or version.startswith((f"{known}-", f"{known}.")) for known in VERSIONS):
        raise PluginError(f"the OpenSim plugin was built for OpenSim {' or '.join(VERSIONS)}, and this is {version}")


def load_library(path: Path = LIBRARY) -> None:
    """Load the plugin's library once; raise PluginError if the library is missing or incompatible."""
    if is_loaded():
        return
    if not path.is_file():
        raise PluginError(
            f"the OpenSim plugin was not built: there is no {path}. It needs headers of OpenSim and Simbody: fetch "
            "them by plugin_cpp/opensim_plugin/get_headers.sh, and install opensim_inertia again"
        )
    check_version(osim.GetVersion())
    with quiet():
        loaded = osim.LoadOpenSimLibraryExact(str(path))
    if not loaded or not is_loaded():
        raise PluginError(f"OpenSim {osim.GetVersion()} cannot load the plugin {path}: it was built for another one")


def with_component(model: osim.Model, description: str, tool: Tool = "forward") -> osim.Model:
    """Return an uninitialised copy of a model with the plugin's component."""
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


#: Argument and result types of the library's functions.
_DOUBLE, _INT, _POINTER = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "": ([_POINTER, _POINTER, _DOUBLE, ctypes.c_char_p, *4 * [_DOUBLE]], _POINTER),
    "_advance": ([_POINTER, _POINTER, _INT, _INT, _POINTER, _POINTER], _INT),
    "_error": ([_POINTER], ctypes.c_char_p),
    "_state": ([_POINTER, _POINTER], None),
    "_time": ([_POINTER], _DOUBLE),
    "_evaluations": ([_POINTER], _INT),
    "_delete": ([_POINTER], None),
}


class Run:
    """A simulation by one of the plugin's integrators, "runge_kutta_merson" or "cpodes", until exactly ``end`` [s].

    Arguments: initial state, Simbody's ``accuracy``, ``tolerance`` of constraints [m, rad, m/s, rad/s], and ``longest``
    step [s]. SimulationError: the integrator cannot start. PluginError: an old library.
    """

    def __init__(
        self,
        model: osim.Model,
        state: osim.State,
        end: float,
        method: str,
        accuracy: float,
        tolerance: float,
        longest: float,
    ) -> None:
        self._model, self._size = model, state.getNY()
        self._functions = _functions()
        start = without_mark(state)  # copied by the library
        pointers = int(model.updMultibodySystem()), int(start.this)
        self._run = self._functions[""](*pointers, end, method.encode(), accuracy, tolerance, longest, 0.0)
        if self.error:
            raise SimulationError(self.error, state.getTime())

    def __del__(self) -> None:
        if hasattr(self, "_run"):
            self._functions["_delete"](self._run)

    def advance(self, reports: Array | None, most: int) -> tuple[Array, Array]:
        """Make up to ``most`` steps; return times (T,), states (T, ny) of steps or, if given, of ``reports`` [s]."""
        times, states = np.empty(most), np.empty((most, self._size))
        wanted = None if reports is None else np.ascontiguousarray(reports)
        count, place = (-1, None) if wanted is None else (len(wanted), wanted.ctypes.data)
        rows = self._functions["_advance"](self._run, place, count, most, times.ctypes.data, states.ctypes.data)
        return times[:rows], states[:rows]

    @property
    def error(self) -> str:
        """Message of the integrator's error, empty without an error."""
        message = self._functions["_error"](self._run).decode(errors="backslashreplace")
        return opensim_reason(RuntimeError(message)) if message else ""

    @property
    def state(self) -> Array:
        """The current state (ny,)."""
        y = np.empty(self._size)
        self._functions["_state"](self._run, y.ctypes.data)
        return y

    @property
    def time(self) -> float:
        """The current time [s]."""
        return float(self._functions["_time"](self._run))

    @property
    def evaluations(self) -> int:
        """Number of evaluations of the equations of motion."""
        return int(self._functions["_evaluations"](self._run))


@cache
def _functions() -> dict[str, Any]:
    try:
        library = ctypes.CDLL(str(LIBRARY))
        functions: dict[str, Any] = {name: library[f"opensim_inertia_run{name}"] for name in _FUNCTIONS}
    except (OSError, AttributeError) as error:
        raise PluginError(f"the OpenSim plugin {LIBRARY} has no integrators, build it anew: {error}") from None
    for name, (arguments, result) in _FUNCTIONS.items():
        functions[name].argtypes, functions[name].restype = arguments, result
    return functions


#: Version of the text.
VERSION = 7

#: Margin for sampling functions, in widths of a coordinate's range.
MARGIN = 1.0

#: JSON without rounding, with arrays as lists.
_STYLE: dict[str, Any] = {"separators": (",", ":"), "ensure_ascii": False, "default": lambda array: array.tolist()}


def describe(
    model: osim.Model, kinematics: Kinematics, gravity: Array, muscles: Sequence[KernelMuscle], plan: WrapPlan
) -> str:
    """Return the text that describes muscles of an initialised model to the plugin.

    UnsupportedPathError: a muscle uses OpenSim's own path. ModelError: Simbody's bias is unreliable.
    """
    for muscle in muscles:
        name = muscle.path.muscle
        if name in plan.opensim:
            raise UnsupportedPathError(
                name, "its path", f"is OpenSim's own ({plan.opensim[name]}), which the OpenSim plugin does not follow"
            )
    if not kinematics.knows_bias:
        raise ModelError(
            f"model '{model.getName()}': the OpenSim plugin does not support an angle that depends on several "
            "coordinates or on a function without a second derivative (MultivariatePolynomialFunction, "
            "ExpressionBasedFunction); replace the function by a spline, or simulate with engine='python'"
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


#: Properties that affect muscle mass and its position.
PROPERTIES = (
    *("mass", "mass_center", "inertia", "translation", "orientation", "xyz_body_rotation", "radius", "length"),
    *("dimensions", "radii", "inner_radius", "outer_radius", "location", "contact_hint", "optimal_fiber_length"),
    *("tendon_slack_length", "pennation_angle_at_optimal"),
)
#: Classes with checked properties, wrap objects, and parts of paths.
CLASSES = ("Body", "PhysicalOffsetFrame")
WRAPS = ("WrapCylinder", "WrapSphere", "WrapEllipsoid", "WrapTorus", "WrapDoubleCylinderObst")
PATH_PARTS = ("PathPoint", "ConditionalPathPoint", "MovingPathPoint", "PathWrap", "Scholz2015GeometryPathObstacle")


def _fingerprint(model: osim.Model, names: Sequence[str]) -> tuple[dict[str, dict[str, list[float]]], dict[str, int]]:
    """Return data to detect a changed model: properties by component path, number of path parts by muscle."""
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
    """Return the JSON ``text`` after a fixed word, ``VERSION`` and the checksum (FNV-1a) of ``text``."""
    total = 14695981039346656037
    for byte in text.encode():
        total = ((total ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"inertial-muscles {VERSION} {total:016x} {text}"


def _rotation(
    model: osim.Model, kinematics: Kinematics, describer: Describer, joint: SharedRotations
) -> dict[str, Any]:
    """Return a joint with a wrong acceleration bias in Simbody, as a dictionary for the plugin."""
    rotation, origin = placement(joint.frame.findTransformInBaseFrame())
    table = kinematics.coordinates

    def angle(function: osim.Function, coordinate: int) -> dict[str, Any]:
        """Return a joint angle, a function of one coordinate, as a dictionary for the plugin."""
        low, high = table.ranges[coordinate]
        polynomial = read_function(function, low, high, MARGIN)
        if polynomial is None:
            raise ModelError(
                f"model '{model.getName()}': a rotation by coordinate '{table.names[coordinate]}', a "
                f"{function.getConcreteClassName()}, is not smooth or not finite over the range {low:.6g} to "
                f"{high:.6g}; the OpenSim plugin needs a smooth function there"
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

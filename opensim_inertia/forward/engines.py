"""Who computes the right-hand side of a simulation: this package, or OpenSim alone with the plugin's component."""

from __future__ import annotations

from dataclasses import replace

from .._opensim import osim
from ..checks import check_choice
from ..choices import ENGINES
from ..equations.problem import Problem
from ..equations.start import carry_over
from ..equations.system import System
from ..errors import OptionError
from ..inertial.native_dynamics import with_plugin
from ..native import is_loaded, load_library


def with_engine(engine: str, system: System, given: Problem) -> System:
    """Return equations that are the same, evaluated by an engine.

    Args:
        engine: one of :data:`~opensim_inertia.choices.ENGINES`.
        system: the equations.
        given: the problem as the user has stated it.

    Raises:
        OptionError: "native", and the plugin cannot serve the problem. PluginError: "native", and there is no plugin.
    """
    check_choice("engine", engine, ENGINES)
    if engine == "python" or (engine == "auto" and not is_loaded()):
        return system
    reason = obstacle(system, given)
    if reason and engine == "native":
        raise OptionError("engine", engine, f"'python' or 'auto', for {reason}")
    if reason:
        return system
    load_library()
    problem = system.problem
    inertial = with_plugin(problem.inertial)
    state = inertial.initial_state()
    assert problem.state is not None
    carry_over(problem.inertial.model, problem.state, inertial.model, state)
    return System(replace(problem, inertial=inertial, state=osim.State(state)))


def obstacle(system: System, given: Problem) -> str:
    """Return why the plugin cannot serve a problem; empty if it can."""
    if given.forces is not None:
        return "'forces' act besides the model's own"
    if callable(given.excitations):
        return "'excitations' are a function of states of 'inertial.model'"
    if system.inertial.wraps.opensim:
        return f"OpenSim leads the path of '{next(iter(system.inertial.wraps.opensim))}'"
    if not system.inertial.kinematics.knows_bias:
        return "a joint's acceleration is known by differences only"
    return ""

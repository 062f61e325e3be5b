"""Engines of a simulation's right-hand side: this package, or OpenSim alone with the plugin's component."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from ..._core.checks import check_choice
from ..._core.choices import ENGINES
from ..._core.errors import InertiaError, OptionError
from ..._core.opensim import osim
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.start import carry_over
from ...dynamics.equations.system import System
from ...model.native_dynamics import with_plugin
from ...model.plugin import is_loaded, load_library

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Engine:
    """An engine that computes accelerations."""

    name: str
    system: System
    note: str = ""


def with_engine(engine: str, system: System, problem: Problem) -> Engine:
    """Return equations that are the same, evaluated by an engine."""
    check_choice("engine", engine, ENGINES)
    if engine == "python" or (engine == "auto" and not is_loaded()):
        return Engine("python", system)
    reason = obstacle(system, problem)
    if reason and engine == "native":
        raise OptionError("engine", engine, f"'python' or 'auto', for {reason}")
    if not reason:
        try:
            return Engine("native", _by_plugin(system))
        except InertiaError as error:
            if engine == "native":
                raise
            reason = str(error)
    return Engine("python", system, without_plugin(reason))


def without_plugin(reason: str) -> str:
    """Return a note, which is logged too, that the plugin was not used for a reason."""
    note = f"the OpenSim plugin was not used, and the Python package computed accelerations instead: {reason}"
    _LOG.info("%s", note)
    return note


def _by_plugin(system: System) -> System:
    """Return the same equations, evaluated by OpenSim with the plugin's component."""
    load_library()
    problem = system.problem
    inertial = with_plugin(problem.inertial)
    state = inertial.initial_state()
    assert problem.state is not None
    carry_over(problem.inertial.model, problem.state, inertial.model, state)
    return System(replace(problem, inertial=inertial, state=osim.State(state)), system.seen)


def obstacle(system: System, problem: Problem) -> str:
    """Return why the plugin cannot serve a problem; empty if it can."""
    if system.swings is not None:
        return "mass swings"
    if problem.forces is not None:
        return "'forces' act besides the model's own"
    if callable(problem.excitations):
        return "'excitations' are a function of states of 'inertial.model'"
    if system.inertial.wraps.opensim:
        return f"OpenSim leads the path of '{next(iter(system.inertial.wraps.opensim))}'"
    if not system.inertial.kinematics.knows_bias:
        return "a joint's acceleration is known by differences only"
    return ""

"""A simulation as a differentiable function of its parameters."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from tqdm import tqdm

from .._opensim import osim
from ..arrays import Array
from ..equations.drives import Drive
from ..equations.linearization import Linearizer
from ..equations.projection import Projection
from ..equations.system import System
from ..errors import OptionError, UnknownNameError
from ..forward.integrators import FIXED
from ..forward.simulate import FIXED_STEP, NEWTON_ACCURACY, positive, start
from ..forward.trajectory import Trajectory
from ..inertial import InertialModel
from .adjoint import Sweep, Tape, pull_back
from .parameters import (
    AponeurosisLength,
    BellyPlacement,
    Context,
    Excitations,
    Forces,
    InitialCoordinates,
    MuscleMasses,
    Parameter,
    Properties,
    check_values,
)
from .shares import ExcitationShare, ForceShare, MapShare, MassShare, PropertyShare
from .systems import Systems

Values = Mapping[str, Any]

#: Steps of a simulation are kept while they take less than this [bytes]; beyond, they are made again from checkpoints.
MEMORY = 100e6


@dataclass(frozen=True)
class Run:
    """One simulation: its parameters' values, and what its gradient needs.

    Attributes:
        values: of every parameter.
        trajectory: states at the start and after every step.
        start: the state (ny,) before its projection on the constraints.
    """

    values: dict[str, Array]
    trajectory: Trajectory
    start: Array
    system: System
    tape: Tape


class DifferentiableSimulation:
    """A forward simulation with fixed steps whose outcome can be differentiated by what it depends on.

    The gradient is that of the discrete trajectory itself, by the adjoint of the integrator's steps (the discrete
    adjoint; Wang et al. 2022, sec. 4.7, use one for joint torques): it costs the same for any number of parameters,
    those of ``Properties`` that are no muscle's excepted. Called with tensors it is a function of PyTorch::

        arm = DifferentiableSimulation(inertial, {"torque": Forces(["shoulder", "elbow"])}, t_final=0.5)
        trajectory = arm(torque=torch.zeros(2, requires_grad=True))
        ((trajectory.marker("hand")[-1] - target) ** 2).sum().backward()

    Args:
        inertial: the model; it is not changed.
        parameters: what is varied, by names of your own: :class:`InitialCoordinates`, :class:`InitialSpeeds`,
            :class:`Forces`, :class:`Excitations`, :class:`MuscleMasses`, :class:`BellyPlacement`,
            :class:`AponeurosisLength`, :class:`Properties`.
        state, t_final, step, accuracy, external_loads, equilibrate: as :func:`simulate`. Muscles' states at the start
            are what they are before parameters are varied.
        integrator: "forward_euler", "bdf1" or "sdirk2"; see :func:`simulate`.
        excitations, forces: as :func:`simulate`, numbers or functions of time by name; besides those that are
            parameters.
        memory: steps are kept while they take less than this [bytes] (8 per state variable and stage); beyond, they
            are made again from checkpoints, at the price of one more simulation.
        progress: show bars; default: on a terminal.

    Raises:
        ModelError: names what of the model cannot be differentiated. OptionError: names a setting that cannot, or has
            a value that cannot be. UnknownNameError: something named is not in the model.
    """

    def __init__(
        self,
        inertial: InertialModel,
        parameters: Mapping[str, Parameter],
        state: osim.State | None = None,
        t_final: float = 1.0,
        integrator: str = "sdirk2",
        step: float | None = None,
        accuracy: float | None = None,
        *,
        excitations: Drive | None = None,
        forces: Drive | None = None,
        external_loads: str | os.PathLike[str] | None = None,
        equilibrate: bool | None = None,
        memory: float = MEMORY,
        progress: bool | None = None,
    ) -> None:
        if integrator not in FIXED:
            expected = ", ".join(f"'{name}'" for name in FIXED)
            raise OptionError("integrator", integrator, f"one whose steps are fixed, for gradients: {expected}")
        for option, drive in (("excitations", excitations), ("forces", forces)):
            if callable(drive):
                raise OptionError(option, drive, "numbers or functions of time, for gradients")
        self.inertial = inertial
        self.parameters = _check_parameters(parameters)
        self._method = FIXED[integrator]
        self._accuracy = positive("accuracy", accuracy, NEWTON_ACCURACY)
        self._memory = positive("memory", memory, MEMORY)
        self._show = progress if progress is not None else sys.stderr.isatty()
        system, t0, y = start(inertial, state, t_final, excitations, forces, external_loads, equilibrate)
        self._start = y
        begin = inertial.initial_state() if state is None else osim.State(state)
        begin.setTime(t0)
        begin.setY(osim.Vector.createFromMat(y))
        drives = system.drives
        controls = drives.controls(system.model, system.state)
        self.context = Context(system.inertial, begin, drives.control_names, controls)
        length = positive("step", step, FIXED_STEP)
        steps = max(1, int(np.ceil((t_final - t0) / length * (1 - 1e-9))))
        self.times = np.append(t0 + length * np.arange(steps), t_final)
        self.values = {}
        for name, parameter in self.parameters.items():
            self.values[name] = check_values(name, parameter, parameter.start(self.context))
        fixed = {"excitations": dict(excitations or {}), "forces": dict(forces or {})}  # type: ignore[arg-type]
        _check_overlap(self.parameters, fixed)
        self.simulations = self.gradients = 0
        self._systems = Systems(inertial, begin, t_final, self.parameters, self.values, fixed, external_loads)
        self._systems.at(self.values)

    # -- what users ask ------------------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """How many numbers are varied."""
        return sum(values.size for values in self.values.values())

    def run(self, values: Values | None = None) -> Run:
        """Simulate.

        Args:
            values: of the parameters; those not given have the values that the model and its state have.

        Raises:
            UnknownNameError: a name is no parameter. OptionError: a value cannot be. DivergenceError: the simulation
                runs away.
        """
        known = self._complete(values)
        system = self._systems.at(known)
        y = self._start.copy()
        for name, parameter in self.parameters.items():
            if isinstance(parameter, InitialCoordinates):
                y[parameter.entries(self.inertial)] = known[name]
        projected = system.project(float(self.times[0]), y)
        kept = 2 * 8 * len(y) * self._method.stage_count  # bytes of a step
        self.simulations += 1  # those that run away count, too
        tape = Tape(system, self._method, self.times, self._accuracy, int(self._memory // kept))
        states = [projected]
        with self._bar("simulation") as bar:
            for after in tape.record(projected):
                states.append(after)
                bar.update()
        return Run(known, Trajectory(system, self.times, np.stack(states)), y, system, tape)

    def gradient(self, run: Run, slopes: Array) -> dict[str, Array]:
        """An objective's gradient by every parameter.

        Args:
            run: what :meth:`run` gave.
            slopes: the objective's slopes over the trajectory's states (T, ny).
        """
        if slopes.shape != run.trajectory.y.shape:
            raise OptionError("slopes", slopes.shape, f"an array of shape {run.trajectory.y.shape}")
        self._systems.at(run.values)
        shares = {
            name: self._share(p, run) for name, p in self.parameters.items() if not isinstance(p, InitialCoordinates)
        }
        sweep = Sweep(Linearizer(run.system), list(shares.values()))
        projection = Projection(run.system, list(shares.values()))
        with self._bar("gradient") as bar:
            first = pull_back(run.tape, self._method, slopes, sweep, projection, bar.update)
        first = projection.pull_back(float(self.times[0]), run.start, first)
        self.gradients += 1
        result = {}
        for name, parameter in self.parameters.items():
            if isinstance(parameter, InitialCoordinates):
                result[name] = first[parameter.entries(self.inertial)]
            else:
                result[name] = shares[name].gradient
        return result

    def evaluate(
        self, objective: Callable[[Any], Any], values: Values | None = None
    ) -> tuple[float, dict[str, Array], Trajectory]:
        """An objective's value, its gradient by every parameter, and the simulation.

        Args:
            objective: a function of the :class:`TensorTrajectory` that gives a scalar tensor.
            values: of the parameters.

        Raises:
            OptionError: the objective gives something else, or does not depend on what is varied.
        """
        from .tensors import evaluate

        return evaluate(self, objective, self._complete(values))

    def check_jacobian(self, values: Values | None = None, rows: int = 3) -> float:
        """How far the right-hand side's Jacobian is from plain differences: the largest error, each column relative to
        its largest entry, at some states of a simulation.

        Columns in which nothing but rounding happens, and poses beside a kink of OpenSim's muscle paths, can tell large
        errors where there are none.

        Args:
            values: of the parameters.
            rows: how many states, evenly over the trajectory.
        """
        run = self.run(values)
        linearizer = Linearizer(run.system)
        which = np.unique(np.linspace(0, len(self.times) - 1, rows).round().astype(int))
        return max(float(linearizer.check(float(self.times[i]), run.trajectory.y[i]).max()) for i in which)

    def __call__(self, **tensors: Any) -> Any:
        """Simulate, as a function of PyTorch.

        Args:
            tensors: parameters by name, of their shapes; double precision. Those not given keep the values that the
                model and its state have.

        Returns:
            a :class:`TensorTrajectory`.
        """
        from .tensors import simulate_tensors

        return simulate_tensors(self, tensors)

    # -- inside --------------------------------------------------------------------------------------------------

    def _complete(self, values: Values | None) -> dict[str, Array]:
        for name in values or {}:
            if name not in self.parameters:
                raise UnknownNameError("parameter", name, self.parameters)
        given = values or {}
        return {
            name: check_values(name, p, given[name]) if name in given else self.values[name]
            for name, p in self.parameters.items()
        }

    def _share(self, parameter: Parameter, run: Run) -> Any:
        inertial = run.system.inertial
        if isinstance(parameter, Forces):
            return ForceShare(parameter, inertial)
        if isinstance(parameter, Excitations):
            return ExcitationShare(parameter, run.system.drives.control_names)
        if isinstance(parameter, MuscleMasses):
            return MassShare(list(parameter.names), inertial)
        if isinstance(parameter, BellyPlacement | AponeurosisLength):
            return MapShare(list(parameter.names), parameter.directions(inertial), inertial)
        assert isinstance(parameter, Properties)
        name = next(n for n, p in self.parameters.items() if p is parameter)
        return PropertyShare(
            parameter.bound(self.inertial.original_model()),
            run.values[name],
            lambda moved: self._systems.moved(run.values, name, moved),
            inertial,
        )

    def _bar(self, what: str) -> Any:
        return tqdm(total=len(self.times) - 1, disable=not self._show, unit="step", desc=what, leave=False)


def _check_parameters(parameters: Any) -> dict[str, Parameter]:
    if not isinstance(parameters, Mapping) or not parameters:
        raise OptionError("parameters", parameters, "a dict of parameters by name")
    for name, parameter in parameters.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise OptionError("parameters", name, "names that Python accepts as such")
        if not isinstance(parameter, Parameter) or type(parameter) is Parameter:
            raise OptionError(f"parameters['{name}']", parameter, "Forces, Excitations, InitialCoordinates and so on")
    return dict(parameters)


def _check_overlap(parameters: dict[str, Parameter], fixed: dict[str, dict[str, Any]]) -> None:
    """Nothing may be driven or varied twice."""
    seen: dict[tuple[type, str], str] = {}
    for option, kind in (("excitations", Excitations), ("forces", Forces)):
        seen.update({(kind, name): option for name in fixed[option]})
    for name, parameter in parameters.items():
        for what in parameter.names:
            key = (type(parameter), what)
            if key in seen:
                raise OptionError(f"parameters['{name}']", what, f"something that '{seen[key]}' does not give already")
            seen[key] = name

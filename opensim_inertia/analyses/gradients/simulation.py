"""The differentiable simulation."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import check_names, shows_bar, silenced
from ..._core.errors import OptionError
from ..._core.opensim import osim
from ..._core.representation import Described
from ..._core.warnings import LoadsRangeWarning
from ...dynamics.equations.derivatives import Derivatives, Differentiator, Projection, check_differentiable
from ...dynamics.equations.problem import Problem, check_problem
from ...dynamics.equations.start import resolved, start
from ...dynamics.equations.system import System
from ...dynamics.integrators import INTEGRATORS, DifferentiableIntegrator, FixedStep, Integrator, Stage, as_integrator
from ..forward_simulation.steppers import FixedSteps
from ..forward_simulation.trajectory import RunRecord, Trajectory
from .interface import Context, Contribution, Draft, Parameter, Run, Simulated, check_values


class _StageAdjoint:
    """Adjoint of an integrator's stages that also adds each stage's term to all parameters' gradients."""

    def __init__(self, system: System, contributions: Sequence[Contribution]) -> None:
        self._differentiator, self._contributions = Differentiator(system), contributions
        self._controls = any(contribution.needs_controls for contribution in contributions)

    def explicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        at = self._differentiator.at(*stage, controls=self._controls)
        self._contribute(stage, at, weight * cotangent)
        return np.asarray(weight * (at.jacobian.T @ cotangent))

    def implicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        at = self._differentiator.at(*stage, controls=self._controls)
        matrix = np.eye(len(cotangent)) - weight * at.jacobian.T
        solution = np.asarray(np.linalg.solve(matrix, cotangent), dtype=np.float64)
        self._contribute(stage, at, weight * solution)
        return solution

    def _contribute(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        for contribution in self._contributions:
            contribution.add_rates(stage, at, cotangent)


Values = Mapping[str, Any]


class DifferentiableSimulation(Described):
    """A forward simulation with fixed steps, differentiable by its parameters.

    The gradient is that of the discrete trajectory, by the adjoint of the integrator's steps (discrete adjoint; Wang et
    al. 2022, sec. 4.7, use one for joint torques). Its cost does not depend on the number of parameters, except for
    ``Properties`` of other components than muscles. With tensors it is a function of PyTorch::

        problem = Problem(inertial, t_final=0.5)
        arm = DifferentiableSimulation(problem, {"torque": Forces(["shoulder", "elbow"])}, SDIRK2(step=5e-3))
        trajectory = arm(torque=torch.zeros(2, requires_grad=True))
        ((trajectory.marker("hand")[-1] - target) ** 2).sum().backward()

    Args:
        problem: the problem, see :func:`simulate`; its model is not changed. Excitations and forces are numbers or
            functions of time by name, besides those that are parameters. There is no ``control``, and rotations are
            "euler". Initial muscle states do not follow the parameters.
        parameters: parameters by names of your choice: :class:`InitialCoordinates`, :class:`InitialSpeeds`,
            :class:`Forces`, :class:`Excitations`, :class:`MuscleMasses`, :class:`BellyPlacement`,
            :class:`AponeurosisLength`, :class:`Properties`; or a class of your own, see
            :class:`~opensim_inertia.gradients.Parameter`.
        integrator: an integrator with fixed steps, or its name; see :func:`simulate`.
        progress: show bars; default: on a terminal.

    Raises:
        ModelError: a part of the model is not differentiable. OptionError: a setting is not differentiable or invalid.
            UnknownNameError: a name is not in the model.
    """

    def __init__(
        self,
        problem: Problem,
        parameters: Mapping[str, Parameter],
        integrator: Integrator | DifferentiableIntegrator = "sdirk2",
        *,
        progress: bool | None = None,
    ) -> None:
        self._method = _differentiable(integrator)
        check_problem(problem)
        _check_drives(problem)
        self.inertial = inertial = problem.inertial
        self.parameters = _check_parameters(parameters)
        self._show = shows_bar(progress)
        system, t0, y = start(problem)
        state, t_final, length = problem.first_state, problem.t_final, self._method.step
        begin = inertial.initial_state() if state is None else inertial.dynamics.copy_state(state)
        begin.setTime(t0)
        begin.setY(osim.Vector.createFromMat(y))
        drives = system.drives
        controls = drives.controls(system.model, system.state)
        self.context = Context(system.problem.inertial, begin, drives.control_names, controls)
        steps = max(1, int(np.ceil((t_final - t0) / length * (1 - 1e-9))))
        self.times = np.append(t0 + length * np.arange(steps), t_final)
        self.values = {}
        for name, parameter in self.parameters.items():
            self.values[name] = check_values(name, parameter, parameter.start(self.context))
        _check_overlap(self.parameters, {"excitations": problem.excitations, "forces": problem.forces})
        self.simulations = self.gradients = 0
        self._problem = replace(problem, state=begin, equilibrate=False)
        self._built: tuple[bytes, System] | None = None
        self._at(self.values)

    def description(self) -> Mapping[str, str]:
        """Return the parameters, the time span and the steps as text."""
        parameters = (
            f"{name} ({type(p).__name__}, {' x '.join(map(str, p.shape))})" for name, p in self.parameters.items()
        )
        return {
            "parameters": ", ".join(parameters),
            "numbers": str(self.size),
            "time": f"{self.times[0]:.6g} to {self.times[-1]:.6g} s",
            "steps": str(len(self.times) - 1),
            "integrator": self._method.name,
            "done": f"{self.simulations} simulations, {self.gradients} gradients",
        }

    @property
    def size(self) -> int:
        """Number of scalar parameters in all parameter arrays."""
        return sum(values.size for values in self.values.values())

    def run(self, values: Values | None = None) -> Run:
        """Simulate, and keep the data for a gradient.

        Args:
            values: values of parameters; others keep the model's values.

        Raises:
            UnknownNameError: a parameter is unknown. OptionError: a value is invalid. DivergenceError: the simulation
                diverges.
        """
        known = self._complete(values)
        system, y = self._at(known)
        projected = system.project(float(self.times[0]), y)
        self.simulations += 1  # also those that diverge
        steps, states = [], [projected]
        stepper = FixedSteps(self._method, system, float(self.times[0]), projected)
        with self._bar("simulation") as bar:
            for before, end in itertools.pairwise(self.times.tolist()):
                stepper.step_to(end)
                steps.append((end - before, stepper.stages, stepper.landed))
                states.append(stepper.y)
                bar.update()
        system.seen.warn()
        record = RunRecord(self._method.name, self._method, system.evaluations)
        return Run(known, Trajectory.of(system, self.times, np.stack(states), record), y, system, tuple(steps))

    def gradient(self, run: Run, cotangents: Array) -> dict[str, Array]:
        """Return an objective's gradient with respect to every parameter, by name.

        Args:
            run: the result of :meth:`run`.
            cotangents: derivatives of the objective with respect to the trajectory's states (T, ny).
        """
        if cotangents.shape != run.trajectory.y.shape:
            raise OptionError("cotangents", cotangents.shape, f"an array of shape {run.trajectory.y.shape}")
        contributions = {}
        for name, parameter in self.parameters.items():
            with_values = partial(self._with_values, run.values, name)
            contributions[name] = parameter.vjp(Simulated(run.system, run.values[name], with_values))
        every = list(contributions.values())

        def add_projection(t: float, q: Array, correction: Array, of_forces: Array) -> None:
            for contribution in every if correction.any() else ():
                contribution.add_projection(t, q, correction, of_forces)

        stage_vjp, projection = _StageAdjoint(run.system, every), Projection(run.system, add_projection)
        cotangent = cotangents[-1]
        with self._bar("gradient") as bar:
            for (length, stages, landed), at_start in zip(reversed(run.steps), cotangents[-2::-1], strict=True):
                cotangent = projection.vjp(*landed, cotangent)
                cotangent = at_start + self._method.vjp(length, stages, cotangent, stage_vjp)
                bar.update()
        cotangent = projection.vjp(float(self.times[0]), run.start, cotangent)
        for contribution in every:
            contribution.add_start(cotangent)
        self.gradients += 1
        return {name: contribution.gradient for name, contribution in contributions.items()}

    def evaluate(
        self, objective: Callable[[Any], Any], values: Values | None = None
    ) -> tuple[float, dict[str, Array], Trajectory]:
        """Return an objective's value, its gradient by parameter name, and the simulation.

        Args:
            objective: a function of the :class:`TensorTrajectory` that returns a scalar tensor.
            values: values of parameters.

        Raises:
            OptionError: the objective is no scalar, or does not depend on the parameters.
        """
        from .tensors import evaluate

        return evaluate(self, objective, self._complete(values))

    def __call__(self, **tensors: Any) -> Any:
        """Simulate with PyTorch tensors as parameters.

        Args:
            tensors: parameters by name, in double precision; others keep the model's values.

        Returns:
            a :class:`TensorTrajectory`.
        """
        from .tensors import simulate_tensors

        return simulate_tensors(self, tensors)

    def _complete(self, values: Values | None) -> dict[str, Array]:
        check_names("parameter", values or {}, self.parameters)
        values = values or {}
        return {
            name: check_values(name, p, values[name]) if name in values else self.values[name]
            for name, p in self.parameters.items()
        }

    def _at(self, values: Mapping[str, Array]) -> tuple[System, Array]:
        """Return the equations for given parameter values, and the initial state (ny,) before projection."""
        key = b"".join(values[name].tobytes() for name, p in self.parameters.items() if p.rebuilds)
        if self._built is None or self._built[0] != key:
            self._built = key, self._build(values)
        return self._driven(self._built[1], values)

    def _with_values(self, values: Mapping[str, Array], name: str, others: Array) -> System:
        """Return the equations for ``values``, except that the parameter ``name`` has the values ``others``."""
        changed = {**values, name: others}
        return self._driven(self._build(changed), changed)[0]

    def _build(self, values: Mapping[str, Array]) -> System:
        """Return the equations of a new model, changed by all parameters that need a new model (``rebuilds``)."""
        draft = Draft(self._problem)
        for name, parameter in self.parameters.items():
            if parameter.rebuilds and not np.array_equal(values[name], self.values[name]):
                parameter.apply(values[name], draft)
        with silenced(LoadsRangeWarning):  # already given for the problem
            ready = resolved(draft.finished())
        check_differentiable(ready.inertial)
        return System(ready)

    def _driven(self, built: System, values: Mapping[str, Array]) -> tuple[System, Array]:
        """Return the equations ``built``, changed by parameters that need no new model, and the initial state (ny,)."""
        draft = Draft(built.problem)
        for name, parameter in self.parameters.items():
            if not parameter.rebuilds:
                parameter.apply(values[name], draft)
        system = built.driven(draft.finished())
        system.seen = built.seen.again()
        return system, draft.y

    def _bar(self, what: str) -> Any:
        return tqdm(total=len(self.times) - 1, disable=not self._show, unit="step", desc=what, leave=False)


def _differentiable(integrator: Integrator | DifferentiableIntegrator) -> FixedStep:
    """Return an integrator, given itself or its name; OptionError if it is not differentiable."""
    kind = type(integrator) if isinstance(integrator, Integrator) else INTEGRATORS.get(integrator)
    if kind is None or not issubclass(kind, FixedStep):
        expected = ", ".join(f"'{name}'" for name, other in INTEGRATORS.items() if issubclass(other, FixedStep))
        raise OptionError("integrator", integrator, f"one whose steps are fixed, for gradients: {expected}")
    method = as_integrator(integrator)
    assert isinstance(method, FixedStep)
    return method


def _check_drives(problem: Problem) -> None:
    """Raise :class:`OptionError` if a problem is not differentiable."""
    if problem.rotations != "euler":
        expected = "'euler', for gradients are with respect to OpenSim's coordinates"
        raise OptionError("rotations", problem.rotations, expected)
    if problem.control is not None:
        raise OptionError("control", problem.control, "none, for gradients")
    for option, drive in (("excitations", problem.excitations), ("forces", problem.forces)):
        if callable(drive):
            raise OptionError(option, drive, "numbers or functions of time, for gradients")


def _check_parameters(parameters: Any) -> dict[str, Parameter]:
    if not isinstance(parameters, Mapping) or not parameters:
        raise OptionError("parameters", parameters, "a dict of parameters by name")
    for name, parameter in parameters.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise OptionError("parameters", name, "names that Python accepts as such")
        if not isinstance(parameter, Parameter):
            raise OptionError(f"parameters['{name}']", parameter, "Forces, Excitations, InitialCoordinates and so on")
    return dict(parameters)


def _check_overlap(parameters: Mapping[str, Parameter], drives: Mapping[str, Any]) -> None:
    """Raise :class:`OptionError` if two parameters, or a parameter and the problem, set the same signal or property."""
    sources = {(quantity, name): quantity for quantity, signals in drives.items() for name in signals or ()}
    for name, parameter in parameters.items():
        for what in parameter.names:
            key = (parameter.quantity or type(parameter).__name__, what)
            if key in sources:
                expected = f"something that '{sources[key]}' does not give already"
                raise OptionError(f"parameters['{name}']", what, expected)
            sources[key] = name

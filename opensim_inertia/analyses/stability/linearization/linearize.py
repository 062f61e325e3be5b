"""Linearization of a model with inertial muscles at a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...._core.arrays import Array
from ...._core.checks import warn
from ...._core.errors import ModelError, OptionError
from ...._core.opensim import osim
from ...._core.warnings import OffEquilibriumWarning
from ....dynamics.control import Control
from ....dynamics.control.system import ControlledSystem, initial_history
from ....dynamics.equations.derivatives import Differentiator
from ....dynamics.equations.differences import CONTROL_STEP, central
from ....dynamics.equations.differentiable import check_differentiable
from ....dynamics.equations.drives import Drive
from ....dynamics.equations.point_forces import PointForce, PointForces
from ....dynamics.equations.problem import Problem
from ....dynamics.equations.start import start
from ....dynamics.equations.system import System
from ....model import InertialModel
from ....model.arguments import check_inertial, check_moves, check_state
from .closing import closed
from .result import Linearization
from .scene import Scene
from .short_range import ShortRangeStiffness, check_stiffness, constrained_inverse
from .tangent import tangent_at

__all__ = ["linearize"]

#: A state variable that changes faster than this [its unit per second] is not in equilibrium.
EQUILIBRIUM = 1e-5
#: Step relative to 1 + size, where a whole right-hand side is differenced.
PLAIN_STEP = 1e-5


def linearize(
    inertial: InertialModel,
    state: osim.State,
    excitations: Drive | None = None,
    *,
    forces: Mapping[str, float] | None = None,
    point_forces: Mapping[str, PointForce | Sequence[PointForce]] | None = None,
    control: Control | None = None,
    intrinsic_stiffness: float = 0.0,
) -> Linearization:
    """Linearise a model with inertial muscles at a state, with the states of muscles and controllers.

    Accelerations are those with the muscles' mass, M + dM and h. Where constraints act, the result is on their tangent.
    Derivatives at kinks are the mean of both sides, as that of Thelen's force-velocity curve at rest; those of
    activation dynamics are taken where the excitation exceeds the activation.

    Args:
        inertial: the model.
        state: the state, one of ``inertial.model``, which is moved onto the constraints; an equilibrium
            (:func:`equilibrate`) if the stability of a posture is asked for.
        excitations: of muscles and other actuators, as in :func:`simulate`; those not named are what the model's
            controllers or defaults say.
        forces: generalized forces [N m or N] by coordinate that act besides, those of ``point_forces`` included.
        point_forces: of these, forces that are constant at points of bodies, as :func:`equilibrate` takes them; their
            generalized forces change with the pose.
        control: a control around the model, as in :func:`simulate`: its states join those of the model, and its delays
            make the result one with delays. It is linearised at its initial states, the state having been the same for
            ever. Give ``excitations`` beside it as numbers or functions of time.
        intrinsic_stiffness: the stiffness of active fibres to short stretches gamma, in largest isometric forces per
            optimal fibre length and unit of activation (Bunderson et al. 2012, fig. 2); it adds to what the muscle
            model knows.

    Warns:
        OffEquilibriumWarning: the state is not in equilibrium.

    Raises:
        UnknownNameError: an actuator or coordinate is not in the model. OptionError: the stiffness is no number of at
            least zero. SimulationError: the constraints cannot be met, or the state cannot be evaluated. ModelError:
            the state is another model's, or the model has no coordinates.
    """
    check_inertial(inertial)
    check_state(state)
    check_moves(inertial)
    gamma = check_stiffness(intrinsic_stiffness)
    time = state.getTime()
    problem = Problem(inertial, state, time + 1.0, excitations, forces, equilibrate=False)
    system, t, y = start(problem)
    looped = None
    if control is not None:
        if callable(excitations):
            raise OptionError("excitations", excitations, "numbers or functions of time by actuator beside a control")
        looped = ControlledSystem(system, control, initial_history(system, control, t, y))
        constant = looped.control.excitations(t, looped.stored(t, looped.history.at(t)), looped.past)
        system = system.driven(replace(system.problem, excitations={**(excitations or {}), **constant}))
    jacobian, controls = derivatives(system, t, y, PointForces(system.model, point_forces))
    if gamma:
        jacobian = jacobian + gamma * ShortRangeStiffness(system, t, y).total()
    system.seen.warn()
    plain = labelled(system, t, y, jacobian, controls)
    return plain if looped is None else closed(plain, looped, t, np.concatenate([y, looped.initial()]))


class Chart:
    """The independent state variables near a state, by which all others are known.

    Args:
        system: the equations.
        t: the time [s].
        y: the state (ny,), which meets the constraints.

    Attributes:
        state_names, basis, variable_names: as of :class:`Linearization`.
        named: the entries of y that are state variables.
    """

    def __init__(self, system: System, t: float, y: Array) -> None:
        tangent = tangent_at(system, t, y)
        idle = _idle_states(system)
        kept = [k for k, i in enumerate(tangent.independent.tolist()) if i not in idle]
        self.named = sorted(system.layout.order.tolist())
        self.chosen, self._basis = tangent.independent[kept], tangent.basis[:, kept]
        self.basis = self._basis[self.named]
        self.state_names = tuple(system.layout.path(i) for i in self.chosen.tolist())
        self.variable_names = tuple(system.layout.path(i) for i in self.named)

    def matrix(self, jacobian: Array) -> Array:
        """Return the derivatives (n, n) of the independent variables' rates, from those of all (ny, ny)."""
        return np.asarray((jacobian @ self._basis)[self.chosen])


def labelled(system: System, t: float, y: Array, jacobian: Array, controls: Array) -> Linearization:
    """Return the derivatives (ny, ny) and (ny, nc) of a system's right-hand side on the tangent, with names.

    Warns:
        OffEquilibriumWarning: the state is not in equilibrium.
    """
    chart = Chart(system, t, y)
    rates = system.rhs(t, y)[chart.named]
    worst = int(np.argmax(np.abs(rates)))
    if np.abs(rates[worst]) > EQUILIBRIUM:
        warn(
            OffEquilibriumWarning(
                f"the state is not in equilibrium: '{chart.variable_names[worst]}' changes at a rate of "
                f"{rates[worst]:.3g} per second; equilibrate() gives a state that is, and the excitations that hold it"
            )
        )
    return Linearization(
        A=chart.matrix(jacobian),
        B=controls[chart.chosen],
        state_names=chart.state_names,
        input_names=tuple(system.drives.control_names),
        basis=chart.basis,
        variable_names=chart.variable_names,
        time=t,
        state=y[chart.named],
        residual=float(np.abs(rates[worst])),
        scene=Scene(system.problem.inertial, system.set_state(t, y)),
    )


def derivatives(system: System, t: float, y: Array, pushes: PointForces) -> tuple[Array, Array]:
    """Return df/dy (ny, ny) and df/d(controls) (ny, nc), point forces being among those that act."""
    try:
        check_differentiable(system.inertial)
    except ModelError:
        jacobian, controls = _differenced(system, t, y)
    else:
        at = Differentiator(system, fine=True).at(t, y, controls=True)
        assert at.controls is not None
        jacobian, controls = at.jacobian, at.controls
    return (jacobian + _stiffness_of_pushes(system, t, y, pushes) if len(pushes) else jacobian), controls


def _stiffness_of_pushes(system: System, t: float, y: Array, pushes: PointForces) -> Array:
    """Return what the change of the generalized forces of point forces with the pose adds to df/dy (ny, ny)."""
    result = np.zeros((len(y), len(y)))
    inverse = constrained_inverse(system, t, y).forces
    for i in system.layout.coordinates.slots.tolist():
        change = central(lambda x: pushes.at(system.set_state(t, x)), y, i, PLAIN_STEP * (1 + abs(y[i])))
        result[system.speeds, i] = inverse @ change
    return result


def _differenced(system: System, t: float, y: Array) -> tuple[Array, Array]:
    """Return the same by differencing the right-hand side, where paths or controllers of OpenSim want that."""
    J = [central(lambda x: system.rhs(t, x), y, i, PLAIN_STEP * (1 + abs(y[i]))) for i in range(len(y))]
    B = np.zeros((len(y), len(system.drives.control_names)))
    for i in range(B.shape[1]):
        ends = [system.rates_with(t, y, {i: sign * CONTROL_STEP}) for sign in (1.0, -1.0)]
        B[:, i] = (ends[0] - ends[1]) / (2 * CONTROL_STEP)
    return np.column_stack(J), B


def _idle_states(system: System) -> set[int]:
    """Return the entries of y that are states of forces which are switched off."""
    idle = [force for force in system.model.getForceSet() if not force.appliesForce(system.state)]
    return {i for force in idle for i in system.layout.within(force.getAbsolutePathString())}

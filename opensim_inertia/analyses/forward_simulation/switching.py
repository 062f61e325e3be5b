"""The automatic integrator: which one a model's equations want, and the change between two of them on the way.

Muscles at rest are stiff, and there "bdf" takes far fewer evaluations than "rk45". Elsewhere it takes more, most of all
where the right-hand side has kinks, as where paths come to touch wrap objects or slip over them: a multistep method
begins anew after each. So "rk45" goes first; "bdf" follows where stability limits the steps, and gives way again where
it takes more evaluations for the same time. "dop853" takes the longest steps of smooth equations, and loses the most
evaluations with each step that a kink spoils.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
from scipy.integrate import RK45

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...dynamics.equations.system import System
from ...dynamics.integrators import BDF, DOP853, Automatic, RungeKutta45, SciPyIntegrator
from ...opensim_model.reading import model_muscles
from .steppers import SciPySteps

#: The equations are stiff if, of the last steps of "rk45", the median of their length times the largest rate of the
#: equations is above this: stability limits them at 3.3, about which steps are tried and rejected.
STABILITY = 1.5
#: How many steps those are.
STEPS = 15
#: Evaluations that "bdf" may lose on "rk45": for its start, and per state variable for its Jacobians. After so many
#: times as many they are compared anew.
START, PER_STATE, COMPARED = 50, 2, 3


def automatic(method: Automatic, system: System, t: float, y: Array, end: float) -> SciPySteps | Switching:
    """Return the automatic integrator's steps: "dop853" where nothing is stiff or has kinks, else :class:`Switching`.

    Args:
        method: its options.
        system: the equations.
        t: time at the start [s].
        y: the state there (ny,).
        end: the time [s] at which it must stop first.
    """
    if may_be_stiff(system):
        return Switching(method, system, t, y, end)
    return SciPySteps(DOP853(method.step, method.accuracy), system, t, y, end)


def may_be_stiff(system: System) -> bool:
    """Return whether equations may be stiff or have kinks.

    Those of muscles with states, contacts, wrap objects and mass that swings, which may do so fast, can.
    """
    if system.swings is not None:
        return True
    forces = [force for force in system.model.getForceSet() if force.appliesForce(system.state)]
    acts = any(muscle.appliesForce(system.state) for muscle in model_muscles(system.model).values())
    return (acts and system.state.getNZ() > 0) or any(_touches(force) for force in forces)


def _touches(force: osim.Force) -> bool:
    """Return whether a force acts at contacts, or along a path that has wrap objects."""
    if force.hasProperty("contact_parameters") or force.hasProperty("transition_velocity"):
        return True
    if not force.hasProperty("path"):
        return False
    path = osim.GeometryPath.safeDownCast(force.getPropertyByName("path").getValueAsObject())
    return path is not None and path.getWrapSet().getSize() > 0


class Switching:
    """Steps of "rk45", and of "bdf" while the equations are stiff.

    Args:
        method, system, t, y, end: those of :func:`automatic`.

    Attributes:
        name: the integrators that have made steps, "rk45" or "rk45 and bdf".
    """

    def __init__(self, method: Automatic, system: System, t: float, y: Array, end: float) -> None:
        self.system = system
        self._explicit = RungeKutta45(method.step, method.accuracy)
        self._stiff = BDF(method.step, method.accuracy)
        self.name = self._explicit.name
        self._end = end
        self._steps = STEPS  # of rk45 that are looked at
        self._stiff_cost = np.inf  # of rk45, evaluations per second
        self._begin(self._explicit, t, y)

    @property
    def t(self) -> float:
        """The time at which it stands [s]."""
        return self._stepper.t

    @property
    def y(self) -> Array:
        """The state there (ny,)."""
        return self._stepper.y

    def step(self, end: float) -> None:
        """Make one step, as long as the accuracy allows."""
        if self._method is self._stiff:
            self._compare()
        elif len(self._stiffness) == self._steps and np.median(self._stiffness) > STABILITY:
            seconds, evaluations = self._passed()
            self._stiff_cost = evaluations / seconds
            self.name = f"{self._explicit.name} and {self._stiff.name}"
            self._begin(self._stiff, self.t, self.y)
        self._stepper.step(end)
        if self._method is self._explicit:
            self._stiffness.append(_stiffness(self._stepper.solver))
            self._counts.append((self.t, self.system.evaluations))

    def within(self, times: Array) -> Array:
        """Return states (T, ny) at times within the last step."""
        return self._stepper.within(times)

    def go_on(self, end: float, anew: bool) -> None:
        """Turn to another end, see :class:`~.steppers.Stepper`."""
        self._end = end
        self._stepper.go_on(end, anew)

    def interpolant(self) -> Callable[[float], Array]:
        """Return the function that gives states (ny,) within the last step."""
        return self._stepper.interpolant()

    def _begin(self, method: SciPyIntegrator, t: float, y: Array) -> None:
        self._counts = deque([(t, self.system.evaluations)], maxlen=1 + self._steps)
        self._stiffness: deque[float] = deque(maxlen=self._steps)
        self._method = method
        self._stepper = SciPySteps(method, self.system, t, y, self._end)

    def _compare(self) -> None:
        """Go back to rk45 if bdf has become dearer; more steps must then be stiff before bdf is tried again."""
        seconds, evaluations = self._passed()
        loss = START + PER_STATE * len(self.y)
        if evaluations > self._stiff_cost * seconds + loss:
            self._steps *= 2
            self._begin(self._explicit, self.t, self.y)
        elif evaluations > COMPARED * loss:
            self._counts = deque([(self.t, self.system.evaluations)])

    def _passed(self) -> tuple[float, int]:
        """Return the simulated time [s] since the first of the counts, and the evaluations."""
        t, count = self._counts[0]
        return self.t - t, self.system.evaluations - count


def _stiffness(solver: RK45) -> float:
    """Return the length of the last step times the largest rate of the equations that it has met.

    The last two stages are at the same time, so that their rates differ by what their states do.
    """
    K, weight = solver.K, 1 / (solver.atol + solver.rtol * np.abs(solver.y))
    states = np.linalg.norm(weight * (K[:6].T @ solver.B - K[:5].T @ solver.A[5, :5]))  # per length of the step
    return float(np.linalg.norm(weight * (K[6] - K[5])) / states) if states > 0 else 0.0

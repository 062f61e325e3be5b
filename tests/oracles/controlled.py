"""A pendulum with a motor, and controls for it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

MASS, LENGTH, INERTIA, GRAVITY = 1.0, 0.5, 0.1, 9.80665


def pendulum() -> oi.InertialModel:
    """A rod that hangs from a pin at q = 0, with a motor of 1 N m per unit of excitation."""
    model = osim.Model()
    model.setGravity(osim.Vec3(0.0, -GRAVITY, 0.0))
    rod = osim.Body("rod", MASS, osim.Vec3(0.0, -LENGTH, 0.0), osim.Inertia(INERTIA, INERTIA, INERTIA))
    model.addBody(rod)
    zero = osim.Vec3(0.0)
    pin = osim.PinJoint("pin", model.getGround(), zero, zero, rod, zero, zero)
    pin.updCoordinate().setName("q")
    model.addJoint(pin)
    motor = osim.CoordinateActuator("q")
    motor.setName("motor")
    motor.setOptimalForce(1.0)
    model.addForce(motor)
    model.finalizeConnections()
    return oi.InertialModel(model, {})


def standing_at(inertial: oi.InertialModel, q: float) -> osim.State:
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.array([q]))
    return state


class Echo:
    """dx/dt = -x(t - 1) from x = 1, whose solution is a polynomial between whole seconds."""

    state_names: Sequence[str] = ("x",)
    delays: Sequence[float] = (1.0,)

    def initial(self) -> Any:
        return [1.0]

    def rates(self, t: float, signals: Any, past: Any) -> Any:
        return [-past(1.0)["x"]]

    def excitations(self, t: float, signals: Any, past: Any) -> Mapping[str, float]:
        return {}


def echo(times: np.ndarray) -> np.ndarray:
    """The solution at times (T,): sum_k (-1)^k (t - k + 1)^k / k! over all k with k - 1 < t."""
    total = np.zeros(len(times))
    factor = 1.0
    for k in range(int(times.max()) + 2):
        factor = factor / k if k else 1.0
        total += np.where(times - k + 1 >= 0, (-1.0) ** k * factor * (times - k + 1) ** k, 0.0) if k else 1.0
    return total

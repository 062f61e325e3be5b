"""Stock forward simulation: OpenSim's Manager, with muscles driven by a PrescribedController."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from opensim_inertia._core.opensim import osim

from .finite_differences import Array


@dataclass(frozen=True)
class Wave:
    """offset + amplitude sin(rate t + phase): the same number in Python and, as a function of OpenSim's, in C++."""

    amplitude: float
    rate: float
    phase: float
    offset: float

    def __call__(self, t: float) -> float:
        return self.amplitude * float(np.sin(self.rate * t + self.phase)) + self.offset

    def function(self) -> osim.Function:
        return osim.Sine(self.amplitude, self.rate, self.phase, self.offset)


def gentle_waves(names: Sequence[str]) -> dict[str, Callable[[float], float]]:
    """Excitations between 0.02 and 0.1, each at its own rate and phase."""
    return {name: Wave(0.04, 7.0 + 0.1 * i, 0.4 * i, 0.06) for i, name in enumerate(names)}


def manager_states(
    model: osim.Model, state: osim.State, times: Sequence[float], accuracy: float, excitations: Mapping[str, Wave]
) -> Array:
    """States (T, ny) at increasing times, from a state of ``model``, which is copied, as is the state."""
    copy = osim.Model(model)
    if excitations:
        drive = osim.PrescribedController()
        drive.setName("drive")
        for name in excitations:
            drive.addActuator(copy.getMuscles().get(name))
        for name, wave in excitations.items():
            drive.prescribeControlForActuator(name, wave.function())
        copy.addController(drive)
        drive.thisown = False
    start = copy.initSystem()
    start.setTime(state.getTime())
    start.setY(state.getY())  # before the locks, which keep the values of now
    for original, copied in zip(model.getCoordinateSet(), copy.getCoordinateSet(), strict=True):
        copied.setLocked(start, original.getLocked(state))
    for i in range(model.getForceSet().getSize()):
        copy.getForceSet().get(i).setAppliesForce(start, model.getForceSet().get(i).appliesForce(state))
    manager = osim.Manager(copy)
    manager.setIntegratorMethod(osim.Manager.IntegratorMethod_RungeKuttaMerson)
    manager.setIntegratorAccuracy(accuracy)  # setting the method resets it
    manager.setWriteToStorage(False)
    manager.initialize(start)
    states = []
    for time in times:
        reached = manager.integrate(float(time))
        states.append(reached.getY().to_numpy().copy())
    return np.stack(states)

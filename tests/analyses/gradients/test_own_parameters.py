"""Kinds of parameters that the package does not know: made up here, differentiated against differences."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import opensim as osim
import pytest
from oracles import limbs
from oracles.gradients import errors
from oracles.integrators import FIXED, fixed_step

import opensim_inertia as oi
from opensim_inertia.analyses.gradients import Contribution, Parameter

EXACT = 1e-6  # Relative; measured 1e-9 for the frequency, 1e-8 for gravity, whose rates are differenced
AMPLITUDE = 3.0  # N m


@dataclass(frozen=True)
class Frequency(Parameter):
    """Angular frequencies [rad/s] of torques on coordinates, in which the torques are not linear."""

    quantity: ClassVar[str] = "forces"
    rebuilds: ClassVar[bool] = False

    def start(self, context) -> np.ndarray:
        return np.full(len(self.names), 30.0)

    def check(self, values) -> None:
        if (values <= 0).any():
            raise oi.errors.OptionError("Frequency", values.tolist(), "positive numbers")

    def apply(self, values, draft) -> None:
        for name, w in zip(self.names, values.tolist(), strict=True):
            draft.forces[name] = lambda t, w=w: AMPLITUDE * np.sin(w * t)

    def vjp(self, simulated) -> Contribution:
        names = simulated.system.layout.coordinate_names
        which, values = [names.index(name) for name in self.names], simulated.values

        class Collected(Contribution):
            def add_rates(self, stage, at, cotangent) -> None:
                t = stage[0]
                self.gradient += at.force_vjp(cotangent)[which] * AMPLITUDE * t * np.cos(values * t)

        return Collected(self.shape)


@dataclass(frozen=True)
class Gravity(Parameter):
    """The acceleration of gravity downwards [m/s^2], a number of the model; in a unit made up, too."""

    names: str = "gravity"

    @staticmethod
    def of(model) -> float:
        return -model.getGravity().get(1)

    def start(self, context) -> np.ndarray:
        return np.array([self.of(context.inertial.original_model())])

    def apply(self, values, draft) -> None:
        draft.model.setGravity(osim.Vec3(0.0, -float(values[0]), 0.0))

    def vjp(self, simulated) -> Contribution:
        h = 1e-3
        ends = [simulated.with_values(simulated.values + sign * h) for sign in (1.0, -1.0)]

        class Collected(Contribution):
            def add_rates(self, stage, at, cotangent) -> None:
                rates = [system.rhs(*stage) for system in ends]
                self.gradient += cotangent @ (rates[0] - rates[1]) / (2 * h)

        return Collected(self.shape)


def made(integrator: str = "sdirk2", **acting) -> oi.DifferentiableSimulation:
    inertial = oi.InertialModel(limbs.limbs("fixed"), limbs.masses())
    parameters = {"frequency": Frequency(["hip", "ankle"]), "gravity": Gravity(), "knee": oi.gradients.Forces("knee")}
    problem = oi.Problem(inertial, t_final=0.06, **acting)
    return oi.DifferentiableSimulation(problem, parameters, fixed_step(integrator, 5e-3, 1e-12))


@pytest.mark.slow
@pytest.mark.parametrize("method", FIXED)
def test_made_up_parameters_have_gradients(method: str) -> None:
    simulation = made(integrator=method)
    moves = {"frequency": 1.0, "gravity": 0.3, "knee": 0.3}
    values = {"frequency": [25.0, 40.0], "gravity": [8.0], "knee": [0.5]}
    for name, error in errors(simulation, moves, values).items():
        assert error < EXACT, f"{name}: {error:.1e}"


def test_they_are_checked_like_any_other() -> None:
    simulation = made()
    with pytest.raises(oi.errors.OptionError, match="Frequency.*positive"):
        simulation.run({"frequency": [1.0, -1.0]})
    with pytest.raises(oi.errors.OptionError, match="shape"):
        simulation.run({"gravity": [1.0, 2.0]})
    with pytest.raises(oi.errors.OptionError, match="'hip'.*'forces' does not give already"):
        made(forces={"hip": 1.0})
    both = {"one": Frequency("hip"), "two": oi.gradients.Forces("hip")}
    with pytest.raises(oi.errors.OptionError, match="'hip'.*'one' does not give already"):
        oi.DifferentiableSimulation(oi.Problem(simulation.inertial, t_final=0.01), both)

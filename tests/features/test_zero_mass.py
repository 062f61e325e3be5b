"""Without muscle mass a simulation is OpenSim's own: its Manager's, from the same state, to the same accuracy."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs
from oracles.stock_manager import gentle_waves, manager_states

import opensim_inertia as oi

FINE, COARSE = 1e-9, 1e-7
"""Accuracies of OpenSim's Manager. What it answers to the two differs by 2e-6 to 2e-5 on these motions."""
ACCURACY = 1e-8  # Of our integrator, per step
SAME = 2e-5
"""Relative to 1 + |y|, all state variables: as far as the Manager's two answers are apart. Ours is off from the finer
by 1e-6 to 3e-6, by 1.1e-5 in Rajagopal2016, between steps too. Forgetting one muscle's
excitation moves the states by more than ten times this."""
CLOSE = 2e-7  # The same for the small constrained models, at accuracy 1e-9; measured up to 9e-9
SAME_RATES = 1e-9  # Of accelerations, relative to the largest: M M^-1 in another order; measured below 1e-11
CONSTRAINTS = 1e-8  # Position and velocity errors at reported states


#: Models, and how long they are simulated [s]. Longer is possible, and agrees as well, but takes minutes.
CASES = {
    "Arm26": ("Arm26/arm26.osim", 0.4),
    "Gait10dof18musc": ("Gait10dof18musc/gait10dof18musc.osim", 0.25),
    "Gait2392": ("Gait2392_Simbody/gait2392_thelen2003muscle.osim", 0.02),
    "Gait2392 Millard": ("Gait2392_Simbody/gait2392_millard2012muscle.osim", 0.02),
    "Rajagopal2016": ("Rajagopal/Rajagopal2016.osim", 0.015),
}


def started(opensim_models: Path, name: str) -> tuple[oi.InertialModel, osim.State]:
    """A massless model and a moving state of it that meets its constraints, muscles in equilibrium."""
    inertial = oi.InertialModel(opensim_models / "Models" / CASES[name][0], {})
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    return inertial, state


def off(y: np.ndarray, reference: np.ndarray) -> float:
    return float((np.abs(y - reference) / (1 + np.abs(reference))).max())


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_except({"Gait10dof18musc"}, CASES))
def test_zero_mass_is_opensims_manager(opensim_models: Path, name: str) -> None:
    inertial, state = started(opensim_models, name)
    end = CASES[name][1]
    waves = gentle_waves([m.getName() for m in inertial.model.getMuscles()])
    trajectory = oi.simulate(
        oi.Problem(inertial, state, end, excitations=waves),
        oi.integrators.RungeKutta45(accuracy=ACCURACY),
        report_step=end / 4,
    )
    np.testing.assert_allclose(trajectory.times, np.linspace(0, end, 5), rtol=1e-12)
    stock = manager_states(inertial.model, state, trajectory.times[1:], FINE, waves)
    assert np.abs(stock[-1] - stock[0]).max() > 0.05  # it moves
    assert off(trajectory.y[1:], stock) < SAME
    assert limbs.constraint_error(trajectory.states()) < CONSTRAINTS
    if name == "Arm26":  # where it is cheap: we are no further off than the Manager itself
        rough = manager_states(inertial.model, state, trajectory.times[1:], COARSE, waves)
        assert off(trajectory.y[1:], stock) < 3 * off(rough, stock)
        # and the excitations matter
        first = dict(waves) | {next(iter(waves)): 0.5}
        other = oi.simulate(
            oi.Problem(inertial, state, end, excitations=first),
            oi.integrators.RungeKutta45(accuracy=ACCURACY),
            report_step=end / 4,
        )
        assert off(other.y[1:], stock) > 10 * SAME


@pytest.mark.slow
def test_rajagopal_couples_and_locks(opensim_models: Path) -> None:
    """Patellae follow the knees, and what is locked when the simulation begins stays."""
    inertial, state = started(opensim_models, "Rajagopal2016")
    assert state.getNQErr() >= 2
    model = inertial.model
    for name in ("mtp_angle_r", "mtp_angle_l", "subtalar_angle_r", "knee_angle_l"):
        model.getCoordinateSet().get(name).setLocked(state, True)
    trajectory = oi.simulate(
        oi.Problem(inertial, state, 0.02), oi.integrators.RungeKutta45(accuracy=ACCURACY), report_step=0.01
    )
    stock = manager_states(model, state, trajectory.times[1:], FINE, {})
    assert off(trajectory.y[1:], stock) < SAME
    values = trajectory.coordinates()
    for name in ("mtp_angle_r", "mtp_angle_l", "subtalar_angle_r", "knee_angle_l"):
        assert np.ptp(values[name]) < CONSTRAINTS
    assert np.ptp(values["knee_angle_r"]) > 1e-3
    np.testing.assert_allclose(values["knee_angle_r_beta"], values["knee_angle_r"], rtol=0, atol=CONSTRAINTS)
    assert limbs.constraint_error(trajectory.states()) < CONSTRAINTS


@pytest.mark.parametrize("name", CASES)
def test_zero_mass_accelerations_are_opensims(opensim_models: Path, name: str) -> None:
    inertial, state = started(opensim_models, name)
    rng = np.random.default_rng(0)
    for _ in range(3):
        state.setU(osim.Vector.createFromMat(rng.normal(size=state.getNU())))
        inertial.model.realizeAcceleration(state)
        stock = state.getUDot().to_numpy().copy()
        assert np.abs(inertial.udot(state) - stock).max() < SAME_RATES * np.abs(stock).max()


@pytest.mark.parametrize("kind", slow_except({"coupled"}, limbs.CONSTRAINED))
def test_constrained_models_without_mass_are_opensims(kind: str) -> None:
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {})
    state = state_of(inertial)
    trajectory = oi.simulate(
        oi.Problem(inertial, state, 0.5), oi.integrators.RungeKutta45(accuracy=1e-9), report_step=0.1
    )
    # the start, moved onto the constraints
    state.setY(osim.Vector.createFromMat(trajectory.y[0].copy()))
    stock = manager_states(inertial.model, state, trajectory.times[1:], FINE, {})
    assert np.abs(stock[-1] - trajectory.y[0]).max() > 0.05
    assert off(trajectory.y[1:], stock) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("base", ["ball", "free"])
def test_ball_and_free_joints_without_mass_are_opensims(base: str) -> None:
    """Their speeds are angular velocities, and a slot among their coordinates is not used."""
    inertial = oi.InertialModel(limbs.limbs(base, pull=True), {})
    state = inertial.initial_state()
    assert state.getNQ() == state.getNU() + 1
    rng = np.random.default_rng(3)
    inertial.coordinates.set_values(state, rng.uniform(-0.3, 0.3, state.getNU()))
    state.setU(osim.Vector.createFromMat(rng.normal(size=state.getNU())))
    inertial.model.equilibrateMuscles(state)
    waves = gentle_waves(limbs.MUSCLES)
    trajectory = oi.simulate(
        oi.Problem(inertial, state, 0.3, excitations=waves), oi.integrators.RungeKutta45(accuracy=1e-9), report_step=0.1
    )
    stock = manager_states(inertial.model, state, trajectory.times[1:], FINE, waves)
    assert off(trajectory.y[1:], stock) < SAME

"""Inverse dynamics of a simulated motion gives back the generalized forces that drove it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs, pendulum
from oracles.dense_dynamics import constraint_rows, null_space

import opensim_inertia as oi

EQUATIONS = 1e-9
"""Relative to the largest force: inverse dynamics at the simulation's own accelerations; measured below 1e-12."""
SPLINE = 2e-4
"""Relative to the largest force: with accelerations from quintic splines through coordinates that are 1 ms apart and
exact to 1e-9; the spline's ends, where its third derivative is zero, are left out."""
KINK = 3e-3  # The same next to the ends of a touch's transition, where accelerations have a kink; measured 1.1e-3

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")

Force = Callable[[float], float]


def waves(names: tuple[str, ...], size: float) -> dict[str, Force]:
    return {
        name: lambda t, i=i: size * np.sin((3 + 0.2 * i) * t + 0.7 * i) for i, name in enumerate(names) if i % 2 == 0
    }


def applied(
    inertial: oi.InertialModel, trajectory: oi.forward_simulation.Trajectory, forces: dict[str, Force]
) -> np.ndarray:
    given = np.zeros((len(trajectory), len(inertial.coordinate_names)))
    for name, force in forces.items():
        given[:, inertial.coordinate_names.index(name)] = [force(t) for t in trajectory.times.tolist()]
    return given


def needed(inertial: oi.InertialModel, trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """OpenSim's InverseDynamicsSolver plus the muscles' part at the trajectory's accelerations."""
    solver = osim.InverseDynamicsSolver(inertial.model)
    accelerations = trajectory.accelerations().to_numpy()
    result = np.empty_like(accelerations)
    for row, state in enumerate(trajectory.states()):
        rigid = solver.solve(state, osim.Vector.createFromMat(accelerations[row].copy())).to_numpy().copy()
        states = [inertial.dynamics.read(state)]
        result[row] = rigid + inertial.evaluation.inverse(states, accelerations[row][None])[0]
    return result


def check(inertial: oi.InertialModel, trajectory: oi.forward_simulation.Trajectory, forces: dict[str, Force]) -> None:
    """Up to forces of constraints, which do not show in the motions that these allow."""
    given, got = applied(inertial, trajectory, forces), needed(inertial, trajectory)
    for row, state in enumerate(trajectory.states()):
        free = null_space(constraint_rows(inertial.model, state)[0])
        assert free.shape[1] > 0
        off = free.T @ (got[row] - given[row])
        assert np.abs(off).max() < EQUATIONS * max(np.abs(given).max(), np.abs(got[row]).max())
    assert np.abs(given).max() > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("strain", slow_except(["aponeurosis"], ("aponeurosis", "rigid_tendon", "uniform")))
@pytest.mark.parametrize("wrapping", slow_except(["analytic", "opensim"], ["analytic", "opensim", "neural"]))
def test_every_path_through_touch(wrapping: str, strain: str) -> None:
    """A double pendulum whose muscle touches its cylinder on the way."""
    g = pendulum.Geometry()
    inertial = oi.InertialModel(
        pendulum.opensim_model(g),
        pendulum.mass_table(g),
        oi.StrainModel(strain, belly=(0.1, 0.9)),
        wrapping=wrapping,
    )
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.array(g.start[:2])))
    forces = waves(inertial.coordinate_names, 0.4)
    end = 0.55
    trajectory = oi.simulate(
        oi.Problem(inertial, state, end, forces=forces), oi.integrators.Automatic(accuracy=1e-8), report_step=end / 40
    )
    level = pendulum.chord_distance(g, trajectory.y[:, :2]) / g.radius
    assert level.min() < 0.95 and level.max() > 1.05
    check(inertial, trajectory, forces)
    if wrapping == "opensim":
        return  # OpenSim's paths have kinks that no spline follows
    fine = oi.simulate(
        oi.Problem(inertial, state, end, forces=forces), oi.integrators.DOP853(accuracy=1e-9), report_step=1e-3
    )
    result = oi.inverse_dynamics(inertial, fine.coordinates())
    given = applied(inertial, fine, forces)
    inner = slice(20, -20)
    scale = np.abs(result.lumped_forces).max()
    off = np.abs(result.inertial_forces - given)[inner].max(axis=1)
    assert off.max() < KINK * scale
    assert np.quantile(off, 0.8) < SPLINE * scale
    assert np.median(np.abs(result.lumped_forces - given)[inner].max(axis=1)) > 3 * KINK * scale


@pytest.mark.parametrize("kind", slow_except({"coupled", "held point", "prescribed"}, limbs.CONSTRAINED))
def test_constrained(kind: str) -> None:
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    forces = waves(inertial.coordinate_names, 2.0)
    trajectory = oi.simulate(oi.Problem(inertial, state_of(inertial), 0.3, forces=forces), report_step=0.03)
    check(inertial, trajectory, forces)


@pytest.mark.parametrize("base", ["ball", "free", "custom"])
def test_three_dimensional(base: str) -> None:
    inertial = oi.InertialModel(limbs.limbs(base), limbs.masses())
    forces = waves(inertial.coordinate_names, 3.0)
    trajectory = oi.simulate(oi.Problem(inertial, t_final=0.3, forces=forces), report_step=0.03)
    check(inertial, trajectory, forces)


REAL = {
    "Arm26": ("Arm26/arm26.osim", None, 0.1),
    "Gait10dof18musc": ("Gait10dof18musc/gait10dof18musc.osim", None, 0.05),
    "Gait2392": ("Gait2392_Simbody/gait2392_thelen2003muscle.osim", None, 0.02),
    "Rajagopal2016": ("Rajagopal/Rajagopal2016.osim", ["vaslat_r", "gasmed_r", "recfem_r", "semiten_l"], 0.02),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # toes without muscles move fast
@pytest.mark.parametrize("name", REAL)
def test_real_models(opensim_models: Path, name: str) -> None:
    file, muscles, end = REAL[name]
    model = osim.Model(str(opensim_models / "Models" / file))
    inertial = oi.InertialModel(model, oi.estimate_masses(model, muscles=muscles), unsupported="massless")
    assert len(inertial.muscle_names) >= 4
    state = inertial.initial_state()
    for muscle in inertial.model.getMuscles():
        muscle.setAppliesForce(state, False)
    forces = waves(inertial.coordinate_names, 10.0)
    trajectory = oi.simulate(oi.Problem(inertial, state, end, forces=forces), "rk45", report_step=end / 20)
    check(inertial, trajectory, forces)
    if name == "Rajagopal2016":
        return  # its inverse dynamics holds the constraints' forces
    fine = oi.simulate(
        oi.Problem(inertial, state, end, forces=forces), oi.integrators.DOP853(accuracy=1e-9), report_step=end / 50
    )
    result = oi.inverse_dynamics(inertial, fine.coordinates(), implausible="warn")
    inner = slice(12, -12)
    scale = np.abs(result.lumped_forces).max()
    assert np.abs(result.inertial_forces - applied(inertial, fine, forces))[inner].max() < SPLINE * scale
    assert np.abs(result.inertial_forces - result.lumped_forces)[inner].max() > SPLINE * scale

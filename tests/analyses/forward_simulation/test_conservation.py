"""Energy of fibres between aponeuroses past points and through touches, and the momentum of a model that floats."""

from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from models.pendulums import Cylinder, build_pendulum
from oracles import limbs
from oracles.dense_dynamics import momentum, sliding_points

import opensim_inertia as oi

ACCURATE = oi.integrators.DOP853(accuracy=1e-10)
DRIFT = 1e-8  # Of the largest kinetic energy: the integrator's own, a hundred times its accuracy per step
THROUGH_TOUCHES = 1e-6
"""The same where the path meets and leaves a cylinder, in a zone a tenth of its radius wide (measured: 2e-8)."""
SLACK, APONEUROSIS, PROXIMAL = 0.16, 0.10, 0.02  # m

OVER_A_POINT = [("ground", (0.12, 0.10, 0.0)), ("rod1", (0.05, -0.18, 0.0)), ("rod2", (0.05, -0.15, 0.0))]
OVER_A_CYLINDER = [("ground", (0.12, 0.10, 0.0)), ("rod2", (0.11, -0.14, 0.0))]


def pendulum(path: list[Any], cylinder: Cylinder | None, strain: str = "aponeurosis") -> oi.InertialModel:
    model, table = build_pendulum(path, cylinder=cylinder, angles=(0.8, 0.1), ranges=((-0.8, 0.8), (-0.9, 0.1)))
    muscle = model.getMuscles().get("muscle")
    muscle.set_tendon_slack_length(SLACK)
    muscle.set_optimal_fiber_length(0.15)
    model.finalizeConnections()
    table = pd.DataFrame(
        {
            "muscle": ["muscle"],
            "mass": table["mass"].astype(float),
            "segment": ["rod1"],
            "free_tendon_proximal": [PROXIMAL],
            "free_tendon_distal": [SLACK - APONEUROSIS - PROXIMAL],
        }
    )
    return oi.InertialModel(model, table, strain=strain)


def drift(energy: pd.DataFrame) -> float:
    total = energy["total"].to_numpy()
    return float(np.abs(total - total[0]).max() / energy["kinetic"].max())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "cylinder", "most"),
    [(OVER_A_POINT, None, DRIFT), (OVER_A_CYLINDER, Cylinder(0.06), THROUGH_TOUCHES)],
    ids=["path point", "touches"],
)
def test_energy_is_kept(path: list[Any], cylinder: Cylinder | None, most: float) -> None:
    inertial = pendulum(path, cylinder)
    m = inertial.material_map("muscle")
    assert m.aponeurosis == pytest.approx(APONEUROSIS / SLACK)
    motion = oi.simulate(oi.Problem(inertial, t_final=2.0), ACCURATE)
    energy = motion.energy()
    assert drift(energy) < most
    other = oi.simulate(oi.Problem(pendulum(path, cylinder, "rigid_tendon"), t_final=2.0), ACCURATE)
    apart = np.abs(motion.coordinates().to_numpy()[-1] - other.coordinates().to_numpy()[-1]).max()
    assert apart > 1e-3, "where fibres start matters to the motion"


KEPT = 1e-9  # Relative to the largest entry, at accuracy 1e-10; measured 5e-13
POINTS = 6


def floating(base: str, gravity: float) -> tuple[oi.InertialModel, osim.State]:
    """With muscles of point masses, so that the sums over points are exact."""
    inertial = oi.InertialModel(
        limbs.limbs(base, gravity=gravity), limbs.masses(), distribution="points", points=POINTS
    )
    state, rng = inertial.initial_state(), np.random.default_rng(6)
    n = state.getNU()
    inertial.coordinates.set_values(state, rng.uniform(-0.3, 0.3, n))
    state.setU(osim.Vector.createFromMat(2 * rng.normal(size=n)))
    return inertial, state


@pytest.mark.parametrize(
    ("base", "gravity"),
    slow_except(
        [("custom", 0.0), ("free", limbs.GRAVITY)], [(b, g) for b in ("custom", "free") for g in (0.0, limbs.GRAVITY)]
    ),
)
def test_weight_alone_changes_momentum(base: str, gravity: float) -> None:
    """By the weight of bones and muscles; and the angular momentum by its moment about ground's origin."""
    inertial, state = floating(base, gravity)
    trajectory = oi.simulate(oi.Problem(inertial, state, 0.6), oi.integrators.DOP853(accuracy=1e-10))
    kept = np.array([momentum(inertial, s) for s in trajectory.states()])
    scale, down = np.abs(kept).max(), np.array([0.0, -gravity, 0.0])
    total = inertial.model.getTotalMass(state)
    assert total == pytest.approx(6.0 + 3.5 + 2.2 + 1.1, rel=1e-12)
    t = trajectory.times[:, None]
    np.testing.assert_allclose(kept[:, 3:] - kept[0, 3:], t * total * down, rtol=0, atol=KEPT * scale)
    # the centre of mass flies a parabola, so that the weight's moment is known from the start
    x = np.array([center(inertial, s) for s in trajectory.states()])
    np.testing.assert_allclose(x, x[0] + t * kept[0, 3:] / total + 0.5 * t**2 * down, rtol=0, atol=KEPT * 10)
    moment = np.cross(x[0] * t + 0.5 * t**2 * kept[0, 3:] / total, total * down)
    np.testing.assert_allclose(kept[:, :3] - kept[0, :3], moment, rtol=0, atol=KEPT * scale)
    # the muscles have some of it, which changes
    bones = inertial.model.getMatterSubsystem()
    own = [bones.calcSystemMomentumAboutGroundOrigin(s).get(1).to_numpy().copy() for s in trajectory.states()]
    assert np.ptp(np.array(own) - kept[:, 3:], axis=0).max() > 1e-3 * np.abs(kept[0]).max()
    assert np.ptp(trajectory.coordinates()[["hip", "knee", "ankle"]].to_numpy(), axis=0).min() > 0.1


def center(inertial: oi.InertialModel, state: osim.State) -> np.ndarray:
    """Centre of mass (3,) [m]."""
    total = inertial.model.getTotalMass(state)
    first = total * inertial.model.calcMassCenterPosition(state).to_numpy()
    for mass, x, _, _ in sliding_points(inertial, state):
        first = first + mass * x
    return first / total


@pytest.mark.slow
def test_continuous_mass_and_internal_forces() -> None:
    """Muscles that pull hard, whose mass slides over path points, change no momentum."""
    inertial = oi.InertialModel(limbs.limbs("free", gravity=0.0, pull=True), limbs.masses())
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    state.setU(osim.Vector.createFromMat(np.random.default_rng(0).normal(size=9)))
    excited = {"long": 0.6, "middle": lambda t: 0.5 + 0.4 * np.sin(20 * t), "short": 0.3}
    trajectory = oi.simulate(
        oi.Problem(inertial, state, 0.1, excitations=excited), oi.integrators.DOP853(accuracy=1e-10)
    )
    matrix, kept = osim.Matrix(), []
    trunk = inertial.model.getBodySet().get("trunk")
    for s in trajectory.states():
        inertial.model.getMatterSubsystem().calcM(s, matrix)
        general = (matrix.to_numpy() + inertial.evaluate(s).mass_matrix) @ s.getU().to_numpy()
        x = trunk.getPositionInGround(s).to_numpy()
        kept.append(np.concatenate([general[:3] + np.cross(x, general[3:6]), general[3:6]]))
    assert np.ptp(trajectory.speeds()["knee"]) > 5.0
    change = np.abs(np.array(kept) - kept[0]).max()
    assert change < 1e-8 * np.abs(kept[0]).max()

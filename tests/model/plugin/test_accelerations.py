"""OpenSim's accelerations with the plugin's component are those of ``InertialModel.udot``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from models import finger, hopper, reaching_arm, spline_knee
from oracles import limbs, real_models
from oracles.custom_joints import SHARED, build_chain
from oracles.demo_leg import build_leg
from oracles.plugin import Native
from oracles.wrap_model import limit, wrap_model

import opensim_inertia as oi

SAME = 1e-11  # Relative to the largest acceleration: the same sums in another order; measured below 1e-13
STATES = 30

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


def leg() -> oi.InertialModel:
    model = build_leg()
    return oi.InertialModel(model, oi.estimate_masses(model))


DEMO: dict[str, Callable[[], oi.InertialModel]] = {
    "leg": leg,
    "finger": lambda: with_estimates(finger.build_finger()),
    "hopper": lambda: oi.InertialModel(hopper.hopper(), hopper.hopper_masses()),
    "arm": lambda: oi.InertialModel(reaching_arm.reaching_arm(), reaching_arm.arm_masses()),
    "spline knee": lambda: with_estimates(spline_knee.build_seated_leg()),
}


def with_estimates(model: osim.Model) -> oi.InertialModel:
    model.initSystem()
    return oi.InertialModel(model, {m.getName(): 0.01 for m in model.getMuscles()})


def check(inertial: oi.InertialModel, states: int) -> None:
    native = Native(inertial)
    for seed in range(states):
        q, u = real_models.random_motion(inertial, seed)
        state = inertial.initial_state()
        state.setTime(0.01 * seed)
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        assert native.error_at(state) < SAME


@pytest.mark.parametrize("name", slow_except(["arm26"], ["arm26", "gait10dof18musc", "gait2392", "rajagopal2016"]))
def test_real_models(opensim_models: Path, name: str) -> None:
    """Ellipsoids, cylinders, conditional and moving points, couplers, a spline knee; constraints not met, too."""
    check(real_models.heavy(opensim_models, name), STATES)


@pytest.mark.parametrize("name", DEMO)
def test_own_models(name: str) -> None:
    check(DEMO[name](), STATES)


@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon", "aponeurosis"])
def test_where_the_mass_is(opensim_models: Path, strain: str, distribution: str) -> None:
    check(real_models.heavy(opensim_models, "gait10dof18musc", strain, distribution), 3)


def test_explicit_points() -> None:
    points = oi.masses.PointMasses(np.array([0.9, 0.2, 0.5]), np.array([0.1, 0.3, 0.2]))
    check(oi.InertialModel(limbs.limbs(), limbs.masses() | {"long": points}), 3)


@pytest.mark.parametrize("kind", ["cylinder", "sphere"])
def test_networks(kind: str) -> None:
    model = limit(wrap_model(kind, "-y" if kind == "cylinder" else "-x"))
    inertial = oi.InertialModel(model, {"muscle": 0.5}, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping="neural")
    assert any(site.network for site in inertial.wraps.sites["muscle"])
    check(inertial, 5)


@pytest.mark.parametrize("base", limbs.BASES)
def test_bases(base: str) -> None:
    """Ball and free joints, whose speeds are not rates of coordinates."""
    check(oi.InertialModel(limbs.limbs(base, pull=True), limbs.masses()), 5)


@pytest.mark.parametrize("kind", limbs.CONSTRAINED)
def test_constraints(kind: str) -> None:
    """Locks, couplers, prescribed motions, and rows of constraints that depend on each other."""
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    native, rng = Native(inertial), np.random.default_rng(2)

    def lock(model: osim.Model, state: osim.State) -> None:
        for name in {"locked": ("q4",), "locked couple": ("q2", "q3")}.get(kind, ()):
            model.getCoordinateSet().get(name).setLocked(state, True)

    for turn in (0.0, 0.1, -0.2):
        state = state_of(inertial)
        q = state.getQ().to_numpy() + turn * rng.normal(size=5)
        state.setTime(3 * abs(turn))
        state.setQ(osim.Vector.createFromMat(q))
        assert native.error_at(state, lock) < SAME


def test_locks_are_swapped_at_one_pose() -> None:
    """What is kept while the motion stays must go when a lock changes."""
    inertial = oi.InertialModel(limbs.limbs("custom", pull=True), limbs.masses())
    native, state = Native(inertial), inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.linspace(-1.0, 1.0, state.getNU())))
    found = []
    for locked in ((), ("knee",), ("rx",), ("knee", "rx"), ()):

        def lock(model: osim.Model, state: osim.State, locked: tuple[str, ...] = locked) -> None:
            u = osim.Vector(state.getU())
            for coordinate in model.getCoordinateSet():
                coordinate.setLocked(state, coordinate.getName() in locked)
            state.setU(u)  # a lock stops its coordinate

        assert native.error_at(state, lock) < SAME
        found.append(np.array(native.state.getUDot().to_numpy()))
    assert np.array_equal(found[0], found[-1])
    assert min(np.abs(a - b).max() for a, b in zip(found[:-1], found[1:], strict=True)) > 1e-3


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", SHARED)
def test_rotations_that_share_a_coordinate(name: str, reverse: bool) -> None:
    """Simbody's acceleration bias is wrong there."""
    model = build_chain(SHARED[name], reverse)
    muscle = osim.Millard2012EquilibriumMuscle("muscle", 100.0, 0.5, 0.5, 0.0)
    for i, body in enumerate(("first", "second", "third")):
        at = osim.Vec3(0.1 * i, 0.1, 0.05)
        muscle.addNewPathPoint(f"p{i}", model.getBodySet().get(body), at)
    model.addForce(muscle)
    model.finalizeConnections()
    check(oi.InertialModel(model, {"muscle": 0.3}), 5)


def test_no_mass_is_no_change(opensim_models: Path) -> None:
    model = real_models.original(opensim_models, "gait10dof18musc")
    inertial = oi.InertialModel(model, {})
    native, state = Native(inertial), inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.random.default_rng(0).normal(size=state.getNU())))
    ours = native.udot(0.0, state.getY().to_numpy().copy())
    inertial.model.realizeAcceleration(state)
    stock = state.getUDot().to_numpy()
    assert np.abs(ours - stock).max() < 1e-12 * np.abs(stock).max()


def test_what_it_gives_besides(opensim_models: Path) -> None:
    """Its outputs are the energies and the mass; it draws all of the mass where it lies."""
    inertial = real_models.heavy(opensim_models, "gait10dof18musc")
    native, state = Native(inertial), inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.linspace(-1.0, 1.0, state.getNU())))
    native.udot(0.0, state.getY().to_numpy().copy())
    component = native.model.getComponent("/componentset/inertial_muscles")
    terms = inertial.evaluate(state, subtract_frozen=False)

    def output(name: str) -> float:
        return float(component.getOutput(name).getValueAsString(native.state))

    assert output("kinetic_energy") == pytest.approx(terms.kinetic_energy, rel=1e-5)  # it is printed with six digits
    assert output("potential_energy") == pytest.approx(terms.potential_energy, rel=1e-5)
    assert output("total_mass") == pytest.approx(sum(inertial.muscles.masses.values()), rel=1e-5)
    potential = native.model.calcPotentialEnergy(native.state)
    inertial.model.realizeDynamics(state)
    excess = inertial.evaluate(state).potential_energy  # OpenSim's bodies have the frozen mass already
    assert potential == pytest.approx(inertial.model.calcPotentialEnergy(state) + excess, rel=1e-12)


def test_copies_and_a_second_initialisation(opensim_models: Path) -> None:
    inertial = real_models.heavy(opensim_models, "arm26")
    made: dict[str, Any] = {"first": Native(inertial)}
    made["copy"] = Native(inertial, osim.Model(made["first"].model))
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.array([1.0, -2.0])))
    y = state.getY().to_numpy().copy()
    expected = inertial.udot(state)
    for name in ("first", "copy", "first"):
        assert np.abs(made[name].udot(0.0, y) - expected).max() < SAME * np.abs(expected).max()
    again = Native(inertial, made["first"].model)
    assert np.array_equal(again.udot(0.0, y), made["copy"].udot(0.0, y))

"""``InertialModel.udot`` against dense algebra, and segments with too little inertia, which are named."""

from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pytest
from features.test_quaternions import pendulum as near_lock
from oracles import limbs
from oracles.dense_dynamics import constraint_rows, dense_accelerations, rigid_terms
from oracles.muscle_machines import KINDS, MASS, hinge, inertial_model, millard

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import start
from opensim_inertia.dynamics.equations.quaternions import QuaternionSystem
from opensim_inertia.dynamics.equations.system import FORWARD_STEP

DENSE = 1e-9  # Relative to the largest acceleration: the same equations in another order of sums; measured below 1e-11

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def put(state: osim.State, u: np.ndarray) -> None:
    state.setU(osim.Vector.createFromMat(np.ascontiguousarray(u)))


def check(inertial: oi.InertialModel, state: osim.State, forces: np.ndarray | None = None) -> np.ndarray:
    expected = dense_accelerations(inertial, state, forces)
    udot = inertial.udot(state, forces)
    assert np.abs(expected).max() > 1e-2
    assert np.abs(udot - expected).max() < DENSE * np.abs(expected).max()
    return udot


@pytest.mark.parametrize("pull", [False, True])
@pytest.mark.parametrize("base", limbs.BASES)
def test_free_models(base: str, pull: bool) -> None:
    """Any base, muscles with and without force, generalized forces besides."""
    inertial = oi.InertialModel(limbs.limbs(base, pull=pull), limbs.masses(), distribution="points", points=7)
    state, rng = inertial.initial_state(), np.random.default_rng(1)
    if pull:
        inertial.model.equilibrateMuscles(state)
    n = state.getNU()
    for _ in range(3):
        inertial.coordinates.set_values(state, rng.uniform(-0.4, 0.4, n))
        put(state, 2 * rng.normal(size=n))
        plain = check(inertial, state)
        pushed = check(inertial, state, 5 * rng.normal(size=n))
        assert np.abs(pushed - plain).max() > 1e-2
        # what would be without the quadratic velocity vector
        terms = inertial.evaluate(state)
        mass, force = rigid_terms(inertial.model, state)
        without = np.linalg.solve(mass + terms.mass_matrix, force + terms.gravity)
        assert np.abs(without - plain).max() > 1e-3


@pytest.mark.parametrize("kind", limbs.CONSTRAINED)
def test_constrained_models(kind: str) -> None:
    """Rows of G may depend on each other: most of these do."""
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8}, distribution="points", points=7)
    state, rng = state_of(inertial), np.random.default_rng(2)
    q = state.getQ().to_numpy().copy()
    for turn in (0.0, 0.1, -0.2):  # the equations of motion hold off the constraints too
        state.setTime(3 * abs(turn))
        state.setQ(osim.Vector.createFromMat(q + turn * rng.normal(size=5)))
        put(state, rng.normal(size=5))
        forces = 3 * rng.normal(size=5)
        udot = check(inertial, state, forces)
        rows, wanted = constraint_rows(inertial.model, state)
        assert len(rows) > 0
        assert np.abs(rows @ udot - wanted).max() < DENSE * max(1.0, np.abs(rows).max() * np.abs(udot).max())
        if kind in ("held point", "held body", "twice coupled"):
            assert np.linalg.matrix_rank(rows, tol=1e-9) < len(rows)


def test_locked_coordinates_do_not_accelerate() -> None:
    inertial = oi.InertialModel(limbs.limbs("custom"), limbs.masses())
    state = inertial.initial_state()
    for name in ("knee", "rx", "z"):
        inertial.model.getCoordinateSet().get(name).setLocked(state, True)
    forces = np.full(9, 7.0)
    udot = inertial.udot(state, forces)
    locked = [inertial.coordinate_names.index(n) for n in ("knee", "rx", "z")]
    assert np.abs(udot[locked]).max() < 1e-12
    assert np.abs(np.delete(udot, locked)).min() > 1e-3


@pytest.mark.parametrize("name", ["Gait10dof18musc", "Rajagopal2016"])
def test_real_models(opensim_models: Path, name: str) -> None:
    """Muscles pull, couplers couple, coordinates are locked; of Rajagopal2016 some of the muscles have mass."""
    if name == "Gait10dof18musc":
        model = osim.Model(str(opensim_models / "Models/Gait10dof18musc/gait10dof18musc.osim"))
        masses = oi.estimate_masses(model)
    else:
        model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
        masses = oi.estimate_masses(model, muscles=["vaslat_r", "gasmed_r", "recfem_r"])
    inertial = oi.InertialModel(model, masses, distribution="points", points=5)
    state, rng = inertial.initial_state(), np.random.default_rng(3)
    inertial.model.equilibrateMuscles(state)
    if name == "Rajagopal2016":
        inertial.model.getCoordinateSet().get("knee_angle_r").setLocked(state, True)  # and with it what is coupled
        assert state.getNU() == 39
    for _ in range(2):
        put(state, rng.normal(size=state.getNU()))
        check(inertial, state)
        check(inertial, state, 20 * rng.normal(size=state.getNU()))


REFUSED = (
    "^the inertia with sliding muscles is not positive definite: segment 'rod' publishes 0.0005 kg m.2, the muscles in "
    "it have 0.0088"
)


def thin(locked: bool = False, **options: Any) -> oi.InertialModel:
    """The rod is lighter than the muscle that is frozen to it."""
    model = hinge(millard())
    rod = model.getBodySet().get("rod")
    rod.setMass(0.01)
    rod.setInertia(osim.Inertia(1e-4, 1e-5, 1e-4))
    model.getCoordinateSet().get("angle").set_locked(locked)
    model.finalizeConnections()
    table = oi.InertialModel(model, {"muscle": MASS}).masses.assign(segment="rod")
    return oi.InertialModel(model, table, **options)


def test_the_segment_is_named() -> None:
    inertial = thin()
    with pytest.raises(oi.errors.ModelError, match=REFUSED + "; add_missing_inertia=True adds what segments lack$"):
        oi.simulate(oi.Problem(inertial, t_final=0.01))
    with pytest.raises(oi.errors.ModelError, match=REFUSED):
        oi.linearize(inertial, inertial.initial_state())
    with pytest.raises(oi.errors.ModelError, match=REFUSED):
        inertial.udot(inertial.initial_state())


def test_inertia_that_is_added_or_not_needed() -> None:
    for inertial in (thin(add_missing_inertia=True), thin(locked=True)):
        trajectory = oi.simulate(oi.Problem(inertial, t_final=0.01))
        assert (np.ptp(trajectory.coordinates()["angle"]) > 1e-6) == inertial.options.add_missing_inertia


@pytest.mark.parametrize("kind", KINDS)
def test_jacobians_are_those_of_the_rates(kind: str) -> None:
    """Moved at one pose, every muscle model of OpenSim notices its own states."""
    inertial = inertial_model(hinge(KINDS[kind]()))
    system, t, y = start(oi.Problem(inertial, excitations={"muscle": 0.4}, equilibrate=True))
    y = np.where(np.arange(len(y)) == system.speeds.start, 0.7, y)
    jacobian, rates = system.jacobian(t, y), system.rhs(t, y)
    for i, step in enumerate(FORWARD_STEP * np.maximum(1.0, np.abs(y))):
        column = (system.rhs(t, y + step * np.eye(len(y))[i]) - rates) / step
        np.testing.assert_allclose(jacobian[:, i], column, rtol=0, atol=1e-5 * max(1.0, np.abs(column).max()))


@pytest.mark.parametrize("tilt", [0.4, 0.001])
def test_jacobians_in_quaternions_are_those_of_the_rates(tilt: float) -> None:
    plain, t, y = start(oi.Problem(near_lock(tilt, muscle=0.05)))
    system, h = QuaternionSystem(plain), 1e-5
    y = system.from_opensim(y)
    exact = np.column_stack([(system.rhs(t, y + d) - system.rhs(t, y - d)) / (2 * h) for d in h * np.eye(len(y))])
    assert np.abs(system.jacobian(t, y) - exact).max() < 1e-4 * np.abs(exact).max()

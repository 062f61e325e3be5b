"""The package against independent references: finite differences of OpenSim's live path, real bodies, closed forms."""

from itertools import product
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import mechanism
from oracles.accuracy import MODELS, compare
from oracles.finite_differences import Array
from scipy.optimize import linprog

import opensim_inertia as oi

# Positions are the same sums in another order; Jacobians and dM differ by the rounding of differences, 1e-16 / 1e-3;
# Jdot u and h by that of second differences.
POSITION = 1e-9  # m
POLYLINE_JACOBIAN = 1e-10
FIRST_ORDER = 1e-7  # relative
SECOND_ORDER = 1e-5  # relative
#: Muscles looked at: every so many. All of them: ``benchmarks/accuracy.py``.
STRIDE = {"Gait10dof18musc": 4, "Gait2392": 26, "Hamner": 26, "Leg6Dof9Musc": 2, "Rajagopal2016": 22, "Arm26": 2}
#: Muscles that wrap, and points that move.
QUICK = [("Arm26", "aponeurosis"), ("Arm26", "rigid_tendon"), ("Gait10dof18musc", "uniform")]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")
@pytest.mark.parametrize(
    ("name", "strain"), slow_except(QUICK, product(MODELS, ("aponeurosis", "rigid_tendon", "uniform")))
)
def test_terms_are_those_of_opensims_live_path(name: str, strain: str, opensim_models: Path) -> None:
    stride = STRIDE[name] * (2 if strain == "aponeurosis" else 1)  # many fibres each: to save time
    got = compare(opensim_models, name, strain, poses=1, stride=stride)
    assert got.worst["position"] < POSITION
    for quantity in ("jacobian", "mass_matrix", "gravity"):
        assert got.worst[quantity] < FIRST_ORDER, got.where
    if name not in ("Rajagopal2016", "Arm26"):  # the others have no wraps
        assert got.worst["jacobian"] < POLYLINE_JACOBIAN, got.where
    for quantity in ("jdot_u", "bias"):
        assert got.worst[quantity] < SECOND_ORDER, got.where
    for quantity, judged in got.judged.items():
        assert judged > 0, f"{quantity}: every difference met a kink"


@pytest.mark.parametrize("build", [mechanism.straight_mechanism, mechanism.three_segment_mechanism])
def test_mass_points_are_real_bodies(build) -> None:  # type: ignore[no-untyped-def]
    """Struts, sliders and couplers in stock OpenSim carry the same mass points."""
    built = build()
    points = oi.masses.PointMasses(np.array(built.fractions), np.array(built.masses))
    # the muscle's mass comes on top of the rods
    inertial = oi.InertialModel(built.pendulum, {"muscle": points}, strain="uniform", unsupported="error")
    assert inertial.coordinate_names == tuple(built.coordinates)
    stock = built.pendulum
    state, own = stock.initSystem(), inertial.initial_state()
    matrix, rng, done = osim.Matrix(), np.random.default_rng(4), 0
    while done < 10:
        q, u = rng.uniform(-0.3, 0.9, 2), rng.normal(size=2) * 4
        if not mechanism.segments_hold(built, q):
            continue
        done += 1
        for s in (state, own):
            s.setQ(osim.Vector.createFromMat(q))
            s.setU(osim.Vector.createFromMat(u))
        stock.realizeAcceleration(state)
        stock.getMatterSubsystem().calcM(state, matrix)
        rigid = matrix.to_numpy()
        terms = inertial.evaluate(own, subtract_frozen=False)
        total = rigid + terms.mass_matrix
        reduced = built.reduced_mass_matrix(q, u)
        assert np.abs(total - reduced).max() < 1e-10 * np.abs(reduced).max()
        force = rigid @ state.getUDot().to_numpy() + terms.gravity
        udot = np.linalg.solve(total, force + terms.bias)
        expected = built.accelerations(q, u)
        assert np.abs(udot - expected).max() < 1e-8 * max(1.0, np.abs(expected).max())
        assert np.abs(np.linalg.solve(total, force) - expected).max() > 1e-3  # h counts


def two_rods(length: float, reach: float) -> osim.Model:
    """Two rods that hang on pins about z, and a straight muscle from the first pin to ``reach`` along the second."""
    model = osim.Model()
    model.setName("two_rods")
    parent, at = model.getGround(), osim.Vec3(0)
    for i in (1, 2):
        rod = osim.Body(f"rod{i}", 5.0, osim.Vec3(0, -length / 2, 0), osim.Inertia(0.1, 0.01, 0.1))
        model.addBody(rod)
        zero = osim.Vec3(0)
        joint = osim.PinJoint(f"joint{i}", parent, at, zero, rod, zero, zero)
        joint.updCoordinate().setName(f"angle{i}")
        model.addJoint(joint)
        parent, at = rod, osim.Vec3(0, -length, 0)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.05, 0.0)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(0))
    muscle.addNewPathPoint("insertion", model.getBodySet().get("rod2"), osim.Vec3(0, -reach, 0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def two_rod_mass_matrix(mass: float, length: float, reach: float, theta: Array) -> Array:
    """dM (2, 2) of a uniform muscle, straight from joint 1 to ``reach`` m along rod 2; rod 1 is ``length`` long."""
    c = np.cos(theta[1])
    off = reach**2 + length * reach * c
    return mass / 3 * np.array([[length**2 + reach**2 + 2 * length * reach * c, off], [off, reach**2]])


def two_rod_bias(mass: float, length: float, reach: float, theta: Array, u: Array) -> Array:
    """h (2,) of the same muscle."""
    a = mass / 3 * length * reach * np.sin(theta[1])
    return np.array([a * (2 * u[0] * u[1] + u[1] ** 2), -a * u[0] ** 2])


def two_rod_gravity(mass: float, length: float, reach: float, theta: Array) -> Array:
    """g_m (2,) of the same muscle, rods hanging down at theta = 0: half its mass acts where it inserts."""
    low = reach * np.sin(theta[0] + theta[1])
    return -0.5 * mass * 9.80665 * np.array([length * np.sin(theta[0]) + low, low])


def test_two_rods_closed_form() -> None:
    mass, length, reach = 1.3, 0.4, 0.15
    model = two_rods(length, reach)
    # all of the path is belly, as the closed form has it
    inertial = oi.InertialModel(model, {"muscle": mass}, oi.StrainModel("uniform", belly=(0.0, 1.0)))
    state = inertial.initial_state()
    rng = np.random.default_rng(0)
    for _ in range(5):
        theta, u = rng.uniform(-1.2, 1.2, 2), rng.normal(size=2)
        state.setQ(osim.Vector.createFromMat(theta))
        state.setU(osim.Vector.createFromMat(u))
        terms = inertial.evaluate(state, subtract_frozen=False)
        rigid = {"rtol": 1e-11, "atol": 1e-13}  # the same formula, other order of sums
        np.testing.assert_allclose(terms.mass_matrix, two_rod_mass_matrix(mass, length, reach, theta), **rigid)
        np.testing.assert_allclose(terms.bias, two_rod_bias(mass, length, reach, theta, u), **rigid)
        np.testing.assert_allclose(terms.gravity, two_rod_gravity(mass, length, reach, theta), **rigid)


def test_points_err_by_the_midpoint_rule() -> None:
    mass, length, reach = 1.3, 0.4, 0.15
    exact = two_rod_mass_matrix(mass, length, reach, [0.3, 0.5])
    for n in (5, 10, 20):
        inertial = oi.InertialModel(
            two_rods(length, reach), {"muscle": mass}, oi.StrainModel("uniform", belly=(0.0, 1.0)), "points", n
        )
        state = inertial.initial_state()
        state.setQ(osim.Vector.createFromMat(np.array([0.3, 0.5])))
        error = inertial.evaluate(state, subtract_frozen=False).mass_matrix[0, 0] / exact[0, 0] - 1
        assert error == pytest.approx(-1 / (4 * n**2), rel=1e-6)


#: Forces per activation of 115 coordinates by 520 muscles and 144 reserves, forces asked for, bounds, and which are
#: muscles, at 0.14 s of angles that swing by 0.1 rad once a second.
CASE = Path(__file__).parent / "data" / "cyclist_row.npz"


@pytest.mark.slow
def test_a_row_with_little_room_is_solved() -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    case = np.load(CASE)
    A = np.zeros(case["shape"])
    A[case["rows"], case["columns"]] = case["values"]
    b, lower, upper, muscles = (case[name] for name in ("right", "lower", "upper", "muscles"))
    solution = oi.recruitment.solve_recruitment(A, b, lower, upper, criterion="min_max", muscles=muscles)
    assert solution.status == "solved"
    a = solution.activations
    assert (a >= lower).all() and (a <= upper).all() and 0.99 < solution.objective <= 1.0
    # the equations are met to what solvers tolerate, in units of the largest force of each
    assert (np.abs(solution.missing) <= 1e-7 * np.abs(A).max(axis=1)).all()
    # reserves help as little as can be: a linear program of its own, by SciPy's defaults, needs as much

    helping = ~muscles
    split = linprog(
        np.r_[helping.astype(float), helping.astype(float)],
        A_eq=np.hstack([A, -A]),
        b_eq=b,
        bounds=np.column_stack(
            [
                np.r_[np.maximum(lower, 0), np.maximum(-upper, 0)],
                np.r_[np.maximum(upper, 0), np.maximum(-lower, 0)],
            ]
        ),
    )
    assert split.status == 0
    assert np.abs(a[helping]).sum() == pytest.approx(split.fun, rel=1e-4)

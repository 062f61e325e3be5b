"""Models whose joints, couplers and path points follow functions of any smooth kind, with the plugin and without."""

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles import limbs, real_models
from oracles.custom_joints import SHARED, UNKNOWN, build_chain
from oracles.plugin import Native

import opensim_inertia as oi

SAME = 1e-9  # Relative to the largest acceleration: functions are sampled to 1e-11

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.WrapDifferenceWarning"),
]


def polynomial(*coefficients: float) -> osim.Function:
    """Highest power first."""
    return osim.PolynomialFunction(osim.Vector.createFromMat(np.array(coefficients)))


def expression() -> osim.Function:
    function = osim.ExpressionBasedFunction()
    function.setExpression("0.05*exp(-x*x)")
    function.setVariables(osim.StdVectorString(["x"]))
    return function


def spline() -> osim.Function:
    function = osim.GCVSpline()
    function.setDegree(5)
    for x in np.linspace(-1.0, 1.0, 9):
        function.addPoint(float(x), float(0.03 * np.sin(3 * x)))
    return function


FUNCTIONS: dict[str, Callable[[], osim.Function]] = {
    "quintic": lambda: polynomial(0.01, -0.03, 0.02, 0.0, 0.05, 0.02),
    "sine": lambda: osim.Sine(0.04, 2.5, 0.3),
    "quintic spline": spline,
    "expression": expression,
}


def with_moving_point(function: osim.Function) -> osim.Model:
    """The limbs, where the last point of a muscle moves in the shank as the knee bends."""
    model = limbs.limbs(pull=True)
    points = osim.GeometryPath.safeDownCast(model.getMuscles().get("middle").updPath()).updPathPointSet()
    moving = osim.MovingPathPoint()
    moving.setName("gliding")
    moving.set_x_location(function)
    moving.set_y_location(osim.Constant(-0.21))
    moving.set_z_location(polynomial(0.02, 0.0, 0.01, 0.0, -0.02))
    points.cloneAndAppend(moving)
    moving = osim.MovingPathPoint.safeDownCast(points.get(2))
    moving.setParentFrame(model.getBodySet().get("shank"))
    knee = model.getCoordinateSet().get("knee")
    knee.setRangeMin(-1.0)
    knee.setRangeMax(0.8)
    for axis in "xyz":
        moving.updSocket(f"{axis}_coordinate").connect(knee)
    model.finalizeConnections()
    return model


@pytest.mark.parametrize("name", FUNCTIONS)
def test_moving_points(name: str) -> None:
    """Against the Python route; its kinetic energy against mass points that OpenSim's own kinematics would move."""
    inertial = oi.InertialModel(with_moving_point(FUNCTIONS[name]()), limbs.masses())
    native, state = Native(inertial), inertial.initial_state()
    rng = np.random.default_rng(0)
    for _ in range(6):
        inertial.coordinates.set_values(state, rng.uniform(-0.7, 0.7, 3))
        state.setU(osim.Vector.createFromMat(rng.normal(size=3)))
        assert native.error_at(state) < SAME


@pytest.mark.parametrize("name", FUNCTIONS)
def test_moving_points_conserve_energy(name: str) -> None:
    """Of muscles without force: slopes and curvatures of the function fit its values."""
    model = with_moving_point(FUNCTIONS[name]())
    for muscle in model.getMuscles():
        muscle.set_appliesForce(False)
    inertial = oi.InertialModel(model, limbs.masses())
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.array([0.5, -1.0, 0.5])))
    energy = oi.simulate(
        oi.Problem(inertial, state, 0.3), oi.integrators.DOP853(accuracy=1e-10), engine="native"
    ).energy()
    assert np.ptp(energy["kinetic"]) > 0.02
    assert np.ptp(energy["total"]) < 1e-7


@pytest.mark.parametrize("name", FUNCTIONS)
def test_couplers(name: str) -> None:
    """The ankle follows the knee by a function."""
    model = limbs.limbs()
    coupler, names = osim.CoordinateCouplerConstraint(), osim.ArrayStr()
    coupler.setName("coupler")
    names.append("knee")
    coupler.setIndependentCoordinateNames(names)
    coupler.setDependentCoordinateName("ankle")
    coupler.setFunction(FUNCTIONS[name]())
    model.addConstraint(coupler)
    model.finalizeConnections()
    inertial = oi.InertialModel(model, limbs.masses())
    native, state = Native(inertial), inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.array([0.3, -0.4, 0.0])))
    state.setU(osim.Vector.createFromMat(np.array([1.0, -2.0, 0.5])))
    inertial.model.assemble(state)
    assert native.error_at(state) < SAME
    python, plugin = (
        oi.simulate(oi.Problem(inertial, state, 0.1), oi.integrators.DOP853(accuracy=1e-9), engine=engine)
        for engine in ("python", "native")
    )
    assert np.abs(python.y[-1] - plugin.y[-1]).max() < 1e-7


def chained(axes: str) -> osim.Model:
    """A chain over a joint whose rotations share a coordinate, with a muscle."""
    model = build_chain((SHARED | UNKNOWN)[axes])
    muscle = osim.Millard2012EquilibriumMuscle("muscle", 100.0, 0.5, 0.5, 0.0)
    muscle.set_appliesForce(False)
    for body in ("first", "third"):
        muscle.addNewPathPoint(body, model.getBodySet().get(body), osim.Vec3(0.1, 0.1, 0.0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def test_far_beyond_the_range_of_a_sampled_rotation() -> None:
    """It is known by one width of its range on both sides; beyond that the component says so, and "auto" goes on."""
    inertial = oi.InertialModel(chained("a quintic and a sine"), {"muscle": 0.3})
    native, state = Native(inertial), inertial.initial_state()
    q = np.zeros(state.getNQ())
    place = inertial.coordinate_names.index("a")
    for value in (-4.4, 4.4):
        q[place] = value
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(np.linspace(0.5, -0.5, len(q))))
        assert native.error_at(state) < SAME
    q[place] = 4.6
    inertial.coordinates.set_values(state, q)
    with pytest.raises(RuntimeError, match="coordinate 'a' is at 4.6.*described from -4.5.* to 4.5.* only"):
        native.udot(0.0, state.getY().to_numpy().copy())
    assert np.isfinite(inertial.udot(state)).all()


def test_auto_falls_back_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """A model that the plugin cannot serve is simulated all the same; "native" says why it is not."""
    inertial = oi.InertialModel(chained("angle of two"), {"muscle": 0.3})
    why = "an angle that depends on several coordinates|known by differences only"
    with caplog.at_level(logging.INFO, logger="opensim_inertia"):
        auto = oi.simulate(oi.Problem(inertial, t_final=0.01))
    assert auto.engine == "python" and len(auto.notes) == 1
    assert auto.notes[0].startswith("the OpenSim plugin was not used")
    assert any("the OpenSim plugin was not used" in record.getMessage() for record in caplog.records)
    assert np.array_equal(auto.y, oi.simulate(oi.Problem(inertial, t_final=0.01), engine="python").y)
    assert auto.with_model(inertial).notes == auto.notes
    with pytest.raises(oi.InertiaError, match=why):
        oi.simulate(oi.Problem(inertial, t_final=0.01), engine="native")
    with pytest.raises(oi.errors.ModelError, match="an angle that depends on several coordinates"):
        inertial.native_model()


def jumping() -> osim.Model:
    """A chain over a joint whose third rotation has a kink that no sampling resolves."""
    model = chained("all of one")
    kink = osim.ExpressionBasedFunction()
    kink.setExpression("abs(x-0.123)")
    kink.setVariables(osim.StdVectorString(["x"]))
    joint = osim.CustomJoint.safeDownCast(model.getJointSet().get("shared"))
    joint.updSpatialTransform().updTransformAxis(2).set_function(kink)
    model.finalizeConnections()
    return model


def test_a_function_that_cannot_be_carried() -> None:
    """It is a named error on export, and no obstacle to a simulation."""
    inertial = oi.InertialModel(jumping(), {"muscle": 0.3})
    with pytest.raises(
        oi.errors.ModelError, match=r"coordinate 'a', a ExpressionBasedFunction, is not smooth|second derivative"
    ):
        inertial.native_model()
    auto = oi.simulate(oi.Problem(inertial, t_final=0.01))
    assert auto.engine == "python" and auto.notes


@pytest.fixture(scope="module")
def walker(opensim_models: Path) -> oi.InertialModel:
    """The model of Moco's example of walking, whose knees follow polynomials of the fourth degree and higher."""
    path = opensim_models.parent / "moco-walking" / "subject_walk_scaled.osim"
    if not path.is_file():
        pytest.skip(f"the model of Moco's walking is not found: {path}")
    return oi.InertialModel(path, oi.estimate_masses(path))


@pytest.mark.slow
def test_walking_model_of_moco(walker: oi.InertialModel, tmp_path: Path) -> None:
    """It is simulated, by the plugin and as without, and exported; accelerations are those of the Python route."""
    walker.export(tmp_path / "walker.osim")
    native = Native(walker, osim.Model(str(tmp_path / "walker.osim")))
    for seed in range(5):
        q, u = real_models.random_motion(walker, seed)
        state = walker.initial_state()
        walker.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        assert native.error_at(state) < SAME
    auto = oi.simulate(oi.Problem(walker, t_final=0.01))
    assert auto.engine == "native" and auto.notes == ()
    python = oi.simulate(oi.Problem(walker, t_final=0.01), engine="python")
    assert np.abs(auto.y[-1] - python.y[-1]).max() < 1e-4 * (1 + np.abs(python.y[-1]).max())

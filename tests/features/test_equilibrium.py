"""Postures in equilibrium: nothing moves, the cost is the least, and what cannot be held is named."""

from typing import Any

import numpy as np
import opensim as osim
import pytest
import quadprog
from conftest import model_path
from oracles import limbs, muscle_machines
from oracles.planar_arm import MUSCLES, POSE, arm, udot_of_activations

import opensim_inertia as oi

RESIDUAL = 1e-6  # Accelerations and rates of muscles' states; measured 1e-10
MOVED = 1e-6  # rad, in 20 ms; measured 1e-10
OPTIMUM = 1e-7  # Of activations, against quadprog; measured 1e-9


def check_at_rest(p: oi.stability.Posture) -> None:
    inertial = p.inertial
    state = inertial.dynamics.copy_state(p.state)
    if not p.external_forces:
        assert np.abs(inertial.udot(p.state)).max() < RESIDUAL
    names = inertial.coordinate_names
    forces = np.array([p.external_forces.get(name, 0.0) for name in names])
    assert np.abs(inertial.udot(p.state, forces)).max() < RESIDUAL
    inertial.model.realizeAcceleration(p.state)
    assert np.abs(p.state.getZDot().to_numpy()).max(initial=0.0) < RESIDUAL
    time = state.getTime() + 0.02
    run = oi.simulate(p.problem(time))
    assert np.abs(run.y[-1] - run.y[0])[: state.getNQ()].max() < MOVED


@pytest.mark.parametrize("kind", ["rigid", "states", "thelen", "millard", "millard rigid"])
def test_nothing_moves(kind: str) -> None:
    inertial = arm(kind)
    p = oi.equilibrate(inertial, POSE)
    check_at_rest(p)
    values = dict(zip(inertial.coordinate_names, inertial.coordinates.values(p.state), strict=True))
    assert values == pytest.approx(POSE, abs=0)
    assert set(p.activations) == set(p.forces) == set(p.fibre_lengths) == set(MUSCLES)
    assert list(p.summary().columns) == ["activation", "force", "fibre_length"]
    assert max(p.activations.values()) > 0.02


def test_pushing_with_a_given_force() -> None:
    """A hand that lifts 20 N: generalized forces are J^T W, J by differences of the hand's place."""
    inertial = arm()
    point, force = np.array([0.0, -0.3, 0.0]), np.array([6.0, -20.0, 0.0])
    p = oi.equilibrate(inertial, POSE, point_forces={"fore": (point, force)})
    check_at_rest(p)
    state, body = inertial.initial_state(), inertial.model.getBodySet().get("fore")

    def place(q: np.ndarray) -> np.ndarray:
        inertial.coordinates.set_values(state, q)
        inertial.model.realizePosition(state)
        return body.findStationLocationInGround(state, osim.Vec3(*point)).to_numpy()

    q = inertial.coordinates.values(p.state)
    J = np.column_stack([(place(q + h) - place(q - h)) / 2e-6 for h in 1e-6 * np.eye(2)])
    expected = dict(zip(inertial.coordinate_names, J.T @ force, strict=True))
    assert p.external_forces == pytest.approx(expected, rel=1e-8)
    free = oi.equilibrate(inertial, POSE)
    assert abs(p.activations["biceps"] - free.activations["biceps"]) > 0.01
    both = oi.equilibrate(inertial, POSE, forces=p.external_forces)
    assert both.activations == pytest.approx(p.activations, abs=1e-9)


def quadratic(H: np.ndarray, g: np.ndarray, B: np.ndarray, c: np.ndarray, low: np.ndarray) -> np.ndarray:
    """argmin 1/2 a^T H a + g^T a with B a = c and low <= a <= 1, by quadprog."""
    n = len(g)
    rows = np.vstack([B, np.eye(n), -np.eye(n)])
    return quadprog.solve_qp(H, -g, rows.T, np.r_[c, low, -np.ones(n)], len(c))[0]


@pytest.mark.parametrize("cost", ["activation", "stress", "force", "own"])
def test_the_optimum_is_quadprogs_on_differenced_accelerations(cost: str) -> None:
    inertial = arm("millard rigid")
    push = {"fore": ((0.0, -0.3, 0.0), (0.0, -30.0, 0.0))}
    rng = np.random.default_rng(4)
    root = rng.normal(size=(6, 6))
    Q, c = root @ root.T / 100**2, rng.normal(size=6) / 100
    p = oi.equilibrate(inertial, POSE, cost=(Q, c) if cost == "own" else cost, point_forces=push)
    forces = np.array([p.external_forces[name] for name in inertial.coordinate_names])
    a0 = np.array(list(p.activations.values()))
    state = p.state

    def at(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        made = inertial.dynamics.copy_state(state)
        inertial.model.realizeVelocity(made)
        inertial.model.setControls(made, osim.Vector.createFromMat(a))
        udot = inertial.udot(made, forces)
        return udot, np.array([m.getActuation(made) for m in inertial.model.getMuscles()])

    base, tension = at(np.full(6, 0.5))
    columns = [(at(np.full(6, 0.5) + 0.4 * e), at(np.full(6, 0.5) - 0.4 * e)) for e in np.eye(6)]
    B = np.column_stack([(plus[0] - minus[0]) / 0.8 for plus, minus in columns])
    S = np.diag([(plus[1] - minus[1])[i] / 0.8 for i, (plus, minus) in enumerate(columns)])
    passive = tension - S @ np.full(6, 0.5)
    strengths = np.array([m.getMaxIsometricForce() for m in inertial.model.getMuscles()])
    weights = {"stress": np.diag(strengths**-2.0), "force": np.eye(6) / 1e5, "own": Q}.get(cost, Q)
    H, g = S @ weights @ S, S @ (weights @ passive + (c if cost == "own" else 0.0))
    if cost == "activation":
        H, g = np.eye(6), np.zeros(6)
    found = quadratic(H, g, B, B @ np.full(6, 0.5) - base, np.full(6, 0.01))
    np.testing.assert_allclose(a0, found, rtol=0, atol=OPTIMUM if cost != "force" else 1e-6)
    assert (found > 0.02).sum() >= 2


def test_nearest_to_a_pattern() -> None:
    """The nearest activations that hold the pose: the projection on the equations, where bounds do not matter."""
    inertial = arm()
    p = oi.equilibrate(inertial, POSE)
    wanted = np.full(6, 0.3)
    near = oi.equilibrate(inertial, POSE, activations=dict(zip(MUSCLES, wanted.tolist(), strict=True)))
    a = np.array(list(near.activations.values()))
    B = p.effect
    c = B @ np.array(list(p.activations.values()))
    np.testing.assert_allclose(a, wanted - np.linalg.pinv(B) @ (B @ wanted - c), rtol=0, atol=1e-9)
    assert np.abs(udot_of_activations(inertial, near, a)).max() < RESIDUAL


def test_constraints_locks_and_motors() -> None:
    """The dependent coordinate follows the one that is given; a motor takes what muscles cannot."""
    model = limbs.limbs("fixed", pull=True)
    limbs.couple(model, "knee", "ankle", -0.5, 0.1)
    motor = osim.CoordinateActuator("hip")
    motor.setName("motor")
    motor.setOptimalForce(20.0)
    model.addForce(motor)
    model.finalizeConnections()
    inertial = oi.InertialModel(model, limbs.masses())
    p = oi.equilibrate(inertial, {"knee": 0.4, "hip": 0.2})
    check_at_rest(p)
    values = dict(zip(inertial.coordinate_names, inertial.coordinates.values(p.state), strict=True))
    assert values == pytest.approx({"knee": 0.4, "hip": 0.2, "ankle": -0.1}, abs=1e-9)
    assert "motor" in p.excitations and "motor" not in p.activations
    with pytest.raises(oi.errors.SimulationError, match=r"constraints cannot be met (with|near) .*'(knee|ankle)'"):
        oi.equilibrate(inertial, {"knee": 0.4, "ankle": 0.4})
    state = inertial.initial_state()
    inertial.model.getCoordinateSet().get("hip").setLocked(state, True)
    held = oi.equilibrate(inertial, {"knee": 0.4, "hip": 0.2}, state=state)
    assert abs(held.excitations["motor"]) < 1e-9 < abs(p.excitations["motor"])
    assert inertial.coordinates.values(held.state)[inertial.coordinates.index("hip")] == pytest.approx(0.2, abs=1e-12)


def test_without_muscle_mass_and_without_muscles() -> None:
    check_at_rest(oi.equilibrate(arm(massive=False), POSE))
    model = muscle_machines.hinge(muscle_machines.millard())
    model.getMuscles().get("muscle").set_appliesForce(False)
    hanging = oi.InertialModel(model, {})
    p = oi.equilibrate(hanging, {"angle": 0.0})
    check_at_rest(p)
    assert p.activations == {} and "most active: none" in repr(p)
    with pytest.raises(oi.errors.InfeasiblePostureError) as caught:
        oi.equilibrate(hanging, {"angle": 0.5})
    assert caught.value.missing == pytest.approx({"angle": muscle_machines.ROD * 9.80665 * 0.2 * np.sin(0.5)}, rel=1e-6)


def test_what_cannot_be_held_is_named() -> None:
    with pytest.raises(
        oi.errors.InfeasiblePostureError, match=r"where they come nearest, [+-][\d.]+ N m at 'shoulder'"
    ) as caught:
        oi.equilibrate(arm(), POSE, forces={"shoulder": 500.0})
    assert caught.value.missing["shoulder"] < -100


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"coordinates": {"elbows": 1.0}}, oi.errors.UnknownNameError, "'elbows'.*'elbow'"),
        ({"coordinates": {"elbow": np.nan}}, oi.errors.OptionError, r"coordinates\['elbow'\]"),
        ({"cost": "energy"}, oi.errors.OptionError, "cost='energy'.*'stress'"),
        ({"cost": (np.eye(5), np.zeros(6))}, oi.errors.OptionError, r"Q \(6, 6\)"),
        ({"forces": {"wrist": 1.0}}, oi.errors.UnknownNameError, "wrist"),
        ({"point_forces": {"fore": (0, 0, 1)}}, oi.errors.OptionError, r"point_forces\['fore'\]"),
        ({"activations": {"biceps": np.nan}}, oi.errors.OptionError, r"activations\['biceps'\]"),
    ],
)
def test_bad_input_is_named(given: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        oi.equilibrate(arm(), **{"coordinates": POSE, **given})


def arm26(gravity: bool) -> osim.Model:
    """Arm26 with DeGrooteFregly's muscles, rigid tendons, and activations from 0 on."""
    model = oi.stability.without_muscle_states(osim.Model(str(model_path("Models/Arm26/arm26.osim"))))
    for muscle in model.getMuscles():
        muscle.setMinControl(0.0)
    if not gravity:
        model.setGravity(osim.Vec3(0))
    return model


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [True, False])
def test_activations_of_arm26(gravity: bool) -> None:
    """Sliding hardly moves mass here."""
    model, pose = arm26(gravity), {"r_shoulder_elev": 0.2, "r_elbow_flex": 1.2}
    found = []
    for masses in ({}, oi.estimate_masses(model)):
        p = oi.equilibrate(oi.InertialModel(model, masses, strain="rigid_tendon"), pose)
        check_at_rest(p)
        found.append(p.activations["TRIlat"])
    assert found == pytest.approx((0.5665, 0.5684) if gravity else (0.2701,) * 2, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "locked", "pose", "rigid"),
    [
        ("Models/Arm26/arm26.osim", (), {"r_shoulder_elev": 0.2, "r_elbow_flex": 1.2}, False),
        *(
            (
                "Models/Gait10dof18musc/gait10dof18musc.osim",
                ("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension"),
                {"hip_flexion_r": 0.3, "knee_angle_r": -0.5, "ankle_angle_r": 0.1},
                rigid,
            )
            for rigid in (False, True)
        ),
        (
            "Models/Rajagopal/Rajagopal2016.osim",
            ("pelvis_tilt", "pelvis_list", "pelvis_rotation", "pelvis_tx", "pelvis_ty", "pelvis_tz"),
            {"hip_flexion_r": 0.4, "knee_angle_r": 0.6, "ankle_angle_r": 0.1, "hip_adduction_r": -0.05},
            False,
        ),
    ],
)
def test_real_models(path: str, locked: tuple[str, ...], pose: dict[str, float], rigid: bool) -> None:
    model = osim.Model(str(model_path(path)))
    model.initSystem()
    for name in locked:
        model.updCoordinateSet().get(name).set_locked(True)
    if rigid:
        model = oi.stability.without_muscle_states(model)
    check_at_rest(oi.equilibrate(oi.InertialModel(model, oi.estimate_masses(model)), pose))


def driven_limbs(base: str, on_base: str = "") -> osim.Model:
    """Limbs whose hinges are driven, and on whose base something acts."""
    model = limbs.limbs(base)
    names = list(limbs.HINGES)
    if on_base == "actuators":
        joint = model.getJointSet().get("base")
        names += [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
    for name in names:
        actuator = osim.CoordinateActuator(name)
        actuator.setName(f"drive_{name}")
        actuator.setOptimalForce(1.0)
        model.addForce(actuator)
    if on_base == "spring":
        ends = model.getGround(), osim.Vec3(0.0, 0.5, 0.0), model.getBodySet().get("trunk"), osim.Vec3(0.0)
        model.addForce(osim.PointToPointSpring(*ends, 50.0, 0.1))
    if on_base == "lock":
        model.initSystem()
        model.updJointSet().get("base").upd_coordinates(4).set_locked(True)
    model.finalizeConnections()
    return model


@pytest.mark.parametrize("base", ["free", "custom"])
def test_a_base_that_would_fall_is_held_by_its_weight(base: str) -> None:
    """With no rotation the coordinates turn about ground's axes: the residuals are the weight, and its moment."""
    model = driven_limbs(base)
    p = oi.equilibrate(oi.InertialModel(model, limbs.masses()), {})
    state = model.initSystem()
    weight = np.array([0.0, model.getTotalMass(state) * limbs.GRAVITY, 0.0])
    centre = model.calcMassCenterPosition(state).to_numpy()
    values = list(p.base_residuals.values())
    assert np.abs(p.inertial.udot(p.state)).max() < RESIDUAL
    assert values == pytest.approx([*np.cross(centre, weight), *weight], rel=1e-9, abs=1e-9)
    assert all(p.inertial.model.getCoordinateSet().get(name).getLocked(p.state) for name in p.base_residuals)
    assert f"{weight[1]:.4g} N" in p.base_sentence and "base" in p.description()
    with pytest.raises(oi.errors.InfeasiblePostureError, match=f"{weight[1]:.4g} N at"):
        oi.equilibrate(p.inertial, {}, hold_base=False)


@pytest.mark.parametrize(("on_base", "holds"), [("actuators", True), ("spring", False), ("lock", False)])
def test_a_base_on_which_something_acts_is_left_to_it(on_base: str, holds: bool) -> None:
    inertial = oi.InertialModel(driven_limbs("free", on_base), limbs.masses())
    if holds:
        p = oi.equilibrate(inertial, {})
        check_at_rest(p)
        assert not p.base_residuals and p.base_sentence == "" and "base" not in p.description()
        return
    with pytest.raises(oi.errors.InfeasiblePostureError):
        oi.equilibrate(inertial, {})


def test_a_standing_model_needs_no_locks_but_of_joints_without_muscles() -> None:
    model = osim.Model(str(model_path("Models/Gait10dof18musc/gait10dof18musc.osim")))
    model.initSystem()
    model.updCoordinateSet().get("lumbar_extension").set_locked(True)
    p = oi.equilibrate(oi.InertialModel(model, oi.estimate_masses(model)), {"knee_angle_r": -0.3})
    assert p.base_residuals["pelvis_ty"] == pytest.approx(model.getTotalMass(model.initSystem()) * 9.80665, rel=1e-6)

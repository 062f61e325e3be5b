"""Motions of joints whose speeds are not the rates of their coordinates: ball, free, ellipsoid and scapulothoracic."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import limbs
from oracles.finite_differences import Array
from oracles.trials import run_tool
from scipy.spatial.transform import Rotation

import opensim_inertia as oi
from opensim_inertia.files import write_table

MASS, CENTRE, GRAVITY = 3.0, np.array([0.1, 0.05, -0.02]), np.array([0.0, -9.80665, 0.0])
MOMENTS = (0.05, 0.07, 0.09, 0.01, -0.005, 0.002)
ZERO = osim.Vec3(0)
#: Weights of a central difference of eighth order over one to four steps.
EIGHTH = np.array([4 / 5, -1 / 5, 4 / 105, -1 / 280])
ELLIPSOIDAL = {"EllipsoidJoint": 3, "ScapulothoracicJoint": 4}


def free_body(centre: Array = CENTRE, moments: tuple[float, ...] = MOMENTS) -> osim.Model:
    model = osim.Model()
    model.setName("free_body")
    body = osim.Body("block", MASS, osim.Vec3(*centre), osim.Inertia(*moments))
    model.addBody(body)
    model.addJoint(osim.FreeJoint("base", model.getGround(), ZERO, ZERO, body, ZERO, ZERO))
    model.finalizeConnections()
    return model


def parabolas(names: tuple[str, ...], seed: int, times: Array) -> Array:
    """Coordinates (T, n) that are quadratic in time, which the spline of a motion reproduces."""
    a, b, c = np.random.default_rng(seed).uniform(-0.6, 0.6, (3, len(names)))
    return np.asarray(a + b * times[:, None] + c * times[:, None] ** 2)


def newton_euler(q: Array, rates: Array, second: Array) -> Array:
    """The forces on the coordinates (T, 6) of the free body: angles about X, Y, Z, each carried by the former."""
    inertia = np.diag(MOMENTS[:3])
    inertia[np.triu_indices(3, 1)] = inertia.T[np.triu_indices(3, 1)] = MOMENTS[3], MOMENTS[4], MOMENTS[5]
    forces = []
    for pose, rate, change in zip(q, rates, second, strict=True):
        first = Rotation.from_euler("X", pose[0])
        turned, R = first * Rotation.from_euler("Y", pose[1]), Rotation.from_euler("XYZ", pose[:3]).as_matrix()
        axes = np.column_stack([np.eye(3)[0], first.as_matrix()[:, 1], turned.as_matrix()[:, 2]])
        carried = np.column_stack([np.zeros(3), *(np.cross(axes[:, :k] @ rate[:k], axes[:, k]) for k in (1, 2))])
        w, alpha = axes @ rate[:3], axes @ change[:3] + carried @ rate[:3]
        arm, about = R @ CENTRE, R @ inertia @ R.T
        force = MASS * (change[3:] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)) - GRAVITY)
        moment = about @ alpha + np.cross(w, about @ w) + np.cross(arm, force)
        forces.append(np.r_[axes.T @ moment, force])
    return np.array(forces)


def derivatives(times: Array, seed: int, count: int) -> tuple[Array, Array]:
    _, b, c = np.random.default_rng(seed).uniform(-0.6, 0.6, (3, count))
    return b + 2 * c * times[:, None], np.tile(2 * c, (len(times), 1))


def test_a_free_body_in_closed_form() -> None:
    """Rows are 0.1 s apart, for rounding of second derivatives grows with its inverse square; measured 2e-13."""
    inertial = oi.InertialModel(free_body(), {})
    times = np.linspace(0.0, 1.0, 11)
    names = inertial.coordinate_names
    q = parabolas(names, 3, times)
    result = oi.inverse_dynamics(inertial, pd.DataFrame(q, index=times, columns=names))
    expected = newton_euler(q, *derivatives(times, 3, 6))
    np.testing.assert_allclose(result.lumped_forces, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    (note,) = result.notes
    assert "'base' (FreeJoint)" in note


def test_a_body_that_falls_and_tumbles_needs_no_force(tmp_path: Path) -> None:
    """A symmetric top without moments: its axis goes about its angular momentum, which it also turns about.

    OpenSim's tool asks for moments that the body does not need. Splines through 1001 rows make 1e-8 of the moments.
    """
    model = free_body(np.zeros(3), (0.05, 0.05, 0.09, 0.0, 0.0, 0.0))
    times, tilt, precession = np.linspace(0.0, 0.5, 1001), 0.8, 6.0  # about Z, along the angular momentum
    spin = (0.05 / 0.09 - 1) * precession * np.cos(tilt)  # so that the body's own share of it is constant
    attitude = np.column_stack([precession * times, np.full(len(times), tilt), spin * times])
    angles = np.unwrap(Rotation.from_euler("ZYZ", attitude).as_euler("XYZ"), axis=0)
    place = np.column_stack([0.3 * times, 2.0 * times - 0.5 * 9.80665 * times**2, -0.1 * times])
    inertial = oi.InertialModel(model, {})
    motion = pd.DataFrame(np.hstack([angles, place]), index=times, columns=inertial.coordinate_names)
    ours = oi.inverse_dynamics(inertial, motion).lumped_forces
    write_table(motion, tmp_path / "motion.sto", in_degrees=False)
    theirs = run_tool(model, tmp_path / "motion.sto", None, None, (0.0, 0.5), tmp_path).to_numpy()
    inner = slice(50, -50)
    assert np.abs(ours[inner]).max() < 1e-6
    assert np.abs(theirs[inner]).max() == pytest.approx(1.715, abs=1e-3)


def turning_model(kind: str) -> osim.Model:
    """Limbs on a base of this kind; those on ellipsoids have a muscle to ground."""
    if kind not in ELLIPSOIDAL:
        return limbs.limbs(kind)
    model = osim.Model()
    model.setName(kind)
    body = osim.Body("block", MASS, osim.Vec3(*CENTRE), osim.Inertia(*MOMENTS))
    model.addBody(body)
    if kind == "EllipsoidJoint":
        radii = osim.Vec3(0.05, 0.02, 0.07)
        joint = osim.EllipsoidJoint("base", model.getGround(), ZERO, ZERO, body, ZERO, ZERO, radii)
    else:
        joint = osim.ScapulothoracicJoint()
        joint.setName("base")
        joint.connectSocket_parent_frame(model.getGround())
        joint.connectSocket_child_frame(body)
        joint.set_thoracic_ellipsoid_radii_x_y_z(osim.Vec3(0.05, 0.12, 0.07))
        for at, value in enumerate((0.02, -0.04)):
            joint.set_scapula_winging_axis_origin(at, value)
        joint.set_scapula_winging_axis_direction(0.4)
    model.addJoint(joint)
    muscle = osim.Thelen2003Muscle("long", 300.0, 0.3, 0.2, 0.0)
    muscle.set_appliesForce(False)
    muscle.addNewPathPoint("long-P1", model.getGround(), osim.Vec3(0.3, -0.4, 0.2))
    muscle.addNewPathPoint("long-P2", body, osim.Vec3(0.05, 0.1, -0.1))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


@pytest.mark.parametrize("kind", ["ball", "free", *ELLIPSOIDAL])
def test_power_is_the_rate_of_energy(kind: str) -> None:
    """The power of forces on coordinates is the rate of energy, of all mass and of sliding muscles.

    Energy is OpenSim's at speeds that solve qdot = N u. Differences of eighth order have errors of 1e-12.
    """
    model = turning_model(kind)
    inertial = oi.InertialModel(model, {"long": 0.9})
    names, times, step = inertial.coordinate_names, np.linspace(0.0, 0.6, 13), 5e-3
    rows = np.linspace(0.0, 0.6, 121)
    motion = pd.DataFrame(parabolas(names, 5, rows), index=rows, columns=names)
    result = oi.inverse_dynamics(inertial, motion, implausible="warn")
    rates, _ = derivatives(rows, 5, len(names))
    matter, state = inertial.model.getMatterSubsystem(), inertial.initial_state()

    def energies(time: float) -> Array:
        inertial.coordinates.set_values(state, parabolas(names, 5, np.array([time]))[0])
        inertial.model.realizePosition(state)
        qdot = np.zeros(inertial.coordinates.nq)
        qdot[inertial.coordinates.slots] = derivatives(np.array([time]), 5, len(names))[0][0]
        N, out = [], osim.Vector()
        for unit in np.eye(len(names)):
            matter.multiplyByN(state, False, osim.Vector.createFromMat(unit), out)
            N.append(out.to_numpy().copy())
        state.setU(osim.Vector.createFromMat(np.linalg.lstsq(np.array(N).T, qdot, rcond=None)[0]))
        inertial.model.realizeVelocity(state)
        terms = inertial.evaluate(state)
        lumped = inertial.model.calcKineticEnergy(state) + inertial.model.calcPotentialEnergy(state)
        return np.array([lumped, terms.kinetic_energy + terms.potential_energy])

    expected = []
    for time in times:
        ends = [energies(time + i * step) - energies(time - i * step) for i in (1, 2, 3, 4)]
        expected.append(EIGHTH @ np.array(ends) / step)
    at = np.searchsorted(rows, times - 1e-9)
    lumped = (result.lumped_forces * rates).sum(axis=1)[at]
    sliding = ((result.inertial_forces - result.lumped_forces) * rates).sum(axis=1)[at]
    for power, change in zip((lumped, sliding), np.array(expected).T, strict=True):
        np.testing.assert_allclose(power, change, rtol=0, atol=1e-10 * np.abs(expected).max())
    assert np.abs(expected).max(axis=0).min() > 1e-3


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # of rows that are far apart
def test_angular_velocities_in_gimbal_lock() -> None:
    """At a middle angle of 90 degrees rates do not follow from speeds, but speeds from rates do."""
    model = free_body()
    model.initSystem()
    times = np.linspace(-0.6, 0.6, 7)
    q = np.column_stack([0.3 + 0.7 * times, np.pi / 2 + 1.1 * times, 0.5 * times**2, *np.zeros((3, 7))])
    names = [f"base_coord_{i}" for i in range(6)]
    motion = oi.inverse_dynamics(oi.InertialModel(model, {}), pd.DataFrame(q, index=times, columns=names)).motion
    axes = [Rotation.from_euler("XY", pose[:2]).as_matrix()[:, 2] for pose in q]
    first = [Rotation.from_euler("X", pose[0]).as_matrix()[:, 1] for pose in q]
    expected = np.array([0.7, 0.0, 0.0]) + 1.1 * np.array(first) + times[:, None] * np.array(axes)
    np.testing.assert_allclose(motion.u[:, :3], expected, rtol=0, atol=1e-12)
    w = np.array([0.7, 0.0, 0.0])
    carried = 1.1 * np.cross(w, first) + np.cross(w + 1.1 * np.array(first), axes) * times[:, None] + np.array(axes)
    np.testing.assert_allclose(motion.udot[:, :3], carried, rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.LostPathWarning")
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.WrapDifferenceWarning")
def test_the_shoulder_that_opensim_ships(opensim_models: Path) -> None:
    path = opensim_models / "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
    model = osim.Model(str(path))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    names, times = inertial.coordinate_names, np.linspace(0.0, 1.0, 41)
    waves = 0.1 * (np.sin(3 * times[:, None] + np.arange(len(names))) - np.sin(np.arange(len(names))))
    table = pd.DataFrame(inertial.coordinates.defaults + waves, index=times, columns=names)
    recording = oi.Recording(table, assemble=True)
    result = oi.inverse_dynamics(inertial, recording)
    assert np.isfinite(result.inertial_forces).all()
    assert any("'scapulothoracic' (ScapulothoracicJoint)" in note for note in result.notes)
    recruited = oi.recruit(inertial, recording, actuation=oi.Actuation(reserves=1000.0))
    assert np.isfinite(recruited.activations.to_numpy()).all()
    assert np.isfinite(oi.rank_muscles(inertial, result).shares.to_numpy()).all()
    with pytest.warns(oi.warnings.MissingGeometryWarning):
        assert oi.report(result, inertial=inertial).html

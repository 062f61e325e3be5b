"""Linearization: against plain differences of the right-hand side, closed forms, and simulated perturbations."""

from typing import Any

import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from oracles import custom_joints, limbs, muscle_machines
from oracles.planar_arm import POSE, arm
from oracles.state_matrices import slope, started, state_matrix
from scipy.linalg import eig

import opensim_inertia as oi

MATRIX = 1e-7  # Of a column's largest entry; measured 3e-8, and of most columns 1e-9
NEGLIGIBLE = 1e-4
"""Columns this small, of the largest, are compared with that share of it: how a base is turned changes little."""
UPWARDS = -9.80665  # Gravity that makes the planar arm fall over
GROWTH = 1e-4  # Of rates of growth and frequencies; measured 1e-6


def moving(inertial: oi.InertialModel, excitations: dict[str, float], state: Any = None, seed: int = 0) -> osim.State:
    """A state that moves, with activations off the excitations, and fibres a little off their equilibrium."""
    rng = np.random.default_rng(seed)
    system, t, y = started(inertial, state, excitations, equilibrate=True)
    y[system.layout.coordinates.slots] += 0.05 * rng.uniform(-1, 1, system.nu)
    y[system.speeds] = rng.normal(size=system.nu)
    for name, i in zip(system.layout.names, system.layout.order.tolist(), strict=True):
        if name.endswith("/activation"):
            y[i] = rng.uniform(0.2, 0.4)
        elif i >= system.speeds.stop:
            y[i] *= 1 + 3e-3 * rng.uniform(-1, 1)
    made = inertial.dynamics.copy_state(system.problem.state)
    made.setY(osim.Vector.createFromMat(system.project(t, y)))
    return made


def check_matrices(
    inertial: oi.InertialModel, state: Any, excitations: dict[str, float] | None = None
) -> oi.stability.Linearization:
    with pytest.warns(oi.warnings.OffEquilibriumWarning):
        L = oi.linearize(inertial, state, excitations)
    system, t, y = started(inertial, state, excitations)
    plain = state_matrix(system, t, y, L.state_names)
    size = np.abs(plain).max(axis=0)
    np.testing.assert_array_less(np.abs(L.A - plain).max(axis=0), MATRIX * np.maximum(size, NEGLIGIBLE * size.max()))
    assert np.abs(plain).max() > 0.1
    if excitations:
        places = dict(zip(system.layout.names, system.layout.order.tolist(), strict=True))
        rows = [places[name] for name in L.state_names]
        controls = system.drives.controls(system.model, system.set_state(t, y))
        for k, name in enumerate(L.input_names):

            def rates_of(s: float, name: str = name, now: float = float(controls[k])) -> np.ndarray:
                return started(inertial, state, {**excitations, name: now + s})[0].rhs(t, y)[rows]

            column = slope(rates_of, 0.1)
            np.testing.assert_allclose(L.B[:, k], column, rtol=0, atol=MATRIX * max(1e-3, np.abs(column).max()))
    return L


@pytest.mark.parametrize("kind", slow_except({"equilibrium", "thelen"}, muscle_machines.KINDS))
def test_muscles_of_every_kind(kind: str) -> None:
    inertial = muscle_machines.inertial_model(muscle_machines.hinge(muscle_machines.KINDS[kind]()))
    L = check_matrices(inertial, moving(inertial, {"muscle": 0.5}), {"muscle": 0.5})
    assert L.state_names[:2] == ("/jointset/pin/angle/value", "/jointset/pin/angle/speed")
    assert L.input_names == ("muscle",)


@pytest.mark.parametrize("kind", slow_except({"coupled", "locked"}, limbs.CONSTRAINED))
def test_on_the_tangent_of_constraints(kind: str) -> None:
    """A moving chain: the bases of speeds turn with the coordinates."""
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    L = check_matrices(inertial, state)
    if kind == "coupled":  # who follows is the coupler's to say
        assert not any("q3" in name for name in L.state_names)
    free = 10 - 2 * {"locked couple": 2, "held point": 2, "held body": 3}.get(kind, 1)
    assert L.A.shape == (free, free) and L.basis.shape == (
        12,
        free,
    )  # with the two states of a muscle that does not act
    system, t, y = started(inertial, state)
    rng = np.random.default_rng(0)
    along = np.zeros(len(y))
    along[sorted(system.layout.order.tolist())] = L.basis @ rng.normal(size=free)
    for which in ("getQErr", "getUErr"):

        def errors(s: float, which: str = which) -> np.ndarray:
            state = system.set_state(t, y + s * along)
            system.model.realizeVelocity(state)
            return np.array(getattr(state, which)().to_numpy())

        assert np.abs(slope(errors, 0.1)).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("base", slow_except({"ball"}, limbs.BASES))
def test_joints_of_every_kind(base: str) -> None:
    """Speeds of ball and free joints are not the coordinates' rates."""
    inertial = oi.InertialModel(limbs.limbs(base, pull=True), limbs.masses())
    given = dict.fromkeys(limbs.MUSCLES, 0.7)
    L = check_matrices(inertial, moving(inertial, given), given)
    assert len(L.state_names) == 2 * len(inertial.coordinate_names) + 6


@pytest.mark.parametrize("kind", custom_joints.SHARED)
def test_joints_whose_bias_simbody_gets_wrong(kind: str) -> None:
    """Muscles slide by the right bias; their frozen mass moves by Simbody's, as its segment does."""
    model = custom_joints.build_chain(custom_joints.SHARED[kind])
    muscle = osim.Thelen2003Muscle("muscle", 10.0, 0.3, 0.3, 0.0)
    muscle.set_appliesForce(False)
    for body, station in (("first", (0.1, 0.05, 0.02)), ("third", (0.1, -0.1, 0.05))):
        muscle.addNewPathPoint(body, model.getBodySet().get(body), osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    inertial = oi.InertialModel(model, {"muscle": 0.5})
    check_matrices(inertial, moving(inertial, {}))


def test_motors_springs_and_a_muscle_that_is_disabled() -> None:
    model = limbs.limbs("fixed", pull=True)
    model.getMuscles().get("middle").set_appliesForce(False)
    motor = osim.CoordinateActuator("knee")
    motor.setName("motor")
    motor.setOptimalForce(20.0)
    model.addForce(motor)
    trunk, foot = (model.getBodySet().get(name) for name in ("trunk", "foot"))
    spring = osim.PointToPointSpring(trunk, osim.Vec3(0.1, 0.0, 0.0), foot, osim.Vec3(0.0, -0.05, 0.0), 50.0, 0.3)
    model.addForce(spring)
    model.finalizeConnections()
    inertial, given = oi.InertialModel(model, limbs.masses()), {"long": 0.3, "middle": 0.5, "short": 0.4, "motor": 0.7}
    check_matrices(inertial, moving(inertial, given), given)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["Models/Arm26/arm26.osim", "Models/Gait10dof18musc/gait10dof18musc.osim"])
def test_real_models(path: str) -> None:
    model = osim.Model(str(model_path(path)))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    given = dict.fromkeys((m.getName() for m in inertial.model.getMuscles()), 0.5)
    L = check_matrices(inertial, moving(inertial, given), None)
    assert L.A.shape[0] == len(L.variable_names)


@pytest.mark.parametrize("which", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", ["rigid", pytest.param("states", marks=pytest.mark.slow)])
def test_modes_against_a_simulated_perturbation(kind: str, which: int) -> None:
    """The part of a small motion along a left eigenvector grows, and turns, as the eigenvalue says."""
    inertial = arm(kind, UPWARDS)
    p = oi.equilibrate(inertial, POSE)
    L = p.linearize()
    values, left, right = eig(L.A, left=True)
    chosen = np.argsort(-np.abs(values.imag) if which else -values.real)[0]
    value, w, v = values[chosen], left[:, chosen].conj(), right[:, chosen]
    state = inertial.dynamics.copy_state(p.state)
    y0 = state.getY().to_numpy().copy()
    shape = (L.basis @ v).real
    y = y0.copy()
    system, _, _ = started(inertial, state, p.excitations)
    y[sorted(system.layout.order.tolist())] += 1e-6 * shape / np.abs(shape).max()
    state.setY(osim.Vector.createFromMat(y))
    method = oi.integrators.named("dop853" if kind == "rigid" else "bdf", accuracy=1e-10)
    run = oi.simulate(oi.Problem(inertial, state, 0.1, excitations=p.excitations), method, report_step=0.01)
    moved = (run.y - y0)[:, sorted(system.layout.order.tolist())] @ w
    growth = np.log(moved[-1] / moved[1]) / (run.times[-1] - run.times[1])
    if abs(value.imag) > 0:
        turned = np.unwrap(np.angle(moved))
        assert (turned[-1] - turned[1]) / (run.times[-1] - run.times[1]) == pytest.approx(value.imag, rel=GROWTH)
    assert growth.real == pytest.approx(value.real, rel=GROWTH)
    assert abs(value.real) > 0.5


def pendulum(mass: float = muscle_machines.ROD) -> tuple[oi.InertialModel, float]:
    """The rod on a hinge, its muscle switched off, and its inertia about the hinge."""
    model = muscle_machines.hinge(muscle_machines.millard())
    model.getMuscles().get("muscle").set_appliesForce(False)
    length = muscle_machines.LENGTH
    return oi.InertialModel(model, {}), mass * length**2 / 12 + mass * (length / 2) ** 2


@pytest.mark.parametrize("lift", [0.0, 3.0, 30.0])
def test_forces_at_points_stiffen_or_soften(lift: float) -> None:
    """A force of constant direction at the end of a hanging rod, in closed form."""
    inertial, inertia = pendulum()
    length, weight = muscle_machines.LENGTH, muscle_machines.ROD * 9.80665
    L = oi.linearize(inertial, inertial.initial_state(), point_forces={"rod": ((0, -length, 0), (0, lift, 0))})
    assert L.state_names == ("/jointset/pin/angle/value", "/jointset/pin/angle/speed")
    stiffness = weight * length / 2 - lift * length
    np.testing.assert_allclose(L.A, [[0, 1], [-stiffness / inertia, 0]], rtol=0, atol=1e-7)
    if stiffness < 0:
        assert L.doubling_time == pytest.approx(np.log(2) / np.sqrt(-stiffness / inertia), rel=1e-8)
        assert not L.is_stable


def test_intrinsic_stiffness_in_closed_form() -> None:
    inertial = muscle_machines.inertial_model(muscle_machines.hinge(muscle_machines.millard()))
    state = moving(inertial, {"muscle": 0.5})
    with pytest.warns(oi.warnings.OffEquilibriumWarning):
        soft, stiff = (oi.linearize(inertial, state, {"muscle": 0.5}, intrinsic_stiffness=g) for g in (0.0, 2.5))
    system, t, y = started(inertial, state)
    muscle = muscle_machines.muscle_of(inertial.model)

    def length(angle: float) -> np.ndarray:
        state = system.set_state(t, y + angle * np.eye(len(y))[0])
        inertial.model.realizePosition(state)
        return np.array([muscle.getLength(state)])

    arm_, a = slope(length, 0.1)[0], y[2]
    system.realize(t, y)
    inertia = system.mass_matrix(system.state)[0, 0] + system.added_terms(system.state)[0][0, 0]
    added = -2.5 * a * muscle_machines.FORCE / muscle_machines.FIBRE * arm_**2 / inertia
    np.testing.assert_allclose((stiff.A - soft.A)[1, 0], added, rtol=1e-8)
    others = (stiff.A - soft.A).copy()
    others[1, 0] = 0.0
    assert np.abs(others).max() == 0.0


def test_lyapunov_function_falls_along_motions() -> None:
    inertial = arm("rigid", UPWARDS)
    p = oi.equilibrate(inertial, POSE)
    L = p.linearize(15.0)
    assert L.is_stable and L.doubling_time == np.inf
    Q = np.diag([1.0, 2.0, 0.1, 0.2])
    P = L.lyapunov(Q)
    np.testing.assert_allclose(L.A.T @ P + P @ L.A, -Q, rtol=0, atol=1e-9 * np.abs(L.A.T @ P).max())
    assert np.linalg.eigvalsh(P).min() > 0
    with pytest.raises(oi.errors.OptionError, match=r"positive definite matrix \(4, 4\)"):
        L.lyapunov(-Q)
    with pytest.raises(oi.errors.ModelError, match="no Lyapunov function: the state is not stable"):
        p.linearize().lyapunov()


def test_derivatives_over_least_activations_are_upwards() -> None:
    """At the least activation of Millard's muscles there is no way down: it decays from above."""
    p = oi.equilibrate(arm("millard"), POSE)
    least = min(p.activations, key=lambda name: p.activations[name])
    assert p.activations[least] == pytest.approx(0.01, abs=1e-12)
    L = p.linearize()
    place = L.state_names.index(f"/forceset/{least}/activation")
    assert L.A[place, place] < -10


def test_a_controller_that_follows_the_state() -> None:
    """OpenSim's reflex controller: no closed form, but the derivatives are those of the whole."""
    model = muscle_machines.hinge(muscle_machines.de_groote_fregly())
    reflex = osim.ToyReflexController(0.5)
    reflex.addActuator(muscle_machines.muscle_of(model))
    reflex.thisown = False
    model.addController(reflex)
    model.finalizeConnections()
    inertial = muscle_machines.inertial_model(model)
    system, t, y = started(inertial, equilibrate=True)
    y[:2] = -0.4, -1.0
    state = inertial.initial_state()
    state.setY(osim.Vector.createFromMat(y))
    with pytest.warns(oi.warnings.OffEquilibriumWarning):
        L = oi.linearize(inertial, state)
    plain = state_matrix(system, t, y, L.state_names)
    np.testing.assert_allclose(L.A, plain, rtol=0, atol=1e-6 * np.abs(plain).max())
    place = L.state_names.index("/forceset/muscle/activation")
    assert abs(L.A[place, 0]) > 1e-3  # the reflex


def test_bad_input_is_named() -> None:
    inertial = arm()
    p = oi.equilibrate(inertial, POSE)
    for value in (-1.0, np.nan, "stiff"):
        with pytest.raises(oi.errors.OptionError, match="intrinsic_stiffness"):
            oi.linearize(inertial, p.state, p.excitations, intrinsic_stiffness=value)  # type: ignore[arg-type]
    with pytest.raises(oi.errors.UnknownNameError, match="'bicep'.*'biceps'"):
        oi.linearize(inertial, p.state, {"bicep": 0.2})
    with pytest.raises(oi.errors.UnknownNameError, match="forehand"):
        oi.linearize(inertial, p.state, p.excitations, point_forces={"forehand": ((0, 0, 0), (0, 0, 1))})
    with pytest.raises(oi.errors.OptionError, match=r"point_forces\['fore'\]"):
        oi.linearize(inertial, p.state, p.excitations, point_forces={"fore": ((0, 0), (0, 0, 1))})


def test_off_equilibrium_is_a_warning_with_the_residual() -> None:
    inertial = arm()
    p = oi.equilibrate(inertial, POSE)
    assert p.linearize().residual < 1e-6
    with pytest.raises(oi.warnings.OffEquilibriumWarning, match=r"'/jointset/\w+/\w+/speed' changes at a rate of"):
        oi.linearize(inertial, p.state, p.excitations | {"biceps": 0.9})

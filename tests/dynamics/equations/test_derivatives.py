"""Derivatives of the equations of motion, against plain differences of the whole right-hand side."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from conftest import model_path, slow_except
from oracles import custom_joints, limbs, muscle_machines
from oracles.finite_differences import disagreement
from oracles.gradients import slope_along

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.dynamics.equations import Problem, System, start
from opensim_inertia.dynamics.equations.derivatives import Differentiator
from opensim_inertia.dynamics.equations.differences import FORWARD_STEP

JACOBIAN = 1e-6
"""Of a column's largest entry; measured 5e-8."""
REAL = 1e-5
"""Of real models, whose paths and muscles OpenSim finds by iteration; measured 5e-7."""
FORWARD = 1e-5
"""Of the same forward differences taken one by one; rounding over the step is 1e-7."""
CONTROLS = 1e-7
"""Of a control's column; measured 1e-9."""


def system_of(inertial: oi.InertialModel, state: Any = None, **drives: Any) -> System:
    return start(Problem(inertial, state, **drives))[0]


def somewhere(system: System, seed: int = 0, spread: float = 0.05) -> np.ndarray:
    """A state near the default one, moving; muscles a little off their equilibrium, activations in (0.2, 0.6)."""
    rng = np.random.default_rng(seed)
    y = system.state.getY().to_numpy().copy()
    slots = system.inertial.coordinates.slots
    free = slice(system.nq, system.nq + system.nu)
    y[slots] += spread * rng.uniform(-1.0, 1.0, len(slots))
    y[free] = rng.normal(size=system.nu)
    for name, i in zip(system.layout.names, system.layout.order.tolist(), strict=True):
        if name.endswith("/activation"):
            y[i] = rng.uniform(0.2, 0.6)
        elif i >= free.stop:
            y[i] *= 1 + 0.01 * rng.uniform(-1.0, 1.0)
    return system.project(0.0, y)


def check_columns(system: System, y: np.ndarray, tolerance: float = JACOBIAN) -> None:
    """Every column; those of differences that are rounding only must be nothing for us too."""
    differentiator = Differentiator(system)
    J = differentiator.at(0.0, y).jacobian
    apart = disagreement(lambda x: system.rhs(0.0, x), y, J)
    size = np.abs(J).max(axis=0)
    counts = size > 1e-8 * size.max()
    assert counts.sum() >= system.nu
    worst = np.unravel_index(np.argmax(apart * counts), apart.shape)
    assert apart[worst] < tolerance, f"{apart[worst]:.1e}, row {worst[0]}, column {worst[1]}"
    for i in np.flatnonzero(~counts):
        ends = [system.rhs(0.0, y + sign * 1e-4 * np.eye(len(y))[i]) for sign in (1.0, -1.0)]
        assert np.abs(ends[0] - ends[1]).max() / 2e-4 < 1e-7 * size.max()


def check_directions(system: System, y: np.ndarray, tolerance: float) -> None:
    """Random directions of coordinates, of speeds and of muscles' states; of large models."""
    J = Differentiator(system).at(0.0, y).jacobian
    rng = np.random.default_rng(5)
    first, after = system.nq, system.nq + system.nu
    places = list(zip(system.layout.names, system.layout.order, strict=True))
    groups = {
        "coordinates": (system.inertial.coordinates.slots.tolist(), 1e-3),
        "speeds": (list(range(first, after)), 1e-2),
        "activations": ([i for n, i in places if n.endswith("activation")], 1e-2),
        "fibres": ([i for n, i in places if n.endswith("fiber_length")], 1e-5),
    }
    for name, (entries, longest) in groups.items():
        along, weights = np.zeros(len(y)), rng.normal(size=len(y))
        along[entries] = rng.uniform(0.5, 1.0, len(entries))
        if not entries:
            continue
        # rows weighed so that each counts that changes by more than rounding
        reach, rows = np.abs(J[:, entries]).max(axis=1), 1.0 + np.abs(J).max(axis=1)
        weights = np.where(reach > 1e-6 * rows, weights / np.maximum(reach, 1e-6 * rows), 0.0)
        exact = weights @ (J @ along)
        slope, _ = slope_along(lambda s, a=along, w=weights: float(w @ system.rhs(0.0, y + s * a)), longest, 8)
        size = float(np.abs(weights * (J @ along)).sum())
        assert abs(slope - exact) < tolerance * size, f"{name}: {abs(slope - exact) / size:.1e}"


# -- real models -----------------------------------------------------------------------------------------------------


@cache
def real(path: str) -> oi.InertialModel:
    model = osim.Model(str(model_path(path)))
    return oi.InertialModel(model, oi.estimate_masses(model))


@pytest.mark.parametrize("path", ["Models/Arm26/arm26.osim", "Models/Gait10dof18musc/gait10dof18musc.osim"])
def test_real_models(path: str) -> None:
    system = system_of(real(path))
    check_directions(system, somewhere(system, spread=0.02), REAL)


@cache
def rajagopal() -> oi.InertialModel:
    """Knees coupled to patellae, torque actuators; muscles over several wraps, as OpenSim leads them, have no mass."""
    model = osim.Model(str(model_path("Models/Rajagopal/Rajagopal2016.osim")))
    table = oi.estimate_masses(model)
    names = ("soleus_r", "tibant_r", "bfsh_r", "vasint_l", "glmax1_l", "addmagIsch_l")
    return oi.InertialModel(model, table[table["muscle"].isin(names)])


@pytest.mark.slow
def test_rajagopal2016() -> None:
    inertial = rajagopal()
    assert not inertial.wraps.opensim
    system = system_of(inertial)
    assert system.is_constrained
    check_directions(system, somewhere(system, spread=0.02), REAL)


# -- joints, constraints, muscles ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pull", [False, True])
@pytest.mark.parametrize("base", limbs.BASES)
def test_joints_of_every_kind(base: str, pull: bool) -> None:
    """Speeds of ball and free joints are not the coordinates' rates."""
    inertial = oi.InertialModel(limbs.limbs(base, pull=pull), limbs.masses())
    system = system_of(inertial)
    check_columns(system, somewhere(system, spread=0.3 if not pull else 0.05))


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
    assert inertial.kinematics.differs
    system = system_of(inertial)
    check_columns(system, somewhere(system, spread=0.3))


@pytest.mark.parametrize("kind", slow_except({"coupled", "held point", "locked", "prescribed"}, limbs.CONSTRAINED))
def test_constraints_of_every_kind(kind: str) -> None:
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    system = system_of(inertial, state_of(inertial))
    y = system.project(0.0, system.state.getY().to_numpy().copy())
    # A held body leaves slopes of 0.008, of which differences know 1e-8 by rounding.
    check_columns(system, y, 1e-5 if kind == "held body" else JACOBIAN)


@pytest.mark.parametrize("kind", muscle_machines.KINDS)
def test_muscles_of_every_kind(kind: str) -> None:
    inertial = muscle_machines.inertial_model(muscle_machines.hinge(muscle_machines.KINDS[kind]()))
    system = system_of(inertial, excitations={"muscle": 0.5})
    y = somewhere(system)
    check_columns(system, y)
    forward, rates = system.jacobian(0.0, y), system.rhs(0.0, y)  # of implicit steps: muscles notice their own states
    for i, step in enumerate(FORWARD_STEP * np.maximum(1.0, np.abs(y))):
        column = (system.rhs(0.0, y + step * np.eye(len(y))[i]) - rates) / step
        np.testing.assert_allclose(forward[:, i], column, rtol=0, atol=FORWARD * max(1.0, np.abs(column).max()))


def test_a_muscle_that_is_disabled_and_no_muscle_with_mass() -> None:
    for masses in (limbs.masses(), {}):
        model = limbs.limbs("fixed", pull=True)
        model.getMuscles().get("middle").set_appliesForce(False)
        system = system_of(oi.InertialModel(model, masses))
        check_columns(system, somewhere(system))


def driven_limbs() -> oi.InertialModel:
    """A motor on a coordinate, a spring between bodies, and muscles."""
    model = limbs.limbs("fixed", pull=True)
    motor = osim.CoordinateActuator("knee")
    motor.setName("motor")
    motor.setOptimalForce(20.0)
    model.addForce(motor)
    bodies = model.getBodySet()
    spring = osim.PointToPointSpring(
        bodies.get("trunk"), osim.Vec3(0.1, 0.0, 0.0), bodies.get("foot"), osim.Vec3(0.0, -0.05, 0.0), 50.0, 0.3
    )
    model.addForce(spring)
    model.finalizeConnections()
    return oi.InertialModel(model, limbs.masses())


def test_motors_and_controls() -> None:
    """df/d(controls), of muscles and of a motor, and what the motor leaves of the Jacobian."""
    inertial = driven_limbs()
    excitations = {"long": 0.3, "middle": 0.5, "short": 0.4, "motor": 0.7}
    system = system_of(inertial, excitations=excitations, forces={"hip": 2.0})
    y = somewhere(system)
    check_columns(system, y)
    derivatives = Differentiator(system).at(0.0, y, controls=True).controls
    assert derivatives is not None and derivatives.shape == (len(y), 4)
    for i, name in enumerate(system.drives.control_names):
        ends = []
        for sign in (1.0, -1.0):
            changed = excitations | {name: excitations[name] + sign * 1e-5}
            shifted = system_of(inertial, excitations=changed, forces={"hip": 2.0})
            ends.append(shifted.rhs(0.0, y))
        plain = (ends[0] - ends[1]) / 2e-5
        assert np.abs(plain).max() > 1e-3
        assert np.abs(derivatives[:, i] - plain).max() < CONTROLS * np.abs(plain).max(), name


def test_compliance_is_that_of_forces() -> None:
    """d(udot)/d(generalized forces), constraints acting."""
    model, state_of = limbs.constrained("tied")
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    y = system_of(inertial, state).project(0.0, state.getY().to_numpy().copy())
    compliance = Differentiator(system_of(inertial, state)).at(0.0, y).compliance
    assert np.linalg.matrix_rank(compliance, 1e-9) == 4
    np.testing.assert_allclose(compliance, compliance.T, rtol=0, atol=1e-12 * np.abs(compliance).max())
    for i, name in enumerate(inertial.coordinate_names):
        ends = [system_of(inertial, state, forces={name: s}).rhs(0.0, y)[5:10] for s in (1.0, -1.0)]
        # linear in forces
        tolerance = 1e-9 * np.abs(compliance).max()
        np.testing.assert_allclose(compliance[:, i], (ends[0] - ends[1]) / 2, rtol=0, atol=tolerance)

"""Bellies that swing, as state variables of the component: against the package's own equations, which are Python's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles import limbs, real_models
from oracles.demo_leg import build_leg
from oracles.finite_differences import Array
from oracles.limbs import GRAVITY
from oracles.plugin import run_forward_tool, with_torques
from oracles.swinging import rates, sizes, split
from scipy.integrate import solve_ivp

import opensim_inertia as oi
from opensim_inertia._core.errors import OptionError
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.cli import main
from opensim_inertia.files import write_table
from opensim_inertia.model.wobble import SwingingMuscles, Swings, swing_terms, swings_of
from opensim_inertia.options import Wobble, WobblingMass

SAME = 1e-11
"""Relative to the largest: the same equations, by jets and gradients there and written out here; measured 6e-15."""
TRAJECTORY = 1e-7
"""Relative to the largest: the Manager at 1e-10, against DOP853 at 1e-11."""
CONSERVED = 1e-8
"""Relative to the kinetic energy and to the speed: the Manager at 1e-10."""

MASS = WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 5.0)
SOFT = Wobble(frequency=12.0, damping=0.1, modes=2, masses=(MASS,), tension=40.0)

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


class Swung:
    """A model with the component, and its states as arrays: q, z, u, rates of z."""

    def __init__(self, inertial: oi.InertialModel, wobble: Wobble) -> None:
        self.inertial, self.groups = inertial, swings_of(inertial, wobble)
        self.model = inertial.native_model(wobble=wobble)
        self.state = osim.State(self.model.initSystem())
        self.nu, shapes = sizes(inertial, self.groups)
        self.count = sum(s * n for s, n in shapes)

    def put(self, y: Array) -> None:
        q, z, u, rate = np.split(y, np.cumsum([self.nu, self.count, self.nu]))
        self.state.setQ(osim.Vector.createFromMat(q))
        self.state.setU(osim.Vector.createFromMat(u))
        others = self.state.getZ().to_numpy()[: -2 * self.count]
        self.state.setZ(osim.Vector.createFromMat(np.concatenate([others, z, rate])))

    def found(self, state: osim.State) -> Array:
        last = state.getZ().to_numpy()[-2 * self.count :]
        parts = state.getQ().to_numpy(), last[: self.count], state.getU().to_numpy(), last[self.count :]
        return np.concatenate(parts)

    def rates(self) -> Array:
        self.model.realizeAcceleration(self.state)
        last = self.state.getZDot().to_numpy()[-2 * self.count :]
        parts = self.state.getQDot().to_numpy(), last[: self.count], self.state.getUDot().to_numpy(), last[self.count :]
        return np.concatenate(parts)


def random_state(swung: Swung, seed: int) -> Array:
    """Angles and displacements as large as they may be, and fast."""
    n, count = swung.nu, swung.count
    return (
        np.random.default_rng(seed).normal(size=2 * (n + count))
        * np.r_[[0.4] * n, [0.02] * count, [2.0] * n, [0.4] * count]
    )


@pytest.mark.parametrize("base", ["fixed", "custom"])
def test_accelerations(base: str) -> None:
    """Two modes of each belly and a mass on a spring, stiffened by a constant tension."""
    swung = Swung(oi.InertialModel(limbs.limbs(base), limbs.masses()), SOFT)
    for seed in range(5):
        y = random_state(swung, seed)
        swung.put(y)
        expected = rates(swung.inertial, swung.groups, y, 40.0)
        np.testing.assert_allclose(swung.rates(), expected, rtol=0, atol=SAME * np.abs(expected).max())


def with_own_tension(inertial: oi.InertialModel, groups: Sequence[Swings], state: osim.State, y: Array) -> Array:
    """Accelerations (nu,) and z'' where the muscles' forces at a state stiffen their bellies."""
    nu, shapes = sizes(inertial, groups)
    count = sum(s * n for s, n in shapes)
    _, z, _, rate = np.split(y, np.cumsum([nu, count, nu]))
    inertial.model.realizeAcceleration(state)
    kinematics = inertial.dynamics.read(state, realized=True)
    forces = np.array([inertial.model.getMuscles().get(name).getActuation(state) for name in inertial.muscle_names])
    mass, force = inertial.dynamics.added_terms(state)
    terms = [
        swing_terms(g, kinematics, *at, forces[g.muscles] if isinstance(g, SwingingMuscles) else 0.0)
        for g, *at in zip(groups, split(z, shapes), split(rate, shapes), strict=True)
    ]
    for more in (t.reduced() for t in terms):
        mass, force = mass + more[0], force + more[1]
    udot = inertial.dynamics.accelerations(state, state.getUDot().to_numpy(), added=(mass, force))
    return np.concatenate([udot, *(t.accelerations(udot).ravel() for t in terms)])


def test_muscles_stiffen_their_bellies(opensim_models: Path) -> None:
    """A real model with wraps, moving points and a base, whose muscles pull; constraints do not hold either."""
    inertial = real_models.heavy(opensim_models, "gait10dof18musc")
    swung = Swung(inertial, Wobble())
    for seed in range(3):
        y = random_state(swung, seed)
        y[: swung.nu], y[swung.nu + swung.count :][: swung.nu] = real_models.random_motion(inertial, seed)
        state = inertial.initial_state()
        others = state.getZ().to_numpy().copy()
        others[::2] = np.random.default_rng(seed).uniform(0.1, 0.9, len(others[::2]))  # activations, then fibres
        swung.put(y)
        q, _, u, _ = np.split(y, np.cumsum([swung.nu, swung.count, swung.nu]))
        for each in (state, swung.state):
            z = each.getZ().to_numpy().copy()
            z[: len(others)] = others
            each.setQ(osim.Vector.createFromMat(q))
            each.setU(osim.Vector.createFromMat(u))
            each.setZ(osim.Vector.createFromMat(z))
        expected = with_own_tension(inertial, swung.groups, state, y)
        found = swung.rates()
        found = np.r_[found[swung.nu + swung.count :][: swung.nu], found[-swung.count :]]
        np.testing.assert_allclose(found, expected, rtol=0, atol=SAME * np.abs(expected).max())


def managed(swung: Swung, y: Array, end: float) -> list[osim.State]:
    """States at the start and the end of a run of OpenSim's Manager."""
    swung.put(y)
    start = osim.State(swung.state)
    manager = osim.Manager(swung.model)
    manager.setIntegratorAccuracy(1e-10)
    manager.initialize(start)
    return [osim.State(swung.state), osim.State(manager.integrate(end))]


@pytest.mark.slow
def test_trajectories_of_the_manager() -> None:
    swung = Swung(oi.InertialModel(limbs.limbs("fixed"), limbs.masses()), SOFT)
    start = random_state(swung, 1) * 0.5
    how = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-12}
    expected = solve_ivp(lambda _, y: rates(swung.inertial, swung.groups, y, 40.0), (0, 0.05), start, **how).y[:, -1]
    _, last = managed(swung, start, 0.05)
    found = swung.found(last)
    n = swung.nu + swung.count
    for part in (slice(0, n), slice(n, None)):
        np.testing.assert_allclose(found[part], expected[part], rtol=0, atol=TRAJECTORY * np.abs(expected[part]).max())
    assert np.abs(expected[swung.nu : n]).max() > 1e-3  # m


def started(model: osim.Model, values: dict[str, float], end: float) -> osim.State:
    """The last state of a run of the Manager from these values of state variables."""
    state = osim.State(model.initSystem())
    for name, value in values.items():
        model.setStateVariableValue(state, name, value)
    manager = osim.Manager(model)
    manager.setIntegratorAccuracy(1e-10)
    manager.initialize(osim.State(state))
    return osim.State(manager.integrate(end))


def start_of(model: osim.Model) -> dict[str, float]:
    """A value for each state variable: angles, their speeds, displacements, and how fast these change."""
    model.initSystem()
    names = model.getStateVariableNames()
    sizes = {"value": 0.3, "speed": 1.0, "rate": 0.1}
    return {
        name: sizes.get(name.replace("_rate", "/rate").rpartition("/")[2], 0.004)
        for name in (names.get(i) for i in range(names.getSize()))
    }


def test_forward_tool(tmp_path: Path) -> None:
    """OpenSim's tool reads the states of what swings from its file, and goes where the Manager goes."""
    end = 0.05
    inertial = oi.InertialModel(limbs.limbs("fixed"), limbs.masses())
    inertial.export(tmp_path / "model.osim", wobble=SOFT)
    model = osim.Model(str(tmp_path / "model.osim"))
    values = start_of(model)
    table = pd.DataFrame([values, values], index=pd.Index([0.0, end], name="time"))
    write_table(table, tmp_path / "start.sto", in_degrees=False, name="states")
    theirs = run_forward_tool(tmp_path, end)
    last = started(model, values, end)
    for name in values:
        assert theirs[name] == pytest.approx(model.getStateVariableValue(last, name), rel=0, abs=TRAJECTORY)
    swung = [name for name in values if "_swing_" in name]
    assert len(swung) == 2 * (3 * 2 * 2 + 3)  # of displacements and rates: two modes of three bellies, and a mass


def test_moco() -> None:
    """Moco goes on from the same states to the same ones: a problem without anything to choose."""
    end, close = 0.1, 1e-5  # of a mesh of 20; 8e-7 rad/s measured
    chain = oi.InertialModel(limbs.chain(2), {"muscle": 0.4})
    model = with_torques(chain.native_model(wobble=Wobble(frequency=6.0, damping=0.1, tension=0.0)))
    values = start_of(model)
    study = osim.MocoStudy()
    problem = study.updProblem()
    problem.setModelAsCopy(model)
    problem.setTimeBounds(0.0, end)
    for name, value in values.items():
        problem.setStateInfo(name, [-20.0, 20.0], value)
    for i in (1, 2):
        problem.setControlInfo(f"/forceset/q{i}", [0.0, 0.0])
    solver = study.initCasADiSolver()
    solver.set_num_mesh_intervals(20)
    solver.set_optim_constraint_tolerance(1e-9)
    solver.set_parallel(0)
    solver.set_verbosity(0)
    with quiet():
        solution = study.solve()
    assert solution.success()
    last = started(model, values, end)
    for name, value in values.items():
        expected = model.getStateVariableValue(last, name)
        assert solution.getStateMat(name)[-1] == pytest.approx(expected, rel=0, abs=close)
        assert abs(expected - value) > 1e-3


def test_energy_and_momentum() -> None:
    """Undamped and free: the component's energies add up to a constant, and its centre of mass falls."""
    free = WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 0.0)
    wobble = Wobble(frequency=12.0, damping=0.0, masses=(free,), tension=0.0)
    swung = Swung(oi.InertialModel(limbs.limbs("custom"), limbs.masses()), wobble)
    component = swung.model.getComponent("/componentset/inertial_muscles")
    outputs = [component.getOutput(name) for name in ("model_kinetic_energy", "model_com_velocity")]
    energies, kinetic, speeds = [], [], []
    for state in managed(swung, random_state(swung, 2) * 0.5, 0.1):
        swung.model.realizeDynamics(state)
        kinetic.append(osim.OutputDouble.safeDownCast(outputs[0]).getValue(state))
        energies.append(kinetic[-1] + swung.model.calcPotentialEnergy(state))
        speeds.append(osim.OutputVec3.safeDownCast(outputs[1]).getValue(state).to_numpy().copy())
    assert abs(kinetic[1] - kinetic[0]) > 0.1 * kinetic[0]
    assert energies[1] == pytest.approx(energies[0], rel=0, abs=CONSERVED * kinetic[0])
    falls = [0.0, -0.1 * GRAVITY, 0.0]
    np.testing.assert_allclose(speeds[1] - speeds[0], falls, rtol=0, atol=CONSERVED * np.abs(speeds[0]).max())


def test_files_and_names(tmp_path: Path) -> None:
    """A file has all, its states are named by muscle, and what OpenSim's tools cannot serve is refused."""
    inertial = oi.InertialModel(limbs.limbs("fixed"), limbs.masses())
    path = tmp_path / "swinging.osim"
    inertial.export(path, wobble=SOFT)
    model = osim.Model(str(path))
    state = model.initSystem()
    swung = Swung(inertial, SOFT)
    y = random_state(swung, 3)
    swung.put(y)
    state.setY(osim.Vector.createFromMat(swung.state.getY().to_numpy().copy()))
    model.realizeAcceleration(state)
    swung.rates()
    np.testing.assert_array_equal(state.getYDot().to_numpy(), swung.state.getYDot().to_numpy())
    at = "/componentset/inertial_muscles/"
    n = swung.nu + swung.count
    for name, value in (("long_swing_1", y[3]), ("long_mode_2_swing_1", y[5]), ("long_swing_1_rate", y[n + 3])):
        assert model.getStateVariableValue(state, at + name) == value
    model.setStateVariableValue(state, at + "wobbling_mass_on_shank_swing_3", 0.25)
    assert state.getZ().to_numpy()[-swung.count - 1] == 0.25
    with pytest.raises(OptionError, match="'forward' where bellies swing"):
        inertial.export(path, "inverse", wobble=True)
    with pytest.raises(OptionError, match="a number, or None"):
        inertial.export(path, wobble=Wobble(tension="recruitment"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leg, to = build_leg(), str(tmp_path / "swinging.osim")
    leg.printToXML(str(tmp_path / "leg.osim"))
    command = ["export", str(tmp_path / "leg.osim"), "-o", to]
    assert main([*command, "--wobble-frequency", "12"]) == 2
    assert "it needs --wobble" in capsys.readouterr().err
    assert main([*command, "--wobble", "--wobble-frequency", "12", "--wobble-tension", "100"]) == 0
    model = osim.Model(to)
    assert model.initSystem().getNZ() == osim.Model(leg).initSystem().getNZ() + 4 * 4

"""Moco on models with the component: explicit and implicit dynamics, MocoInverse, several threads."""

from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pytest
from oracles import limbs, trials
from oracles.finite_differences import Array
from oracles.plugin import STRENGTH, Native, with_torques, write_model

import opensim_inertia as oi

SAME_ACCELERATIONS = 1e-7  # Of the largest: the solver's constraint tolerance is 1e-9
SAME_OBJECTIVE = 1e-3  # Relative: two transcriptions of one problem on one mesh
INVERSE = 1e-8  # Of the peak

MESH = 6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


@pytest.fixture(scope="module")
def inertial() -> oi.InertialModel:
    return oi.InertialModel(limbs.chain(2), {"muscle": 0.4})


def reach(model: osim.Model, mode: str, parallel: int = 0) -> Any:
    """Turn both links within 0.4 s with the least effort."""
    study = osim.MocoStudy()
    study.setName(mode)
    problem = study.updProblem()
    problem.setModelAsCopy(model)
    problem.setTimeBounds(0.0, 0.4)
    for i, end in ((1, 0.5), (2, -0.4)):
        problem.setStateInfo(f"/jointset/pin{i}/q{i}/value", [-1.0, 1.0], 0.0, end)
        problem.setStateInfo(f"/jointset/pin{i}/q{i}/speed", [-10.0, 10.0], 0.0, 0.0)
    problem.addGoal(osim.MocoControlGoal("effort"))
    solver = study.initCasADiSolver()
    solver.set_num_mesh_intervals(MESH)
    solver.set_multibody_dynamics_mode(mode)
    solver.set_optim_convergence_tolerance(1e-6)
    solver.set_optim_constraint_tolerance(1e-9)
    solver.set_parallel(parallel)
    solver.set_verbosity(0)
    solution = study.solve()
    assert solution.success()
    return solution


def rows(solution: Any, kind: str, names: list[str]) -> Array:
    get = getattr(solution, f"get{kind}")
    return np.array([get(name).to_numpy() for name in names]).T


def test_explicit_and_implicit(inertial: oi.InertialModel) -> None:
    model = with_torques(inertial.native_model())
    explicit, implicit, two = reach(model, "explicit"), reach(model, "implicit"), reach(model, "explicit", 2)
    assert implicit.getObjective() == pytest.approx(explicit.getObjective(), rel=SAME_OBJECTIVE)
    assert two.getObjective() == pytest.approx(explicit.getObjective(), rel=1e-6)
    lumped = reach(with_torques(inertial.original_model()), "explicit")
    assert abs(lumped.getObjective() / explicit.getObjective() - 1) > 0.01

    native = Native(inertial, model)
    names = list(implicit.getStateNames())
    states = rows(implicit, "State", names)
    controls = rows(implicit, "Control", list(implicit.getControlNames()))
    paths = [native.model.getCoordinateSet().get(n).getAbsolutePathString() for n in inertial.coordinate_names]
    given = rows(implicit, "Derivative", [f"{path}/accel" for path in paths])
    index = [names.index(f"{path}/{what}") for what in ("value", "speed") for path in paths]
    acting = [f"/forceset/{n}" for n in inertial.coordinate_names]
    order = [list(implicit.getControlNames()).index(name) for name in acting]
    for y, u, expected in zip(states, controls, given, strict=True):
        state = inertial.initial_state()
        state.setY(osim.Vector.createFromMat(np.concatenate([y[index], state.getZ().to_numpy()])))
        udot = inertial.udot(state, STRENGTH * u[order])
        assert np.abs(udot - expected).max() < SAME_ACCELERATIONS * np.abs(given).max()


def test_moco_inverse(opensim_models: Path, tmp_path: Path) -> None:
    """With torque actuators alone MocoInverse is inverse dynamics of its splined motion."""
    inertial, motion, _ = trials.gait10(opensim_models)
    inverse = osim.MocoInverse()
    model = with_torques(inertial.native_model())
    write_model(model, tmp_path / "model.osim")
    inverse.setModel(osim.ModelProcessor(str(tmp_path / "model.osim")))
    table = osim.TableProcessor(str(motion))
    table.append(osim.TabOpLowPassFilter(6.0))
    table.append(osim.TabOpUseAbsoluteStateNames())
    inverse.setKinematics(table)
    inverse.set_initial_time(0.5)
    inverse.set_final_time(0.7)
    inverse.set_mesh_interval(0.02)
    inverse.set_kinematics_allow_extra_columns(True)
    inverse.set_convergence_tolerance(1e-10)
    inverse.set_constraint_tolerance(1e-10)
    solved = inverse.solve()
    solution = solved.getMocoSolution()  # part of the former
    assert solution.success()
    times = solution.getTime().to_numpy()
    names = list(inertial.coordinate_names)
    found = STRENGTH * rows(solution, "Control", [f"/forceset/{name}" for name in names])
    live = osim.Model(str(tmp_path / "model.osim"))
    live.initSystem()
    kinematics = table.processAndConvertToRadians(live)
    splines = osim.GCVSplineSet(kinematics)
    paths = {c.getName(): c.getAbsolutePathString() for c in inertial.model.getCoordinateSet()}
    expected = np.empty_like(found)
    for i, time in enumerate(times):
        at = osim.Vector(1, float(time))
        motion_at = np.empty((3, len(names)))
        for j, name in enumerate(names):
            spline = splines.get(f"{paths[name]}/value")
            motion_at[0, j] = spline.calcValue(at)
            for k, order in ((1, [0]), (2, [0, 0])):
                derivative = osim.StdVectorInt()
                for entry in order:
                    derivative.append(entry)
                motion_at[k, j] = spline.calcDerivative(derivative, at)
        expected[i] = needed(inertial, *motion_at)
    peak = np.abs(expected).max()
    difference = np.abs(found - expected).max(axis=1)
    assert np.isfinite(difference).all()
    assert difference.max() < INVERSE * peak


def needed(inertial: oi.InertialModel, q: Array, u: Array, udot: Array) -> Array:
    """Generalized forces of the rigid bodies, by OpenSim, and of the muscles' mass."""
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, q)
    state.setU(osim.Vector.createFromMat(u.copy()))
    for muscle in inertial.model.getMuscles():
        muscle.setAppliesForce(state, False)
    rigid = osim.InverseDynamicsSolver(inertial.model).solve(state, osim.Vector.createFromMat(udot.copy()))
    terms = inertial.evaluate(state)
    return rigid.to_numpy() + terms.mass_matrix @ udot - terms.bias - terms.gravity

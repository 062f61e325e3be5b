"""What a simulation asks of OpenSim: how often paths over wrap objects are computed, and which integrator asks least.

Costs are counted in evaluations of the right-hand side and in poses at which OpenSim computes its paths.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles import limbs
from oracles.muscle_machines import KINDS, hinge, inertial_model, millard, stretch

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.dynamics.equations import Problem, System, start
from opensim_inertia.dynamics.equations.system import FORWARD_STEP

LINKS = 3
AGREES = 1e-5
"""Of the same differences taken one by one, relative to the column: rounding over the step is 1e-7."""


def wrapped(count: int) -> osim.Model:
    """A chain of links that swings, and massless springs which come to touch cylinders on the way, and leave them."""
    model = limbs.chain(LINKS)
    zero = osim.Vec3(0)
    for i in range(count):
        cylinder = osim.WrapCylinder()
        cylinder.setName(f"cylinder{i}")
        cylinder.set_radius(0.03)
        cylinder.set_length(1.0)
        cylinder.set_translation(osim.Vec3(0.06 - 0.004 * i, -0.1, 0.0))
        cylinder.set_xyz_body_rotation(zero)
        model.updGround().addWrapObject(cylinder)
        spring = osim.PathSpring(f"spring{i}", 0.2, 2000.0, 0.01)
        path = spring.updGeometryPath()
        path.appendNewPathPoint("origin", model.getGround(), osim.Vec3(0.02, 0.05, 0.0))
        path.appendNewPathPoint("insertion", model.getBodySet().get("link2"), osim.Vec3(0.01, -0.15, 0.0))
        path.addPathWrap(model.getGround().getWrapObject(f"cylinder{i}"))
        model.addForce(spring)
    model.finalizeConnections()
    return model


def moving(inertial: oi.InertialModel) -> osim.State:
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.array([0.6, -0.4, 0.3])))
    state.setU(osim.Vector.createFromMat(np.array([1.0, -2.0, 0.5])))
    return state


class Counted:
    """Counts the evaluations of a system, and those before which OpenSim had not computed a force's path."""

    def __init__(self, system: System, force: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.evaluations = self.paths = 0
        found = system.model.getForceSet().get(force).getPropertyByName("path").getValueAsObject()
        path = osim.GeometryPath.safeDownCast(found)
        realize = system.inertial.dynamics.realize_acceleration

        def counted(state: osim.State) -> None:
            self.evaluations += 1
            self.paths += not path.isCacheVariableValid(state, "current_path")
            realize(state)
            assert path.isCacheVariableValid(state, "current_path")

        monkeypatch.setattr(system.inertial.dynamics, "realize_acceleration", counted)


def test_a_right_hand_side_is_one_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of OpenSim, whose paths are computed once: what the muscles' mass asks besides leaves them as they are."""
    inertial = oi.InertialModel(wrapped(1), {"muscle": 0.5})
    system, t, y = start(Problem(inertial, moving(inertial)))
    counted = Counted(system, "spring0", monkeypatch)
    path = osim.GeometryPath.safeDownCast(
        system.model.getForceSet().get("spring0").getPropertyByName("path").getValueAsObject()
    )
    for n in (1, 2, 3):
        system.rhs(t, y + 1e-3 * n)
        assert (counted.evaluations, counted.paths) == (n, n)
        assert path.isCacheVariableValid(system.state, "current_path")


def test_jacobians_compute_paths_at_poses_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not again for speeds and for states of muscles."""
    inertial = oi.InertialModel(limbs.limbs(pull=True), limbs.masses())
    system, t, y = start(Problem(inertial, inertial.initial_state(), equilibrate=True))
    counted = Counted(system, "long", monkeypatch)
    system.jacobian(t, y)
    assert counted.paths == 1 + system.nq
    assert counted.evaluations >= 1 + system.nq + system.nu + 2  # and one at least for each kind of muscles' states


@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_that_of_the_right_hand_side(kind: str) -> None:
    """Moved at one pose, every muscle model of OpenSim notices its own states."""
    inertial = inertial_model(hinge(KINDS[kind]()))
    problem = Problem(inertial, inertial.initial_state(), excitations={"muscle": 0.4}, equilibrate=True)
    system, t, y = start(problem)
    y = y.copy()
    y[system.speeds] = 0.7
    jacobian = system.jacobian(t, y)
    rates = system.rhs(t, y)
    for i in range(len(y)):
        moved = y.copy()
        moved[i] += FORWARD_STEP * max(1.0, abs(y[i]))
        column = (system.rhs(t, moved) - rates) / (moved[i] - y[i])
        np.testing.assert_allclose(jacobian[:, i], column, rtol=0, atol=AGREES * max(1.0, np.abs(column).max()))


@pytest.mark.slow
def test_kinks_do_not_make_the_default_dear() -> None:
    """Wherever a path comes to touch, steps of high order are rejected, and steps from many states start anew."""
    inertial = oi.InertialModel(wrapped(6), {"muscle": 0.5})
    names = ("auto", "rk45", "dop853", "bdf")
    counts = {
        name: oi.simulate(oi.Problem(inertial, moving(inertial), 0.3), name, engine="python").evaluations
        for name in names
    }
    assert counts["auto"] <= 1.1 * counts["rk45"]
    assert counts["auto"] < 0.7 * min(counts["dop853"], counts["bdf"])


@pytest.mark.slow
def test_stiff_muscles_do_not_make_the_default_dear() -> None:
    """An undamped muscle at rest: explicit steps are at their limit of stability."""
    activation = 0.01
    problem = stretch(millard(0.0), activation, t_final=0.1)
    runs = {name: oi.simulate(problem, name, report_step=0.01, engine="python") for name in ("auto", "rk45", "bdf")}
    assert runs["auto"].integrator == "rk45 and bdf"
    assert runs["auto"].evaluations < 1.5 * runs["bdf"].evaluations
    assert runs["auto"].evaluations < 0.2 * runs["rk45"].evaluations

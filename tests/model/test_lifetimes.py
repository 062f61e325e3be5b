"""Models that are initialised anew, states that outlive what they came from: right numbers or named errors."""

import gc
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles.dense_dynamics import dense_accelerations
from oracles.live_states import answers, state_at
from oracles.real_models import original, random_motion, table
from oracles.two_links import BENT, two_links
from oracles.wrap_model import MASSES, wrap_model

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def arm(root: Path, wrapping: str = "analytic") -> oi.InertialModel:
    return oi.InertialModel(original(root, "arm26"), table(root, "arm26"), wrapping=wrapping)


def by_init_system(model: osim.Model) -> None:
    model.initSystem()


def in_two_steps(model: osim.Model) -> None:
    model.buildSystem()
    model.initializeState()


def by_a_tool(model: osim.Model) -> None:
    tool = osim.InverseDynamicsTool()
    tool.setModel(model)
    with pytest.raises(RuntimeError, match="InverseDynamicsTool"):  # it has no motion
        tool.run()


def with_a_controller(model: osim.Model) -> None:
    brain = osim.PrescribedController()
    brain.thisown = False
    model.addController(brain)
    model.initSystem()


@pytest.mark.slow
@pytest.mark.parametrize("anew", [by_init_system, in_two_steps, by_a_tool, with_a_controller])
@pytest.mark.parametrize("wrapping", slow_except(["analytic"], ["analytic", "opensim"]))
def test_a_model_initialised_anew_gives_the_same_numbers(
    opensim_models: Path, wrapping: str, anew: Callable[[osim.Model], None], capfd: pytest.CaptureFixture[str]
) -> None:
    inertial = arm(opensim_models, wrapping)
    motion = random_motion(inertial)

    def asked() -> list[np.ndarray]:
        end = oi.simulate(oi.Problem(inertial, state_at(inertial, *motion), 2e-3), "forward_euler", progress=False).y[
            -1
        ]
        return [*answers(inertial, *motion), oi.rank_muscles(inertial).shares.to_numpy(), end]

    expected = asked()
    for _ in range(3):
        anew(inertial.model)
        assert all(np.array_equal(a, b) for a, b in zip(asked(), expected, strict=True))


def test_what_was_changed_before_counts() -> None:
    """Masses of bodies and controllers may change."""
    inertial = oi.InertialModel(two_links(BENT), {"mus": oi.masses.PointMasses([0.3, 0.7], [0.1, 0.1])}, "uniform")
    state = state_at(inertial, np.array([0.3, 0.8]), np.array([1.0, -2.0]))
    before = inertial.udot(state)
    inertial.model.updBodySet().get("link2").setMass(7.0)
    motor = osim.CoordinateActuator(inertial.coordinate_names[0])
    drive = osim.PrescribedController()
    motor.setName("motor")
    motor.thisown = drive.thisown = False
    inertial.model.addForce(motor)
    drive.addActuator(motor)
    drive.prescribeControlForActuator("motor", osim.Constant(3.0))
    inertial.model.addController(drive)
    inertial.model.initSystem()
    state = state_at(inertial, np.array([0.3, 0.8]), np.array([1.0, -2.0]))
    np.testing.assert_allclose(inertial.udot(state), dense_accelerations(inertial, state), rtol=1e-10)
    assert np.abs(inertial.udot(state) - before).max() > 0.1


def move_a_point(model: osim.Model) -> None:
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath())
    osim.PathPoint.safeDownCast(path.getPathPointSet().get(0)).setLocation(osim.Vec3(0.01, 0.02, 0.03))


def move_the_surface(model: osim.Model) -> None:
    model.getComponent("/ground/wrapobjectset/wrap").set_radius(0.02)


def lighten(model: osim.Model) -> None:
    model.setGravity(osim.Vec3(0, -1.6, 0))


def add_a_body(model: osim.Model) -> None:
    body = osim.Body("more", 1.0, osim.Vec3(0), osim.Inertia(1, 1, 1))
    joint = osim.PinJoint("pin", model.getGround(), body)
    body.thisown = joint.thisown = False
    model.addBody(body)
    model.addJoint(joint)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (move_a_point, "path of muscle 'muscle'"),
        (move_the_surface, "path of muscle 'muscle'"),
        (lighten, "gravity"),
        (add_a_body, "coordinates"),
    ],
)
def test_a_model_that_no_longer_fits_is_refused(change: Callable[[osim.Model], None], named: str) -> None:
    inertial = oi.InertialModel(wrap_model("cylinder", "-y"), MASSES, wrapping=oi.Wrapping(warn_wraps=False))
    change(inertial.model)
    inertial.model.initSystem()
    for _ in range(2):
        with pytest.raises(oi.errors.ModelError, match=f"was initialised anew, and .*{named} is not"):
            inertial.evaluate(inertial.initial_state())
    with pytest.raises(oi.errors.ModelError, match=named):
        oi.simulate(oi.Problem(inertial), progress=False)


def test_a_model_that_was_not_initialised_since_is_refused(opensim_models: Path) -> None:
    inertial = arm(opensim_models)
    state = inertial.initial_state()
    motion = oi.simulate(oi.Problem(inertial, state, 0.01), "forward_euler", progress=False).coordinates()
    brain = osim.PrescribedController()
    brain.thisown = False
    inertial.model.addController(brain)
    for _ in range(2):
        for ask in (
            lambda: inertial.initial_state(),
            lambda: inertial.evaluate(state),
            lambda: inertial.udot(state),
            lambda: inertial.mass_points(state),
            lambda: inertial.path_lengths(state),
            lambda: oi.rank_muscles(inertial),
            lambda: oi.simulate(oi.Problem(inertial), progress=False),
            lambda: oi.simulate(oi.Problem(inertial, state), progress=False),
            lambda: oi.inverse_dynamics(inertial, motion),
        ):
            with pytest.raises(oi.errors.ModelError, match="'arm26' has been changed .* call its initSystem"):
                ask()
        inertial.model.buildSystem()  # half of it
    inertial.model.initializeState()
    assert inertial.evaluate(inertial.initial_state()).mass_matrix.any()


def test_states_from_before_are_refused_and_the_models_own_is_taken(opensim_models: Path) -> None:
    """A state holds what the former system computed, and Simbody would give that."""
    inertial = arm(opensim_models)
    former, own = inertial.initial_state(), inertial.model.initSystem()
    inertial.evaluate(own)
    copied = osim.State(own)
    inertial.evaluate(copied)
    hand = inertial.model.updBodySet().get("r_ulna_radius_hand")
    hand.setMass(2 * hand.getMass())
    again = inertial.model.initSystem()
    for state in (former, copied):
        for ask in (inertial.evaluate, inertial.udot, inertial.mass_points, inertial.path_lengths):
            with pytest.raises(oi.errors.ModelError, match="'arm26' before it was initialised again"):
                ask(state)
        with pytest.raises(oi.errors.ModelError, match="before"):
            oi.simulate(oi.Problem(inertial, state), progress=False)
        with pytest.raises(oi.errors.ModelError, match="before"):
            oi.rank_muscles(inertial, [state])
    assert np.array_equal(inertial.udot(own), inertial.udot(again))


def stock_states(model: osim.Model) -> dict[str, osim.State]:
    """States of a model that no InertialModel has made, and whose sizes fit; the model is gone afterwards."""
    state = model.initSystem()
    model.realizeAcceleration(state)
    table = osim.TimeSeriesTable()
    table.addTableMetaDataString("inDegrees", "no")
    names = model.getStateVariableNames()
    table.setColumnLabels([names.get(i) for i in range(names.size())])
    table.appendRow(0.0, osim.RowVector(names.size(), 0.1))
    made = osim.StatesTrajectory.createFromStatesTable(model, table)
    return {"copied": osim.State(state), "made from a table": osim.State(made.get(0))}


def test_states_of_stock_models_are_refused(opensim_models: Path) -> None:
    """Of the published model, of copies of the inertial model's own, and where their model is gone."""
    inertial = arm(opensim_models)
    path = str(opensim_models / "Models/Arm26/arm26.osim")
    for model in (osim.Model(path), inertial.original_model(), osim.Model(inertial.model)):
        for kind, state in stock_states(model).items():
            for ask in (inertial.evaluate, inertial.udot, inertial.mass_points, inertial.path_lengths):
                with pytest.raises(oi.errors.ModelError, match="belongs to another model, .* initial_state"):
                    ask(state)
            with pytest.raises(oi.errors.ModelError, match="belongs to another model"):
                oi.simulate(oi.Problem(inertial, state, 0.1), progress=False)
            own = inertial.initial_state()
            own.setY(state.getY())  # the cure
            assert np.isfinite(inertial.udot(own)).all(), kind
        del model, state


def test_copies_of_own_states_are_taken(opensim_models: Path) -> None:
    """By whoever they were made."""
    inertial = arm(opensim_models)
    expected = inertial.udot(inertial.initial_state())
    manager = osim.Manager(inertial.model, inertial.initial_state())
    manager.integrate(0.001)
    table = osim.StatesTrajectory()
    table.append(inertial.initial_state())
    for state in (
        osim.State(inertial.initial_state()),
        osim.State(osim.State(inertial.model.getWorkingState())),
        inertial.model.updWorkingState(),
        table.get(0),
    ):
        assert np.array_equal(inertial.udot(state), expected)
    assert np.isfinite(inertial.udot(osim.State(manager.getState()))).all()


def test_a_trajectory_names_what_has_become_of_its_model(opensim_models: Path) -> None:
    inertial = arm(opensim_models)
    run = oi.simulate(oi.Problem(inertial, t_final=0.002), "forward_euler", progress=False)
    energy, table = run.energy(), run.to_dataframe()
    inertial.model.initSystem()
    for ask in (run.energy, run.work, run.accelerations, run.final_state, lambda: list(run.states())):
        with pytest.raises(oi.errors.ModelError, match="initialised again .*with_model"):
            ask()
    assert "rows: 3" in repr(run)
    assert run.to_dataframe().equals(table)
    assert run.with_model(inertial).energy().equals(energy)


@pytest.mark.slow
def test_what_is_handed_out_keeps_its_owner_alive(opensim_models: Path) -> None:
    def inertial() -> oi.InertialModel:
        return arm(opensim_models)

    def run() -> oi.forward_simulation.Trajectory:
        return oi.simulate(oi.Problem(inertial(), t_final=0.002), "forward_euler", progress=False)

    expected = run().y[-1].copy()
    last = run().final_state().getY()
    views = [inertial().initial_state().getY() for _ in range(5)] + [inertial().reference_state().updQ()]
    first = next(run().states())
    model = inertial().model
    gc.collect()
    junk = [np.full(16, np.nan) for _ in range(1000)]
    assert np.array_equal(last.to_numpy(), expected) and len(junk) == 1000
    assert all(np.isfinite(view.to_numpy()).all() for view in views)
    assert np.isfinite(first.getY().to_numpy()).all()
    assert model.getNumStateVariables() == len(expected)
    last.kept_state.model.realizeAcceleration(last.kept_state)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del last, views, first, model
        gc.collect()

"""Simulations that OpenSim's own integrators step, against those of SciPy's with this package's accelerations."""

import os
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles import limbs, pendulum, trials
from oracles.integrators import OPENSIM
from oracles.live_states import state_at

import opensim_inertia as oi
from opensim_inertia import Problem
from opensim_inertia.dynamics.equations.start import start
from opensim_inertia.model.plugin.native import with_plugin
from opensim_inertia.opensim_model.setups.loads import Loads

AGREE = 1e-6  # Relative to 1 + |y|: two integrators, each with an accuracy of 1e-9 per step
SECONDS = 0.1

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


@pytest.fixture(scope="module")
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs(pull=True), limbs.masses())


def apart(found: np.ndarray, expected: np.ndarray) -> float:
    return float((np.abs(found - expected) / (1 + np.abs(expected))).max())


def by_python(problem: oi.Problem, report_step: float | None = None) -> oi.forward_simulation.Trajectory:
    return oi.simulate(problem, oi.integrators.DOP853(accuracy=1e-9), report_step=report_step, engine="python")


def by_opensim(
    problem: oi.Problem, integrator: str, report_step: float | None = None
) -> oi.forward_simulation.Trajectory:
    return oi.simulate(problem, oi.integrators.named(integrator, accuracy=1e-9), report_step=report_step)


@pytest.mark.slow
def test_at_every_step_and_at_given_times(pulled: oi.InertialModel) -> None:
    """What is reported are states of one motion, whatever the times; muscles pull at constant excitations."""
    excitations = {"long": 0.4, "middle": 0.1}
    python = by_python(oi.Problem(pulled, t_final=SECONDS, excitations=excitations), report_step=0.03)
    assert apart(python.y[0], python.y[-1]) > 1e-2
    for integrator in OPENSIM:
        native = by_opensim(oi.Problem(pulled, t_final=SECONDS, excitations=excitations), integrator, report_step=0.03)
        np.testing.assert_array_equal(native.times, python.times)
        assert apart(native.y, python.y) < AGREE
        steps = by_opensim(oi.Problem(pulled, t_final=SECONDS, excitations=excitations), integrator)
        assert steps.integrator == integrator and steps.evaluations > len(steps) > 10
        assert steps.times[0] == 0.0 and steps.times[-1] == SECONDS and (np.diff(steps.times) > 0).all()
        assert apart(steps.y[-1], python.y[-1]) < AGREE
        assert steps.inertial is pulled
        assert apart(steps.controls().to_numpy(), python.controls().to_numpy()[:1]) == 0.0


@pytest.mark.slow
def test_pulses(pulled: oi.InertialModel) -> None:
    """A step ends on each edge, and sees one side of it."""
    excitations = {"long": oi.forward_simulation.Pulse(0.03, 0.06, 0.8), "short": 0.2}
    python = by_python(oi.Problem(pulled, t_final=SECONDS, excitations=excitations))
    for integrator in OPENSIM:
        native = by_opensim(oi.Problem(pulled, t_final=SECONDS, excitations=excitations), integrator)
        assert apart(native.y[-1], python.y[-1]) < AGREE
        assert {0.03, 0.06} <= set(native.times.tolist())
        rows = by_opensim(oi.Problem(pulled, t_final=SECONDS, excitations=excitations), integrator, report_step=0.025)
        np.testing.assert_allclose(rows.times, [0.0, 0.025, 0.05, 0.075, 0.1], rtol=1e-15)
        assert apart(rows.y[-1], python.y[-1]) < AGREE
    still = oi.simulate(oi.Problem(pulled, t_final=SECONDS, excitations={"short": 0.2}), "cpodes")
    assert apart(still.y[-1], native.y[-1]) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["coupled", "locked", "ball"])
def test_constraints_and_quaternions(kind: str) -> None:
    """Constraints hold as well as in Python; a lock in the state stays."""
    if kind == "coupled":
        model, state_of = limbs.constrained("coupled")
        inertial = oi.InertialModel(model, {"muscle": 0.3})
        state = state_of(inertial)
    else:
        inertial = oi.InertialModel(limbs.limbs("ball" if kind == "ball" else "fixed"), limbs.masses())
        state = inertial.initial_state()
        state.setU(osim.Vector.createFromMat(np.linspace(1.0, -1.0, state.getNU())))
        if kind == "locked":
            inertial.model.getCoordinateSet().get("knee").setLocked(state, True)
    python = by_python(oi.Problem(inertial, state, SECONDS))
    for integrator in OPENSIM:
        native = by_opensim(oi.Problem(inertial, state, SECONDS), integrator)
        assert apart(native.y[-1], python.y[-1]) < AGREE
        assert limbs.constraint_error([*native.states()][-1:]) < 1e-9  # one object, now at the end
        assert kind != "locked" or np.ptp(native.coordinates()["knee"]) < 1e-12


@pytest.mark.slow
def test_a_model_that_is_changed(pulled: oi.InertialModel) -> None:
    """Between two simulations: it is described to OpenSim anew."""
    inertial = oi.InertialModel(limbs.limbs(), limbs.masses())
    ends = []
    for mass in (1.0, 2.0):
        inertial.model.updBodySet().get("foot").setMass(mass)
        inertial.model.initSystem()
        ends.append(by_opensim(oi.Problem(inertial, t_final=SECONDS), "cpodes").y[-1])
        assert apart(ends[-1], by_python(oi.Problem(inertial, t_final=SECONDS)).y[-1]) < AGREE
    assert apart(*ends) > 1e-3


def test_what_auto_takes(pulled: oi.InertialModel) -> None:
    """OpenSim's integrator where it can be; SciPy's where excitations change."""
    constant = oi.Problem(pulled, t_final=0.01, excitations={"long": 0.1})
    assert oi.simulate(constant, engine="native").integrator == "runge_kutta_merson"
    assert oi.simulate(constant).integrator == "runge_kutta_merson"
    assert oi.simulate(constant, engine="python").integrator == "rk45"
    changing = oi.Problem(pulled, t_final=0.01, excitations={"long": lambda t: 0.1 + t})
    assert oi.simulate(changing, engine="native").integrator == "rk45"


@pytest.mark.parametrize(
    ("acting", "engine", "why"),
    [
        ({}, "python", "this one is OpenSim's own"),
        ({"forces": {"knee": 1.0}}, "auto", "'forces' act besides"),
        ({"excitations": lambda state: {"long": 0.1}}, "auto", "'excitations' are a function of states"),
        ({"excitations": {"long": lambda t: 0.1}}, "auto", "the excitation of 'long' is a function of time"),
        (
            {"control": oi.control.NeuralControl([oi.control.Neuron("long", [oi.control.Synapse("hip/value")])])},
            "auto",
            "there is a 'control'",
        ),
    ],
)
def test_what_opensims_integrators_cannot_do(pulled: oi.InertialModel, acting: dict, engine: str, why: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=why) as caught:
        oi.simulate(oi.Problem(pulled, t_final=0.01, **acting), "cpodes", engine=engine)
    assert caught.value.option == "integrator"


@pytest.mark.slow
def test_a_controller_of_the_model() -> None:
    """It acts; what it excites cannot be excited otherwise by OpenSim, whose controllers add."""
    model = limbs.limbs(pull=True)
    controller = osim.PrescribedController()
    controller.addActuator(model.getMuscles().get("long"))
    controller.prescribeControlForActuator("/forceset/long", osim.Constant(0.6))
    model.addController(controller)
    model.finalizeConnections()
    inertial = oi.InertialModel(model, limbs.masses())
    excitations = {"short": 0.3}
    native = by_opensim(oi.Problem(inertial, t_final=SECONDS, excitations=excitations), "runge_kutta_merson")
    assert apart(native.y[-1], by_python(oi.Problem(inertial, t_final=SECONDS, excitations=excitations)).y[-1]) < AGREE
    assert native.controls().iloc[-1].to_dict() == {"long": 0.6, "middle": 0.0, "short": 0.3}
    with pytest.raises(oi.errors.OptionError, match="a controller of the model excites 'long' besides"):
        oi.simulate(oi.Problem(inertial, t_final=0.01, excitations={"long": 0.3}), "runge_kutta_merson")
    assert (
        oi.simulate(oi.Problem(inertial, t_final=0.01, excitations={"long": 0.3}), engine="native").integrator == "rk45"
    )


@pytest.mark.slow
def test_divergence() -> None:
    inertial = oi.InertialModel(limbs.limbs(), limbs.masses())
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.array([0.0, 0.0, 9.9e3])))
    with pytest.raises(oi.errors.DivergenceError) as caught:
        oi.simulate(oi.Problem(inertial, state, 1.0), oi.integrators.RungeKuttaMerson(accuracy=1e-3))
    done = caught.value.trajectory
    assert isinstance(done, oi.forward_simulation.Trajectory) and done.times[-1] <= caught.value.time < 1.0
    assert np.isfinite(done.y).all()
    assert caught.value.coordinate in limbs.HINGES


@pytest.mark.slow
def test_where_a_smooth_path_is_lost() -> None:
    """OpenSim's integrators find no way on and say why; by default Python begins again, with OpenSim's path there."""
    g = replace(pendulum.Geometry(), ranges=((-0.3, 0.3), (-0.2, 0.3)))
    model, strain = pendulum.opensim_model(g), oi.StrainModel("uniform", belly=(0.0, 1.0))
    way = oi.Wrapping("neural", warn_wraps=False)
    inertial = oi.InertialModel(model, pendulum.mass_table(g), strain, wrapping=way)
    state = state_at(inertial, np.array([0.0, -0.6]), np.array([0.0, -6.0]))
    for integrator in OPENSIM:
        with pytest.raises(
            oi.errors.DivergenceError, match=r"muscle 'muscle': no path was found over its wrap object"
        ) as caught:
            oi.simulate(oi.Problem(inertial, state, 0.05), integrator)
        assert 0.02 < caught.value.time < 0.025 and caught.value.trajectory.times[-1] == caught.value.time
    with pytest.warns(oi.warnings.LostPathWarning):
        assert oi.simulate(oi.Problem(inertial, state, 0.05)).times[-1] == 0.05


@pytest.mark.skipif(os.name != "posix", reason="an alarm as POSIX has it")
def test_interruption(pulled: oi.InertialModel) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.warns(oi.warnings.InterruptedWarning, match="interrupted at .* s of 1e\\+06 s"):
            part = oi.simulate(oi.Problem(pulled, t_final=1e6), "runge_kutta_merson")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    assert part.interrupted and len(part) > 1


@pytest.mark.slow
def test_external_loads(opensim_models: Path) -> None:
    """Ground reactions of a walk: accelerations as Python's, and with massless muscles OpenSim's own."""
    inertial, _, loads = trials.gait10(opensim_models)
    bare = oi.InertialModel(inertial.original_model(), {})
    for each, bound in ((inertial, 1e-9), (bare, 1e-12)):
        state = each.initial_state()
        state.setTime(0.62)
        state.setU(osim.Vector.createFromMat(np.linspace(-1.0, 1.0, state.getNU())))
        system, t, y = start(Problem(each, state, 0.7, external_loads=loads))
        if each is bare:
            stock, their_state = Loads(loads).added_to(each.model)
            their_state.setTime(t)
            their_state.setY(osim.Vector.createFromMat(y))
            stock.realizeAcceleration(their_state)
            expected = their_state.getUDot().to_numpy().copy()
        else:
            expected = system.rhs(t, y)[system.speeds]
        loaded = with_plugin(system.inertial)
        own = loaded.initial_state()
        own.setTime(t)
        own.setY(osim.Vector.createFromMat(y))
        loaded.model.realizeAcceleration(own)
        assert np.abs(own.getUDot().to_numpy() - expected).max() < bound * np.abs(expected).max()
        assert np.abs(each.udot(state) - expected).max() > 0.1 * np.abs(expected).max()


@pytest.mark.slow
def test_overridden_actuation_is_carried_over(pulled: oi.InertialModel) -> None:
    """A state in which a muscle's force is set is the same to both engines, and in states of the trajectory."""
    state = pulled.initial_state()
    muscle = pulled.model.getMuscles().get("long")
    muscle.overrideActuation(state, True)
    muscle.setOverrideActuation(state, 35.0)
    python = by_python(oi.Problem(pulled, state, SECONDS))
    native = oi.simulate(oi.Problem(pulled, state, SECONDS), oi.integrators.DOP853(accuracy=1e-9), engine="native")
    assert apart(native.y[-1], python.y[-1]) < AGREE
    assert apart(by_python(oi.Problem(pulled, t_final=SECONDS)).y[-1], python.y[-1]) > 1e-3
    for motion in (python, native):
        last = list(motion.states())[-1]
        assert muscle.isActuationOverridden(last) and muscle.getOverrideActuation(last) == 35.0

"""OpenSim's muscle models drive inertial simulations: their equations hold, their work is what the motion gains.

Millard M, Uchida T, Seth A, Delp SL (2013), Flexing computational muscle, J Biomech Eng 135:021005; equation numbers
are those of OpenSim's page on that muscle. Two machines: a rod on a hinge that a muscle with mass swings, and a block
that stretches a muscle by a sine and shortens it again.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from numpy.testing import assert_allclose
from oracles.muscle_machines import (
    DAMPING,
    FASTEST,
    FIBRE,
    FORCE,
    KINDS,
    PENNATION,
    TENDON,
    along,
    de_groote_fregly,
    hinge,
    inertial_model,
    millard,
    muscle_of,
    schutte,
    stretch,
    stretched,
    stretcher,
    swing,
    thelen,
)
from scipy.integrate import cumulative_simpson

import opensim_inertia as oi

#: Work and change of energy agree to this [J], of 1.2 to 2.4 J on the hinge: errors of some hundred steps at ACCURACY,
#: and of Simpson's rule between reported states. Measured: 1.5e-7 on the hinge, 7e-7 in the gait models.
WORK = 3e-6
SOLVED = 1e-8  # OpenSim solves equation (3) by Newton's method; share of the maximum isometric force. Measured: 1e-10.
EXACT = 1e-12  # Formulas that are evaluated, not solved; share of the maximum isometric force


@pytest.fixture(scope="module", autouse=True)
def _forget_swings() -> Iterator[None]:
    yield
    swing.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_motion_gains_what_the_muscle_does(kind: str) -> None:
    """Kinetic energy and that of gravity, the muscle's mass included, change by the muscle's work on the skeleton."""
    trajectory = swing(kind)
    energy, work = trajectory.energy(), trajectory.work()["muscle"].to_numpy()
    motion = energy["total"].to_numpy() - along(trajectory, "MusclePotentialEnergy")[0]
    assert work[-1] > 0.3, "J: the muscle lifts and swings the rod"
    assert_allclose(motion - motion[0], work, rtol=0, atol=WORK)


@pytest.mark.slow
def test_energy_that_opensim_does_not_compute_is_left_out_by_name() -> None:
    """Of a Schutte muscle; the energy of a Millard muscle beside it is counted, and what both do is gained."""
    model = hinge(schutte())
    beside = millard()
    beside.setName("beside")
    beside.addNewPathPoint("origin", model.getGround(), osim.Vec3(0.03, 0.25, 0))
    beside.addNewPathPoint("insertion", model.getBodySet().get("rod"), osim.Vec3(0.03, -0.06, 0))
    model.addForce(beside)
    model.finalizeConnections()
    trajectory = oi.simulate(
        oi.Problem(inertial_model(model), t_final=0.2), oi.integrators.Automatic(accuracy=1e-9), report_step=1e-3
    )
    with pytest.warns(oi.warnings.EnergyLeftOutWarning, match="muscle: OpenSim does not compute it"):
        energy = trajectory.energy()
    assert energy.attrs["left out"] == ["muscle"]
    assert np.isfinite(energy.to_numpy()).all() and np.ptp(energy["elastic_muscles"]) > 1e-3
    assert np.abs(energy["springs"]).max() < 1e-9, "J: there are none"
    motion = (energy["total"] - energy["elastic_muscles"]).to_numpy()
    done = trajectory.work()
    assert abs(done["muscle"].iloc[-1]) > 5e-3
    assert_allclose(motion - motion[0], done["muscle"] + done["beside"], rtol=0, atol=WORK)
    assert oi.plot(trajectory) is not None


@pytest.mark.parametrize("kind", slow_except({"damped", "rigid"}, [k for k in KINDS if k != "thelen"]))
def test_total_energy_gains_what_fibres_do(kind: str) -> None:
    """With the elastic energy counted, what remains is the work of the contractile element and its damper."""
    trajectory = swing(kind)
    total = trajectory.energy()["total"].to_numpy()
    (power,) = along(trajectory, "FiberActivePower")
    work = cumulative_simpson(power, x=trajectory.times, initial=0.0)
    assert_allclose(total - total[0], work, rtol=0, atol=WORK)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "muscles", "time"),
    [
        ("Gait10dof18musc/gait10dof18musc.osim", {"soleus_r": 0.5, "vasti_r": 1.5, "hamstrings_r": 0.8}, 0.03),
        ("Gait2392_Simbody/gait2392_millard2012muscle.osim", {"soleus_r": 0.5, "med_gas_r": 0.25}, 0.01),
    ],
    ids=["18 muscles", "92 muscles"],
)
def test_gait_models_in_free_fall(file: str, muscles: dict[str, float], time: float) -> None:
    """The same balance over all muscles; every force but theirs is switched off."""
    inertial = oi.InertialModel(model_path(f"Models/{file}"), muscles)
    model, state = inertial.model, inertial.initial_state()
    for force in list(model.getForceSet()):
        if osim.Muscle.safeDownCast(force) is None:
            force.setAppliesForce(state, False)
    trajectory = oi.simulate(
        oi.Problem(
            inertial,
            state,
            time,
            excitations=dict.fromkeys(muscles, lambda t: 0.05 + 0.2 * np.sin(20 * t) ** 2),
            equilibrate=True,
        ),
        oi.integrators.Automatic(accuracy=1e-7),
        report_step=2.5e-4,
    )
    elastic = []
    for now in trajectory.states():
        model.realizeDynamics(now)
        elastic.append(sum(muscle.getMusclePotentialEnergy(now) for muscle in model.getMuscles()))
    motion = trajectory.energy()["total"].to_numpy() - elastic
    work = trajectory.work().sum(axis=1).to_numpy()
    assert np.ptp(work) > 0.05  # J
    assert_allclose(motion - motion[0], work, rtol=0, atol=WORK)


@pytest.mark.parametrize("kind", slow_except({"damped"}, ["equilibrium", "damped"]))
def test_equilibrium_along_the_motion(kind: str) -> None:
    """Equations (1) and (3), from the state's fibre length and its rate and OpenSim's curves alone."""
    trajectory = swing(kind)
    model = trajectory.inertial.model
    muscle = muscle_of(model)
    lengths = []
    for state in trajectory.states():
        model.realizeAcceleration(state)
        length = muscle.getStateVariableValue(state, "fiber_length")
        rate = muscle.getStateVariableDerivativeValue(state, "fiber_length")
        cosine = np.sqrt(1 - (FIBRE * np.sin(PENNATION) / length) ** 2)  # equation (6)
        tendon = muscle.getLength(state) - length * cosine  # equation (4)
        fibres = hill_force(muscle, muscle.getActivation(state), length, rate, DAMPING if kind == "damped" else 0.0)
        stretched_tendon = muscle.getTendonForceLengthCurve().calcValue(tendon / TENDON)
        assert abs(fibres * cosine - stretched_tendon) < SOLVED
        assert abs(muscle.getActuation(state) / FORCE - stretched_tendon) < EXACT
        lengths.append(length)
    assert min(lengths) < 0.85 * FIBRE
    assert max(lengths) > 1.1 * FIBRE


@pytest.mark.parametrize(
    ("kind", "damping"), slow_except([("rigid", DAMPING)], [("rigid", DAMPING), ("rigid, undamped", 0.0)])
)
def test_rigid_tendon_is_the_formula(kind: str, damping: float) -> None:
    """The fibre from the path's length and speed by equations (4) to (7), its force along the tendon."""
    trajectory = swing(kind)
    model = trajectory.inertial.model
    muscle = muscle_of(model)
    height, forces = FIBRE * np.sin(PENNATION), []
    for state in trajectory.states():
        model.realizeDynamics(state)
        length = np.hypot(muscle.getLength(state) - TENDON, height)
        cosine = np.sqrt(1 - (height / length) ** 2)
        rate = muscle.getLengtheningSpeed(state) * cosine
        force = max(0.0, hill_force(muscle, muscle.getActivation(state), length, rate, damping) * cosine)
        assert abs(muscle.getActuation(state) / FORCE - force) < EXACT
        forces.append(force)
    assert max(forces) > 2 * min(forces)


@pytest.mark.parametrize("kind", slow_except({"thelen"}, ["thelen", "de groote, compliant", "de groote, rigid"]))
def test_other_muscles_are_in_equilibrium(kind: str) -> None:
    fibre, tendon, actuation = along(swing(kind), "FiberForceAlongTendon", "TendonForce", "Actuation")
    assert_allclose(fibre, tendon, rtol=0, atol=EXACT * FORCE)
    assert_allclose(actuation, tendon, rtol=0, atol=EXACT * FORCE)


def hill_force(muscle: Any, activation: float, length: float, rate: float, damping: float) -> float:
    """a fL fV + fPE + beta v, in maximum isometric forces; of a fibre length [m] and its rate [m/s]."""
    velocity = rate / (FIBRE * FASTEST)
    active = muscle.getActiveForceLengthCurve().calcValue(length / FIBRE)
    passive = muscle.getFiberForceLengthCurve().calcValue(length / FIBRE)
    return activation * active * muscle.getForceVelocityCurve().calcValue(velocity) + passive + damping * velocity


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["equilibrium", "damped", "rigid"])
def test_no_fibre_is_shorter_than_its_minimum(kind: str) -> None:
    """The unilateral constraint: the path is shortened by 0.7 optimal lengths, so the tendon goes slack."""
    done = stretched(stretch(KINDS[kind](), 1.0, -0.7, t_final=0.4))
    muscle = muscle_of(done.inertial.model)
    length, force = along(done, "FiberLength", "TendonForce")
    least = muscle.getMinimumFiberLength()
    assert least * (1 - 1e-12) <= length.min() < 1.05 * least
    assert force.min() == 0
    if kind != "rigid":
        states = done.to_dataframe()["/forceset/muscle/fiber_length"].to_numpy()
        assert states.min() > least * (1 - 1e-3)


@pytest.mark.parametrize("kind", slow_except({"damped"}, ["damped", "rigid", "thelen", "de groote, compliant"]))
def test_controllers_drive_as_excitations_do(kind: str) -> None:
    model = hinge(KINDS[kind]())
    controller = osim.PrescribedController()
    controller.setName("brain")
    controller.addActuator(muscle_of(model))
    controller.prescribeControlForActuator("muscle", osim.LinearFunction(2.0, 0.1))
    model.addController(controller)
    model.finalizeConnections()
    controls = oi.Problem(inertial_model(model), t_final=0.05, equilibrate=True)
    other = inertial_model(hinge(KINDS[kind]()))
    excites = oi.Problem(other, t_final=0.05, excitations={"muscle": lambda t: 0.1 + 2 * t}, equilibrate=True)
    controlled, excited = (oi.simulate(p, engine="python") for p in (controls, excites))  # else each takes its own
    assert_allclose(controlled.times, excited.times, rtol=0, atol=1e-14)
    assert_allclose(controlled.y, excited.y, rtol=0, atol=1e-12)


def test_a_rigid_thelen_muscle_is_refused() -> None:
    with pytest.raises(oi.errors.ModelError, match="ignore_tendon_compliance flag is not currently implemented"):
        inertial_model(hinge(thelen(rigid=True)))


def test_implicit_tendon_dynamics_are_refused() -> None:
    """OpenSim leaves the rate of an implicit tendon to Moco: in any forward simulation its force never changes."""
    model = stretcher(de_groote_fregly(dynamics="implicit"), 0.25)
    state = model.initSystem()
    model.equilibrateMuscles(state)
    model.realizeDynamics(state)
    before = muscle_of(model).getTendonForce(state)
    manager = osim.Manager(model)
    manager.initialize(state)
    end = manager.integrate(0.1)
    model.realizeDynamics(end)
    assert_allclose(muscle_of(model).getTendonForce(end), before, rtol=1e-12)
    with pytest.raises(oi.errors.ModelError, match="'muscle'.*implicit.*explicit"):
        stretched(stretch(de_groote_fregly(dynamics="implicit"), 0.05, t_final=0.1))

"""Mass that swings in simulations and inverse dynamics: against Lagrange's equations, mechanics' axioms, and rest."""

import pickle
from functools import cache

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles import swinging_pendulum as pendulum
from oracles.finite_differences import Array
from oracles.integrators import OF_EACH_KIND
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses
from oracles.live_states import state_at
from scipy.integrate import solve_ivp

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics.wobble import Wobbling
from opensim_inertia.errors import MotionError, OptionError, UnknownNameError
from opensim_inertia.options import StrainModel, Wobble, WobblingMass
from opensim_inertia.warnings import InputWarning

AFTER_A_SECOND = 1e-7  # Angles [rad] and d [m] after 1 s, both integrated to 1e-11; measured 3e-11
ENERGY = 1e-10  # Relative to the 20 J that are exchanged; measured 1e-13
STIFF = 1e-6  # Angles [rad] with k = 8e8 N/m against those of a belly that does not swing, as the issue asks
CONSERVED = 1e-11  # Relative: momentum of a free model over 0.05 s, integrated to 1e-13
DRIVEN = 1e-8  # Relative to the largest: rows 2 ms apart of motions of 2 Hz, against steps at 1e-12; measured 2e-9

METHODS = ("forward_euler", "bdf1", "sdirk2", "rk45", "dop853", "bdf", "auto")
MASS = WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 20.0, "calf")

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@cache
def swinging_pendulum() -> oi.InertialModel:
    table = pd.DataFrame({"muscle": ["mus"], "mass": [pendulum.MUSCLE], "segment": ["rod2"]})
    return oi.InertialModel(pendulum.model(), table, strain=StrainModel("uniform", belly=(0.0, 1.0)))


def stiff(k: float, **options: object) -> Wobble:
    frequency = float(np.sqrt(k / (pendulum.MUSCLE / 2)) / (2 * np.pi))
    return Wobble(frequency=frequency, damping=0.0, tension=0.0, **options)  # type: ignore[arg-type]


def sideways(q: Array) -> Array:
    """The direction of d in ground, across the muscle in its plane."""
    first, second = q[0], q[0] + q[1]
    along = np.array([[np.sin(a), -np.cos(a)] for a in (first, second)])
    beside = np.array([[np.cos(a), np.sin(a)] for a in (first, second)])
    start = -pendulum.FIRST[0] * along[0] + pendulum.FIRST[1] * beside[0]
    end = pendulum.LENGTH * along[0] - pendulum.SECOND[0] * along[1] + pendulum.SECOND[1] * beside[1]
    chord = end - start
    return np.array([-chord[1], chord[0], 0.0]) / np.linalg.norm(chord)


@pytest.mark.parametrize(
    ("k", "t"),
    [(800.0, 0.02), pytest.param(800.0, 1.0, marks=pytest.mark.slow), pytest.param(8e4, 0.25, marks=pytest.mark.slow)],
)
def test_a_double_pendulum_against_lagrange(k: float, t: float) -> None:
    inertial = swinging_pendulum()
    exact, energy = pendulum.equations(k)
    y = np.array([0.7, -0.4, 0.004, 1.0, -2.0, 0.1])
    step = 1e-6
    turning = (sideways(y[:2] + step * y[3:5]) - sideways(y[:2] - step * y[3:5])) / (2 * step)
    d, speed = y[2] * sideways(y[:2]), y[5] * sideways(y[:2]) + y[2] * turning
    problem = oi.Problem(inertial, state_at(inertial, y[:2], y[3:5]), t)
    wobble = stiff(k, start={"mus": (d, speed)})
    found = oi.simulate(problem, oi.integrators.DOP853(accuracy=1e-12), wobble=wobble)
    expected = solve_ivp(lambda _, y: exact(y), (0, t), y, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(found.coordinates().iloc[-1], expected[:2], rtol=0, atol=AFTER_A_SECOND)
    there = found.displacements().iloc[-1].to_numpy()
    np.testing.assert_allclose(there, expected[2] * sideways(expected[:2]), rtol=0, atol=AFTER_A_SECOND)
    parts = found.energy()
    changes = (parts["total"] - parts["total"].iloc[0]).abs().max()
    assert changes <= ENERGY * 20.0
    assert parts["elastic_wobble"].iloc[0] == pytest.approx(k / 2 * y[2] ** 2)
    moved = parts["total"].iloc[0] - energy(y)
    assert parts["total"].iloc[-1] - energy(expected) == pytest.approx(moved, abs=ENERGY * 20.0)


def test_dampers_take_what_energy_is_lost() -> None:
    """Work is summed over the rows by Simpson's rule, which leaves 1e-6 of it."""
    inertial, q = swinging_pendulum(), np.array([0.7, -0.4])
    start = {"mus": (0.02 * sideways(q), np.zeros(3))}
    wobble = Wobble(frequency=10.0, damping=0.3, tension=0.0, start=start)
    problem = oi.Problem(inertial, state_at(inertial, q, np.array([1.0, -2.0])), 0.05)
    found = oi.simulate(problem, oi.integrators.DOP853(accuracy=1e-12), report_step=2.5e-4, wobble=wobble)
    total, work = found.energy()["total"], found.work()
    assert list(work.columns) == ["mus", "forces", "dampers"]
    lost = total - total.iloc[0]
    assert lost.iloc[-1] < -1e-3
    np.testing.assert_allclose(work["dampers"], lost, rtol=0, atol=1e-6 * abs(lost.iloc[-1]))


@pytest.mark.slow
def test_a_stiff_belly_does_not_swing() -> None:
    inertial = swinging_pendulum()
    state = state_at(inertial, np.array([0.7, -0.4]), np.array([1.0, -2.0]))
    method = oi.integrators.BDF(accuracy=1e-8)
    frequency = float(np.sqrt(8e8 / (pendulum.MUSCLE / 2)) / (2 * np.pi))
    swinging = Wobble(frequency=frequency, damping=1.0)
    ends = [
        oi.simulate(oi.Problem(inertial, state, 1.0), method, wobble=w).coordinates().iloc[-1]
        for w in (swinging, False)
    ]
    np.testing.assert_allclose(*ends, rtol=0, atol=STIFF)


@pytest.mark.parametrize("method", slow_except({*OF_EACH_KIND, "auto"}, METHODS))
def test_every_integrator_finds_the_same_motion(method: str) -> None:
    """Those with fixed steps converge to it with their order."""
    inertial, kind = swinging_pendulum(), oi.integrators.INTEGRATORS[method]
    state = state_at(inertial, np.array([0.7, -0.4]), np.array([1.0, -2.0]))

    def end(integrator: oi.integrators.Integrator) -> Array:
        soft = Wobble(frequency=10.0, damping=0.1)
        return oi.simulate(oi.Problem(inertial, state, 0.02), integrator, wobble=soft).y[-1]

    exact = end(oi.integrators.DOP853(accuracy=1e-11))
    if not issubclass(kind, oi.integrators.FixedStep):
        np.testing.assert_allclose(end(kind(accuracy=1e-8)), exact, rtol=0, atol=1e-6)
        return
    coarse, fine = (np.linalg.norm(end(kind(step=h)) - exact) for h in (1e-3, 2.5e-4))
    assert coarse / fine == pytest.approx(4.0**kind.order, rel=0.25)


@cache
def arm() -> oi.InertialModel:
    return oi.InertialModel(limbs("fixed"), limb_masses())


def test_momentum_of_a_free_model() -> None:
    """Without gravity the centre of all mass goes straight on, that of what swings included."""
    inertial = oi.InertialModel(limbs("custom", 0.0), limb_masses())
    rng = np.random.default_rng(5)
    n = len(inertial.coordinate_names)
    state = state_at(inertial, 0.3 * rng.normal(size=n), rng.normal(size=n))
    soft = Wobble(
        frequency=12.0, damping=0.0, masses=(MASS,), start={"calf": (0.01, -0.02, 0.01), "long": (0, 0.02, 0.01)}
    )
    run = oi.simulate(oi.Problem(inertial, state, 0.05), oi.integrators.DOP853(accuracy=1e-13), wobble=soft)
    swings = run.system.swings
    assert swings is not None
    moments = np.concatenate([group.values.moment for group in swings.groups])
    places = []
    for state, moved in zip(run.states(), run.displacements().to_numpy().reshape(len(run), -1, 3), strict=True):
        kinematics = inertial.dynamics.read(state)
        place = inertial.model.getTotalMass(state) * inertial.model.calcMassCenterPosition(state).to_numpy()
        place = place + inertial.evaluation.pseudo_inertias(kinematics).sum(axis=0)[:3, 3] + moments @ moved
        for name, frozen in inertial.frozen.by_segment.items():
            body = inertial.kinematics.bodies.index(name)
            place = place - kinematics.rotation[body] @ frozen[:3, 3] - frozen[3, 3] * kinematics.position[body]
        places.append(place)
    places_at, times = np.array(places), run.times
    straight = np.polynomial.polynomial.polyfit(times, places_at, 1)
    expected = straight[0] + times[:, None] * straight[1]
    assert (
        np.abs(straight[1]).max() > 0.1
        and np.abs(run.displacements().iloc[-1] - run.displacements().iloc[0]).max() > 1e-3
    )
    np.testing.assert_allclose(places_at, expected, rtol=0, atol=CONSERVED * np.abs(places_at).max())


def test_at_rest_a_belly_sags_and_stays() -> None:
    """A model that is held by locks starts where weight and springs balance, and does not move."""
    model = limbs("fixed")
    for coordinate in model.getCoordinateSet():
        coordinate.set_locked(True)
    inertial = oi.InertialModel(model, limb_masses())
    soft = Wobble(frequency=9.0, masses=(MASS,))
    run = oi.simulate(oi.Problem(inertial, t_final=0.05), wobble=soft)
    d, gravity = run.displacements(), model.getGravity()[1]
    np.testing.assert_allclose(d.iloc[-1], d.iloc[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(d[["calf/x", "calf/y", "calf/z"]].iloc[0], [0, 0.6 * gravity / 4000.0, 0], atol=1e-12)
    assert d["long/y"].iloc[0] < -1e-6


def test_a_skeleton_that_is_moved_swings_what_inverse_dynamics_swings() -> None:
    """Prescribed coordinates in a simulation, and the same motion recorded: displacements and what they add."""
    model = limbs("fixed")
    shares = {"hip": (0.3, 9.0, 0.0), "knee": (0.4, 12.0, 1.0), "ankle": (0.2, 7.0, 2.0)}
    pose = dict.fromkeys(shares, 0.0)
    for name, (size, w, phase) in shares.items():
        coordinate = model.updCoordinateSet().get(name)
        coordinate.setPrescribedFunction(osim.Sine(size, w, phase))
        coordinate.setDefaultIsPrescribed(True)
    inertial, free, times = oi.InertialModel(model, limb_masses(), reference=pose), arm(), np.arange(81) * 0.005
    soft = Wobble(frequency=9.0, masses=(MASS,), tension=0.0)
    size, w, phase = np.array(list(shares.values())).T
    angle = times[:, None] * w + phase
    q, u, udot = size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)
    wobbling = Wobbling(free, soft, free.evaluation.bodies, times)
    wobbling.add([free.dynamics.read(state_at(free, *row)) for row in zip(q, u, strict=True)], udot)
    record, _ = wobbling.solve(keeps_band=False, error=1e-9)
    method = oi.integrators.DOP853(accuracy=1e-12)
    problem = oi.Problem(inertial, state_at(inertial, q[0], u[0]), 0.4)
    run = oi.simulate(problem, method, report_step=0.2, wobble=soft)
    found = record.displacements[[0, 40, 80]].reshape(3, -1)
    np.testing.assert_allclose(found, run.displacements(), rtol=0, atol=DRIVEN * np.abs(found).max())


def test_a_simulation_goes_on_and_is_data(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """From a trajectory with its displacements; after pickling the model can be given again; files have them."""
    inertial = arm()
    state = state_at(inertial, np.array([0.5, -0.4, 0.3]))
    soft, method = Wobble(frequency=9.0, masses=(MASS,)), oi.integrators.DOP853(accuracy=1e-11)
    whole = oi.simulate(oi.Problem(inertial, state, 0.04), method, wobble=soft)
    first = oi.simulate(oi.Problem(inertial, state, 0.02), method, wobble=soft)
    second = oi.simulate(oi.Problem(inertial, first, 0.04), method, wobble=soft)
    np.testing.assert_allclose(second.y[-1], whole.y[-1], rtol=0, atol=1e-9)
    again = pickle.loads(pickle.dumps(whole)).with_model(inertial, wobble=soft)
    np.testing.assert_array_equal(again.displacements(), whole.displacements())
    assert again.provenance["simulation"]["wobble"]["frequency"] == 9.0
    whole.to_sto(tmp_path / "states.sto")
    table = oi.files.read_table(tmp_path / "states.sto")
    np.testing.assert_allclose(table["/wobble/calf_y/value"], whole.to_dataframe()["/wobble/calf_y/value"], atol=1e-12)
    with pytest.raises(UnknownNameError, match="/wobble/calf_x"):
        oi.simulate(oi.Problem(inertial, first, 0.04), method, wobble=Wobble(frequency=9.0))


def test_controls_and_quaternions_around_what_swings() -> None:
    """Both find the motion that is found without them."""
    inertial = oi.InertialModel(limbs("custom"), limb_masses())
    n = len(inertial.coordinate_names)
    state = state_at(inertial, np.full(n, 0.1), np.full(n, 0.3))
    soft, method = Wobble(frequency=12.0, masses=(MASS,)), oi.integrators.DOP853(accuracy=1e-10)
    plain = oi.simulate(oi.Problem(inertial, state, 0.03), method, wobble=soft).y[-1]
    turned = oi.simulate(oi.Problem(inertial, state, 0.03, rotations="quaternion"), method, wobble=soft).y[-1]
    np.testing.assert_allclose(turned, plain, rtol=0, atol=1e-8)

    class Watching:
        state_names, delays = ("seen",), ()

        def initial(self) -> list[float]:
            return [0.0]

        def rates(self, t: float, now, past) -> list[float]:  # type: ignore[no-untyped-def]
            return [now["/wobble/calf_y/value"]]

        def excitations(self, t: float, now, past) -> dict[str, float]:  # type: ignore[no-untyped-def]
            return {}

    run = oi.simulate(oi.Problem(inertial, state, 0.03, control=Watching()), method, wobble=soft)
    np.testing.assert_allclose(run.y[-1, :-1], plain, rtol=0, atol=1e-8)
    sag = run.to_dataframe()["/wobble/calf_y/value"]
    assert run.y[-1, -1] == pytest.approx(np.trapezoid(sag, run.times), rel=1e-2)


def test_bad_input_is_refused_by_name() -> None:
    problem = oi.Problem(arm(), t_final=0.1)
    short = pd.DataFrame(100.0, index=[0.0, 0.05], columns=["long"])
    twice = tuple(WobblingMass("shank", 0.1, (0, y, 0), 5.0, 0.0) for y in (-0.1, -0.2))
    for wobble, error, message in (
        (Wobble(tension=short), MotionError, "covers 0 to 0.05 s, the motion 0 to 0.1 s"),
        (Wobble(start={"lng": (0, 0, 0)}), UnknownNameError, "did you mean 'long'"),
        ("yes", OptionError, "wobble"),
        (Wobble(masses=twice), OptionError, "a name of its own"),
    ):
        with pytest.raises(error, match=message):
            oi.simulate(problem, wobble=wobble)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="start of 'long'"):
        Wobble(start={"long": (0, np.nan, 0)})
    with pytest.raises(OptionError, match="tension"):
        Wobble(tension=-3.0)
    with pytest.raises(OptionError, match="mass wobbles"):
        oi.simulate(problem, "runge_kutta_merson", wobble=True)


SOFT = Wobble(frequency=9.0, masses=(MASS,))


def table() -> pd.DataFrame:
    times = np.arange(60) * 0.005
    angles = [0.3, 0.4, 0.2] * np.sin([9.0, 12.0, 7.0] * times[:, None] + [0.0, 1.0, 2.0])
    return pd.DataFrame(angles, index=times, columns=["hip", "knee", "ankle"])


def test_without_swinging_nothing_changes() -> None:
    """Bit for bit; and what is stiff adds little, whose parts sum up."""
    inertial, motion = arm(), table()
    plain = oi.inverse_dynamics(inertial, motion)
    for kind in ("lumped", "inertial"):
        np.testing.assert_array_equal(
            getattr(oi.inverse_dynamics(inertial, motion, wobble=False), f"{kind}_forces"),
            getattr(plain, f"{kind}_forces"),
        )
    soft = oi.inverse_dynamics(inertial, motion, wobble=SOFT)
    assert soft.wobble is not None and plain.wobble is None
    np.testing.assert_array_equal(soft.lumped_forces, plain.lumped_forces)
    scale = float(np.abs(soft.wobble.forces).max())
    assert scale > 0.1
    np.testing.assert_allclose(
        soft.inertial_forces - plain.inertial_forces, soft.wobble.forces, rtol=0, atol=1e-12 * scale
    )
    for name in soft.coordinate_names:
        i = soft.coordinate_names.index(name)
        summed = soft.muscle_table(name).sum(axis=1)
        np.testing.assert_allclose(summed, (soft.inertial_forces - soft.lumped_forces)[:, i], rtol=0, atol=1e-9 * scale)
        ends = soft.wobble_table(name)
        assert (ends["lower"] <= ends["wobble"]).all() and (ends["wobble"] <= ends["upper"]).all()
    assert {"wobble at peak", "largest wobble"} <= set(soft.summary().columns)
    stiff = oi.inverse_dynamics(inertial, motion, wobble=Wobble(frequency=300.0), band=False)
    assert stiff.wobble is not None
    assert 0 < np.abs(stiff.wobble.forces[10:-10]).max() < 2e-3 * scale  # (9 / 300)^2; ends of splines are rough


def test_tension_stiffens() -> None:
    inertial, motion = arm(), table()
    forces = pd.DataFrame(400.0, index=[-1.0, 1.0], columns=["long", "short"])
    tense = oi.inverse_dynamics(inertial, motion, wobble=Wobble(tension=forces), band=False).wobble
    assert tense is not None
    frequency = tense.table["median frequency [Hz]"]
    assert frequency["middle"] == pytest.approx(15.0)
    belly = inertial.path_lengths(inertial.reference_state()).loc["long", "belly"]
    k = np.pi**2 / (2 * belly) * (400.0 + tense.table.loc["long", "F0 [N]"])
    assert frequency["long"] == pytest.approx(np.sqrt(k / tense.table.loc["long", "modal mass [kg]"]) / (2 * np.pi))


def test_inverse_dynamics_refuses_bad_input_by_name() -> None:
    inertial, motion = arm(), table()
    tension = pd.DataFrame(5.0, index=[-1.0, 1.0], columns=["long"])
    for given, error, message in (
        (tension.set_axis([0.0, 0.1]), MotionError, "covers 0 to 0.1 s, the motion 0 to 0.295 s"),
        (-tension, OptionError, "that of 'long' is negative"),
        (tension.rename(columns={"long": "longg"}), UnknownNameError, "did you mean 'long'"),
        (
            tension.assign(shortt=1.0),
            MotionError,
            "no column is named as muscle 'short', but column 'shortt' nearly is",
        ),
        (tension.set_axis([1.0, -1.0]), MotionError, "the table of tensions: times must increase"),
        (np.nan * tension, MotionError, "column 'long' is nan at time -1 s"),
    ):
        with pytest.raises(error, match=message):
            oi.inverse_dynamics(inertial, motion, wobble=Wobble(tension=given))
    with pytest.warns(InputWarning, match="largest tension is 0.4 N; are these activations"):
        oi.inverse_dynamics(inertial, motion, wobble=Wobble(tension=0.08 * tension), band=False)
    with pytest.raises(OptionError, match="True, False or a Wobble"):
        oi.inverse_dynamics(inertial, motion, wobble=15.0)  # type: ignore[arg-type]
    with pytest.warns(InputWarning, match=r"filtered at 8 Hz.*15 Hz.*leaves 2.2 %"):
        oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=8.0), wobble=True)

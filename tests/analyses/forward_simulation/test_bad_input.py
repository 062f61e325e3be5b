"""Named errors for what cannot be simulated; what was done is kept when a simulation diverges or is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from oracles import limbs
from oracles.integrators import ADAPTIVE, FIXED, STEPPED_HERE, fixed_step

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet

#: Integrators that step before they look, and then name what runs away.
STEPS_FIRST = ("forward_euler", "bdf1", "sdirk2")


@pytest.fixture(scope="module")
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


@pytest.fixture
def state(pulled: oi.InertialModel) -> osim.State:
    state = pulled.initial_state()
    pulled.model.equilibrateMuscles(state)
    return state


def vector(values: list[float]) -> osim.Vector:
    return osim.Vector.createFromMat(np.array(values, dtype=float))


# -- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("report_step", v) for v in (0.0, -0.1, np.nan)),
        *(("t_final", v) for v in (0.0, -1.0, np.nan, np.inf, "end", None)),
        *(("integrator", v) for v in ("rk4", "RK45", "", None, oi.integrators.SDIRK2)),
    ],
)
def test_options(pulled: oi.InertialModel, state: osim.State, option: str, value: object) -> None:
    end = value if option == "t_final" else 0.1
    others = {} if option == "t_final" else {option: value}
    with pytest.raises(oi.errors.OptionError, match=option) as caught:
        oi.simulate(oi.Problem(pulled, state, end), **others)  # type: ignore[arg-type]
    assert caught.value.option == option
    if option == "integrator":
        for name in STEPPED_HERE:
            assert name in str(caught.value)


def test_end_before_start(pulled: oi.InertialModel, state: osim.State) -> None:
    state.setTime(2.0)
    for end in (2.0, 1.0):
        with pytest.raises(oi.errors.OptionError, match="after the start, 2 s"):
            oi.simulate(oi.Problem(pulled, state, end))


@pytest.mark.parametrize("drive", ["excitations", "forces"])
def test_drives(pulled: oi.InertialModel, state: osim.State, drive: str) -> None:
    name, wrong = ("long", "lnog") if drive == "excitations" else ("knee", "kene")
    for given in ({wrong: 0.5}, lambda s: {wrong: 0.5}):
        with pytest.raises(oi.errors.UnknownNameError, match=f"'{wrong}' in {drive}; did you mean '{name}'") as unknown:
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))
        assert name in unknown.value.near_matches
    numbers = {name: np.nan}, {name: lambda t: np.inf}, {name: "much"}, {name: None}, lambda s: [0.1, np.nan, 0.1]
    for given in numbers:
        with pytest.raises(oi.errors.OptionError, match=f"{drive}.*a finite number"):
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))
    for given in (lambda s: [0.1, 0.2], lambda s: np.ones(4), lambda s: None, lambda s: "abc"):
        with pytest.raises(oi.errors.OptionError, match=f"{drive}.*expected 3 numbers"):
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))
    for given in ([0.1, 0.1, 0.1], 0.5, "all"):
        with pytest.raises(oi.errors.OptionError, match=f"{drive}.*by"):
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))


def test_drive_that_breaks_later(pulled: oi.InertialModel, state: osim.State) -> None:
    """The time is named."""
    with pytest.raises(oi.errors.OptionError, match=r"excitations\['short'\] at 0\.0[12]"):
        oi.simulate(
            oi.Problem(pulled, state, 0.1, excitations={"short": lambda t: 0.1 if t < 0.0195 else np.nan}),
            oi.integrators.Automatic(step=1e-3),
        )


def test_errors_of_a_drive_are_the_users_own(pulled: oi.InertialModel, state: osim.State) -> None:
    def fail(t: float) -> float:
        raise ValueError("my own")

    for integrator in STEPPED_HERE:
        with pytest.raises(ZeroDivisionError):
            oi.simulate(oi.Problem(pulled, state, 0.1, forces={"knee": lambda t: 1 / 0}), integrator)
        with pytest.raises(ValueError, match="my own"):
            oi.simulate(
                oi.Problem(pulled, state, 0.1, forces={"knee": lambda t: fail(t) if t > 0.002 else 0.0}), integrator
            )


# -- states ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", STEPPED_HERE)
def test_states_that_are_not_finite(pulled: oi.InertialModel, integrator: str) -> None:
    for put, name in (("setQ", "knee"), ("setU", "knee"), ("setZ", "/forceset/long/fiber_length")):
        broken = pulled.initial_state()
        getattr(broken, put)(vector([0.1, np.nan, 0.1] + [0.1] * (3 if put == "setZ" else 0)))
        with pytest.raises(oi.errors.SimulationError, match=f"'{name}' is not finite"):
            oi.simulate(oi.Problem(pulled, broken, 0.1), integrator)
    broken = pulled.initial_state()
    broken.setTime(np.nan)
    with pytest.raises(oi.errors.SimulationError, match="no time"):
        oi.simulate(oi.Problem(pulled, broken, 0.1), integrator)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["auto", *STEPPED_HERE])
@pytest.mark.parametrize(("kind", "named"), [("no inertia", "q1"), ("gimbal lock", "rz")])
def test_singular_mass_matrices(kind: str, named: str, integrator: str) -> None:
    """A last link that nothing resists to turn; and a base whose first and third axes coincide, all but 6e-17.

    SciPy's explicit methods shorten a step without rates for ever.
    """
    if kind == "no inertia":
        model = limbs.chain(3)
        link = model.updBodySet().get("link3")
        link.setMassCenter(osim.Vec3(0))
        link.setInertia(osim.Inertia(0))
    else:
        model = limbs.limbs("custom")
        model.updCoordinateSet().get("ry").setDefaultValue(np.pi / 2)
    inertial = oi.InertialModel(model, {})
    with pytest.raises(oi.errors.DivergenceError, match=f"'{named if integrator not in STEPS_FIRST else ''}") as caught:
        oi.simulate(oi.Problem(inertial, t_final=0.1), integrator)
    done = caught.value.trajectory
    assert isinstance(done, oi.forward_simulation.Trajectory) and done.times[-1] < 0.1 and done.evaluations < 2000
    assert np.isfinite(done.y).all()


def test_states_of_other_models(pulled: oi.InertialModel) -> None:
    others = [oi.InertialModel(m, {}) for m in (limbs.limbs("custom"), limbs.chain(3))]
    for other in others:
        for state in (other.initial_state(), osim.State(other.initial_state())):
            with pytest.raises(oi.errors.ModelError, match="not one of this 'limbs_fixed' as it is: .* another model"):
                oi.simulate(oi.Problem(pulled, state, 0.1))


def test_constraints_that_contradict(pulled: oi.InertialModel) -> None:
    """Two couplers; two locks and a coupler: the error names the coordinates that they bind."""
    model, state_of = limbs.constrained("coupled")
    limbs.couple(model, "q2", "q3", -1.5, 0.4, "again")
    with quiet():  # OpenSim says so too
        inertial = oi.InertialModel(model, {"muscle": 0.3})
    with pytest.raises(oi.errors.SimulationError, match="constraints cannot be met: one on 'q2' and 'q3'") as caught:
        oi.simulate(oi.Problem(inertial, state_of(inertial), 0.1))
    assert caught.value.time == 0.0

    model, state_of = limbs.constrained("coupled")
    inertial = oi.InertialModel(model, {"muscle": 0.3})
    locked = state_of(inertial)
    locked.setQ(vector([0.0, 0.2, 0.5, 0.0, 0.0]))
    for name in ("q2", "q3"):
        inertial.model.getCoordinateSet().get(name).setLocked(locked, True)
    with pytest.raises(oi.errors.SimulationError, match=r"constraints cannot be met: one on '(q2|q3)'"):
        oi.simulate(oi.Problem(inertial, locked, 0.1))


# -- divergence ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", STEPPED_HERE)
def test_divergence_keeps_what_was_done(integrator: str) -> None:
    """A force that grows with speed."""
    inertial = oi.InertialModel(limbs.chain(3), {"muscle": 0.5}, "uniform")
    start = inertial.initial_state()
    start.setU(vector([0.0, 0.0, 1.0]))

    def push(s: osim.State) -> dict[str, float]:
        return {"q3": 20.0 * float(s.getU().to_numpy()[2])}

    method = fixed_step(integrator, 5e-4, 1e-4) if integrator in FIXED else ADAPTIVE[integrator](5e-4, 1e-4)
    with pytest.raises(oi.errors.DivergenceError) as caught:
        oi.simulate(oi.Problem(inertial, start, 5.0, forces=push), method)
    error = caught.value
    assert error.coordinate in ("q1", "q2", "q3") and f"'{error.coordinate}'" in str(error)
    assert 0 < error.time < 5.0 and f"{error.time:.6g} s" in str(error)
    done = error.trajectory
    assert isinstance(done, oi.forward_simulation.Trajectory) and not done.interrupted
    assert 1 <= len(done) and done.times[-1] <= error.time
    assert np.isfinite(done.y).all()
    assert np.isfinite(done.energy().to_numpy()).all()


# -- interruption ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["sdirk2", "rk45", "bdf"])
def test_interruption_keeps_what_was_done(pulled: oi.InertialModel, state: osim.State, integrator: str) -> None:
    calls = 0

    def tire(t: float) -> float:
        nonlocal calls
        calls += 1
        if calls > 150:
            raise KeyboardInterrupt
        return 0.1

    with pytest.warns(oi.warnings.InterruptedWarning, match="interrupted at .* s of 3 s"):
        part = oi.simulate(oi.Problem(pulled, state, 3.0, excitations={"long": tire}), integrator)
    assert part.interrupted
    assert 1 < len(part) and part.times[-1] < 3.0
    whole = oi.simulate(oi.Problem(pulled, state, float(part.times[-1]), excitations={"long": 0.1}), integrator)
    assert not whole.interrupted
    np.testing.assert_allclose(part.y[-1], whole.y[-1], rtol=0, atol=1e-5)  # the last step may be cut
    assert np.isfinite(part.to_dataframe().to_numpy()).all()


SCRIPT = """
import signal
import warnings
from oracles import limbs
import opensim_inertia as oi

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored
inertial = oi.InertialModel(limbs.chain(2), {"muscle": 0.5}, "uniform")
told = []

def tell(t):
    if t > 0.05 and not told:
        told.append(t)
        print("running", flush=True)
    return 0.0

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    problem = oi.Problem(inertial, t_final=1e6, forces={"q1": tell})
    trajectory = oi.simulate(problem, oi.integrators.Automatic(step=0.01))
print(trajectory.interrupted, len(trajectory) > 1, caught[-1].category.__name__, flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c(tmp_path: Path) -> None:
    """The real thing, in a process of its own."""
    paths = [str(Path(oi.__file__).parents[1]), str(Path(limbs.__file__).parents[1])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().strip() == "running"
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, errors
    assert out.split() == ["True", "True", "InterruptedWarning"]

"""Named errors for what cannot be simulated; what was done is kept when a simulation diverges or is interrupted."""

import numpy as np
import opensim as osim
import pytest
from oracles import limbs
from oracles.integrators import ADAPTIVE, FIXED, STEPPED_HERE, fixed_step
from oracles.muscle_machines import millard, stretch

import opensim_inertia as oi

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


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("report_step", v) for v in (0.0, np.nan)),
        *(("t_final", v) for v in (0.0, np.inf, "end")),
        *(("integrator", v) for v in ("rk4", None, oi.integrators.SDIRK2)),
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


@pytest.mark.parametrize("drive", ["excitations", "forces"])
def test_drives(pulled: oi.InertialModel, state: osim.State, drive: str) -> None:
    name, wrong = ("long", "lnog") if drive == "excitations" else ("knee", "kene")
    for given in ({wrong: 0.5}, lambda s: {wrong: 0.5}):
        with pytest.raises(oi.errors.UnknownNameError, match=f"'{wrong}' in {drive}; did you mean '{name}'"):
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))
    for given, message in (
        ({name: np.nan}, "a finite number"),
        ({name: lambda t: np.inf}, "a finite number"),
        ({name: "much"}, "a finite number"),
        (lambda s: [0.1, np.nan, 0.1], "a finite number"),
        (lambda s: [0.1, 0.2], "expected 3 numbers"),
        (lambda s: None, "expected 3 numbers"),
        (0.5, "by"),
    ):
        with pytest.raises(oi.errors.OptionError, match=f"{drive}.*{message}"):
            oi.simulate(oi.Problem(pulled, state, 0.01, **{drive: given}))


def test_states_that_are_not_finite(pulled: oi.InertialModel) -> None:
    for put, name in (("setQ", "knee"), ("setU", "knee"), ("setZ", "/forceset/long/fiber_length")):
        broken = pulled.initial_state()
        getattr(broken, put)(vector([0.1, np.nan, 0.1] + [0.1] * (3 if put == "setZ" else 0)))
        with pytest.raises(oi.errors.SimulationError, match=f"'{name}' is not finite"):
            oi.simulate(oi.Problem(pulled, broken, 0.1))


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["auto", *STEPPED_HERE])
@pytest.mark.parametrize(("kind", "named"), [("no inertia", "q1"), ("gimbal lock", "rz")])
def test_singular_mass_matrices(kind: str, named: str, integrator: str) -> None:
    """A last link that nothing resists to turn; and a base whose first and third axes coincide, all but 6e-17."""
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


def test_constraints_that_contradict(pulled: oi.InertialModel) -> None:
    """Two couplers; two locks and a coupler: the error names the coordinates that they bind."""
    model, state_of = limbs.constrained("coupled")
    limbs.couple(model, "q2", "q3", -1.5, 0.4, "again")
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


@pytest.mark.slow
def test_the_default_takes_implicit_steps_where_muscles_are_stiff() -> None:
    """An undamped muscle at rest: explicit steps are at their limit of stability."""
    activation = 0.01
    problem = stretch(millard(0.0), activation, t_final=0.1)
    runs = {name: oi.simulate(problem, name, report_step=0.01, engine="python") for name in ("auto", "rk45", "bdf")}
    assert runs["auto"].integrator == "rk45 and bdf"
    assert runs["auto"].evaluations < 1.5 * runs["bdf"].evaluations
    assert runs["auto"].evaluations < 0.2 * runs["rk45"].evaluations

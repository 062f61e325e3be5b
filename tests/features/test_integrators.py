"""Orders of the fixed steps, what error control promises, and that nothing is modified or left to chance."""

import hashlib

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs
from oracles.integrators import ADAPTIVE, FIXED, OF_EACH_KIND, STEPPED_HERE, fixed_step

import opensim_inertia as oi

ORDER = 0.15
"""Of the measured order, over two halvings: the next term of the error is a tenth of the first; measured 0.09, 0.05."""
GROWTH = 1e3  # Errors at the end per error allowed in a step: fifty to hundreds of steps, stretched by the motion
END = 0.4


@pytest.fixture(scope="module")
def passive() -> oi.InertialModel:
    return oi.InertialModel(limbs.chain(2), {"muscle": 0.5})


def started(inertial: oi.InertialModel) -> osim.State:
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.array([0.5, 0.4])))
    state.setU(osim.Vector.createFromMat(np.array([1.0, -0.5])))
    return state


@pytest.fixture(scope="module")
def exact(passive: oi.InertialModel) -> np.ndarray:
    return oi.simulate(oi.Problem(passive, started(passive), END), oi.integrators.DOP853(accuracy=1e-12)).y[-1]


@pytest.mark.slow
@pytest.mark.parametrize("integrator", FIXED)
def test_order(integrator: str, passive: oi.InertialModel, exact: np.ndarray) -> None:
    steps = np.array([END / 100, END / 200, END / 400])
    errors = []
    for step in steps:
        trajectory = oi.simulate(
            oi.Problem(passive, started(passive), END), oi.integrators.named(integrator, step=float(step))
        )
        assert len(trajectory) == round(END / step) + 1
        np.testing.assert_allclose(np.diff(trajectory.times), step, rtol=1e-9)
        errors.append(np.abs(trajectory.y[-1] - exact).max())
    measured = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.abs(measured - FIXED[integrator].order).max() < ORDER, measured
    assert errors[-1] > 1e-8  # not lost in rounding


@pytest.mark.parametrize("integrator", FIXED)
def test_accuracy_is_that_of_implicit_equations(integrator: str, passive: oi.InertialModel) -> None:
    """Explicit steps have none to solve, and no such option."""
    problem = oi.Problem(passive, started(passive), 0.1)
    if FIXED[integrator].is_implicit:
        loose, tight = (oi.simulate(problem, fixed_step(integrator, 0.01, a)).y[-1] for a in (1e-2, 1e-12))
        assert not np.array_equal(loose, tight)
    else:
        with pytest.raises(oi.errors.OptionError, match="accuracy.*whose options are: step"):
            oi.integrators.named(integrator, accuracy=1e-2)


@pytest.mark.parametrize("integrator", slow_except({"rk45", "bdf"}, ADAPTIVE))
def test_error_follows_accuracy(integrator: str, passive: oi.InertialModel, exact: np.ndarray) -> None:
    errors = []
    for accuracy in (1e-4, 1e-6, 1e-8):
        trajectory = oi.simulate(
            oi.Problem(passive, started(passive), END), oi.integrators.named(integrator, accuracy=accuracy)
        )
        assert trajectory.times[-1] == END
        errors.append(np.abs(trajectory.y[-1] - exact).max())
        assert errors[-1] < GROWTH * accuracy
    assert errors[2] < 0.1 * errors[0]


@pytest.mark.parametrize("integrator", slow_except(OF_EACH_KIND, STEPPED_HERE))
def test_reported_states_are_those_of_the_motion(integrator: str, passive: oi.InertialModel) -> None:
    """Same steps, so the end is the same to the last bit; between steps as the method's interpolation can."""
    state = started(passive)
    dense = oi.simulate(
        oi.Problem(passive, state, 0.1),
        oi.integrators.named(integrator, accuracy=1e-8 if integrator in ADAPTIVE else None),
    )
    reported = oi.simulate(
        oi.Problem(passive, state, 0.1),
        oi.integrators.named(integrator, accuracy=1e-8 if integrator in ADAPTIVE else None),
        report_step=0.0131,
    )
    np.testing.assert_allclose(reported.times, [*(0.0131 * np.arange(8)), 0.1], rtol=1e-12)
    np.testing.assert_allclose(reported.y[-1], dense.y[-1], rtol=0, atol=1e-14)
    np.testing.assert_array_equal(reported.y[0], dense.y[0])
    for t, y in zip(reported.times[1:-1], reported.y[1:-1], strict=True):
        single = oi.simulate(oi.Problem(passive, state, float(t)), oi.integrators.DOP853(accuracy=1e-12)).y[-1]
        if integrator in ADAPTIVE:
            np.testing.assert_allclose(y, single, rtol=0, atol=1e-5)
        i = int(np.searchsorted(dense.times, t))
        low, high = np.minimum(dense.y[i - 1], dense.y[i]), np.maximum(dense.y[i - 1], dense.y[i])
        slack = 0.1 * (high - low) + 1e-4
        assert (y > low - slack).all() and (y < high + slack).all()


@pytest.mark.parametrize("integrator", slow_except(OF_EACH_KIND, STEPPED_HERE))
def test_nothing_is_modified_and_nothing_left_to_chance(integrator: str) -> None:
    inertial = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    inertial.model.getCoordinateSet().get("ankle").setLocked(state, True)

    def seen() -> tuple[str, bytes, float, bool]:
        dump = hashlib.sha256(inertial.model.dump().encode()).hexdigest()
        locked = inertial.model.getCoordinateSet().get("ankle").getLocked(state)
        return dump, state.getY().to_numpy().tobytes(), state.getTime(), locked

    before = seen()
    problem = oi.Problem(inertial, state, 0.02, {"short": 0.4}, {"knee": lambda t: np.sin(9 * t)})
    first = oi.simulate(problem, integrator, report_step=0.004)
    assert seen() == before
    other = osim.State(state)
    other.setU(osim.Vector.createFromMat(np.ones(3)))
    oi.simulate(oi.Problem(inertial, other, 0.005), integrator)  # something else in between
    second = oi.simulate(problem, integrator, report_step=0.004)
    assert first.times.tobytes() == second.times.tobytes()
    assert first.y.tobytes() == second.y.tobytes()
    assert first.evaluations == second.evaluations > 0


@pytest.mark.parametrize("integrator", [*FIXED, "rk45"])
def test_final_state_goes_on(integrator: str, passive: oi.InertialModel) -> None:
    precise = fixed_step(integrator, 0.01, 1e-12) if integrator in FIXED else oi.integrators.RungeKutta45(0.01, 1e-9)
    whole = oi.simulate(oi.Problem(passive, started(passive), 0.2), precise)
    half = oi.simulate(oi.Problem(passive, started(passive), 0.1), precise)
    state = half.final_state()
    assert state.getTime() == 0.1
    rest = oi.simulate(oi.Problem(passive, state, 0.2), precise)
    assert rest.times[0] == 0.1 and rest.times[-1] == 0.2
    # Newton starts with another Jacobian; error control with another first step
    near = 1e-7 if integrator in ADAPTIVE else 1e-10 if FIXED[integrator].is_implicit else 1e-13
    np.testing.assert_allclose(rest.y[-1], whole.y[-1], rtol=0, atol=near)

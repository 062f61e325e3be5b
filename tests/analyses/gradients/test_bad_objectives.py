"""Named errors for objectives, tensors and searches that cannot be."""

from typing import Any

import pytest
from oracles import sliders

import opensim_inertia as oi

torch = pytest.importorskip("torch")
NAN, INF = float("nan"), float("inf")


@pytest.fixture(scope="module")
def pushed() -> oi.DifferentiableSimulation:
    return oi.DifferentiableSimulation(
        oi.Problem(sliders.massless(sliders.slider()), t_final=0.04),
        {"force": oi.gradients.Forces("x0")},
        oi.integrators.ForwardEuler(step=0.02),
    )


def end(trajectory: Any) -> Any:
    return trajectory.coordinate("x0")[-1]


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        (lambda t: t.y[-1], "one number as a tensor"),
        (lambda t: 0.0, "one number as a tensor"),
        (lambda t: t.y.sum().detach(), "depends on the trajectory or the parameters"),
        (lambda t: end(t) * NAN, "a finite number"),
    ],
)
def test_objectives(pushed: oi.DifferentiableSimulation, objective: Any, message: str) -> None:
    for ask in (pushed.evaluate, lambda o: oi.minimise(pushed, o)):
        with pytest.raises(oi.errors.OptionError, match=f"objective.*{message}"):
            ask(objective)


def test_objectives_of_one_entry_or_of_the_parameters_alone(pushed: oi.DifferentiableSimulation) -> None:
    value, gradient, _ = pushed.evaluate(lambda t: end(t).reshape(1, 1))
    assert isinstance(value, float) and gradient["force"].shape == (1,)
    value, gradient, _ = pushed.evaluate(lambda t: t.parameters["force"].pow(2).sum(), {"force": [3.0]})
    assert value == 9.0 and gradient["force"][0] == 6.0


def test_errors_of_an_objective_are_the_users_own(pushed: oi.DifferentiableSimulation) -> None:
    with pytest.raises(ZeroDivisionError):
        oi.minimise(pushed, lambda t: 1 / 0)


def test_tensors(pushed: oi.DifferentiableSimulation) -> None:
    for given in ([1.0], torch.ones(1)):
        with pytest.raises(oi.errors.OptionError, match="force=.*torch.float64"):
            pushed(force=given)
    with pytest.raises(oi.errors.OptionError, match=r"finite numbers of shape \(1,\)"):
        pushed(force=torch.ones(2, dtype=torch.float64))
    with pytest.raises(oi.errors.UnknownNameError, match="'froce'; did you mean 'force'"):
        pushed(froce=torch.ones(1, dtype=torch.float64))


def test_names_rows_and_functions_in_trajectories(pushed: oi.DifferentiableSimulation) -> None:
    trajectory = pushed()
    for ask, near in (
        (lambda t: t.coordinate("x1"), "x0"),
        (lambda t: t.marker("mrak0"), "mark0"),
        (lambda t: t.state("/jointset/slider0/x0/valeu"), "/jointset/slider0/x0/value"),
    ):
        with pytest.raises(oi.errors.UnknownNameError) as caught:
            ask(trajectory)
        assert near in caught.value.near_matches
    with pytest.raises(oi.errors.OptionError, match="rows.*a trajectory that has 3"):
        trajectory.marker("mark0", [0, 7])
    with pytest.raises(oi.errors.OptionError, match="function.*finite numbers"):
        trajectory.of_state(lambda s: NAN)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("bounds", {"force": (2.0, 1.0)}, r"force\[0\].*not above"),
        ("bounds", {"force": (1.0,)}, "a pair"),
        ("bounds", {"force": ("low", "high")}, "a number or an array"),
        ("bounds", {"force": (NAN, 1.0)}, "bounds"),
        ("scale", {"force": 0.0}, "scale"),
        ("scale", {"force": [1.0, 2.0]}, "scale"),
        ("iterations", 2.5, "iterations"),
        ("method", "BFGS", "method"),
    ],
)
def test_settings_of_searches(pushed: oi.DifferentiableSimulation, option: str, value: Any, message: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=message):
        oi.minimise(pushed, end, **{option: value})


def test_starts_outside_of_bounds(pushed: oi.DifferentiableSimulation) -> None:
    """Those given are refused; what the model has is moved within."""
    with pytest.raises(oi.errors.OptionError, match="force.*within the bounds"):
        oi.minimise(pushed, end, {"force": [0.0]}, {"force": (1.0, 2.0)})
    assert oi.minimise(pushed, end, bounds={"force": (1.0, 2.0)}).values["force"][0] == 1.0
    with pytest.raises(oi.errors.UnknownNameError, match="'froce'.*'force'"):
        oi.minimise(pushed, end, bounds={"froce": (0.0, 1.0)})

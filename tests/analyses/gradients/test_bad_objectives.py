"""Named errors for objectives, tensors and searches that cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np
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
        (lambda t: t.y.detach().numpy().sum(), "one number as a tensor"),
        (lambda t: 0.0, "one number as a tensor"),
        (lambda t: None, "one number as a tensor"),
        (lambda t: t.y.sum().detach(), "depends on the trajectory or the parameters"),
        (lambda t: torch.tensor(1.0), "depends on the trajectory or the parameters"),
        (lambda t: end(t) * NAN, "a finite number"),
        (lambda t: end(t) + INF, "a finite number"),
    ],
)
def test_objectives(pushed: oi.DifferentiableSimulation, objective: Any, message: str) -> None:
    for ask in (pushed.evaluate, lambda o: oi.minimise(pushed, o)):
        with pytest.raises(oi.errors.OptionError, match=f"objective.*{message}"):
            ask(objective)


def test_an_objective_of_one_entry_counts_as_a_number(pushed: oi.DifferentiableSimulation) -> None:
    value, gradient, _ = pushed.evaluate(lambda t: end(t).reshape(1, 1))
    assert isinstance(value, float) and gradient["force"].shape == (1,)


def test_an_objective_of_the_parameters_alone(pushed: oi.DifferentiableSimulation) -> None:
    value, gradient, _ = pushed.evaluate(lambda t: t.parameters["force"].pow(2).sum(), {"force": [3.0]})
    assert value == 9.0 and gradient["force"][0] == 6.0


def test_errors_of_an_objective_are_the_users_own(pushed: oi.DifferentiableSimulation) -> None:
    def broken(trajectory: Any) -> Any:
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        oi.minimise(pushed, broken)


@pytest.mark.parametrize("objective", [None, 3.0, "miss"])
def test_objectives_that_are_no_function(pushed: oi.DifferentiableSimulation, objective: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="objective"):
        oi.minimise(pushed, objective)


@pytest.mark.parametrize("given", [[1.0], np.ones(1), 1.0, torch.ones(1), torch.ones(1, dtype=torch.int64)])
def test_tensors(pushed: oi.DifferentiableSimulation, given: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="force=.*torch.float64"):
        pushed(force=given)


def test_tensors_of_other_shapes_or_names(pushed: oi.DifferentiableSimulation) -> None:
    with pytest.raises(oi.errors.OptionError, match=r"finite numbers of shape \(1,\)"):
        pushed(force=torch.ones(2, dtype=torch.float64))
    with pytest.raises(oi.errors.OptionError, match="finite numbers"):
        pushed(force=torch.full((1,), NAN, dtype=torch.float64))
    with pytest.raises(oi.errors.UnknownNameError, match="'froce'; did you mean 'force'"):
        pushed(froce=torch.ones(1, dtype=torch.float64))


@pytest.mark.parametrize(
    ("ask", "near"),
    [
        (lambda t: t.coordinate("x1"), "x0"),
        (lambda t: t.speed("x1"), "x0"),
        (lambda t: t.marker("mrak0"), "mark0"),
        (lambda t: t.point("bdy0", [0.0, 0.0, 0.0]), "body0"),
        (lambda t: t.state("/jointset/slider0/x0/valeu"), "/jointset/slider0/x0/value"),
    ],
)
def test_names_in_trajectories(pushed: oi.DifferentiableSimulation, ask: Any, near: str) -> None:
    with pytest.raises(oi.errors.UnknownNameError) as caught:
        ask(pushed())
    assert near in caught.value.near_matches


def test_rows_and_functions_in_trajectories(pushed: oi.DifferentiableSimulation) -> None:
    trajectory = pushed()
    for rows in (3, -4, [0, 7]):
        with pytest.raises(oi.errors.OptionError, match="rows.*a trajectory that has 3"):
            trajectory.marker("mark0", rows)
    for function in (lambda s: NAN, lambda s: [1.0, INF]):
        with pytest.raises(oi.errors.OptionError, match="function.*finite numbers"):
            trajectory.of_state(function)


# -- searches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"force": (2.0, 1.0)}, r"force\[0\].*not above"),
        ({"force": 3.0}, "a pair"),
        ({"force": (1.0,)}, "a pair"),
        ({"force": (0.0, 1.0, 2.0)}, "a pair"),
        ({"force": ("low", "high")}, "a number or an array"),
        ({"force": ([0.0, 1.0], None)}, "a number or an array"),
        ({"force": (NAN, 1.0)}, "bounds"),
        ({"force": (0.0, NAN)}, "bounds"),
    ],
)
def test_bounds(pushed: oi.DifferentiableSimulation, bounds: Any, message: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=message):
        oi.minimise(pushed, end, bounds=bounds)


def test_starts_outside_of_bounds(pushed: oi.DifferentiableSimulation) -> None:
    """Those given are refused; what the model has is moved within."""
    with pytest.raises(oi.errors.OptionError, match="force.*within the bounds"):
        oi.minimise(pushed, end, {"force": [0.0]}, {"force": (1.0, 2.0)})
    found = oi.minimise(pushed, end, bounds={"force": (1.0, 2.0)})
    assert found.values["force"][0] == 1.0


@pytest.mark.parametrize("scale", [0.0, -1.0, NAN, INF, "big", [1.0, 2.0]])
def test_scales(pushed: oi.DifferentiableSimulation, scale: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="scale"):
        oi.minimise(pushed, end, scale={"force": scale})


@pytest.mark.parametrize("option", ["bounds", "scale", "values"])
def test_names_in_searches(pushed: oi.DifferentiableSimulation, option: str) -> None:
    given = {"froce": (0.0, 1.0) if option == "bounds" else [1.0]}
    with pytest.raises(oi.errors.UnknownNameError, match="'froce'.*'force'"):
        oi.minimise(pushed, end, **{option: given})


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("iterations", v) for v in (0, -1, 2.5, "many", True, None)),
        *(("method", v) for v in ("BFGS", "adam", None, 3, lambda p: "no optimiser")),
    ],
)
def test_settings_of_searches(pushed: oi.DifferentiableSimulation, option: str, value: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match=option):
        oi.minimise(pushed, end, **{option: value})

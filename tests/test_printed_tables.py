"""Tables that are printed as commands print them, and are pandas' tables for computing."""

import dataclasses
import inspect

import numpy as np
import pandas as pd
import pytest
from oracles.recruited_leg import heavy_leg, recruited

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

NAMES = ("knee", "ankle", "elbow")


def result(missing: tuple[str, ...] = ()) -> InverseDynamicsResult:
    """Inverse dynamics of three coordinates, of which the last one's force does not change."""
    lumped = np.array([[1.0, -20.0, 3.0], [-2.0, 10.0, 1.0]])
    change = np.array([[0.25, 1.0, 0.0], [0.5, -2.0, 0.0]])
    return InverseDynamicsResult(np.array([0.0, 0.1]), NAMES, (True, True, True), lumped, lumped + change, missing)


def test_inverse_dynamics_prints_whole_rows() -> None:
    text = str(result(missing=("toe",)).summary())
    assert "..." not in text
    rows = [line.split() for line in text.splitlines()]
    assert ["knee", "N", "m", "-2.000", "+0.500", "+25.0", "+0.500", "0.100"] in rows
    assert "no difference: elbow" in text and "at rest in their default value: toe" in text
    assert repr(result().summary()) == str(result().summary())


def test_curves_over_cycles_of_known_amplitudes_and_per_kilogram() -> None:
    """Three cycles of sines with amplitudes 1, 2 and 3: their mean is 2, the standard deviation 1."""
    times = np.linspace(0.0, 3.0, 301)
    lumped = ((1 + np.minimum(times.astype(int), 2)) * np.sin(2 * np.pi * times))[:, None]
    events = [{"time": float(t), "side": "r", "event": "contact"} for t in range(4)]
    origin = {"gait events": events, "mass of the model [kg]": 50.0}
    one = InverseDynamicsResult(times, ("knee_angle_r",), (True,), lumped, 1.5 * lumped, provenance=origin)
    cycles, curves = one.cycles(), one.curves()
    sine = np.sin(2 * np.pi * cycles.index / 100)
    np.testing.assert_allclose(cycles["knee_angle_r_lumped"], 2 * sine, atol=1e-9)
    np.testing.assert_allclose(cycles["knee_angle_r_difference_sd"], 0.5 * abs(sine), atol=1e-9)
    np.testing.assert_allclose(curves["percent_r"][:-1], 100 * (times[:-1] % 1), atol=1e-9)
    divided = one.per_kg()
    assert divided.units == ("N m/kg",) and list(divided.summary()["unit"]) == ["N m/kg"]
    np.testing.assert_allclose(divided.inertial["knee_angle_r"], 1.5 * lumped[:, 0] / 50, rtol=1e-14)


def test_all_columns_are_there_for_computing() -> None:
    summary = result().summary()
    assert isinstance(summary, pd.DataFrame) and list(summary.index) == list(NAMES)
    assert {"inertial peak", "lumped RMS", "difference RMS", "time of largest"} <= set(summary.columns)
    assert summary["largest difference"].abs().max() == 2.0
    assert type(summary[["unit"]]) is type(summary.loc[["knee"]]) is type(summary.copy()) is pd.DataFrame


def test_every_class_that_a_public_function_returns_is_shown_in_notebooks() -> None:
    """By a table, whose texts are escaped; frames have pandas' own."""
    functions = {name: getattr(oi, name) for name in oi.public_names()}
    for name in oi.public_modules():
        functions |= {f"{name}.{each}": getattr(getattr(oi, name), each) for each in getattr(oi, name).__all__}
    returned = {}
    for name, function in functions.items():
        if inspect.isfunction(function):
            returned[name] = function.__globals__.get(str(inspect.signature(function).return_annotation))
    classes = {
        name: kind for name, kind in returned.items() if inspect.isclass(kind) and dataclasses.is_dataclass(kind)
    }
    setups = {name for name in classes if name.startswith(("files.read_", "datasets.", "integrators."))}
    assert {"inverse_dynamics", "recruit", "check", "equilibrate", "stability.stable_share"} <= classes.keys() - setups
    assert [name for name in classes.keys() - setups if not hasattr(classes[name], "_repr_html_")] == []
    for kind in (oi.recruitment.RecruitmentSolution, oi.stability.ActivationLinear, oi.stability.Mode):
        assert hasattr(kind, "_repr_html_")


def test_names_of_recruitment_are_escaped_in_notebooks() -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    answer = recruited(heavy_leg(), kind=("inertial", "lumped"))
    names = ("<script>", *answer.actuators[1:])
    page = dataclasses.replace(answer, actuators=names, muscles=names[: len(answer.muscles)])._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page and page.count("<table>") == 2
    solution = oi.recruitment.solve_recruitment([[1.0, 1.0]], [1.0])
    assert solution._repr_html_().count("<td") == 4 and "0.5" in solution._repr_html_()

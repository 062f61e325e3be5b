"""InertialModel: the labels of its axes, and where the mass lies."""

import warnings
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles.current_path import CurrentPath, geometry_path, read_current_path
from oracles.finite_differences import christoffel_bias, derivative
from oracles.live_states import REORDERED, close, state_at
from oracles.real_models import MODELS, heavy, original, random_motion, table, wrapping
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

BELLIES = {"central": 0.5, "proximal": 0.0, "distal": 1.0}

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@pytest.mark.parametrize("name", slow_except({"arm26", "gait10dof18musc"}, MODELS))
def test_labels_are_in_speed_order(opensim_models: Path, name: str) -> None:
    """One coordinate's speed, set by its name, is one entry of u; its value moves the points as its column says."""
    inertial = heavy(opensim_models, name)
    in_set = [c.getName() for c in inertial.model.getCoordinateSet()]
    assert sorted(in_set) == sorted(inertial.coordinate_names)
    q, _ = random_motion(inertial)
    for i, label in enumerate(inertial.coordinate_names):
        state = state_at(inertial, q)
        coordinate = inertial.model.getCoordinateSet().get(label)
        coordinate.setSpeedValue(state, 2.0)
        assert coordinate.getValue(state) == q[i]
        np.testing.assert_array_equal(state.getU().to_numpy(), 2.0 * np.eye(len(q))[i])
    moved = 0
    polylines = [m for m in inertial.muscle_names if m not in wrapping(opensim_models, name)][:12]
    shown = inertial.mass_points(state_at(inertial, q), polylines)
    for i in range(len(q)):

        def positions(change: float, i: int = i) -> np.ndarray:
            at = q.copy()
            at[i] += change
            found = inertial.mass_points(state_at(inertial, at), polylines, jacobians=False)
            return np.concatenate([p.positions for p in found.values()])

        if not polylines:
            continue
        slope = derivative(positions, 1e-3)
        column = np.concatenate([p.jacobians[:, :, i] for p in shown.values()])
        np.testing.assert_allclose(column, slope, rtol=0, atol=1e-8)
        moved += np.abs(slope).max() > 0.01
    assert moved > 0 or not polylines


def test_coordinate_set_order_is_another_one(opensim_models: Path) -> None:
    """Or the test above would show nothing."""
    inertial = heavy(opensim_models, "gait2392")
    assert tuple(c.getName() for c in inertial.model.getCoordinateSet()) != inertial.coordinate_names


def shown_path(muscle: osim.Muscle, state: osim.State) -> CurrentPath:
    return read_current_path(geometry_path(muscle), state, {})


@pytest.mark.parametrize("belly", [*BELLIES, (0.2, 0.9), (0.0, 1.0)])
@pytest.mark.parametrize("name", slow_except(["gait10dof18musc"], ["gait10dof18musc", "gait2392"]))
def test_uniform_bellies_lie_on_opensims_path(opensim_models: Path, name: str, belly) -> None:  # type: ignore[no-untyped-def]
    polylines = [m for m in table(opensim_models, name)["muscle"] if m not in wrapping(opensim_models, name)]
    model = original(opensim_models, name)
    masses = oi.estimate_masses(model, muscles=polylines)
    inertial = oi.InertialModel(model, masses, oi.StrainModel("uniform", belly=belly), points=5)
    q, _ = random_motion(inertial)
    state = state_at(inertial, q)
    shown, lengths = inertial.mass_points(state), inertial.path_lengths(state)
    for muscle in polylines:
        live = inertial.model.getMuscles().get(muscle)
        if isinstance(belly, str):
            share = live.getOptimalFiberLength() / (live.getOptimalFiberLength() + live.getTendonSlackLength())
            start = BELLIES[belly] * (1 - share)
        else:
            start, share = belly[0], belly[1] - belly[0]
        L = live.getLength(state)
        assert lengths.loc[muscle, "path"] == pytest.approx(L, rel=REORDERED)
        assert lengths.loc[muscle, "belly"] == pytest.approx(share * L, rel=REORDERED)
        expected = shown_path(live, state).places((start + share * (np.arange(5) + 0.5) / 5) * L)
        np.testing.assert_allclose(shown[muscle].positions, expected, rtol=0, atol=1e-12)
        assert np.ptp(expected, axis=0).max() > 0.001


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
def test_explicit_points_lie_where_they_are_said_to(strain: str) -> None:
    explicit = oi.masses.PointMasses([0.9, 0.0, 0.35, 1.0], [0.1, 0.2, 0.3, 0.4])
    inertial = oi.InertialModel(
        two_links(BENT, slack=0.3), {"mus": explicit}, oi.StrainModel(strain, proximal_tendon=0.4)
    )
    state = state_at(inertial, [0.3, 0.8], [1.0, -2.0])
    points = inertial.mass_points(state)["mus"]
    np.testing.assert_array_equal(points.fractions, [0.0, 0.35, 0.9, 1.0])
    np.testing.assert_array_equal(points.masses, [0.2, 0.3, 0.1, 0.4])
    live = inertial.model.getMuscles().get("mus")
    L = live.getLength(state)
    start, length = (0.0, L) if strain == "uniform" else (0.4 * 0.3, L - 0.3)
    expected = shown_path(live, state).places(start + points.fractions * length)
    np.testing.assert_allclose(points.positions, expected, rtol=0, atol=1e-13)
    terms = inertial.evaluate(state, subtract_frozen=False)
    close(terms.mass_matrix, np.einsum("k,kci,kcj->ij", points.masses, points.jacobians, points.jacobians), REORDERED)
    assert inertial.masses.loc[0, "mass"] == pytest.approx(1.0)


@pytest.mark.parametrize("strain", ["rigid_tendon", "aponeurosis"])
def test_short_fibres_are_held_smoothly_and_named(strain: str) -> None:
    model = two_links([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38, fibre=0.1)
    inertial = oi.InertialModel(model, {"mus": 0.5}, strain)
    angles = np.linspace(0.0, 2.4, 97)
    table = pd.concat([inertial.path_lengths(state_at(inertial, [0.0, a])) for a in angles]).reset_index()
    held = table["held"].to_numpy()
    assert held.any() and not held.all()
    assert table["fibre"].min() > 0.09 * 0.1  # never below the length at which it is held, a tenth of the fibre's
    free = table["path"] - 0.38 > 0.16 * 0.1
    np.testing.assert_allclose(table["fibre"][free], table["path"][free] - 0.38, rtol=1e-12)
    # what is not fibre shares the rest: half of it is one aponeurosis, by the rule for muscles of no table
    aponeurosis = 0.5 * (table["path"] - table["fibre"]) if strain == "aponeurosis" else 0.0
    np.testing.assert_allclose(table["belly"], table["fibre"] + aponeurosis, rtol=1e-12)
    with pytest.warns(oi.warnings.ShortBellyWarning, match="'mus'"):
        other = oi.InertialModel(model, {"mus": 0.5}, strain)
        other.evaluate(state_at(other, [0.0, 2.4]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.warnings.ShortBellyWarning)
        inertial.evaluate(state_at(inertial, [0.0, 2.4]))  # once per object

    in_transition = [
        a for a, b, L in zip(angles, table["fibre"], table["path"], strict=True) if 1e-4 < b - (L - 0.38) < 3e-3
    ]
    for angle in [in_transition[0], in_transition[-1], 2.4]:
        q, u = np.array([0.2, angle]), np.array([1.0, -2.0])
        exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, 1e-4)
        close(
            inertial.evaluate(state_at(inertial, q, u)).bias, exact, 1e-5
        )  # the hold's third derivative is 1 / its width squared

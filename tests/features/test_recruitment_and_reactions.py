"""Recruitment against OpenSim's Static Optimization and Joint Reaction, on the tutorial that OpenSim publishes."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from conftest import slow_except
from oracles import recruitment as oracle
from oracles import tutorial

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")

#: OpenSim's tool stops where its cost is as much above the least as 1e-3 of it; equations it meets to 1e-6 or so.
EARLY, UNMET = 2e-3, 1e-6


def costs(result: oi.recruitment.RecruitmentResult, published, power: int = 2):
    """The muscles' and actuators' cost of ours and of theirs at each row."""
    names = list(result.actuators)
    return tuple((np.abs(table[names].to_numpy()) ** power).sum(axis=1) for table in (result.controls, published))


def test_published_activations_forces_and_reactions(opensim_models: Path) -> None:
    result = tutorial.recruited(opensim_models, joints=["hip_r", "ground_pelvis"])
    assert (result.status == "solved").all()
    activation, force, reaction = (
        tutorial.published(opensim_models, f"{what}")
        for what in ("StaticOptimization_activation", "StaticOptimization_force", "JointReaction_ReactionLoads")
    )
    np.testing.assert_allclose(result.times, activation.index, rtol=0, atol=1e-9)
    muscles = list(result.muscles)
    assert np.abs(result.activations - activation[muscles].to_numpy()).to_numpy().max() < 0.008
    ours, published_cost = costs(result, activation)
    assert (ours <= published_cost * (1 + UNMET)).all() and (published_cost <= ours * (1 + EARLY)).all()
    assert np.abs(result.forces[muscles] - force[muscles].to_numpy()).to_numpy().max() < 10.0
    for on, body in (("child", "femur_r"), ("parent", "pelvis")):
        columns = [f"hip_r_on_{body}_in_femur_r_{w}{x}" for w in "fmp" for x in "xyz"]
        hip, published = result.reaction("hip_r", on, "child").to_numpy(), reaction[columns].to_numpy()
        sizes = [np.linalg.norm(table[:, :3], axis=1) for table in (hip, published)]
        assert abs(sizes[0].max() - sizes[1].max()) < 5.0 and sizes[1].max() > 2400
        assert np.abs(hip[:, 3:] - published[:, 3:]).max() < 1e-8  # a hip passes no moment; the place is kinematics


@pytest.mark.slow
@pytest.mark.parametrize(("end", "power"), [(0.6, 2), (0.56, 3), (1.0, 2)])
def test_fresh_run_of_opensims_tool(opensim_models: Path, tmp_path: Path, end: float, power: int) -> None:
    stock = tutorial.run_tool(opensim_models, tmp_path, end, power)
    result = tutorial.recruited(opensim_models, time_range=(0.5, end), power=power)
    np.testing.assert_allclose(result.times, stock.index, rtol=0, atol=1e-9)
    muscles = list(result.muscles)
    if power == 2:
        assert np.abs(result.activations - stock[muscles].to_numpy()).to_numpy().max() < 0.007
    ours, stock_cost = costs(result, stock, power)
    assert (ours <= stock_cost * (1 + 1e-5)).all()


@pytest.mark.parametrize("every", slow_except([150], [10, 150]))  # of the setup's rows all, or a few
def test_every_row_is_optimal_by_quadprog(opensim_models: Path, every: int) -> None:
    pytest.importorskip("quadprog", reason="the oracle")
    for kind in ("lumped", "inertial"):
        result = tutorial.recruited(opensim_models, True, every=every, kind=kind)
        for A, b, a in tutorial.equations(opensim_models, result):
            best = oracle.least_squares_by_quadprog(A, b, result.lower, result.upper)
            assert np.abs(a - best).max() < 1e-8 * max(1.0, np.abs(best).max())
            assert np.abs(A @ a - b).max() < 1e-9 * np.abs(b).max()


@pytest.mark.parametrize(("criterion", "power", "residual"), [("polynomial", 3, 1e-5), ("polynomial", 5, 1e-4)])
def test_other_powers_are_optimal(opensim_models: Path, criterion: str, power: float, residual: float) -> None:
    result = tutorial.recruited(opensim_models, every=100, criterion=criterion, power=power)
    check_optimal(opensim_models, result, residual)


@pytest.mark.slow
@pytest.mark.parametrize(("criterion", "power", "residual"), [("polynomial", 10, 1e-3), ("soft_saturation", 2, 1e-5)])
def test_high_powers_and_saturation_are_optimal(
    opensim_models: Path, criterion: str, power: float, residual: float
) -> None:
    result = tutorial.recruited(opensim_models, every=100, criterion=criterion, power=power, reserves=50.0)
    check_optimal(opensim_models, result, residual)


def check_optimal(root: Path, result: oi.recruitment.RecruitmentResult, residual: float) -> None:
    assert (result.status == "solved").all()
    for A, b, a in tutorial.equations(root, result):
        assert np.abs(A @ a - b).max() < 1e-9 * np.abs(b).max()
        # residual actuators on the pelvis are determined by the equations; powers of hundreds would hide the others
        free = np.abs(a) < 20
        rest = b - A[:, ~free] @ a[~free]
        bounds = result.lower[free], result.upper[free]
        counted = np.array([name in result.muscles for name in result.actuators])[free]
        assert (
            oracle.optimality(
                A[:, free], rest, *bounds, a[free], result.criterion.name, result.criterion.power, counted
            )
            < residual
        )


@pytest.mark.parametrize("secondary", slow_except(["quadratic"], ["quadratic", "lexicographic"]))
def test_min_max_is_an_independent_linear_program(opensim_models: Path, secondary: str) -> None:
    result = tutorial.recruited(opensim_models, every=150, criterion="min_max", secondary=secondary)
    assert (result.status == "solved").all()
    n = len(result.muscles)
    for A, b, a in tutorial.equations(opensim_models, result):
        rest = b - A[:, n:] @ a[n:]  # residual actuators are determined by the pelvis' equations
        least = oracle.least_largest(A[:, :n], rest, result.lower[:n], result.upper[:n])
        assert a[:n].max() == pytest.approx(least, abs=1e-6)


@pytest.mark.slow
def test_forces_are_those_of_inverse_dynamics(opensim_models: Path) -> None:
    """What muscles are asked for is the answer of inverse dynamics, here with OpenSim's rule for accelerations."""
    folder = opensim_models / tutorial.FOLDER
    inertial = tutorial.inertial(opensim_models, True)
    result = tutorial.recruited(opensim_models, True, accelerations="coordinates", kind=("inertial", "lumped"))
    inverse = oi.inverse_dynamics(
        inertial, oi.Recording(folder / tutorial.MOTION, folder / tutorial.LOADS), band=False, per_muscle=False
    )
    for kind in ("inertial", "lumped"):
        forces = getattr(inverse, f"{kind}_forces")[np.searchsorted(inverse.times, result.times - 1e-9)]
        assert np.abs(result.of(kind).answer.generalized - forces).max() < 1e-9 * np.abs(forces).max()


def test_without_muscle_mass_both_kinds_agree(opensim_models: Path) -> None:
    result = tutorial.recruited(opensim_models, kind=("inertial", "lumped"), every=50, joints="all")
    other = result.of("lumped")
    assert np.abs(result.controls - other.controls).to_numpy().max() < 1e-9
    for joint in result.joints:
        assert np.abs(result.reaction(joint) - other.reaction(joint)).to_numpy().max() < 1e-7

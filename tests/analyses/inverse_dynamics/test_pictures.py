"""Pictures of results: what they show, that they are not blank, and their formats."""

from functools import cache
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from matplotlib.figure import Figure
from oracles.real_models import arm26_swing, original, table
from oracles.trials import short_walk

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.analyses.result import Result

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@cache
def of_arm(root: Path) -> InverseDynamicsResult:
    inertial = oi.InertialModel(original(root, "arm26"), table(root, "arm26"))
    return oi.inverse_dynamics(inertial, arm26_swing(12, 0.04))


def titles(figure: Figure) -> list[str]:
    return [axis.get_title().replace(" ", "_") for axis in figure.axes if axis.get_title()]


def is_drawn(path: Path) -> None:
    """Every quarter of the picture holds colours that are neither white nor grey."""
    pixels = matplotlib.image.imread(path)[:, :, :3]
    assert min(pixels.shape[:2]) > 400
    colourful = np.ptp(pixels, axis=2) > 0.2
    half, middle = (n // 2 for n in colourful.shape)
    for quarter in (colourful[:half], colourful[half:], colourful[:, :middle], colourful[:, middle:]):
        assert 0.001 < quarter.mean() < 0.7


@pytest.mark.slow
def test_legs_show_hip_knee_and_ankle_of_both_sides(opensim_models: Path, tmp_path: Path) -> None:
    result = short_walk(opensim_models)
    figure = oi.plot(result, tmp_path / "walk.png")
    is_drawn(tmp_path / "walk.png")
    joints = ("hip_flexion", "knee_angle", "ankle_angle")
    assert titles(figure) == [f"{joint}_{side}" for side in "rl" for joint in joints]
    few = titles(oi.plot(result, most=3))
    assert {name[:-2] for name in few} == set(joints) and len({name[-1] for name in few}) == 1
    assert {titles(figure)[i] for i in range(6)} < set(titles(oi.plot(result, most=8)))


def test_pelvis_of_coupled_type_is_not_drawn_instead_of_joints(opensim_models: Path) -> None:
    root = opensim_models / "Pipelines/Gait2392_Simbody"
    model = str(root / "OutputReference/subject01_simbody.osim")
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    motion = str(root / "subject01_walk1_ik.mot")
    loads = root / "subject01_walk1_grf.xml"
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, loads, time_range=(0.9, 0.95)), band=False)
    assert titles(oi.plot(result))[0].startswith("hip_flexion")
    assert not any(name.startswith(("pelvis", "mtp")) for name in titles(oi.plot(result)))
    assert [name.startswith("pelvis") for name in result.summary().index] == [False] * 17 + [True] * 6
    assert all(result.summary().loc[f"pelvis_t{axis}", "unit"] == "N" for axis in "xyz")


@pytest.mark.slow
def test_lines_are_the_results(opensim_models: Path) -> None:
    result = of_arm(opensim_models)
    figure = oi.plot(result, coordinates=["r_elbow_flex"])
    top, bottom = figure.axes
    elbow = result.coordinate_names.index("r_elbow_flex")
    lumped, inertial = result.lumped_forces[:, elbow], result.inertial_forces[:, elbow]
    np.testing.assert_array_equal(top.lines[0].get_ydata(), lumped)
    np.testing.assert_array_equal(top.lines[1].get_ydata(), inertial)
    np.testing.assert_array_equal(bottom.lines[0].get_ydata(), inertial - lumped)
    lower, upper = result.difference_band("r_elbow_flex")
    edges = bottom.collections[0].get_paths()[0].vertices[:, 1]
    assert edges.min() == lower.min() and edges.max() == upper.max()
    assert top.get_ylabel() == "moment [N m]" and bottom.get_ylabel() == "difference [N m]"


def test_what_cannot_be_drawn(opensim_models: Path, tmp_path: Path) -> None:
    result = of_arm(opensim_models)
    with pytest.raises(oi.errors.OptionError, match=r"\.png, \.svg, \.pdf"):
        oi.plot(result, tmp_path / "a.jpg")
    with pytest.raises(oi.errors.OptionError, match="at least one"):
        oi.plot(result, most=0)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_muscles_of_a_coordinate(opensim_models: Path, tmp_path: Path) -> None:
    result = of_arm(opensim_models)
    figure = oi.plotting.plot_muscles(result, "r_elbow_flex", tmp_path / "m.png", most=4)
    is_drawn(tmp_path / "m.png")
    (stack,) = figure.axes
    table = result.muscle_table("r_elbow_flex")
    np.testing.assert_allclose(stack.lines[0].get_ydata(), table.sum(axis=1), rtol=1e-12, atol=1e-15)
    order = (table**2).mean().sort_values(ascending=False).index[:4]
    labels = [t.get_text() for t in figure.legends[0].get_texts()]
    assert labels == [*order, "2 others", "all"]
    (first, *_) = stack.collections
    assert first.get_paths()[0].vertices[:, 1].max() == pytest.approx(table[order[0]].max(), abs=1e-15)
    assert stack.get_ylabel() == "inertial - lumped [N m]"


def test_results_without_a_picture_of_their_own_are_curves_or_bars(opensim_models: Path) -> None:
    """The muscles' mean powers, drawn as bars, add up to the power of the difference that they make."""
    result = of_arm(opensim_models)
    assert result.motion is not None
    (curve,) = oi.plotting.plot_array(result, name="inertial", most=1).axes[0].lines
    largest = np.abs(result.inertial_forces).max(axis=0).argmax()
    np.testing.assert_array_equal(curve.get_ydata(), result.inertial_forces[:, largest])
    power = np.einsum("mti,ti->m", result.per_muscle, result.motion.u) / len(result.times)
    figure = oi.plot(Result({"power": ({"muscle": result.muscles}, power, "W")}, result.provenance))
    widths = [bar.get_width() for bar in figure.axes[0].patches]
    assert np.all(np.diff(np.abs(widths)) <= 0) and figure.axes[0].get_xlabel() == "power [W]"
    whole = ((result.inertial_forces - result.lumped_forces) * result.motion.u).sum(axis=1).mean()
    assert sum(widths) == pytest.approx(whole, rel=1e-9)
    with pytest.raises(oi.errors.OptionError, match="along one axis"):
        oi.plotting.plot_array(Result({"x": ({"a": [0], "b": [0, 1]}, np.ones((1, 2)), "")}, {}))

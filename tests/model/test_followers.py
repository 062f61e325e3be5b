"""Coordinates that a motion has far from where their couplers have them follow these, in everything that reads it."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles import limbs
from oracles.trials import run_tool

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

TIMES = np.linspace(0.0, 1.0, 41)
SLOPE, OFFSET = -1.5, 0.1  # q3 is SLOPE q2 + OFFSET in the chain of :func:`limbs.constrained`
KNEE, PATELLA, HIP = "knee_angle_r", "knee_angle_r_beta", "hip_flexion_r"
FAR = np.radians(5.0)
SAME = 1e-9  # Relative to the largest force: the same splines, fitted to the same samples
TOOL = 1e-6  # N m or N: OpenSim's tool prints eight decimals, of forces of a few hundred

#: The chain is so light that its forces are large for it.
LIGHT = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")


@cache
def chain() -> oi.InertialModel:
    return oi.InertialModel(limbs.constrained("coupled")[0], {})


def motion(miss: float, at: float = 0.5) -> pd.DataFrame:
    """A motion of the chain whose follower is off by so much [rad] at most, at some time."""
    q = {f"q{i + 1}": 0.3 * np.sin((i + 1) * TIMES) for i in range(5)}
    off = miss * np.exp(-(((TIMES - at) / 0.1) ** 2))
    return pd.DataFrame(q | {"q3": OFFSET + SLOPE * q["q2"] + off}, index=TIMES)


def solved(source: pd.DataFrame, **options: object) -> InverseDynamicsResult:
    return oi.inverse_dynamics(chain(), oi.Recording(source, **options), band=False, per_muscle=False)


def apart(one: InverseDynamicsResult, other: InverseDynamicsResult) -> float:
    """Largest difference of forces, relative to the largest force."""
    return float(np.abs(one.lumped_forces - other.lumped_forces).max() / np.abs(other.lumped_forces).max())


@LIGHT
@pytest.mark.parametrize("miss", [1.05 * FAR, -1.5, 40.0])
def test_what_is_far_off_follows_at_all_rows_and_is_noted(miss: float) -> None:
    found = solved(motion(miss))
    assert apart(found, solved(motion(0.0))) < SAME
    (note,) = [note for note in found.notes if "follow their couplers" in note]
    assert note.startswith("the motion: ") and f"'q3', which is up to {abs(miss):.4g} rad off" in note
    assert "at time 0.5 s" in note
    assert note.endswith("Recording(as_recorded=True) takes them as they are, as OpenSim does")


@LIGHT
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.BrokenConstraintWarning")
@pytest.mark.parametrize("miss", [0.95 * FAR, -0.95 * FAR])
def test_what_is_near_stays_as_recorded(miss: float) -> None:
    near = solved(motion(miss))
    assert not any("follow their couplers" in note for note in near.notes)
    assert apart(near, solved(motion(miss), as_recorded=True)) == 0.0
    assert apart(near, solved(motion(0.0))) > 1e-3


@LIGHT
def test_as_recorded_is_warned_of() -> None:
    with pytest.warns(oi.warnings.BrokenConstraintWarning, match="'q3'"):
        taken = solved(motion(1.0), as_recorded=True)
    assert apart(taken, solved(motion(0.0))) > 0.1
    with pytest.raises(oi.errors.MotionError, match="'q3'"):
        solved(motion(1.0), as_recorded=True, strict=True)
    with pytest.raises(oi.errors.OptionError, match="as_recorded=True: expected False where the motion is projected"):
        solved(motion(1.0), assemble=True, as_recorded=True)


@LIGHT
@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_which_follow_does_not_depend_on_the_time_range_nor_on_padding(cutoff: float | None) -> None:
    late = motion(1.0, at=0.9)
    part, whole = (solved(late, cutoff=cutoff, time_range=span) for span in ((0.1, 0.4), None))
    rows = np.searchsorted(whole.times, part.times - 1e-9)
    np.testing.assert_array_equal(part.lumped_forces, whole.lumped_forces[rows])
    assert any("follow their couplers" in note for note in part.notes)


@LIGHT
def test_a_follower_without_a_column_follows_from_far_and_is_not_missing() -> None:
    found = solved(motion(0.0).drop(columns="q3"))
    assert found.missing == () and any("follow their couplers" in note for note in found.notes)
    assert apart(found, solved(motion(0.0))) < SAME


def test_everything_that_reads_a_motion_has_followers_follow(tmp_path: Path) -> None:
    right, wrong = motion(0.0), motion(2.0)
    model = limbs.constrained("coupled")[0]
    heavy = oi.InertialModel(model, {"muscle": 0.8})
    results = [oi.inverse_dynamics(heavy, oi.Recording(each, strict=True)) for each in (right, wrong)]
    np.testing.assert_allclose(results[0].inertial_forces, results[1].inertial_forces, rtol=1e-9, atol=1e-9)
    assert results[0].notes == () and "'q3'" in results[1].notes[0]
    assert results[1].notes[0] in results[1].provenance["warnings"]
    shares = [oi.rank_muscles(heavy, each).shares for each in (right, wrong)]
    np.testing.assert_allclose(shares[0], shares[1], rtol=1e-9)
    with pytest.warns(oi.warnings.BrokenConstraintWarning, match="'q3'"):
        taken = oi.rank_muscles(heavy, oi.Recording(wrong, as_recorded=True)).shares
    assert np.abs(taken.loc[shares[0].index].to_numpy() - shares[0].to_numpy()).max() > 1e-6
    for name, each in (("right", right), ("wrong", wrong)):
        oi.mass_points.write_mass_points(heavy, each, tmp_path / f"{name}.trc")
    lines = [(tmp_path / f"{name}.trc").read_text().splitlines()[4:] for name in ("right", "wrong")]
    assert lines[0] == lines[1] and len(lines[0]) > 40


@pytest.fixture(scope="module")
def walking(opensim_models: Path) -> Path:
    """Moco's example3DWalking, in a folder beside the real models; skips without it."""
    folder = opensim_models.parent / "moco-walking"
    if not folder.is_dir():
        pytest.skip(f"the walking subject of Moco's example is not found: {folder}")
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # its toes are in no column
def test_kneecaps_in_degrees_of_a_file_of_states(walking: Path, tmp_path: Path) -> None:
    """Columns are state paths and kneecaps are in degrees: as OpenSim's tool solves the file with both put right."""
    model = oi.InertialModel(walking / "subject_walk_scaled.osim", {})
    span = (0.8, 0.9)
    result = oi.inverse_dynamics(model, oi.Recording(walking / "coordinates.sto", walking / "grf_walk.xml", 6.0, span))
    (note,) = [note for note in result.notes if f"'{PATELLA}', which is up to" in note]
    assert "it seems to be in degrees" in note
    table = oi.read_table(walking / "coordinates.sto")
    plain = table.set_axis([label.split("/")[-2] for label in table.columns], axis="columns")
    for side in "rl":
        plain[f"knee_angle_{side}_beta"] = plain[f"knee_angle_{side}"]
    oi.write_table(plain, tmp_path / "plain.sto", in_degrees=False)
    tool = run_tool(model.original_model(), tmp_path / "plain.sto", walking / "grf_walk.xml", 6.0, span, tmp_path)
    np.testing.assert_allclose(result.lumped, tool[list(result.column_names)], rtol=0, atol=TOOL)
    with pytest.warns(
        oi.warnings.BrokenConstraintWarning, match=r"knee_angle_._beta' is \S+ rad where its coupler asks for"
    ):
        oi.inverse_dynamics(model, oi.Recording(walking / "coordinates.sto", None, 6.0, span, as_recorded=True))

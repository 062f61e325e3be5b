"""Motions and loads as `check` reads them: clocks, times without loads, frames, columns, and what cannot be read."""

import re
import shutil
import warnings
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest

import opensim_inertia as oi
from checks.model_defects import replace
from checks.trials import Trial, walk
from opensim_inertia.checks import Diagnostic, input_notes


def checks(trial: Trial) -> dict[str, Diagnostic]:
    return {finding.check: finding for finding in trial.check(thorough=False).findings}


WALK = "Pipelines/Gait2392_Simbody"


def found(root: Path, motion: pd.DataFrame, forces: pd.DataFrame, folder: Path, cutoff: float | None = 6.0) -> str:
    """The warnings that `id` gives of Gait2392's walk with another motion and other loads."""
    inertial = oi.InertialModel(root / WALK / "OutputReference/subject01_simbody.osim", {})
    oi.write_table(forces, folder / "subject01_walk1_grf.mot")
    shutil.copy(root / WALK / "subject01_walk1_grf.xml", folder)
    recording = oi.Recording(motion, folder / "subject01_walk1_grf.xml", cutoff, (0.5, 2.0))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        input_notes(inertial, recording)
        oi.inverse_dynamics(inertial, recording, band=False, implausible="warn")
    return "\n".join(str(each.message) for each in caught)


@pytest.fixture(scope="module")
def gait2392(opensim_models: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Its motion [rad, m] and its force plates."""
    model = osim.Model(str(opensim_models / WALK / "OutputReference/subject01_simbody.osim"))
    forces = oi.read_table(opensim_models / WALK / "subject01_walk1_grf.mot", in_degrees=False)
    return oi.read_motion_table(opensim_models / WALK / "subject01_walk1_ik.mot", model), forces


@pytest.mark.parametrize(
    ("pelvis", "point"),
    [((0, 0), (0.05, 0)), ((0, 0), (-0.05, 0)), ((0, 0), (0.1, 0)), ((0, 0), (0, 0.03)), ((0.1, 0), (0, 0))],
)
def test_points_of_loads_that_are_elsewhere_are_found(
    opensim_models: Path,
    gait2392: tuple[pd.DataFrame, pd.DataFrame],
    tmp_path: Path,
    pelvis: tuple[float, float],
    point: tuple[float, float],
) -> None:
    """To the centimetre and a half by which the published trial itself is off: sideways the other way it is nearer."""
    motion, forces = (table.copy() for table in gait2392)
    for name, offset in zip(("pelvis_tx", "pelvis_tz"), pelvis, strict=True):
        motion[name] += offset
    for name, offset in zip("xz", point, strict=True):
        forces[[label for label in forces if label.endswith(f"force_p{name}")]] += offset
    text = found(opensim_models, motion, forces, tmp_path)
    moved = re.search(r"moved by \(([-.0-9]+), 0.0, ([-.0-9]+)\) cm", text)
    assert moved is not None, text
    expected = 100 * (np.array(pelvis) - point)
    np.testing.assert_allclose([float(moved[1]), float(moved[2])], expected, atol=1.6)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("both clocks", r"as if times were 1\.[12][0-9]* times too long"),
        ("one plate", "'ExternalForce_2' multiplied by 1.2[0-9]"),
        ("sideways", "the forces of all loads along z multiplied by -[01].[0-9]*; its sign seems to be turned"),
        ("late", "if they act 0.10 s earlier"),
        ("unfiltered", "the accelerations are noise"),
        ("torques about the origin", "the moments of its forces about the origin of ground"),
    ],
)
def test_loads_that_do_not_belong_to_the_motion_are_found(
    opensim_models: Path, gait2392: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path, kind: str, text: str
) -> None:
    motion, forces = (table.copy() for table in gait2392)
    if kind == "both clocks":
        motion.index, forces.index = 0.3 + 1.2 * (motion.index - 0.3), 0.3 + 1.2 * (forces.index - 0.3)
    elif kind == "one plate":
        forces[[label for label in forces if label.startswith(("1_ground_force_v", "1_ground_torque"))]] *= 0.8
    elif kind == "sideways":
        forces[[label for label in forces if label.endswith("vz")]] *= -1
    elif kind == "late":
        forces.index += 0.1
    elif kind == "torques about the origin":
        for plate in ("", "1_"):
            force, point = (forces[[f"{plate}ground_force_{part}{axis}" for axis in "xyz"]] for part in "vp")
            forces[[f"{plate}ground_torque_{axis}" for axis in "xyz"]] += np.cross(point, force)
    assert re.search(text, found(opensim_models, motion, forces, tmp_path, None if kind == "unfiltered" else 6.0))


def test_a_published_walk_gives_no_warning(
    opensim_models: Path, gait2392: tuple[pd.DataFrame, pd.DataFrame], tmp_path: Path
) -> None:
    assert found(opensim_models, *gait2392, tmp_path) == ""


@pytest.mark.slow
def test_times_without_loads_are_counted(tmp_path: Path) -> None:
    """The walk has 151 rows over 2.5 s; of these, 30 are after 2 s."""
    trial = walk(tmp_path)
    assert trial.forces is not None and trial.motion is not None
    trial.forces = trial.forces[trial.forces["time"] < 2.0].reset_index(drop=True)
    step = float(trial.forces["time"].diff().median())
    last = float(trial.forces["time"].iloc[-1])
    count = int((trial.motion["time"] > last + step).sum())
    finding = checks(trial)["times without loads"]
    assert finding.severity == "note" and f"{count} of its " in finding.text
    folder = tmp_path
    result = oi.check(
        folder / "model.osim", folder / "motion.mot", folder / "loads.xml", time_range=(0.5, 1.5), thorough=False
    )
    assert "times without loads" not in {f.check for f in result.findings}


@pytest.mark.slow
def test_what_cannot_be_read_is_a_finding_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    trial = walk(tmp_path)
    replace(trial.model(), "gravity", "0 -1.62 0")
    trial.check(thorough=False)
    (tmp_path / "motion.mot").write_text("nothing")
    (tmp_path / "forces.mot").unlink()
    result = oi.check(tmp_path / "model.osim", tmp_path / "motion.mot", tmp_path / "loads.xml", thorough=False)
    severities = {finding.check: finding.severity for finding in result.findings}
    assert severities["reading the motion"] == severities["reading the loads"] == "error"
    assert severities["gravity"] == "warning" and result.worst == "error"


@pytest.mark.slow
def test_tables_in_memory_are_looked_at(tmp_path: Path) -> None:
    trial = walk(tmp_path)
    assert trial.motion is not None
    table = trial.motion.set_index("time")
    assert isinstance(table, pd.DataFrame)
    trial.check(thorough=False)
    as_radians = oi.check(tmp_path / "model.osim", table, thorough=False)
    assert as_radians.worst == "error" and "degrees" in {f.check for f in as_radians.findings}
    table.attrs["inDegrees"] = True
    assert oi.check(tmp_path / "model.osim", table, thorough=False).worst is None

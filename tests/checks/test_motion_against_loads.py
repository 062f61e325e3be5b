"""Columns of a motion that are damaged are found by the loads they do not fit, and feet that slip by what they are."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from analyses.inverse_dynamics.test_residuals import MASS, free_body
from oracles.pushes import push_xml
from oracles.trials import TRIALS, gait10

import opensim_inertia as oi
from opensim_inertia.checks import Diagnostic, input_notes
from opensim_inertia.checks.contacts import LoadedModel, MovingModel, foot_contacts, rows_of_interest, slipping_feet
from opensim_inertia.opensim_model.reading.coordinates import read_coordinates
from opensim_inertia.opensim_model.reading.loading import initialise
from opensim_inertia.opensim_model.reading.motion import load_motion
from opensim_inertia.opensim_model.setups.loads import Loads

HARDLY = {"hamner_run": ("ankle_angle_r", "ankle_angle_l", "hip_rotation_r", "hip_rotation_l", "lumbar_rotation")}
"""Of these angles the correction gains less than 1.8 in running, where feet turn quickly anyway; 1.5 are needed."""
RADIUS, SPEED = 0.25, 0.8  # Of a wheel [m, rad/s]


def findings(root: Path, trial: str, **columns: float) -> list[Diagnostic]:
    """What is found of a public trial, some columns of whose motion are multiplied, during at most 2.5 s."""
    model, motion, loads = (root / file for file in TRIALS[trial])
    table = oi.read_table(motion)
    table = table.assign(**{name: factor * table[name] for name, factor in columns.items()})
    first = table.index[0]
    return list(oi.check(model, table, loads, 6.0, (first, first + 2.5), thorough=False).findings)


@pytest.mark.parametrize(
    ("column", "factor", "severity", "check", "text"),
    [
        ("pelvis_tilt", -1.0, "error", "columns", "its sign seems to be turned"),
        ("hip_flexion_l", -1.0, "error", "columns", "its sign seems to be turned"),
        ("ankle_angle_r", -1.0, "warning", "columns", "its sign seems to be turned"),
        ("lumbar_extension", -1.0, "error", "columns", "its sign seems to be turned"),
        ("knee_angle_r", np.pi / 180, "error", "columns", "multiplied by 57.3: it seems to be in radians"),
        ("ankle_angle_l", np.pi / 180, "warning", "still columns", "where 'ankle_angle_r' moves by 22.5 degrees"),
        ("hip_flexion_r", 0.0, "warning", "still columns", "where 'hip_flexion_l' moves by"),
        ("pelvis_tilt", 0.0, "warning", "still columns", "the only angle of pelvis and trunk that stands still"),
        ("pelvis_tilt", 0.0, "warning", "feet on the ground", "outside of body 'calcn_r'"),
        ("knee_angle_l", 0.0, "warning", "feet on the ground", "'calcn_l' slips over the ground at"),
        ("lumbar_extension", 0.0, "warning", "still columns", "moves by 0 degrees in all"),
    ],
)
def test_a_damaged_column_is_found(
    opensim_models: Path, column: str, factor: float, severity: str, check: str, text: str
) -> None:
    of_column = findings(opensim_models, "gait10dof_walk", **{column: factor})
    assert any(
        f.severity == severity
        and f.check == check
        and text in f.text
        and (column in f.subject or check.startswith("feet"))
        for f in of_column
    ), list(map(str, of_column))


@pytest.mark.slow
@pytest.mark.parametrize("trial", TRIALS)
def test_every_turned_angle_of_pelvis_legs_and_trunk_is_named(opensim_models: Path, trial: str) -> None:
    """Of those that go beyond 10 degrees, but for some that hardly change how well the motion fits."""
    table = oi.read_table(opensim_models / TRIALS[trial][1])
    columns = [name for name in table if name.startswith(("pelvis_", "hip_", "knee_", "ankle_", "lumbar_"))]
    columns = [name for name in columns if table[name].abs().max() > 10 and name not in HARDLY.get(trial, ())]
    assert len(columns) >= 8
    for name in columns[:: 1 if trial == "gait10dof_walk" else 3]:
        of_column = findings(opensim_models, trial, **{name: -1.0})
        assert any(f"'{name}'" in str(f) for f in of_column), name


@pytest.mark.slow
@pytest.mark.parametrize("trial", TRIALS)
def test_no_column_of_a_public_motion_would_fit_better(opensim_models: Path, trial: str) -> None:
    found = findings(opensim_models, trial)
    assert [f for f in found if f.check in ("columns", "still columns", "feet on the ground")] == []


def test_a_damaged_column_is_refused_or_warned_of_before_it_is_solved(opensim_models: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    table = oi.read_motion_table(motion, inertial.model)
    span = (0.4, 1.7)
    with pytest.raises(oi.errors.MotionError, match="'hip_flexion_r' multiplied by -1"):
        input_notes(inertial, oi.Recording(table.assign(hip_flexion_r=-table["hip_flexion_r"]), loads, 6.0, span))
    with pytest.warns(oi.warnings.InputWarning, match="'ankle_angle_r' multiplied by -1"):
        input_notes(inertial, oi.Recording(table.assign(ankle_angle_r=-table["ankle_angle_r"]), loads, 6.0, span))
    with pytest.warns(oi.warnings.InputWarning, match="'ankle_angle_r'.*'ankle_angle_l' moves by"):
        input_notes(inertial, oi.Recording(table.assign(ankle_angle_r=0.0), loads, 6.0, span))


def wheel(folder: Path, sliding: float) -> tuple[osim.Model, Loads, pd.DataFrame]:
    """A wheel that rolls along x and slides back and forth, with its weight on the ground below its axle."""
    model = free_body()
    initialise(model)
    times = np.linspace(0.0, 2.0, 201)
    along = RADIUS * SPEED * times + sliding * np.sin(3 * times)
    zero = np.zeros_like(times)
    motion = {"tilt": -SPEED * times, "list": zero, "rotation": zero, "tx": along, "ty": zero + RADIUS, "tz": zero}
    force = MASS * 9.80665 * np.ones_like(times)
    loads = {"fx": zero, "fy": force, "fz": zero, "px": along, "py": zero, "pz": zero}
    oi.write_table(pd.DataFrame(loads, index=times), folder / "push.sto")
    (folder / "push.xml").write_text(push_xml("block", "push.sto"))
    return model, Loads(folder / "push.xml"), pd.DataFrame(motion, index=times)


def along(model: osim.Model, loads: Loads, table: pd.DataFrame) -> MovingModel:
    loaded = LoadedModel(model, loads)
    motion = load_motion(table, model, read_coordinates(model, model.getWorkingState()).names)
    moving = loaded.along(motion, rows_of_interest(loaded, motion))
    assert moving is not None
    return moving


@pytest.mark.parametrize("sliding", [0.0, 0.3])
def test_a_wheel_that_rolls_does_not_slip_and_one_that_slides_does(tmp_path: Path, sliding: float) -> None:
    """Its lowest point moves at 3 A cos 3t, whose difference from its median is averaged over the rows."""
    model, loads, table = wheel(tmp_path, sliding)
    moving = along(model, loads, table)
    (rest,) = foot_contacts(moving)
    velocity = 3 * sliding * np.cos(3 * moving.times)
    expected = np.abs(velocity - np.median(velocity)).mean()
    # The velocities are those of a natural spline through 100 rows a second, which is worst at its ends.
    assert rest.slip == pytest.approx(expected, abs=1e-3) and rest.spin == pytest.approx(SPEED, abs=1e-3)
    assert (len(slipping_feet(model, loads, moving)) == 1) == (sliding > 0)  # 0.58 m/s


def test_points_that_move_up_and_down_are_not_on_the_ground(tmp_path: Path) -> None:
    """As those of pedals, which feet bear on while they move."""
    model, _, table = wheel(tmp_path, 0.3)
    data = oi.read_table(tmp_path / "push.sto")
    data["py"] = 0.17 * np.sin(6 * data.index.to_numpy())
    oi.write_table(data, tmp_path / "push.sto")
    assert foot_contacts(along(model, Loads(tmp_path / "push.xml"), table)) == []


def test_a_side_that_was_not_recorded_is_at_most_noted(opensim_models: Path) -> None:
    found = findings(opensim_models, "gait10dof_walk", hip_flexion_l=0.0, knee_angle_l=0.0, ankle_angle_l=0.0)
    (finding,) = (each for each in found if each.check == "still columns")
    assert finding.severity == "note" and "so do 2 other coordinates of this side" in finding.text

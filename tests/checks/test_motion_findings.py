"""Damage to a recorded motion and to its loads is named with its row and column: ``planted.py`` has more kinds."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import slow_except
from oracles.trials import TRIALS

import opensim_inertia as oi
from opensim_inertia.opensim_model.reading.jumps import coordinate_jumps, gaps

ROW = 70
KNEE, HEIGHT = "knee_angle_r", "pelvis_ty"


def cell(label: str, change: Callable[[float], float], rows: int = 1) -> Callable[[pd.DataFrame], pd.DataFrame]:
    def damage(table: pd.DataFrame) -> pd.DataFrame:
        table = table.copy()
        column = list(table.columns).index(label)
        for row in range(ROW, ROW + rows):
            table.iloc[row, column] = change(float(table.iloc[row, column]))
        return table

    return damage


def times(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.set_axis(change(table.index.to_numpy()))


MOTIONS = {
    "-1e308": (cell(KNEE, lambda _: -1e308), "error", "size of numbers", f"'{KNEE}' in row {ROW + 1}"),
    "x 1e-12": (times(lambda t: 1e-12 * t), "error", "speeds", "faster than any part"),
    "1e30": (times(lambda t: np.append(t[:-1], 1e30)), "error", "times", "1e+30"),
    "another zero": (lambda t: t.assign(knee_angle_r=-t[KNEE]), "warning", "ranges", KNEE),
}


@pytest.mark.parametrize("kind", MOTIONS)
def test_a_damaged_motion_is_found(opensim_models: Path, kind: str) -> None:
    damage, severity, check, phrase = MOTIONS[kind]
    table = oi.read_table(opensim_models / TRIALS["gait10dof_walk"][1])
    attrs = dict(table.attrs)
    damaged = damage(table)
    damaged.attrs = attrs | {key: value for key, value in damaged.attrs.items() if key != "name"}
    findings = oi.check(opensim_models / TRIALS["gait10dof_walk"][0], damaged, thorough=False).findings
    assert any(f.severity == severity and f.check == check and phrase in str(f) for f in findings), findings


JUMPS = {
    "a metre off": (cell(HEIGHT, lambda x: x + 1), HEIGHT),
    "20 m off": (cell(HEIGHT, lambda x: x - 20), HEIGHT),
    "10 degrees off": (cell(KNEE, lambda x: x + 10), KNEE),
    "two rows": (cell(KNEE, lambda x: x + 30, 2), KNEE),
    "a step": (cell(KNEE, lambda x: x + 30, 40), KNEE),
}


@pytest.mark.parametrize("cutoff", slow_except([None], [None, 6.0]))
@pytest.mark.parametrize("kind", JUMPS)
def test_a_jump_that_changes_moments_is_found(opensim_models: Path, kind: str, cutoff: float | None) -> None:
    model, motion, loads = (opensim_models / file for file in TRIALS["gait10dof_walk"])
    damage, name = JUMPS[kind]
    table = oi.read_table(motion)
    damaged = damage(table)
    damaged.attrs = dict(table.attrs)
    findings = oi.check(model, damaged, loads, cutoff, thorough=False).findings
    (jump,) = [finding for finding in findings if finding.check == "jumps" and finding.severity == "warning"]
    before, after = table.index[ROW - 1 : ROW + 1]
    assert f"'{name}' by" in jump.text and f"from {before:.6g} to {after:.6g} s" in jump.text
    assert "this changes forces" in jump.text and "N m at" in jump.text


def column(label: str, change: Callable[[pd.Series], pd.Series]) -> Callable[[pd.DataFrame], pd.DataFrame]:
    return lambda table: table.assign(**{label: change(table[label])})


LOADS = {
    "x 1e300": (column("ground_force_vx", lambda x: x * 1e300), "error", "size of loads", "ground_force_vx"),
    "empty": (column("ground_force_vx", lambda x: 0 * x), "warning", "empty columns", "ground_force_vx"),
    "torque": (column("ground_torque_y", lambda x: 57 * x), "warning", "torques", "ground_torque_y"),
}


@pytest.mark.parametrize("kind", LOADS)
def test_damaged_loads_are_found(opensim_models: Path, tmp_path: Path, kind: str) -> None:
    damage, severity, check, phrase = LOADS[kind]
    model, motion, original = (opensim_models / file for file in TRIALS["gait10dof_walk"])
    table = oi.read_table(original.with_suffix(".mot"))
    oi.write_table(damage(table), tmp_path / f"{original.stem}.mot")
    findings = oi.check(model, motion, shutil.copy(original, tmp_path), 6.0, (0.1, 2.4), thorough=False).findings
    assert any(f.severity == severity and f.check == check and phrase in str(f) for f in findings), findings


def test_gaps_and_jumps_of_smooth_motions() -> None:
    """A sine has neither, at steps that grow little by little as an integrator's; one cell off is found to its size."""
    steps = 0.001 * 1.02 ** np.arange(200)
    t = np.cumsum(steps)
    values = np.sin(3 * t)[:, None]
    angles = np.array([True])
    assert gaps(t) == [] and coordinate_jumps(t, values, angles) == []
    values[100] += 0.2
    (jump,) = coordinate_jumps(t, values, angles)
    assert (jump.row, jump.columns.tolist()) == (100, [0]) and abs(jump.size - 0.2) < 1e-3
    assert gaps(np.delete(np.arange(100) / 100, slice(40, 60))) == [39]

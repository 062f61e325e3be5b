"""External loads whose data are damaged, late, or not those of the setup: refused or warned of, with file and place."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import model_path, slow_except
from oracles.trials import GAIT10, GAIT2392, HAMNER, data_of, gait10

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.checks.recordings import input_notes, load_jumps
from opensim_inertia.opensim_model.setups.loads import Loads

TIMES = (0.6, 0.9)  # s
LOADED = 400  # a row (from 1) in which the right foot stands
VERTICAL = "ground_force_vy"
REAL = [
    f"{HAMNER}/External_Loads.xml",
    f"{GAIT2392}/subject01_walk1_grf.xml",
    f"{GAIT10}/ExperimentalData/subject01_walk_grf.xml",
    "Tutorials/Estimating_Joint_Reaction_Loads/foot_floor_loads.xml",
    "../rajagopal-running/grf_run.xml",
]
SLOWEST = 25.0  # rows a second


@pytest.fixture
def loads(opensim_models: Path, tmp_path: Path) -> Path:
    original = gait10(opensim_models)[2]
    shutil.copy(data_of(original), tmp_path)
    return Path(shutil.copy(original, tmp_path))


def solve(opensim_models: Path, loads: Path, strict: bool = False) -> InverseDynamicsResult:
    inertial, motion, _ = gait10(opensim_models)
    return oi.inverse_dynamics(
        inertial, oi.Recording(motion, loads, 6.0, TIMES, strict=strict), band=False, per_muscle=False
    )


def spoil_cell(loads: Path, cell: str) -> int:
    """Write a cell in place of the vertical force in row LOADED; return its line in the file."""
    data = data_of(loads)
    lines = data.read_text().splitlines()
    labels = next(i for i, line in enumerate(lines) if line.startswith("time"))
    cells = lines[labels + LOADED].split()
    cells[lines[labels].split().index(VERTICAL)] = cell
    lines[labels + LOADED] = "\t".join(cells)
    data.write_text("\n".join(lines) + "\n")
    return labels + LOADED + 1


def change(loads: Path, how: Callable[[pd.DataFrame], pd.DataFrame]) -> None:
    data = data_of(loads)
    oi.write_table(how(oi.read_table(data)), data)


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("nan", rf"column '{VERTICAL}' is nan at time \S+ s \(row {LOADED}\)"),
        ("inf", rf"column '{VERTICAL}' is inf at time \S+ s \(row {LOADED}\)"),
        ("abc", rf"line {{line}}: 'abc' is not a number, in column '{VERTICAL}'"),
        ("801,5", "line {line}: '801,5' is not a number"),
        ("", "line {line} has 18 cells, expected 19"),
        ("80 1.5", "line {line} has 20 cells, expected 19"),
    ],
)
def test_a_damaged_cell_is_refused(opensim_models: Path, loads: Path, cell: str, reason: str) -> None:
    line = spoil_cell(loads, cell)
    with pytest.raises(
        oi.errors.FileFormatError, match=rf"subject01_walk_grf\.mot: {reason.replace('{line}', str(line))}"
    ):
        solve(opensim_models, loads)
    inertial = gait10(opensim_models)[0]
    with pytest.raises(oi.errors.FileFormatError, match=r"subject01_walk_grf\.mot"):
        oi.simulate(oi.Problem(inertial, t_final=0.01, external_loads=loads))


def test_damage_in_a_column_that_no_load_uses_is_refused(opensim_models: Path, loads: Path) -> None:
    """OpenSim, which stops to read at a cell that is not a number, then takes others for the loads' (300 N m off)."""
    change(loads, lambda table: table.assign(marker=1.0))
    data = data_of(loads)
    data.write_text(data.read_text().replace("1.0\n", "nan\n"))
    with pytest.raises(oi.errors.FileFormatError, match=r"column 'marker' is nan at time 0 s \(row 1\)"):
        solve(opensim_models, loads)


@pytest.mark.parametrize("order", [(0, 2, 1), (1, 1, 0)])
def test_times_that_do_not_increase_are_refused(opensim_models: Path, loads: Path, order: tuple[int, ...]) -> None:
    data = data_of(loads)
    lines = data.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("time")) + LOADED
    data.write_text("\n".join([*lines[:at], *(lines[at + i] for i in order), *lines[at + 3 :], ""]))
    with pytest.raises(oi.errors.FileFormatError, match=r"subject01_walk_grf\.mot: times must increase.*\(rows 40"):
        solve(opensim_models, loads)


def test_loads_of_another_time_are_refused(opensim_models: Path, loads: Path) -> None:
    change(loads, lambda table: table.set_axis(table.index + 10))
    with pytest.raises(
        oi.errors.FileFormatError, match=r"grf\.mot: there are external loads for none of .*10 to 12.5 s.*to 0.[89]"
    ):
        solve(opensim_models, loads)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (
            lambda t: t.drop(columns="ground_force_vy"),
            r"grf\.xml: load 'right' .*'ground_force_vx', .*has 2 that begin",
        ),
        (lambda t: t.rename(columns=lambda c: c.replace("1_ground_force_v", "1_ground_fore_v")), "'1_ground_fore_vx'"),
        (lambda t: t.assign(ground_torque_w=0.0), r"\(torque_identifier\).* has 4 that begin so"),
        (
            lambda t: t[["ground_force_py", *t.columns.drop("ground_force_py")]],
            r"grf\.mot: its columns are 'ground_force_py', 'ground_force_px', 'ground_force_pz', which",
        ),
    ],
)
def test_columns_that_do_not_fit_the_setup_are_refused(
    opensim_models: Path, loads: Path, how: Callable[[pd.DataFrame], pd.DataFrame], reason: str
) -> None:
    change(loads, how)
    with pytest.raises(oi.errors.FileFormatError, match=reason):
        solve(opensim_models, loads)


@pytest.mark.slow
def test_a_jump_is_warned_of_and_strict_refuses(opensim_models: Path, loads: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    strict = oi.Recording(motion, loads, 6.0, TIMES, strict=True)
    assert input_notes(inertial, strict) == []
    spoil_cell(loads, "5015")
    message = rf"grf\.mot: the load 'right' jumps: column '{VERTICAL}' is 5015 in row {LOADED} \(at time 0\.6\d* s\)"
    with pytest.warns(oi.warnings.LoadsJumpWarning, match=message) as caught:
        notes = input_notes(inertial, oi.Recording(motion, loads, 6.0, TIMES))
    assert str(caught[0].message) in notes
    with pytest.raises(oi.errors.MotionError, match="jumps"):
        input_notes(inertial, strict)
    assert input_notes(inertial, oi.Recording(motion, loads, 6.0, (1.0, 1.1), strict=True)) == []  # it is not there


@pytest.mark.parametrize("file", REAL)
def test_real_ground_reactions_do_not_jump(file: str) -> None:
    """Nor do they with fewer rows a second: heel strike is then a rise within one row."""
    for values, rate in measured(model_path(file, published=not file.startswith(".."))):
        for every in range(1, int(rate / SLOWEST) + 1):
            for first in range(min(every, 3)):
                assert not load_jumps(values[first::every]), (every, first)


@pytest.mark.parametrize("file", slow_except(REAL[1:2], REAL[1:4]))
@pytest.mark.parametrize(
    ("column", "spoiled"),
    [(1, lambda x: 10 * x), (1, lambda x: 0.0), (1, lambda x: -x), (1, lambda x: x + 300), (3, lambda x: x + 0.2)],
)
def test_one_damaged_row_is_found(
    opensim_models: Path, file: str, column: int, spoiled: Callable[[float], float]
) -> None:
    for values, _ in measured(opensim_models / file):
        vertical = values[:, 1]
        for row in np.flatnonzero(vertical > 0.5 * vertical.max())[5::97]:
            damaged = values.copy()
            damaged[row, column] = spoiled(values[row, column])
            jumps = load_jumps(damaged)
            assert jumps and jumps[0][0] in (row, row + 1) and jumps[0][1] == column


def measured(file: Path) -> list[tuple[np.ndarray, float]]:
    """Force, point and torque (rows, 9) of each load, and the rows a second."""
    table = oi.read_table(data_of(file))
    rate = 1 / float(np.median(np.diff(table.index)))
    columns = [[str(c) for c in nine if c] for nine in Loads(file).columns.values()]
    return [(table[nine].to_numpy(), rate) for nine in columns]


def test_contacts_and_constant_loads_do_not_jump() -> None:
    square = np.zeros((100, 9))
    square[30:60, 1] = 700.0
    assert not load_jumps(square)
    assert not load_jumps(np.ones((20, 9))) and not load_jumps(np.zeros((20, 9)))
    torque = np.zeros((100, 9))
    torque[:, 7] = 3 + np.sin(np.arange(100) / 10)
    assert not load_jumps(torque)
    torque[50, 7] = 30.0
    assert [jump[:2] for jump in load_jumps(torque)] == [(50, 7)]
    square[10, 1] = 500.0
    assert [jump[:2] for jump in load_jumps(square)] == [(10, 1)]
    square[10, 1] = 1e185
    assert [jump[:2] for jump in load_jumps(square)] == [(10, 1)]
    step = np.ones((100, 9))
    step[50:] *= -1
    assert [jump[0] for jump in load_jumps(step)] == [50, 50, 50]  # of force, point and torque

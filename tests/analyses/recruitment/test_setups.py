"""Setups of Static Optimization on the command line against OpenSim's own tool: rows, states, speeds, force sets."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from conftest import slow_except
from oracles import analysed_leg
from oracles.demo_leg import swing_motion

import opensim_inertia as oi
from opensim_inertia.cli import main

EARLY = 0.01  # OpenSim's optimizer stops early: where its controls are off by this its cost is 1e-5 above the least


def by_us(setup: Path) -> pd.DataFrame:
    out = setup.parent / "out"
    assert main(["recruit", str(setup), "--out", str(out), "--kind", "lumped", "--strict"]) == 0
    return oi.read_table(out / "leg_StaticOptimization_activation.sto")


def check_same(setup: Path) -> pd.DataFrame:
    """Hold ours against the tool's: the same actuators and rows, no more cost than the tool's, and little less."""
    ours, stock = by_us(setup), analysed_leg.run_tool(setup)
    assert list(ours.columns) == list(stock.columns)
    np.testing.assert_allclose(ours.index, stock.index, rtol=0, atol=1e-8)
    np.testing.assert_allclose(ours, stock, rtol=0, atol=EARLY)
    cost, of_tool = ((table.to_numpy() ** 2).sum(axis=1) for table in (ours, stock))
    assert (cost <= of_tool * (1 + 1e-6)).all() and (of_tool <= cost * (1 + 1e-3)).all()
    return ours


@pytest.mark.slow
def test_rows_are_those_of_the_step_interval(tmp_path: Path) -> None:
    """Each fifth row of the file, the first and the last; the tool ignores that its analysis ends earlier."""
    ours = check_same(analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto"))
    rows = np.searchsorted(swing_motion().index, ours.index - 1e-6)
    assert rows.tolist() == [24, 25, 30, 35, 40, 45, 48]
    assert ours[["tib_ant_r", "gasmed_r"]].max().max() > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("columns", slow_except(["states"], ["states", "speeds", "old names"]))
def test_states_and_speeds_in_files(tmp_path: Path, columns: str) -> None:
    """The speeds are not the derivatives of the coordinates, so that they are seen to count."""
    plain = by_us(analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto"))
    states = analysed_leg.states(1.1)
    if columns == "states":
        setup = analysed_leg.write_setup(
            tmp_path, coordinates_file="none.sto", states_file="given.sto", lowpass_cutoff_frequency_for_coordinates="6"
        )
    else:
        states = states[[label for label in states if label.endswith("speed")]]
        if columns == "old names":
            states.columns = [f"{label.split('/')[-2]}_u" for label in states]
        setup = analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto", speeds_file="given.sto")
    oi.write_table(states, tmp_path / "given.sto", in_degrees=False)
    assert np.abs(check_same(setup) - plain).max().max() > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("replaced", slow_except(["true"], ["true", "false"]))
def test_force_sets_are_added_or_put_in_place_of_the_models(tmp_path: Path, replaced: str) -> None:
    """Added forces with names that are there are left out, so that the weak muscles count only where they replace."""
    plain = by_us(analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto"))
    analysed_leg.write_weak_muscles(tmp_path / "weak.xml", 0.5)
    files = {"replace_force_set": replaced, "force_set_files": "weak.xml actuators.xml"}
    ours = check_same(analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto", **files))
    change = np.abs(ours - plain).max().max()
    assert change > 0.05 if replaced == "true" else change < 1e-9


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda s: s.drop(columns="ankle_angle_r_u"), "no column is the speed of 'ankle_angle_r', such as"),
        (lambda s: s.iloc[:-3], "it has no row at 0.583333333 s, at which the coordinates have one"),
        (lambda s: s.rename(columns={"knee_angle_r_u": "knee_angle_u"}), "there is 'knee_angle_u'"),
    ],
)
def test_speeds_that_do_not_fit_are_named(tmp_path: Path, damage, message: str, capsys) -> None:
    states = analysed_leg.states(1.0)
    speeds = states[[label for label in states if label.endswith("speed")]]
    speeds.columns = [f"{label.split('/')[-2]}_u" for label in speeds]
    oi.write_table(damage(speeds), tmp_path / "speeds.sto", in_degrees=False)
    setup = analysed_leg.write_setup(tmp_path, coordinates_file="swing.sto", speeds_file="speeds.sto")
    assert main(["recruit", str(setup), "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err

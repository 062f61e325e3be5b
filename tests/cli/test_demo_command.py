"""``opensim-inertia demo``."""

from pathlib import Path

import numpy as np
import pytest
from cli.test_id import WRITTEN

from opensim_inertia import read_table

INPUTS = {"leg.osim", "swing.mot", "setup_id.xml", "masses.csv"}


@pytest.mark.slow
def test_end_to_end_as_a_program(start, tmp_path: Path) -> None:
    program = start("demo")
    out, err = program.communicate(timeout=120)
    assert (program.returncode, err) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == ["opensim_inertia_demo"]
    folder = tmp_path / "opensim_inertia_demo"
    assert {path.name for path in folder.iterdir()} == INPUTS | WRITTEN
    assert (folder / "inverse_dynamics_plot.png").read_bytes().startswith(b"\x89PNG")
    for name in INPUTS | WRITTEN | {"ankle_angle_r", "Look at", "written to opensim_inertia_demo"}:
        assert name in out


@pytest.mark.slow
def test_masses_matter_and_the_printed_command_repeats_it(cli) -> None:
    outcome = cli("demo", "--out", "x")
    assert outcome.code == 0
    lumped, inertial = (read_table(f"x/inverse_dynamics_{kind}.sto") for kind in ("lumped", "inertial"))
    change = np.abs(inertial - lumped)["ankle_angle_r_moment"].max() / np.abs(lumped)["ankle_angle_r_moment"].max()
    assert 0.02 < change < 0.5
    before = {path.name: path.read_bytes() for path in Path("x").iterdir()}
    command = outcome.out.splitlines()[-1].split()
    assert command[0] == "opensim-inertia"
    assert cli(*command[1:]).code == 0
    assert {path.name: path.read_bytes() for path in Path("x").iterdir()} == before


def test_a_folder_whose_name_is_no_utf_8_is_named(refused) -> None:
    assert "OpenSim cannot open files in folders whose names are not UTF-8" in refused("demo", "--out", "x\udcff")

"""``opensim-inertia export`` and ``opensim-inertia plugin``."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.demo_leg import build_leg
from oracles.plugin import Native

import opensim_inertia as oi
from opensim_inertia.cli import main
from opensim_inertia.model.plugin import LIBRARY


def test_plugin(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plugin"]) == 0
    said = capsys.readouterr().out
    assert str(LIBRARY) in said
    assert osim.GetVersion() in said
    assert "accelerations agree to" in said


def test_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leg = build_leg()
    leg.printToXML(str(tmp_path / "leg.osim"))
    table = oi.estimate_masses(leg)
    table.loc[0, "mass"] *= 1.5
    oi.write_masses(table, tmp_path / "masses.csv")
    command = ["export", str(tmp_path / "leg.osim"), "--masses", str(tmp_path / "masses.csv")]
    assert main([*command, "-o", str(tmp_path / "inertial.osim")]) == 0
    assert "inertial.osim" in capsys.readouterr().out
    inertial = oi.InertialModel(leg, table)
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.linspace(-1.0, 1.0, state.getNU())))
    assert Native(inertial, osim.Model(str(tmp_path / "inertial.osim"))).error_at(state) < 1e-11


def test_export_of_what_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    leg = build_leg()
    leg.printToXML(str(tmp_path / "leg.osim"))
    command = ["export", str(tmp_path / "leg.osim"), "-o", str(tmp_path / "inertial.osim")]
    assert main([*command, "--wrapping", "opensim"]) == 2
    assert "its path is OpenSim's own" in capsys.readouterr().err
    assert not (tmp_path / "inertial.osim").exists()
    assert main([*command, "--tool", "sideways"]) == 2

"""Every command on a model of 520 muscles, 115 free coordinates and 56 constraints, in which many muscles wrap."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia.model.recorded_motion import recorded_motion

pytestmark = pytest.mark.slow

SETUP = """<OpenSimDocument Version="40000"><AnalyzeTool name="s01"><model_file>{model}</model_file>
<initial_time>0.02</initial_time><final_time>0.03</final_time><coordinates_file>motion.sto</coordinates_file>
<AnalysisSet><objects><StaticOptimization name="StaticOptimization"><step_interval>1</step_interval>
</StaticOptimization></objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""
#: Accelerations as inverse dynamics takes them, so that its moments are those that muscles make.
RECRUITED = ("--reserves", "20", "--assemble", "--accelerations", "coordinates")


def write_motion(model: osim.Model, path: Path) -> None:
    time = np.linspace(0.0, 0.06, 7)
    columns = {}
    for coordinate in model.getCoordinateSet():
        swing = 0.05 if coordinate.getMotionType() == osim.Coordinate.Rotational else 0.0
        columns[coordinate.getName()] = coordinate.getDefaultValue() + swing * np.sin(20 * time)
    oi.write_table(pd.DataFrame(columns, index=time), path, in_degrees=False)


def test_all_commands_work_on_520_muscles(cli, cyclist: Path, tmp_path: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    model = osim.Model(str(cyclist))
    state = model.initSystem()
    write_motion(model, tmp_path / "motion.sto")
    (tmp_path / "recruit.xml").write_text(SETUP.format(model=cyclist))
    masses, shares, out = (tmp_path / name for name in ("masses.csv", "shares.csv", "out"))
    quick = ("--masses", masses, "--no-warn-wraps")
    motion = ("--motion", tmp_path / "motion.sto", "--time-range", "0.02", "0.03")
    for arguments in (
        ("masses", cyclist, "-o", masses),
        ("id", "--model", cyclist, *motion, *quick, "--no-band", "--assemble", "--out", out),
        ("recruit", tmp_path / "recruit.xml", *quick, *RECRUITED, "--out", out),
        ("rank", cyclist, *quick, *motion, "-o", shares),
    ):
        outcome = cli(*arguments)
        assert outcome.code == 0, outcome.err
    assert (pd.read_csv(masses)["mass"] > 0).all()
    assert np.isfinite(pd.read_csv(shares).select_dtypes("number").to_numpy()).all()
    assert (pd.read_csv(out / "s01_status.csv")["status"] == "solved").all()
    forces = oi.read_table(out / "s01_StaticOptimization_force.sto")
    needed = oi.read_table(out / "inverse_dynamics_inertial.sto")
    poses = recorded_motion(oi.InertialModel(model, {}), oi.Recording(tmp_path / "motion.sto", assemble=True))
    table = pd.DataFrame(poses.q, index=poses.times, columns=poses.coordinate_names)
    for name in ("hip_flexion_r", "ankle_angle_l"):
        coordinate = model.getCoordinateSet().get(name)
        for row, time in enumerate(forces.index):
            for other in model.getCoordinateSet():
                other.setValue(state, table[other.getName()].iloc[np.abs(table.index - time).argmin()], False)
            model.realizePosition(state)
            arms = {m.getName(): m.computeMomentArm(state, coordinate) for m in model.getMuscles()}
            made = sum(arm * forces[muscle].iloc[row] for muscle, arm in arms.items())
            made += forces[f"{name}_reserve"].iloc[row]
            assert made == pytest.approx(needed[f"{name}_moment"].iloc[row], rel=1e-5, abs=1e-4)

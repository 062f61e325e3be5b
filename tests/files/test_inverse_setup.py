"""Setup files: what OpenSim's tool understands, and what it should not be given."""

import os
import shutil
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.setup_damage import check_damage_is_named, refuses_missing_files_and_other_tools

from opensim_inertia.files import read_inverse_dynamics_setup

GAIT10 = "Pipelines/Gait10dof18musc/ID/walk_Setup_ID.xml"
GAIT2392 = "Pipelines/Gait2392_Simbody/subject01_Setup_InverseDynamics.xml"
SETUP = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><InverseDynamicsTool name="x">
<model_file>m.osim</model_file><coordinates_file>sub/c.mot</coordinates_file>
<external_loads_file>Unassigned</external_loads_file><forces_to_exclude>Muscles soleus_r</forces_to_exclude>
<time_range> 0.5 1.25</time_range>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates>
<results_directory>out</results_directory><output_gen_force_file>id</output_gen_force_file>
</InverseDynamicsTool></OpenSimDocument>
"""
EMPTY = '<OpenSimDocument Version="40000"><InverseDynamicsTool name="x"/></OpenSimDocument>'


def write(folder: Path, text: str) -> Path:
    path = folder / "setup.xml"
    path.write_text(text)
    return path


def test_every_field(tmp_path: Path) -> None:
    setup = read_inverse_dynamics_setup(write(tmp_path, SETUP))
    assert setup.model_file == tmp_path / "m.osim"
    assert setup.coordinates_file == tmp_path / "sub" / "c.mot"
    assert setup.external_loads_file is None
    assert setup.forces_to_exclude == ("Muscles", "soleus_r")
    assert setup.time_range == (0.5, 1.25)
    assert setup.cutoff == 6.0
    assert setup.results_directory == tmp_path / "out"
    assert setup.output_file == tmp_path / "out" / "id.sto"


def test_defaults_are_opensims(tmp_path: Path) -> None:
    setup = read_inverse_dynamics_setup(write(tmp_path, EMPTY))
    assert (setup.model_file, setup.coordinates_file, setup.external_loads_file) == (None, None, None)
    assert (setup.cutoff, setup.forces_to_exclude) == (None, ())
    assert setup.time_range == (-np.inf, np.inf)
    assert setup.results_directory == tmp_path
    assert setup.output_file == tmp_path / osim.InverseDynamicsTool().getOutputGenForceFileName()


@pytest.mark.parametrize(
    ("tool", "file"),
    [
        ("RRATool", "desired_kinematics_file"),
        ("CMCTool", "desired_kinematics_file"),
        ("AnalyzeTool", "coordinates_file"),
    ],
)
def test_setups_of_other_tools_say_what_is_followed(tmp_path: Path, tool: str, file: str) -> None:
    """As these tools read them themselves, without their models."""
    path = write(
        tmp_path,
        f"""<OpenSimDocument Version="40000"><{tool} name="x"><model_file>m.osim</model_file>
<results_directory>out</results_directory><initial_time>0.5</initial_time><final_time>1.25</final_time>
<external_loads_file>grf.xml</external_loads_file><{file}>sub/c.mot</{file}>
<lowpass_cutoff_frequency{"_for_coordinates" if tool == "AnalyzeTool" else ""}>6</lowpass_cutoff_frequency{
            "_for_coordinates" if tool == "AnalyzeTool" else ""
        }></{tool}></OpenSimDocument>""",
    )
    setup = read_inverse_dynamics_setup(path)
    stock = getattr(osim, tool)(str(shutil.copy(path, tmp_path / "copy.xml")), False)
    assert setup.model_file == tmp_path / "m.osim" and stock.getModelFilename() == "m.osim"
    assert setup.coordinates_file == tmp_path / "sub" / "c.mot"
    assert setup.external_loads_file == tmp_path / "grf.xml" and stock.getExternalLoadsFileName() == "grf.xml"
    assert setup.cutoff == stock.getLowpassCutoffFrequency() == 6.0
    assert setup.time_range == (stock.getInitialTime(), stock.getFinalTime()) == (0.5, 1.25)
    assert setup.results_directory == tmp_path / "out"
    assert setup.forces_to_exclude == ("Actuators",)


def test_states_of_an_analysis_are_followed_unfiltered(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """<OpenSimDocument Version="40000"><AnalyzeTool name="x"><model_file>m.osim</model_file>
<states_file>states.sto</states_file><coordinates_file>c.mot</coordinates_file>
<lowpass_cutoff_frequency_for_coordinates>6</lowpass_cutoff_frequency_for_coordinates></AnalyzeTool></OpenSimDocument>""",
    )
    setup = read_inverse_dynamics_setup(path)
    assert setup.coordinates_file == tmp_path / "states.sto" and setup.cutoff is None


@pytest.mark.parametrize("file", [GAIT10, GAIT2392])
def test_real_setups_read_as_opensim_reads_them(opensim_models: Path, tmp_path: Path, file: str) -> None:
    path = opensim_models / file
    tool = osim.InverseDynamicsTool(shutil.copy(path, tmp_path), False)
    setup = read_inverse_dynamics_setup(path)
    for ours, expected in (
        (setup.model_file, tool.getModelFileName()),
        (setup.coordinates_file, tool.getCoordinatesFileName()),
        (setup.external_loads_file, tool.getExternalLoadsFileName()),
        (setup.results_directory, tool.getResultsDir()),
    ):
        assert ours is not None and ours.is_absolute()
        assert os.path.relpath(ours, path.parent) == os.path.normpath(expected.strip())
    assert setup.cutoff == tool.getLowpassCutoffFrequency() == 6.0
    assert setup.time_range == (tool.getStartTime(), tool.getEndTime())
    assert tuple(name.lower() for name in setup.forces_to_exclude) == ("muscles",)
    assert setup.output_file.parent == setup.results_directory


def test_output_goes_where_the_tool_writes_it(opensim_models: Path, tmp_path: Path) -> None:
    """A folder in the output's name is ignored, a suffix is kept."""
    example = opensim_models / "Pipelines/Gait10dof18musc/OutputReference"
    for name, result in (("id", "id.sto"), ("elsewhere/id.txt", "id.txt")):
        text = SETUP.replace("m.osim", str(example / "subject01.osim"))
        text = text.replace("sub/c.mot", str(example / "IK" / "subject01_walk_IK.mot")).replace("1.25", "0.51")
        path = write(tmp_path, text.replace(">id<", f">{name}<"))
        assert osim.InverseDynamicsTool(str(path), True).run()
        assert read_inverse_dynamics_setup(path).output_file == tmp_path / "out" / result
        assert (tmp_path / "out" / result).is_file()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a well-formed XML"),
        (SETUP[:300], "not a well-formed XML"),
        ("<html/>", "its root is <html>; expected a setup of OpenSim's InverseDynamicsTool"),
        ('<OpenSimDocument Version="40000"/>', "it holds nothing; expected"),
        ('<OpenSimDocument Version="40000"><Model/></OpenSimDocument>', "is an OpenSim model: give it with --model"),
        (SETUP.replace("0.5 1.25", "early late"), "OpenSim cannot read it"),
        (SETUP.replace(">6<", ">six<"), "OpenSim cannot read it"),
        (SETUP.replace("40000", "new"), "OpenSim cannot read it"),
    ],
)
def test_damage_is_named(tmp_path: Path, text: str, message: str) -> None:
    check_damage_is_named(read_inverse_dynamics_setup, write(tmp_path, text), message)


def test_missing_files_and_other_tools(opensim_models: Path, tmp_path: Path) -> None:
    other = opensim_models / "Pipelines/Hamner/Setup_IK.xml"
    message = "Inverse Kinematics Tool, which no command reads; expected"
    refuses_missing_files_and_other_tools(read_inverse_dynamics_setup, tmp_path, other, message)

"""Forward Tool setups: what OpenSim understands of new and old ones, and what it should not be given."""

import os
from pathlib import Path

import opensim as osim
import pytest
from oracles.setup_damage import check_damage_is_named, refuses_missing_files_and_other_tools

from opensim_inertia.files import read_forward_setup

SETUP = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000"><ForwardTool name="x">
<model_file>m.osim</model_file><replace_force_set>true</replace_force_set>
<force_set_files> sub/a.xml b.xml</force_set_files><results_directory>out</results_directory>
<initial_time>0.5</initial_time><final_time>1.25</final_time>
<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>
<maximum_number_of_integrator_steps>300</maximum_number_of_integrator_steps>
<maximum_integrator_step_size>0.01</maximum_integrator_step_size>
<minimum_integrator_step_size>1e-6</minimum_integrator_step_size>
<integrator_error_tolerance>1e-4</integrator_error_tolerance>
<AnalysisSet name="Analyses"><objects><Kinematics/></objects></AnalysisSet>
<ControllerSet name="Controllers"><objects>
<ControlSetController name="c"><controls_file>sub/c.xml</controls_file></ControlSetController>
<PrescribedController name="p"><actuator_list>BRA BIClong</actuator_list><controls_file>../d.sto</controls_file>
</PrescribedController>
<ControlSetController name="off"><enabled>false</enabled></ControlSetController>
</objects></ControllerSet>
<external_loads_file>Unassigned</external_loads_file><states_file>s.sto</states_file>
</ForwardTool></OpenSimDocument>
"""
EMPTY = '<OpenSimDocument Version="40000"><ForwardTool name="x"/></OpenSimDocument>'
OLD = """<ForwardTool name="x"><actuator_set_files>f.xml</actuator_set_files>
<replace_actuator_set>true</replace_actuator_set><controls_file>c.xml</controls_file>
<external_loads_file>loads.xml</external_loads_file></ForwardTool>"""


def write(folder: Path, text: str) -> Path:
    path = folder / "setup.xml"
    path.write_text(text)
    return path


def asking(name: str, value: str) -> str:
    return EMPTY.replace("/></Open", f"><{name}>{value}</{name}></ForwardTool></Open")


def test_every_field(tmp_path: Path) -> None:
    path = write(tmp_path, SETUP)
    setup = read_forward_setup(path)
    assert (setup.file, setup.name) == (path, "x")
    assert setup.model_file == tmp_path / "m.osim"
    assert setup.states_file == tmp_path / "s.sto"
    assert setup.external_loads_file is None
    assert setup.time_range == (0.5, 1.25)
    assert (setup.accuracy, setup.step_range, setup.maximum_steps) == (1e-4, (1e-6, 0.01), 300)
    assert setup.solve_for_equilibrium and setup.replace_force_set
    assert setup.force_set_files == (tmp_path / "sub" / "a.xml", tmp_path / "b.xml")
    assert setup.analyses == ("Kinematics",)
    assert setup.results_directory == tmp_path / "out"


def test_controllers(tmp_path: Path) -> None:
    first, second, third = read_forward_setup(write(tmp_path, SETUP)).controllers
    assert (first.name, first.kind, first.enabled) == ("c", "ControlSetController", True)
    assert (first.controls_file, first.actuators) == (tmp_path / "sub" / "c.xml", ())
    assert (second.name, second.kind) == ("p", "PrescribedController")
    assert (second.controls_file, second.actuators) == (tmp_path.parent / "d.sto", ("BRA", "BIClong"))
    assert (third.name, third.enabled, third.controls_file) == ("off", False, None)
    assert osim.PrescribedController.safeDownCast(second.controller) is not None


def test_defaults_are_opensims(tmp_path: Path) -> None:
    tool = osim.ForwardTool()
    setup = read_forward_setup(write(tmp_path, EMPTY))
    assert (setup.model_file, setup.states_file, setup.external_loads_file) == (None, None, None)
    assert (setup.force_set_files, setup.controllers, setup.analyses) == ((), (), ())
    assert setup.time_range == (tool.getInitialTime(), tool.getFinalTime())
    assert setup.accuracy == tool.getErrorTolerance()
    assert setup.step_range == (tool.getMinDT(), tool.getMaxDT())
    assert setup.maximum_steps == tool.getMaximumNumberOfSteps()
    assert setup.solve_for_equilibrium == tool.getSolveForEquilibrium()
    assert setup.replace_force_set == tool.getReplaceForceSet()
    assert setup.results_directory == tmp_path


def test_what_opensim_writes_is_read_back(tmp_path: Path) -> None:
    """A folder with blanks and brackets in its name, and OpenSim's own file of every property."""
    folder = tmp_path / "a (b) c"
    folder.mkdir()
    tool = osim.ForwardTool(str(write(tmp_path, SETUP)), True, False)
    tool.printToXML(str(folder / "printed.xml"))
    printed, original = read_forward_setup(folder / "printed.xml"), read_forward_setup(write(folder, SETUP))
    assert printed.time_range == original.time_range
    assert printed.force_set_files == original.force_set_files
    assert [c.controls_file for c in printed.controllers] == [c.controls_file for c in original.controllers]
    assert printed.controllers[0].controls_file == folder / "sub" / "c.xml"
    assert printed.controllers[1].controls_file == tmp_path / "d.sto"


@pytest.mark.parametrize("version", [None, 10500, 10800])
def test_old_setups_name_their_controls_in_the_tool(tmp_path: Path, version: int | None) -> None:
    """OpenSim 1 had no controllers, and OpenSim opens, and rewrites, the loads that old setups name."""
    loads = tmp_path / "loads.xml"
    loads.write_text("<OpenSimDocument><ForceSet/></OpenSimDocument>")
    text = OLD if version is None else f'<OpenSimDocument Version="{version}">{OLD}</OpenSimDocument>'
    setup = read_forward_setup(write(tmp_path, text))
    (controller,) = setup.controllers
    assert (controller.kind, controller.controls_file) == ("ControlSetController", tmp_path / "c.xml")
    assert setup.external_loads_file == loads
    assert (setup.replace_force_set, setup.force_set_files) == (True, (tmp_path / "f.xml",))
    assert loads.read_text() == "<OpenSimDocument><ForceSet/></OpenSimDocument>"
    assert sorted(os.listdir(tmp_path)) == ["loads.xml", "setup.xml"]


def test_controllers_in_a_file_of_their_own(tmp_path: Path) -> None:
    inner = SETUP[SETUP.index("<ControllerSet") : SETUP.index("<external_loads")].replace("../d.sto", "/d.sto")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "set.xml").write_text(f'<OpenSimDocument Version="40000">{inner}</OpenSimDocument>')
    text = EMPTY.replace("/></Open", '><ControllerSet file="sub/set.xml"/></ForwardTool></Open')
    setup = read_forward_setup(write(tmp_path, text))
    assert [c.name for c in setup.controllers] == ["c", "p", "off"]
    assert sorted(os.listdir(tmp_path / "sub")) == ["set.xml"]


def test_the_users_folder_stays_clean(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for text in (SETUP, EMPTY, OLD, SETUP.replace("40000", "20000")):
        path = write(tmp_path, text)
        read_forward_setup(path)
        assert path.read_text() == text
        assert os.listdir(tmp_path) == ["setup.xml"]
    captured = capfd.readouterr()
    assert captured.out + captured.err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not a well-formed XML"),
        (SETUP[:300], "not a well-formed XML"),
        ("<html/>", "its root is <html>; expected a setup of OpenSim's ForwardTool"),
        ('<OpenSimDocument Version="40000"/>', "it holds nothing; expected"),
        (
            '<OpenSimDocument Version="40000"><ScaleTool/></OpenSimDocument>',
            "a setup of OpenSim.s Scale Tool, which no command reads; expected",
        ),
        (SETUP.replace("40000", "new"), "OpenSim cannot read it"),
        (SETUP.replace("PrescribedC", "FancyC"), "OpenSim cannot read it.*FancyController"),
        (asking("initial_time", "early"), "OpenSim cannot read it.*'early'"),
        (asking("initial_time", "2"), "final_time 1 is before initial_time 2"),
        (asking("final_time", "nan"), "final_time nan; expected finite times"),
        (asking("integrator_error_tolerance", "0"), "integrator_error_tolerance is 0; expected a positive"),
        (asking("maximum_number_of_integrator_steps", "-1"), "integrator_steps is -1; expected a positive"),
        (asking("maximum_integrator_step_size", "1e-9"), "step_size 1e-09 is less than the minimum, 1e-08"),
        (OLD.replace("loads.xml", "grf.mot"), "external_loads_file is 'grf.mot'.*expected an .xml"),
    ],
)
def test_damage_is_named(tmp_path: Path, text: str, message: str) -> None:
    check_damage_is_named(read_forward_setup, write(tmp_path, text), message)


def test_missing_files_and_other_tools(opensim_models: Path, tmp_path: Path) -> None:
    other = opensim_models / "Pipelines/Gait10dof18musc/ID/walk_Setup_ID.xml"
    message = "which `opensim-inertia id` and `recruit` read; expected"
    refuses_missing_files_and_other_tools(read_forward_setup, tmp_path, other, message)

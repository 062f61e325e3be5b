"""A model and a state made from a Forward Tool setup: as OpenSim's own tool makes them."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.forward_tool import run_tool

from opensim_inertia import InertialModel
from opensim_inertia.errors import FileFormatError, ModelError, UnknownNameError
from opensim_inertia.files import ForwardSetup, read_forward_setup, write_table
from opensim_inertia.opensim_model.reading.loading import load_model
from opensim_inertia.opensim_model.setups import loads as loads_module
from opensim_inertia.opensim_model.setups.driven_model import driven_model
from opensim_inertia.opensim_model.setups.loads import Loads

MUSCLES = ("TRIlong", "TRIlat", "TRImed", "BIClong", "BICshort", "BRA")
TIMES = np.linspace(0.0, 0.1, 11)
CONTROL_SET = '<ControlSetController name="c"><controls_file>{}</controls_file></ControlSetController>'
PRESCRIBED = '<PrescribedController name="p"><controls_file>{}</controls_file></PrescribedController>'
LISTED = '<PrescribedController name="l"><actuator_list>{}</actuator_list>{}</PrescribedController>'
FUNCTIONS = (
    '<FunctionSet name="ControlFunctions"><objects><Constant name="a"><value>0.3</value></Constant>'
    '<Constant name="b"><value>0.4</value></Constant></objects></FunctionSet>'
)


def write_controls(path: Path, names: Sequence[str]) -> pd.DataFrame:
    """Controls that differ, and are not straight in time."""
    columns = {name: 0.1 + 0.1 * i + 20 * TIMES**2 for i, name in enumerate(names)}
    table = pd.DataFrame(columns, index=pd.Index(TIMES, name="time"))
    write_table(table, path)
    return table


def write_control_set(path: Path, table: pd.DataFrame, version: int | None = 40000, extra: str = "") -> None:
    def linear(name: str) -> str:
        cells = table[name].items()
        nodes = "".join(f"<ControlLinearNode><t>{t}</t><value>{v}</value></ControlLinearNode>" for t, v in cells)
        return f'<ControlLinear name="{name}">{extra}<x_nodes>{nodes}</x_nodes></ControlLinear>'

    text = f"<ControlSet><objects>{''.join(map(linear, table.columns))}</objects></ControlSet>"
    path.write_text(text if version is None else f'<OpenSimDocument Version="{version}">{text}</OpenSimDocument>')


def controls_of(model: osim.Model, times: np.ndarray) -> np.ndarray:
    """Controls at some times, of a copy that was made as InertialModel makes its own."""
    copy = osim.Model(model)
    state = copy.initSystem()
    rows = []
    for time in times:
        state.setTime(float(time))
        copy.realizeVelocity(state)
        rows.append(copy.getControls(state).to_numpy().copy())
    return np.array(rows)


def test_controls_are_the_files(setup_of: Callable[..., ForwardSetup], tmp_path: Path) -> None:
    """At the rows and between them; a muscle's column may be called as CMC calls it."""
    names = [*MUSCLES[:3], "BIClong.excitation"]
    table = write_controls(tmp_path / "c.sto", names)
    write_control_set(tmp_path / "c.xml", table)
    times = np.array([0.0, 0.013, 0.05, 0.0777, 0.1])
    expected = np.column_stack([np.interp(times, TIMES, table[name]) for name in names])
    for file in ("c.sto", "c.xml"):
        driven, uncontrolled = driven_model(setup_of().model_file, setup_of(CONTROL_SET.format(file)))
        controls = controls_of(driven, times)
        np.testing.assert_allclose(controls[:, :4], expected, rtol=1e-13)
        assert (controls[:, 4:] == 0).all()
        assert uncontrolled == ("BICshort", "BRA")


@pytest.mark.parametrize(
    "controllers",
    [
        pytest.param([CONTROL_SET.format("c.sto")], marks=pytest.mark.slow),
        [CONTROL_SET.format("c.xml")],
        [CONTROL_SET.format("steps.xml")],
        pytest.param([PRESCRIBED.format("c.sto")], marks=pytest.mark.slow),
        [PRESCRIBED.format("paths.sto")],
        [PRESCRIBED.replace("</P", "<interpolation_method>0</interpolation_method></P").format("c.sto")],
        [PRESCRIBED.replace("</P", "<interpolation_method>5</interpolation_method></P").format("c.sto")],
        pytest.param([LISTED.format("BRA TRIlong", FUNCTIONS)], marks=pytest.mark.slow),
        [LISTED.format("BRA TRIlong", FUNCTIONS + "<controls_file>c.sto</controls_file>")],
        [CONTROL_SET.format("c.sto"), PRESCRIBED.format("c.sto"), LISTED.format("BRA BICshort", FUNCTIONS)],
        [CONTROL_SET.format("c.sto").replace("</C", "<enabled>false</enabled></C", 1)],
        [CONTROL_SET.format("c.sto").replace(' name="c"', "")] * 2,
    ],
)
def test_controls_are_opensims(
    setup_of: Callable[..., ForwardSetup], tmp_path: Path, controllers: list[str], arm26: Path
) -> None:
    """Whatever drives the muscles, its controls are those of a run of OpenSim's tool, also in an InertialModel."""
    table = write_controls(tmp_path / "c.sto", MUSCLES[:3])
    write_control_set(tmp_path / "c.xml", table)
    write_control_set(tmp_path / "steps.xml", table, None, "<use_steps>true</use_steps>")
    write_controls(tmp_path / "paths.sto", ["/forceset/BRA", "/forceset/BIClong"])
    setup = setup_of(*controllers, final_time=0.015)
    driven, uncontrolled = driven_model(arm26, setup)
    _, controls = run_tool(setup)
    assert tuple(controls.columns) == MUSCLES
    inertial = InertialModel(driven, {"BRA": 0.1}).model
    for model in (driven, inertial):
        np.testing.assert_allclose(controls_of(model, controls.index.to_numpy()), controls, rtol=1e-12, atol=1e-15)
    still = controls.columns[(controls == 0).all()]
    assert set(uncontrolled) == set(still)


def test_controllers_with_paths(setup_of: Callable[..., ForwardSetup], arm26: Path) -> None:
    """Since OpenSim 4.6 controllers list their actuators by path."""
    paths = LISTED.replace("actuator_list", "socket_actuators").format("/forceset/BRA /forceset/TRIlong", FUNCTIONS)
    driven, _ = driven_model(arm26, setup_of(paths, version=40600))
    np.testing.assert_array_equal(controls_of(driven, TIMES[:1]), [[0.4, 0, 0, 0, 0, 0.3]])


def test_old_setup_with_old_controls(arm26: Path, tmp_path: Path) -> None:
    """A setup of OpenSim 1, whose files are left as they are."""
    table = write_controls(tmp_path / "c.sto", MUSCLES)
    write_control_set(tmp_path / "c.xml", table, None)
    before = (tmp_path / "c.xml").read_bytes()
    (tmp_path / "setup.xml").write_text('<ForwardTool name="x"><controls_file>c.xml</controls_file></ForwardTool>')
    driven, uncontrolled = driven_model(arm26, read_forward_setup(tmp_path / "setup.xml"))
    np.testing.assert_allclose(controls_of(driven, TIMES), table, rtol=1e-13)
    assert uncontrolled == ()
    assert (tmp_path / "c.xml").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["c.sto", "c.xml", "setup.xml"]


def test_a_models_own_controllers_count(setup_of: Callable[..., ForwardSetup], arm26: Path) -> None:
    model = osim.Model(str(arm26))
    brain = osim.PrescribedController()
    brain.addActuator(model.getMuscles().get("BRA"))
    brain.prescribeControlForActuator("BRA", osim.Constant(0.25))
    model.addController(brain)
    brain.thisown = False
    model.initSystem()  # or OpenSim's copy would not know whom it drives
    driven, uncontrolled = driven_model(model, setup_of(LISTED.format("BRA TRIlong", FUNCTIONS)))
    np.testing.assert_allclose(controls_of(driven, TIMES[:1]), [[0.4, 0, 0, 0, 0, 0.55]])
    assert uncontrolled == MUSCLES[1:5]


@pytest.mark.parametrize("replace", ["true", "false"])
def test_force_sets(setup_of: Callable[..., ForwardSetup], tmp_path: Path, arm26: Path, replace: str) -> None:
    """They come in place of the model's forces, or after them; a name that is there stays OpenSim's first."""
    actuator = '<CoordinateActuator name="{}"><coordinate>r_elbow_flex</coordinate></CoordinateActuator>'
    forces = "".join(map(actuator.format, ("reserve", "BRA")))
    text = f'<OpenSimDocument Version="30000"><ForceSet name="r"><objects>{forces}</objects></ForceSet>'
    (tmp_path / "f.xml").write_text(text + "</OpenSimDocument>")
    write_controls(tmp_path / "c.sto", ["reserve", "BRA"])
    setup = setup_of(CONTROL_SET.format("c.sto"), force_set_files="f.xml", replace_force_set=replace, final_time=0.002)
    driven, uncontrolled = driven_model(arm26, setup)
    names = [force.getName() for force in driven.getForceSet()]
    assert names == (["reserve", "BRA"] if replace == "true" else [*MUSCLES, "reserve"])
    assert uncontrolled == (() if replace == "true" else MUSCLES[:5])
    states, controls = run_tool(setup)
    assert sorted(controls.columns) == sorted(names)
    np.testing.assert_allclose(controls_of(driven, controls.index.to_numpy()), controls, rtol=1e-12)
    assert states.shape[1] == driven.getNumStateVariables()
    assert sorted(os.listdir(tmp_path)) == ["c.sto", "f.xml", "out", "setup.xml"]


def test_missing_or_damaged_controls_are_named(
    setup_of: Callable[..., ForwardSetup], tmp_path: Path, arm26: Path
) -> None:
    good = write_controls(tmp_path / "good.sto", ["BRA"])
    write_control_set(tmp_path / "good.xml", good)
    text = (tmp_path / "good.xml").read_text()
    empty = '<OpenSimDocument Version="40000"><ControlSet/></OpenSimDocument>'
    constant = (
        '<ControlSet><objects><ControlConstant name="BRA"><value>0.2</value></ControlConstant></objects></ControlSet>'
    )
    files = {
        "c.sto": (tmp_path / "good.sto").read_text().replace("0.1", "x", 1),
        "nan.sto": (tmp_path / "good.sto").read_text().replace("\t0.1", "\tnan", 1),
        "cut.xml": text[:200],
        "model.xml": '<OpenSimDocument Version="40000"><Model/></OpenSimDocument>',
        "nan.xml": re.sub("<value>0.3[0-9]*", "<value>nan", text),
        "constant.xml": empty.replace("<ControlSet/>", constant),
        "word.xml": text.replace("<value>0.1<", "<value>much<", 1),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    for name, message in (
        ("none.sto", "no such file"),
        ("none.xml", "no such file"),
        ("c.sto", "'x' is not a number"),
        ("nan.sto", r"column '.*BRA.*' is nan at time 0 s \(row 1\)"),
        ("cut.xml", "not a well-formed XML"),
        ("model.xml", "it holds <Model>; expected a table of controls .*ControlSet"),
        ("nan.xml", "the control of 'BRA' is not finite at all times"),
        ("constant.xml", "OpenSim does not read a <ControlConstant>; expected a <ControlLinear>"),
        ("word.xml", "OpenSim cannot read it.*'much'"),
    ):
        with pytest.raises(FileFormatError, match=message) as caught:
            driven_model(arm26, setup_of(CONTROL_SET.format(name)))
        assert caught.value.path == str(tmp_path / name)
    for name, message in (("none.sto", "no such file"), ("good.xml", "not an OpenSim table")):
        with pytest.raises(FileFormatError, match=message) as caught:
            driven_model(arm26, setup_of(PRESCRIBED.format(name)))
        assert caught.value.path == str(tmp_path / name)


def test_controllers_that_do_not_fit_are_named(
    setup_of: Callable[..., ForwardSetup], tmp_path: Path, arm26: Path
) -> None:
    for name in ("BRAA", "BRAA.excitation"):
        table = write_controls(tmp_path / "c.sto", ["TRIlong", name])
        write_control_set(tmp_path / "c.xml", table)
        for file in ("c.sto", "c.xml"):
            with pytest.raises(UnknownNameError, match=f"actuator 'BRAA' in controls .*{file}.*'BRA'"):
                driven_model(arm26, setup_of(CONTROL_SET.format(file)))
        with pytest.raises(UnknownNameError, match=f"actuator '{name}' in controls .*c.sto"):
            driven_model(arm26, setup_of(PRESCRIBED.format("c.sto")))
    with pytest.raises(UnknownNameError, match=r"'BRAA' in PrescribedController 'l' of .*setup.xml.*'BRA'"):
        driven_model(arm26, setup_of(LISTED.format("BRAA TRIlong", FUNCTIONS)))
    for controllers, message in (
        (LISTED.format("BRA TRIlat TRIlong", FUNCTIONS), r"control functions \(2\) does not match"),
        (CONTROL_SET.format(""), "ControlSetController 'c' names no controls_file"),
    ):
        with pytest.raises(FileFormatError, match=message) as caught:
            driven_model(arm26, setup_of(controllers))
        assert caught.value.path == str(tmp_path / "setup.xml")


def test_forces_that_do_not_fit_are_named(setup_of: Callable[..., ForwardSetup], tmp_path: Path, arm26: Path) -> None:
    path, setup = tmp_path / "f.xml", tmp_path / "setup.xml"
    document = '<OpenSimDocument Version="40000">{}</OpenSimDocument>'
    actuator = '<ForceSet><objects><CoordinateActuator name="a">{}</CoordinateActuator></objects></ForceSet>'
    for text, where, message in (
        (None, path, "no such file"),
        ("<", path, "not a well-formed XML"),
        (document.format("<Model/>"), path, "it holds <Model>; expected a set of forces"),
        (document.format("<ForceSet><objects><Rope/></objects></ForceSet>"), path, "OpenSim cannot read it.*Rope"),
        (document.format(actuator.format("<optimal_force>big</optimal_force>")), setup, "forces of f.xml do not fit"),
        (document.format(actuator.format("<coordinate>elbow</coordinate>")), setup, "do not fit the model: .*elbow"),
    ):
        if text is not None:
            path.write_text(text)
        with pytest.raises(FileFormatError, match=message) as caught:
            driven_model(arm26, setup_of(force_set_files="f.xml"))
        assert caught.value.path == str(where)
    with pytest.raises(ModelError, match="does not exist"):
        driven_model(tmp_path / "none.osim", setup_of())


FOLDER = "Pipelines/Gait10dof18musc"
LOADS = f"{FOLDER}/ExperimentalData/subject01_walk_grf.xml"
CLOSE = 1e-11  # Of the largest value in the table: rounding of the interpolation is 1e-15


@pytest.fixture(scope="module")
def walker(opensim_models: Path) -> osim.Model:
    """The model that walks, initialised."""
    model = load_model(opensim_models / f"{FOLDER}/OutputReference/subject01.osim")
    model.initSystem()
    return model


def external_forces(model: osim.Model) -> list[osim.ExternalForce]:
    components = list(map(osim.ExternalForce.safeDownCast, model.getComponentsList()))
    return [force for force in components if force is not None]


def test_interpolated_loads_are_those_of_opensims_external_force(opensim_models: Path, walker: osim.Model) -> None:
    """At, between and beyond the rows of measured ground reactions, and at the ends of parts of the table."""
    loads = Loads(opensim_models / LOADS)
    model, _ = loads.added_to(walker)
    forces = {force.getName(): force for force in external_forces(model)}
    rows = loads.times
    assert len(rows) > 1000 and set(forces) == {"right", "left"}
    everywhere = np.sort(np.random.default_rng(0).uniform(rows[0] - 0.002, rows[-1] + 0.002, 500))
    for times in (everywhere, rows[::100], np.array([1.2345]), np.array([rows[-1] + 0.001]), rows[:3] + 1e-4):
        of_load = loads.at(times)
        for name, force in forces.items():
            getters = (force.getForceAtTime, force.getPointAtTime, force.getTorqueAtTime)
            expected = np.array([np.concatenate([ask(time).to_numpy() for ask in getters]) for time in times.tolist()])
            ours = np.hstack(of_load[name])
            sizes = np.abs(loads.values(name)).max(axis=0)
            assert (np.abs(ours - expected) <= CLOSE * sizes).all()
    linear = np.interp(everywhere, rows, loads.values("right")[:, 1])
    right = loads.at(everywhere)["right"][0][:, 1]
    assert np.abs(linear - right).max() > 1.0  # [N]; a line would not do


def test_forces_on_coordinates_are_opensims(
    opensim_models: Path, walker: osim.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the times that a long table is brought to, visited in any order."""
    monkeypatch.setattr(loads_module, "LONG", 100)
    loads = Loads(opensim_models / LOADS)
    rng = np.random.default_rng(1)
    times = np.sort(np.r_[rng.uniform(0, 2.5, 300), -0.001, 2.501])
    (resampled, at_times), (whole, state) = loads.added_to(walker, times), loads.added_to(walker)
    solvers = osim.InverseDynamicsSolver(resampled), osim.InverseDynamicsSolver(whole)
    still = osim.Vector(state.getNU(), 0.0)
    ours, expected = np.empty((2, len(times), state.getNU()))
    for row in rng.permutation(len(times)).tolist():
        for solver, solved, own in zip(solvers, (ours, expected), (at_times, state), strict=True):
            own.setTime(times[row])
            solved[row] = solver.solve(own, still).to_numpy()
    assert (ours != expected).any()  # rounding
    assert (np.abs(ours - expected).max(axis=0) <= CLOSE * np.abs(expected).max(axis=0)).all()
    assert np.ptp(expected[:, 2]) > 100  # [N]: they do act

"""What is damaged, the command that then reads it, and what stock OpenSim does with the same files."""

import csv
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from oracles.mass_tables import new_table

from opensim_inertia._core.opensim import osim
from opensim_inertia.analyses.length_polynomials import fit_length_polynomials, load_length_polynomials
from opensim_inertia.cli import main
from opensim_inertia.demo import write_demo
from opensim_inertia.errors import InertiaError
from opensim_inertia.files import read_table, write_table
from opensim_inertia.files.documents import checksum
from opensim_inertia.model import InertialModel
from opensim_inertia.muscles.masses import read_masses, write_masses
from opensim_inertia.opensim_model.reading.motion import load_motion

from .draws import Draw

#: How numbers that are not finite are written, in small letters.
NOT_FINITE = {"nan", "inf", "-inf", "infinity", "-infinity"}
BEYOND_REASON = 1e12  # No answer holds a larger number
AS_GIVEN = ("m", "masses", "findings")  # Files that hold numbers of the input again
SECONDS = 0.01  # How long simulations are [s]

LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>
<ExternalForce name="push">
<applied_to_body>calcn_r</applied_to_body>
<force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>force_</force_identifier>
<point_identifier>point_</point_identifier>
<torque_identifier>torque_</torque_identifier>
</ExternalForce></objects><groups />
<datafile>grf.mot</datafile>
</ExternalLoads></OpenSimDocument>
"""
FORWARD = f"""<OpenSimDocument Version="40000"><ForwardTool name="swing">
<model_file>leg.osim</model_file>
<replace_force_set>false</replace_force_set>
<force_set_files>forces.xml</force_set_files>
<results_directory>forward</results_directory>
<initial_time>0</initial_time>
<final_time>{SECONDS}</final_time>
<solve_for_equilibrium_for_auxiliary_states>true</solve_for_equilibrium_for_auxiliary_states>
<maximum_number_of_integrator_steps>20000</maximum_number_of_integrator_steps>
<maximum_integrator_step_size>1</maximum_integrator_step_size>
<minimum_integrator_step_size>1e-08</minimum_integrator_step_size>
<integrator_error_tolerance>1e-05</integrator_error_tolerance>
<states_file>states.sto</states_file>
<external_loads_file>loads.xml</external_loads_file>
<ControllerSet><objects>
<ControlSetController name="controls">
<controls_file>controls.xml</controls_file>
</ControlSetController>
<PrescribedController name="constant">
<actuator_list>tib_ant_r</actuator_list>
<FunctionSet name="ControlFunctions"><objects>
<Constant name="tib_ant_r">
<value>0.2</value>
</Constant></objects></FunctionSet>
</PrescribedController></objects></ControllerSet>
</ForwardTool></OpenSimDocument>
"""
RECRUIT = """<OpenSimDocument Version="40000"><AnalyzeTool name="leg">
<model_file>leg.osim</model_file>
<replace_force_set>false</replace_force_set>
<force_set_files>actuators.xml</force_set_files>
<results_directory>recruited</results_directory>
<initial_time>0.1</initial_time>
<final_time>0.2</final_time>
<AnalysisSet><objects>
<StaticOptimization name="StaticOptimization">
<on>true</on>
<step_interval>6</step_interval>
<use_model_force_set>true</use_model_force_set>
<activation_exponent>2</activation_exponent>
<use_muscle_physiology>true</use_muscle_physiology>
</StaticOptimization>
<JointReaction name="JointReaction">
<joint_names>ankle_r knee_r</joint_names>
<apply_on_bodies>child parent</apply_on_bodies>
<express_in_frame>ground child</express_in_frame>
</JointReaction></objects></AnalysisSet>
<external_loads_file>loads.xml</external_loads_file>
<states_file></states_file>
<coordinates_file>swing.mot</coordinates_file>
<speeds_file>speeds.sto</speeds_file>
<lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
</AnalyzeTool></OpenSimDocument>
"""
CONTROLS = """<OpenSimDocument Version="40000"><ControlSet name="controls"><objects>
<ControlLinear name="soleus_r.excitation">
<is_model_control>true</is_model_control>
<x_nodes>
<ControlLinearNode><t>0</t><value>0.1</value></ControlLinearNode>
<ControlLinearNode><t>1</t><value>0.5</value></ControlLinearNode>
</x_nodes>
</ControlLinear></objects></ControlSet></OpenSimDocument>
"""
FORCES = """<OpenSimDocument Version="40000"><ForceSet name="more"><objects>
<CoordinateActuator name="knee_motor">
<coordinate>knee_angle_r</coordinate>
<optimal_force>10</optimal_force>
</CoordinateActuator>
<BushingForce name="bush">
<socket_frame1>/bodyset/tibia_r</socket_frame1>
<socket_frame2>/bodyset/calcn_r</socket_frame2>
<rotational_stiffness>1 1 1</rotational_stiffness>
</BushingForce></objects><groups /></ForceSet></OpenSimDocument>
"""


@dataclass(frozen=True)
class Case:
    """One damaged file and what is done with it."""

    file: str
    run: Callable[[], int]
    stock: Callable[[], int] | None


def write_scene(folder: Path) -> None:
    write_demo(folder)
    times = np.arange(0.0, 0.61, 0.01)
    columns = [f"{what}_{axis}" for what in ("force", "point", "torque") for axis in "xyz"]
    forces = np.column_stack([5.0 * np.sin(9.0 * times + i) for i in range(len(columns))])
    write_table(pd.DataFrame(forces, index=times, columns=columns), folder / "grf.mot")
    texts = {
        "recruit.xml": RECRUIT,
        "loads.xml": LOADS,
        "forward.xml": FORWARD,
        "controls.xml": CONTROLS,
        "forces.xml": FORCES,
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    setup = (folder / "setup_id.xml").read_text()
    setup = setup.replace("<external_loads_file>", "<external_loads_file>loads.xml")
    (folder / "setup_loads.xml").write_text(setup.replace("for_coordinates>-1<", "for_coordinates>6<"))
    model = osim.Model(str(folder / "leg.osim"))
    state = model.initSystem()
    names = model.getStateVariableNames()
    labels = [names.get(i) for i in range(names.getSize())]
    rows = np.tile(model.getStateVariableValues(state).to_numpy(), (2, 1))
    write_table(pd.DataFrame(rows, index=[0.0, 1.0], columns=labels), folder / "states.sto")
    _write_recruitment(folder, model)
    fit_length_polynomials(folder / "leg.osim", poses=60, progress=False).save(folder / "lengths.json")
    (folder / "seed.txt").write_text("1")  # no masses: one that is used without any damage


def _write_recruitment(folder: Path, model: osim.Model) -> None:
    """Write actuators on all coordinates, and speeds of the demo's swing."""
    actuators = osim.ForceSet()
    for coordinate in model.getCoordinateSet():
        actuator = osim.CoordinateActuator(coordinate.getName())
        actuator.setName(f"{coordinate.getName()}_motor")
        actuator.setOptimalForce(50.0)
        actuators.cloneAndAppend(actuator)
    actuators.printToXML(str(folder / "actuators.xml"))
    motion = load_motion(folder / "swing.mot", model, [c.getName() for c in model.getCoordinateSet()])
    speeds = pd.DataFrame(motion.u, index=motion.times, columns=[f"{name}_u" for name in motion.coordinate_names])
    write_table(speeds, folder / "speeds.sto", in_degrees=False)


def _command(*arguments: str) -> Callable[[], int]:
    return lambda: main(list(arguments))


def _with_its_checksum(file: str, run: Callable[[], int]) -> Callable[[], int]:
    """Return a run on a damaged document whose checksum is made to fit, so that the numbers themselves are read."""

    def run_with_checksum() -> int:
        try:
            document = json.loads(Path(file).read_text())
            del document["sha256"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return run()  # damaged beyond JSON: as it is
        Path(file).write_text(json.dumps(document | {"sha256": checksum(document)}))
        return run()

    return run_with_checksum


def _stock_id(setup: str) -> Callable[[], int]:
    return lambda: 0 if osim.InverseDynamicsTool(setup, True).run() else 2


def _stock_forward(setup: str) -> Callable[[], int]:
    return lambda: 0 if osim.ForwardTool(setup, True, True).run() else 2


def _stock_analyze() -> int:
    return 0 if osim.AnalyzeTool("recruit.xml").run() else 2


def _stock_model() -> int:
    model = osim.Model("leg.osim")
    state = model.initSystem()
    model.equilibrateMuscles(state)
    model.realizeAcceleration(state)
    for muscle in list(model.getMuscles()):
        muscle.getGeometryPath().getCurrentPath(state)
    manager = osim.Manager(model)
    manager.initialize(state)
    manager.integrate(SECONDS)
    return 0


def _check(*arguments: str) -> Callable[[], int]:
    """Return what checks files: its exit codes 1 and 2 are no failures where it has told findings."""

    def run() -> int:
        code = main(["check", *arguments, "--json", "out/findings.json"])
        return 0 if code in (1, 2) and Path("out", "findings.json").is_file() else code

    return run


def _refused(error: InertiaError) -> int:
    """Tell an error in one line, as commands do, and return their exit code."""
    print("opensim-inertia: error:", " ".join(str(error).split()), file=sys.stderr)
    return 2


def _use_lengths() -> int:
    """Load polynomials of lengths and evaluate them; errors are told as commands tell them."""
    try:
        fitted = load_length_polynomials("lengths.json", "leg.osim")
        poses = pd.DataFrame([[0.1] * len(fitted.coordinate_names)], columns=list(fitted.coordinate_names))
        tables = [fitted.lengths(poses), *(fitted.moment_arms(muscle, poses) for muscle in fitted.muscle_names)]
    except InertiaError as error:
        return _refused(error)
    return 0 if all(np.isfinite(table.to_numpy()).all() for table in tables) else 1


def _use_masses() -> int:
    """Give a model masses of any kind, drawn by the seed in the file; errors are told as commands tell them."""
    draw = Draw(int(Path("seed.txt").read_text()))
    masses = draw.mass_dict() if draw.random() < 0.5 else draw.mass_table()
    try:
        InertialModel(osim.Model("leg.osim"), masses)
    except InertiaError as error:
        return _refused(error)
    return 0


def _write_and_read() -> int:
    """Write and read tables of any cells, drawn by the seed in the file: they come back to the bit."""
    draw = Draw(int(Path("seed.txt").read_text()))
    labels = [f"q{i}" for i in range(draw.randint(1, 4))]
    times = pd.Index(0.1 * np.arange(draw.randint(1, 5)), name="time")
    cells = [[draw.number() for _ in labels] for _ in times]
    write_table(pd.DataFrame(cells, index=times, columns=labels), Path("table.sto"))
    names = [f"m{i}" for i in range(draw.randint(0, 4))]
    masses, sources = [draw.number(0.0) for _ in names], [draw.text(20, 1) for _ in names]
    write_masses(new_table(names, masses, names, sources), Path("table.csv"))
    again = read_masses(Path("table.csv"))
    same = again["mass"].tolist() == masses and again["source"].tolist() == sources
    return 0 if same and np.array_equal(read_table(Path("table.sto")).to_numpy(), cells) else 1


ID, ID_LOADS = ("id", "setup_id.xml", "--out", "out"), ("id", "setup_loads.xml", "--out", "out")
QUICK = ("--masses", "masses.csv", "--no-warn-wraps")
SIMULATE = ("simulate", "leg.osim", "--t-final", str(SECONDS), "--out", "out", "--lumped")
FORWARD_SETUP = ("simulate", "--setup", "forward.xml", "--out", "out", *QUICK)
RECRUITED = ("recruit", "recruit.xml", "--out", "out", *QUICK)
RANK = ("rank", "leg.osim", "-o", "out/shares.csv", "--plot", "out/shares.png")
CHECKED = ("leg.osim", "--motion", "swing.mot", "--external-loads", "loads.xml", "--quick")

CASES: dict[str, list[Case]] = {
    "models": [
        Case("leg.osim", _command("masses", "leg.osim", "-o", "out/m.csv", "--plot", "out/m.png"), _stock_model),
        Case("leg.osim", _command(*RANK), _stock_model),
        Case("leg.osim", _command("wraps", "leg.osim", "--poses", "5", "-o", "out/w.csv"), _stock_model),
        Case("leg.osim", _command(*SIMULATE), _stock_model),
        Case("leg.osim", _command(*SIMULATE, *QUICK, "--strain", "uniform", "--wrapping", "opensim"), _stock_model),
        Case("leg.osim", _command(*ID, *QUICK, "--no-band"), _stock_id("setup_id.xml")),
        Case("leg.osim", _command(*ID, "--unsupported", "massless"), _stock_model),
    ],
    "motions": [
        Case("swing.mot", _command(*ID, *QUICK, "--no-band"), _stock_id("setup_id.xml")),
        Case("swing.mot", _command(*ID_LOADS, *QUICK, "--no-band", "--trc"), _stock_id("setup_loads.xml")),
        Case("swing.mot", _command(*RANK, "--motion", "swing.mot"), None),
        Case("swing.mot", _command("masses", "leg.osim", "--reference", "swing.mot", "-o", "out/m.csv"), None),
    ],
    "loads": [
        Case("loads.xml", _command(*ID_LOADS, *QUICK, "--no-band"), _stock_id("setup_loads.xml")),
        Case("grf.mot", _command(*ID_LOADS, *QUICK, "--no-band"), _stock_id("setup_loads.xml")),
        Case("loads.xml", _command(*SIMULATE, *QUICK, "--external-loads", "loads.xml"), _stock_forward("forward.xml")),
        Case("grf.mot", _command(*SIMULATE, *QUICK, "--external-loads", "loads.xml"), _stock_forward("forward.xml")),
    ],
    "setups": [
        Case("setup_id.xml", _command(*ID, *QUICK, "--no-band"), _stock_id("setup_id.xml")),
        Case("setup_loads.xml", _command(*ID_LOADS, *QUICK, "--no-band"), _stock_id("setup_loads.xml")),
        *(
            Case(file, _command(*FORWARD_SETUP), _stock_forward("forward.xml"))
            for file in ("forward.xml", "forward.xml", "controls.xml", "forces.xml", "states.sto")
        ),
    ],
    "recruitment": [
        *(
            Case(file, _command(*RECRUITED), _stock_analyze)
            for file in ("recruit.xml", "recruit.xml", "recruit.xml", "actuators.xml", "actuators.xml", "speeds.sto")
        ),
        Case("recruit.xml", _command(*RECRUITED, "--criterion", "min_max", "--passive"), _stock_analyze),
        Case("actuators.xml", _command(*RECRUITED, "--power", "3", "--kind", "lumped"), _stock_analyze),
    ],
    "masses": [
        Case("masses.csv", _command(*ID, *QUICK, "--per-muscle", "ankle_angle_r"), None),
        Case("masses.csv", _command("masses", "leg.osim", "--masses", "masses.csv", "-o", "out/m.csv"), None),
        Case("masses.csv", _command(*SIMULATE, *QUICK), None),
        Case("masses.csv", _command(*RANK, *QUICK), None),
    ],
    "polynomials": [
        Case("lengths.json", _use_lengths, None),
        Case("lengths.json", _with_its_checksum("lengths.json", _use_lengths), None),
        Case("leg.osim", _command("fit-lengths", "leg.osim", "--poses", "40", "-o", "out/lengths.json"), _stock_model),
        Case("swing.mot", _command("fit-lengths", "leg.osim", "--motion", "swing.mot", "-o", "out/lengths.json"), None),
    ],
    "checks": [
        Case("leg.osim", _check("leg.osim", "--quick"), _stock_model),
        Case("leg.osim", _check("leg.osim"), _stock_model),
        *(Case(file, _check(*CHECKED), _stock_id("setup_loads.xml")) for file in ("swing.mot", "grf.mot", "loads.xml")),
        Case("setup_loads.xml", _check("setup_loads.xml", "--quick"), _stock_id("setup_loads.xml")),
        Case("forward.xml", _check("forward.xml", "--quick"), _stock_forward("forward.xml")),
    ],
    "draws": [Case("seed.txt", _use_masses, None), Case("seed.txt", _write_and_read, None)],
}
if find_spec("daqp") is None:  # recruitment needs it
    del CASES["recruitment"]


def wrong_in(folder: Path, output: str = "") -> list[str]:
    """Return what is not finite, or beyond reason, in the files that a command wrote, and what it left over."""
    wrong = []
    not_finite = NOT_FINITE - {"nan"} if "have no answer" in output else NOT_FINITE
    for file in sorted(folder.rglob("*")):
        if file.name.startswith("."):
            wrong.append(f"{file.name} is left over")
        elif file.suffix in (".sto", ".csv", ".trc", ".json"):
            cells = _cells(file)
            wrong += [
                f"{file.name} has '{cell}'"
                for cell in sorted((not_finite if file.suffix == ".sto" else NOT_FINITE) & cells)
            ]
            if file.stem not in AS_GIVEN:
                wrong += [f"{file.name} has {cell}" for cell in sorted(cells) if _size(cell) > BEYOND_REASON]
    return wrong


def _size(cell: str) -> float:
    try:
        return abs(float(cell))
    except ValueError:
        return 0.0


def _cells(file: Path) -> set[str]:
    """Return the cells of a table, or the constants of a JSON file that are no JSON, in small letters."""
    with open(file, encoding="utf-8", newline="") as text:
        if file.suffix == ".json":
            constants: list[str] = []
            json.load(text, parse_constant=constants.append)
            return {constant.lower() for constant in constants}
        rows = list(csv.reader(text, delimiter="," if file.suffix == ".csv" else "\t"))
        texts = [i for i, label in enumerate(rows[0]) if label.endswith(("source", "coordinate", "muscle"))]
        return {cell.strip().lower() for row in rows for i, cell in enumerate(row) if i not in texts}

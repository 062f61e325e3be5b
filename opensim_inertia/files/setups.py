"""Setups of OpenSim's tools, and folders of trials."""

from __future__ import annotations

import glob
import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path, PureWindowsPath
from typing import Any, cast

from .._core.checks import check_names, file_content
from .._core.choices import NO_ACTUATORS, PREFIXES, REACTION_FRAMES, SIDES, ReactionFrame, Side
from .._core.errors import FileFormatError, first_of
from .._core.opensim import osim
from .documents import load_tool, parse_document, resolved, unquoted, words

#: Tools besides the Inverse Dynamics Tool whose setups name a motion.
FOLLOWERS = ("RRATool", "CMCTool", "AnalyzeTool")
OUTPUT = "inverse_dynamics.sto"
#: Stands for all joints; case is ignored.
ALL = "all"
#: OpenSim's defaults of analyses in files.
DEFAULTS = {"on": "true", "step_interval": "1", "activation_exponent": "2", "use_muscle_physiology": "true"}
DEFAULTS |= {"use_model_force_set": "true", "joint_names": "All", "apply_on_bodies": "child"}
DEFAULTS |= {"express_in_frame": "ground"}
#: OpenSim rewrites the external loads of documents older than this version.
LOADS_IN_THEIR_OWN_FILE = 20201


@dataclass(frozen=True, kw_only=True)
class ToolSetup:
    """Fields that all setups of OpenSim's tools have; paths are absolute."""

    model_file: Path | None  # None if the setup names no model
    external_loads_file: Path | None = None  # None without external loads
    time_range: tuple[float, float] = (-math.inf, math.inf)  # first and last time [s]
    results_directory: Path  # folder of results


@dataclass(frozen=True, kw_only=True)
class MotionSetup(ToolSetup):
    """Fields of setups with a recorded motion, in addition to fields of :class:`ToolSetup`.

    Attributes:
        coordinates_file: the motion, or None if the setup names none.
        cutoff: low-pass cut-off frequency of the coordinates [Hz], or None for no filter.
        forces_to_exclude: names, groups or keywords of model forces to exclude, as in the file.
    """

    coordinates_file: Path | None
    cutoff: float | None = None
    forces_to_exclude: tuple[str, ...] = NO_ACTUATORS

    @property
    def recording(self) -> dict[str, Any]:
        """The setup's motion, external loads, cutoff and time range, as keywords of an analysis."""
        named = {"motion": self.coordinates_file, "external_loads": self.external_loads_file}
        return named | {"cutoff": self.cutoff, "time_range": self.time_range}


@dataclass(frozen=True, kw_only=True)
class InverseDynamicsSetup(MotionSetup):
    """A setup of OpenSim's Inverse Dynamics Tool: fields of :class:`MotionSetup`, and the output file."""

    output_file: Path  # file of generalized forces, in ``results_directory``


@dataclass(frozen=True, kw_only=True)
class StaticOptimizationSetup(MotionSetup):
    """A setup of OpenSim's Analyze Tool with a Static Optimization; adds fields to :class:`MotionSetup`.

    The time range is the tool's, not the analysis's.

    Attributes:
        name: name of the tool, a prefix of OpenSim's result files.
        states_file: unfiltered states that OpenSim uses instead of coordinates and speeds, or None.
        speeds_file: speeds that replace derivatives of coordinates, or None.
        force_set_files: files of forces, such as reserve and residual actuators.
        replace_force_set: whether these replace the model's forces.
        every: interval of solved time steps; the first and last are always solved.
        power: exponent of the activations.
        physiology: whether muscle strength depends on length and speed.
        reactions: joint, body ("child" or "parent") and frame ("child", "parent" or "ground") of each requested
            joint reaction; ("all", ...) for all joints.
    """

    name: str
    states_file: Path | None = None
    speeds_file: Path | None = None
    force_set_files: tuple[Path, ...] = ()
    replace_force_set: bool = False
    every: int = 1
    power: float = 2.0
    physiology: bool = True
    reactions: tuple[tuple[str, Side, ReactionFrame], ...] = ()

    @property
    def joints(self) -> str | list[str]:
        """The names of joints with requested reactions; "all" if the setup requests all joints."""
        names = [joint for joint, _, _ in self.reactions]
        return ALL if any(name.lower() == ALL for name in names) else names

    @property
    def recording(self) -> dict[str, Any]:
        """The setup's motion, external loads, cutoff, time range and speeds, as keywords of an analysis."""
        return super().recording | ({"accelerations": self.speeds_file} if self.speeds_file else {})

    @property
    def recruitment(self) -> dict[str, Any]:
        """The setup's options of recruitment, by keyword; actuators that replace the model's forces are omitted."""
        added = () if self.replace_force_set else self.force_set_files
        acting = {"actuators": added, "physiology": self.physiology, "forces_to_exclude": self.forces_to_exclude}
        return acting | {"power": self.power, "every": self.every, "joints": self.joints}

    def following(self, motion: Path | None = None) -> StaticOptimizationSetup:
        """Return the setup with coordinates from ``motion`` or, without ``motion``, from the states file, if any.

        A states file also provides speeds, and is not filtered. ``motion`` replaces separate speeds, too.
        """
        if motion is not None:
            return replace(self, coordinates_file=motion, states_file=None, speeds_file=None)
        if self.states_file is not None:
            return replace(self, coordinates_file=self.states_file, speeds_file=self.states_file, cutoff=None)
        return self


@dataclass(frozen=True)
class ControllerSetup:
    """A controller that a setup adds to the model.

    OpenSim enables a ``ControlSetController`` with a readable file even if the setup disables the controller.
    """

    name: str  # may be empty
    kind: str  # OpenSim class, such as ``ControlSetController``
    enabled: bool  # as in the setup
    controls_file: Path | None  # absolute path of the controls, or None
    actuators: tuple[str, ...]  # names or paths of actuators, as in the setup
    controller: osim.Controller = field(repr=False, compare=False)  # with the absolute path of its file


@dataclass(frozen=True, kw_only=True)
class ForwardSetup(ToolSetup):
    """A setup of OpenSim's Forward Tool; adds fields to :class:`ToolSetup`.

    Attributes:
        file: the setup file.
        name: name of the tool, a prefix of result files; may be empty.
        states_file: initial states, or None for the model's defaults.
        accuracy: the integrator's error tolerance.
        step_range: smallest and largest step of the integrator [s].
        maximum_steps: largest number of integrator steps.
        solve_for_equilibrium: whether muscles are equilibrated before the start.
        replace_force_set: whether ``force_set_files`` replace the model's forces.
        force_set_files: files of forces.
        controllers: controllers that are added to the model's.
        analyses: kinds of the tool's analyses, such as ``Kinematics``.
    """

    file: Path
    name: str
    states_file: Path | None
    accuracy: float
    step_range: tuple[float, float]
    maximum_steps: int
    solve_for_equilibrium: bool
    replace_force_set: bool
    force_set_files: tuple[Path, ...]
    controllers: tuple[ControllerSetup, ...]
    analyses: tuple[str, ...]


#: Getters of OpenSim's tools by field; the first existing one is used.
METHODS = {
    "name": ["getName"],
    "model_file": ["getModelFilename", "getModelFileName"],
    "external_loads_file": ["getExternalLoadsFileName"],
    "coordinates_file": ["getCoordinatesFileName", "getDesiredKinematicsFileName"],
    "states_file": ["getStatesFileName"],
    "speeds_file": ["getSpeedsFileName"],
    "force_set_files": ["getForceSetFiles"],
    "replace_force_set": ["getReplaceForceSet"],
    "cutoff": ["getLowpassCutoffFrequency"],
    "time_range": ["getInitialTime getFinalTime", "getStartTime getEndTime"],
    "step_range": ["getMinDT getMaxDT"],
    "results_directory": ["getResultsDir"],
    "accuracy": ["getErrorTolerance"],
    "maximum_steps": ["getMaximumNumberOfSteps"],
    "solve_for_equilibrium": ["getSolveForEquilibrium"],
}


def _fields(folder: Path, tool: Any, setup: type[ToolSetup]) -> dict[str, Any]:
    """Return an OpenSim tool's values for fields of the class ``setup``; relative paths start at ``folder``."""
    values: dict[str, Any] = {}
    for name in {entry.name for entry in fields(setup)} & METHODS.keys():
        known = [m for m in METHODS[name] if all(hasattr(tool, method) for method in m.split())]
        if not known:
            continue
        value, *others = (getattr(tool, method)() for method in known[0].split())
        if name == "force_set_files":
            files = (resolved(folder, value.get(i)) for i in range(value.getSize()))
            values[name] = tuple(file for file in files if file is not None)
        elif name == "cutoff":
            values[name] = None if value < 0 else float(value)
        elif name.endswith("_file"):
            values[name] = resolved(folder, value)
        elif name == "results_directory":
            values[name] = resolved(folder, value) or folder
        else:
            values[name] = (value, *others) if others else value
    return values


def _without_analyses(root: ElementTree.Element) -> ElementTree.Element:
    """Remove analyses from a setup, because OpenSim would open their files."""
    for analyses in root.findall(".//AnalysisSet/objects"):
        analyses.clear()
    return root


def plain_inverse_dynamics(model: Path | None, motion: Path) -> InverseDynamicsSetup:
    """Return a setup for the whole motion without a filter; actuators of the model do not act."""
    here = Path.cwd()
    return InverseDynamicsSetup(
        model_file=model, coordinates_file=motion, results_directory=here, output_file=here / OUTPUT
    )


def plain_static_optimization(like: InverseDynamicsSetup) -> StaticOptimizationSetup:
    """Return a setup of static optimization with inputs of ``like`` and, for other fields, OpenSim's defaults."""
    common = {entry.name: getattr(like, entry.name) for entry in fields(MotionSetup)}
    return StaticOptimizationSetup(name=PREFIXES["recruitment"].rstrip("_"), **common)


def read_inverse_dynamics_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    """Read a setup of inverse dynamics by OpenSim's own reader; missing entries get OpenSim's defaults.

    Setups of the RRA, CMC and Analyze Tools provide the model, the motion, its filter, external loads and times. Their
    actuators and other settings are ignored.

    Args:
        path: the setup file (``.xml``) of one of these tools. The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is for another tool, cannot be read by OpenSim, or its time
            range is not two times.
    """
    path, folder = Path(path), Path(os.path.abspath(path)).parent
    tag, _ = file_content(path)
    kind = tag if tag in FOLLOWERS else "InverseDynamicsTool"
    root = _without_analyses(parse_document(path, kind, f"a setup of OpenSim's {kind}"))
    tool = load_tool(path, lambda copy: getattr(osim, kind)(copy, False), root)
    values = _fields(folder, tool, InverseDynamicsSetup)
    if tag in FOLLOWERS:
        if tag == "AnalyzeTool" and (states := resolved(folder, tool.getStatesFileName())):
            values |= {"coordinates_file": states, "cutoff": None}
        return InverseDynamicsSetup(**values, output_file=values["results_directory"] / OUTPUT)
    values["forces_to_exclude"] = words(tool.getPropertyByName("forces_to_exclude").toString())
    output = Path(unquoted(tool.getOutputGenForceFileName()) or OUTPUT).name
    values["output_file"] = values["results_directory"] / (output if Path(output).suffix else output + ".sto")
    times = root.findtext(".//time_range")  # OpenSim reads past the end of a time range with fewer than two times
    if times is not None and not times.strip():
        values["time_range"] = -math.inf, math.inf
    elif times is not None and len(words(times)) != 2:
        raise FileFormatError(path, f"time_range is '{times.strip()}'; expected two times in seconds, or none")
    return InverseDynamicsSetup(**values)


def read_static_optimization_setup(path: str | os.PathLike[str]) -> StaticOptimizationSetup:
    """Read a setup of static optimization by OpenSim's own reader; missing entries get OpenSim's defaults.

    If a file has a Joint Reaction but no Static Optimization, OpenSim's default optimization provides the forces.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, cannot be read by OpenSim, has
            neither an enabled Static Optimization nor an enabled Joint Reaction, has a name that is invalid for files,
            or replaces the model's muscles by generic actuators.
    """
    path, kinds = Path(path), ("StaticOptimization", "JointReaction")
    root = parse_document(path, "AnalyzeTool", "a setup of OpenSim's AnalyzeTool")

    def said(element: ElementTree.Element, name: str, kind: Callable[[str], Any] = str) -> Any:
        """Return the field ``name`` of an analysis, converted by ``kind``; OpenSim's default for an empty field."""
        text = (element.findtext(name) or "").strip() or DEFAULTS[name]
        try:
            return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
        except (KeyError, ValueError):
            expected = "true or false" if kind is bool else "a number"
            raise FileFormatError(path, f"{name} of the {element.tag} is '{text}'; expected {expected}") from None

    optimization, reaction = (
        next((each for each in root.iterfind(f".//objects/{kind}") if said(each, "on", bool)), None) for kind in kinds
    )
    if optimization is None and reaction is None:
        raise FileFormatError(path, f"it has no <{kinds[0]}> or <{kinds[1]}> that is on, among its analyses")
    optimization = ElementTree.Element(kinds[0]) if optimization is None else optimization
    tool = load_tool(path, lambda copy: osim.AnalyzeTool(copy, False), _without_analyses(root))
    values = _fields(Path(os.path.abspath(path)).parent, tool, StaticOptimizationSetup)
    if not said(optimization, "use_model_force_set", bool):
        raise FileFormatError(
            path,
            "use_model_force_set is false: OpenSim then replaces all muscles by an actuator on each coordinate, and "
            "recruits none; expected true, or use opensim-inertia id",
        )
    every, power = (said(optimization, name, float) for name in ("step_interval", "activation_exponent"))
    if not math.isfinite(every) or every < 1 or every != int(every):
        raise FileFormatError(path, f"step_interval is {every:g}; expected a whole number of at least 1")
    if not 1 <= power < math.inf:
        raise FileFormatError(path, f"activation_exponent is {power:g}; expected a finite number of at least 1")
    if set(values["name"]) & set("/\\"):
        raise FileFormatError(
            path, f"the tool's name is '{values['name']}', with which names of results begin; expected no / or \\"
        )
    physiology, reactions = said(optimization, "use_muscle_physiology", bool), ()
    if reaction is not None:
        joints, columns = words(said(reaction, "joint_names")), []
        for name, allowed in (("apply_on_bodies", SIDES), ("express_in_frame", REACTION_FRAMES)):
            entries = words(said(reaction, name).lower())
            if len(entries) not in (1, len(joints)) or not set(entries) <= set(allowed):
                expected = f"expected one of {', '.join(allowed)}, or one a joint"
                raise FileFormatError(path, f"{name} is '{said(reaction, name)}'; {expected}")
            columns.append(entries * len(joints) if len(entries) == 1 else entries)
        reactions = cast(Any, tuple(zip(joints, *columns, strict=True)))
    return StaticOptimizationSetup(**values, every=int(every), power=power, physiology=physiology, reactions=reactions)


def read_forward_setup(path: str | os.PathLike[str]) -> ForwardSetup:
    """Read a setup of forward dynamics by OpenSim's own reader; old versions and missing entries are allowed.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, cannot be read by OpenSim, or has
            invalid times or integrator settings.
    """
    path, folder = Path(path), Path(os.path.abspath(path)).parent
    root = parse_document(path, "ForwardTool", "a setup of OpenSim's ForwardTool")
    tags = ("actuator_list", "socket_actuators")  # OpenSim hides old tags
    listed = [
        (each.tag, words(" ".join(child.text or "" for child in each if child.tag in tags)))
        for each in root.findall(".//ControllerSet/objects/*")
    ]
    version, loads = (root.get("Version") or "0").strip(), None
    if version.isdecimal() and int(version) < LOADS_IN_THEIR_OWN_FILE:
        loads = ""
        for element in root.iter("external_loads_file"):
            loads, element.text = unquoted(element.text or ""), ""
        if loads and not loads.lower().endswith(".xml"):
            reason = f"external_loads_file is '{loads}', as before OpenSim 2; expected an .xml of ExternalLoads"
            raise FileFormatError(path, reason)
    for element in root.iter():  # absolute paths for files of objects and of controllers
        if element.tag == "controls_file" and (file := resolved(folder, element.text or "")) is not None:
            element.text = str(file)
        if (file := resolved(folder, element.get("file", ""))) is not None:
            element.set("file", str(file))
    tool = load_tool(path, lambda copy: osim.ForwardTool(copy, True, False), root)
    values = _fields(folder, tool, ForwardSetup)
    if loads is not None:
        values["external_loads_file"] = resolved(folder, loads)
    analyses, controllers, file = tool.getAnalysisSet(), _controllers(tool, listed), folder / path.name
    kinds = tuple(analyses.get(i).getConcreteClassName() for i in range(analyses.getSize()))
    start, end = values["time_range"]
    if not (math.isfinite(start) and math.isfinite(end)):
        raise FileFormatError(file, f"initial_time is {start:g} and final_time {end:g}; expected finite times")
    if end < start:
        raise FileFormatError(file, f"final_time {end:g} is before initial_time {start:g}")
    smallest, largest = values["step_range"]
    for name, value in (
        ("integrator_error_tolerance", values["accuracy"]),
        ("minimum_integrator_step_size", smallest),
        ("maximum_integrator_step_size", largest),
        ("maximum_number_of_integrator_steps", values["maximum_steps"]),
    ):
        if not value > 0:
            raise FileFormatError(file, f"{name} is {value:g}; expected a positive number")
    if largest < smallest:
        raise FileFormatError(file, f"maximum_integrator_step_size {largest:g} is less than the minimum, {smallest:g}")
    return ForwardSetup(file=file, controllers=controllers, analyses=kinds, **values)


def _controllers(tool: osim.ForwardTool, listed: list[tuple[str, tuple[str, ...]]]) -> tuple[ControllerSetup, ...]:
    """Return the tool's controllers; ``listed`` has the class and actuators of each controller in the XML."""
    controllers = [tool.getControllerSet().get(i).clone() for i in range(tool.getControllerSet().getSize())]
    kinds = [controller.getConcreteClassName() for controller in controllers]
    actuators = [names for _, names in listed]
    if [kind for kind, _ in listed] != kinds[: len(listed)]:  # some controllers are in a separate file
        actuators = []
    actuators += [()] * (len(kinds) - len(actuators))
    found = []
    for controller, kind, names in zip(controllers, kinds, actuators, strict=False):
        entry = controller.getPropertyByName("controls_file") if controller.hasProperty("controls_file") else None
        name = unquoted(osim.PropertyHelper.getValueString(entry)) if entry is not None and entry.size() else ""
        file = Path(name) if name else None
        found.append(ControllerSetup(controller.getName(), kind, controller.isEnabled(), file, names, controller))
    return tuple(found)


#: Suffix of AddBiomechanics' setups of inverse dynamics; ``_raw`` marks setups with unprocessed forces.
SETUPS = "_id_setup.xml"
#: Suffixes of motions; .sto files may be results, so they count only if there is no .mot.
MOTIONS = (".mot", ".sto")
DATA = re.compile(rb"<datafile>\s*([^<]*?)\s*</datafile>")
COORDINATE = re.compile(rb'<Coordinate\s+name="([^"]+)"')
LABELS = re.compile(rb"^\s*time\s.*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class FolderTrial:
    """A trial found in a folder: a setup, or files of model, motion and external loads."""

    name: str
    setup: Path | None = None
    model: Path | None = None
    motion: Path | None = None
    external_loads: Path | None = None


def folder_trials(
    folder: str | os.PathLike[str], names: Iterable[str] = (), model: Path | None = None
) -> list[FolderTrial]:
    """Return the trials in a folder, one per setup or, without setups, one per motion; ``names`` selects trials."""
    folder = Path(folder)
    files = sorted(file for file in folder.rglob("*") if file.is_file() and not file.name.startswith("."))
    documents = {file: file_content(file)[0] for file in files if file.suffix.lower() == ".xml"}
    setups = [file for file, tag in documents.items() if tag == "InverseDynamicsTool"]
    setups = [file for file in setups if file.name.endswith(SETUPS)] or setups
    trials = [FolderTrial(file.name.removesuffix(SETUPS).removesuffix(".xml"), file) for file in setups]
    if not trials:
        loads = [file for file, tag in documents.items() if tag == "ExternalLoads"]
        trials = _without_setups(folder, files, loads, model)
    by_name = {trial.name: trial for trial in trials}
    if len(by_name) < len(trials):
        by_name = {(trial.setup or trial.motion or folder).relative_to(folder).as_posix(): trial for trial in trials}
    check_names("trial", names, by_name, str(folder))
    return [by_name[name] for name in (names or by_name)]


def _without_setups(folder: Path, files: list[Path], all_loads: list[Path], model: Path | None) -> list[FolderTrial]:
    """Return one trial per motion among ``files``, with a model and, if only one file fits, external loads."""
    # AddBiomechanics also writes unscaled models
    models = [file for file in files if file.suffix.lower() == ".osim" and not file.name.startswith("unscaled_")]
    names = {name for file in (models if model is None else [model]) for name in COORDINATE.findall(file.read_bytes())}
    data = {PureWindowsPath(name.decode()).name for file in all_loads for name in DATA.findall(file.read_bytes())}
    tables = [file for file in files if file.suffix.lower() in MOTIONS and file.name not in data]
    of_kind = ([f for f in tables if f.suffix.lower() == kind and names & _labels(f)] for kind in MOTIONS)
    motions = next(filter(None, of_kind), [])
    if not motions:
        there = "it has neither a setup of inverse dynamics (.xml) nor a motion (.mot, .sto) with a model (.osim)"
        raise FileFormatError(folder, there)
    trials = []
    for motion in motions:
        name = re.sub("_ik$", "", motion.stem, flags=re.IGNORECASE)
        own = [file for file in models if file.stem == motion.stem] or models
        if model is None and len(own) != 1:
            listing = first_of((file.relative_to(folder).as_posix() for file in own), 4)
            there = f"it has several models ({listing})" if own else "it has no model"
            raise FileFormatError(folder, f"{there}; say which one by --model")
        word = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])")
        loads = [file for file in all_loads if word.search(file.stem)] or (all_loads if len(motions) == 1 else [])
        trials.append(FolderTrial(name, None, model or own[0], motion, loads[0] if len(loads) == 1 else None))
    return trials


def _labels(file: Path) -> set[bytes]:
    """Return a table's column labels; paths of states are reduced to names of coordinates."""
    with file.open("rb") as table:
        line = LABELS.search(table.read(2**16))
    words = [] if line is None else line[0].split()
    return {word.removesuffix(b"/value").rpartition(b"/")[2] for word in words}


def file_beside(setup: Path, missing: Path) -> Path | None:
    """Return the only file near ``setup`` with the name of ``missing``; None if no or several files match."""
    name, here = PureWindowsPath(missing.name).name, Path(os.path.abspath(setup)).parent
    for pattern in ("", "*", "..", "../*"):
        found = [here / file for file in glob.glob(os.path.join(pattern, glob.escape(name)), root_dir=here)]
        if found:
            return Path(os.path.normpath(found[0])) if len(found) == 1 else None
    return None

"""Setup files of OpenSim's tools, read by OpenSim's own readers from a copy; paths in them become absolute."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, cast

from .._core.checks import file_content
from .._core.choices import NO_ACTUATORS, PREFIXES, REACTION_FRAMES, SIDES, ReactionFrame, Side
from .._core.errors import FileFormatError
from .._core.opensim import osim
from .documents import load_tool, parse_document, resolved, unquoted, words

#: Tools that follow a motion, besides the Inverse Dynamics Tool.
FOLLOWERS = ("RRATool", "CMCTool", "AnalyzeTool")
OUTPUT = "inverse_dynamics.sto"
#: Names all joints, in any case.
ALL = "all"
#: What OpenSim takes for what an analysis in a file leaves out.
DEFAULTS = {"on": "true", "step_interval": "1", "activation_exponent": "2", "use_muscle_physiology": "true"}
DEFAULTS |= {"use_model_force_set": "true", "joint_names": "All", "apply_on_bodies": "child"}
DEFAULTS |= {"express_in_frame": "ground"}
#: Documents older than this make OpenSim read, and rewrite, the external loads they name.
LOADS_IN_THEIR_OWN_FILE = 20201


@dataclass(frozen=True, kw_only=True)
class ToolSetup:
    """Fields of the setups of all tools.

    Paths are absolute: those in the file are relative to the file's folder.
    """

    model_file: Path | None  # the model, or None where the file names none
    external_loads_file: Path | None = None  # the external loads, or None where there are none
    time_range: tuple[float, float] = (-math.inf, math.inf)  # first and last time [s]
    results_directory: Path  # folder for the results


@dataclass(frozen=True, kw_only=True)
class MotionSetup(ToolSetup):
    """Fields of the setups of tools that follow a recorded motion, besides those of :class:`ToolSetup`.

    Attributes:
        coordinates_file: the motion, or None where the file names none.
        cutoff: low-pass cut-off frequency of the coordinates [Hz], or None for no filter.
        forces_to_exclude: names, groups or keywords of model forces that do not act, as in the file.
    """

    coordinates_file: Path | None
    cutoff: float | None = None
    forces_to_exclude: tuple[str, ...] = NO_ACTUATORS

    @property
    def recording(self) -> dict[str, Any]:
        """Options of the recording, by keyword, that the setup says."""
        named = {"motion": self.coordinates_file, "external_loads": self.external_loads_file}
        return named | {"cutoff": self.cutoff, "time_range": self.time_range}


@dataclass(frozen=True, kw_only=True)
class InverseDynamicsSetup(MotionSetup):
    """The contents of a setup of OpenSim's Inverse Dynamics Tool: fields of :class:`MotionSetup`, and its output.

    Attributes:
        output_file: the file of generalized forces, within ``results_directory``.
    """

    output_file: Path


@dataclass(frozen=True, kw_only=True)
class StaticOptimizationSetup(MotionSetup):
    """The contents of a setup of OpenSim's Analyze Tool with a Static Optimization, besides :class:`MotionSetup`.

    The time range is the tool's and not its analyses' own.

    Attributes:
        name: of the tool; OpenSim's results begin with it.
        states_file: states, which OpenSim takes in place of coordinates and speeds, and does not filter; or None.
        speeds_file: speeds, in place of the derivatives of coordinates; or None.
        force_set_files: files of forces, such as reserve and residual actuators.
        replace_force_set: whether they replace the model's own, or are added to it.
        every: each ``every``-th row of the recording is solved, and the first and last.
        power: exponent of the activations.
        physiology: whether strengths follow the muscles' lengths and speeds.
        reactions: joint, body ("child" or "parent") and axes ("child", "parent" or "ground") of each joint reaction
            asked for; ("all", ...) for all joints.
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
        """The joints whose reactions are asked for, or "all"."""
        names = [joint for joint, _, _ in self.reactions]
        return ALL if any(name.lower() == ALL for name in names) else names

    @property
    def recording(self) -> dict[str, Any]:
        """Options of the recording, by keyword, that the setup says."""
        return super().recording | ({"accelerations": self.speeds_file} if self.speeds_file else {})

    @property
    def recruitment(self) -> dict[str, Any]:
        """Options of recruitment, by keyword, that the setup says; files that replace all forces are none."""
        added = () if self.replace_force_set else self.force_set_files
        acting = {"actuators": added, "physiology": self.physiology, "forces_to_exclude": self.forces_to_exclude}
        return acting | {"power": self.power, "every": self.every, "joints": self.joints}

    def following(self, motion: Path | None = None) -> StaticOptimizationSetup:
        """Return the setup with the coordinates and speeds files that the analysis follows.

        States are coordinates and speeds in one file, of which OpenSim filters none.
        """
        if motion is not None:
            return replace(self, coordinates_file=motion, states_file=None, speeds_file=None)
        if self.states_file is not None:
            return replace(self, coordinates_file=self.states_file, speeds_file=self.states_file, cutoff=None)
        return self


@dataclass(frozen=True)
class ControllerSetup:
    """A controller that a setup adds to the model.

    Attributes:
        name: its name; may be empty.
        kind: its OpenSim class, such as ``ControlSetController``.
        enabled: whether the setup says so. OpenSim enables a ``ControlSetController`` whose file it can read all the
            same.
        controls_file: the file of controls, absolute, or None where it has none.
        actuators: names or paths of actuators that the setup lists for it, as in the file.
        controller: the ``osim.Controller``, which knows its file by the absolute path.
    """

    name: str
    kind: str
    enabled: bool
    controls_file: Path | None
    actuators: tuple[str, ...]
    controller: osim.Controller = field(repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class ForwardSetup(ToolSetup):
    """The contents of a setup of OpenSim's Forward Tool, besides :class:`ToolSetup`.

    Attributes:
        file: the setup file.
        name: the tool's name, with which the names of its results begin; may be empty.
        states_file: states to start from, or None for the model's defaults.
        accuracy: the integrator's error tolerance.
        step_range: smallest and largest step of the integrator [s].
        maximum_steps: how many steps the integrator may take.
        solve_for_equilibrium: whether muscles' states are brought into equilibrium before the start.
        replace_force_set: whether the force sets replace the model's own, or are added to it.
        force_set_files: files of forces.
        controllers: controllers that are added to the model's.
        analyses: kinds of the analyses that the tool would run, such as ``Kinematics``.
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


#: By field: the method of OpenSim's tools that says it, or methods, of which a tool has the first that it knows.
METHODS: dict[str, str | tuple[str, ...]] = {
    "name": "getName",
    "model_file": ("getModelFilename", "getModelFileName"),
    "external_loads_file": "getExternalLoadsFileName",
    "coordinates_file": ("getCoordinatesFileName", "getDesiredKinematicsFileName"),
    "states_file": "getStatesFileName",
    "speeds_file": "getSpeedsFileName",
    "force_set_files": "getForceSetFiles",
    "replace_force_set": "getReplaceForceSet",
    "cutoff": "getLowpassCutoffFrequency",
    "time_range": ("getInitialTime getFinalTime", "getStartTime getEndTime"),
    "step_range": "getMinDT getMaxDT",
    "results_directory": "getResultsDir",
    "accuracy": "getErrorTolerance",
    "maximum_steps": "getMaximumNumberOfSteps",
    "solve_for_equilibrium": "getSolveForEquilibrium",
}


class SetupDocument:
    """A setup file that holds a tool, before OpenSim has read it."""

    def __init__(self, path: str | os.PathLike[str], tool: str) -> None:
        self.path, self.tool = Path(path), tool
        self.folder = Path(os.path.abspath(path)).parent
        self.root: ElementTree.Element = parse_document(self.path, tool, f"a setup of OpenSim's {tool}")

    def load(self, *arguments: bool) -> Any:
        """Return the tool, read by OpenSim's own reader with its defaults."""
        return load_tool(self.path, lambda copy: getattr(osim, self.tool)(copy, *arguments), self.root)

    def drop_analyses(self) -> None:
        """Take all analyses out of the document, for OpenSim would look for the files that they name."""
        for analyses in self.root.findall(".//AnalysisSet/objects"):
            analyses.clear()

    def fields(self, tool: Any, setup: type[ToolSetup]) -> dict[str, Any]:
        """Return the fields of a setup that the tool says, by :data:`METHODS`."""
        values = {}
        for name in {entry.name for entry in fields(setup)} & METHODS.keys():
            choices = METHODS[name]
            for methods in [choices] if isinstance(choices, str) else choices:
                if all(hasattr(tool, method) for method in methods.split()):
                    read = [getattr(tool, method)() for method in methods.split()]
                    values[name] = self._converted(name, tuple(read) if len(read) > 1 else read[0])
                    break
        return values

    def _converted(self, name: str, value: Any) -> Any:
        if name == "force_set_files":
            found = (resolved(self.folder, value.get(i)) for i in range(value.getSize()))
            return tuple(file for file in found if file is not None)
        if name == "cutoff":
            return None if value < 0 else float(value)
        if name.endswith("_file"):
            return resolved(self.folder, value)
        return (resolved(self.folder, value) or self.folder) if name == "results_directory" else value


def plain_inverse_dynamics(model: Path | None, motion: Path) -> InverseDynamicsSetup:
    """Return the setup for a model and a motion alone: the whole motion, unfiltered, no actuator acts."""
    here = Path.cwd()
    return InverseDynamicsSetup(
        model_file=model, coordinates_file=motion, results_directory=here, output_file=here / OUTPUT
    )


def plain_static_optimization(like: InverseDynamicsSetup) -> StaticOptimizationSetup:
    """Return the setup of recruitment, with OpenSim's defaults, for all that inverse dynamics reads."""
    common = {entry.name: getattr(like, entry.name) for entry in fields(MotionSetup)}
    return StaticOptimizationSetup(name=PREFIXES["recruitment"].rstrip("_"), **common)


def read_inverse_dynamics_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Setups of the RRA, CMC and Analyze Tools give the model, the motion to follow, its filter, the external loads and
    the times. Actuators and all further settings of these tools are ignored.

    Args:
        path: the setup file (``.xml``) of one of these tools. The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, or its time
            range is not two times.
    """
    tag, _ = file_content(Path(path))
    document = SetupDocument(path, tag if tag in FOLLOWERS else "InverseDynamicsTool")
    document.drop_analyses()
    tool = document.load(False)
    values = document.fields(tool, InverseDynamicsSetup)
    if tag in FOLLOWERS:
        if tag == "AnalyzeTool" and (states := resolved(document.folder, tool.getStatesFileName())):
            values |= {"coordinates_file": states, "cutoff": None}
        return InverseDynamicsSetup(**values, output_file=values["results_directory"] / OUTPUT)
    values["forces_to_exclude"] = words(tool.getPropertyByName("forces_to_exclude").toString())
    output = Path(unquoted(tool.getOutputGenForceFileName()) or OUTPUT).name
    values["output_file"] = values["results_directory"] / (output if Path(output).suffix else output + ".sto")
    times = document.root.findtext(".//time_range")  # where it has less than two OpenSim reads on beyond its end
    if times is not None and not times.strip():
        values["time_range"] = -math.inf, math.inf
    elif times is not None and len(words(times)) != 2:
        raise FileFormatError(path, f"time_range is '{times.strip()}'; expected two times in seconds, or none")
    return InverseDynamicsSetup(**values)


def read_static_optimization_setup(path: str | os.PathLike[str]) -> StaticOptimizationSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Where a file has a Joint Reaction analysis and no Static Optimization, the forces whose reactions are asked for are
    those of OpenSim's default optimization.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, it has no
            Static Optimization and no Joint Reaction that is on, no file can have its name, or it asks for generic
            actuators in place of the model's muscles.
    """
    document = SetupDocument(path, "AnalyzeTool")
    kinds = ("StaticOptimization", "JointReaction")
    analyses = [
        _Analysis(document.path, each) for kind in kinds for each in document.root.iterfind(f".//objects/{kind}")
    ]
    found = [next((each for each in analyses if each.element.tag == kind and each.flag("on")), None) for kind in kinds]
    if not any(found):
        raise FileFormatError(path, f"it has no <{kinds[0]}> or <{kinds[1]}> that is on, among its analyses")
    optimization, reaction = found[0] or _Analysis(document.path, ElementTree.Element(kinds[0])), found[1]
    document.drop_analyses()
    values = document.fields(document.load(False), StaticOptimizationSetup)
    if not optimization.flag("use_model_force_set"):
        raise FileFormatError(
            path,
            "use_model_force_set is false: OpenSim then puts an actuator on each coordinate in place of all muscles, "
            "which is inverse dynamics, and recruits none; expected true, or use opensim-inertia id",
        )
    every, power = (optimization.number(name) for name in ("step_interval", "activation_exponent"))
    if not math.isfinite(every) or every < 1 or every != int(every):
        raise FileFormatError(path, f"step_interval is {every:g}; expected a whole number of at least 1")
    if not 1 <= power < math.inf:
        raise FileFormatError(path, f"activation_exponent is {power:g}; expected a finite number of at least 1")
    name = values["name"]
    if set(name) & set("/\\"):
        raise FileFormatError(
            path, f"the tool's name is '{name}', with which names of results begin; expected no / or \\"
        )
    physiology, reactions = optimization.flag("use_muscle_physiology"), reaction.reactions() if reaction else ()
    return StaticOptimizationSetup(**values, every=int(every), power=power, physiology=physiology, reactions=reactions)


@dataclass(frozen=True)
class _Analysis:
    """An analysis of a setup file, whose fields are read as OpenSim reads them."""

    path: Path
    element: ElementTree.Element

    def text(self, name: str) -> str:
        """Return the text of a field, or its default."""
        return (self.element.findtext(name) or "").strip() or DEFAULTS[name]

    def flag(self, name: str) -> bool:
        """Return a field that is true or false."""
        text = self.text(name).lower()
        if text not in ("true", "false"):
            raise FileFormatError(self.path, f"{name} of the {self.element.tag} is '{text}'; expected true or false")
        return text == "true"

    def number(self, name: str) -> float:
        """Return a field that is a number."""
        try:
            value = float(self.text(name))
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise FileFormatError(
                self.path, f"{name} of the {self.element.tag} is '{self.text(name)}'; expected a number"
            )
        return value

    def reactions(self) -> tuple[tuple[str, Side, ReactionFrame], ...]:
        """Return joint, body and axes of each reaction; one body or one frame is for all joints."""
        joints, columns = words(self.text("joint_names")), []
        for name, allowed in (("apply_on_bodies", SIDES), ("express_in_frame", REACTION_FRAMES)):
            entries = words(self.text(name).lower())
            if len(entries) not in (1, len(joints)) or not set(entries) <= set(allowed):
                expected = f"expected one of {', '.join(allowed)}, or one a joint"
                raise FileFormatError(self.path, f"{name} is '{self.text(name)}'; {expected}")
            columns.append(entries * len(joints) if len(entries) == 1 else entries)
        return cast(Any, tuple(zip(joints, *columns, strict=True)))


def read_forward_setup(path: str | os.PathLike[str]) -> ForwardSetup:
    """Read a setup file, with OpenSim's own reader and its defaults, those of old versions included.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, or what it
            asks of times or of the integrator is impossible.
    """
    document = SetupDocument(path, "ForwardTool")
    root, folder = document.root, document.folder
    tags = ("actuator_list", "socket_actuators")  # of which OpenSim hides old ones
    listed = [
        (each.tag, words(" ".join(child.text or "" for child in each if child.tag in tags)))
        for each in root.findall(".//ControllerSet/objects/*")
    ]
    loads = _take_out_old_loads(document.path, root)
    for element in root.iter():  # objects that are in files of their own, and controllers, find their files anywhere
        if element.tag == "controls_file" and (file := resolved(folder, element.text or "")) is not None:
            element.text = str(file)
        if (file := resolved(folder, element.get("file", ""))) is not None:
            element.set("file", str(file))
    tool = document.load(True, False)
    values = document.fields(tool, ForwardSetup)
    if loads is not None:
        values["external_loads_file"] = resolved(folder, loads)
    analyses = tool.getAnalysisSet()
    setup = ForwardSetup(
        file=folder / document.path.name,
        controllers=_controllers(tool, listed),
        analyses=tuple(analyses.get(i).getConcreteClassName() for i in range(analyses.getSize())),
        **values,
    )
    _check(setup)
    return setup


def _take_out_old_loads(path: Path, root: ElementTree.Element) -> str | None:
    """Remove and return the name of the external loads file in a document of an old version; None for newer ones."""
    version = (root.get("Version") or "0").strip()
    if not version.isdecimal() or int(version) >= LOADS_IN_THEIR_OWN_FILE:
        return None
    name = ""
    for element in root.iter("external_loads_file"):
        name, element.text = unquoted(element.text or ""), ""
        if name and not name.lower().endswith(".xml"):
            raise FileFormatError(
                path, f"external_loads_file is '{name}', as before OpenSim 2; expected an .xml of ExternalLoads"
            )
    return name


def _controllers(tool: osim.ForwardTool, listed: list[tuple[str, tuple[str, ...]]]) -> tuple[ControllerSetup, ...]:
    """Return the tool's controllers with the actuators that the document lists for them, by their kinds."""
    controllers = [tool.getControllerSet().get(i).clone() for i in range(tool.getControllerSet().getSize())]
    kinds = [controller.getConcreteClassName() for controller in controllers]
    actuators = [names for _, names in listed]
    if [kind for kind, _ in listed] != kinds[: len(listed)]:  # some are in a file of their own
        actuators = []
    actuators += [()] * (len(kinds) - len(actuators))
    found = []
    for controller, kind, names in zip(controllers, kinds, actuators, strict=False):
        entry = controller.getPropertyByName("controls_file") if controller.hasProperty("controls_file") else None
        name = unquoted(osim.PropertyHelper.getValueString(entry)) if entry is not None and entry.size() else ""
        file = Path(name) if name else None
        found.append(ControllerSetup(controller.getName(), kind, controller.isEnabled(), file, names, controller))
    return tuple(found)


def _check(setup: ForwardSetup) -> None:
    """Raise :class:`FileFormatError` for times in the wrong order, or impossible numbers of the integrator."""
    start, end = setup.time_range
    if not (math.isfinite(start) and math.isfinite(end)):
        raise FileFormatError(setup.file, f"initial_time is {start:g} and final_time {end:g}; expected finite times")
    if end < start:
        raise FileFormatError(setup.file, f"final_time {end:g} is before initial_time {start:g}")
    smallest, largest = setup.step_range
    for name, value in (
        ("integrator_error_tolerance", setup.accuracy),
        ("minimum_integrator_step_size", smallest),
        ("maximum_integrator_step_size", largest),
        ("maximum_number_of_integrator_steps", setup.maximum_steps),
    ):
        if not value > 0:
            raise FileFormatError(setup.file, f"{name} is {value:g}; expected a positive number")
    if largest < smallest:
        raise FileFormatError(
            setup.file, f"maximum_integrator_step_size {largest:g} is less than the minimum, {smallest:g}"
        )

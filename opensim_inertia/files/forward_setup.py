"""Setup files of OpenSim's Forward Tool."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from .._core.errors import FileFormatError
from .._core.opensim import osim
from .tool_setup import SetupDocument, ToolSetup
from .tool_xml import resolved, unquoted, words

TOOL = "ForwardTool"
#: Documents older than this make OpenSim read, and rewrite, the external loads they name.
LOADS_IN_THEIR_OWN_FILE = 20201


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
    """The contents of a setup file of OpenSim's Forward Tool.

    Paths are absolute: those in the file are relative to the file's folder. Besides what follows it has ``model_file``
    and ``external_loads_file`` (None where the file names none), ``time_range`` [s] and ``results_directory``.

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


def read_forward_setup(path: str | os.PathLike[str]) -> ForwardSetup:
    """Read a setup file, with OpenSim's own reader and its defaults, those of old versions included.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Returns:
        what the file asks for.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, or what it
            asks of times or of the integrator is impossible.
    """
    document = SetupDocument(path, TOOL)
    listed = _listed_actuators(document.root)
    loads = _take_out_old_loads(document.path, document.root)
    _make_absolute(document.root, document.folder)
    tool = document.load(lambda copy: osim.ForwardTool(copy, True, False))
    if loads is None:
        loads = tool.getExternalLoadsFileName()
    analyses = tool.getAnalysisSet()
    setup = ForwardSetup(
        file=document.folder / document.path.name,
        name=tool.getName(),
        model_file=document.file(tool.getModelFilename()),
        states_file=document.file(tool.getStatesFileName()),
        external_loads_file=document.file(loads),
        time_range=(tool.getInitialTime(), tool.getFinalTime()),
        accuracy=tool.getErrorTolerance(),
        step_range=(tool.getMinDT(), tool.getMaxDT()),
        maximum_steps=tool.getMaximumNumberOfSteps(),
        solve_for_equilibrium=tool.getSolveForEquilibrium(),
        replace_force_set=tool.getReplaceForceSet(),
        force_set_files=document.force_set_files(tool),
        controllers=_controllers(tool, listed),
        analyses=tuple(analyses.get(i).getConcreteClassName() for i in range(analyses.getSize())),
        results_directory=document.results_directory(tool),
    )
    _check(setup)
    return setup


def _listed_actuators(root: ElementTree.Element) -> list[tuple[str, tuple[str, ...]]]:
    """Return the kind of each controller in the setup and the actuators that it lists; OpenSim hides old lists."""
    tags = ("actuator_list", "socket_actuators")
    return [
        (controller.tag, words(" ".join(child.text or "" for child in controller if child.tag in tags)))
        for controller in root.findall(".//ControllerSet/objects/*")
    ]


def _take_out_old_loads(path: Path, root: ElementTree.Element) -> str | None:
    """Remove and return the name of the external loads file in a document of an old version; None for newer ones."""
    version = (root.get("Version") or "0").strip()
    if not version.isdecimal() or int(version) >= LOADS_IN_THEIR_OWN_FILE:
        return None
    name = ""
    for element in root.iter("external_loads_file"):
        name = unquoted(element.text or "")
        element.text = ""
        if name and not name.lower().endswith(".xml"):
            raise FileFormatError(
                path, f"external_loads_file is '{name}', as before OpenSim 2; expected an .xml of ExternalLoads"
            )
    return name


def _make_absolute(root: ElementTree.Element, folder: Path) -> None:
    """Let controllers, and objects that are in files of their own, find their files from anywhere."""
    for element in root.iter():
        if element.tag == "controls_file" and (file := resolved(folder, element.text or "")) is not None:
            element.text = str(file)
        if (file := resolved(folder, element.get("file", ""))) is not None:
            element.set("file", str(file))


def _controllers(tool: osim.ForwardTool, listed: list[tuple[str, tuple[str, ...]]]) -> tuple[ControllerSetup, ...]:
    controller_set = tool.getControllerSet()
    controllers = [controller_set.get(i).clone() for i in range(controller_set.getSize())]
    kinds = [controller.getConcreteClassName() for controller in controllers]
    if [kind for kind, _ in listed] != kinds[: len(listed)]:  # some are in a file of their own
        listed = []
    actuators = [names for _, names in listed] + [()] * (len(kinds) - len(listed))
    return tuple(_controller(*pair) for pair in zip(controllers, actuators, strict=True))


def _controller(controller: osim.Controller, actuators: tuple[str, ...]) -> ControllerSetup:
    name = ""
    if controller.hasProperty("controls_file"):
        controls_file = controller.getPropertyByName("controls_file")
        name = unquoted(osim.PropertyHelper.getValueString(controls_file)) if controls_file.size() else ""
    return ControllerSetup(
        name=controller.getName(),
        kind=controller.getConcreteClassName(),
        enabled=controller.isEnabled(),
        controls_file=Path(name) if name else None,
        actuators=actuators,
        controller=controller,
    )


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

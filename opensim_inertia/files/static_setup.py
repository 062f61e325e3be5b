"""Setup files of OpenSim's Analyze Tool that hold a Static Optimization, a Joint Reaction analysis, or both."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

from .._core.choices import PREFIXES, REACTION_FRAMES, SIDES, ReactionFrame, Side
from .._core.errors import FileFormatError
from .._core.opensim import osim
from .inverse_setup import InverseDynamicsSetup
from .tool_setup import MotionSetup, SetupDocument, cutoff_of
from .tool_xml import words

TOOL, OPTIMIZATION, REACTION = "AnalyzeTool", "StaticOptimization", "JointReaction"
#: Names all joints, in any case.
ALL = "all"
#: What OpenSim takes for what a file leaves out.
DEFAULTS = {"on": "true", "step_interval": "1", "activation_exponent": "2", "use_muscle_physiology": "true"}
DEFAULTS |= {"use_model_force_set": "true", "joint_names": "All", "apply_on_bodies": "child"}
DEFAULTS |= {"express_in_frame": "ground"}


@dataclass(frozen=True, kw_only=True)
class StaticOptimizationSetup(MotionSetup):
    """The contents of a setup file of OpenSim's Analyze Tool with a Static Optimization.

    Paths are absolute: those in the file are relative to the file's folder. Besides what follows it has ``model_file``,
    ``coordinates_file`` and ``external_loads_file`` (None where the file names none), ``cutoff`` [Hz] (None: no
    filter), ``time_range`` [s], which is the tool's and not its analyses' own, and ``results_directory``.

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


def plain_static_optimization(like: InverseDynamicsSetup) -> StaticOptimizationSetup:
    """Return the setup of recruitment for the motion, loads, filter and times of inverse dynamics: all its rows.

    The model's own muscles and actuators act, with OpenSim's defaults, and no joint reaction is asked for.
    """
    return StaticOptimizationSetup(
        name=PREFIXES["recruitment"].rstrip("_"),
        **{entry.name: getattr(like, entry.name) for entry in fields(MotionSetup)},
    )


def read_static_optimization_setup(path: str | os.PathLike[str]) -> StaticOptimizationSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Where a file has a Joint Reaction analysis and no Static Optimization, the forces whose reactions are asked for are
    those of OpenSim's default optimization.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Returns:
        what the file asks for.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, it has no
            Static Optimization and no Joint Reaction that is on, no file can have its name, or it asks for generic
            actuators in place of the model's muscles.
    """
    document = SetupDocument(path, TOOL)
    path, root = document.path, document.root
    optimization, reaction = (_analysis(path, root, kind) for kind in (OPTIMIZATION, REACTION))
    if optimization is None and reaction is None:
        raise FileFormatError(path, f"it has no <{OPTIMIZATION}> or <{REACTION}> that is on, among its analyses")
    if optimization is None:
        optimization = ElementTree.Element(OPTIMIZATION)
    document.drop_analyses()
    tool = document.load(lambda copy: osim.AnalyzeTool(copy, False))
    if not _flag(path, optimization, "use_model_force_set"):
        raise FileFormatError(
            path,
            "use_model_force_set is false: OpenSim then puts an actuator on each coordinate in place of all muscles, "
            "which is inverse dynamics, and recruits none; expected true, or use opensim-inertia id",
        )
    every = _number(path, optimization, "step_interval")
    if not math.isfinite(every) or every < 1 or every != int(every):
        raise FileFormatError(path, f"step_interval is {every:g}; expected a whole number of at least 1")
    power = _number(path, optimization, "activation_exponent")
    if not 1 <= power < math.inf:
        raise FileFormatError(path, f"activation_exponent is {power:g}; expected a finite number of at least 1")
    name = tool.getName()
    if set(name) & set("/\\"):
        raise FileFormatError(
            path, f"the tool's name is '{name}', with which names of results begin; expected no / or \\"
        )
    return StaticOptimizationSetup(
        name=name,
        model_file=document.file(tool.getModelFilename()),
        coordinates_file=document.file(tool.getCoordinatesFileName()),
        external_loads_file=document.file(tool.getExternalLoadsFileName()),
        states_file=document.file(tool.getStatesFileName()),
        speeds_file=document.file(tool.getSpeedsFileName()),
        force_set_files=document.force_set_files(tool),
        replace_force_set=tool.getReplaceForceSet(),
        cutoff=cutoff_of(tool),
        time_range=(tool.getInitialTime(), tool.getFinalTime()),
        every=int(every),
        power=power,
        physiology=_flag(path, optimization, "use_muscle_physiology"),
        reactions=() if reaction is None else _reactions(path, reaction),
        results_directory=document.results_directory(tool),
    )


def _analysis(path: Path, root: ElementTree.Element, kind: str) -> ElementTree.Element | None:
    """Return the first analysis of a kind that is on."""
    analyses = root.findall(f".//AnalysisSet/objects/{kind}")
    return next((analysis for analysis in analyses if _flag(path, analysis, "on")), None)


def _text(analysis: ElementTree.Element, name: str) -> str:
    text = (analysis.findtext(name) or "").strip()
    return text or DEFAULTS[name]


def _flag(path: Path, analysis: ElementTree.Element, name: str) -> bool:
    text = _text(analysis, name).lower()
    if text not in ("true", "false"):
        raise FileFormatError(path, f"{name} of the {analysis.tag} is '{text}'; expected true or false")
    return text == "true"


def _number(path: Path, analysis: ElementTree.Element, name: str) -> float:
    text = _text(analysis, name)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise FileFormatError(path, f"{name} of the {analysis.tag} is '{text}'; expected a number")
    return value


def _reactions(path: Path, analysis: ElementTree.Element) -> tuple[tuple[str, Side, ReactionFrame], ...]:
    """Return joint, body and axes of each reaction; one body or one frame is for all joints."""
    joints = words(_text(analysis, "joint_names"))
    sides = tuple(word.lower() for word in words(_text(analysis, "apply_on_bodies")))
    frames = tuple(word.lower() for word in words(_text(analysis, "express_in_frame")))
    for name, entries, allowed in (
        ("apply_on_bodies", sides, SIDES),
        ("express_in_frame", frames, REACTION_FRAMES),
    ):
        if len(entries) not in (1, len(joints)) or not set(entries) <= set(allowed):
            text = _text(analysis, name)
            raise FileFormatError(path, f"{name} is '{text}'; expected one of {', '.join(allowed)}, or one a joint")
    count = len(joints)
    sides, frames = (entries * count if len(entries) == 1 else entries for entries in (sides, frames))
    return cast(Any, tuple(zip(joints, sides, frames, strict=True)))

"""Setup files of OpenSim's Inverse Dynamics Tool, and motions in setup files of tools that follow one."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path

from .._core.checks import file_content
from .._core.errors import FileFormatError
from .._core.opensim import osim
from .tool_setup import MotionSetup, SetupDocument, cutoff_of
from .tool_xml import unquoted, words

TOOL = "InverseDynamicsTool"
OUTPUT = "inverse_dynamics.sto"
#: Other tools that follow a motion, and the classes that read their setups.
FOLLOWERS = {"RRATool": osim.RRATool, "CMCTool": osim.CMCTool, "AnalyzeTool": osim.AnalyzeTool}


@dataclass(frozen=True, kw_only=True)
class InverseDynamicsSetup(MotionSetup):
    """The contents of a setup file of OpenSim's Inverse Dynamics Tool.

    Paths are absolute: those in the file are relative to the file's folder. Besides what follows it has ``model_file``,
    ``coordinates_file`` and ``external_loads_file`` (None where the file names none), ``cutoff`` [Hz] (None: no
    filter), ``time_range`` [s], which is infinite where the file does not say, and ``results_directory``.

    Attributes:
        output_file: the file of generalized forces, within ``results_directory``.
    """

    output_file: Path


def plain_inverse_dynamics(model: Path | None, motion: Path) -> InverseDynamicsSetup:
    """Return the setup for a model and a motion alone: the whole motion, unfiltered, no actuator acts."""
    here = Path.cwd()
    return InverseDynamicsSetup(
        model_file=model, coordinates_file=motion, results_directory=here, output_file=here / OUTPUT
    )


def read_inverse_dynamics_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Setups of the RRA, CMC and Analyze Tools give the model, the motion to follow, its filter, the external loads and
    the times. Actuators and all further settings of these tools are ignored.

    Args:
        path: the setup file (``.xml``) of one of these tools. The files it names need not exist.

    Returns:
        the setup.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, or its time
            range is not two times.
    """
    tag, _ = file_content(Path(path))
    if tag in FOLLOWERS:
        return _of_follower(SetupDocument(path, tag))
    document = SetupDocument(path, TOOL)
    tool = document.load(lambda copy: osim.InverseDynamicsTool(copy, False))
    results = document.results_directory(tool)
    output = Path(unquoted(tool.getOutputGenForceFileName()) or OUTPUT).name
    return InverseDynamicsSetup(
        model_file=document.file(tool.getModelFileName()),
        coordinates_file=document.file(tool.getCoordinatesFileName()),
        external_loads_file=document.file(tool.getExternalLoadsFileName()),
        forces_to_exclude=words(tool.getPropertyByName("forces_to_exclude").toString()),
        cutoff=cutoff_of(tool),
        time_range=_time_range(document, tool),
        results_directory=results,
        output_file=results / (output if Path(output).suffix else output + ".sto"),
    )


def _of_follower(document: SetupDocument) -> InverseDynamicsSetup:
    """Return the setup of inverse dynamics for the motion that another tool follows."""
    document.drop_analyses()
    tool = document.load(lambda copy: FOLLOWERS[document.tool](copy, False))
    analyzes = document.tool == "AnalyzeTool"
    states = document.file(tool.getStatesFileName()) if analyzes else None
    motion = tool.getCoordinatesFileName() if analyzes else tool.getDesiredKinematicsFileName()
    results = document.results_directory(tool)
    return InverseDynamicsSetup(
        model_file=document.file(tool.getModelFilename()),
        coordinates_file=states or document.file(motion),
        external_loads_file=document.file(tool.getExternalLoadsFileName()),
        cutoff=None if states else cutoff_of(tool),
        time_range=(tool.getInitialTime(), tool.getFinalTime()),
        results_directory=results,
        output_file=results / OUTPUT,
    )


def _time_range(document: SetupDocument, tool: osim.InverseDynamicsTool) -> tuple[float, float]:
    """Return the two times [s]; where a file has less, OpenSim reads on beyond the end of its list."""
    times = document.root.findtext(".//time_range")
    if times is not None and not times.strip():
        return -math.inf, math.inf
    if times is not None and len(words(times)) != 2:
        raise FileFormatError(document.path, f"time_range is '{times.strip()}'; expected two times in seconds, or none")
    return tool.getStartTime(), tool.getEndTime()

"""Setup files of OpenSim's Inverse Dynamics Tool."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from .._opensim import osim
from ..errors import FileFormatError
from .tool_xml import folder_of, load_tool, parse_document, resolved, unquoted, words

__all__ = ["InverseDynamicsSetup", "plain_inverse_dynamics", "read_inverse_dynamics_setup"]

TOOL = "InverseDynamicsTool"
OUTPUT = "inverse_dynamics.sto"


@dataclass(frozen=True)
class InverseDynamicsSetup:
    """The contents of a setup file of OpenSim's Inverse Dynamics Tool.

    Paths are absolute: those in the file are relative to the file's folder.

    Attributes:
        model_file: the model, or None where the file names none.
        coordinates_file: the motion, or None where the file names none.
        external_loads_file: the external loads, or None where there are none.
        forces_to_exclude: names of forces or groups that are left out, as in the file (``("Muscles",)``).
        cutoff: low-pass cut-off frequency of the coordinates [Hz], or None for no filter.
        time_range: first and last time to solve [s]; infinite where the file does not say.
        results_directory: folder for the results.
        output_file: the file of generalized forces, within ``results_directory``.
    """

    model_file: Path | None
    coordinates_file: Path | None
    external_loads_file: Path | None
    forces_to_exclude: tuple[str, ...]
    cutoff: float | None
    time_range: tuple[float, float]
    results_directory: Path
    output_file: Path


def plain_inverse_dynamics(model: Path, motion: Path) -> InverseDynamicsSetup:
    """Return what is solved where there is no setup file: a whole motion without muscle forces, as it was recorded."""
    folder = Path.cwd()
    whole = (-math.inf, math.inf)
    return InverseDynamicsSetup(model, motion, None, ("Muscles",), None, whole, folder, folder / OUTPUT)


def read_inverse_dynamics_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Returns:
        what the file asks for.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, OpenSim cannot read it, or its time
            range is not two times.
    """
    path = Path(path)
    root = parse_document(path, TOOL, f"a setup of OpenSim's {TOOL}")
    tool = load_tool(path, lambda copy: osim.InverseDynamicsTool(copy, False), root)
    folder = folder_of(path)
    results = resolved(folder, tool.getResultsDir()) or folder
    cutoff = tool.getLowpassCutoffFrequency()
    output = Path(unquoted(tool.getOutputGenForceFileName()) or OUTPUT).name
    return InverseDynamicsSetup(
        model_file=resolved(folder, tool.getModelFileName()),
        coordinates_file=resolved(folder, tool.getCoordinatesFileName()),
        external_loads_file=resolved(folder, tool.getExternalLoadsFileName()),
        forces_to_exclude=words(tool.getPropertyByName("forces_to_exclude").toString()),
        cutoff=None if cutoff < 0 else cutoff,
        time_range=_time_range(path, root, tool),
        results_directory=results,
        output_file=results / (output if Path(output).suffix else output + ".sto"),
    )


def _time_range(path: Path, root: ElementTree.Element, tool: osim.InverseDynamicsTool) -> tuple[float, float]:
    """Return the two times [s]; where a file has less, OpenSim reads on beyond the end of its list."""
    times = root.findtext(".//time_range")
    if times is not None and not times.strip():
        return -math.inf, math.inf
    if times is not None and len(words(times)) != 2:
        raise FileFormatError(path, f"time_range is '{times.strip()}'; expected two times in seconds, or none")
    return tool.getStartTime(), tool.getEndTime()

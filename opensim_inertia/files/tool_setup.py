"""Fields that setups of OpenSim's tools have in common, and the first steps of their readers."""

from __future__ import annotations

import math
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._core.choices import NO_ACTUATORS
from .tool_xml import folder_of, load_tool, parse_document, resolved


@dataclass(frozen=True, kw_only=True)
class ToolSetup:
    """Fields of the setups of all tools.

    Paths are absolute: those in the file are relative to the file's folder.

    Attributes:
        model_file: the model, or None where the file names none.
        external_loads_file: the external loads, or None where there are none.
        time_range: first and last time [s].
        results_directory: folder for the results.
    """

    model_file: Path | None
    external_loads_file: Path | None = None
    time_range: tuple[float, float] = (-math.inf, math.inf)
    results_directory: Path


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


class SetupDocument:
    """A setup file that holds a tool, before OpenSim has read it."""

    def __init__(self, path: str | os.PathLike[str], tool: str) -> None:
        self.path, self.tool = Path(path), tool
        self.folder = folder_of(self.path)
        self.root: ElementTree.Element = parse_document(self.path, tool, f"a setup of OpenSim's {tool}")

    def load(self, read: Callable[[str], Any]) -> Any:
        """Return the tool, read by OpenSim's own reader with its defaults."""
        return load_tool(self.path, read, self.root)

    def drop_analyses(self) -> None:
        """Take all analyses out of the document, for OpenSim would look for the files that they name."""
        for analyses in self.root.findall(".//AnalysisSet/objects"):
            analyses.clear()

    def file(self, name: str) -> Path | None:
        """Return the absolute path of a file that the setup names; None where it names none."""
        return resolved(self.folder, name)

    def results_directory(self, tool: Any) -> Path:
        """Return the folder for a tool's results."""
        return self.file(tool.getResultsDir()) or self.folder

    def force_set_files(self, tool: Any) -> tuple[Path, ...]:
        """Return the files of forces that a tool adds to the model."""
        names = tool.getForceSetFiles()
        return tuple(file for i in range(names.getSize()) if (file := self.file(names.get(i))) is not None)


def cutoff_of(tool: Any) -> float | None:
    """Return the cut-off frequency of a tool's low-pass filter [Hz], or None where it does not filter."""
    cutoff = tool.getLowpassCutoffFrequency()
    return None if cutoff < 0 else float(cutoff)

"""Setup files of OpenSim's Inverse Dynamics Tool."""

from __future__ import annotations

import os
import shutil
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

from .._opensim import osim, quiet
from ..errors import FileFormatError

__all__ = ["InverseDynamicsSetup", "read_inverse_dynamics_setup"]

TOOL = "InverseDynamicsTool"


@dataclass(frozen=True)
class InverseDynamicsSetup:
    """What a setup file of OpenSim's Inverse Dynamics Tool asks for.

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


def read_inverse_dynamics_setup(path: str | os.PathLike[str]) -> InverseDynamicsSetup:
    """Read a setup file, with OpenSim's own reader and its defaults.

    Args:
        path: the setup file (``.xml``). The files it names need not exist.

    Returns:
        what the file asks for.

    Raises:
        FileFormatError: the file is missing, is not XML, is another tool's setup, or OpenSim cannot read it.
    """
    path = Path(path)
    _check_is_inverse_dynamics(path)
    tool = _load_tool(path)
    folder = Path(os.path.abspath(path)).parent
    results = _resolved(folder, tool.getResultsDir()) or folder
    cutoff = tool.getLowpassCutoffFrequency()
    output = Path(_unquoted(tool.getOutputGenForceFileName()) or "inverse_dynamics.sto").name
    return InverseDynamicsSetup(
        model_file=_resolved(folder, tool.getModelFileName()),
        coordinates_file=_resolved(folder, tool.getCoordinatesFileName()),
        external_loads_file=_resolved(folder, tool.getExternalLoadsFileName()),
        forces_to_exclude=_words(tool.getPropertyByName("forces_to_exclude").toString()),
        cutoff=None if cutoff < 0 else cutoff,
        time_range=(tool.getStartTime(), tool.getEndTime()),
        results_directory=results,
        output_file=results / (output if Path(output).suffix else output + ".sto"),
    )


def _check_is_inverse_dynamics(path: Path) -> None:
    """Refuse what is not XML or is not a setup of this tool, before OpenSim sees it."""
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError as error:
        raise FileFormatError(path, "there is no such file") from error
    except ElementTree.ParseError as error:
        raise FileFormatError(path, f"is not a well-formed XML file: {error}") from error
    except (OSError, ValueError, LookupError) as error:
        raise FileFormatError(path, f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    expected = f"expected a setup of OpenSim's {TOOL} (<OpenSimDocument><{TOOL}>)"
    if root.tag == TOOL:
        return
    if root.tag != "OpenSimDocument":
        raise FileFormatError(path, f"its root is <{root.tag}>; {expected}")
    tags = [child.tag for child in root]
    if tags[:1] != [TOOL]:
        raise FileFormatError(path, f"it holds {f'<{tags[0]}>' if tags else 'nothing'}; {expected}")


def _load_tool(path: Path) -> osim.InverseDynamicsTool:
    """OpenSim's reader, on a copy: it writes converted files next to setups of old versions."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            copy = shutil.copyfile(path, Path(scratch) / "setup.xml")
            with quiet():
                return osim.InverseDynamicsTool(str(copy), False)
        except Exception as error:
            raise FileFormatError(path, f"OpenSim cannot read it: {_last_line(error)}") from error


def _last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[-2:]) if lines else type(error).__name__


def _unquoted(name: str) -> str:
    """A file name without blanks around it; empty for OpenSim's way to say that there is none."""
    name = name.strip()
    return "" if name.lower() == "unassigned" else name


def _resolved(folder: Path, name: str) -> Path | None:
    name = _unquoted(name)
    return Path(os.path.normpath(folder / name)) if name else None


def _words(text: str) -> tuple[str, ...]:
    """The words of a list property, which OpenSim prints as ``(one two)``."""
    return tuple(text.strip().removeprefix("(").removesuffix(")").split())

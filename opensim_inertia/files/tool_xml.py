"""Common steps of readers of setup files: refuse other files, let OpenSim read a copy, resolve paths."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .._core.checks import file_content
from .._core.errors import FileFormatError, nearest_file, opensim_reason, system_reason
from .._core.opensim import quiet
from .._core.scratch import scratch_folder

#: By tool, what to do with other files that are taken for its setup.
CURES = {
    "InverseDynamicsTool": {
        "Model": ": give it with --model, and a motion with --motion",
        "table": ": give it with --motion, and a model with --model",
        "ExternalLoads": ": give it with --external-loads, a model with --model, and a motion with --motion",
    },
    "AnalyzeTool": {
        "Model": ": give it with --model, besides a setup",
        "table": ": give it with --motion, besides a setup",
        "ExternalLoads": ": give it with --external-loads, besides a setup",
    },
    "ForwardTool": {"Model": ": give it without --setup"},
}


def parse_document(path: Path, kind: str, what: str) -> ElementTree.Element:
    """Return the root of an OpenSim document that holds one object of a kind; refuse other documents."""
    tag, description = file_content(path)
    if kind in CURES and tag not in ("", kind):
        raise FileFormatError(path, f"is {description}{CURES[kind].get(tag, '')}; expected {what}")
    try:
        root = ElementTree.parse(path).getroot()
    except FileNotFoundError as error:
        raise FileFormatError(path, f"there is no such file{nearest_file(path)}") from error
    except ElementTree.ParseError as error:
        raise FileFormatError(path, f"is not a well-formed XML file: {error}") from error
    except (OSError, ValueError, LookupError) as error:
        raise FileFormatError(path, f"cannot be read: {system_reason(error)}") from error
    expected = f"expected {what} (<OpenSimDocument><{kind}>)"
    if root.tag == kind:
        return root
    if root.tag != "OpenSimDocument":
        raise FileFormatError(path, f"its root is <{root.tag}>; {expected}")
    tags = [child.tag for child in root]
    if tags[:1] != [kind]:
        raise FileFormatError(path, f"it holds {f'<{tags[0]}>' if tags else 'nothing'}; {expected}")
    return root


def load_tool(path: Path, read: Callable[[str], Any], root: ElementTree.Element) -> Any:
    """Return the object that OpenSim's reader creates from a copy of a document in UTF-8.

    The copy lies in a temporary folder, because the reader writes converted files next to those of old versions.
    """
    working_directory = os.getcwd()
    with scratch_folder() as scratch:
        copy = scratch / "setup.xml"
        try:
            copy.write_bytes(document(root))
            with quiet():
                return read(str(copy))
        except Exception as error:
            reason = opensim_reason(error, {str(copy): path})
            raise FileFormatError(path, f"OpenSim cannot read it: {reason}") from error
        finally:
            os.chdir(working_directory)  # OpenSim stays in the copy's folder when it fails


def document(root: ElementTree.Element) -> bytes:
    """Return a document in UTF-8, the only encoding that OpenSim knows."""
    return ElementTree.tostring(root, encoding="utf-8")


def folder_of(path: Path) -> Path:
    """Return the folder that a setup's paths are relative to."""
    return Path(os.path.abspath(path)).parent


def unquoted(name: str) -> str:
    """Return a file name without blanks around it; empty for OpenSim's way to say that there is none."""
    name = name.strip()
    return "" if name.lower() == "unassigned" else name


def resolved(folder: Path, name: str) -> Path | None:
    """Return an absolute path; None where there is no name."""
    name = unquoted(name)
    return Path(os.path.normpath(folder / name)) if name else None


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list property, which OpenSim prints as ``(one two)``."""
    return tuple(text.strip().removeprefix("(").removesuffix(")").split())

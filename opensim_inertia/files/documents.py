"""XML files of OpenSim, JSON files with a checksum, and a cache of JSON files."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .._core.checks import check_file, file_content
from .._core.choices import CACHE_VARIABLE
from .._core.errors import FileFormatError, InertiaError, nearest_file, opensim_reason, system_reason
from .._core.opensim import quiet
from .._core.processes import scratch_folder
from .._core.provenance import versions
from .atomic import write_text

LENGTH_POLYNOMIALS, WRAP_PLANS = "length polynomials", "wrap plans"
#: Kinds of JSON documents: version, and origin for messages.
KINDS = {
    LENGTH_POLYNOMIALS: (1, "musculotendon lengths, without places for mass, as 'fit_length_polynomials' makes them"),
    WRAP_PLANS: (1, "how paths pass their wrap objects, in the user's cache"),
}


def checksum(document: Any) -> str:
    """Return the SHA-256 of JSON content."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write_document(path: str | os.PathLike[str], kind: str, content: Mapping[str, Any]) -> None:
    """Write ``content`` atomically as a JSON document with kind, version and checksum."""
    document = {"format": f"opensim_inertia {kind}", "version": KINDS[kind][0], **content}
    text = json.dumps(document | {"sha256": checksum(document)}, allow_nan=False)
    write_text(path, text + "\n")


def read_document(path: str | os.PathLike[str], kind: str) -> dict[str, Any]:
    """Read a document that :func:`write_document` wrote; raise FileFormatError if damaged or of another ``kind``."""
    file, (version, source) = check_file(path, f"file of {kind}"), KINDS[kind]

    def refuse(constant: str) -> float:
        """Reject ``NaN`` and ``Infinity``, which are not JSON."""
        raise ValueError(f"'{constant}' is not a finite number")

    try:
        document = json.loads(file.read_text(encoding="utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, f"it is not JSON: {error}") from None
    stated = document.get("format") if isinstance(document, dict) else None
    if stated != f"opensim_inertia {kind}":
        raise FileFormatError(path, f"its 'format' is {stated!r}; expected {kind} ({source})")
    if document.get("version") != version:
        raise FileFormatError(path, f"it is of version {document.get('version')!r}; expected {version}")
    if document.pop("sha256", None) != checksum(document):
        raise FileFormatError(path, "it was changed since it was written: its numbers do not fit its checksum")
    return dict(document)


#: Advice for files that are not the tool's setup, by tool and kind of file.
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
#: Largest number of cached files of one kind.
MOST_FILES = 200


def cache_folder() -> Path:
    """Return the cache folder: ``$OPENSIM_INERTIA_CACHE`` or the platform's; without home folder, an unusable path."""
    folder_name = os.environ.get(CACHE_VARIABLE)
    if folder_name:
        return Path(folder_name).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "opensim_inertia"
    except RuntimeError:  # neither HOME nor an entry in the password file
        return Path(os.devnull) / "opensim_inertia"


def cache_key(inputs: Mapping[str, Any]) -> str:
    """Return the checksum of JSON inputs and package versions."""
    content = {"inputs": inputs, "versions": versions()}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def kept(kind: str, key: str) -> dict[str, Any] | None:
    """Return the content that :func:`keep` cached under ``key``; None if the file is missing or damaged."""
    file = _file(kind, key)
    try:
        content = read_document(file, kind)
    except (InertiaError, OSError, RuntimeError, ValueError):
        return None
    with suppress(OSError):
        os.utime(file)  # mark as recently used: the oldest files are removed first
    return content if content.get("key") == key else None


def keep(kind: str, key: str, content: Mapping[str, Any]) -> None:
    """Cache JSON ``content`` under ``key``; ignore write errors."""
    file = _file(kind, key)
    with suppress(InertiaError, OSError, RuntimeError, ValueError, TypeError):
        write_document(file, kind, {"key": key, **content})
        for oldest in sorted(file.parent.glob("*.json"), key=lambda each: each.stat().st_mtime_ns)[:-MOST_FILES]:
            oldest.unlink(missing_ok=True)


def _file(kind: str, key: str) -> Path:
    return cache_folder() / kind.replace(" ", "_") / f"{key}.json"


def parse_document(path: Path, kind: str, what: str) -> ElementTree.Element:
    """Return the XML root of an OpenSim document; raise FileFormatError unless the document has a ``kind`` object."""
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
    tags, expected = [child.tag for child in root], f"expected {what} (<OpenSimDocument><{kind}>)"
    if root.tag not in (kind, "OpenSimDocument"):
        raise FileFormatError(path, f"its root is <{root.tag}>; {expected}")
    if root.tag != kind and tags[:1] != [kind]:
        raise FileFormatError(path, f"it holds {f'<{tags[0]}>' if tags else 'nothing'}; {expected}")
    return root


def load_tool(path: Path, read: Callable[[str], Any], root: ElementTree.Element) -> Any:
    """Return the tool that ``read`` loads from a temporary file with the XML ``root``; messages name ``path``."""
    working_directory = os.getcwd()
    with scratch_folder() as scratch:
        copy = scratch / "setup.xml"
        try:
            copy.write_bytes(ElementTree.tostring(root, encoding="utf-8"))
            with quiet():
                return read(str(copy))
        except Exception as error:
            reason = opensim_reason(error, {str(copy): path})
            raise FileFormatError(path, f"OpenSim cannot read it: {reason}") from error
        finally:
            os.chdir(working_directory)  # OpenSim stays in the copy's folder after errors


def unquoted(name: str) -> str:
    """Return a file name without surrounding blanks; "" for "unassigned"."""
    name = name.strip()
    return "" if name.lower() == "unassigned" else name


def resolved(folder: Path, name: str) -> Path | None:
    """Return the absolute path of a file in ``folder``; None for an empty name or "unassigned"."""
    name = unquoted(name)
    return Path(os.path.normpath(folder / name)) if name else None


def words(text: str) -> tuple[str, ...]:
    """Return the words of a list property, such as ``(one two)``."""
    return tuple(text.strip().removeprefix("(").removesuffix(")").split())

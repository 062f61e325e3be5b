"""Checks of arguments."""

from __future__ import annotations

import ctypes
import inspect
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from numbers import Real
from pathlib import Path
from typing import TypeVar

from .choices import FORMATS
from .errors import FileFormatError, ModelError, OptionError, Shown, UnknownNameError, listed, nearest_file

#: Units of stress [Pa], and the range of plausible specific tensions [Pa].
STRESSES = {"Pa": 1.0, "kPa": 1e3, "MPa": 1e6}
LEAST_TENSION, MOST_TENSION = 1e4, 1e7
TENSIONS = "a stress from 0.01 to 10 MPa, such as '0.6 MPa' or '600000 Pa'"
#: Descriptions of OpenSim files, by the tag of their object.
DOCUMENTS = {
    "Model": "an OpenSim model",
    "ExternalLoads": "a file of external loads",
    "ForceSet": "a set of forces",
    "ControlSet": "a set of controls",
    "InverseDynamicsTool": "a setup of OpenSim's Inverse Dynamics Tool, which `opensim-inertia id` and `recruit` read",
    "AnalyzeTool": "a setup of OpenSim's Analyze Tool, which `opensim-inertia recruit` reads",
    "RRATool": "a setup of OpenSim's RRA Tool, of which `opensim-inertia id` and `recruit` read the motion",
    "CMCTool": "a setup of OpenSim's CMC Tool, of which `opensim-inertia id` and `recruit` read the motion",
    "ForwardTool": "a setup of OpenSim's Forward Tool, which `opensim-inertia simulate --setup` reads",
}
#: Description of a table of OpenSim: motion, forces, states or controls.
TABLE = "a table (.mot or .sto)"
#: Bytes that are read to identify a file.
BEGINNING = 16384
Choice = TypeVar("Choice", bound=str)
STRESS = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([A-Za-z]*)")


def check_choice(option: str, value: str, choices: Iterable[Choice]) -> Choice:
    """Return ``value``; raise :class:`OptionError` if it is not in ``choices``."""
    choices = list(choices)
    for choice in choices:
        if choice == value:
            return choice
    raise OptionError(option, value, "one of " + listed(choices))


def check_names(kind: str, names: Iterable[str], valid: Iterable[str], where: str = "") -> None:
    """Raise :class:`UnknownNameError` for the first name that is not in ``valid``."""
    valid = list(valid)
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, str(name), valid, where)


def check_tension(option: str, value: float | str, unit: str) -> float:
    """Return a specific tension [Pa] from "0.6 MPa" or a number in ``unit``."""
    match = None if isinstance(value, bool) else STRESS.fullmatch(str(value).strip())
    symbol = (match[2] or unit) if match is not None else ""
    if match is None or symbol not in STRESSES:
        raise OptionError(option, value, f"{TENSIONS}; a number without a unit is in {unit}")
    number = float(match[1])
    if not LEAST_TENSION <= number * STRESSES[symbol] <= MOST_TENSION:
        fitting = [name for name, size in STRESSES.items() if LEAST_TENSION <= number * size <= MOST_TENSION]
        hint = f"; did you mean '{number:g} {fitting[-1]}'?" if fitting else ""
        raise OptionError(option, value, f"{TENSIONS}, and {number:g} {symbol} is none of a muscle{hint}")
    return number * STRESSES[symbol]


def outside() -> int:
    """Return the ``stacklevel`` at which a warning names the first caller outside the package."""
    inside, level = {__name__.partition(".")[0], "contextlib"}, 0
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in inside:
        frame, level = frame.f_back, level + 1
    return level


def warn(warning: Warning) -> None:
    """Issue ``warning`` at the first caller outside the package, unless :func:`silenced` suppresses its class."""
    if not isinstance(warning, _SILENCED.get()):
        warnings.warn(warning, stacklevel=outside())


@contextmanager
def silenced(*kinds: type[Warning]) -> Iterator[None]:
    """Make :func:`warn` ignore warnings of the classes ``kinds`` within a block, in this thread."""
    token = _SILENCED.set((*_SILENCED.get(), *kinds))
    try:
        yield
    finally:
        _SILENCED.reset(token)


_SILENCED: ContextVar[tuple[type[Warning], ...]] = ContextVar("silenced", default=())


def shows_bar(progress: bool | None) -> bool:
    """Return whether to show a progress bar; None means only in a terminal, and outside :func:`without_bars`."""
    return progress if progress is not None else _BARS.get() and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def without_bars() -> Iterator[None]:
    """Hide progress bars within a block, except bars requested by ``progress=True``."""
    token = _BARS.set(False)
    try:
        yield
    finally:
        _BARS.reset(token)


_BARS: ContextVar[bool] = ContextVar("bars", default=True)


def check_picture(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture file; raise :class:`OptionError` if the suffix is no known format."""
    if Path(path).suffix.lower().lstrip(".") not in FORMATS:
        raise OptionError("path", str(path), f"the name of a picture, which ends in .{', .'.join(FORMATS)}")
    return Path(path)


def as_shown(value: object) -> object:
    """Return a value as messages show it: text, paths and numbers unchanged, other objects by class name."""
    return value if isinstance(value, str | os.PathLike | Real) else Shown(f"<{type(value).__name__}>")


def check_type(option: str, value: object, classes: type | tuple[type, ...], expected: str) -> None:
    """Raise :class:`OptionError` unless ``value`` is an instance of ``classes``."""
    if not isinstance(value, classes):
        raise OptionError(option, as_shown(value), expected)


def file_content(path: str | os.PathLike[str]) -> tuple[str, str]:
    """Return a file's kind (XML tag, "table", or "" if unknown) and a description for messages."""
    try:
        with open(path, "rb") as file:
            text = file.read(BEGINNING).decode("utf-8", errors="replace")
    except (OSError, ValueError):
        return "", ""
    if not text.lstrip("\ufeff \t\r\n").startswith("<"):
        is_table = any(line.strip() == "endheader" for line in text.splitlines())
        return ("table", TABLE) if is_table else ("", "")
    tags = re.findall(r"<([A-Za-z_]\w*)", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))
    tag = next((tag for tag in tags if tag != "OpenSimDocument"), "")
    if tag in DOCUMENTS:
        return tag, DOCUMENTS[tag]
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", tag.removesuffix("Tool"))
    is_setup = tags[:1] == ["OpenSimDocument"] and tag.endswith("Tool")
    return (tag, f"a setup of OpenSim's {name} Tool, which no command reads") if is_setup else ("", "")


def check_model_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of a model file; raise :class:`ModelError` if it is missing or no model."""
    if not isinstance(path, str | os.PathLike):
        is_ours = type(path).__name__ == "InertialModel"
        hint = ": give the model that this one was made of, whose segments have all their mass" if is_ours else ""
        raise OptionError("model", as_shown(path), f"an opensim.Model or the name of its file{hint}")
    if not os.path.isfile(path):
        absent = f"model file '{path}' does not exist{nearest_file(path)}"
        raise ModelError(f"'{path}' is not a file" if os.path.exists(path) else absent)
    if not is_text(os.fspath(path)):
        raise ModelError(f"model file '{path}': OpenSim cannot open files whose names are not UTF-8; rename it")
    tag, words = file_content(path)
    if tag not in ("", "Model"):
        raise ModelError(f"'{path}' is {words}; expected an OpenSim model (.osim)")
    return Path(path)


def check_file(path: str | os.PathLike[str], description: str) -> Path:
    """Return the path of a file; raise :class:`FileFormatError` if it is missing."""
    if not os.path.isfile(path):
        raise FileFormatError(path, f"{description} does not exist{nearest_file(path)}")
    return Path(path)


def narrow_name(path: str | os.PathLike[str]) -> str:
    """Return a name by which OpenSim can open a file (on Windows: ASCII only); FileFormatError if there is none."""
    name = os.fspath(path)
    if sys.platform != "win32" or name.isascii():
        return name
    folder, base = os.path.split(os.path.abspath(name))
    long, rest = (folder, os.sep + base) if base.isascii() else (os.path.join(folder, base), "")
    short = ctypes.create_unicode_buffer(2**15)
    ctypes.windll.kernel32.GetShortPathNameW(long, short, len(short))
    if letters := [letter for letter in short.value or long if not letter.isascii()]:
        reason = f"OpenSim cannot open names with the letter '{letters[0]}' on Windows; use a folder without it"
        raise FileFormatError(path, reason)
    return short.value + rest


def is_text(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8 (no lone surrogates)."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)

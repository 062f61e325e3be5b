"""The package's exceptions, with messages of texts and of :class:`Option` objects, which say what was expected."""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Option:
    """An option of the package's functions and a value of it, as messages name them."""

    name: str  # Python's keyword
    value: object  # that was given, or is recommended; an ellipsis stands for any
    owner: str = ""  # the class of options that has it, where the function that was called does not
    field: str = ""  # what the class calls it, where that is another name

    def __str__(self) -> str:
        if self.value is ...:
            return self.name
        return (
            f"{self.owner}({self.field or self.name}={self.value!r})" if self.owner else f"{self.name}={self.value!r}"
        )


class _Message:
    """Base of exceptions whose arguments are the parts of their message, and that can be pickled."""

    args: tuple[Any, ...]

    def text_with(self, option: Callable[[Option], str] = str) -> str:
        """Return the message, with each option as the function ``option`` shows it."""
        return "".join(option(part) if isinstance(part, Option) else str(part) for part in self.args)

    def __str__(self) -> str:
        return self.text_with()

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses compose their messages from other arguments, so that calling the class again would not do.
        parts = tuple(_portable(part) for part in self.args)
        return _restored, (type(self), parts), {name: _portable(value) for name, value in self.__dict__.items()}


class Shown(str):
    """A text in the place of a value, which ``repr`` shows as it is: of one that is long, or that cannot be pickled."""

    def __repr__(self) -> str:
        return str(self)


def _portable(value: Any) -> Any:
    """Return a value, or the text that stands for it in messages if it cannot be pickled."""
    if isinstance(value, Option):
        return replace(value, value=_portable(value.value))
    try:
        pickle.dumps(value)
    except Exception:  # whatever the value's own methods raise
        return Shown(repr(value))
    return value


def _restored(kind: Any, parts: tuple[Any, ...]) -> Any:
    message = kind.__new__(kind)
    message.args = parts
    return message


class InertiaError(_Message, Exception):
    """Base class of every error that opensim_inertia raises on purpose."""


class ModelError(InertiaError):
    """A model is missing, malformed, or holds something that cannot be used."""


class MissingInertiaError(ModelError):
    """A segment has too little inertia beside its muscles; ``motion`` (nu,) are speeds without kinetic energy."""

    motion: Any = None


class UnsupportedPathError(ModelError):
    """The path of ``muscle`` has an ``element`` that cannot carry mass."""

    def __init__(self, muscle: str, element: str, reason: str) -> None:
        self.muscle, self.element = muscle, element
        super().__init__(f"muscle '{muscle}': {element} {reason}")


class UnknownNameError(InertiaError):
    """A ``name`` was not found; ``near_matches`` are those that resemble it, or that it may mean."""

    def __init__(
        self, kind: str, name: str, valid: Iterable[str], where: str = "", meant: list[str] | None = None
    ) -> None:
        valid = list(valid)
        self.name = name
        self.near_matches = near_matches(name, valid) if meant is None else meant
        some = "; there are " + (first_of((f"'{each}'" for each in valid), 6) or "none")
        hint = f"; did you mean {listed(self.near_matches)}?" if self.near_matches else some
        super().__init__(f"unknown {kind} '{name}'{' in ' + where if where else ''}{hint}")


class MassError(InertiaError):
    """A mass is negative, not finite, or otherwise impossible."""


class FileFormatError(InertiaError):
    """The file ``path`` is missing, unreadable, or not in its format."""

    def __init__(self, path: object, reason: str) -> None:
        self.path = str(path)
        super().__init__(f"{path}: {reason}")


class MotionError(InertiaError):
    """A motion cannot be used: missing or NaN columns, times that do not increase, an empty time range."""


class OtherModelError(InertiaError):
    """Stored fits of a model's paths belong to another model."""


class RotationError(InertiaError):
    """Coordinates of a rotation are singular where they are asked for: at 180 degrees, or in gimbal lock."""


class SimulationError(InertiaError):
    """A simulation cannot start, or go on after ``time`` [s]."""

    def __init__(self, reason: str, time: float) -> None:
        self.time = time
        super().__init__(f"at time {time:.6g} s: {reason}")


class DivergenceError(SimulationError):
    """A simulation runs away: first its ``coordinate``, or other state variable; ``trajectory`` has all before."""

    def __init__(self, reason: str, time: float, coordinate: str) -> None:
        self.coordinate = coordinate
        self.trajectory: object = None
        super().__init__(f"'{coordinate}' {reason}", time)


class OutputError(InertiaError):
    """The file or folder ``path`` cannot be written, for a ``reason``."""

    def __init__(self, path: object, reason: str) -> None:
        self.path, self.reason = str(path), reason
        super().__init__(f"cannot write {path}: {reason}")


class OptionError(InertiaError, ValueError):
    """The ``option`` of this keyword has a ``value`` that is not allowed; ``expected`` says which are."""

    def __init__(self, option: str, value: object, expected: str) -> None:
        self.option, self.value, self.expected = option, value, expected
        super().__init__(Option(option, value), f": expected {expected}")


class MissingPackageError(InertiaError, ImportError):
    """A ``package`` that only some users need is not installed, or cannot be loaded."""

    def __init__(self, purpose: str, package: str, extra: str, otherwise: str = "") -> None:
        self.package, error = package, sys.exception()
        sentence = f'{purpose} {package}, which is not installed: `pip install "opensim_inertia[{extra}]"`'
        if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):  # as for want of a DLL
            sentence = f"{purpose} {package}, which is installed and cannot be loaded: {error}"
        super().__init__(sentence + (f"; {otherwise}" if otherwise else ""))


class PluginError(InertiaError):
    """The OpenSim plugin is missing, or does not work with this OpenSim."""


class DownloadError(InertiaError):
    """A file of a dataset cannot be downloaded from ``url``; by hand it can be put to ``path``."""

    def __init__(self, url: str, path: Path, reason: str, advice: str = "") -> None:
        self.url, self.path = url, path
        super().__init__(f"cannot download {url}: {reason}{advice}")


class ChecksumError(InertiaError):
    """The file ``path`` of a dataset is not the published one, whose SHA-256 is ``expected``."""

    def __init__(self, path: Path, expected: str, reason: str) -> None:
        self.path, self.expected = path, expected
        super().__init__(f"{reason} (expected SHA-256 {expected})")


class StudyError(InertiaError):
    """A study's configuration asks for something impossible; the message names the file, the section and the key."""


class ClusterError(InertiaError):
    """The scheduler cannot be reached, or it and its workers cannot do the tasks."""


class PolynomialError(InertiaError):
    """Polynomials cannot be made of the input."""


class FewPosesError(PolynomialError):
    """There are fewer ``poses`` than ``terms``, whose coefficients mean nothing between the poses."""

    def __init__(self, poses: int, terms: int) -> None:
        self.poses, self.terms = poses, terms
        super().__init__(f"{poses} poses cannot determine {terms} terms of a polynomial; give at least {terms} poses")


class NotFiniteError(PolynomialError):
    """The array ``what`` has a number that is not finite, first at ``pose`` (counted from 0)."""

    def __init__(self, what: str, pose: int) -> None:
        self.what, self.pose = what, pose
        super().__init__(f"{what} of pose {pose} (counted from 0) has numbers that are not finite")


class SpanlessMuscleError(ModelError):
    """A ``muscle`` acts on no coordinate, so that its length is constant and there is nothing to fit."""

    def __init__(self, muscle: str, count: int, arm: float) -> None:
        self.muscle = muscle
        super().__init__(
            f"muscle '{muscle}' spans no coordinate: at {count} poses it has no moment arm above {1e3 * arm:g} mm "
            "about any that is free, so there is nothing to fit; leave it out"
        )


class InfeasiblePostureError(InertiaError):
    """No activations hold a posture; ``missing`` generalized forces [N m or N] by coordinate, at the nearest."""

    def __init__(self, missing: Mapping[str, float], units: Mapping[str, str]) -> None:
        self.missing = dict(missing)
        shortfalls = ", ".join(f"{value:+.4g} {units[name]} at '{name}'" for name, value in missing.items())
        super().__init__(f"no activations hold the posture: where they come nearest, {shortfalls} is missing")


#: Windows's number of errors at files that other programs have open.
SHARING_VIOLATION = 32


def system_reason(error: Exception) -> str:
    """Return why the operating system refused something: the text of its error number, or of the exception."""
    if getattr(error, "winerror", None) == SHARING_VIOLATION:
        return "another program has it open; close it there"
    return getattr(error, "strerror", None) or str(error)


#: What OpenSim's exceptions are in Python; one whose message is not UTF-8 becomes a UnicodeDecodeError.
OPENSIM_ERRORS = (RuntimeError, UnicodeDecodeError)


def opensim_reason(error: Exception, copies: Mapping[str, object] | None = None) -> str:
    """Return the message of an exception from OpenSim in one line, without its place in the C++ source."""
    message = error.object.decode(errors="backslashreplace") if isinstance(error, UnicodeDecodeError) else str(error)
    text = re.sub(r"std::exception in '[^\n]*?': |SimTK Exception thrown at [^\n]*\n", "", message)
    unknown = r".*object type '\{?(\w+)\}?' is not a registered Object! It will be ignored\."
    text = re.sub(unknown, r"the class '\1' is not registered: load the plugin that has it", text)
    text = re.sub(r"Error detected by \S+ method \S+: ", "", text)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = [line for line in lines if not line.startswith(("Thrown at", "In Object", "(Required condition"))]
    unreadable = "OpenSim's message cannot be read, it is not UTF-8" if isinstance(error, RuntimeError) else ""
    reason = " ".join(lines[:2]) or unreadable or type(error).__name__
    for copy, file in (copies or {}).items():
        reason = reason.replace(copy, str(file))
    return reason


def near_matches(name: str, valid: Iterable[str], most: int = 4, cutoff: float = 0.5) -> list[str]:
    """Return the names in ``valid`` that resemble ``name`` by at least ``cutoff``, best first, ignoring case."""
    import difflib

    by_lower = {v.lower(): v for v in valid}
    return [by_lower[m] for m in difflib.get_close_matches(name.lower(), by_lower, n=most, cutoff=cutoff)]


def nearest_file(path: str | os.PathLike[str]) -> str:
    """Return a hint at the first part of a path that does not exist: "" or "; did you mean 'arm26.osim'?"."""
    parts = Path(path).parts
    for count, part in enumerate(parts, 1):
        above = Path(*parts[: count - 1])
        if os.path.lexists(above / part):
            continue
        try:
            names = os.listdir(above)
        except OSError:
            return ""
        suffix = Path(part).suffix if count == len(parts) else ""
        alike = (name for name in names if not suffix or near_matches(suffix, [Path(name).suffix], cutoff=0.6))
        near = near_matches(part, alike)
        missing = f"; there is no '{part}' in {above}" if count < len(parts) else ""
        return missing + (f"{', ' if missing else '; '}did you mean {listed(near)}?" if near else "")
    return ""


def listed(names: Iterable[str]) -> str:
    """Return the names in quotes, with commas between them."""
    return ", ".join(f"'{n}'" for n in names)


def first_of(parts: Iterable[str], most: int = 8, separator: str = ", ") -> str:
    """Return the first parts of a list, at most so many, and the number of the others."""
    parts = list(parts)
    more = f"{separator.strip(', ')} and {len(parts) - most} more" if len(parts) > most else ""
    return separator.join(parts[:most]) + more

"""Exceptions of the package."""

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
    """An option and its value, as part of a message."""

    name: str  # Python keyword
    value: object  # given or recommended value; an ellipsis stands for any
    owner: str = ""  # class of options, if not an argument of the called function
    field: str = ""  # name in the class, if different

    def __str__(self) -> str:
        if self.value is ...:
            return self.name
        return (
            f"{self.owner}({self.field or self.name}={self.value!r})" if self.owner else f"{self.name}={self.value!r}"
        )


class _Message:
    """Base of exceptions and warnings that can be pickled; messages consist of texts and :class:`Option` objects."""

    args: tuple[Any, ...]

    def text_with(self, option: Callable[[Option], str] = str) -> str:
        """Return the message; the function ``option`` formats each :class:`Option`."""
        return "".join(option(part) if isinstance(part, Option) else str(part) for part in self.args)

    def __str__(self) -> str:
        return self.text_with()

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses have other arguments than the parts of their message, so pickle must not call the class.
        parts = tuple(_portable(part) for part in self.args)
        return _restored, (type(self), parts), {name: _portable(value) for name, value in self.__dict__.items()}


class Shown(str):
    """A text that ``repr`` returns without quotes."""

    def __repr__(self) -> str:
        return str(self)


def _portable(value: Any) -> Any:
    """Return a value, or its text if it cannot be pickled."""
    if isinstance(value, Option):
        return replace(value, value=_portable(value.value))
    try:
        pickle.dumps(value)
    except Exception:  # from any method of the value
        return Shown(repr(value))
    return value


def _restored(kind: Any, parts: tuple[Any, ...]) -> Any:
    message = kind.__new__(kind)
    message.args = parts
    return message


class InertiaError(_Message, Exception):
    """Base class of all errors of opensim_inertia."""


class ModelError(InertiaError):
    """A model file is missing or damaged, or the model contains an unsupported object."""


class MissingInertiaError(ModelError):
    """A segment has too little inertia without its muscles: speeds ``motion`` (nu,) have no kinetic energy."""

    motion: Any = None


class UnsupportedPathError(ModelError):
    """The path of ``muscle`` has an ``element`` that cannot carry mass."""

    def __init__(self, muscle: str, element: str, reason: str) -> None:
        self.muscle, self.element = muscle, element
        super().__init__(f"muscle '{muscle}': {element} {reason}")


class UnknownNameError(InertiaError):
    """A ``name`` does not exist; ``near_matches`` are similar names."""

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
    """Stored length polynomials belong to another model."""


class RotationError(InertiaError):
    """Coordinates of a rotation are singular: rotation by 180 degrees, or gimbal lock."""


class SimulationError(InertiaError):
    """A simulation cannot start, or cannot continue after ``time`` [s]."""

    def __init__(self, reason: str, time: float) -> None:
        self.time = time
        super().__init__(f"at time {time:.6g} s: {reason}")


class DivergenceError(SimulationError):
    """The state variable or coordinate ``coordinate`` diverges in a simulation; ``trajectory`` has earlier steps."""

    def __init__(self, reason: str, time: float, coordinate: str) -> None:
        self.coordinate = coordinate
        self.trajectory: object = None
        super().__init__(f"'{coordinate}' {reason}", time)


class OutputError(InertiaError):
    """The file or folder ``path`` cannot be written because of ``reason``."""

    def __init__(self, path: object, reason: str) -> None:
        self.path, self.reason = str(path), reason
        super().__init__(f"cannot write {path}: {reason}")


class OptionError(InertiaError, ValueError):
    """The keyword ``option`` has an invalid ``value``; ``expected`` describes valid values."""

    def __init__(self, option: str, value: object, expected: str) -> None:
        self.option, self.value, self.expected = option, value, expected
        super().__init__(Option(option, value), f": expected {expected}")


class MissingPackageError(InertiaError, ImportError):
    """An optional ``package`` is not installed, or cannot be loaded."""

    def __init__(self, purpose: str, package: str, extra: str, otherwise: str = "") -> None:
        self.package, error = package, sys.exception()
        sentence = f'{purpose} {package}, which is not installed: `pip install "opensim_inertia[{extra}]"`'
        if isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError):  # a missing DLL, for example
            sentence = f"{purpose} {package}, which is installed and cannot be loaded: {error}"
        super().__init__(sentence + (f"; {otherwise}" if otherwise else ""))


class PluginError(InertiaError):
    """The OpenSim plugin is missing or incompatible with the installed OpenSim."""


class DownloadError(InertiaError):
    """A dataset file cannot be downloaded from ``url``; save it by hand as ``path``."""

    def __init__(self, url: str, path: Path, reason: str, advice: str = "") -> None:
        self.url, self.path = url, path
        super().__init__(f"cannot download {url}: {reason}{advice}")


class ChecksumError(InertiaError):
    """The dataset file ``path`` differs from the published file, which has the SHA-256 ``expected``."""

    def __init__(self, path: Path, expected: str, reason: str) -> None:
        self.path, self.expected = path, expected
        super().__init__(f"{reason} (expected SHA-256 {expected})")


class StudyError(InertiaError):
    """A study's configuration is invalid; the message names file, section and key."""


class ClusterError(InertiaError):
    """The scheduler is unreachable, or its workers cannot run the tasks."""


class PolynomialError(InertiaError):
    """Polynomials cannot be fitted to the given samples, or stored polynomials are damaged."""


class FewPosesError(PolynomialError):
    """The number of ``poses`` is too small to determine the coefficients of ``terms`` polynomial terms."""

    def __init__(self, poses: int, terms: int) -> None:
        self.poses, self.terms = poses, terms
        super().__init__(f"{poses} poses cannot determine {terms} terms of a polynomial; give at least {terms} poses")


class NotFiniteError(PolynomialError):
    """The array named ``what`` has a NaN or infinite number, first at ``pose`` (counted from 0)."""

    def __init__(self, what: str, pose: int) -> None:
        self.what, self.pose = what, pose
        super().__init__(f"{what} of pose {pose} (counted from 0) has numbers that are not finite")


class SpanlessMuscleError(ModelError):
    """The length of ``muscle`` depends on no free coordinate, so no polynomial can be fitted."""

    def __init__(self, muscle: str, count: int, arm: float) -> None:
        self.muscle = muscle
        super().__init__(
            f"muscle '{muscle}' spans no coordinate: at {count} poses it has no moment arm above {1e3 * arm:g} mm "
            "about any that is free, so there is nothing to fit; leave it out"
        )


class InfeasiblePostureError(InertiaError):
    """No activations hold a posture; the best ones lack generalized forces ``missing`` [N m or N]."""

    def __init__(self, missing: Mapping[str, float], units: Mapping[str, str]) -> None:
        self.missing = dict(missing)
        shortfalls = ", ".join(f"{value:+.4g} {units[name]} at '{name}'" for name, value in missing.items())
        super().__init__(f"no activations hold the posture: where they come nearest, {shortfalls} is missing")


#: Windows error number for files that other programs have open.
SHARING_VIOLATION = 32


def system_reason(error: Exception) -> str:
    """Return the operating system's reason for an error."""
    if getattr(error, "winerror", None) == SHARING_VIOLATION:
        return "another program has it open; close it there"
    return getattr(error, "strerror", None) or str(error)


#: Python classes of OpenSim's exceptions; a message that is not UTF-8 becomes a UnicodeDecodeError.
OPENSIM_ERRORS = (RuntimeError, UnicodeDecodeError)


def opensim_reason(error: Exception, copies: Mapping[str, object] | None = None) -> str:
    """Return an OpenSim exception's message in one line; ``copies`` maps temporary to original file names."""
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
    """Return names similar to ``name``, best first, ignoring case."""
    import difflib

    by_lower = {v.lower(): v for v in valid}
    return [by_lower[m] for m in difflib.get_close_matches(name.lower(), by_lower, n=most, cutoff=cutoff)]


def nearest_file(path: str | os.PathLike[str]) -> str:
    """Return a hint on a missing file, such as "; did you mean 'arm26.osim'?"; "" if no name is similar."""
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
    """Return the names in quotes, separated by commas."""
    return ", ".join(f"'{n}'" for n in names)


def first_of(parts: Iterable[str], most: int = 8, separator: str = ", ") -> str:
    """Join the first ``most`` texts; append "and N more" for N further texts."""
    parts = list(parts)
    more = f"{separator.strip(', ')} and {len(parts) - most} more" if len(parts) > most else ""
    return separator.join(parts[:most]) + more

"""Diagnostics: faults and doubts of a model, a motion, external loads or an answer, each with its cure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .checks import warn
from .errors import InertiaError
from .warnings import InertiaWarning, InputWarning

#: From harmless to fatal. A note changes no answer; a warning makes answers doubtful; an error makes them meaningless.
SEVERITIES = ("note", "warning", "error")
#: Times that are listed of each diagnostic.
MOST_TIMES = 5


@dataclass(frozen=True)
class Diagnostic:
    """One fault or doubt."""

    severity: str  # one of SEVERITIES
    check: str  # name of the test that found it, such as "triangle inequality"
    subject: str  # file, row, column, body, muscle or coordinate; empty if the text says it
    text: str  # what was measured, and what was expected
    cure: tuple[object, ...] = ()  # what to do about it: texts and options, as in messages
    kind: type[InertiaWarning] = InputWarning  # the class of the warning that is given of it
    times: tuple[float, ...] = ()  # of the states concerned [s], ascending, where the text does not say them

    @property
    def message(self) -> tuple[object, ...]:
        """The parts of a message that says all of it."""
        text = f"{self.subject}: {self.text}" if self.subject else self.text
        if count := len(self.times):
            times = ", ".join(f"{time:.6g}" for time in self.times[:MOST_TIMES]) + (
                ", ..." if count > MOST_TIMES else ""
            )
            text += f", at {count} state{'' if count == 1 else 's'} (time {times} s)"
        return (text, *(("; ", *self.cure) if self.cure else ()))

    def __str__(self) -> str:
        return "".join(map(str, self.message))


def by_severity(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics, the worst first, otherwise in their order."""
    return sorted(found, key=lambda each: -SEVERITIES.index(each.severity))


def raise_or_warn(found: Iterable[Diagnostic], refusal: type[InertiaError], strict: bool = False) -> list[str]:
    """Raise the worst diagnostic if it is an error (or ``strict`` and a warning); warn of others, return all texts."""
    ordered = by_severity(found)
    if ordered and (ordered[0].severity == "error" or (strict and ordered[0].severity == "warning")):
        raise refusal(*ordered[0].message)
    for each in ordered:
        if each.severity == "warning":
            warn(each.kind(*each.message))
    return [str(each) for each in ordered]

"""Problems of models, motions, loads and results, with remedies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .checks import warn
from .errors import InertiaError
from .warnings import InertiaWarning, InputWarning

#: Severities: a note does not affect results, a warning makes them doubtful, an error makes them meaningless.
SEVERITIES = ("note", "warning", "error")
#: Times that a message lists.
MOST_TIMES = 5


@dataclass(frozen=True)
class Diagnostic:
    """One problem of a model, a motion, external loads or a result."""

    severity: str  # one of SEVERITIES
    check: str  # name of the check, such as "triangle inequality"
    subject: str  # file, time step, column, body, muscle or coordinate; may be empty
    text: str  # measured and expected values
    cure: tuple[object, ...] = ()  # remedy: text and options, as in messages
    kind: type[InertiaWarning] = InputWarning  # class of the warning
    times: tuple[float, ...] = ()  # of the affected states [s], ascending

    @property
    def message(self) -> tuple[object, ...]:
        """The message, a tuple of texts and :class:`Option` objects: subject, problem, times and remedy."""
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
    """Return diagnostics sorted from the most to the least severe."""
    return sorted(found, key=lambda each: -SEVERITIES.index(each.severity))


def raise_or_warn(found: Iterable[Diagnostic], refusal: type[InertiaError], strict: bool = False) -> list[str]:
    """Raise ``refusal`` for the worst error or, if ``strict``, warning; else issue warnings and return all messages."""
    ordered = by_severity(found)
    if ordered and (ordered[0].severity == "error" or (strict and ordered[0].severity == "warning")):
        raise refusal(*ordered[0].message)
    for each in ordered:
        if each.severity == "warning":
            warn(each.kind(*each.message))
    return [str(each) for each in ordered]

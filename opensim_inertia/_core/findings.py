"""Findings: what is wrong, or may be wrong, with a model, a motion or external loads, each with its cure.

Whoever looks at inputs returns findings, and decides nothing. Commands and functions that compute act on them by
:func:`act_on`; ``opensim-inertia check`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .checks import warn
from .errors import InertiaError
from .warnings import InertiaWarning, InputWarning

__all__ = ["SEVERITIES", "Finding", "act_on", "by_severity", "notes_of"]

#: From harmless to fatal. A note changes no answer; a warning makes answers doubtful; an error makes them meaningless.
SEVERITIES = ("note", "warning", "error")


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, or may be wrong, with an input.

    Attributes:
        severity: one of :data:`SEVERITIES`.
        check: the name of the test that found it, such as "triangle inequality".
        place: the file and where in it: row, column, body, muscle or coordinate.
        text: what was measured, and what was expected.
        cure: what to do about it; texts and :class:`~opensim_inertia._core.errors.Option` objects, as messages consist
            of.
        kind: the class of the warning that is given of it.
    """

    severity: str
    check: str
    place: str
    text: str
    cure: tuple[object, ...] = ()
    kind: type[InertiaWarning] = InputWarning

    @property
    def message(self) -> tuple[object, ...]:
        """The parts of a message that says all of it."""
        return (f"{self.place}: {self.text}", *(("; ", *self.cure) if self.cure else ()))

    def __str__(self) -> str:
        return "".join(map(str, self.message))


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings, the worst first, otherwise in their order."""
    return sorted(findings, key=lambda finding: -SEVERITIES.index(finding.severity))


def notes_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the texts of findings that are notes, which are shown beside an answer and not warned of."""
    return tuple(str(finding) for finding in findings if finding.severity == "note")


def act_on(findings: Iterable[Finding], refusal: type[InertiaError], strict: bool = False) -> list[str]:
    """Raise the worst finding if it is an error (or ``strict`` and a warning); warn of others, and return all texts."""
    ordered = by_severity(findings)
    if ordered and (ordered[0].severity == "error" or (strict and ordered[0].severity == "warning")):
        raise refusal(*ordered[0].message)
    for finding in ordered:
        if finding.severity == "warning":
            warn(finding.kind(*finding.message))
    return [str(finding) for finding in ordered]

"""Left and right: what differs between the sides of a model by more than a person's sides do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product

import numpy as np

from .._core.arrays import Array
from .._core.findings import Finding
from .._core.opensim import osim
from .subject import Subject

__all__ = ["other_side", "side_findings"]

#: Sides may differ by this share in masses, moments of inertia and muscles' parameters without a word, and by more with
#: a note. Scaled models of public data differ by up to 10 % in lengths, and so by up to 30 % in moments.
SAME, ALIKE = 0.02, 0.35
#: The same of muscles' lengths: fibres and tendons are scaled with paths.
ALIKE_LENGTHS = 0.15
#: Path points may differ by this distance [m] from the mirror image of the other side's.
SAME_PLACE, ALIKE_PLACE = 0.002, 0.025
#: Pairs that are needed to find out how a body's axes are mirrored.
FEW = 3

_SIDES = (
    re.compile(r"^(?P<before>.*[_.-])(?P<side>r|R|right|Right|RIGHT)(?P<after>(?:[_.-].*)?)$"),
    re.compile(r"^(?P<before>)(?P<side>r|R|right|Right|RIGHT)(?P<after>[_.-].*)$"),
)
_LEFT = {"r": "l", "R": "L", "right": "left", "Right": "Left", "RIGHT": "LEFT"}


def other_side(name: str, names: Iterable[str]) -> str | None:
    """Return the left counterpart of a right part among names, as ``femur_l`` of ``femur_r``; None if there is none."""
    known = set(names)
    for pattern in _SIDES:
        match = pattern.match(name)
        if match is not None:
            left = match["before"] + _LEFT[match["side"]] + match["after"]
            if left in known:
                return left
    return None


def side_findings(subject: Subject) -> Iterator[Finding]:
    """Yield where the left side of a model is not the right one's mirror image."""
    yield from _bodies(subject)
    yield from _parameters(subject)
    yield from _points(subject)


def _bodies(subject: Subject) -> Iterator[Finding]:
    for right, mine in subject.bodies.items():
        left = other_side(right, subject.bodies)
        if left is None:
            continue
        other = subject.bodies[left]
        numbers = {
            "mass": (mine.mass, other.mass, "kg"),
            "largest principal moment": (_largest(mine.inertia), _largest(other.inertia), "kg m^2"),
            "distance of the centre of mass": (_size(mine.center), _size(other.center), "m"),
        }
        for what, (a, b, unit) in numbers.items():
            if unit == "m" and abs(a - b) < 0.01:
                continue
            yield from _compared(subject, f"sides: {what}", "bodies", right, left, (a, b, unit), ALIKE)


def _parameters(subject: Subject) -> Iterator[Finding]:
    read: dict[str, tuple[Callable[[osim.Muscle], float], str, float]] = {
        "maximum isometric force": (lambda m: m.getMaxIsometricForce(), "N", ALIKE),
        "optimal fibre length": (lambda m: m.getOptimalFiberLength(), "m", ALIKE_LENGTHS),
        "tendon slack length": (lambda m: m.getTendonSlackLength(), "m", ALIKE_LENGTHS),
        "pennation angle": (lambda m: m.getPennationAngleAtOptimalFiberLength(), "rad", ALIKE),
    }
    for right, mine in subject.muscles.items():
        left = other_side(right, subject.muscles)
        if left is None:
            continue
        for what, (value, unit, alike) in read.items():
            pair = float(value(mine)), float(value(subject.muscles[left])), unit
            if unit == "rad" and abs(pair[0] - pair[1]) < 0.05:
                continue
            yield from _compared(subject, f"sides: {what}", "muscles", right, left, pair, alike)


def _compared(
    subject: Subject, check: str, kind: str, right: str, left: str, pair: tuple[float, float, str], alike: float
) -> Iterator[Finding]:
    """Yield a finding where two numbers differ by more than the sides of a model do."""
    a, b, unit = pair
    if not (np.isfinite([a, b]).all() and max(abs(a), abs(b)) > 0):
        return
    apart = abs(a - b) / max(abs(a), abs(b))
    if apart > SAME:
        text = (
            f"{check.partition(': ')[2]} {a:.4g} and {b:.4g} {unit}: {100 * apart:.0f} % apart; up to "
            f"{100 * alike:.0f} % is usual between sides"
        )
        place = f"{subject.name}, {kind} '{right}' and '{left}'"
        severity = "warning" if apart > alike else "note"
        yield Finding(severity, check, place, text, ("see which side is right, unless the person is so",))


def _points(subject: Subject) -> Iterator[Finding]:
    """Yield path points that are not where the mirror image of the other side has them.

    How a body's axes are mirrored is learnt from all of its points: the signs that bring the most of them together.
    """
    pairs: dict[tuple[str, str], list[tuple[str, str, int, Array, Array]]] = {}
    mirrored = {right: left for right in subject.bodies if (left := other_side(right, subject.bodies)) is not None}
    mirrored |= {left: right for right, left in mirrored.items()}
    for right, mine in subject.path_points.items():
        left = other_side(right, subject.path_points)
        other = [] if left is None else subject.path_points[left]
        if left is None or not mine or not other:
            continue
        if len(mine) != len(other):
            text = f"{len(mine)} and {len(other)} path points"
            place = f"{subject.name}, muscles '{right}' and '{left}'"
            yield Finding("note", "sides: path points", place, text, ("see which side is right",))
            continue
        for number, (one, two) in enumerate(zip(mine, other, strict=True), 1):
            if two.body != mirrored.get(one.body, one.body):
                text = f"path point {number} is on '{one.body}' and on '{two.body}'"
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                yield Finding("warning", "sides: path points", place, text, ("see which side is right",))
            elif one.station is not None and two.station is not None:
                rows = pairs.setdefault((one.body, two.body), [])
                rows.append((right, left, number, one.station, two.station))
    for rows in pairs.values():
        if len(rows) < FEW:
            continue
        ours, theirs = (np.array([row[k] for row in rows]) for k in (3, 4))
        candidates = [np.array(signs) for signs in product((1.0, -1.0), repeat=3)]
        apart = np.array([np.linalg.norm(ours * signs - theirs, axis=1) for signs in candidates])
        best = apart[int(np.argmin(np.median(apart, axis=1)))]
        if np.median(best) > SAME_PLACE * 5:
            continue  # the axes of both sides are no mirror images
        for (right, left, number, _, _), distance in zip(rows, best.tolist(), strict=True):
            if distance > SAME_PLACE:
                text = (
                    f"path point {number} is {1e3 * distance:.1f} mm from the mirror image of the other side's; up to "
                    f"{1e3 * ALIKE_PLACE:.0f} mm is usual"
                )
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                severity = "warning" if distance > ALIKE_PLACE else "note"
                yield Finding(severity, "sides: path points", place, text, ("see which side is right",))


def _largest(inertia: Array) -> float:
    return float(np.linalg.eigvalsh(inertia)[-1]) if np.isfinite(inertia).all() else float("nan")


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))

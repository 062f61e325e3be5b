"""Left and right: what differs between the sides of a model by more than a person's sides do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from .._core.sides import other_side
from .subject import Subject

__all__ = ["side_findings"]

#: Sides may differ by this share in masses, moments of inertia and muscles' parameters. Scaled models of public data
#: differ by up to 10 % in lengths, and so by up to 30 % in moments.
ALIKE = 0.35
#: The same of muscles' lengths: fibres and tendons are scaled with paths.
ALIKE_LENGTHS = 0.15
#: Path points may differ by this distance [m] from the mirror image of the other side's; and by that in the median of a
#: body, if its axes are mirrored at all.
ALIKE_PLACE, MIRRORED = 0.025, 0.01
#: Pairs that are needed to find out how a body's axes are mirrored.
FEW = 3


def side_findings(subject: Subject) -> Iterator[Diagnostic]:
    """Yield where the left side of a model is not the right one's mirror image."""
    yield from _bodies(subject)
    yield from _parameters(subject)
    yield from _points(subject)


def _bodies(subject: Subject) -> Iterator[Diagnostic]:
    """Yield bodies whose masses, moments of inertia or centres of mass differ between left and right."""
    for right, right_body in subject.bodies.items():
        left = other_side(right, subject.bodies)
        if left is None:
            continue
        left_body = subject.bodies[left]
        numbers = {
            "mass": (right_body.mass, left_body.mass, "kg"),
            "largest principal moment": (_largest(right_body.inertia), _largest(left_body.inertia), "kg m^2"),
            "distance of the centre of mass": (_size(right_body.center), _size(left_body.center), "m"),
        }
        for quantity, (a, b, unit) in numbers.items():
            if unit == "m" and abs(a - b) < 0.01:
                continue
            yield from _compared(subject, f"sides: {quantity}", "bodies", right, left, (a, b, unit), ALIKE)


def _parameters(subject: Subject) -> Iterator[Diagnostic]:
    """Yield muscles whose parameters differ between left and right."""
    parameters: dict[str, tuple[Callable[[osim.Muscle], float], str, float]] = {
        "maximum isometric force": (lambda m: m.getMaxIsometricForce(), "N", ALIKE),
        "optimal fibre length": (lambda m: m.getOptimalFiberLength(), "m", ALIKE_LENGTHS),
        "tendon slack length": (lambda m: m.getTendonSlackLength(), "m", ALIKE_LENGTHS),
        "pennation angle": (lambda m: m.getPennationAngleAtOptimalFiberLength(), "rad", ALIKE),
    }
    for right, right_muscle in subject.muscles.items():
        left = other_side(right, subject.muscles)
        if left is None:
            continue
        for quantity, (value, unit, alike) in parameters.items():
            pair = float(value(right_muscle)), float(value(subject.muscles[left])), unit
            if unit == "rad" and abs(pair[0] - pair[1]) < 0.05:
                continue
            yield from _compared(subject, f"sides: {quantity}", "muscles", right, left, pair, alike)


def _compared(
    subject: Subject, check: str, kind: str, right: str, left: str, pair: tuple[float, float, str], alike: float
) -> Iterator[Diagnostic]:
    """Yield a finding where two numbers differ by more than the sides of a model do."""
    a, b, unit = pair
    if not (np.isfinite([a, b]).all() and max(abs(a), abs(b)) > 0):
        return
    difference = abs(a - b) / max(abs(a), abs(b))
    if difference > alike:
        text = (
            f"{check.partition(': ')[2]} {a:.4g} and {b:.4g} {unit}: {100 * difference:.0f} % apart; up to "
            f"{100 * alike:.0f} % is usual between sides"
        )
        place = f"{subject.name}, {kind} '{right}' and '{left}'"
        yield Diagnostic("warning", check, place, text, ("see which side is right, unless the person is so",))


def _points(subject: Subject) -> Iterator[Diagnostic]:
    """Yield path points that are not where the mirror image of the other side has them.

    A body's mirror plane is found from all of its points: of the eight combinations of signs of the axes, the one with
    the least median distance between the points of both sides.
    """
    pairs: dict[tuple[str, str], list[tuple[str, str, int, Array, Array]]] = {}
    mirrored = {right: left for right in subject.bodies if (left := other_side(right, subject.bodies)) is not None}
    mirrored |= {left: right for right, left in mirrored.items()}
    for right, right_points in subject.path_points.items():
        left = other_side(right, subject.path_points)
        left_points = [] if left is None else subject.path_points[left]
        if left is None or len(right_points) != len(left_points):
            continue
        for number, (right_point, left_point) in enumerate(zip(right_points, left_points, strict=True), 1):
            if left_point.body != mirrored.get(right_point.body, right_point.body):
                text = f"path point {number} is on '{right_point.body}' and on '{left_point.body}'"
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                yield Diagnostic("warning", "sides: path points", place, text, ("see which side is right",))
            elif right_point.station is not None and left_point.station is not None:
                rows = pairs.setdefault((right_point.body, left_point.body), [])
                rows.append((right, left, number, right_point.station, left_point.station))
    for rows in pairs.values():
        if len(rows) < FEW:
            continue
        right_stations, left_stations = (np.array([row[k] for row in rows]) for k in (3, 4))
        candidates = [np.array(signs) for signs in product((1.0, -1.0), repeat=3)]
        distances = np.array([np.linalg.norm(right_stations * signs - left_stations, axis=1) for signs in candidates])
        best = distances[int(np.argmin(np.median(distances, axis=1)))]
        if np.median(best) > MIRRORED:
            continue  # the axes of both sides are no mirror images
        for (right, left, number, _, _), distance in zip(rows, best.tolist(), strict=True):
            if distance > ALIKE_PLACE:
                text = (
                    f"path point {number} is {1e3 * distance:.1f} mm from the mirror image of the other side's; up to "
                    f"{1e3 * ALIKE_PLACE:.0f} mm is usual"
                )
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                yield Diagnostic("warning", "sides: path points", place, text, ("see which side is right",))


def _largest(inertia: Array) -> float:
    return float(np.linalg.eigvalsh(inertia)[-1]) if np.isfinite(inertia).all() else float("nan")


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))

"""Angles of a recording that begin again after a full turn, and triples of angles that change to their equivalent.

Both are the same pose in other numbers, and nothing moves there: rows go on in the numbers of the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import first_of
from ..._core.opensim import osim
from .coordinates import read_coordinates
from .rotation_joints import read_rotation_joints

__all__ = ["continuous"]

LEAST = 2 / 3
"""Steps of an angle above this many turns lose full turns; at most half of the step remains."""
SMALL = 1 / 5
"""Steps of so many turns are nearer to the row before than those of the equivalent triple."""
MOST = 1e6
"""No angle has more turns."""
MOST_NAMED = 4
"""How many coordinates a note names."""


def continuous(
    values: Array, names: Sequence[str], model: osim.Model, in_degrees: bool, origin: str
) -> tuple[Array, list[Diagnostic]]:
    """Return a recording's values (rows, n) without full turns and flips of Euler angles between rows, and a note.

    Steps of an angle that are twice as near to a full turn as to none lose it. Of three rotations of a joint about
    orthogonal axes the triple is taken that is nearest to the row before, among those of the same rotation: (a, b, c)
    and (a + pi, pi - b, c + pi), and full turns. So a motion may be written in any of these triples.

    Args:
        model: initialised.
        in_degrees: whether angles are in degrees.
    """
    coordinates = model.getCoordinateSet()
    angles = [i for i, n in enumerate(names) if coordinates.get(n).getMotionType() == osim.Coordinate.Rotational]
    turn = 360.0 if in_degrees else 2 * np.pi
    turning = values[:, angles]
    steps = np.diff(turning, axis=0) if np.abs(turning).max(initial=0.0) < MOST * turn else np.zeros(0)
    if np.abs(steps).max(initial=0.0) < SMALL * turn:
        return values, []
    continued = values.copy()
    triples, flipped = _follow_triples(continued, names, model, turn)
    turned = []
    for i in angles:
        steps = np.diff(continued[:, i]) / turn
        turns = np.where((np.abs(steps) > LEAST) | (names[i] in triples), np.rint(steps), 0.0)
        if turns.any() and not (turns[1:] * turns[:-1] > 0).any():  # on and on, they are angles in another unit
            continued[1:, i] -= turn * turns.cumsum()
            turned.append(names[i])
    findings = []
    for changed, text in (
        (turned, "angles that begin again after a full turn go on here"),
        (flipped, "angles that change to the equivalent triple (a + pi, pi - b, c + pi) keep the first row's here"),
    ):
        if changed:
            which = first_of((f"'{name}'" for name in changed), MOST_NAMED)
            findings.append(Diagnostic("note", "turns", origin, f"{text}: {which}"))
    return continued, findings


def _follow_triples(values: Array, names: Sequence[str], model: osim.Model, turn: float) -> tuple[list[str], list[str]]:
    """Write triples of angles, in place, as those that continue the first row's; return their names, and changed ones.

    Triples that scale their coordinates have no full turns of these.
    """
    triples: list[str] = []
    changed: list[str] = []
    for joint in read_rotation_joints(model, read_coordinates(model, model.getWorkingState())).values():
        if joint.angles is None or not set(joint.coordinates) <= set(names):
            continue
        columns = np.array([names.index(name) for name in joint.coordinates])
        triples += [name for name, slope in zip(joint.coordinates, joint.angles.scale, strict=True) if abs(slope) == 1]
        scale, offset = joint.angles.scale, joint.angles.offset * (turn / (2 * np.pi))
        triple = scale * values[:, columns] + offset
        other = np.column_stack([triple[:, 0] + turn / 2, turn / 2 - triple[:, 1], triple[:, 2] + turn / 2])
        stays, flips = (_distance(each[1:] - triple[:-1], turn) for each in (triple, other))
        late = np.append(False, np.cumsum(flips < stays) % 2 == 1)
        if late.any():
            values[np.ix_(np.flatnonzero(late), columns)] = (other[late] - offset) / scale
            changed += joint.coordinates
    return triples, changed


def _distance(steps: Array, turn: float) -> Array:
    """Return the sizes (rows,) of steps (rows, 3) of angles, full turns left out."""
    return np.asarray(np.linalg.norm(steps - turn * np.rint(steps / turn), axis=1))

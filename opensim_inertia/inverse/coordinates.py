"""Choice of coordinates: those that may be asked for, and those that are shown first."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..arrays import Array
from ..errors import OptionError, UnknownNameError
from ..reading import Coupling

__all__ = ["check_coordinate", "most_changed"]

#: Coordinates that a reader looks for first, where they are there and change.
EXPECTED = re.compile(r"knee_angle|ankle_angle|hip_flexion|elbow_flex", re.IGNORECASE)
#: The side of the body in the names of coordinates.
SIDE = re.compile(r"_[rl](?=$|_)")
#: A smaller difference, as a share of the force, is not worth looking for.
NOTHING = 1e-9


def check_coordinate(name: str, names: Sequence[str], couplings: Sequence[Coupling], where: str = "") -> int:
    """Return the place of a coordinate among ``names`` on which forces act by themselves.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it follows another one, to which its force counts.
    """
    if name not in names:
        raise UnknownNameError("coordinate", name, names, where)
    i = list(names).index(name)
    for coupling in couplings:
        if coupling.dependent == i:
            leading = names[coupling.independent]
            raise OptionError("coordinate", name, f"'{leading}', which it follows by a coupler: forces add up there")
    return i


def most_changed(
    names: Sequence[str],
    rotational: Sequence[bool],
    on_base: Sequence[bool],
    independent: Sequence[int],
    lumped: Array,
    inertial: Array,
    most: int,
) -> list[str]:
    """Return the coordinates whose force changes most relative to its size, joints before the base.

    Of a pair the side that changes more is chosen; knee and ankle come first.

    Args:
        names, rotational, on_base: of each of the nu coordinates.
        independent: numbers of the coordinates that follow no other one.
        lumped, inertial: forces (T, nu), those on followers folded into what they follow.
        most: how many are wanted.
    """
    difference = inertial - lumped
    change, size = (np.sqrt((forces**2).mean(axis=0)) for forces in (difference, lumped))
    score = np.where(size > 1e-6 * size.max(initial=1.0), change / np.where(size > 0, size, 1.0), 0.0)
    best: dict[str, int] = {}
    for i in independent:
        stem = SIDE.sub("", names[i])
        if stem not in best or score[i] > score[best[stem]]:
            best[stem] = i
    sides = [m[0] for i in best.values() if (m := SIDE.search(names[i]))]
    side = max(dict.fromkeys(sides), key=sides.count) if sides else ""
    chosen = {}
    for stem, i in best.items():  # one leg, not a mixture of two
        name = names[i]
        other = SIDE.sub(side, name) if side else name
        chosen[stem] = names.index(other) if other in names else i

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        expected = bool(EXPECTED.search(names[i])) and score[i] > NOTHING
        return on_base[i], not rotational[i], not expected, -float(score[i])

    order = sorted(chosen.values(), key=rank)
    return [names[i] for i in sorted(order[:most], key=lambda i: (on_base[i], i))]

"""Choice of coordinates: those that may be asked for, and those that are shown first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OptionError, UnknownNameError
from ..._core.sides import stem_and_side
from ...opensim_model.reading.coordinates import Coupling

__all__ = ["check_coordinate", "fold", "most_changed"]

#: What a reader looks for first in the names of coordinates, limb by limb, from the trunk outwards.
LEG = (r"hip_?flex", r"knee_?(?:angle|flex)", r"ankle_?(?:angle|flex|dorsi)")
ARM = (r"shoulder_?(?:elev|elv|flex)|arm_?flex", r"elbow_?flex", r"wrist_?(?:flex|hand_r1)")
EXPECTED = re.compile("|".join((*LEG, *ARM)), re.IGNORECASE)
#: A smaller difference, as a share of the force, is not worth looking for.
NOTHING = 1e-9


def check_coordinate(name: str, names: Sequence[str], couplings: Sequence[Coupling], where: str = "") -> int:
    """Return the place of an independent coordinate among ``names``.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it is coupled, and its force counts to another one.
    """
    if name not in names:
        raise UnknownNameError("coordinate", name, names, where)
    i = list(names).index(name)
    for coupling in couplings:
        if coupling.dependent == i:
            leading = names[coupling.independent]
            raise OptionError("coordinate", name, f"'{leading}', which it follows by a coupler: forces add up there")
    return i


def fold(forces: Array, couplings: Sequence[Coupling]) -> Array:
    """Return forces (..., T, nu) projected onto independent coordinates; coupled ones get 0."""
    if not couplings:
        return forces
    forces = forces.copy()
    for coupling in couplings:
        forces[..., coupling.independent] += coupling.slopes * forces[..., coupling.dependent]
    forces[..., [coupling.dependent for coupling in couplings]] = 0.0
    return forces


def most_changed(
    names: Sequence[str],
    rotational: Sequence[bool],
    on_base: Sequence[bool],
    independent: Sequence[int],
    lumped: Array,
    inertial: Array,
    most: int,
) -> list[str]:
    """Return the names of the coordinates that plots and reports show first.

    Hip flexion, knee and ankle come first, of both legs where both change, or shoulder elevation, elbow and wrist of
    models without legs. The others are those whose force changes most relative to its size: of a pair the side that
    changes more, moments before forces, joints before the base.

    Args:
        names, rotational, on_base: of each of the nu coordinates.
        independent: numbers of the coordinates that follow no other one.
        lumped, inertial: forces (T, nu) of independent coordinates, see :func:`fold`.
        most: how many are wanted.
    """
    complete_rows = np.isfinite(inertial).all(axis=1) & np.isfinite(lumped).all(axis=1)
    lumped, difference = lumped[complete_rows], (inertial - lumped)[complete_rows]
    if not complete_rows.any():
        lumped = difference = np.zeros((1, len(names)))
    change, size = (np.sqrt((forces**2).mean(axis=0)) for forces in (difference, lumped))
    score = np.where(size > 1e-6 * size.max(initial=1.0), change / np.where(size > 0, size, 1.0), 0.0)
    pairs: dict[str, dict[str, int]] = {}
    for i in independent:
        stem, side = stem_and_side(names[i])
        pairs.setdefault(stem, {})[side] = i
    foremost = {stem: max(pair, key=lambda side: score[pair[side]]) for stem, pair in pairs.items()}
    sides = [side for side in foremost.values() if side]
    main = max(dict.fromkeys(sides), key=sides.count) if sides else ""  # one leg, not a mixture of two

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        expected = bool(EXPECTED.search(names[i])) and score[i] > NOTHING
        return on_base[i], not rotational[i], not expected, -float(score[i])

    limbs = _limbs(pairs, score, main)[:most]
    limb_stems = {stem_and_side(names[i])[0] for i in limbs}
    further = [pair.get(main, pair[foremost[stem]]) for stem, pair in pairs.items() if stem not in limb_stems]
    further = sorted(further, key=rank)[: most - len(limbs)]
    right_first = sorted(limbs, key=lambda i: stem_and_side(names[i])[1] == "l")
    return [names[i] for i in (*right_first, *sorted(further, key=lambda i: (on_base[i], i)))]


def _limbs(pairs: Mapping[str, Mapping[str, int]], score: Array, main: str) -> list[int]:
    """Return the coordinates of the legs that change, or else of the arms, those of the main side first.

    Args:
        pairs: numbers of coordinates by stem and side.
        score: how much each changes, (nu,).
        main: the side that changes more.
    """
    for limb in (LEG, ARM):
        stems = [stem for joint in limb for stem in pairs if re.search(joint, stem, re.IGNORECASE)]
        changing = [(side, i) for stem in stems for side, i in pairs[stem].items() if score[i] > NOTHING]
        if changing:
            return [i for _, i in sorted(changing, key=lambda each: each[0] != main)]
    return []

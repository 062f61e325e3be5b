"""Choice of coordinates and muscles: those that may be asked for, and those that are shown first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import OptionError, UnknownNameError
from ..._core.sides import stem_and_side
from ...opensim_model.reading.coordinates import Coupling

if TYPE_CHECKING:
    import pandas as pd

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
    models without legs. The others are those whose force (T, nu) changes most relative to its size: of a pair the side
    that changes more, moments before forces, joints before the base.
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
    """Return the coordinates of the legs that change, or else of the arms, those of the main side first."""
    for limb in (LEG, ARM):
        stems = [stem for joint in limb for stem in pairs if re.search(joint, stem, re.IGNORECASE)]
        changing = [(side, i) for stem in stems for side, i in pairs[stem].items() if score[i] > NOTHING]
        if changing:
            return [i for _, i in sorted(changing, key=lambda each: each[0] != main)]
    return []


def sure_rows(table: pd.DataFrame, doubtful: NDArray[np.bool_]) -> pd.DataFrame:
    """Return a table with NaN in doubtful rows (T,)."""
    return table.mul(np.where(doubtful, np.nan, 1.0), axis=0) if doubtful.any() else table


def foremost(table: pd.DataFrame, most: int) -> tuple[dict[str, Array], tuple[str, Array] | None]:
    """Return the curves (T,) of the muscles with the largest parts, by name, then a label and the sum of any others."""
    table = table.loc[:, np.abs(table).max() > 0]
    order = list((table**2).mean().sort_values(ascending=False).index)
    largest = {str(name): table[name].to_numpy() for name in order[:most]}
    if not (others := order[most:]):
        return largest, None
    label = f"{len(others)} other{'s' * (len(others) > 1)}"
    return largest, (label, table[others].sum(axis=1, skipna=False).to_numpy())

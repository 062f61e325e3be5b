"""What muscle recruitment found, one row per actuator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..arrays import Array

__all__ = ["AT_BOUND", "bound_places", "summarise"]

#: An activation is at a bound within this.
AT_BOUND = 1e-6


def bound_places(controls: Array, lower: Array, upper: Array, unsolved: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return where controls are, (T, n).

    0 at the lower bound, 1 between the bounds, 2 at the upper bound, 3 in rows without a solution, and 4 in rows that
    are not solved, as their controls are NaN.
    """
    places = np.ones(controls.shape, dtype=np.int8)
    places[controls <= lower + AT_BOUND] = 0
    places[controls >= upper - AT_BOUND] = 2
    places[unsolved] = 3
    places[np.isnan(controls)] = 4
    return places


def summarise(
    times: Array,
    names: Sequence[str],
    controls: Mapping[str, Array],
    forces: Mapping[str, Array],
    kind: str,
    saturated: NDArray[np.intp],
    unsolved: int,
) -> pd.DataFrame:
    """Return a table of actuators.

    Columns: ``largest control`` in size, its ``time`` [s], ``mean control``, ``largest force`` [N or N m], ``rows at
    upper bound``, ``rows unsolved`` (the same for all actuators: rows without a solution). Where there are lumped
    answers beside: ``largest change of control`` (this kind less lumped, signed), its ``time of change`` [s], ``largest
    change of force``, and ``control RMS change``.

    Args:
        times: (T,) [s].
        names: of the n actuators.
        controls, forces: (T, n) by kind.
        kind: what is shown.
        saturated: number of rows at which each actuator is at its upper bound, (n,).
        unsolved: number of rows without a solution.
    """
    mine = controls[kind]
    peaks = np.abs(mine).argmax(axis=0)
    table = pd.DataFrame(
        {
            "largest control": _at(mine, peaks),
            "time": times[peaks],
            "mean control": mine.mean(axis=0),
            "largest force": _at(forces[kind], np.abs(forces[kind]).argmax(axis=0)),
            "rows at upper bound": saturated,
            "rows unsolved": unsolved,
        },
        index=pd.Index(names, name="actuator"),
    )
    if kind != "lumped" and "lumped" in controls:
        change, of_force = mine - controls["lumped"], forces[kind] - forces["lumped"]
        most = np.abs(change).argmax(axis=0)
        table["largest change of control"] = _at(change, most)
        table["time of change"] = times[most]
        table["largest change of force"] = _at(of_force, np.abs(of_force).argmax(axis=0))
        table["control RMS change"] = np.sqrt((change**2).mean(axis=0))
    return table


def _at(values: Array, rows: NDArray[np.intp]) -> Array:
    return values[rows, np.arange(values.shape[1])]

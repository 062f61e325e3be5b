"""The summary table of muscle recruitment, one row per actuator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.representation import TextTable

#: An activation is at a bound within this.
AT_BOUND = 1e-6
#: Muscles that the printed table has.
MOST_SHOWN = 12


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
    """Return the summary table, one row for each actuator.

    Columns: ``largest control`` in size, its ``time`` [s], ``mean control``, ``largest force`` [N or N m], ``rows at
    upper bound``, ``rows unsolved`` (the same for all actuators: rows without a solution). Where there are lumped
    answers beside: ``largest change of control`` (this kind less lumped, signed), its ``time of change`` [s], ``largest
    change of force``, and ``control RMS change``.

    Args:
        times: (T,) [s].
        names: of the n actuators.
        controls, forces: (T, n) by kind; NaN is left out, and an actuator that has nothing else has NaN.
        kind: what is shown.
        saturated: number of rows at which each actuator is at its upper bound, (n,).
        unsolved: number of rows without a solution.
    """
    kind_controls = controls[kind]
    peaks = _largest(kind_controls)
    table = pd.DataFrame(
        {
            "largest control": _at(kind_controls, peaks),
            "time": times[peaks],
            "mean control": _mean(kind_controls),
            "largest force": _at(forces[kind], _largest(forces[kind])),
            "rows at upper bound": saturated,
            "rows unsolved": unsolved,
        },
        index=pd.Index(names, name="actuator"),
    )
    if kind != "lumped" and "lumped" in controls:
        change, of_force = kind_controls - controls["lumped"], forces[kind] - forces["lumped"]
        most = _largest(change)
        table["largest change of control"] = _at(change, most)
        table["time of change"] = times[most]
        table["largest change of force"] = _at(of_force, _largest(of_force))
        table["control RMS change"] = np.sqrt(_mean(change**2))
    return table


def _largest(values: Array) -> NDArray[np.intp]:
    """Return the rows (n,) of the values (T, n) that are largest in size."""
    return np.asarray(np.nan_to_num(np.abs(values), nan=-1.0).argmax(axis=0))


def _mean(values: Array) -> Array:
    """Return the means (n,) of the values (T, n) that are known, of none NaN."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    return np.where(count > 0, np.where(known, values, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan)


def _at(values: Array, rows: NDArray[np.intp]) -> Array:
    return values[rows, np.arange(values.shape[1])]


def summary_as_text(
    summary: pd.DataFrame, muscles: Sequence[str], kind: str, rows: int, unsolved: int, unanswered: int
) -> TextTable:
    """Return the summary of muscle recruitment to be read: the muscles that change most, or are most active."""
    table = summary.loc[[name for name in muscles if name in summary.index]]
    changes = "largest change of control" in table
    by = "largest change of control" if changes else "largest control"
    listed = table.reindex(table[by].abs().sort_values(ascending=False, kind="stable").index)[:MOST_SHOWN]
    head = ["muscle", "largest activation", "at [s]", "largest force [N]"]
    head += ["change of activation", "at [s]", "change of force [N]"] if changes else []
    notes = [f"Changes are {kind} - lumped, where they are largest; muscles that change most."] if changes else []
    solved = f"all {rows} rows are solved" if not unsolved else f"{unsolved} of {rows} rows are NOT solved"
    solved += f"; {unanswered} more have no external loads, and no answer" if unanswered else ""
    cells = [[str(name), *_cells(row, changes)] for name, row in listed.iterrows()]
    return TextTable("Muscle recruitment", [head], cells, notes=[*notes, f"{solved}."])


def _cells(row: pd.Series, changes: bool) -> list[str]:
    cells = [f"{row['largest control']:.3f}", f"{row['time']:.3f}", f"{row['largest force']:.1f}"]
    if changes:
        change, force = row["largest change of control"], row["largest change of force"]
        cells += [f"{change:+.4f}", f"{row['time of change']:.3f}", f"{force:+.1f}"]
    return cells

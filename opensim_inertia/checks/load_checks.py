"""Doubts in external loads beside their units and times: empty columns, jumps, and all that a motion contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from .._core.warnings import LoadsJumpWarning
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .contacts import contact_findings, foot_findings, rows_of_interest
from .momentum import balance, momentum_findings
from .moving_model import LoadedModel
from .sign_and_unit_errors import LoadFit, turned_column

#: Jumps are larger than this share of a load's size, and than what the rows around change by this factor. Public ground
#: reactions of walking and running, thinned to as little as 29 rows a second, reach 2.3 times.
LEAST, ABRUPT = 0.1, 5.0
#: Contacts of fewer rows, in the mean, may as well last for one: a spike that may be such a contact is larger than the
#: load's size by this factor.
BRIEF, ALONE = 5.0, 2.0
#: A load acts where it is more than this share of its size.
ACTS = 0.1
#: The percentile that is a load's size: a twentieth of the rows may be damaged.
USUAL = 95
#: Larger numbers count as this, so that their squares are numbers.
LARGEST = 1e100


def doubts_of_loads(
    model: osim.Model,
    loads: Loads,
    of_units: Sequence[Diagnostic],
    motion: Motion | None = None,
    thorough: bool = False,
    like: Kinematics | None = None,
) -> list[Diagnostic]:
    """Return what is doubtful in external loads of an initialised model, beside their units and times.

    Args:
        of_units: findings of units and times; nothing more is looked at where these are errors.
        motion: the motion during which they act, of all coordinates; without one the table alone is looked at.
        thorough: try to correct each column of the motion, even where it fits the loads well.
        like: kinematics of some of the model's bodies, if there are, whose checks of the model are not repeated.
    """
    if any(finding.severity == "error" for finding in of_units):
        return []
    findings = [*_empty(loads), *_jumps(loads, (-np.inf, np.inf) if motion is None else motion.span)]
    loaded = None if motion is None else LoadedModel(model, loads, like)
    moving = None if motion is None or loaded is None else loaded.along(motion, rows_of_interest(loaded, motion))
    if motion is None or loaded is None or moving is None:
        return findings
    sums = balance(loads, moving)
    findings += (contacts := contact_findings(loads, moving))
    if any(finding.severity == "error" for finding in contacts):
        return [*findings, *momentum_findings(loads, moving, sums)]
    turned = None if sums is None else turned_column(LoadFit.of(loaded, motion, moving, sums), thorough)
    return [*findings, *momentum_findings(loads, moving, sums, turned), *foot_findings(model, loads, moving)]


def _empty(loads: Loads) -> Iterator[Diagnostic]:
    """Yield a finding of force columns without any force, of loads that have force along other axes."""
    for name, labels in loads.columns.items():
        force = loads.values(name)[:, :3]
        empty = [label for label, column in zip(labels, force.T, strict=False) if label and not column.any()]
        if empty and np.count_nonzero(force.any(axis=0)) == 2:
            text = f"it is zero in all rows, although the load '{name}' acts along the other axes"
            place = f"{loads.data}: column '{empty[0]}'"
            yield Diagnostic("warning", "empty columns", place, text, ("see that the column was written",))


def _jumps(loads: Loads, span: tuple[float, float]) -> Iterator[Diagnostic]:
    """Yield a finding of the largest jump of all loads within a span of time [s]."""
    first, last = np.searchsorted(loads.times, span) + (-1, 1)
    of_loads = [(name, *jump) for name in loads.columns for jump in load_jumps(loads.values(name))]
    jumps = [jump for jump in of_loads if first <= jump[1] <= last]
    if not jumps:
        return
    name, row, column, _ = max(jumps, key=lambda jump: jump[3])
    before, after = loads.values(name)[row - 1 : row + 1, column]
    more = f", and there are {len(jumps) - 1} more such jumps" if len(jumps) > 1 else ""
    text = (
        f"the load '{name}' jumps: column '{loads.columns[name][column]}' is {after:.6g} in row {row + 1} (at time "
        f"{loads.times[row]:.6g} s), after {before:.6g} in the row before{more}; if this is damage, the forces that "
        "come out there are wrong"
    )
    yield Diagnostic("warning", "jumps", str(loads.data), text, kind=LoadsJumpWarning)


def load_jumps(values: Array) -> list[tuple[int, int, float]]:
    """Return rows (from 0), columns and sizes of the jumps of one load (rows, 9), finite, the largest first.

    Changes are measured by the load's size, the 95th percentile of its force while it acts, or else of its torque:
    points by the force that they move over a metre. A jump is a *spike*, a row from which both neighbours differ, or a
    *step*, two rows that differ while the load acts in these and on both sides. Heel strike is neither: its rise goes
    on over rows, or begins where no load acts.
    """
    values = np.clip(values, -LARGEST, LARGEST)
    force, torque = (np.linalg.norm(values[:, columns], axis=1) for columns in (slice(0, 3), slice(6, 9)))
    amount = force if force.any() else torque
    if not amount.any() or len(values) < 3:
        return []
    size = np.percentile(amount[amount > 0], USUAL, method="lower")  # no part of a single large row
    acts = amount > ACTS * size
    contacts = 1 + np.count_nonzero(np.diff(acts.astype(int)) > 0)
    lone_limit = LEAST if np.count_nonzero(acts) >= BRIEF * contacts else ALONE
    acts = np.concatenate([[True], acts, [True]])  # beyond the ends nothing is known
    change, across = (_changes(values, force, lag) / size for lag in (1, 2))
    padded = np.pad(change, ((1, 1), (0, 0)))
    spike = np.minimum(change[:-1], change[1:])  # of rows 1, 2, ...
    around = np.maximum(across, np.maximum(padded[:-3], padded[3:]))
    least = np.where(acts[1:-3] | acts[3:-1], LEAST, lone_limit)[:, None]
    spikes = np.argwhere((spike > least) & (spike > ABRUPT * around))
    around = np.maximum(padded[:-2], padded[2:])
    loaded = (acts[:-3] & acts[1:-2] & acts[2:-1] & acts[3:])[:, None]
    steps = np.argwhere(loaded & (change > LEAST) & (change > ABRUPT * around))  # from rows 0, 1, ... to the next
    jumps = []
    for before, quantity in np.concatenate([spikes, steps]).tolist():
        columns = np.abs(values[before + 1] - values[before])[3 * quantity : 3 * quantity + 3]
        jumps.append((before + 1, 3 * quantity + int(columns.argmax()), float(change[before, quantity])))
    return sorted(jumps, key=lambda jump: -jump[2])


def _changes(values: Array, force: Array, lag: int) -> Array:
    """Return how much force, point and torque (rows - lag, 3) change over some rows, the point times the force."""
    changes = np.linalg.norm((values[lag:] - values[:-lag]).reshape(-1, 3, 3), axis=2)
    changes[:, 1] *= np.minimum(force[lag:], force[:-lag])
    return changes

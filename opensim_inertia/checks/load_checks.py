"""Doubts in external loads beside their units and times: signs, points, bodies and jumps.

Two things are looked at. The table alone: empty columns and jumps. And the loads against the
motion and the model, where there is a motion: how far points of application are from the bodies they act on
(:mod:`~opensim_inertia.checks.contacts`), whether feet rest on the ground while they bear load
(:mod:`~opensim_inertia.checks.contacts`), whether the loads make the momentum that the motion has
(:mod:`~opensim_inertia.checks.momentum`), and, if some of this is not so, whether one column of the motion with
another sign would explain it (:mod:`~opensim_inertia.checks.sign_and_unit_errors`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import Array
from .._core.findings import Finding
from .._core.opensim import osim
from .._core.warnings import LoadsJumpWarning
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .contacts import contact_findings, foot_findings, rows_of_interest
from .momentum import balance, momentum_findings
from .moving_model import LoadedModel
from .sign_and_unit_errors import LoadFit, turned_column


def doubts_of_loads(
    model: osim.Model,
    loads: Loads,
    of_units: Sequence[Finding],
    motion: Motion | None = None,
    thorough: bool = False,
    like: Kinematics | None = None,
) -> list[Finding]:
    """Return what is doubtful in external loads of a model, beside their units and times.

    Args:
        model: initialised (``initSystem``).
        loads: the loads, with their data.
        of_units: findings of its units and times; nothing more is looked at where these are errors.
        motion: the motion during which they act, of all coordinates of the model; without one the table alone is looked
            at.
        thorough: try to correct each column of the motion, even where it fits the loads well.
        like: kinematics of some of the model's bodies, if there are, whose checks of the model are not repeated.
    """
    if any(finding.severity == "error" for finding in of_units):
        return []
    findings = [*_empty(loads), *_jumps(loads, motion)]
    if motion is None:
        return findings
    loaded = LoadedModel(model, loads, like)
    moving = loaded.along(motion, rows_of_interest(loaded, motion))
    if moving is None:
        return findings
    sums = balance(loads, moving)
    contacts = contact_findings(loads, moving)
    if any(finding.severity == "error" for finding in contacts):
        return [*findings, *contacts, *momentum_findings(loads, moving, sums)]
    turned = None if sums is None else turned_column(LoadFit.of(loaded, motion, moving, sums), thorough)
    return [*findings, *contacts, *momentum_findings(loads, moving, sums, turned), *foot_findings(model, loads, moving)]


def _empty(loads: Loads) -> Iterator[Finding]:
    """Yield a finding of force columns without any force, of loads that have force along other axes."""
    for name, labels in loads.columns.items():
        force = loads.values(name)[:, :3]
        empty = [label for label, column in zip(labels, force.T, strict=False) if label and not column.any()]
        if empty and np.count_nonzero(force.any(axis=0)) == 2:
            text = f"it is zero in all rows, although the load '{name}' acts along the other axes"
            place = f"{loads.data}: column '{empty[0]}'"
            yield Finding("warning", "empty columns", place, text, ("see that the column was written",))


def _jumps(loads: Loads, motion: Motion | None) -> Iterator[Finding]:
    """Yield a finding of the largest jump of all loads during a motion."""
    span = (-np.inf, np.inf) if motion is None else motion.span
    first, last = np.searchsorted(loads.times, span) + (-1, 1)
    jumps = []
    for name, labels in loads.columns.items():
        during = [jump for jump in load_jumps(loads.values(name)) if first <= jump.row <= last]
        jumps += [(jump.size, name, jump.column, labels[jump.column], jump.row) for jump in during]
    if not jumps:
        return
    _, name, column, label, row = max(jumps, key=lambda jump: jump[0])
    before, after = loads.values(name)[row - 1 : row + 1, column]
    more = f", and there are {len(jumps) - 1} more such jumps" if len(jumps) > 1 else ""
    text = (
        f"the load '{name}' jumps: column '{label}' is {after:.6g} in row {row + 1} (at time {loads.times[row]:.6g} "
        f"s), after {before:.6g} in the row before{more}; if this is damage, the forces that come out there are wrong"
    )
    yield Finding("warning", "jumps", str(loads.data), text, kind=LoadsJumpWarning)


LEAST = 0.1
"""Jumps are larger than this share of a load's size."""
ABRUPT = 5.0
"""They are larger than what the rows around change, by this factor."""
BRIEF = 5.0
"""Contacts of fewer rows, in the mean, may as well last for one."""
ALONE = 2.0
"""A spike that may be such a contact is larger than the load's size by this factor."""
ACTS = 0.1
"""A load acts where it is more than this share of its size."""
USUAL = 95
"""The percentile that is a load's size: a twentieth of the rows may be damaged."""
LARGEST = 1e100
"""Larger numbers count as this, so that their squares are numbers."""


@dataclass(frozen=True)
class LoadJump:
    """A jump of a load.

    Attributes:
        row: the row (from 0) that the row before it does not let expect.
        column: among the load's nine columns (force, point, torque) the one that changes most.
        size: the change, relative to the load's size.
    """

    row: int
    column: int
    size: float


def load_jumps(values: Array) -> list[LoadJump]:
    """Return the jumps of one load, the largest first.

    Args:
        values: (rows, 9), finite: force [N], point [m] and torque [N m]; zero where there is none.
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
    jumps: list[LoadJump] = []
    for before, quantity in np.concatenate([spikes, steps]).tolist():
        column = 3 * quantity + int(
            np.argmax(np.abs(np.diff(values[before : before + 2], axis=0)[0, 3 * quantity :][:3]))
        )
        jumps.append(LoadJump(before + 1, column, float(change[before, quantity])))
    return sorted(jumps, key=lambda jump: -jump.size)


def _changes(values: Array, force: Array, lag: int) -> Array:
    """Return how much force, point and torque (rows - lag, 3) change over some rows, the point times the force."""
    changes = np.linalg.norm((values[lag:] - values[:-lag]).reshape(-1, 3, 3), axis=2)
    changes[:, 1] *= np.minimum(force[lag:], force[:-lag])
    return changes

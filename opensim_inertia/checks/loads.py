"""Doubts in external loads beside their units and times: signs, points, bodies and jumps.

Two things are looked at. The table alone: empty columns and jumps. And the loads against the
motion and the model, where there is a motion: how far points of application are from the bodies they act on
(:mod:`~opensim_inertia.checks.contacts`), whether feet rest on the ground while they bear load
(:mod:`~opensim_inertia.checks.feet`), whether the loads make the momentum that the motion has
(:mod:`~opensim_inertia.checks.momentum`), and, if some of this is not so, whether one column of the motion with
another sign would explain it (:mod:`~opensim_inertia.checks.turned`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from .._core.warnings import LoadsJumpWarning
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .contacts import contact_findings
from .feet import foot_findings, rows_of_interest
from .load_jumps import load_jumps
from .momentum import balance, momentum_findings
from .moving_model import LoadedModel
from .turned import LoadFit, turned_column

__all__ = ["doubts_of_loads"]


def doubts_of_loads(
    model: osim.Model,
    loads: Loads,
    of_units: Sequence[Diagnostic],
    motion: Motion | None = None,
    thorough: bool = False,
    like: Kinematics | None = None,
) -> list[Diagnostic]:
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


def _empty(loads: Loads) -> Iterator[Diagnostic]:
    """Yield a finding of force columns without any force, of loads that have force along other axes."""
    for name, labels in loads.columns.items():
        force = loads.values(name)[:, :3]
        empty = [label for label, column in zip(labels, force.T, strict=False) if label and not column.any()]
        if empty and np.count_nonzero(force.any(axis=0)) == 2:
            text = f"it is zero in all rows, although the load '{name}' acts along the other axes"
            place = f"{loads.data}: column '{empty[0]}'"
            yield Diagnostic("warning", "empty columns", place, text, ("see that the column was written",))


def _jumps(loads: Loads, motion: Motion | None) -> Iterator[Diagnostic]:
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
    yield Diagnostic("warning", "jumps", str(loads.data), text, kind=LoadsJumpWarning)

"""What is wrong, or may be wrong, with external loads: their times, sizes, signs, points, and bodies.

Two things are looked at. The table alone: its times, numbers that no load reaches, jumps. And the loads against the
motion and the model, where there is a motion: how far points of application are from the bodies they act on
(:mod:`~opensim_inertia.inspection.contacts`), whether feet rest on the ground while they bear load
(:mod:`~opensim_inertia.inspection.feet`), whether the loads make the momentum that the motion has
(:mod:`~opensim_inertia.inspection.momentum`), and, if some of this is not so, whether one column of the motion with
another sign would explain it (:mod:`~opensim_inertia.inspection.turned`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._core.findings import Finding
from .._core.opensim import osim
from .._core.warnings import LoadsJumpWarning
from ..opensim_model.reading import Kinematics, Motion
from ..opensim_model.setups.loads import LONGER, Loads
from .contacts import contact_findings
from .feet import foot_findings, rows_of_interest
from .load_jumps import load_jumps
from .momentum import balance, momentum_findings
from .moving_model import LoadedModel
from .turned import LoadFit, turned_column

__all__ = ["loads_findings"]

LARGEST = 1e6
"""No force [N], point [m] or torque [N m] on a body is larger."""
SLOWEST, MANY = 0.15, 20
"""Steps of time that no measured table of so many rows has [s]."""


def loads_findings(
    model: osim.Model,
    loads: Loads,
    motion: Motion | None = None,
    thorough: bool = False,
    like: Kinematics | None = None,
) -> list[Finding]:
    """Return what is wrong, or may be wrong, with external loads of a model.

    Args:
        model: initialised (``initSystem``).
        loads: the loads, with their data.
        motion: the motion during which they act, of all coordinates of the model; without one the table alone is looked
            at.
        thorough: try to correct each column of the motion, even where it fits the loads well.
        like: kinematics of some of the model's bodies, if there are, whose checks of the model are not repeated.

    Raises:
        UnknownNameError: a body of the loads is not in the model.
    """
    loads.check_bodies(model)
    findings = [*loads.findings, *(list(_too_large(loads)) or _times(loads, motion))]
    if any(finding.severity == "error" for finding in findings):  # all that follows would only repeat it
        return findings
    findings += [*_empty(loads), *_jumps(loads, motion)]
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


def _too_large(loads: Loads) -> Iterator[Finding]:
    """Yield a finding of the largest cell, where that is no number of a load."""
    largest, place, text = LARGEST, "", ""
    for name, labels in loads.columns.items():
        sizes = np.abs(loads.values(name))
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[row, column] > largest:
            largest, value = float(sizes[row, column]), loads.values(name)[row, column]
            place = f"{loads.data}: column '{labels[column]}' in row {row + 1} (at time {loads.times[row]:.6g} s)"
            text = f"it is {value:.6g}, which is no {_quantity(int(column))} that acts on a body"
    if place:
        yield Finding("error", "size of loads", place, text, ("correct the column or its unit",))


def _quantity(column: int) -> str:
    """Return what a load's column holds."""
    return ("force", "place", "torque")[column // 3]


def _times(loads: Loads, motion: Motion | None) -> Iterator[Finding]:
    """Yield a finding of times that seem to be in another unit."""
    if len(loads.times) < 3:
        return
    step = float(np.median(np.diff(loads.times)))
    text = f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second"
    span = float(loads.times[-1] - loads.times[0])
    longer = motion is not None and len(motion) > 1 and span > LONGER * (motion.span[1] - motion.span[0])
    if step < SLOWEST or len(loads.times) < MANY:
        return
    if longer and motion is not None:
        text += f", and go on for {span:.4g} s where the motion takes {motion.span[1] - motion.span[0]:.4g} s"
    are_frames = np.array_equal(loads.times, np.round(loads.times)) and round(step) == 1
    text += f": times seem to be {'numbers of frames' if are_frames else 'in milliseconds'}"
    yield Finding(
        "error" if step > 3 * SLOWEST or longer else "warning",
        "times",
        str(loads.data),
        text,
        ("write times in seconds",),
    )


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

"""Units and times of external loads: cells and times without which no answer has a meaning."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..._core.diagnostics import Diagnostic
from ..._core.opensim import osim
from .loads import LONGER, Loads

__all__ = ["unit_findings"]

LARGEST = 1e6
"""No force [N], point [m] or torque [N m] on a body is larger."""
SLOWEST, MANY = 0.15, 20
"""Steps of time that no measured table of so many rows has [s]."""


def unit_findings(loads: Loads, model: osim.Model, span: tuple[float, float] | None = None) -> list[Diagnostic]:
    """Return findings of the table's header, of cells that are no number of a load, and of times.

    Args:
        span: first and last time of the motion [s], if there is one.
    """
    loads.check_bodies(model)
    return [*loads.findings, *(list(_too_large(loads)) or _times(loads, span))]


def _too_large(loads: Loads) -> Iterator[Diagnostic]:
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
        yield Diagnostic("error", "size of loads", place, text, ("correct the column or its unit",))


def _quantity(column: int) -> str:
    """Return what a load's column holds."""
    return ("force", "place", "torque")[column // 3]


def _times(loads: Loads, span: tuple[float, float] | None) -> Iterator[Diagnostic]:
    """Yield a finding of times that seem to be in another unit."""
    if len(loads.times) < 3:
        return
    step = float(np.median(np.diff(loads.times)))
    text = f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second"
    lasting = float(loads.times[-1] - loads.times[0])
    asked = 0.0 if span is None else span[1] - span[0]
    longer = asked > 0 and lasting > LONGER * asked
    if step < SLOWEST or len(loads.times) < MANY:
        return
    if longer:
        text += f", and go on for {lasting:.4g} s where the motion takes {asked:.4g} s"
    are_frames = np.array_equal(loads.times, np.round(loads.times)) and round(step) == 1
    text += f": times seem to be {'numbers of frames' if are_frames else 'in milliseconds'}"
    yield Diagnostic(
        "error" if step > 3 * SLOWEST or longer else "warning",
        "times",
        str(loads.data),
        text,
        ("write times in seconds",),
    )

"""Descriptions of a result: in files, in one line, in a notebook."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.provenance import stated_options
from ..._core.representation import html_table
from ...options.recording import Uncertainty

__all__ = ["Change", "as_html", "as_text", "file_notes", "headline", "largest_changes"]

#: Letters in a line.
WIDTH = 100


class Change(NamedTuple):
    """The largest difference that muscle inertia makes at a coordinate.

    Attributes:
        coordinate: its name; ``unit``: "N m" or "N".
        peak: the lumped force that is largest in size.
        largest: inertial - lumped where it is largest in size, and ``time`` [s], when that is.
    """

    coordinate: str
    unit: str
    peak: float
    largest: float
    time: float


def largest_changes(
    names: Sequence[str], units: Sequence[str], places: Sequence[int], times: Array, lumped: Array, inertial: Array
) -> list[Change]:
    """Return the largest differences of some coordinates.

    Args:
        names, units: of the nu coordinates.
        places: numbers of those that are wanted.
        times: (T,) [s].
        lumped, inertial: forces (T, nu) of independent coordinates, see :func:`~.coordinates.fold`.
    """
    known = np.flatnonzero(np.isfinite(inertial).all(axis=1) & np.isfinite(lumped).all(axis=1))
    times, lumped, difference = times[known], lumped[known], (inertial - lumped)[known]
    changes = []
    for i in places if len(known) else ():
        at, peak = int(np.abs(difference[:, i]).argmax()), int(np.abs(lumped[:, i]).argmax())
        sizes = float(lumped[peak, i]), float(difference[at, i])
        changes.append(Change(names[i], units[i], *sizes, float(times[at])))
    return changes


def file_notes(provenance: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return the assumptions for the header of a ``.sto`` file of one kind of answer."""
    version = provenance.get("versions", {}).get("opensim_inertia")
    notes = ({"opensim_inertia": version} if version else {}) | {"muscle_mass": kind}
    options = stated_options(provenance)
    return notes | {f"option_{key.replace(' ', '_')}": value for key, value in options.items()}


def headline(
    provenance: Mapping[str, Any],
    times: Sequence[float],
    missing: int,
    coordinates: int,
    uncertainty: Uncertainty | None,
) -> str:
    """Return a description in one line: model, trial, times, coordinates, options and band.

    Args:
        provenance: the provenance; may be empty.
        times: of the rows with an answer [s]; ``missing``: how many other rows there are.
        coordinates: how many there are.
        uncertainty: what the band covers; None for no band.
    """
    parts = []
    if provenance:
        parts.append(f"model {provenance['model']['name']}")
        parts.append(f"{provenance['muscles with mass']} muscles with {provenance['muscle mass [kg]']:.3g} kg")
        parts.append(f"motion {provenance['motion'].get('file', 'from a table')}")
        loads = provenance.get("external loads")
        parts += [f"loads {loads['file']}"] if loads else []
    parts.append(f"{len(times)} rows from {times[0]:.6g} to {times[-1]:.6g} s" if len(times) else "no rows")
    parts += [f"{missing} more without an answer"] if missing else []
    parts.append(f"{coordinates} coordinates")
    options = stated_options(provenance)
    parts += [f"{key} {options[key]}" for key in ("strain", "wrapping") if key in options]
    parts.append("no band" if uncertainty is None else f"{100 * uncertainty.level:g} % band")
    return ", ".join(parts)


def as_text(head: str, changes: Sequence[Change], more: int) -> str:
    """Return a result as text: its headline, the largest differences, and how many more coordinates there are."""
    lines = textwrap.wrap(f"InverseDynamicsResult: {head}", WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    if changes:
        wide = max(len(change.coordinate) for change in changes)
        lines.append("largest difference, inertial - lumped, of the coordinates that change most:")
        lines += [
            f"  {c.coordinate:<{wide}}  {c.largest:+.4g} {c.unit} at {c.time:.3f} s (lumped peak {c.peak:+.4g})"
            for c in changes
        ]
    if more:
        lines.append(f"  and {more} more: see summary()")
    return "\n".join(lines)


def as_html(head: str, changes: Sequence[Change], more: int) -> str:
    """Return the same as HTML."""
    columns = ["coordinate", "unit", "lumped peak", "largest difference", "at [s]"]
    rows = [(c.coordinate, c.unit, f"{c.peak:+.4g}", f"{c.largest:+.4g}", f"{c.time:.3f}") for c in changes]
    note = f"{head}. Differences are inertial - lumped" + (f"; {more} more coordinates: summary()." if more else ".")
    return html_table("Inverse dynamics", columns, rows, note)

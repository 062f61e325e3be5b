"""Content of a report: sentences, tables, curves, assumptions and warnings, as plain text and arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.numerics.thinning import MOST_DRAWN, drawn_rows
from ..opensim_model.setups.gait import Event, gait_cycles

__all__ = ["Band", "Content", "Gait", "Link", "Panel", "Plot", "Series", "Table", "compared", "table_of"]

LABELS = {"lumped": "lumped (OpenSim)", "inertial": "inertial muscles"}
Band = tuple[Array, Array] | Callable[[NDArray[np.intp]], tuple[Array, Array]]
"""Lower and upper end (T,) of a band, or what computes them (R,) at rows (R,) that are drawn."""


@dataclass(frozen=True)
class Link:
    """A link to a file beside the page.

    Attributes:
        text: what is clicked.
        target: the file, relative to the page.
    """

    text: str
    target: str


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        label: its name in the legend.
        values: (T,), in the unit of its plot.
        role: "lumped", "inertial", or "" for the next colour of the palette.
    """

    label: str
    values: Array
    role: str = ""


@dataclass(frozen=True)
class Plot:
    """Curves over the same axes.

    Attributes:
        title: what is drawn.
        unit: of the values; empty for none.
        series: the curves.
        band: lower and upper end (T,) of a band, or what computes them at some rows; None for no band.
        band_label: the band's name in the legend.
        stacked: whether curves are parts of a sum and are drawn on top of each other.
        rows: numbers (T,) of the run's rows that the values are of; None for all of them.
    """

    title: str
    unit: str
    series: Sequence[Series]
    band: Band | None = None
    band_label: str = ""
    stacked: bool = False
    rows: NDArray[np.intp] | None = None

    def thinned(self, most: int = MOST_DRAWN) -> Plot:
        """Return the same plot with at most so many rows, those of :func:`drawn_rows`.

        Every curve keeps its least and its greatest value in every span of rows; so does the sum of curves that are
        stacked. A band is computed at the rows that are kept.
        """
        if self.rows is not None or not self.series:
            return self
        curves = [series.values for series in self.series]
        if self.stacked and len(curves[0]) > most:
            curves.append(np.sum(curves, axis=0))
        rows = drawn_rows(curves, most)
        band = self.band(rows) if callable(self.band) else self.band
        if len(rows) == len(curves[0]):
            return replace(self, band=band)
        if band is not None and not callable(self.band):
            band = (band[0][rows], band[1][rows])
        series = [replace(each, values=each.values[rows]) for each in self.series]
        return replace(self, series=series, band=band, rows=rows)


def compared(title: str, unit: str, by_kind: Mapping[str, Array]) -> list[Plot]:
    """Return a plot of curves of one or both kinds ("lumped", "inertial"), and one of what muscle inertia changes."""
    plots = [Plot(title, unit, [Series(LABELS[kind], values, kind) for kind, values in by_kind.items()])]
    if "lumped" in by_kind and "inertial" in by_kind:
        change = by_kind["inertial"] - by_kind["lumped"]
        plots.append(Plot("What muscle inertia changes", unit, [Series("inertial \u2212 lumped", change, "inertial")]))
    return plots


@dataclass(frozen=True)
class Panel:
    """Plots that are shown together, one panel at a time.

    Attributes:
        name: what is chosen, such as a coordinate.
        group: heading under which it is listed.
        plots: from top to bottom, over the same span of time.
    """

    name: str
    group: str
    plots: Sequence[Plot]


@dataclass(frozen=True)
class Table:
    """A table of text.

    Attributes:
        title: its caption.
        head: names of the columns, the first of which names the rows.
        rows: cells, the first of which name the rows.
        note: a sentence below.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Link]]
    note: str = ""


def table_of(frame: pd.DataFrame, title: str, index: bool = True) -> Table:
    """Return a DataFrame as a table with five significant digits.

    Args:
        frame: the table.
        title: its caption.
        index: whether the index names the rows; else the first column does.
    """
    cells = frame.reset_index() if index else frame
    rows = [[_cell(value) for value in row] for row in cells.itertuples(index=False)]
    return Table(title, [str(column) for column in cells.columns], rows)


def _cell(value: object) -> str:
    """Return the text of a table's cell."""
    return f"{value:.5g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Gait:
    """Gait cycles over which curves can be drawn.

    Attributes:
        cycles: first and last time [s] of each cycle, by side: "r", "l".
        offs: times [s] at which feet leave the ground, by side.
        source: a sentence that says where they come from.
    """

    cycles: Mapping[str, Sequence[tuple[float, float]]]
    offs: Mapping[str, Sequence[float]]
    source: str

    @classmethod
    def of(cls, events: Sequence[Event], span: tuple[float, float], source: str) -> Gait | None:
        """Return the cycles of gait events within a span of time [s]; None where there is no whole one."""
        cycles = gait_cycles(events, span)
        offs = {side: [e["time"] for e in events if e["event"] == "off" and e["side"] == side] for side in cycles}
        return cls(cycles, offs, source) if cycles else None


@dataclass(frozen=True)
class Content:
    """All that a report says, apart from the three-dimensional view.

    Attributes:
        title: the page's heading.
        subtitle: model, trial and times.
        answer: sentences that say what muscle inertia changes, the most important first.
        certainty: sentences that say how sure that is.
        table: what changes, one row each.
        times: (T,) [s] of all curves.
        panels: the curves; the first one is shown first.
        assumptions: what was assumed, by what it is called.
        warnings: sentences.
        details: further tables, such as the masses.
        start: the time [s] that is shown first; None for the first one.
        verdict: a sentence on residuals; empty for none.
        gaps: first and last time [s] of spans without an answer.
        mass: of the model with its muscles [kg], by which curves can be divided; None where it is not known.
        gait: gait cycles over which they can be drawn; None for none.
    """

    title: str
    subtitle: str
    answer: Sequence[str]
    certainty: Sequence[str]
    table: Table
    times: Array
    panels: Sequence[Panel]
    assumptions: Mapping[str, str]
    warnings: Sequence[str] = ()
    details: Sequence[Table] = field(default_factory=tuple)
    start: float | None = None
    verdict: str = ""
    gaps: Sequence[tuple[float, float]] = ()
    mass: float | None = None
    gait: Gait | None = None

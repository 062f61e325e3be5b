"""What a report says: sentences, tables, curves, assumptions and warnings, as plain text and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..arrays import Array

__all__ = ["Content", "Panel", "Plot", "Series", "Table"]


@dataclass(frozen=True)
class Series:
    """One curve.

    Attributes:
        label: its name in the legend.
        values: (T,), in the unit of its plot.
        role: "lumped", "moved", "inertial", or "" for the next colour of the palette.
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
        band: lower and upper end (T,) of a band; None for no band.
        band_label: the band's name in the legend.
        stacked: whether curves are parts of a sum and are drawn on top of each other.
    """

    title: str
    unit: str
    series: Sequence[Series]
    band: tuple[Array, Array] | None = None
    band_label: str = ""
    stacked: bool = False


@dataclass(frozen=True)
class Panel:
    """Plots that are shown together, one panel at a time.

    Attributes:
        name: what is chosen, such as a coordinate.
        group: heading under which it is listed.
        plots: from top to bottom, over the same times.
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
        rows: cells.
        note: a sentence below.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


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

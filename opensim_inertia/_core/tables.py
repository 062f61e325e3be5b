"""Tables of results for the console, the Python prompt and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd

from .representation import columns, html_table, wrapped


@dataclass(frozen=True)
class TextTable:
    """A table that has been made into text, cell by cell."""

    title: str  # in notebooks; the console shows none
    head: Sequence[Sequence[str]]  # rows of the columns' names
    rows: Sequence[Sequence[str]]  # of cells; where there are none, the notes are all
    left: Sequence[int] = (0,)  # columns that are aligned to the left
    notes: Sequence[str] = ()  # sentences below the table
    first: str = ""  # a sentence above it

    def text(self) -> str:
        """Return the table as aligned columns, and its notes as paragraphs."""
        above = [columns([*self.head, *self.rows], self.left), *([""] if self.notes else [])] if self.rows else []
        first = [wrapped(self.first), ""] if self.first else []
        return "\n".join([*first, *above, *map(wrapped, self.notes)])

    def html(self) -> str:
        """Return the same for notebooks."""
        head = [" ".join(filter(None, parts)) for parts in zip(*self.head, strict=True)]
        return html_table(self.title, head, self.rows, " ".join(filter(None, [self.first, *self.notes])))


class PrintedFrame(pd.DataFrame):  # type: ignore[misc]
    """A DataFrame of all columns that prints as the :class:`TextTable` of ``as_text``; selections are plain frames."""

    _metadata = ["as_text"]

    def __init__(self, table: pd.DataFrame, as_text: Callable[[pd.DataFrame], TextTable]) -> None:
        super().__init__(table)
        self.as_text = as_text

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    def _printed(self) -> TextTable | None:
        """Return the printed form; None where columns that it needs have been taken away."""
        try:
            return self.as_text(pd.DataFrame(self))
        except KeyError:
            return None

    def __repr__(self) -> str:
        printed = self._printed()
        return super().__repr__() if printed is None else printed.text()

    def _repr_html_(self) -> str | None:
        printed = self._printed()
        return super()._repr_html_() if printed is None else printed.html()

"""DataFrames with their own printed form."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from .representation import TextTable


class PrintedFrame(pd.DataFrame):  # type: ignore[misc]
    """A DataFrame that prints as a :class:`TextTable`."""

    _metadata = ["as_text"]

    def __init__(self, table: pd.DataFrame, as_text: Callable[[pd.DataFrame], TextTable]) -> None:
        super().__init__(table)
        self.as_text = as_text

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return pd.DataFrame

    def _printed(self) -> TextTable | None:
        """Return the text table to print; None if the frame lacks a required column."""
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

"""Short descriptions of results for the Python prompt and for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

#: Names beyond these are counted only.
MOST_NAMES = 6


class Described:
    """A class whose ``repr`` and ``_repr_html_`` show what :meth:`description` returns.

    The first is one line, the second a small HTML table in which all text is escaped.
    """

    def description(self) -> Mapping[str, str]:
        """Return what matters of this object, by what it is called."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'; '.join(f'{what}: {said}' for what, said in self.description().items())})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align: left">{escape(what)}</th><td style="text-align: left">{escape(said)}</td></tr>'
            for what, said in self.description().items()
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def some_names(names: Sequence[str]) -> str:
    """Return the first few names and the number of the others."""
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "") or "none"


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]], note: str = "") -> str:
    """Return HTML of a table with a title above and a note below it.

    Args:
        title: a line of plain text.
        head: the columns' names.
        rows: cells; all but the first of a row are aligned to the right.
        note: a line of plain text.
    """

    def line(tag: str, cells: Sequence[object]) -> str:
        aligned = (f'<{tag} style="text-align: {"left" if i == 0 else "right"}">' for i in range(len(cells)))
        inside = "".join(f"{start}{escape(str(cell))}</{tag}>" for start, cell in zip(aligned, cells, strict=True))
        return f"<tr>{inside}</tr>"

    body = "".join(line("td", row) for row in rows)
    below = f"<div>{escape(note)}</div>" if note else ""
    return (
        f"<div><strong>{escape(title)}</strong>"
        f"<table><thead>{line('th', head)}</thead><tbody>{body}</tbody></table>{below}</div>"
    )

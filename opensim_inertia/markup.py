"""Small HTML tables, which notebooks show in place of a ``repr``; every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["html_table"]


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

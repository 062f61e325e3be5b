"""Text and HTML representations of results."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .errors import first_of

#: Names that are listed before the others are counted.
MOST_NAMES = 6


class Described:
    """Base class that makes ``repr`` from ``description``, and ``_repr_html_`` from ``description`` and ``summary``."""

    def description(self) -> Mapping[str, str]:
        """Return main facts about the object, by name."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'; '.join(f'{what}: {text}' for what, text in self.description().items())})"

    def _repr_html_(self) -> str:
        table = getattr(self, "summary", str)()  # some classes have no summary
        above = html_table(type(self).__name__, (), self.description().items(), left=2)
        return above + str(getattr(table, "_repr_html_", str)())


def some_names(names: Sequence[str]) -> str:
    """Return text with the first names and the number of further names; "none" without names."""
    return first_of(names, MOST_NAMES) or "none"


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]], note: str = "", left: int = 1) -> str:
    """Return an HTML table with a title and a note; the first ``left`` columns are left-aligned."""
    from html import escape

    def line(tag: str, cells: Sequence[object]) -> str:
        aligned = (f'<{tag} style="text-align: {"left" if i < left else "right"}">' for i in range(len(cells)))
        inside = "".join(f"{start}{escape(str(cell))}</{tag}>" for start, cell in zip(aligned, cells, strict=True))
        return f"<tr>{inside}</tr>"

    above = f"<thead>{line('th', head)}</thead>" if head else ""
    body = "".join(line("td", row) for row in rows)
    below = f"<div>{escape(note)}</div>" if note else ""
    return f"<div><strong>{escape(title)}</strong><table>{above}<tbody>{body}</tbody></table>{below}</div>"


def columns(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Return rows as aligned text; columns in ``left`` are left-aligned, the others right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    to_left = set(left)
    lines = (
        "  ".join(c.ljust(w) if i in to_left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def wrapped(text: str, indent: str = "  ") -> str:
    """Return a paragraph wrapped to the terminal, with later lines indented."""
    width = min(max(shutil.get_terminal_size((100, 24)).columns, 40), 120)
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


@dataclass(frozen=True)
class TextTable:
    """A table of formatted cells."""

    title: str  # shown in notebooks only
    head: Sequence[Sequence[str]]  # rows of column headings
    rows: Sequence[Sequence[str]]  # rows of cells; if empty, only notes are shown
    left: Sequence[int] = (0,)  # left-aligned columns
    notes: Sequence[str] = ()  # sentences below the table
    first: str = ""  # sentence above the table

    def text(self) -> str:
        """Return the table as aligned text, with notes as paragraphs."""
        above = [columns([*self.head, *self.rows], self.left), *([""] if self.notes else [])] if self.rows else []
        first = [wrapped(self.first), ""] if self.first else []
        return "\n".join([*first, *above, *map(wrapped, self.notes)])

    def html(self) -> str:
        """Return the table as HTML, for notebooks."""
        head = [" ".join(filter(None, parts)) for parts in zip(*self.head, strict=True)]
        return html_table(self.title, head, self.rows, " ".join(filter(None, [self.first, *self.notes])))

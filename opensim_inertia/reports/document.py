"""The maker of all HTML pages: sections of text, tables, pictures and code, given as plain data; text is escaped."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files

from ..files.atomic import writing
from .content import Link, Table

__all__ = ["Code", "Picture", "Section", "asset", "document", "write_document_page"]


@dataclass(frozen=True)
class Picture:
    """A picture that lies beside the page.

    Attributes:
        file: its name.
        text: what it shows, for those who do not see it.
    """

    file: str
    text: str


@dataclass(frozen=True)
class Code:
    """Text that keeps its lines, such as JSON.

    Attributes:
        text: the lines.
    """

    text: str


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Attributes:
        title: its heading; empty for none.
        parts: what it holds from top to bottom; texts are paragraphs, as are texts and links in one row.
    """

    title: str
    parts: Sequence[str | Sequence[str | Link] | Table | Picture | Code]


def write_document_page(path: str | os.PathLike[str], title: str, sections: Iterable[Section]) -> None:
    """Write a page of sections; its pictures lie beside it.

    Raises:
        OutputError: it cannot be written; nothing is left behind.
    """
    body = "\n".join(_section(section) for section in sections)
    with writing(path) as temporary:
        temporary.write_text(document(title, "", f"<main>\n{body}\n</main>"), encoding="utf-8", newline="\n")


def document(title: str, subtitle: str, body: str, policy: str = "") -> str:
    """Return a whole HTML document with the style of all pages.

    Args:
        title: heading, plain text.
        subtitle: below it, plain text; empty for none.
        body: HTML after the heading.
        policy: the content security policy; empty for none.
    """
    guard = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n' if policy else ""
    below = f"<p>{escape(subtitle)}</p>" if subtitle else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{guard}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}{f": {escape(subtitle)}" if subtitle else ""}</title>
<style>
{asset("page.css")}</style>
</head>
<body>
<header><h1>{escape(title)}</h1>{below}</header>
{body}
</body>
</html>
"""


@cache
def asset(name: str) -> str:
    """Return the text of a file of ``view/``."""
    return files(__package__).joinpath("view", name).read_text(encoding="utf-8")


def paragraphs(sentences: Iterable[str]) -> str:
    """Return HTML of sentences, each a paragraph."""
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def bullets(sentences: Sequence[str]) -> str:
    """Return HTML of a list of sentences."""
    if not sentences:
        return "<p>None.</p>"
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def definitions(facts: Mapping[str, str]) -> str:
    """Return HTML of facts, by what they are called."""
    return "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>" for name, fact in facts.items())


def table_html(table: Table, name: str = "") -> str:
    """Return HTML of a table, whose element is called ``name`` if that is not empty."""
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = []
    for first, *cells in table.rows:
        inside = "".join(f"<td>{_inline(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{_inline(first)}</th>{inside}</tr>')
    identity = f' id="{name}"' if name else ""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table{identity}>'
        f"<caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{note}"
    )


def _section(section: Section) -> str:
    """Return HTML of a section."""
    heading = f"<h2>{escape(section.title)}</h2>\n" if section.title else ""
    return f"<section>{heading}{''.join(map(_part, section.parts))}</section>"


def _part(part: str | Sequence[str | Link] | Table | Picture | Code) -> str:
    """Return HTML of a part of a section."""
    if isinstance(part, Table):
        return table_html(part)
    if isinstance(part, Picture):
        return f'<p><img src="{escape(part.file)}" alt="{escape(part.text)}"></p>'
    if isinstance(part, Code):
        return f"<pre>{escape(part.text)}</pre>"
    return f"<p>{_inline(part) if isinstance(part, str) else ''.join(map(_inline, part))}</p>"


def _inline(text: str | Link) -> str:
    """Return HTML of a text or of a link."""
    return escape(text) if isinstance(text, str) else f'<a href="{escape(text.target)}">{escape(text.text)}</a>'

"""One HTML file of a report, which needs no network and no other file, and other pages; all text is escaped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from .._core.arrays import Array
from ..files.atomic import writing
from ..opensim_model.reading.coordinates import other_side, stem_and_side
from .content import Content, Link, Packer, Panel, Table
from .scene import Scene

__all__ = ["Code", "Picture", "Report", "Section", "asset", "write_document_page"]

#: Nothing may be loaded: not even what a name could smuggle in would be.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
NO_VIEW = (
    "This page has no three-dimensional view: a result holds no model. To get one, give the model that was solved: "
    'oi.report(result, "run.html", inertial).'
)
NO_SCRIPT = "Curves and the view need JavaScript, which is switched off here. Answer, tables and assumptions do not."
#: Height of the frame in notebooks [px].
FRAME_HEIGHT = 720
#: Bytes of a time among the page's arrays.
TIME_BYTES = 4


@dataclass(frozen=True)
class Picture:
    """A picture that lies beside the page: the name of its file, and a text for those who do not see it."""

    file: str
    text: str


@dataclass(frozen=True)
class Code:
    """Text that keeps its lines, such as JSON."""

    text: str


@dataclass(frozen=True)
class Section:
    """A part of a page under a heading, if any; texts are paragraphs, as are texts and links in one row."""

    title: str
    parts: Sequence[str | Sequence[str | Link] | Table | Picture | Code]


def write_document_page(path: str | os.PathLike[str], title: str, sections: Iterable[Section]) -> None:
    """Write a page of sections, whose pictures lie beside it; raise OutputError, and leave nothing behind."""
    body = "\n".join(
        f"<section>{f'<h2>{escape(one.title)}</h2>' if one.title else ''}{''.join(map(_part, one.parts))}</section>"
        for one in sections
    )
    Report(_document(title, "", f"<main>\n{body}\n</main>")).save(path)


def _document(title: str, subtitle: str, body: str, policy: str = "") -> str:
    """Return an HTML document with the style of all pages, and a content security policy if there is one."""
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


def _each(start: str, sentences: Iterable[str], end: str) -> str:
    """Return HTML of sentences, each within an element."""
    return "".join(f"{start}{escape(sentence)}{end}" for sentence in sentences)


def _table(table: Table, name: str = "") -> str:
    """Return HTML of a table, whose element is called ``name`` if that is not empty."""
    head = _each('<th scope="col">', table.head, "</th>")
    rows = []
    for first, *cells in table.rows:
        inside = "".join(f"<td>{_inline(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{_inline(first)}</th>{inside}</tr>')
    identity = f' id="{name}"' if name else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table{identity}>'
        f"<caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{_note(table.note)}"
    )


def _part(part: str | Sequence[str | Link] | Table | Picture | Code) -> str:
    """Return HTML of a part of a section."""
    if isinstance(part, Table):
        return _table(part)
    if isinstance(part, Picture):
        return f'<p><img src="{escape(part.file)}" alt="{escape(part.text)}"></p>'
    if isinstance(part, Code):
        return f"<pre>{escape(part.text)}</pre>"
    return f"<p>{_inline(part) if isinstance(part, str) else ''.join(map(_inline, part))}</p>"


def _inline(text: str | Link) -> str:
    """Return HTML of a text or of a link."""
    return escape(text) if isinstance(text, str) else f'<a href="{escape(text.target)}">{escape(text.text)}</a>'


@dataclass(frozen=True)
class Report:
    """A self-contained page about one run, see :func:`~opensim_inertia.report`.

    Notebooks show it in a frame.

    Attributes:
        html: the page.
    """

    html: str

    @classmethod
    def of(cls, content: Content, scene: Scene | None = None, no_view: str = NO_VIEW) -> Report:
        """Return the page of a run with its content, and its view or the reason why there is none."""
        packer = Packer()
        panels = [replace(panel, plots=[plot.thinned() for plot in panel.plots]) for panel in content.panels]
        content, times = replace(content, panels=panels), content.times
        if any(plot.rows is not None for panel in panels for plot in panel.plots):
            view_rows = np.array([0, len(times) - 1]) if scene is None else scene.rows
            times = content.times[np.union1d(view_rows, np.r_[0, len(times) - 1])]
            scene = None if scene is None else replace(scene, rows=np.searchsorted(times, content.times[scene.rows]))
        names = [panel.name for panel in panels]
        data: dict[str, Any] = {
            "start": float(content.times[0]) if content.start is None else content.start,
            "times": packer.numbers(times, TIME_BYTES),
            "gaps": content.gaps,
            "mass": content.mass,
            "gait": None if content.gait is None else {"cycles": content.gait.cycles, "offs": content.gait.offs},
            "panels": [_packed_panel(panel, content.times, packer, names) for panel in panels],
            "scene": None if scene is None else scene.packed(packer),
        }
        html = _html(content, data, packer.text(), scene, no_view)
        return cls(html.encode("utf-8", "replace").decode("utf-8"))  # names need not be UTF-8

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page.

        Raises:
            OutputError: it cannot be written; nothing is left behind.
        """
        with writing(path) as temporary:
            temporary.write_text(self.html, encoding="utf-8", newline="\n")

    def __repr__(self) -> str:
        return f"Report({len(self.html.encode()) / 1e6:.2g} MB of HTML; save(path) writes it)"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="report" sandbox="allow-scripts" '
            f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 1px solid #bbb"></iframe>'
        )


def _packed_panel(panel: Panel, times: Array, packer: Packer, names: Sequence[str]) -> dict[str, Any]:
    """Return a panel as the page takes it, with the number of that of the other side, -1 for none."""
    plots = []
    for plot in panel.plots:
        assert not callable(plot.band)
        series = [{"label": s.label, "role": s.role, "values": packer.numbers(s.values)} for s in plot.series]
        band = None if plot.band is None else [packer.numbers(end) for end in plot.band]
        settings = {"title": plot.title, "unit": plot.unit, "stacked": plot.stacked, "bandLabel": plot.band_label}
        own_times = {} if plot.rows is None else {"times": packer.numbers(times[plot.rows], TIME_BYTES)}
        plots.append(settings | {"series": series, "band": band} | own_times)
    pairs = {right: left for right in names if (left := other_side(right, names)) is not None}
    opposite = (pairs | {left: right for right, left in pairs.items()}).get(panel.name)
    sides = {"side": stem_and_side(panel.name)[1], "opposite": -1 if opposite is None else names.index(opposite)}
    return {"name": panel.name, "group": panel.group, "plots": plots} | sides


def _html(content: Content, data: Mapping[str, Any], arrays: str, scene: Scene | None, no_view: str) -> str:
    """Return the page of a run: its sections, and the data and the script of its curves and its view."""
    notes = [*content.warnings, *(scene.notes if scene is not None else ())]
    view = _VIEW if scene is not None else _note(no_view)
    view += _SWINGING if scene is not None and scene.swings is not None else ""
    script = json.dumps(data, allow_nan=False, separators=(",", ":"))  # it must neither end its script nor begin one
    script = script.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    first, *further_sentences = content.answer
    warned = f"<ul>{_each('<li>', notes, '</li>')}</ul>" if notes else "<p>None.</p>"
    facts = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(fact)}</dd></div>" for name, fact in content.assumptions.items()
    )
    details = "".join(
        f"<details><summary>{escape(table.title)}</summary>{_table(table)}</details>" for table in content.details
    )
    beyond = "beyond" in content.verdict
    verdict = content.verdict and (
        f'<div class="certainty{" beyond" if beyond else ""}" id="verdict"><h3>Residuals are '
        f"{'beyond' if beyond else 'within'} their thresholds</h3>"
        f"<p>{escape(content.verdict[0].upper() + content.verdict[1:])}</p></div>\n"
    )
    count = "1 warning" if len(notes) == 1 else f"{len(notes)} warnings"
    notice = f'<p class="notice">Read first: <a href="#warnings">{count}</a>, at the end of the page.</p>'
    between = "Over a cycle curves are drawn at every half per cent, linear between their rows."
    cycles = [] if content.gait is None else [content.gait.source, between]
    if content.mass is not None:
        mass = f"{content.mass:.4g} kg, the mass of the whole model with its muscles"
        cycles.append(f"Moments and forces per kilogram are divided by {mass}.")
    body = f"""<main>
<section id="answer" aria-labelledby="h-answer"><h2 id="h-answer">What changes</h2>
{notice if notes else ""}
<p class="lead">{escape(first)}</p>{_each("<p>", further_sentences, "</p>")}
<div class="certainty"><h3>How sure is that?</h3>{_each("<p>", content.certainty, "</p>")}</div>
{verdict}{_table(content.table, "changes")}
</section>
<section id="curves" aria-labelledby="h-curves"><h2 id="h-curves">Curves</h2>
<noscript>{_note(NO_SCRIPT)}</noscript>{_thinned(content)}<div id="plots"></div>{_note(" ".join(cycles))}</section>
<section id="view" aria-labelledby="h-view"><h2 id="h-view">View</h2>{view}</section>
<section id="assumptions" aria-labelledby="h-assumptions"><h2 id="h-assumptions">What was assumed</h2>
<dl>{facts}</dl>
{details}
</section>
<section id="warnings" aria-labelledby="h-warnings"><h2 id="h-warnings">Warnings</h2>{warned}</section>
</main>
<div id="player" role="group" aria-label="Time"></div>
<script type="application/json" id="data">{script}</script>
<script type="text/plain" id="arrays">{arrays}</script>
<script>
{asset("bundle.js")}</script>"""
    return _document(content.title, content.subtitle, body, POLICY)


def _thinned(content: Content) -> str:
    """Return the note on curves that do not have all rows of a run."""
    row_counts = [len(plot.rows) for panel in content.panels for plot in panel.plots if plot.rows is not None]
    if not row_counts:
        return ""
    text = (
        f"The run has {len(content.times)} rows. Each plot draws at most {max(row_counts)} of them, so that its "
        "curves keep their extremes. The run is divided into spans of equal numbers of rows, and a plot has the rows "
        "of each span at which one of its curves is least or greatest. Between these rows curves are straight. Bands "
        "are computed at these rows alone. The files of the run, and the tables on this page, have all rows."
    )
    return _note(text, ' id="thinned"')


def _note(text: str, identity: str = "") -> str:
    """Return HTML of a note, nothing of none."""
    return f'<p class="note"{identity}>{escape(text)}</p>' if text else ""


_VIEW = """<div id="stage"><canvas id="canvas" tabindex="0" aria-label="Skeleton and muscles"></canvas>
<div id="picked" aria-live="polite"></div></div>
<div id="layers"></div>
<p class="note">Drag to turn, click a muscle for its name. With the keyboard: arrow keys turn, + and \u2212 zoom, Home
resets. Tubes are as thick as round bellies of the muscles\u2019 mass are; tendons have none here.</p>"""
_SWINGING = """
<p class="note">Bellies swing off their paths; \u201cSwing of bellies\u201d shows that larger than it is, or
not at all.</p>"""

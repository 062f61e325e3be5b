"""One HTML file of a report: it needs no network and no other file, and all text in it is escaped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from ..files import writing
from .content import Content, Panel, Table
from .packing import Packer
from .scene import Scene

__all__ = ["Report"]

#: Nothing may be loaded: not even what a name could smuggle in would be.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
NO_VIEW = (
    "This page has no three-dimensional view: a result holds no model. To get one, give the model that was solved: "
    'result.report("run.html", inertial).'
)
NO_SCRIPT = "Curves and the view need JavaScript, which is switched off here. Answer, tables and assumptions do not."
#: Height of the frame in notebooks [px].
FRAME_HEIGHT = 720


@dataclass(frozen=True)
class Report:
    """A self-contained page about one run, see :meth:`InverseDynamicsResult.report`.

    Notebooks show it in a frame.

    Attributes:
        html: the page.
    """

    html: str

    @classmethod
    def of(cls, content: Content, scene: Scene | None = None, no_view: str = NO_VIEW) -> Report:
        """Make a page.

        Args:
            content: what it says.
            scene: what its three-dimensional view shows; None for no view.
            no_view: why there is none.
        """
        packer = Packer()
        data: dict[str, Any] = {
            "start": float(content.times[0]) if content.start is None else content.start,
            "times": packer.numbers(content.times),
            "panels": [_panel(panel, packer) for panel in content.panels],
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

    def written(self, path: str | os.PathLike[str] | None) -> Report:
        """Return the report, written to a file if one is named; errors are those of :meth:`save`."""
        if path is not None:
            self.save(path)
        return self

    def __repr__(self) -> str:
        return f"Report({len(self.html.encode()) / 1e6:.2g} MB of HTML; save(path) writes it)"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="report" sandbox="allow-scripts" '
            f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 1px solid #bbb"></iframe>'
        )


@cache
def _asset(name: str) -> str:
    return files(__package__).joinpath("view", name).read_text(encoding="utf-8")


def _panel(panel: Panel, packer: Packer) -> dict[str, Any]:
    plots = []
    for plot in panel.plots:
        series = [{"label": s.label, "role": s.role, "values": packer.numbers(s.values)} for s in plot.series]
        band = None if plot.band is None else [packer.numbers(end) for end in plot.band]
        told = {"title": plot.title, "unit": plot.unit, "stacked": plot.stacked, "bandLabel": plot.band_label}
        plots.append(told | {"series": series, "band": band})
    return {"name": panel.name, "group": panel.group, "plots": plots}


def _html(content: Content, data: Mapping[str, Any], arrays: str, scene: Scene | None, no_view: str) -> str:
    title = escape(content.title)
    notes = [*content.warnings, *(scene.notes if scene is not None else ())]
    view = _VIEW if scene is not None else f'<p class="note">{escape(no_view)}</p>'
    first, *rest = content.answer
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: {escape(content.subtitle)}</title>
<style>
{_asset("page.css")}</style>
</head>
<body>
<header><h1>{title}</h1><p>{escape(content.subtitle)}</p></header>
<main>
<section id="answer" aria-labelledby="h-answer"><h2 id="h-answer">What changes</h2>
{_notice(notes)}
<p class="lead">{escape(first)}</p>{_paragraphs(rest)}
<div class="certainty"><h3>How sure is that?</h3>{_paragraphs(content.certainty)}</div>
{_table(content.table, "changes")}
</section>
<section id="curves" aria-labelledby="h-curves"><h2 id="h-curves">Curves</h2>
<noscript><p class="note">{NO_SCRIPT}</p></noscript><div id="plots"></div></section>
<section id="view" aria-labelledby="h-view"><h2 id="h-view">View</h2>{view}</section>
<section id="assumptions" aria-labelledby="h-assumptions"><h2 id="h-assumptions">What was assumed</h2>
<dl>{_definitions(content.assumptions)}</dl>
{"".join(_details(table) for table in content.details)}
</section>
<section id="warnings" aria-labelledby="h-warnings"><h2 id="h-warnings">Warnings</h2>{_list(notes)}</section>
</main>
<div id="player" role="group" aria-label="Time"></div>
<script type="application/json" id="data">{_json(data)}</script>
<script type="text/plain" id="arrays">{arrays}</script>
<script>
{_asset("bundle.js")}</script>
</body>
</html>
"""


_VIEW = """<div id="stage"><canvas id="canvas" tabindex="0" aria-label="Skeleton and muscles"></canvas>
<div id="picked" aria-live="polite"></div></div>
<div id="layers"></div>
<p class="note">Drag to turn, click a muscle for its name. With the keyboard: arrow keys turn, + and \u2212 zoom, Home
resets. Tubes are as thick as round bellies of the muscles\u2019 mass are; tendons have none here.</p>"""


def _json(data: Any) -> str:
    """Return JSON that can neither end its script nor begin another."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _paragraphs(sentences: Iterable[str]) -> str:
    return "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)


def _notice(notes: Sequence[str]) -> str:
    if not notes:
        return ""
    count = "1 warning" if len(notes) == 1 else f"{len(notes)} warnings"
    return f'<p class="notice">Read first: <a href="#warnings">{count}</a>, at the end of the page.</p>'


def _list(sentences: Sequence[str]) -> str:
    if not sentences:
        return "<p>None.</p>"
    return "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"


def _definitions(facts: Mapping[str, str]) -> str:
    return "".join(f"<div><dt>{escape(what)}</dt><dd>{escape(said)}</dd></div>" for what, said in facts.items())


def _details(table: Table) -> str:
    return f"<details><summary>{escape(table.title)}</summary>{_table(table, '')}</details>"


def _table(table: Table, name: str) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = []
    for first, *cells in table.rows:
        inside = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        rows.append(f'<tr><th scope="row">{escape(first)}</th>{inside}</tr>')
    identity = f' id="{name}"' if name else ""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table{identity}>'
        f"<caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{note}"
    )

"""HTML pages: self-contained reports of results, and documents with sections."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.checks import as_shown
from .._core.errors import ModelError, MotionError, OptionError, UnknownNameError
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..files.atomic import write_text
from ..files.trc import read_trc
from ..model import InertialModel
from ..model.recorded_motion import motion_states
from ..opensim_model.reading.coordinates import other_side, stem_and_side
from ..opensim_model.setups.loads import read_gait_events
from .content import Content, Link, Panel, Table, gait_within, pack
from .results import inverse_dynamics_content, recruitment_content, simulation_content
from .scene import build_scene, frame_rows, swings

if TYPE_CHECKING:
    from ..analyses.forward_simulation import Trajectory
    from ..analyses.recruitment import RecruitmentResult


#: Classes of results; their modules need not be imported.
KINDS = ("InverseDynamicsResult", "RecruitmentResult", "Trajectory")
#: Content security policy: the page loads nothing, even if names contain HTML.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'"
NO_VIEW = (
    "This page has no three-dimensional view: a result holds no model. To get one, give the model that was solved: "
    'oi.report(result, "run.html", inertial).'
)
NO_MOTION = "There is no three-dimensional view: this result does not know the motion that was solved."
NO_SCRIPT = "Curves and the view need JavaScript, which is switched off here. Answer, tables and assumptions do not."
#: Height of the frame in notebooks [px].
FRAME_HEIGHT = 720


#: A part of a page: a paragraph of texts and links, or a table.
Part = str | Sequence[str | Link] | Table


def write_document_page(
    path: str | os.PathLike[str], title: str, sections: Iterable[tuple[str, Sequence[Part]]]
) -> None:
    """Write an HTML page with sections under headings; OutputError if the file cannot be written."""
    body = "\n".join(
        f"<section>{f'<h2>{escape(heading)}</h2>' if heading else ''}{''.join(map(_part, parts))}</section>"
        for heading, parts in sections
    )
    Report(_document(title, "", f"<main>\n{body}\n</main>")).save(path)


def _document(title: str, subtitle: str, body: str, policy: str = "") -> str:
    """Return an HTML document with the style of all pages."""
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
    """Return the text of a file in the folder ``view/`` beside this module."""
    return files(__package__).joinpath("view", name).read_text(encoding="utf-8")


def _each(start: str, sentences: Iterable[str], end: str) -> str:
    """Return HTML with each sentence, escaped, between ``start`` and ``end``."""
    return "".join(f"{start}{escape(sentence)}{end}" for sentence in sentences)


def _table(table: Table, name: str = "") -> str:
    """Return a table as HTML; ``name`` is the element's id."""
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


def _part(part: Part) -> str:
    """Return a part of a section (a paragraph or a table) as HTML."""
    if isinstance(part, Table):
        return _table(part)
    return f"<p>{_inline(part) if isinstance(part, str) else ''.join(map(_inline, part))}</p>"


def _inline(text: str | Link) -> str:
    """Return a text, a link or a linked picture as HTML."""
    if isinstance(text, str):
        return escape(text)
    if text.target.endswith(".png"):
        return f'<img src="{escape(text.target)}" alt="{escape(text.text)}">'
    return f'<a href="{escape(text.target)}">{escape(text.text)}</a>'


@dataclass(frozen=True)
class Report:
    """A self-contained page about one run, see :func:`~opensim_inertia.report`; notebooks show the page in a frame.

    Attributes:
        html: the page.
    """

    html: str

    @classmethod
    def of(cls, content: Content, scene: Mapping[str, Any] | None = None, no_view: str = NO_VIEW) -> Report:
        """Return the page of a run, with a view of ``scene``; without scene, the text ``no_view`` gives the reason."""
        times = content.times
        panels = [(name, group, [plot.thinned() for plot in plots]) for name, group, plots in content.panels]
        content = replace(content, panels=panels)
        if any(plot.rows is not None for _, _, plots in panels for plot in plots):
            rows = np.array([0, len(times) - 1]) if scene is None else scene["rows"]
            shown = np.union1d(rows, np.r_[0, len(times) - 1])
            times, scene = times[shown], scene and {**scene, "rows": np.searchsorted(shown, rows)}
        names = [name for name, _, _ in panels]
        data = {
            "start": float(content.times[0]) if content.start is None else content.start,
            "times": times,
            "gaps": content.gaps,
            "mass": content.mass,
            "gait": content.gait,
            "panels": [_described_panel(panel, content.times, names) for panel in panels],
            "scene": scene,
        }
        html = _html(content, *pack(data), scene, no_view)
        return cls(html.encode("utf-8", "replace").decode("utf-8"))  # names need not be UTF-8

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report as an HTML page.

        Raises:
            OutputError: the file cannot be written; no partial file remains.
        """
        write_text(path, self.html)

    def __repr__(self) -> str:
        return f"Report({len(self.html.encode()) / 1e6:.2g} MB of HTML; save(path) writes it)"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="report" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {FRAME_HEIGHT}px; border: 1px solid #bbb"></iframe>'
        )


def _described_panel(panel: Panel, times: Array, names: Sequence[str]) -> dict[str, Any]:
    """Return a panel's data, with the index (-1: none) of the opposite side's panel: left knee for right knee."""
    (name, group, plots), described = panel, []
    for plot in plots:
        rows = np.arange(len(times)) if plot.rows is None else plot.rows
        settings = {"title": plot.title, "unit": plot.unit, "stacked": plot.stacked, "bandLabel": plot.band_label}
        settings["series"] = [{"label": label, "role": role, "values": values} for label, values, role in plot.series]
        settings["band"] = plot.band and list(plot.band(rows))
        described.append(settings | ({} if plot.rows is None else {"times": times[rows]}))
    pairs = {right: left for right in names if (left := other_side(right, names)) is not None}
    opposite = (pairs | {left: right for right, left in pairs.items()}).get(name)
    sides = {"side": stem_and_side(name)[1], "opposite": -1 if opposite is None else names.index(opposite)}
    return {"name": name, "group": group, "plots": described} | sides


def _html(content: Content, data: Any, arrays: str, scene: Mapping[str, Any] | None, no_view: str) -> str:
    """Return the HTML page of a run: sections, packed data, and script."""
    notes = [*content.warnings, *(scene["notes"] if scene else ())]
    view = _VIEW + (_SWINGING if scene["swings"] else "") if scene else _note(no_view)
    script = json.dumps(data, allow_nan=False, separators=(",", ":"))  # no tag may end the script or begin one
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
    cycles = [] if content.gait is None else [content.gait_source, between]
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
    """Return a note, as HTML, on plots that omit some samples; "" if no plot omits samples."""
    row_counts = [len(plot.rows) for _, _, plots in content.panels for plot in plots if plot.rows is not None]
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
    """Return a note as HTML; "" for no text."""
    return f'<p class="note"{identity}>{escape(text)}</p>' if text else ""


_VIEW = """<div id="stage"><canvas id="canvas" tabindex="0" aria-label="Skeleton and muscles"></canvas>
<div id="picked" aria-live="polite"></div></div>
<div id="layers"></div>
<p class="note">Drag to turn, click a muscle for its name. With the keyboard: arrow keys turn, + and \u2212 zoom, Home
resets. Tubes are as thick as round bellies of the muscles\u2019 mass are; tendons have none here.</p>"""
_SWINGING = """
<p class="note">Bellies wobble off their paths; \u201cWobble of bellies\u201d shows that larger than it is, or
not at all.</p>"""


def check_recordings(
    markers: str | os.PathLike[str] | None, events: str | os.PathLike[str] | pd.DataFrame | None, times: Array
) -> None:
    """Raise the error that :func:`report` would raise if markers or events do not fit the motion's times (T,) [s]."""
    if markers is not None:
        _markers(markers, times)
    if events is not None:
        _gait(events, times)


def report(
    result: Any,
    path: str | os.PathLike[str] | None = None,
    inertial: InertialModel | None = None,
    geometry: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    *,
    markers: str | os.PathLike[str] | None = None,
    events: str | os.PathLike[str] | pd.DataFrame | None = None,
    lumped: Trajectory | None = None,
) -> Report:
    """Make a self-contained HTML page of a result: effects of muscle inertia, curves, a moving view and assumptions.

    Args:
        result: a result of ``inverse_dynamics``, ``recruit`` or ``simulate``.
        path: file to write; None: no file. Notebooks show the returned page.
        inertial: the solved model, for the view. Without it there is no view, except for a simulation that was not
            pickled or copied.
        geometry: folder or folders with the bones' meshes, besides those beside the model's file.
        markers: a ``.trc`` file of measured markers to show over the model; not for simulations.
        events: gait events for curves over the gait cycle, as a table or file (``.csv``, ``.xlsx``) with columns time
            [s], side ("r", "l") and event ("contact", "off"); default: contacts by the measured ground forces; not for
            simulations.
        lumped: for a simulation, a simulation of the same model with all mass in the segments, for comparison.

    Example:
        >>> oi.report(result, "run.html", inertial)

    Raises:
        UnknownNameError: reports of this kind of result do not exist. OptionError: an argument has no effect on this
            result. ModelError: there is no model, or its coordinates differ. MotionError: times of markers or events do
            not fit. FileFormatError: a file is missing or malformed. OutputError: the file cannot be written.
    """
    folders = [geometry] if isinstance(geometry, str | os.PathLike) else geometry
    kind = next((kind.__name__ for kind in type(result).__mro__ if kind.__name__ in KINDS), None)
    if kind is None:
        raise UnknownNameError("kind of result", type(result).__name__, KINDS, "report")
    simulated = kind == "Trajectory"
    for name, value in {"markers": markers, "events": events}.items() if simulated else [("lumped", lumped)]:
        if value is not None:
            raise OptionError(name, as_shown(value), f"None for a result of {'simulate' if simulated else 'a motion'}")
    if simulated:
        page = _of_simulation(result if inertial is None else result.with_model(inertial), folders, lumped)
    else:
        page = _of_motion(result, inertial, folders, markers, events)
    if path is not None:
        page.save(path)
    return page


def _of_motion(
    result: InverseDynamicsResult | RecruitmentResult,
    inertial: InertialModel | None,
    geometry: Sequence[str | os.PathLike[str]],
    markers: str | os.PathLike[str] | None,
    events: str | os.PathLike[str] | pd.DataFrame | None,
) -> Report:
    """Return the page of an inverse dynamics or recruitment result of a recorded motion."""
    active: dict[str, Array] = {}
    if isinstance(result, InverseDynamicsResult):
        content = inverse_dynamics_content(result)
    else:
        content = recruitment_content(result)
        active = {name: values.to_numpy() for name, values in result.activations.items()}
    if events is not None:
        content = replace(content, **_gait(events, content.times))
    if inertial is None:
        return Report.of(content)
    if result.motion is None:
        return Report.of(content, None, NO_MOTION)
    motion = result.motion
    if inertial.coordinate_names != motion.coordinate_names:
        differing = sorted(set(inertial.coordinate_names) ^ set(motion.coordinate_names))
        hint = f", such as '{differing[0]}'" if differing else ", in another order"
        raise ModelError(
            f"model '{inertial.model.getName()}' has other coordinates than the run{hint}: expected the model that was "
            "solved"
        )
    rows = frame_rows(len(motion))
    shown = motion.at(rows)
    active = {name: values[rows] for name, values in active.items()}
    places = None if markers is None else _markers(markers, shown.times)
    scene = build_scene(inertial, motion_states(inertial, shown), rows, active, geometry)
    if places is not None:
        scene |= {"markers": places[0], "markerNames": places[1]}
    if isinstance(result, InverseDynamicsResult) and result.wobble is not None:
        scene |= swings(scene, result.wobble.muscles, result.wobble.displacements[rows])
    return Report.of(content, scene)


def _of_simulation(
    trajectory: Trajectory, geometry: Sequence[str | os.PathLike[str]], lumped: Trajectory | None
) -> Report:
    """Return the page of a simulation, compared with the simulation ``lumped``, if given."""
    from ..analyses.forward_simulation.replay import states as replay_states

    table = trajectory.to_dataframe()
    paths = [str(path) for path in table.columns if str(path).endswith("/activation")]
    active = {path.split("/")[-2]: table[path].to_numpy() for path in paths}
    content = simulation_content(trajectory, lumped, active)
    rows = frame_rows(len(trajectory))
    states = replay_states(trajectory.system, trajectory.times[rows], trajectory.y[rows])
    shown = {name: values[rows] for name, values in active.items()}
    try:
        return Report.of(content, build_scene(trajectory.system.inertial, states, rows, shown, geometry))
    except ModelError as error:  # the simulation may have diverged
        return Report.of(content, None, f"There is no three-dimensional view: {error}")


def _gait(events: str | os.PathLike[str] | pd.DataFrame, times: Array) -> dict[str, Any]:
    """Return the fields ``gait`` and ``gait_source`` of :class:`Content` from a table of gait events."""
    name = "the table of gait events" if isinstance(events, pd.DataFrame) else os.path.basename(events)
    gait = gait_within(rows := read_gait_events(events), times)
    if gait is None:
        moments = [row["time"] for row in rows] or [np.nan]
        raise MotionError(
            f"{name}: its {len(rows)} events, from {min(moments):g} to {max(moments):g} s, hold no gait cycle between "
            f"{times[0]:g} and {times[-1]:g} s: expected two contacts of one foot at least"
        )
    source = f"Gait cycles go from a foot\u2019s contact to its next one, as {name} has them."
    return {"gait": gait, "gait_source": source}


def _markers(path: str | os.PathLike[str], times: Array) -> tuple[Array, tuple[str, ...]]:
    """Return positions (F, K, 3) [m] of K markers, interpolated at ``times`` (F,) [s], and the markers' names."""
    moments, names, positions = read_trc(path)
    if moments[0] > times[-1] or moments[-1] < times[0]:
        raise MotionError(
            f"{path}: the markers go from {moments[0]:g} to {moments[-1]:g} s, the run from {times[0]:g} to "
            f"{times[-1]:g} s: their times do not overlap"
        )
    flat = positions.reshape(len(moments), -1).T
    places = np.stack([np.interp(times, moments, values, np.nan, np.nan) for values in flat], axis=1)
    return places.reshape(len(times), -1, 3), tuple(names)

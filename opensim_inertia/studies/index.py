"""The first page of a study: mean curves, what was assumed, failures, and links to the reports of its trials."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ..files import writing
from ..inverse.coordinates import EXPECTED
from ..inverse.uncertainty import PLACES
from ..pictures import DrawnMean, draw_means, save_picture
from .collect import Collected
from .means import DIFFERENCE, MEANS, MeanCurve
from .report import page
from .store import INDEX, Store
from .tasks import GRID, Failure, Task

__all__ = ["assumption", "write_index"]

#: Quantities in a picture, assumptions in it, pictures, and rows of tables on the page, at most.
MOST_PANELS, MOST_ASSUMED, MOST_PICTURES, MOST_ROWS = 6, 8, 20, 2000
#: A lumped curve below this share of the largest of its unit says nothing about shares.
SMALL = 0.02


def write_index(
    store: Store,
    name: str,
    made: Mapping[str, Any],
    tasks: Sequence[Task],
    failures: Sequence[Failure],
    collected: Collected | None,
    pictures: bool,
) -> Path:
    """Write the page and its pictures; return its path.

    Args:
        store: the folder.
        name: of the study.
        made: what was assumed.
        tasks: those with a result.
        failures: those without.
        collected: what the tables hold; None where no task has a result.
        pictures: whether mean curves are drawn.

    Raises:
        OutputError: something cannot be written.
    """
    body = [f"<p>{len(tasks)} tasks done, {len(failures)} failed. Tables: {_links(store)}.</p>"]
    if collected is not None:
        body += _pictures(store, collected, made) if pictures else []
        if collected.left_out:
            some = ", ".join(collected.left_out[:10]) + (" and others" if collected.left_out[10:] else "")
            why = "as their motion, or its external loads, do not span them"
            body.append(f"<p>Not in mean curves, {why}: {escape(some)}.</p>")
    if failures:
        body.append(f"<h2>Failures</h2>\n{_failures(failures)}")
    body.append(f"<h2>Trials</h2>\n{_tasks(store, tasks)}")
    body.append(f"<h2>What was assumed</h2>\n<pre>{escape(json.dumps(made, indent=1, sort_keys=True))}</pre>")
    path = store.folder / INDEX
    with writing(path) as temporary:
        temporary.write_text(page(f"Study {name}", "\n".join(body)), encoding="utf-8")
    return path


def assumption(grid: Sequence[str | float], among: Sequence[Sequence[str | float]]) -> str:
    """Return those of a combination's assumptions that differ among some, in one line."""
    told = []
    for i, name in enumerate(GRID):
        if len({str(each[i]) for each in among}) > 1:
            value = grid[i]
            unit = " Hz" if name == "cutoff" and isinstance(value, float) else ""
            told.append(f"{name} {value:g}{unit}" if isinstance(value, float) else f"{name} {value}")
    return ", ".join(told) or f"strain {grid[0]}"


def _links(store: Store) -> str:
    files = sorted(p.name for p in store.folder.iterdir() if p.suffix in (".parquet", ".csv") and p.name[0] != ".")
    return ", ".join(f'<a href="{file}">{file}</a>' for file in files)


def _pictures(store: Store, collected: Collected, made: Mapping[str, Any]) -> list[str]:
    """Draw the mean curves of each condition and quantity, and return their HTML."""
    by_place: dict[tuple[str, str], dict[tuple[Any, ...], list[MeanCurve]]] = {}
    for curve in collected.means:
        if curve.label[0] in ("generalized force", "activation"):
            place = by_place.setdefault((curve.group[0], curve.label[0]), {})
            place.setdefault(curve.group[1], []).append(curve)
    html = []
    for number, ((condition, quantity), by_grid) in enumerate(list(by_place.items())[:MOST_PICTURES], 1):
        file = store.folder / f"mean_curves_{number}.png"
        first = next(iter(by_grid.values()))
        told = f"{first[0].trials} trials of {first[0].subjects} subjects"
        save_picture(_picture(collected, condition, by_grid, f"Condition {condition}: {told}. {_caption(made)}"), file)
        alt = f"mean {quantity} of condition {condition}"
        html.append(f"<h2>{escape(condition)}: {quantity}, {told}</h2>")
        html.append(f'<p><img src="{file.name}" alt="{escape(alt)}"></p>')
    return html


def _caption(made: Mapping[str, Any]) -> str:
    unknown = made["uncertainty"]
    return (
        f"Difference: inertial - lumped. Band: {100 * unknown['level']:g} % of draws, masses with a coefficient of "
        f"variation of {100 * unknown['mass_cv']:g} %"
        + (PLACES if unknown["placement"] else "")
        + f". opensim_inertia {made['opensim_inertia']}."
    )


def _picture(
    collected: Collected, condition: str, by_grid: Mapping[tuple[Any, ...], Sequence[MeanCurve]], caption: str
) -> Any:
    combinations = list(by_grid)
    shown = combinations[:MOST_ASSUMED]
    if len(combinations) > len(shown):
        caption += f" {len(combinations) - len(shown)} more combinations of assumptions are in the tables."
    by_label = [{curve.label: curve for curve in by_grid[combination]} for combination in shown]
    labels = [
        label
        for label in _foremost(list(by_label[0].values()), collected.on_base)
        if all(label in each for each in by_label)
    ]
    panels = [[_drawn(each[label]) for each in by_label] for label in labels[:MOST_PANELS]]
    over = "% of the cycle" if collected.axis.kind == "cycle" else "time [s]"
    assumed = [assumption(combination, combinations) for combination in shown]
    return draw_means(collected.axis.places(condition), over, assumed, panels, caption)


def _foremost(curves: Sequence[MeanCurve], on_base: Collection[str]) -> list[tuple[str, str, str]]:
    """Return labels: joints before the base, those that readers look for first, then those that change most."""
    sizes = {c.label: _rms(c.mean[MEANS.index("lumped")]) for c in curves}
    largest = {unit: max(size for label, size in sizes.items() if label[2] == unit) for _, _, unit in sizes}

    def share(curve: MeanCurve) -> float:
        size = max(sizes[curve.label], SMALL * largest[curve.label[2]])
        return _rms(curve.mean[MEANS.index(DIFFERENCE)]) / size if size > 0 else 0.0

    def rank(curve: MeanCurve) -> tuple[bool, bool, bool, float]:
        _, name, unit = curve.label
        return name in on_base, unit == "N", not EXPECTED.search(name), -share(curve)

    return [curve.label for curve in sorted(curves, key=rank)]


def _rms(values: Any) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _drawn(curve: MeanCurve) -> DrawnMean:
    mean = dict(zip(MEANS, curve.mean, strict=True))
    spread = curve.deviation[MEANS.index("inertial")]
    band = (mean["lower"] - mean["lumped"], mean["upper"] - mean["lumped"])
    return DrawnMean(curve.label[1], curve.label[2], mean["lumped"], mean["inertial"], mean[DIFFERENCE], spread, band)


def _failures(failures: Sequence[Failure]) -> str:
    rows = [(f.trial.id, *map(str, f.grid), f.error, f.message) for f in failures[:MOST_ROWS]]
    return _table(("trial", *GRID, "error", "message"), [[escape(cell) for cell in row] for row in rows], len(failures))


def _tasks(store: Store, tasks: Sequence[Task]) -> str:
    rows = []
    for task in tasks[:MOST_ROWS]:
        cells = [escape(text) for text in (task.trial.id, task.trial.subject, task.trial.condition)]
        cells += [escape(f"{value:g}" if isinstance(value, float) else value) for value in task.grid]
        link = store.report(task.key).relative_to(store.folder).as_posix()
        rows.append([*cells, f'<a href="{link}">report</a>' if task.report else ""])
    return _table(("trial", "subject", "condition", *GRID, ""), rows, len(tasks))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], count: int) -> str:
    lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    more = f"<p>and {count - len(rows)} more</p>" if count > len(rows) else ""
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><tr>{''.join(f'<th>{cell}</th>' for cell in head)}</tr>\n{body}\n</table>{more}"

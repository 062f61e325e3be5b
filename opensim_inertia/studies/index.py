"""The first page of a study: mean curves, what was assumed, failures, and links to the reports of its trials."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..analyses.inverse_dynamics.band import PLACES
from ..analyses.inverse_dynamics.coordinates import EXPECTED
from ..reports import Link, Picture, Table, write_document_page
from .store import INDEX, Store
from .tables import DIFFERENCE, LABELS, MEANS, Collected, MeanCurve
from .tasks import GRID, Failure, Task, texts

__all__ = ["write_index"]

#: Quantities in a picture, assumptions in it, pictures, and rows of tables on the page, at most.
MOST_PANELS, MOST_ASSUMED, MOST_PICTURES, MOST_ROWS = 6, 8, 20, 2000


def write_index(
    store: Store,
    name: str,
    assumptions: Mapping[str, Any],
    tasks: Sequence[Task],
    failures: Sequence[Failure],
    collected: Collected | None,
    pictures: bool,
) -> Path:
    """Write the page and its pictures; return its path."""
    links: list[str | Link] = [f"{len(tasks)} tasks done, {len(failures)} failed. Tables:"]
    for file in sorted(path.name for path in store.folder.glob("[!.]*") if path.suffix in (".parquet", ".csv")):
        links += [" ", Link(file, file)]
    sections: list[tuple[str, list[Any]]] = [("", [links])]
    if collected is not None:
        sections += _pictures(store, collected, assumptions) if pictures else []
        if collected.left_out:
            some = ", ".join(collected.left_out[:10]) + (" and others" if collected.left_out[10:] else "")
            why = "as their motion, or its external loads, do not span them"
            sections.append(("", [f"Not in mean curves, {why}: {some}."]))
    if failures:
        failed = [(f.trial.id, *texts(f.grid), f.error, f.message) for f in failures]
        sections.append(("Failures", [_table("Tasks that failed", ("trial", *GRID, "error", "message"), failed)]))
    done: list[tuple[str | Link, ...]] = []
    for task in tasks:
        target = store.report(task.key).relative_to(store.folder).as_posix()
        done.append((*task.trial.labels, *texts(task.grid), Link("report", target) if task.report else ""))
    sections.append(("Trials", [_table("Tasks that were done", (*LABELS, *GRID, ""), done)]))
    rows = [
        (f"{name}, {key}" if key else name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, section in sorted(assumptions.items())
        for key, value in (section.items() if isinstance(section, dict) else [("", section)])
        if value not in (None, [])
    ]
    sections.append(("What was assumed", [Table("Options and versions", ("option", "value"), rows)]))
    path = store.folder / INDEX
    write_document_page(path, f"Study {name}", sections)
    return path


def _pictures(store: Store, collected: Collected, assumptions: Mapping[str, Any]) -> list[tuple[str, list[Any]]]:
    """Draw the mean curves of each condition and quantity, and return a section for each."""
    unknown = assumptions["uncertainty"]
    about = (
        f"Difference: inertial - lumped. Band: {100 * unknown['level']:g} % of draws, masses with a coefficient of "
        f"variation of {100 * unknown['mass_cv']:g} %{PLACES if unknown['placement'] else ''}. "
        f"opensim_inertia {assumptions['opensim_inertia']}."
    )
    by_place: dict[tuple[str, str], dict[tuple[Any, ...], list[MeanCurve]]] = {}
    for curve in collected.means:
        if curve.label[0] in ("generalized force", "activation"):
            place = by_place.setdefault((curve.group[0], curve.label[0]), {})
            place.setdefault(curve.group[1], []).append(curve)
    sections = []
    for number, ((condition, quantity), by_grid) in enumerate(list(by_place.items())[:MOST_PICTURES], 1):
        file = store.folder / f"mean_curves_{number}.png"
        first = next(iter(by_grid.values()))
        trials = f"{first[0].trials} trials of {first[0].subjects} subjects"
        caption = f"Condition {condition}: {trials}. {about}"
        _draw(collected, condition, by_grid, caption, file)
        picture = Picture(file.name, f"mean {quantity} of condition {condition}")
        sections.append((f"{condition}: {quantity}, {trials}", [picture]))
    return sections


def _draw(
    collected: Collected,
    condition: str,
    by_grid: Mapping[tuple[Any, ...], Sequence[MeanCurve]],
    caption: str,
    file: Path,
) -> None:
    """Draw a condition's mean curves: a panel for each quantity, the combinations beside each other."""
    from ..plotting.forces import draw_means

    combinations = list(by_grid)
    drawn = combinations[:MOST_ASSUMED]
    if len(combinations) > len(drawn):
        caption += f" {len(combinations) - len(drawn)} more combinations of assumptions are in the tables."
    by_label = [{curve.label: curve for curve in by_grid[combination]} for combination in drawn]
    labels = [
        label
        for label in _foremost(list(by_label[0].values()), collected.on_base)
        if all(label in each for each in by_label)
    ]
    panels = {
        label[1:]: [
            dict(zip((*MEANS, "spread"), (*curve.mean, curve.deviation[MEANS.index("inertial")]), strict=True))
            for curve in (each[label] for each in by_label)
        ]
        for label in labels[:MOST_PANELS]
    }
    over = "% of the cycle" if collected.axis.kind == "cycle" else "time [s]"
    varied = [i for i in range(len(GRID)) if len({str(each[i]) for each in combinations}) > 1] or [0]
    assumed = [", ".join(_assumption(GRID[i], combination[i]) for i in varied) for combination in drawn]
    draw_means(collected.axis.places(condition), over, assumed, panels, caption, file)


def _foremost(curves: Sequence[MeanCurve], on_base: Collection[str]) -> list[tuple[str, str, str]]:
    """Return labels: joints before the base, those that readers look for first, then those that change most."""

    def rank(curve: MeanCurve) -> tuple[bool, bool, bool, float]:
        _, name, unit = curve.label
        change = curve.mean[MEANS.index(DIFFERENCE)]
        return name in on_base, unit == "N", not EXPECTED.search(name), -float(np.nansum(change**2))

    return [curve.label for curve in sorted(curves, key=rank)]


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str | Link]]) -> Table:
    """Return a table of the first rows, and how many more there are."""
    return Table(title, head, rows[:MOST_ROWS], f"and {len(rows) - MOST_ROWS} more" if rows[MOST_ROWS:] else "")


def _assumption(name: str, value: str | float) -> str:
    unit = " Hz" if name == "cutoff" and isinstance(value, float) else ""
    return f"{name} {value:g}{unit}" if isinstance(value, float) else f"{name} {value}"

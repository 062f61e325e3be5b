"""What was assumed, from a run's provenance: facts in words, and tables of masses and segments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.provenance import stated_options
from .content import Table

__all__ = ["assumptions", "details", "number", "trial", "unanswered"]

#: Sources of masses that are listed.
MOST_SOURCES = 3
#: Entries of the provenance that are facts of their own, and what they are called.
FACTS = {
    "cut-off [Hz]": "low-pass filter [Hz]",
    "forces excluded": "forces that do not act",
    "coordinates missing in the motion": "coordinates missing in the motion, at rest",
    "left massless": "muscles left without mass",
    "paths led by OpenSim": "paths led by OpenSim",
    "accelerations": "accelerations from splines through",
    "free": "coordinates left out",
    "reserves": "reserves [N m or N]",
    "muscle physiology": "force, length and speed of fibres count",
    "passive fibres": "passive fibres pull",
}


def number(value: float) -> str:
    """Return a number with three digits, more only where they are before the point, and a true minus sign."""
    text = f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
    return text.replace("-", "\u2212")


def trial(made: Mapping[str, Any]) -> str:
    """Return model, motion and times in one line."""
    parts = []
    if made:
        parts.append(f"model {made['model']['name'] or 'without name'}")
        if "motion" in made:
            parts.append(f"motion {made['motion'].get('file', 'from a table')}")
    return ", ".join(parts)


def unanswered(times: Array, answered: NDArray[np.bool_]) -> list[str]:
    """Return a sentence about rows without an answer, if there are any."""
    if answered.all():
        return []
    first, last = times[answered][0], times[answered][-1]
    return [
        f"{(~answered).sum()} of {len(times)} rows have no answer, as there are no external loads for them: all "
        f"numbers here are of {first:.4g} to {last:.4g} s."
    ]


def assumptions(made: Mapping[str, Any]) -> dict[str, str]:
    """Return what was assumed, by what it is called; empty where nothing is known."""
    if not made:
        return {}
    facts = {
        "muscle mass": f"{number(made['muscle mass [kg]'])} kg in {made['muscles with mass']} muscles",
        "sources of masses": _sources(made),
        "donor segments": "; ".join(
            f"{s['segment']} gives up {number(s['given up'])} of {number(s['mass'])} kg" for s in made["segments"]
        ),
    }
    facts |= {what.replace("_", " "): str(value) for what, value in stated_options(made).items()}
    for key, what in FACTS.items():
        if made.get(key) is not None and made[key] not in ([], (), {}, ""):
            value = made[key]
            facts[what] = ", ".join(map(str, value)) if isinstance(value, list | tuple | dict) else _said(value)
    for key in ("motion", "external loads"):
        if made.get(key):
            facts[key] = _source(made[key])
    facts["model"] = _source({"file": made["model"]["name"], "sha256": made["model"]["sha256"]})
    facts["versions"] = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    return {what: said for what, said in facts.items() if said}


def details(made: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return the tables of muscle masses and of donor segments."""
    if "masses" not in made:
        return ()
    masses = made["masses"]
    columns = [str(column) for column in masses.columns]
    muscles = [[_cell(value) for value in row] for row in masses.itertuples(index=False)]
    tables = [Table("Muscle masses, donor segments and bellies [kg, m]", columns, muscles)]
    if made["segments"]:
        head = list(made["segments"][0])
        rows = [[_cell(row[column]) for column in head] for row in made["segments"]]
        note = "residual: how far segment and muscles at the reference pose are from the segment as published."
        tables.append(Table("Donor segments [kg]", head, rows, note))
    off = made.get("paths off OpenSim's, at least [m]", {})
    if off:
        rows = [[name, number(1000 * value)] for name, value in off.items()]
        tables.append(Table("Paths that are off OpenSim's own", ["muscle", "at least [mm]"], rows))
    return tuple(tables)


def _sources(made: Mapping[str, Any]) -> str:
    masses = made.get("masses")
    if masses is None or "source" not in masses:
        return "as given"
    counts = masses["source"].astype(str).value_counts()
    if len(counts) > MOST_SOURCES:
        return f"{len(counts)} different ones, such as {counts.index[0]}; the table of masses below has all of them"
    return "; ".join(f"{source} ({count} muscles)" for source, count in counts.items())


def _source(described: Mapping[str, Any]) -> str:
    name = described.get("file", "a table")
    return f"{name} (SHA-256 {described['sha256'][:12]}\u2026)"


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return number(value) if isinstance(value, float) else str(value)

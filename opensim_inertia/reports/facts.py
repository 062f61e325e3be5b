"""Assumptions of a run from its provenance: facts in words, and tables of masses and segments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.provenance import stated_options
from ..opensim_model.setups.gait import SHORTEST, THRESHOLD
from .content import Gait, Table

__all__ = ["about_the_run", "assumptions", "details", "number", "subtitle", "unanswered"]

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


def subtitle(provenance: Mapping[str, Any], times: Array) -> str:
    """Return model, motion and times in one line."""
    parts = []
    if provenance:
        parts.append(f"model {provenance['model']['name'] or 'without name'}")
        if "motion" in provenance:
            parts.append(f"motion {provenance['motion'].get('file', 'from a table')}")
    span = f"{len(times)} rows from {times[0]:.4g} to {times[-1]:.4g} s" if len(times) > 1 else f"at {times[0]:.4g} s"
    return ", ".join([*parts, span])


def unanswered(times: Array, answered: NDArray[np.bool_]) -> list[str]:
    """Return a sentence about rows without an answer, if there are any."""
    if answered.all():
        return []
    first, last = times[answered][0], times[answered][-1]
    return [
        f"{(~answered).sum()} of {len(times)} rows have no answer, as there are no external loads for them: all "
        f"numbers here are of {first:.4g} to {last:.4g} s."
    ]


def about_the_run(provenance: Mapping[str, Any], times: Array, answered: NDArray[np.bool_]) -> dict[str, Any]:
    """Return a recorded motion's facts for :class:`Content` besides its curves: gaps, mass, gait and verdict.

    Args:
        provenance: that of the result.
        times: (T,) [s].
        answered: (T,), which rows have an answer.
    """
    edges = np.flatnonzero(np.diff(np.r_[True, answered, True]))
    spans = zip(np.maximum(edges[::2] - 1, 0), np.minimum(edges[1::2], len(times) - 1), strict=True)
    source = (
        f"Gait cycles go from a foot\u2019s contact to its next one: contact is where the vertical ground force on the "
        f"foot rises above {THRESHOLD:g} N, phases shorter than {1000 * SHORTEST:g} ms aside."
    )
    return {
        "gaps": [(float(times[first]), float(times[last])) for first, last in spans],
        "mass": provenance.get("mass of the model [kg]"),
        "gait": Gait.of(provenance.get("gait events", ()), (float(times[0]), float(times[-1])), source),
        "verdict": provenance["residuals"]["verdict"] if "residuals" in provenance else "",
    }


def assumptions(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return the assumptions, by name; empty if nothing is known."""
    if not provenance:
        return {}
    facts = {
        "muscle mass": f"{number(provenance['muscle mass [kg]'])} kg in {provenance['muscles with mass']} muscles",
        "sources of masses": _sources(provenance),
        "donor segments": "; ".join(
            f"{s['segment']}: muscles {number(s['muscles'])} of {number(s['mass'])} kg" for s in provenance["segments"]
        ),
    }
    facts |= {label.replace("_", " "): str(value) for label, value in stated_options(provenance).items()}
    for key, label in FACTS.items():
        if provenance.get(key) is not None and provenance[key] not in ([], (), {}, ""):
            value = provenance[key]
            facts[label] = ", ".join(map(str, value)) if isinstance(value, list | tuple | dict) else _value_text(value)
    for key in ("motion", "external loads"):
        if provenance.get(key):
            facts[key] = _source(provenance[key])
    facts["model"] = _source({"file": provenance["model"]["name"], "sha256": provenance["model"]["sha256"]})
    facts["versions"] = ", ".join(f"{name} {version}" for name, version in provenance["versions"].items())
    return {label: text for label, text in facts.items() if text}


def details(provenance: Mapping[str, Any]) -> tuple[Table, ...]:
    """Return the tables of muscle masses and of donor segments."""
    if "masses" not in provenance:
        return ()
    masses = provenance["masses"]
    columns = [str(column) for column in masses.columns]
    muscles = [[_cell(value) for value in row] for row in masses.itertuples(index=False)]
    tables = [Table("Muscle masses, donor segments and bellies [kg, m]", columns, muscles)]
    if provenance["segments"]:
        head = list(provenance["segments"][0])
        rows = [[_cell(row[column]) for column in head] for row in provenance["segments"]]
        note = "mass: as published; muscles: subtracted as rigid mass at the reference pose."
        tables.append(Table("Donor segments [kg]", head, rows, note))
    path_differences = provenance.get("paths off OpenSim's, at least [m]", {})
    if path_differences:
        rows = [[name, number(1000 * value)] for name, value in path_differences.items()]
        tables.append(Table("Paths that are off OpenSim's own", ["muscle", "at least [mm]"], rows))
    return tuple(tables)


def _sources(provenance: Mapping[str, Any]) -> str:
    masses = provenance.get("masses")
    if masses is None or "source" not in masses:
        return "as given"
    counts = masses["source"].astype(str).value_counts()
    if len(counts) > MOST_SOURCES:
        return f"{len(counts)} different ones, such as {counts.index[0]}; the table of masses below has all of them"
    return "; ".join(f"{source} ({count} muscles)" for source, count in counts.items())


def _source(entry: Mapping[str, Any]) -> str:
    name = entry.get("file", "a table")
    return f"{name} (SHA-256 {entry['sha256'][:12]}\u2026)"


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return number(value) if isinstance(value, float) else str(value)


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    return number(value) if isinstance(value, float) else str(value)

"""Mass tables by their columns."""

import math
from collections.abc import Iterable
from typing import Any

from opensim_inertia.muscles.masses.table import MassTable

LENGTHS = ("belly", "free_tendon_proximal", "free_tendon_distal")
COLUMNS = ("muscle", "mass", "segment", "source", *LENGTHS, "belly_source")


def stretches(text: str) -> list[tuple[str, float]]:
    """Return segments and shares of the cell of a muscle's donor segments."""
    terms = [term.split(" ") for term in text.split(" + ")]
    return [(term[-1], float(term[0]) if len(term) > 1 else 1.0) for term in terms]


def new_table(
    muscles: Iterable[str],
    masses: Iterable[float],
    segments: Iterable[str] | None,
    sources: Iterable[str],
    lengths: Iterable[Iterable[float]] | None = None,
    belly_sources: Iterable[str] | None = None,
) -> MassTable:
    """Return an unchecked mass table of its columns [kg, m]; without ``segments`` it has no such column."""
    names = list(muscles)
    columns: dict[str, Iterable[Any]] = {"muscle": names, "mass": masses, "source": sources}
    columns |= {} if segments is None else {"segment": segments}
    columns |= dict(zip(LENGTHS, [[math.nan] * len(names)] * 3 if lengths is None else lengths, strict=True))
    columns["belly_source"] = [""] * len(names) if belly_sources is None else belly_sources
    return MassTable(columns)

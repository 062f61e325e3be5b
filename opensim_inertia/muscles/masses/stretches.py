"""The stretches of a muscle's mass and the segments that they are frozen to, as the mass table writes them.

The cell ``segment`` of a mass table names one segment, or shares of the mass from origin to insertion, each before its
segment: ``0.62 pelvis + 0.38 femur_r``. A segment may come twice, and may be ``ground``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ..._core.errors import MassError

__all__ = ["GROUND", "Stretch", "light_segments", "main_segment", "mass_by_segment", "read_stretches", "stretches_text"]

GROUND = "ground"
"""The segment of stretches that are frozen to ground, from which nothing is subtracted."""

TOLERANCE = 1e-3
"""How far the shares in a table may be from 1 together: people round them."""

DECIMALS = 3
"""Decimals of the shares that are written."""

_TERM = re.compile(r"\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?)\s+(\S.*?)\s*")


class Stretch(NamedTuple):
    """A part of a muscle's mass, and the segment that it is frozen to."""

    segment: str  # name of the segment
    first: float  # (with last) shares of the mass that lie nearer to the origin than the stretch's ends, 0 to 1
    last: float

    @property
    def share(self) -> float:
        """The share of the muscle's mass."""
        return self.last - self.first

    @property
    def window(self) -> tuple[float, float]:
        """Both ends."""
        return self.first, self.last


def read_stretches(text: str, muscle: str = "") -> tuple[Stretch, ...]:
    """Return the stretches that a cell of a mass table says; none for an empty cell."""
    terms = [_TERM.fullmatch(term) for term in re.split(r"\s\+\s", text)]
    if not all(terms) or not terms:
        return (Stretch(text.strip(), 0.0, 1.0),) if text.strip() else ()
    pairs = [(term[2], float(term[1].replace(",", "."))) for term in terms if term]
    total = math.fsum(share for _, share in pairs)
    if min(share for _, share in pairs) <= 0.0 or not abs(total - 1.0) <= TOLERANCE:
        raise MassError(
            f"muscle '{muscle}': the shares of its segments '{text}' add up to {total:.6g}; expected positive shares "
            "that add up to 1, from origin to insertion, such as '0.6 pelvis + 0.4 femur_r'"
        )
    stretches, first = [], 0.0
    for k, (segment, share) in enumerate(pairs):
        last = 1.0 if k == len(pairs) - 1 else first + share / total
        stretches.append(Stretch(segment, first, last))
        first = last
    return tuple(stretches)


def stretches_text(pairs: Sequence[tuple[str, float]]) -> str:
    """Return the text of segments and shares for :func:`read_stretches`, rounded; equal neighbours are joined."""
    pairs = [(name, sum(p[1] for p in same)) for name, same in groupby(pairs, key=lambda pair: pair[0])]
    if len(pairs) == 1:
        return pairs[0][0]
    units = 10**DECIMALS
    counts = [round(units * share) for _, share in pairs]
    counts[counts.index(max(counts))] += units - sum(counts)
    return " + ".join(f"{count / units:.{DECIMALS}g} {name}" for (name, _), count in zip(pairs, counts, strict=True))


def main_segment(stretches: Sequence[Stretch]) -> str:
    """Return the segment that most of a muscle's mass is frozen to; the first of equals."""
    shares: dict[str, float] = {}
    for stretch in stretches:
        shares[stretch.segment] = shares.get(stretch.segment, 0.0) + stretch.share
    return max(shares, key=lambda name: shares[name])


def mass_by_segment(table: Mapping[str, Any]) -> dict[str, float]:
    """Return the mass [kg] of muscles that is frozen to each segment."""
    masses: dict[str, float] = {}
    for muscle, mass, text in zip(table["muscle"], table["mass"], table["segment"], strict=True):
        for stretch in read_stretches(text, muscle):
            masses[stretch.segment] = masses.get(stretch.segment, 0.0) + float(mass) * stretch.share
    return masses


def light_segments(published: Mapping[str, float], table: Mapping[str, Any]) -> list[str]:
    """Return a sentence about each segment whose published mass [kg] is less than that of the muscles frozen to it."""
    return [
        f"{name}: the model publishes {_kilograms(published[name])}; muscles that lie in it weigh {_kilograms(mass)}: "
        "it was published without them, or the masses are too large"
        for name, mass in mass_by_segment(table).items()
        if name in published and mass > published[name]
    ]


def _kilograms(mass: float) -> str:
    return f"{mass:.2f} kg" if mass >= 0.1 else f"{mass:.2g} kg"

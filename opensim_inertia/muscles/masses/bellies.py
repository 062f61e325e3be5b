"""The belly columns of a mass table: lengths that the user gives, and others that follow from them or from defaults.

Three lengths [m] per muscle: of the belly while the fibres have their optimal length, and of both free tendons. Two say
all, as ``belly + t_p + t_d = l_s + l_opt cos(alpha_0)`` (:mod:`~opensim_inertia.muscles.masses.architecture`).

* nothing given: :func:`~opensim_inertia.muscles.masses.architecture.default_architecture`;
* the belly: free tendon is the rest; its proximal share is the default's;
* one free tendon: the belly is the default's, or shorter where the other free tendon would be less than nothing;
* two of the three: the third is the rest; all three must add up, within :data:`TOLERANCE`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..._core.errors import MassError
from .architecture import MuscleArchitecture

__all__ = ["LENGTHS", "TOLERANCE", "complete_belly"]

LENGTHS = ("belly", "free_tendon_proximal", "free_tendon_distal")
"""The columns of lengths [m]; NaN is empty."""

TOLERANCE = 1e-3
"""Relative error allowed in the sum of three given lengths: tables are edited and rounded by people."""


def complete_belly(
    muscle: str, lengths: Sequence[float], source: str, default: MuscleArchitecture
) -> tuple[list[float], str, MuscleArchitecture]:
    """Return the lengths [m] of a muscle's row, their source and architecture; missing ones by the module's rules."""
    is_known = [not math.isnan(length) for length in lengths]
    belly, proximal, distal = lengths
    if not any(is_known):
        belly, proximal, distal = default.belly, default.free_tendon_proximal, default.free_tendon_distal
        source = default.source
    elif not all(is_known):
        belly, proximal, distal = _complete_lengths(default, belly, proximal, distal)
        words = ("belly", "proximal free tendon", "distal free tendon")
        empty = " and ".join(word for word, known in zip(words, is_known, strict=True) if not known)
        source = f"{source}; {empty}: the rest of {_total_words(default)}"
    _check_fit(muscle, default, belly, proximal, distal)
    row = [max(length, 0.0) for length in (belly, proximal, distal)]
    return row, source, _architecture_of_tendons(default, proximal, distal, source)


def _complete_lengths(
    default: MuscleArchitecture, belly: float, proximal: float, distal: float
) -> tuple[float, float, float]:
    """Return the three lengths [m] where one or two of them are NaN."""
    total = default.slack_length + default.fibre
    if math.isnan(belly):
        if math.isnan(distal):
            distal = max(default.free_tendon - proximal, 0.0)
        elif math.isnan(proximal):
            proximal = max(default.free_tendon - distal, 0.0)
        return total - proximal - distal, proximal, distal
    if math.isnan(proximal) and math.isnan(distal):
        free = default.free_tendon
        proximal = (default.free_tendon_proximal / free if free > 0.0 else 0.0) * (total - belly)
    elif math.isnan(proximal):
        proximal = total - belly - distal
    return belly, proximal, total - belly - proximal if math.isnan(distal) else distal


def _check_fit(muscle: str, default: MuscleArchitecture, belly: float, proximal: float, distal: float) -> None:
    total, free = default.slack_length + default.fibre, proximal + distal
    margin = TOLERANCE * total
    text = f"muscle '{muscle}': belly {belly:.6g} m, free tendons {proximal:.6g} m and {distal:.6g} m"
    if abs(belly + free - total) > margin:
        raise MassError(
            f"{text} add up to {belly + free:.6g} m; expected {total:.6g} m, {_total_words(default)} "
            "(leave one of them empty, and it is the rest)"
        )
    if min(proximal, distal) < -margin or free > default.slack_length + margin:
        raise MassError(
            f"{text} do not fit the muscle: its slack length is {default.slack_length:.6g} m, which both free tendons "
            f"share with the aponeurosis, and its fibres are {default.fibre:.6g} m along the path at optimal length, "
            f"so that a belly is {default.fibre:.6g} to {total:.6g} m long"
        )


def _architecture_of_tendons(
    default: MuscleArchitecture, proximal: float, distal: float, source: str
) -> MuscleArchitecture:
    """Return the architecture of given free tendons; excess by rounding is taken from the longer one."""
    slack = default.slack_length
    proximal, distal = max(proximal, 0.0), max(distal, 0.0)
    if proximal + distal > slack:
        longer = slack - min(proximal, distal)
        proximal, distal = (longer, distal) if proximal > distal else (proximal, longer)
    return MuscleArchitecture(max(slack - proximal - distal, 0.0), proximal, distal, default.fibre, source)


def _total_words(default: MuscleArchitecture) -> str:
    return f"slack length {default.slack_length:.6g} m + optimal fibre length along the path {default.fibre:.6g} m"

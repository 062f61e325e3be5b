"""Muscle architecture: free tendon, aponeurosis and belly of each muscle.

OpenSim's tendon slack length ``l_s = t_p + t_d + a`` includes the free tendons and one aponeurosis ``a``. The belly
length is ``a + F`` with the projected fibre length ``F``, at optimal length ``l_opt cos(alpha_0)``.

By default the belly length is ``l_opt / (L_f / L_m)`` (:data:`WARD`), with at least :data:`LEAST_FREE` of the slack
length as free tendon. For other muscles half of the slack length is aponeurosis. All free tendon is distal.

A mass table may give up to three lengths [m], with ``belly + t_p + t_d = l_s + l_opt cos(alpha_0)``:

* no length: the default;
* the belly: the rest is free tendon, with the default's proximal share;
* one free tendon: the default belly, shortened if the other free tendon would be negative;
* two lengths: the third is the rest; three lengths must have the correct sum, within :data:`TOLERANCE`.

Source: Ward, Eng, Smallwood, Lieber (2009), "Are current measurements of lower extremity muscle architecture
accurate?", Clinical Orthopaedics and Related Research 467, 1074-1082, table 3 (18 to 20 cadaveric muscles, sarcomeres
of 2.7 um). **The numbers are transcriptions and were not read from the paper.** ``L_f`` agrees with one or two public
transcriptions; for ``L_m`` no second one was found.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..._core.errors import MassError
from .handsfield import VOLUMES, anatomical_names, limb_volume, muscle_volume

LEAST_FREE = 0.15
"""Least share of the slack length that is free tendon, for muscles of the table."""

OTHERS = 0.5
"""Share of the slack length that is aponeurosis, for other muscles."""

WARD: dict[str, tuple[float, float]] = {
    "psoas": (24.25, 11.69),
    "iliacus": (20.61, 10.66),
    "gluteus maximus": (26.95, 15.69),
    "gluteus medius": (19.99, 7.33),
    "sartorius": (44.81, 40.30),
    "rectus femoris": (36.28, 7.59),
    "vastus lateralis": (27.34, 9.94),
    "vastus intermedius": (41.20, 9.93),
    "vastus medialis": (43.90, 9.68),
    "gracilis": (28.69, 22.78),
    "adductor longus": (21.84, 10.82),
    "adductor brevis": (15.39, 10.31),
    "adductor magnus": (37.90, 14.44),
    "biceps femoris long head": (34.73, 9.76),
    "biceps femoris short head": (22.39, 11.03),
    "semitendinosus": (29.67, 19.30),
    "semimembranosus": (29.34, 6.90),
    "tibialis anterior": (25.98, 6.83),
    "extensor hallucis longus": (24.25, 7.48),
    "extensor digitorum longus": (29.00, 6.93),
    "peroneus longus": (27.08, 5.08),
    "peroneus brevis": (23.75, 4.54),
    "medial gastrocnemius": (26.94, 5.10),
    "lateral gastrocnemius": (22.35, 5.88),
    "soleus": (40.54, 4.40),
    "flexor hallucis longus": (26.88, 5.27),
    "flexor digitorum longus": (27.33, 4.46),
    "tibialis posterior": (31.03, 3.78),
}
"""Lengths of belly and fibres [cm]; only their ratio is used. Source: see the module's docstring."""

_AVERAGE_LIMB = limb_volume(1.70, 69.4)
"""Muscle volume [cm^3] of an average limb, for weights within a family."""


@dataclass(frozen=True)
class MuscleArchitecture:
    """Lengths [m] of a muscle's aponeurosis, free tendons and fibres along the path, and source of the lengths."""

    aponeurosis: float  # length of one aponeurosis
    free_tendon_proximal: float  # tendon proximal to the first fibre
    free_tendon_distal: float  # tendon distal to the last fibre
    fibre: float  # projected optimal fibre length, ``l_opt cos(alpha_0)``
    source: str

    @property
    def belly(self) -> float:
        """Belly length [m] at optimal fibre length."""
        return self.aponeurosis + self.fibre

    @property
    def free_tendon(self) -> float:
        """Total length of both free tendons [m]."""
        return self.free_tendon_proximal + self.free_tendon_distal

    @property
    def slack_length(self) -> float:
        """Tendon slack length [m]: both free tendons and one aponeurosis."""
        return self.free_tendon + self.aponeurosis


def default_architecture(owned: Mapping[str, Any], muscles: Iterable[str]) -> dict[str, MuscleArchitecture]:
    """Return the default lengths of belly and tendons by muscle, from Ward's table or the slack length."""
    anatomical = anatomical_names(owned)
    return {name: _architecture(owned[name], anatomical[name]) for name in muscles}


def fibre_fraction(names: Iterable[str]) -> float | None:
    """Return the mean ratio of fibre to belly length, weighted by volume; None if no name is in Ward's table."""
    covered = [name for name in names if name in WARD]
    if not covered:
        return None
    fractions = [WARD[name][1] / WARD[name][0] for name in covered]
    if len(covered) == 1:
        return fractions[0]
    volumes = [muscle_volume(name, _AVERAGE_LIMB) if name in VOLUMES else 0.0 for name in covered]
    return math.fsum(f * v for f, v in zip(fractions, volumes, strict=True)) / math.fsum(volumes)


def _architecture(muscle: Any, names: tuple[str, ...]) -> MuscleArchitecture:
    slack, optimal, fibre = _lengths(muscle)
    fraction = fibre_fraction(names)
    if fraction is None:
        aponeurosis = OTHERS * slack
        source = f"not in the table of Ward 2009: {OTHERS:g} of the slack length {slack:.6g} m is aponeurosis"
    else:
        table_names = " and ".join(name for name in names if name in WARD)
        mean = "volume-weighted mean of " if len(names) > 1 else ""
        aponeurosis, longest = optimal / fraction - fibre, (1.0 - LEAST_FREE) * slack
        source = (
            f"Ward 2009 (transcribed, not read from the paper), {mean}{table_names}: "
            f"fibre/belly {fraction:.4g}, belly {optimal:.6g} m / {fraction:.4g}"
        )
        if aponeurosis > longest:
            aponeurosis = longest
            source += f", cut to {fibre + longest:.4g} m so that {LEAST_FREE:g} of the slack length stays free tendon"
    return MuscleArchitecture(aponeurosis, 0.0, slack - aponeurosis, fibre, source + "; all free tendon is distal")


def _lengths(muscle: Any) -> tuple[float, float, float]:
    """Return tendon slack length, optimal fibre length, and optimal fibre length along the path [m]."""
    slack, optimal = float(muscle.getTendonSlackLength()), float(muscle.getOptimalFiberLength())
    pennation = float(muscle.getPennationAngleAtOptimalFiberLength())
    for what, value in (("tendon slack length", slack), ("optimal fibre length", optimal)):
        if not math.isfinite(value) or value < 0.0:
            raise MassError(
                f"muscle '{muscle.getName()}' has a {what} of {value} m; expected a finite length, 0 or more"
            )
    if not 0.0 <= pennation < math.pi / 2:
        raise MassError(
            f"muscle '{muscle.getName()}' has a pennation angle at optimal fibre length of {pennation} rad; "
            "expected one from 0 to below pi/2"
        )
    return slack, optimal, optimal * math.cos(pennation)


LENGTHS = ("belly", "free_tendon_proximal", "free_tendon_distal")
"""Columns of lengths [m]; NaN for empty cells."""

TOLERANCE = 1e-3
"""Relative tolerance of the sum of three given lengths."""


def complete_belly(
    muscle: str, lengths: Sequence[float], source: str, default: MuscleArchitecture
) -> tuple[list[float], str, MuscleArchitecture]:
    """Return belly and tendon lengths [m] (NaN filled from ``default``), the lengths' source, and the architecture."""
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
    belly, proximal, distal = row = [max(length, 0.0) for length in (belly, proximal, distal)]
    slack = default.slack_length
    if proximal + distal > slack:  # by round-off: shorten the longer tendon
        longer = slack - min(proximal, distal)
        proximal, distal = (longer, distal) if proximal > distal else (proximal, longer)
    aponeurosis = max(slack - proximal - distal, 0.0)
    return row, source, MuscleArchitecture(aponeurosis, proximal, distal, default.fibre, source)


def _complete_lengths(
    default: MuscleArchitecture, belly: float, proximal: float, distal: float
) -> tuple[float, float, float]:
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
            f"{text} do not fit the muscle: expected a belly of {default.fibre:.6g} to {total:.6g} m, and free tendons "
            f"no longer than the slack length in all (slack length is {default.slack_length:.6g} m)"
        )


def _total_words(default: MuscleArchitecture) -> str:
    return f"slack length {default.slack_length:.6g} m + optimal fibre length along the path {default.fibre:.6g} m"

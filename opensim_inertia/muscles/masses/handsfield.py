"""Volumes of 35 lower-limb muscles from height and body mass, and their names in models.

Source: Handsfield, Meyer, Hart, Abel, Blemker (2014), "Relationships of 35 lower limb muscles to height and body mass
quantified using MRI", Journal of Biomechanics 47, 631-638. One limb's total is ``47 H M + 1285`` cm^3 (H [m], M [kg],
24 healthy young adults), and each muscle's volume is linear in this total (their supplementary tables).

The coefficients are public transcriptions, not read from the paper: slopes sum to 1.0006 and intercepts to -0.3 cm^3.
Other transcriptions agree for 29 muscles within 0.8 % at H M = 118 m kg; six small muscles have one transcription.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ..._core.errors import MassError, OptionError

VOLUMES: dict[str, tuple[float, float]] = {
    "gluteus maximus": (0.123, -25.4),
    "adductor magnus": (0.0793, -4.7),
    "gluteus medius": (0.0478, -16.9),
    "psoas": (0.055, -117.0),
    "iliacus": (0.0248, 0.383),
    "sartorius": (0.0256, -18.2),
    "adductor longus": (0.0259, -21.9),
    "gluteus minimus": (0.0129, 12.6),
    "adductor brevis": (0.0137, 6.2),
    "gracilis": (0.0138, 6.07),
    "pectineus": (0.0107, -9.94),
    "tensor fasciae latae": (0.0136, -31.5),
    "obturator externus": (0.00349, 28.3),
    "piriformis": (0.00372, 16.2),
    "quadratus femoris": (0.00475, -1.45),
    "obturator internus": (0.00252, 8.68),
    "small external rotators": (0.00172, 3.85),
    "vastus lateralis": (0.125, -55.7),
    "vastus medialis": (0.0631, -16.3),
    "vastus intermedius": (0.0273, 76.5),
    "rectus femoris": (0.0371, 4.97),
    "semimembranosus": (0.0319, 18.2),
    "biceps femoris long head": (0.0256, 24.3),
    "semitendinosus": (0.0285, -16.8),
    "biceps femoris short head": (0.016, -13.8),
    "popliteus": (0.00298, 2.11),
    "soleus": (0.0507, 78.2),
    "medial gastrocnemius": (0.0348, 9.42),
    "lateral gastrocnemius": (0.0199, 8.21),
    "tibialis anterior": (0.0161, 20.3),
    "peroneals": (0.0194, -7.43),
    "tibialis posterior": (0.0104, 30.8),
    "long toe extensors": (0.0132, 8.7),
    "flexor hallucis longus": (0.0137, -18.9),
    "flexor digitorum longus": (0.00259, 11.6),
}
"""Slope [1] and intercept [cm^3] of each muscle's volume over one limb's total volume [cm^3]."""

MEASURED_TOGETHER = {
    "peroneus longus": "peroneals",
    "peroneus brevis": "peroneals",
    "extensor digitorum longus": "long toe extensors",
    "extensor hallucis longus": "long toe extensors",
    # a part of the long toe extensor, not one of the two measured peroneals
    "peroneus tertius": "long toe extensors",
}


def limb_volume(height: float, body_mass: float) -> float:
    """Return the muscle volume [cm^3] of a lower limb, from height [m] and body mass [kg]."""
    if not 0.5 <= height <= 2.5:
        raise OptionError("height", height, "the person's height in metres, from 0.5 to 2.5")
    if not 10.0 <= body_mass <= 400.0:
        raise OptionError("body_mass", body_mass, "the person's mass in kg, from 10 to 400")
    return 47.0 * height * body_mass + 1285.0


def muscle_volume(muscle: str, total: float) -> float:
    """Return a muscle's volume [cm^3] in a limb with muscle volume ``total`` [cm^3]."""
    slope, intercept = VOLUMES[muscle]
    volume = slope * total + intercept
    if not volume > 0.0:
        raise MassError(
            f"the regression of Handsfield 2014 gives '{muscle}' {volume:.4g} cm3 in a limb of {total:.5g} cm3"
        )
    return volume


_HAMSTRINGS = ("semimembranosus", "semitendinosus", "biceps femoris long head")
_VASTI = ("vastus lateralis", "vastus medialis", "vastus intermedius")
_GASTROCNEMII = ("medial gastrocnemius", "lateral gastrocnemius")
_ILIOPSOAS = ("psoas", "iliacus")
_FAMILIES = (_HAMSTRINGS, _VASTI, _GASTROCNEMII, _ILIOPSOAS)

#: Anatomical names by stems of model names: ``vas_lat_r`` is the vastus lateralis.
_STEMS: dict[str, tuple[str, ...]] = {
    # names of Gait2392, Gait10dof18musc and the Leg models, then those of Rajagopal2016
    **dict.fromkeys(("glut_max", "glmax"), ("gluteus maximus",)),
    **dict.fromkeys(("glut_med", "glmed"), ("gluteus medius",)),
    **dict.fromkeys(("glut_min", "glmin"), ("gluteus minimus",)),
    **dict.fromkeys(("add_mag", "addmag"), ("adductor magnus",)),
    **dict.fromkeys(("add_long", "addlong"), ("adductor longus",)),
    **dict.fromkeys(("add_brev", "addbrev"), ("adductor brevis",)),
    **dict.fromkeys(("sar", "sart"), ("sartorius",)),
    **dict.fromkeys(("peri", "piri"), ("piriformis",)),
    **dict.fromkeys(("quad_fem", "quadfem"), ("quadratus femoris",)),
    **dict.fromkeys(("gem", "gemelli"), ("small external rotators",)),
    **dict.fromkeys(("rect_fem", "recfem"), ("rectus femoris",)),
    **dict.fromkeys(("vas_lat", "vaslat"), ("vastus lateralis",)),
    **dict.fromkeys(("vas_med", "vasmed"), ("vastus medialis",)),
    **dict.fromkeys(("vas_int", "vasint"), ("vastus intermedius",)),
    **dict.fromkeys(("bifemlh", "bflh"), ("biceps femoris long head",)),
    **dict.fromkeys(("bifemsh", "bfsh"), ("biceps femoris short head",)),
    **dict.fromkeys(("med_gas", "gasmed"), ("medial gastrocnemius",)),
    **dict.fromkeys(("lat_gas", "gaslat"), ("lateral gastrocnemius",)),
    **dict.fromkeys(("tib_ant", "tibant"), ("tibialis anterior",)),
    **dict.fromkeys(("tib_post", "tibpost"), ("tibialis posterior",)),
    **dict.fromkeys(("per_brev", "perbrev"), ("peroneus brevis",)),
    **dict.fromkeys(("per_long", "perlong"), ("peroneus longus",)),
    **dict.fromkeys(("per_tert", "pertert"), ("peroneus tertius",)),
    **dict.fromkeys(("ext_dig", "edl"), ("extensor digitorum longus",)),
    **dict.fromkeys(("ext_hal", "ehl"), ("extensor hallucis longus",)),
    **dict.fromkeys(("flex_hal", "fhl"), ("flexor hallucis longus",)),
    **dict.fromkeys(("flex_dig", "fdl"), ("flexor digitorum longus",)),
    "semimem": ("semimembranosus",),
    "semiten": ("semitendinosus",),
    "grac": ("gracilis",),
    "pect": ("pectineus",),
    "tfl": ("tensor fasciae latae",),
    "psoas": ("psoas",),
    "iliacus": ("iliacus",),
    "popliteus": ("popliteus",),
    "soleus": ("soleus",),
    "hamstrings": _HAMSTRINGS,
    "vasti": _VASTI,
    "gastroc": _GASTROCNEMII,
    "iliopsoas": _ILIOPSOAS,
}

_SIDE = re.compile(r"^(?:(?P<prefix>[rl])_)?(?P<stem>.*?)(?:_(?P<suffix>r|l|right|left))?$", re.IGNORECASE)
_COMPARTMENT = re.compile(r"(?:_?\d+|dist|isch|mid|prox)$")


def side_of(muscle: str) -> str:
    """Return the side of a muscle's name: ``"r"``, ``"l"`` or ``""``."""
    return _split(muscle)[1]


def anatomical_names(muscles: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return anatomical names by model muscle; one that models a family, such as hamstrings, gets all names of it."""
    stems = {name: _split(name)[0] for name in muscles}
    by_name = {name: _STEMS.get(stem) or _STEMS.get(_COMPARTMENT.sub("", stem), ()) for name, stem in stems.items()}
    for side in {side_of(name) for name in by_name}:
        for family in _FAMILIES:
            members = [n for n, muscle in by_name.items() if side_of(n) == side and set(muscle) & set(family)]
            if len(members) == 1:
                by_name[members[0]] = family
    return by_name


@lru_cache(maxsize=4096)  # estimates, tables and models use the same names
def _split(name: str) -> tuple[str, str]:
    match = _SIDE.match(name)
    if match is None:
        return name.lower(), ""
    return match["stem"].lower(), (match["suffix"] or match["prefix"] or "")[:1].lower()

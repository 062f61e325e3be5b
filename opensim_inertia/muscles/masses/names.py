"""The anatomical names, in published tables, of a lower limb's muscles: ``vas_lat_r`` is the vastus lateralis."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

__all__ = ["anatomical_names", "side_of"]

_HAMSTRINGS = ("semimembranosus", "semitendinosus", "biceps femoris long head")
_VASTI = ("vastus lateralis", "vastus medialis", "vastus intermedius")
_GASTROCNEMII = ("medial gastrocnemius", "lateral gastrocnemius")
_ILIOPSOAS = ("psoas", "iliacus")
_FAMILIES = (_HAMSTRINGS, _VASTI, _GASTROCNEMII, _ILIOPSOAS)

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
    """Return ``"r"``, ``"l"`` or ``""``, from the suffix or prefix of a muscle's name."""
    return _split(muscle)[1]


def anatomical_names(muscles: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the muscles of the lower limb that each muscle of a model stands for; ``()`` where there is none.

    A single member of a family on a side (hamstrings, vasti, gastrocnemii, iliopsoas) stands for all of it, as in
    nine-muscle leg models, whose ``vas_int_r`` has the strength of three vasti.
    """
    by_name = {name: _listed_muscles(name) for name in muscles}
    for side in {side_of(name) for name in by_name}:
        for family in _FAMILIES:
            members = [n for n, muscle in by_name.items() if side_of(n) == side and set(muscle) & set(family)]
            if len(members) == 1:
                by_name[members[0]] = family
    return by_name


def _listed_muscles(name: str) -> tuple[str, ...]:
    stem = _split(name)[0]
    return _STEMS.get(stem) or _STEMS.get(_COMPARTMENT.sub("", stem), ())


@lru_cache(maxsize=4096)  # estimates, tables and models ask of the same names
def _split(name: str) -> tuple[str, str]:
    match = _SIDE.match(name)
    if match is None:
        return name.lower(), ""
    return match["stem"].lower(), (match["suffix"] or match["prefix"] or "")[:1].lower()

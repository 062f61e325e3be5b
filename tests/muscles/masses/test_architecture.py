"""Belly and free tendons: the table against other transcriptions and dissections, the rule on every real model."""

import math
from collections.abc import Callable
from typing import Any

import opensim as osim
import pytest
from conftest import model_path

from opensim_inertia.errors import MassError, UnknownNameError
from opensim_inertia.muscles.masses.architecture import (
    LEAST_FREE,
    OTHERS,
    WARD,
    default_architecture,
    fibre_fraction,
)
from opensim_inertia.muscles.masses.donors import (
    Stretch,
    light_segments,
    read_stretches,
    stretches_text,
)
from opensim_inertia.muscles.masses.handsfield import anatomical_names

Rods = Callable[..., Any]
# Fascicle length over muscle length of dissected hamstrings: Kellis et al. 2012, other cadavers. Theirs are not
# normalised to a sarcomere length, and differ by what cadavers differ.
KELLIS = {
    "biceps femoris long head": 0.27,
    "biceps femoris short head": 0.50,
    "semimembranosus": 0.22,
    "semitendinosus": 0.58,
}
CADAVERS = 0.08
# Muscles that Rajagopal2016 divides have fibre lengths of their own (gluteus medius 7.30 cm instead of 7.33).
COMPARTMENTS = {"gluteus maximus", "gluteus medius", "adductor magnus"}
# The model file prints five digits.
PRINTED = 5e-4


def rajagopal() -> Any:
    return osim.Model(str(model_path("Models/Rajagopal/Rajagopal2016.osim")))


def test_fibre_lengths_are_those_of_the_model_that_took_them_from_the_same_table() -> None:
    model = rajagopal()
    muscles = [m.getName() for m in model.getMuscles()]
    compared = set()
    for name, known in anatomical_names(muscles).items():
        for muscle in set(known) & set(WARD) - COMPARTMENTS:
            fibre = model.getMuscles().get(name).getOptimalFiberLength()
            assert fibre == pytest.approx(0.01 * WARD[muscle][1], rel=PRINTED), name
            compared.add(muscle)
    assert compared == set(WARD) - COMPARTMENTS


def test_ratios_agree_with_other_dissections() -> None:
    for muscle, ratio in KELLIS.items():
        assert fibre_fraction([muscle]) == pytest.approx(ratio, abs=CADAVERS), muscle
    # as quoted of Ward et al. 2009
    quoted = {"soleus": 0.11, "medial gastrocnemius": 0.19, "tibialis anterior": 0.27, "rectus femoris": 0.22}
    for muscle, ratio in {**quoted, "lateral gastrocnemius": 0.27, "vastus lateralis": 0.36, "sartorius": 0.9}.items():
        assert fibre_fraction([muscle]) == pytest.approx(ratio, abs=0.011), muscle


def test_families_have_a_mean_between_their_members() -> None:
    medial, lateral = fibre_fraction(["medial gastrocnemius"]), fibre_fraction(["lateral gastrocnemius"])
    both = fibre_fraction(["medial gastrocnemius", "lateral gastrocnemius"])
    assert medial is not None and lateral is not None and both is not None
    # 247 and 144 cm^3 by the regression of Handsfield 2014 on H M = 118 m kg
    weight = (1.71 * 118 + 46.2) / ((1.71 * 118 + 46.2) + (1.08 * 118 + 15.7))
    assert both == pytest.approx(weight * medial + (1 - weight) * lateral, rel=2e-3)
    assert fibre_fraction(["gluteus minimus", "soleus"]) == fibre_fraction(["soleus"])
    assert fibre_fraction([]) is fibre_fraction(["gluteus minimus"]) is None


def test_every_muscle_of_every_model_has_a_belly_that_fits(real: tuple[str, Any]) -> None:
    _, model = real
    names = [m.getName() for m in model.getMuscles()]
    known = anatomical_names(names)
    architectures = default_architecture(model)
    assert list(architectures) == names
    for name, parts in architectures.items():
        muscle = model.getMuscles().get(name)
        slack, optimal = muscle.getTendonSlackLength(), muscle.getOptimalFiberLength()
        along = optimal * math.cos(muscle.getPennationAngleAtOptimalFiberLength())
        assert parts.free_tendon_proximal + parts.free_tendon_distal + parts.aponeurosis == pytest.approx(
            slack, rel=1e-15
        )
        assert parts.slack_length == pytest.approx(slack, rel=1e-15)
        assert parts.fibre == pytest.approx(along, rel=1e-15) and parts.belly == parts.aponeurosis + parts.fibre
        assert parts.free_tendon_proximal == 0.0 and "distal" in parts.source
        ratio = fibre_fraction(known[name])
        if ratio is None:
            assert parts.aponeurosis == OTHERS * slack and "not in the table" in parts.source
            continue
        assert 0.0 <= parts.aponeurosis <= (1 - LEAST_FREE) * slack
        assert "Ward 2009 (transcribed, not read from the paper)" in parts.source
        uncut = optimal / ratio
        if uncut - along <= (1 - LEAST_FREE) * slack:
            assert parts.belly == pytest.approx(uncut, rel=1e-14) and "cut" not in parts.source
        else:
            assert parts.belly < uncut and "cut" in parts.source
            assert parts.free_tendon == pytest.approx(LEAST_FREE * slack, rel=1e-12)


def test_the_calf_and_the_shin_by_hand() -> None:
    architectures = default_architecture(rajagopal(), ["soleus_r", "tibant_r"])
    # soleus: slack length 27.7 cm, a belly of 40.5 cm does not fit: 85 % of it is aponeurosis
    soleus = architectures["soleus_r"]
    assert soleus.free_tendon_distal == pytest.approx(0.15 * 0.277, abs=2e-4)
    assert soleus.belly == pytest.approx(0.85 * 0.277 + 0.044 * math.cos(math.radians(21.9)), abs=5e-4)
    # tibialis anterior: what was dissected fits
    assert architectures["tibant_r"].belly == pytest.approx(0.2598, abs=1e-4)


def test_only_the_muscles_asked_for_but_the_model_decides_about_families(opensim_models: Any) -> None:
    model = osim.Model(str(opensim_models / "Models" / "Leg6Dof9Musc" / "leg6dof9musc.osim"))
    architectures = default_architecture(model, ["vas_int_r"])
    assert list(architectures) == ["vas_int_r"]
    assert "vastus lateralis" in architectures["vas_int_r"].source, "alone on its side, it stands for all vasti"
    with pytest.raises(UnknownNameError, match="'vas_int_r'"):
        default_architecture(model, ["vas_in_r"])


def test_without_slack_there_is_no_aponeurosis(rods: Rods) -> None:
    model = rods()
    muscle = model.getMuscles().get("mus")
    muscle.setTendonSlackLength(0.0)
    assert default_architecture(model)["mus"].belly == 0.12
    muscle.setName("soleus_r")
    soleus = default_architecture(model)["soleus_r"]
    assert (soleus.aponeurosis, soleus.free_tendon, soleus.belly) == (0.0, 0.0, 0.12)


@pytest.mark.parametrize(
    ("setter", "value", "named"),
    [
        ("setTendonSlackLength", math.nan, "tendon slack length of nan"),
        ("setTendonSlackLength", -0.1, "tendon slack length of -0.1"),
        ("setTendonSlackLength", math.inf, "tendon slack length of inf"),
        ("setOptimalFiberLength", math.nan, "optimal fibre length of nan"),
        ("setOptimalFiberLength", -1.0, "optimal fibre length of -1"),
        ("setPennationAngleAtOptimalFiberLength", 1.6, "pennation angle .* 1.6 rad"),
        ("setPennationAngleAtOptimalFiberLength", math.nan, "pennation angle .* nan rad"),
    ],
)
def test_impossible_muscles_are_named(setter: str, value: float, named: str, rods: Rods) -> None:
    model = rods()
    getattr(model.getMuscles().get("mus"), setter)(value)
    with pytest.raises(MassError, match=f"'mus'.*{named}"):
        default_architecture(model)


ROUNDING = 1e-15


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("", ()),
        ("  ", ()),
        ("pelvis", (Stretch("pelvis", 0.0, 1.0),)),
        ("calcn+toes", (Stretch("calcn+toes", 0.0, 1.0),)),
        ("0.25 pelvis + 0.75 femur_r", (Stretch("pelvis", 0.0, 0.25), Stretch("femur_r", 0.25, 1.0))),
        (" 0,5 a +  .5 b ", (Stretch("a", 0.0, 0.5), Stretch("b", 0.5, 1.0))),
        ("0.2 a + 0.6 b + 0.2 a", (Stretch("a", 0.0, 0.2), Stretch("b", 0.2, 0.8), Stretch("a", 0.8, 1.0))),
    ],
)
def test_what_a_cell_says(text: str, stretches: tuple[Stretch, ...]) -> None:
    read = read_stretches(text, "mus")
    assert [s.segment for s in read] == [s.segment for s in stretches]
    for mine, theirs in zip(read, stretches, strict=True):
        assert mine.window == pytest.approx(theirs.window, abs=ROUNDING)


def test_rounded_shares_add_up_to_one() -> None:
    stretches = read_stretches("0.333 a + 0.333 b + 0.333 c")
    assert stretches[0].first == 0.0 and stretches[-1].last == 1.0
    assert [s.share for s in stretches] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("text", ["0.5 a + 0.4 b", "1.5 a + -0.5 b", "0 a + 1 b", "0.7 a", "1e400 a + 0 b"])
def test_shares_that_cannot_be(text: str) -> None:
    with pytest.raises(MassError, match="'mus'.*add up to 1"):
        read_stretches(text, "mus")


def test_what_is_written_is_read() -> None:
    assert stretches_text([("pelvis", 1.0)]) == "pelvis"
    assert stretches_text([("a", 1 / 3), ("b", 1 / 3), ("a", 1 / 3)]) == "0.334 a + 0.333 b + 0.333 a"
    assert stretches_text([("a", 0.3), ("a", 0.7)]) == "a"
    text = stretches_text([("a", 0.12345), ("b", 0.87655)])
    assert math.fsum(s.share for s in read_stretches(text)) == 1.0


def test_segments_lighter_than_their_muscles_are_named() -> None:
    rows = [{"segment": "scapula", "mass": 0.5, "muscles": 1.36}, {"segment": "humerus", "mass": 2.0, "muscles": 0.5}]
    assert light_segments(rows) == [
        "scapula: the model publishes 0.50 kg; muscles that lie in it weigh 1.36 kg: it was published without them, or "
        "the masses are too large"
    ]
    assert "publishes 0.0012 kg;" in light_segments([rows[0] | {"mass": 0.00123}])[0]

"""Belly and free tendons: the table against other transcriptions and dissections, the rule on every real model."""

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import opensim as osim
import pandas as pd
import pytest
from conftest import model_path
from oracles.mass_tables import LENGTHS

from opensim_inertia import InertialModel, estimate_masses
from opensim_inertia.errors import MassError, UnknownNameError
from opensim_inertia.muscles.masses.architecture import WARD, anatomical_names

Rods = Callable[..., Any]
# Fascicle length over muscle length of dissected hamstrings: Kellis et al. 2012, other cadavers. Theirs are not
# normalised to a sarcomere length, and differ by what cadavers differ.
KELLIS = {"bflh_r": 0.27, "bfsh_r": 0.50, "semimem_r": 0.22, "semiten_r": 0.58}
# As quoted of Ward et al. 2009.
QUOTED = {"soleus_r": 0.11, "gasmed_r": 0.19, "tibant_r": 0.27, "recfem_r": 0.22}
QUOTED |= {"gaslat_r": 0.27, "vaslat_r": 0.36, "sart_r": 0.9}
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


def ratio(source: str) -> float | None:
    """The length of fibres over that of the muscle by which a belly was found."""
    found = re.search(r"fibre/belly (\S+),", source)
    return None if found is None else float(found[1])


def test_ratios_agree_with_other_dissections_and_families_have_means(opensim_models: Path) -> None:
    sources = estimate_masses(rajagopal()).set_index("muscle")["belly_source"]
    for known, margin in ((KELLIS, CADAVERS), (QUOTED, 0.011)):
        for muscle, expected in known.items():
            assert ratio(sources[muscle]) == pytest.approx(expected, abs=margin), muscle
    # 247 and 144 cm^3 by the regression of Handsfield 2014 on H M = 118 m kg
    weight = (1.71 * 118 + 46.2) / ((1.71 * 118 + 46.2) + (1.08 * 118 + 15.7))
    mean = weight * ratio(sources["gasmed_r"]) + (1 - weight) * ratio(sources["gaslat_r"])
    lumped = estimate_masses(opensim_models / "Models/Gait10dof18musc/gait10dof18musc.osim").set_index("muscle")
    assert ratio(lumped.loc["gastroc_r", "belly_source"]) == pytest.approx(mean, rel=2e-3)


def test_every_muscle_of_every_model_has_a_belly_that_fits(real: tuple[str, Any]) -> None:
    _, model = real
    for name, *lengths, source in estimate_masses(model)[["muscle", *LENGTHS, "belly_source"]].itertuples(index=False):
        belly, proximal, distal = lengths
        muscle = model.getMuscles().get(name)
        slack, optimal = muscle.getTendonSlackLength(), muscle.getOptimalFiberLength()
        along = optimal * math.cos(muscle.getPennationAngleAtOptimalFiberLength())
        assert belly + proximal + distal == pytest.approx(slack + along, rel=1e-14)
        assert proximal == 0.0 and "distal" in source
        aponeurosis, fraction = belly - along, ratio(source)
        if fraction is None:
            assert aponeurosis == pytest.approx(0.5 * slack, rel=1e-12) and "not in the table" in source
            continue
        assert -1e-12 <= aponeurosis <= 0.85 * slack * (1 + 1e-12)
        assert "Ward 2009 (transcribed, not read from the paper)" in source
        if "cut" in source:
            assert belly < optimal / fraction and distal == pytest.approx(0.15 * slack, rel=1e-12)
        else:
            assert belly == pytest.approx(optimal / fraction, rel=1e-3)


def test_the_calf_and_the_shin_by_hand() -> None:
    table = estimate_masses(rajagopal(), muscles=["soleus_r", "tibant_r"]).set_index("muscle")
    # soleus: slack length 27.7 cm, a belly of 40.5 cm does not fit: 85 % of it is aponeurosis
    assert table.loc["soleus_r", "free_tendon_distal"] == pytest.approx(0.15 * 0.277, abs=2e-4)
    soleus = 0.85 * 0.277 + 0.044 * math.cos(math.radians(21.9))
    assert table.loc["soleus_r", "belly"] == pytest.approx(soleus, abs=5e-4)
    # tibialis anterior: what was dissected fits
    assert table.loc["tibant_r", "belly"] == pytest.approx(0.2598, abs=1e-4)


def test_the_model_decides_about_families_whatever_is_asked_for(opensim_models: Path) -> None:
    model = opensim_models / "Models/Leg6Dof9Musc/leg6dof9musc.osim"
    table = estimate_masses(model, muscles="vas_int_r")
    assert table["muscle"].tolist() == ["vas_int_r"]
    assert "vastus lateralis" in table.loc[0, "belly_source"], "alone on its side, it stands for all vasti"
    with pytest.raises(UnknownNameError, match="'vas_int_r'"):
        estimate_masses(model, muscles="vas_in_r")


def test_without_slack_there_is_no_aponeurosis(rods: Rods) -> None:
    model = rods()
    muscle = model.getMuscles().get("mus")
    muscle.setTendonSlackLength(0.0)
    assert estimate_masses(model).loc[0, list(LENGTHS)].tolist() == [0.12, 0.0, 0.0]
    muscle.setName("soleus_r")
    assert estimate_masses(model).loc[0, list(LENGTHS)].tolist() == [0.12, 0.0, 0.0]


@pytest.mark.parametrize(
    ("setter", "value", "named"),
    [
        ("setTendonSlackLength", math.nan, "tendon slack length of nan"),
        ("setTendonSlackLength", -0.1, "tendon slack length of -0.1"),
        ("setTendonSlackLength", math.inf, "tendon slack length of inf"),
        ("setOptimalFiberLength", math.nan, "optimal fibre length of nan"),
        ("setPennationAngleAtOptimalFiberLength", math.nan, "pennation angle .* nan rad"),
    ],
)
def test_impossible_muscles_are_named(setter: str, value: float, named: str, rods: Rods) -> None:
    model = rods()
    getattr(model.getMuscles().get("mus"), setter)(value)
    with pytest.raises(MassError, match=f"'mus'.*{named}"):
        estimate_masses(model, table={"mus": 0.1})


@pytest.mark.parametrize(
    ("text", "stretches"),
    [
        ("", ()),
        ("  ", ()),
        ("rod0", (("rod0", 0.0, 1.0),)),
        ("0.25 rod0 + 0.75 rod1", (("rod0", 0.0, 0.25), ("rod1", 0.25, 1.0))),
        (" 0,5 rod0 +  .5 rod1 ", (("rod0", 0.0, 0.5), ("rod1", 0.5, 1.0))),
        ("0.2 rod0 + 0.6 rod1 + 0.2 rod0", (("rod0", 0.0, 0.2), ("rod1", 0.2, 0.8), ("rod0", 0.8, 1.0))),
        ("0.333 rod0 + 0.333 rod1 + 0.333 rod2", (("rod0", 0.0, 1 / 3), ("rod1", 1 / 3, 2 / 3), ("rod2", 2 / 3, 1.0))),
    ],
)
def test_cells_of_donor_segments(text: str, stretches: tuple[tuple[str, float, float], ...], rods: Rods) -> None:
    inertial = InertialModel(rods(), pd.DataFrame({"muscle": ["mus"], "mass": [0.1], "segment": [text]}))
    read = inertial.muscles.donors["mus"]
    assert [s.segment for s in read] == [segment for segment, _, _ in stretches]
    assert [x for s in read for x in s[1:]] == pytest.approx([x for s in stretches for x in s[1:]], abs=1e-15)


@pytest.mark.parametrize("text", ["0.5 a + 0.4 b", "1.5 a + -0.5 b", "0 a + 1 b", "0.7 a", "1e400 a + 0 b"])
def test_shares_that_cannot_be(text: str, rods: Rods) -> None:
    with pytest.raises(MassError, match="'mus'.*add up to 1"):
        estimate_masses(rods(), table=pd.DataFrame({"muscle": ["mus"], "mass": [0.1], "segment": [text]}))

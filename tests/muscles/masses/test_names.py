"""Names of muscles: sides, compartments, families, and the muscles that one published table lumps and another not."""

import pytest

from opensim_inertia.muscles.masses.handsfield import anatomical_names, claims, side_of


@pytest.mark.parametrize(
    ("name", "side"), [("soleus_r", "r"), ("soleus_l", "l"), ("r_soleus", "r"), ("soleus", ""), ("TRIlong", "")]
)
def test_side(name: str, side: str) -> None:
    assert side_of(name) == side


def test_one_parser_serves_both_tables() -> None:
    by_muscle = anatomical_names(
        ["per_long_r", "perbrev_r", "edl_r", "ext_hal_l", "per_tert_r", "glmax2_l", "ercspn_r"]
    )
    assert by_muscle == {
        "per_long_r": ("peroneus longus",),
        "perbrev_r": ("peroneus brevis",),
        "edl_r": ("extensor digitorum longus",),
        "ext_hal_l": ("extensor hallucis longus",),
        "per_tert_r": ("peroneus tertius",),
        "glmax2_l": ("gluteus maximus",),
        "ercspn_r": (),
    }
    lumped = claims(by_muscle)
    assert lumped["per_long_r"] == lumped["perbrev_r"] == ("peroneals",)
    assert lumped["edl_r"] == lumped["ext_hal_l"] == lumped["per_tert_r"] == ("long toe extensors",)
    assert lumped["glmax2_l"] == ("gluteus maximus",) and lumped["ercspn_r"] == ()

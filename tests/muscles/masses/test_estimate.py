"""Estimated masses against OpenSim's own getters, hand sums and published totals."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pytest
from oracles.mass_tables import COLUMNS

from opensim_inertia import estimate_masses, write_masses
from opensim_inertia.errors import MassError, OptionError, UnknownNameError
from opensim_inertia.options import Handsfield, SpecificTension

Rods = Callable[..., Any]
# sources print twelve digits
PRINTED = 1e-10


def test_specific_tension_is_the_formula_of_the_probes(real: tuple[str, Any]) -> None:
    _, model = real
    table = estimate_masses(model)
    muscles = model.getMuscles()
    assert tuple(table.columns) == COLUMNS
    assert table["muscle"].tolist() == [muscles.get(i).getName() for i in range(muscles.getSize())]
    for muscle, mass, _, source, *_ in table.itertuples(index=False):
        owned = muscles.get(muscle)
        assert mass == pytest.approx(1059.7 * owned.getMaxIsometricForce() / 0.6e6 * owned.getOptimalFiberLength())
        said = re.fullmatch(r"(\S+) kg/m3 \* (\S+) N / (\S+) MPa \* (\S+) m", source)
        assert said is not None, source
        density, force, tension, fibre = map(float, said.groups())
        assert mass == pytest.approx(density * force / (tension * 1e6) * fibre, rel=PRINTED)
    assert table.attrs == {"method": "specific_tension", "not_covered": [], "unsupported": []}


def test_the_probe_of_opensim_gives_the_same_mass(rods: Rods) -> None:
    model = rods()
    probe = osim.Umberger2010MuscleMetabolicsProbe()
    model.addProbe(probe)
    probe.addMuscle("mus", 0.5)
    model.initSystem()
    assert estimate_masses(model, SpecificTension(0.25e6)).loc[0, "mass"] == pytest.approx(probe.getMuscleMass("mus"))


@pytest.mark.parametrize(
    ("name", "at_025", "at_06"),
    [("gait2392", 27.6, 11.5), ("rajagopal2016", 36.1, 15.0)],
    ids=["gait2392", "rajagopal"],
)
def test_totals_of_the_public_models(name: str, at_025: float, at_06: float, opensim_models: Path) -> None:
    path = {"gait2392": "Gait2392_Simbody/gait2392_thelen2003muscle", "rajagopal2016": "Rajagopal/Rajagopal2016"}[name]
    model = osim.Model(str(opensim_models / "Models" / f"{path}.osim"))
    assert estimate_masses(model)["mass"].sum() == pytest.approx(at_06, abs=0.05)
    assert estimate_masses(model, SpecificTension(0.25e6))["mass"].sum() == pytest.approx(at_025, abs=0.05)


def test_handsfield_shares_each_volume_among_its_compartments(gait2392: Any) -> None:
    table = estimate_masses(gait2392, Handsfield(1.75, body_mass=75.0)).set_index("muscle")
    muscles = gait2392.getMuscles()
    gluteus = [f"glut_max{i}_r" for i in (1, 2, 3)]
    total = 1059.7e-6 * (0.123 * 7453.75 - 25.4)
    assert table.loc[gluteus, "mass"].sum() == pytest.approx(total)
    strength = [muscles.get(m).getMaxIsometricForce() * muscles.get(m).getOptimalFiberLength() for m in gluteus]
    np.testing.assert_allclose(table.loc[gluteus, "mass"] / total, np.array(strength) / sum(strength))
    soleus = 1059.7e-6 * (0.0507 * 7453.75 + 78.2)
    assert table.loc["soleus_l", "mass"] == pytest.approx(soleus)
    assert "7453.75 cm3" in table.loc["soleus_l", "source"] and "soleus" in table.loc["soleus_l", "source"]
    # both limbs, less what this model has no muscle for
    obturators, popliteus = 0.00601 * 7453.75 + 36.98, 0.00298 * 7453.75 + 2.11
    volume = 7453.75 - obturators - popliteus
    assert table["mass"].sum() == pytest.approx(2 * 1059.7e-6 * volume, rel=1e-3)  # 35 slopes add up to 1.0006
    assert table.attrs["not_covered"] == [f"{m}_{side}" for m in ("ercspn", "intobl", "extobl") for side in "rl"]


def test_handsfield_takes_the_model_s_mass_only_if_it_is_a_whole_person(gait2392: Any, rods: Rods) -> None:
    mine = estimate_masses(gait2392, Handsfield(1.8))
    given = estimate_masses(gait2392, Handsfield(1.8, body_mass=75.1646))
    np.testing.assert_allclose(mine["mass"], given["mass"], rtol=1e-12)
    assert f"{47 * 1.8 * 75.1646 + 1285:.8g} cm3" in mine.loc[0, "source"]
    with pytest.raises(OptionError, match="body_mass"):
        estimate_masses(rods(), Handsfield(1.8))
    with pytest.raises(OptionError, match="height"):
        estimate_masses(gait2392, method="handsfield")
    with pytest.raises(MassError, match="mus"):
        estimate_masses(rods(), Handsfield(1.8, body_mass=75.0))


@pytest.mark.slow
def test_a_subset_by_name_and_pattern(gait2392: Any) -> None:
    whole = estimate_masses(gait2392).set_index("muscle")
    table = estimate_masses(gait2392, muscles=["vas_*_r", "soleus_l"])
    assert table["muscle"].tolist() == ["vas_med_r", "vas_int_r", "vas_lat_r", "soleus_l"]
    assert table["mass"].tolist() == whole.loc[table["muscle"], "mass"].tolist()
    assert estimate_masses(gait2392, muscles="soleus_r")["muscle"].tolist() == ["soleus_r"]
    with pytest.raises(UnknownNameError, match="'soleus_r'"):
        estimate_masses(gait2392, muscles=["solues_r"])
    with pytest.raises(UnknownNameError):
        estimate_masses(gait2392, muscles="nothing_*")
    # a compartment asked for alone does not get its neighbours' share
    method = Handsfield(1.75, body_mass=75.0)
    alone = estimate_masses(gait2392, muscles="glut_max1_r", method=method)
    everyone = estimate_masses(gait2392, method).set_index("muscle")
    assert alone.loc[0, "mass"] == everyone.loc["glut_max1_r", "mass"]


def test_your_own_table(gait2392: Any, tmp_path: Path) -> None:
    table = estimate_masses(gait2392, table={"soleus_r": 0.5, "tib_ant_r": 0.2})
    assert table["muscle"].tolist() == ["soleus_r", "tib_ant_r"]
    assert table["segment"].tolist() == ["tibia_r", "tibia_r"]
    assert len(table.attrs["not_covered"]) == 90
    write_masses(table, tmp_path / "m.csv")
    again = estimate_masses(gait2392, table=tmp_path / "m.csv", muscles="tib_*")
    assert again[list(COLUMNS)].iloc[0].tolist() == table.iloc[1].tolist()
    assert again.attrs["not_covered"] == ["tib_post_r", "tib_post_l", "tib_ant_l"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"method": "specifictension"}, "'specific_tension'"),
        ({"method": "handsfield"}, "height"),
        ({"method": "table"}, "table"),
        ({"method": "handsfield", "table": {"mus": 1.0}}, "table"),
    ],
)
def test_bad_options_say_what_is_expected(options: dict[str, Any], named: str, rods: Rods) -> None:
    with pytest.raises(OptionError, match=named):
        estimate_masses(rods(), **options)


@pytest.mark.parametrize(
    ("tension", "named"),
    [
        (0.6, "0.6 Pa is none of a muscle; did you mean '0.6 MPa'"),
        ("600000 MPa", "did you mean '600000 Pa'"),
        (250.0, "did you mean '250 kPa'"),
        (1e12, "1e.12 Pa is none of a muscle$"),
        ("-0.6 MPa", "none of a muscle$"),
        ("0.6 mPa", "without a unit is in Pa"),
        ("high", "without a unit is in Pa"),
        (True, "without a unit is in Pa"),
        (float("nan"), r"SpecificTension\(tension=nan"),
    ],
)
def test_bad_tensions_say_what_is_expected(tension: object, named: str) -> None:
    with pytest.raises(OptionError, match=named):
        SpecificTension(tension)


def test_bad_densities_say_what_is_expected() -> None:
    for kind, given in ((SpecificTension, {}), (Handsfield, {"height": 1.8})):
        with pytest.raises(OptionError, match=r"density=1.06: .*kg/m"):
            kind(density=1.06, **given)


@pytest.mark.parametrize("same", ["0.5 MPa", "0.5MPa", " 500 kPa", "5e5 Pa", 500_000, 0.5e6])
def test_one_stress_in_every_unit(same: str | float, rods: Rods) -> None:
    assert estimate_masses(rods(), SpecificTension(same)).equals(estimate_masses(rods(), SpecificTension("500000 Pa")))


def test_a_muscle_without_strength_has_no_mass_and_a_negative_one_is_refused(rods: Rods) -> None:
    model = rods()
    muscle = model.getMuscles().get("mus")
    muscle.setMaxIsometricForce(0.0)
    assert estimate_masses(model).loc[0, "mass"] == 0.0
    for force in (-5.0, float("nan"), float("inf")):
        muscle.setMaxIsometricForce(force)
        with pytest.raises(MassError, match="'mus'"):
            estimate_masses(model)

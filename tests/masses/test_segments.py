"""What segments give up: mass conserved, inertias physical, refusals that name the segment and the muscles."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from opensim_inertia._opensim import osim
from opensim_inertia.errors import SegmentMassError
from opensim_inertia.masses import estimate_masses, give_up
from opensim_inertia.masses.segments import inertia_problem
from opensim_inertia.masses.table import new_table

Rods = Callable[..., Any]
# one rounding per body
ULPS = 1e-15


def properties(model: Any) -> dict[str, np.ndarray]:
    """Mass, centre of mass and the six inertia entries of each body, (10,)."""
    bodies = [model.getBodySet().get(i) for i in range(model.getBodySet().getSize())]
    return {
        b.getName(): np.array(
            [b.getMass(), *(b.getMassCenter().get(i) for i in range(3)), *(b.get_inertia().get(i) for i in range(6))]
        )
        for b in bodies
    }


def test_a_segment_shrinks_in_proportion(rods: Rods) -> None:
    model = rods()
    before = properties(model)
    fractions = give_up(model, new_table(["mus"], [0.5], ["rod1"], [""]))
    after = properties(model)
    assert fractions == {"rod1": 0.5}
    factor = np.array([0.5, 1, 1, 1, *[0.5] * 6])
    np.testing.assert_allclose(after["rod1"], before["rod1"] * factor, rtol=ULPS)
    for other in ("rod0", "rod2"):
        np.testing.assert_array_equal(after[other], before[other])
    state = model.initSystem()
    assert model.getTotalMass(state) == 3.5


def test_the_multibody_system_follows(rods: Rods) -> None:
    # the last rod about its own joint: Izz + m 0.25^2, halved
    model = rods()
    give_up(model, new_table(["mus"], [0.5], ["rod2"], [""]))
    state = model.initSystem()
    mass_matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, mass_matrix)
    assert mass_matrix.get(2, 2) == pytest.approx(0.5 * (0.02 + 0.25**2))


@pytest.mark.parametrize("table", [{}, {"mus": 0.0}])
def test_massless_muscles_leave_every_bit(table: dict[str, float], rods: Rods) -> None:
    model = rods()
    before = properties(model)
    assert give_up(model, table) == {}
    for name, values in properties(model).items():
        assert values.tobytes() == before[name].tobytes()


def test_default_masses_can_be_given_up_by_every_model(real: tuple[str, Any]) -> None:
    name, model = real
    table = estimate_masses(model)
    before = properties(model)
    total = sum(p[0] for p in before.values())
    fractions = give_up(model, table)
    after = properties(model)
    assert set(fractions) == set(table["segment"])
    assert max(fractions.values()) < 0.5, f"{name}: {fractions}"
    assert sum(p[0] for p in after.values()) + table["mass"].sum() == pytest.approx(total, rel=1e-14)
    for body, values in after.items():
        paid = table.loc[table["segment"] == body, "mass"].sum()
        assert values[0] == pytest.approx(before[body][0] - paid, rel=1e-14)
        if before[body][0] > 0 and inertia_problem(before[body][4:]) is None:
            assert inertia_problem(values[4:]) is None
    state = model.initSystem()
    assert model.getTotalMass(state) == pytest.approx(total - table["mass"].sum(), rel=1e-14)


def test_too_much_is_refused_and_nothing_has_changed(gait2392: Any) -> None:
    table = estimate_masses(gait2392, specific_tension=0.1e6)
    before = properties(gait2392)
    asked = table.groupby("segment")["mass"].sum()
    with pytest.raises(SegmentMassError, match="tibia_r.*'tib_ant_r'.*'femur_r'") as error:
        give_up(gait2392, table[table["muscle"].str.endswith("_r")])
    assert error.value.segment == "tibia_r", "the one that lacks most for its mass"
    assert error.value.available == pytest.approx(3.7075)
    assert error.value.asked == pytest.approx(asked["tibia_r"])
    for name, values in properties(gait2392).items():
        np.testing.assert_array_equal(values, before[name])


@pytest.mark.parametrize("mass", [1.0, 1.5])
def test_all_of_a_segment_is_too_much(mass: float, rods: Rods) -> None:
    with pytest.raises(SegmentMassError, match="'rod1' has 1 kg.*'mus'"):
        give_up(rods(), new_table(["mus"], [mass], ["rod1"], [""]))


def test_a_segment_without_mass_cannot_pay(rods: Rods) -> None:
    with pytest.raises(SegmentMassError, match="rod1"):
        give_up(rods(masses=(1.0, 0.0, 1.0)), new_table(["mus"], [0.1], ["rod1"], [""]))


def test_inertias_that_were_never_physical_are_refused_only_if_asked(rods: Rods) -> None:
    table = new_table(["mus"], [0.1], ["rod1"], [""])
    model = rods()
    model.getBodySet().get("rod1").set_inertia(osim.Vec6(0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    model.finalizeFromProperties()
    with pytest.raises(SegmentMassError, match="rod1.*not that of a physical body"):
        give_up(model, table, strict=True)
    assert give_up(model, table) == {"rod1": 0.1}
    assert give_up(rods(), table, strict=True) == {"rod1": 0.1}


@pytest.mark.parametrize(
    ("inertia", "problem"),
    [
        ([1, 1, 1, 0, 0, 0], None),
        ([1, 1, 2, 0, 0, 0], None),  # a plate
        ([1, 1, 2.01, 0, 0, 0], "triangle"),
        ([1, 0, 1, 0, 0, 0], "smallest"),
        ([-1, 1, 1, 0, 0, 0], "smallest"),
        ([1, 1, 1, 0.9, 0.9, -0.9], "smallest"),
        ([1, 1, 1, 0.6, 0, 0], "triangle"),  # principal moments 0.4, 1, 1.6
        ([np.nan, 1, 1, 0, 0, 0], "finite"),
    ],
)
def test_physical_inertias(inertia: list[float], problem: str | None) -> None:
    found = inertia_problem(inertia)
    assert found is None if problem is None else found is not None and problem in found


def test_point_masses_on_a_sphere_are_physical_and_keep_so_when_scaled() -> None:
    random = np.random.default_rng(1)
    points = random.normal(size=(20, 3))
    tensor = sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in points)
    six = np.array([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])
    assert inertia_problem(six) is None
    assert inertia_problem(1e-12 * six) is None

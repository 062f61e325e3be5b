"""What segments give up: conserved or less dense, physical, derivatives, refusals that name segment and muscles."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.finite_differences import Array, derivative
from scipy.optimize import minimize

from opensim_inertia.errors import SegmentMassError
from opensim_inertia.muscles.masses.groups import take_from_segments
from opensim_inertia.muscles.masses.rigid import RigidMass, parameters
from opensim_inertia.muscles.masses.segments import (
    THINNEST,
    TRANSFERS,
    SegmentTransfer,
    inertia_problem,
    missing_moments,
    requested_masses,
)
from opensim_inertia.muscles.masses.table import new_table

SUM = 1e-12
"""Relative: the same numbers, added and taken away again."""
NEAREST = 1e-7
"""Relative to the published second moments: how far a search over Cholesky factors goes; measured 1e-8."""
SLOPE = 1e-8
"""Relative to the change: differences of fourth order over 1e-4 of it; measured 1e-10."""


def body(mass: float, center: tuple[float, float, float], extents: tuple[float, float, float], seed: int) -> RigidMass:
    """A body with these root mean square extents [m] along axes that point anywhere."""
    axes, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    covariance = mass * (axes * np.square(extents)) @ axes.T
    return RigidMass(mass, np.array(center), np.trace(covariance) * np.eye(3) - covariance)


SHANK = body(3.7, (0.01, -0.19, 0.005), (0.03, 0.11, 0.035), 0)
#: A segment like the shank whose principal moments are positive and break the triangle inequality.
_AXIS = np.linalg.eigh(SHANK.inertia)[1][:, 2]
IMPOSSIBLE = RigidMass(SHANK.mass, SHANK.center, SHANK.inertia + 0.01 * np.outer(_AXIS, _AXIS))
#: Muscles that fit into the shank, and ones that lie too far from its long axis, on one side, and on two.
MUSCLES = {
    "physical": body(1.2, (-0.01, -0.17, 0.01), (0.012, 0.03, 0.01), 1),
    "on one side": body(1.4, (-0.08, -0.10, 0.01), (0.02, 0.09, 0.02), 2),
    "wide": body(1.5, (-0.01, -0.16, 0.02), (0.055, 0.06, 0.058), 3),
}


def transfer(muscles: str, kind: str = "conserving") -> SegmentTransfer:
    return SegmentTransfer("shank", SHANK, MUSCLES[muscles].pseudo_inertia, kind)


def moments(rigid: RigidMass) -> tuple[float, Array, Array]:
    """Mass, first moment, and second moments about the body's origin."""
    covariance = 0.5 * np.trace(rigid.inertia) * np.eye(3) - rigid.inertia
    return rigid.mass, rigid.mass * rigid.center, covariance + rigid.mass * np.outer(rigid.center, rigid.center)


def test_which_are_projected() -> None:
    assert [transfer(name).is_projected for name in MUSCLES] == [False, True, True]
    assert not any(transfer(name, "proportional").is_projected for name in MUSCLES)


def test_what_is_left_and_the_muscles_are_the_segment() -> None:
    result = transfer("physical")
    for one, other, total in zip(moments(result.remainder), moments(MUSCLES["physical"]), moments(SHANK), strict=True):
        np.testing.assert_allclose(one + other, total, rtol=0, atol=SUM * np.abs(total).max())
    assert result.residual == 0.0
    np.testing.assert_array_equal(result.given_up, result.muscles)
    assert result.fraction == pytest.approx(1.2 / 3.7, rel=SUM)


@pytest.mark.parametrize("name", ["on one side", "wide"])
def test_a_projected_remainder_keeps_mass_and_centre(name: str) -> None:
    result = transfer(name)
    for one, other, total in list(zip(moments(result.remainder), moments(MUSCLES[name]), moments(SHANK), strict=True))[
        :2
    ]:
        np.testing.assert_allclose(one + other, total, rtol=0, atol=SUM * np.abs(total).max())
    assert result.lowest < result.remainder.mass * THINNEST**2


@pytest.mark.parametrize("name", ["on one side", "wide"])
def test_a_projected_remainder_is_the_nearest_above_the_floor(name: str) -> None:
    """Of all second moments F F^T + floor, that which a general minimiser finds nearest to what conservation asks."""
    result = transfer(name)
    left_mass, first, second = (a - b for a, b in zip(moments(SHANK), moments(MUSCLES[name]), strict=True))
    center = first / left_mass
    exact = second - left_mass * np.outer(center, center)
    thinnest = min(THINNEST**2, np.linalg.eigvalsh(SHANK.covariance)[0] / SHANK.mass)
    size = np.abs(SHANK.covariance).max()
    below = np.tril_indices(3)

    def candidate(numbers: Array) -> Array:
        factor = np.zeros((3, 3))
        factor[below] = numbers
        return size * factor @ factor.T + left_mass * thinnest * np.eye(3)

    def apart(numbers: Array) -> float:
        return float(np.sum(((candidate(numbers) - exact) / size) ** 2))

    starts = np.random.default_rng(4).normal(size=(4, 6)) * 0.5
    best = min(
        (minimize(apart, s, method="BFGS", options={"gtol": 1e-12, "maxiter": 2000}) for s in starts),
        key=lambda solution: solution.fun,
    )
    ours = result.remainder.covariance
    np.testing.assert_allclose(ours, candidate(best.x), rtol=0, atol=NEAREST * size)
    assert np.linalg.eigvalsh(ours)[0] == pytest.approx(left_mass * thinnest, rel=1e-9)
    assert result.residual == pytest.approx(np.linalg.norm(ours - exact) / np.linalg.norm(SHANK.covariance), rel=1e-9)
    assert result.residual > 1e-3
    remainder, given_up = result.remainder.pseudo_inertia, result.given_up
    np.testing.assert_allclose(remainder + given_up, SHANK.pseudo_inertia, rtol=0, atol=SUM * np.abs(remainder).max())


@pytest.mark.parametrize("name", MUSCLES)
@pytest.mark.parametrize("published", [SHANK, IMPOSSIBLE], ids=["shank", "impossible"])
def test_what_remainders_lack_is_what_single_ones_are_given(name: str, published: RigidMass) -> None:
    """Many at once, from none of the muscles to more than the segment has, against one by one."""
    muscles = MUSCLES[name].pseudo_inertia
    shares = np.linspace(0.0, 4.0, 34)
    missing, possible = missing_moments(
        published, parameters(published.pseudo_inertia - shares[:, None, None] * muscles).T
    )
    np.testing.assert_array_equal(possible, shares * MUSCLES[name].mass < published.mass)
    assert missing[:, possible].any() and not missing[:, ~possible].any()
    whole = np.abs(published.covariance).max()
    for share, added in zip(shares[possible], missing.T[possible], strict=True):
        one = SegmentTransfer("shank", published, share * muscles, "conserving")
        exact = published.pseudo_inertia - share * muscles
        expected = parameters(one.remainder.pseudo_inertia - exact)[4:] if one.is_projected else np.zeros(6)
        np.testing.assert_allclose(added, expected, rtol=0, atol=SUM * whole)


def test_a_thin_segment_may_leave_a_thin_remainder() -> None:
    """The floor is the segment's own proportion where that is below THINNEST: a plate stays one."""
    plate = body(1.0, (0.0, 0.0, 0.0), (0.1, 0.05, 0.001), 5)
    same = RigidMass(0.4, plate.center, 0.4 * plate.inertia)
    result = SegmentTransfer("plate", plate, same.pseudo_inertia, "conserving")
    assert result.residual < 1e-12
    np.testing.assert_allclose(result.remainder.inertia, 0.6 * plate.inertia, rtol=1e-9, atol=1e-15)


def test_a_segment_shrinks_in_proportion() -> None:
    result = transfer("on one side", "proportional")
    assert result.remainder.mass == pytest.approx(3.7 - 1.4, rel=SUM)
    np.testing.assert_array_equal(result.remainder.center, SHANK.center)
    np.testing.assert_allclose(result.remainder.inertia, (1 - 1.4 / 3.7) * SHANK.inertia, rtol=SUM)
    np.testing.assert_allclose(result.given_up, 1.4 / 3.7 * SHANK.pseudo_inertia, rtol=1e-9, atol=1e-15)
    change = result.muscles - result.given_up
    expected = np.linalg.norm(change[:3, :3]) / np.linalg.norm(SHANK.covariance)
    assert result.residual == pytest.approx(expected, rel=SUM) and result.residual > 0.1


@pytest.mark.parametrize(("name", "share"), [("physical", 0.1), ("on one side", 0.3), ("wide", 0.9)])
def test_an_impossible_segment_leaves_none_that_is_worse(name: str, share: float) -> None:
    """Published inertias may break the triangle inequality, as a scapula's; principal moments stay positive."""
    scale = share * IMPOSSIBLE.mass / MUSCLES[name].mass
    result = SegmentTransfer("scapula", IMPOSSIBLE, scale * MUSCLES[name].pseudo_inertia, "conserving")
    assert inertia_problem(six(IMPOSSIBLE.inertia)) is not None
    assert np.linalg.eigvalsh(result.remainder.inertia)[0] > 0
    per_mass = [np.linalg.eigvalsh(rigid.covariance)[0] / rigid.mass for rigid in (result.remainder, IMPOSSIBLE)]
    assert per_mass[0] >= per_mass[1] * (1 + SUM)


def six(inertia: Array) -> Array:
    return np.array([*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]])


@pytest.mark.parametrize("kind", TRANSFERS)
@pytest.mark.parametrize("segment", ["shank", "impossible"])
@pytest.mark.parametrize("name", MUSCLES)
def test_remainders_follow_the_muscles(name: str, segment: str, kind: str) -> None:
    """Mass that comes, moves and spreads, against differences."""
    published = SHANK if segment == "shank" else IMPOSSIBLE
    rng, muscles = np.random.default_rng(6), MUSCLES[name].pseudo_inertia
    for _ in range(4):
        point = np.append(rng.normal(size=3) * 0.1, 1.0)
        turn = np.zeros((4, 4))
        turn[:3] = rng.normal(size=(3, 4)) * 0.1
        changes = [0.3 * np.outer(point, point), turn @ muscles + muscles @ turn.T]
        for change in (*changes, sum(changes)):
            ours = SegmentTransfer(segment, published, muscles, kind).remainder_change(change)

            def left(t: float, change: Array = change) -> Array:
                return SegmentTransfer(segment, published, muscles + t * change, kind).remainder.pseudo_inertia

            exact = derivative(left, 1e-4)
            np.testing.assert_allclose(ours, exact, rtol=0, atol=SLOPE * np.abs(change).max())


def test_segments_that_are_points_stay_points() -> None:
    """Models have bodies without inertia; they may give mass, of which nothing is asked but that."""
    transfers = take_from_segments({"shank": SHANK}, {"shank": MUSCLES["physical"].pseudo_inertia}, "conserving")
    assert list(transfers) == ["shank"] and transfers["shank"].transfer == "conserving"
    point = RigidMass(2.0, np.zeros(3), np.zeros((3, 3)))
    for kind in TRANSFERS:
        remainder = take_from_segments({"p": point}, {"p": 0.25 * point.pseudo_inertia}, kind)["p"].remainder
        assert remainder.mass == pytest.approx(1.5)
        np.testing.assert_allclose(remainder.inertia, 0, atol=1e-15)


@pytest.mark.parametrize(("mass", "asks"), [(1.0, "1 kg"), (1.5, "1.5 kg")])
def test_all_of_a_segment_is_too_much(mass: float, asks: str) -> None:
    with pytest.raises(SegmentMassError, match=f"'rod1' has 1 kg.*{asks}.*'mus'") as error:
        requested_masses({"rod1": 1.0}, new_table(["mus"], [mass], ["rod1"], [""]))
    assert (error.value.segment, error.value.available, error.value.asked) == ("rod1", 1.0, mass)


def test_the_segment_that_lacks_most_is_named_with_its_muscles() -> None:
    table = new_table(["a", "b", "c", "d"], [1.0, 2.0, 3.0, 0.5], ["x", "y", "y", "z"], [""] * 4)
    with pytest.raises(SegmentMassError, match="'y'.*'c' 3 kg, 'b' 2 kg.*also overdrawn: 'x'"):
        requested_masses({"x": 0.9, "y": 2.0, "z": 1.0}, table)
    assert requested_masses({"x": 2.0, "y": 9.0, "z": 1.0}, table) == {"x": 1.0, "y": 5.0, "z": 0.5}


def test_a_segment_without_mass_cannot_give() -> None:
    with pytest.raises(SegmentMassError, match="rod1"):
        requested_masses({"rod1": 0.0}, new_table(["mus"], [0.1], ["rod1"], [""]))
    assert requested_masses({"rod1": 0.0}, new_table(["mus"], [0.0], ["rod1"], [""])) == {}


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
    message = inertia_problem(inertia)
    assert message is None if problem is None else message is not None and problem in message


def test_point_masses_on_a_sphere_are_physical_and_keep_so_when_scaled() -> None:
    random = np.random.default_rng(1)
    points = random.normal(size=(20, 3))
    tensor = sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in points)
    six = np.array([*np.diag(tensor), tensor[0, 1], tensor[0, 2], tensor[1, 2]])
    assert inertia_problem(six) is None
    assert inertia_problem(1e-12 * six) is None


def test_a_point_mass_has_nothing_to_compare_a_residual_with() -> None:
    """What muscles leave of a body whose mass is in one point is raised to a point; the residual has no scale."""
    point = RigidMass(2.0, np.array([0.0, -0.2, 0.0]), np.zeros((3, 3)))
    muscles = RigidMass(0.5, np.array([0.05, -0.1, 0.0]), np.diag([1e-3, 1e-3, 1e-3])).pseudo_inertia
    result = SegmentTransfer("point", point, muscles, "conserving")
    assert result.is_projected and result.residual == np.inf
    np.testing.assert_allclose(result.remainder.inertia, 0.0, atol=1e-18)
    assert result.remainder.mass == pytest.approx(1.5)
    whole = point.mass * point.center
    np.testing.assert_allclose(
        result.remainder.mass * result.remainder.center + muscles[:3, 3], whole, rtol=0, atol=1e-16
    )

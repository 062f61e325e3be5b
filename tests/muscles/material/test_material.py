"""Where mass lies along a path: the material map's constants, point masses, and the options' checks."""

import numpy as np
import pytest
from oracles.two_links import BENT, two_links
from scipy.integrate import quad

import opensim_inertia as oi
from opensim_inertia._kernel import fibre_length
from opensim_inertia.muscles.material import STRANDS, MaterialMap, Strands

FIBRE, TENDON = 0.06, 0.24


@pytest.mark.parametrize("strain", ["aponeurosis", "rigid_tendon"])
def test_pennate_fibres_are_held_by_their_length_along_the_path(strain: str) -> None:
    """At an angle of 0.4 the path sees cos(0.4) of the optimal length, of which a tenth is the shortest fibre."""
    model = two_links(BENT, TENDON, FIBRE)
    model.getMuscles().get("mus").setPennationAngleAtOptimalFiberLength(0.4)
    m = oi.InertialModel(model, {"mus": 0.5}, strain).material_map("mus")
    along = FIBRE * np.cos(0.4)
    assert m.shortest == pytest.approx(0.1 * along) and m.hold_width == pytest.approx(0.05 * along)
    assert (m.phi, m.slack) == (1.0, TENDON)


@pytest.mark.parametrize("tendon", [0.0, TENDON])
def test_a_path_shorter_than_the_shortest_fibre_is_fibre_from_end_to_end(tendon: float) -> None:
    """Nothing is left for tendons; the length is continuous, and without tendons it is the path's at all times."""
    kernel = vars(MaterialMap(1.0, tendon, 0.5, 0.1 * FIBRE, 0.05 * FIBRE))
    for length in (0.099 * FIBRE, 0.05 * FIBRE, 1e-4):
        assert fibre_length(kernel, length) == pytest.approx((length, 1.0, 0.0), abs=1e-15)
    lengths = np.linspace(1e-4, 0.4, 4001)
    fibres = np.array([fibre_length(kernel, length)[0] for length in lengths])
    assert (fibres <= lengths).all() and np.abs(np.diff(fibres)).max() <= 1.001 * (lengths[1] - lengths[0])
    if tendon == 0:
        np.testing.assert_allclose(fibres, lengths, rtol=1e-14)


def shown(n: int, strain: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where along aponeurosis and fibres the n points lie that stand for a belly of 0.8 kg, and their masses."""
    inertial = oi.InertialModel(two_links(BENT), {"mus": 0.8}, strain, "points", n)
    points = inertial.mass_points(inertial.initial_state())["mus"]
    return points.starts, points.fractions, points.masses


def test_equal_points_are_at_the_middles() -> None:
    for n in (1, 3, 20):
        _, fractions, masses = shown(n, "uniform")
        np.testing.assert_allclose(fractions, (np.arange(n) + 0.5) / n, rtol=1e-15)
        np.testing.assert_allclose(masses, 0.8 / n, rtol=1e-15)


@pytest.mark.parametrize("n", [1, 2, 7, 20, 100, 1000])
def test_equal_points_over_an_aponeurosis_fill_the_square(n: int) -> None:
    """Means are exactly those of an even square, so that the centre on a straight muscle is exact; moments converge."""
    starts, fractions, masses = shown(n, "aponeurosis")
    assert masses.sum() == pytest.approx(0.8, rel=1e-14) and len({*zip(starts, fractions, strict=True)}) == n
    chi, xi = starts - 0.5, fractions - 0.5
    assert np.abs([chi, xi]).max() <= 0.5
    np.testing.assert_allclose([chi.mean(), xi.mean()], 0, atol=1e-13)
    # from 1/12, 1/12 and 0; of all n up to 1500 the worst is 0.85 over n
    moments = np.array([(chi * chi).mean() - 1 / 12, (xi * xi).mean() - 1 / 12, (chi * xi).mean()])
    assert (np.abs(moments) < 1 / n).all()


def test_point_masses_are_sorted_copied_and_frozen() -> None:
    fractions, masses = np.array([0.8, 0.1, 0.8]), np.array([1.0, 2.0, 3.0])
    points = oi.masses.PointMasses(fractions, masses)
    fractions[0] = 0.0
    np.testing.assert_array_equal(points.fractions, [0.1, 0.8, 0.8])
    np.testing.assert_array_equal(points.masses, [2.0, 1.0, 3.0])
    assert points.total == 6.0
    with pytest.raises(ValueError, match="read-only"):
        points.masses[0] = 1.0


@pytest.mark.parametrize(
    ("fractions", "masses", "message"),
    [
        ([0.5], [1.0, 2.0], "1 fractions and 2 masses"),
        ([], [], "at least one"),
        ([1.01], [1.0], r"\[0, 1\]"),
        ([-0.01], [1.0], r"\[0, 1\]"),
        ([np.nan], [1.0], r"\[0, 1\]"),
        ([0.5], [-1.0], "not negative"),
        ([0.5], [np.nan], "finite"),
        ([0.5], [np.inf], "finite"),
    ],
)
def test_impossible_point_masses(fractions: list[float], masses: list[float], message: str) -> None:
    with pytest.raises(oi.errors.MassError, match=message):
        oi.masses.PointMasses(fractions, masses)


EXACT = 1e-12  # Sums of five terms of size one, through a matrix of condition 1e3


def muscle(aponeurosis: float, share: float = 0.0) -> MaterialMap:
    """A muscle whose free tendon has a share at the origin; all that does not stretch is 0.2 m."""
    return MaterialMap(1.0, 0.2, share * (1 - aponeurosis), 0.01, 0.005, aponeurosis)


MUSCLES = {"short": muscle(0.2), "long": muscle(0.85), "proximal": muscle(0.4, 0.7), "all": muscle(1.0)}
LENGTHS = np.array([1.0, 0.0, 0.4, 1.5, 1.0, 0.0, 1.2])
SHARES = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.3])


def ends(m: MaterialMap, length: float, share: float) -> tuple[float, float]:
    """Where fibres start first and last, as shares of all that does not stretch."""
    aponeurosis = min(length * m.aponeurosis, 1.0)
    default_share = m.proximal_share
    first = (default_share + share * (0.5 - default_share)) * (1 - aponeurosis)
    return first, first + aponeurosis


@pytest.mark.parametrize("power", range(STRANDS))
def test_means_of_polynomials_are_exact(power: int) -> None:
    strands = Strands(MUSCLES)
    at_strands = np.array([[m.proximal**power for m in maps] for maps in strands.maps_by_node])
    weights = strands.weights(LENGTHS, SHARES)

    def mean(first: float, last: float) -> float:
        return first**power if last == first else float(quad(lambda y: y**power, first, last)[0]) / (last - first)

    for v, m in enumerate(MUSCLES.values()):
        bellies = [mean(*ends(m, length, share)) for length, share in zip(LENGTHS, SHARES, strict=True)]
        made_of_strands = bellies[0] + (at_strands[:, v] - bellies[0]) @ weights[:, v]
        np.testing.assert_allclose(made_of_strands, bellies, rtol=0, atol=EXACT)


def test_the_muscle_as_it_is_and_rigid_tendons_are_taken_as_they_are_solved() -> None:
    weights = Strands(MUSCLES).weights(LENGTHS, SHARES)
    assert not weights[:, :, 0].any()
    for v, m in enumerate(MUSCLES.values()):
        if m.proximal == 0:  # all free tendon is distal: fibres start at the origin, where the first strand is
            np.testing.assert_allclose(weights[:, v, 1], [1.0, 0, 0, 0, 0], rtol=0, atol=EXACT)
    expected = np.broadcast_to(1.0 - np.minimum(LENGTHS, 1.0), (len(MUSCLES), len(LENGTHS)))
    np.testing.assert_allclose(weights.sum(axis=0), expected, rtol=0, atol=EXACT)

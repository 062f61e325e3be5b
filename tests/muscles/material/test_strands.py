"""Bellies as means over strands, against closed forms and against integrals."""

import numpy as np
import pytest
from scipy.integrate import quad

from opensim_inertia.muscles.material import STRANDS, MaterialMap, Strands

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

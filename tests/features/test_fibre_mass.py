"""Masses between contractile parts: slow motion stretches them alike, and sudden motion spreads as through dashpots."""

from types import ModuleType

import numpy as np
import pytest

EXAMPLE = "fibre_mass"


@pytest.mark.slow
def test_slow_fibres_have_the_tensions_of_mass_along_them(scene: ModuleType) -> None:
    """Bodies in OpenSim against the package's inertia: a twentieth of it (measured: a thirtieth)."""
    (chain, _), (alike, _) = (scene.oscillate(0.1, 5.0, masses) for masses in (4, 0))
    inertia = np.abs(alike[:, 1] - alike[:, 0]).max()
    assert inertia > 0.002 * alike.max()
    np.testing.assert_allclose(chain, alike, rtol=0, atol=inertia / 20)


def test_sudden_shortening_spreads_as_through_dashpots(scene: ModuleType) -> None:
    """The slowest rate of masses between linear dashpots, by the slope of OpenSim's curve at low speed."""
    length, speed, n = 0.1, 0.01, scene.PARTS
    times, found = scene.release(length, speed)
    damping = (found[0, 0] - found[-1, 0]) / (speed * length)  # N s/m, of the whole
    parts = damping / np.diff([0.0, *(np.arange(n) + 0.5) / n, 1.0])
    matrix = np.diag(parts[:-1] + parts[1:]) - np.diag(parts[1:-1], 1) - np.diag(parts[1:-1], -1)
    rate = np.linalg.eigvalsh(matrix)[0] / (scene.DENSITY * scene.AREA * length / n)
    early, late = 60, 100
    apart = np.log(found[[early, late], 0] - found[[early, late], 1])
    assert (apart[0] - apart[1]) / (times[late] - times[early]) == pytest.approx(rate, rel=0.01)

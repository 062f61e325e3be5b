"""Segments that give up mass together: what is left of them adds up, can be, and is nearest to what was published."""

import numpy as np
import pytest

from opensim_inertia._core.arrays import Array
from opensim_inertia.errors import SegmentMassError
from opensim_inertia.muscles.masses.groups import remainders_together, take_from_segments
from opensim_inertia.muscles.masses.rigid import RigidMass
from opensim_inertia.muscles.masses.segments import LEAST_KEPT

SUM = 1e-13
"""Relative to the group's: sums of a few matrices."""
EDGE = 1e-12
"""Relative: by how much a matrix may miss being positive semidefinite."""


def body(mass: float, centre: tuple[float, float, float], extents: tuple[float, float, float]) -> Array:
    covariance = mass * np.diag(np.square(extents))
    inertia = np.trace(covariance) * np.eye(3) - covariance
    return RigidMass(mass, np.array(centre), inertia).pseudo_inertia


TRUNK = [
    body(20.0, (0.0, 0.2, 0.0), (0.1, 0.2, 0.1)),
    body(0.5, (0.0, 0.45, 0.15), (0.03, 0.03, 0.01)),
    body(1.9, (0.0, 0.3, 0.2), (0.025, 0.08, 0.025)),
]
MUSCLES = [
    body(0.9, (0.05, 0.3, 0.08), (0.03, 0.1, 0.05)),
    body(1.4, (0.02, 0.42, 0.13), (0.03, 0.03, 0.05)),
    body(0.9, (0.02, 0.35, 0.2), (0.02, 0.08, 0.02)),
]


def distance(left: list[Array], exact: list[Array]) -> float:
    """What the remainders minimise, written out: the module's text."""
    total = 0.0
    for published, mine, wanted in zip(TRUNK, left, exact, strict=True):
        mass, centre = published[3, 3], published[:3, 3] / published[3, 3]
        edge = 0.5 * np.cbrt(mass / 1000.0)
        N = np.eye(4)
        N[:3, :3] /= edge
        N[:3, 3] = -centre / edge
        total += float(np.linalg.norm(N @ (mine - wanted) @ N.T) ** 2) / mass
    return total


def test_they_add_up_and_can_be() -> None:
    exact = [p - m for p, m in zip(TRUNK, MUSCLES, strict=True)]
    assert exact[1][3, 3] < 0, "the small one has less than its muscles weigh"
    left, missing = remainders_together(TRUNK, exact)
    assert not missing.any()
    assert np.abs(np.sum(left, axis=0) - np.sum(exact, axis=0)).max() < SUM * np.abs(np.sum(TRUNK, axis=0)).max()
    for mine, published in zip(left, TRUNK, strict=True):
        rest = mine - LEAST_KEPT * published
        assert np.linalg.eigvalsh(rest)[0] > -EDGE * published[3, 3]


def test_none_is_nearer() -> None:
    """Steps to other remainders that add up and can be: none is nearer, and random ones are farther."""
    rng = np.random.default_rng(3)
    exact = [p - m for p, m in zip(TRUNK, MUSCLES, strict=True)]
    left, _ = remainders_together(TRUNK, exact)
    least = distance(left, exact)
    assert least > 0
    tried = 0
    for _ in range(4000):
        i, j = rng.choice(3, 2, replace=False)
        factor = rng.normal(size=(4, rng.integers(1, 4))) * np.array([[0.1], [0.1], [0.1], [1.0]])
        step = factor @ factor.T * 10.0 ** rng.uniform(-6, -1)
        other = [matrix.copy() for matrix in left]
        other[i] += step
        other[j] -= step
        rests = [mine - LEAST_KEPT * p for mine, p in zip(other, TRUNK, strict=True)]
        if min(np.linalg.eigvalsh(rest)[0] for rest in rests) < 0:
            continue
        tried += 1
        assert distance(other, exact) > least * (1 - 1e-9)
    assert tried > 200


def test_what_a_group_lacks_is_added_to_its_second_moments() -> None:
    """Flat segments with muscles beside their plane: mass and centre stay, and the least is added across it."""
    flat = [body(2.0, (0.0, 0.1 * k, 0.0), (0.1, 0.03, 0.004)) for k in range(3)]
    beside = [body(0.4, (0.0, 0.1 * k, z), (0.05, 0.03, 0.01)) for k, z in enumerate((0.1, -0.1, 0.1))]
    exact = [p - m for p, m in zip(flat, beside, strict=True)]
    left, missing = remainders_together(flat, exact)
    total = np.sum(left, axis=0) - np.sum(exact, axis=0)
    scale = np.abs(np.sum(flat, axis=0)).max()
    np.testing.assert_allclose(total[:3, :3], missing, atol=SUM * scale)
    assert np.abs(total[3]).max() < SUM * scale
    values, axes = np.linalg.eigh(missing)
    assert values[0] > -EDGE * scale and values[2] > 0.003 and abs(axes[2, 2]) > 0.99


def test_alone_or_without_enough_it_is_an_error() -> None:
    published = {"scapula": RigidMass.from_pseudo_inertia(TRUNK[1])}
    with pytest.raises(SegmentMassError, match="'scapula' has 0.5 kg.*1.4 kg.*overdrawn='scale'"):
        take_from_segments(published, {"scapula": MUSCLES[1]}, "conserving")
    with pytest.raises(ValueError, match="too little mass"):
        remainders_together(TRUNK[1:], [p - m for p, m in zip(TRUNK[1:], MUSCLES[1:], strict=True)])

"""Jumps between poses, of lengths and places whose jumps are known."""

import numpy as np
import pytest

from opensim_inertia._core.arrays import Array
from opensim_inertia.paths.survey_comparison import bisect_jumps, find_jump

HALVINGS = 14
WHERE, SIZE = 0.3, 4e-3  # rad and m; where the path jumps, and by how much
ARM = 0.3  # m; moment arm of the path besides
LEFT = ARM * 1.0 / 2**HALVINGS  # m; what the path changes without a jump over what is left of a way of 1 rad


def lengths(q: Array) -> Array:
    """A length that changes by a moment arm and jumps where the first coordinate passes ``WHERE``."""
    return ARM * q[:, 0] + SIZE * (q[:, 0] > WHERE)


def places(q: Array) -> Array:
    """Two places, of which the second moves as the length does."""
    moving = np.stack([lengths(q), np.zeros(len(q)), np.ones(len(q))], axis=1)
    return np.stack([np.zeros((len(q), 3)), moving], axis=1)


@pytest.mark.parametrize("values", [lengths, places])
def test_a_jump_is_measured_and_its_place_found(values) -> None:
    low, high = np.array([[0.0, 1.0], [0.4, 1.0]]), np.array([[1.0, 1.0], [1.4, 1.0]])
    sizes, poses = bisect_jumps(values, low, high, values(low), values(high), HALVINGS)
    assert sizes[1] == 0.0
    np.testing.assert_allclose(sizes[0], SIZE, atol=1.01 * LEFT)
    np.testing.assert_allclose(poses[0], [WHERE, 1.0], atol=1.01 / 2**HALVINGS)


def test_what_is_no_path_does_not_jump() -> None:
    low, high = np.zeros((1, 1)), np.ones((1, 1))
    sizes, _ = bisect_jumps(lambda q: np.full(len(q), np.nan), low, high, np.zeros(1), np.full(1, np.nan), HALVINGS)
    assert sizes.tolist() == [0.0]


def test_the_largest_jump_between_neighbouring_poses_is_found() -> None:
    q = np.stack([np.linspace(0, 1, 9), np.zeros(9)], axis=1)
    jump = find_jump(lengths, ["turns", "rests"], q, q[:, :1], lengths(q), np.full((9, 1), ARM))
    assert jump is not None and jump.size == pytest.approx(SIZE, abs=LEFT)
    assert jump.pose["turns"] == pytest.approx(WHERE, abs=1e-4) and jump.pose["rests"] == 0
    smooth = ARM * q[:, 0]
    assert find_jump(lambda q: ARM * q[:, 0], ["turns", "rests"], q, q[:, :1], smooth, np.full((9, 1), ARM)) is None

"""Arrays as text: what comes back is off by at most half a step, and what is no number stays so."""

import numpy as np
import pytest

from opensim_inertia.reports.packing import Packer, step_of, unpack


@pytest.mark.parametrize("shape", [(7,), (1, 3), (5, 4, 3), (0, 3), (3, 0)])
def test_numbers_come_back_within_half_a_step(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(0).normal(scale=3.0, size=shape)
    packer = Packer()
    first, described = packer.numbers(np.arange(4.0)), packer.numbers(values)
    text = packer.text()
    unpacked = unpack(text, described)
    assert unpacked.shape == shape
    if values.size:
        assert step_of(described) == pytest.approx(np.ptp(values) / 65534)
        assert np.abs(unpacked - values).max() <= 0.5001 * step_of(described)
    assert np.allclose(unpack(text, first), np.arange(4.0), atol=3 / 65534)


def test_what_is_not_finite_stays_so() -> None:
    values = np.array([0.0, np.nan, 1.0, np.inf, -2.0, -np.inf])
    packer = Packer()
    described = packer.numbers(values)
    unpacked = unpack(packer.text(), described)
    finite = np.isfinite(values)
    assert (np.isfinite(unpacked) == finite).all()
    assert np.abs(unpacked - values)[finite].max() <= 0.5001 * step_of(described)


@pytest.mark.parametrize("values", [[3.0, 3.0], [np.nan, np.nan], [-1.5e308, 1.5e308]])
def test_constant_unknown_and_huge_values(values: list[float]) -> None:
    packer = Packer()
    described = packer.numbers(values)
    unpacked = unpack(packer.text(), described)
    np.testing.assert_allclose(unpacked, values, rtol=1e-4)


def test_integers_come_back_exactly() -> None:
    values = np.random.default_rng(1).integers(0, 2**32, (40, 3))
    packer = Packer()
    described = packer.integers(values)
    assert (unpack(packer.text(), described) == values).all()

"""Large arrays keep written values in their files after their memory is released."""

import numpy as np
import pytest

from opensim_inertia._core import arrays


@pytest.mark.parametrize("in_memory", [0, 2**26])
def test_large_arrays_keep_what_is_written(monkeypatch: pytest.MonkeyPatch, in_memory: int) -> None:
    monkeypatch.setattr(arrays, "IN_MEMORY", in_memory)
    large, plain = arrays.large_zeros((5000, 3, 7)), np.zeros((5000, 3, 7))
    rng = np.random.default_rng(0)
    for start in (0, 128, 1024, 4990):
        rows = slice(start, min(start + 128, 5000))
        values = rng.standard_normal((rows.stop - start, 7, 3)).swapaxes(1, 2)  # in another order in memory
        arrays.write_rows(large, rows, values)
        plain[rows] = values
        if start == 1024:
            large[2000:2010] = plain[2000:2010] = 1.0
        arrays.release(large)
    np.testing.assert_array_equal(large, plain)

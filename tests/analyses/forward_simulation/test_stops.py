"""Times on which steps end: jumps and what comes back of them."""

from __future__ import annotations

import numpy as np

from opensim_inertia.analyses.forward_simulation.simulate import MOST, stops


def test_jumps_come_back_after_every_sum_of_delays() -> None:
    np.testing.assert_allclose(stops(0.0, 1.0, {0.0}, [0.3]), [0.3, 0.6, 0.9, 1.0])
    np.testing.assert_allclose(stops(0.0, 1.0, {0.0, 0.2}, [0.5, 0.3], 1), [0.2, 0.3, 0.5, 0.7, 1.0])
    np.testing.assert_allclose(stops(0.0, 1.0, {0.0}, [0.1], 2), [0.1, 0.2, 1.0])


def test_jumps_before_the_start_and_at_the_end() -> None:
    np.testing.assert_allclose(stops(2.5, 4.0, {0.0, 2.5}, [1.0]), [3.0, 3.5, 4.0])
    np.testing.assert_allclose(stops(0.0, 1.0, {0.0, 1.0, 1.5}, []), [1.0])


def test_many_delays_stay_within_bounds() -> None:
    assert len(stops(0.0, 10.0, {0.0}, list(np.geomspace(0.01, 0.1, 20)))) <= MOST + 1


def test_a_jump_keeps_its_time_beside_an_echo() -> None:
    echoes = np.cumsum(np.full(5, 0.06))
    jump = float(np.nextafter(echoes[-1], 1.0))
    assert jump in stops(0.0, 1.0, {0.0, jump}, [0.06]).tolist()
    assert len(stops(0.0, 1.0, {0.0, jump}, [0.06])) == len(stops(0.0, 1.0, {0.0, 0.3}, [0.06]))

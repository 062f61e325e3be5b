"""Linearized equations in which mass swings: its modes are among the eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses

import opensim_inertia as oi
from opensim_inertia.options import Wobble, WobblingMass

CLOSED = 1e-7
"""Relative: eigenvalues of a matrix that is differenced to 1e-9, beside defective pairs."""

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def test_frequencies_of_bellies_of_a_skeleton_that_is_held() -> None:
    """Each belly twice, and a mass on a spring three times, with the closed form's frequency and damping."""
    model = limbs("fixed")
    for coordinate in model.getCoordinateSet():
        coordinate.set_locked(True)
    inertial = oi.InertialModel(model, limb_masses())
    mass = WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 20.0)
    soft = Wobble(frequency=9.0, damping=0.2, masses=(mass,), tension=0.0)
    linear = oi.linearize(inertial, inertial.initial_state(), wobble=soft)
    values = linear.eigenvalues()
    swinging = np.sort_complex(values[values.imag > 1.0])
    of_mass = (4000.0 / 0.6) ** 0.5, 20.0 / (2.0 * (4000.0 * 0.6) ** 0.5)
    expected = [
        w * (-zeta + 1j * (1 - zeta**2) ** 0.5)
        for (w, zeta), count in (((2 * np.pi * 9.0, 0.2), 6), (of_mass, 3))
        for _ in range(count)
    ]
    np.testing.assert_allclose(swinging, np.sort_complex(expected), rtol=CLOSED)
    assert any(name.endswith("/wobble/long_1/value") for name in linear.state_names)


def test_a_skeleton_that_is_free_moves_with_them() -> None:
    """Differences of the whole right-hand side; all that swings softens the model's own modes."""
    inertial = oi.InertialModel(limbs("fixed"), limb_masses())
    state = inertial.initial_state()
    with pytest.warns(oi.warnings.OffEquilibriumWarning):
        soft = oi.linearize(inertial, state, wobble=Wobble(frequency=9.0, damping=0.2))
        hard = oi.linearize(inertial, state, wobble=Wobble(frequency=3000.0, damping=1.0))
        rigid = oi.linearize(inertial, state)
    n = len(rigid.A)
    slowest = [np.sort_complex(each.eigenvalues())[-n:] for each in (hard, rigid)]
    assert len(soft.A) == len(hard.A) == n + 12
    near = [np.abs(slowest[0] - value).min() for value in slowest[1] if abs(value) > 0.1]
    assert max(near) < 1e-3 * np.abs(slowest[1]).max()

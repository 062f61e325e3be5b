"""Segments that publish too little inertia for their muscles are named where accelerations are solved for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from oracles.muscle_machines import MASS, hinge, millard

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

REFUSED = (
    "^the inertia with sliding muscles is not positive definite: segment 'rod' publishes 0.0005 kg m.2, the muscles in "
    "it have 0.0088"
)


def thin(locked: bool = False, **options: Any) -> oi.InertialModel:
    """The rod is lighter than the muscle that is frozen to it."""
    model = hinge(millard())
    rod = model.getBodySet().get("rod")
    rod.setMass(0.01)
    rod.setInertia(osim.Inertia(1e-4, 1e-5, 1e-4))
    model.getCoordinateSet().get("angle").set_locked(locked)
    model.finalizeConnections()
    table = oi.InertialModel(model, {"muscle": MASS}).masses.assign(segment="rod")
    return oi.InertialModel(model, table, **options)


def test_the_segment_is_named() -> None:
    inertial = thin()
    with pytest.raises(oi.errors.ModelError, match=REFUSED + "; add_missing_inertia=True adds what segments lack$"):
        oi.simulate(oi.Problem(inertial, t_final=0.01))
    with pytest.raises(oi.errors.ModelError, match=REFUSED):
        oi.linearize(inertial, inertial.initial_state())
    with pytest.raises(oi.errors.ModelError, match=REFUSED):
        inertial.udot(inertial.initial_state())


def test_inertia_that_is_added_or_not_needed() -> None:
    for inertial in (thin(add_missing_inertia=True), thin(locked=True)):
        trajectory = oi.simulate(oi.Problem(inertial, t_final=0.01))
        assert (np.ptp(trajectory.coordinates()["angle"]) > 1e-6) == inertial.options.add_missing_inertia

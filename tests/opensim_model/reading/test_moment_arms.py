"""Forces of paths on bodies, read from memory and by OpenSim's accessors."""

from __future__ import annotations

import numpy as np
import pytest
from oracles.demo_leg import build_leg

from opensim_inertia.opensim_model.reading import MomentArms, model_muscles


def test_accessors_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    model = build_leg()
    state = model.initSystem()
    paths = [muscle.getPath() for muscle in model_muscles(model).values()]
    from_memory = MomentArms(model, paths)
    monkeypatch.setattr("opensim_inertia.opensim_model.reading.moment_arms.forces_lie_in_memory", lambda mobods: False)
    by_accessors = MomentArms(model, paths)
    for ours, expected in zip(from_memory.on_bodies(state), by_accessors.on_bodies(state), strict=True):
        np.testing.assert_array_equal(ours, expected)
    assert np.abs(from_memory.on_bodies(state)[0]).max() > 0.5  # of a unit of tension
    np.testing.assert_array_equal(from_memory.at(state), by_accessors.at(state))

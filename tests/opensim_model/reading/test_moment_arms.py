"""Moment arms of paths, against OpenSim's own, and the forces on bodies that they are made of."""

import numpy as np
from oracles.demo_leg import build_leg

from opensim_inertia._core.opensim import osim
from opensim_inertia.opensim_model.reading.components import model_muscles
from opensim_inertia.opensim_model.reading.kinematics import MomentArms


def test_straight_paths_have_opensims_moment_arms() -> None:
    model = build_leg()
    state = model.initSystem()
    muscles = model_muscles(model)
    coordinates = list(model.getCoordinateSet())
    arms = MomentArms(model, [muscle.getPath() for muscle in muscles.values()])
    found, (on_bodies, on_speeds) = arms.at(state), arms.on_bodies(state)
    jacobian = osim.Matrix()
    model.getMatterSubsystem().calcSystemJacobian(state, jacobian)
    np.testing.assert_allclose(on_bodies.reshape(len(found), -1) @ jacobian.to_numpy() + on_speeds, found, atol=1e-15)
    for muscle, row in zip(muscles.values(), found, strict=True):
        if not osim.GeometryPath.safeDownCast(muscle.getPath()).getWrapSet().getSize():
            expected = [muscle.computeMomentArm(state, coordinate) for coordinate in coordinates]
            np.testing.assert_allclose(row, expected, rtol=0, atol=1e-9)
            assert np.abs(row).max() > 0.01

"""A double pendulum near gimbal lock of its first joint."""

from __future__ import annotations

import numpy as np
from models.ball_pendulum import build_ball_pendulum

import opensim_inertia as oi
from opensim_inertia.analyses.moment_arms import rotations

LOCK = np.pi / 2
#: Angular velocity of the first rod at the start [rad/s].
OMEGA = (0.5, -0.4, 0.8)
OPTIONS = {"strain": oi.StrainModel("uniform", belly=(0.0, 1.0))}


def pendulum(tilt: float, custom: bool = False, muscle: float = 0.0, omega: object = OMEGA) -> oi.InertialModel:
    """Two rods, the first of which is ``tilt`` [rad] from gimbal lock, and turns by ``omega``."""
    angles = (0.3, LOCK - tilt, 0.2)
    speeds = np.linalg.solve(rotations.euler_map(angles, "parent"), omega) if custom else omega
    model, masses = build_ball_pendulum(
        (angles, (0.2, 0.3, -0.4)), (speeds, (0.0, 0.0, 0.0)), muscle=muscle, custom=custom
    )
    return oi.InertialModel(model, masses.assign(segment=""), **OPTIONS)

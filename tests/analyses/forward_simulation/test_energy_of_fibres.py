"""Energy of pendulums whose muscle has fibres between aponeuroses: kept where mass slides past path points, and through
touches.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from models.pendulums import Cylinder, build_pendulum

import opensim_inertia as oi

ACCURATE = oi.integrators.DOP853(accuracy=1e-10)
DRIFT = 1e-8
"""Of the largest kinetic energy: the integrator's own, a hundred times its accuracy per step."""
THROUGH_TOUCHES = 1e-6
"""The same where the path meets and leaves a cylinder, in a zone a tenth of its radius wide (measured: 2e-8)."""
SLACK, APONEUROSIS, PROXIMAL = 0.16, 0.10, 0.02  # m

OVER_A_POINT = [("ground", (0.12, 0.10, 0.0)), ("rod1", (0.05, -0.18, 0.0)), ("rod2", (0.05, -0.15, 0.0))]
OVER_A_CYLINDER = [("ground", (0.12, 0.10, 0.0)), ("rod2", (0.11, -0.14, 0.0))]


def pendulum(path: list[Any], cylinder: Cylinder | None, strain: str = "aponeurosis") -> oi.InertialModel:
    model, table = build_pendulum(path, cylinder=cylinder, angles=(0.8, 0.1), ranges=((-0.8, 0.8), (-0.9, 0.1)))
    muscle = model.getMuscles().get("muscle")
    muscle.set_tendon_slack_length(SLACK)
    muscle.set_optimal_fiber_length(0.15)
    model.finalizeConnections()
    table = pd.DataFrame(
        {
            "muscle": ["muscle"],
            "mass": table["mass"].astype(float),
            "segment": ["rod1"],
            "free_tendon_proximal": [PROXIMAL],
            "free_tendon_distal": [SLACK - APONEUROSIS - PROXIMAL],
        }
    )
    return oi.InertialModel(model, table, strain=strain)


def drift(energy: pd.DataFrame) -> float:
    total = energy["total"].to_numpy()
    return float(np.abs(total - total[0]).max() / energy["kinetic"].max())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "cylinder", "most"),
    [(OVER_A_POINT, None, DRIFT), (OVER_A_CYLINDER, Cylinder(0.06), THROUGH_TOUCHES)],
    ids=["path point", "touches"],
)
def test_energy_is_kept(path: list[Any], cylinder: Cylinder | None, most: float) -> None:
    inertial = pendulum(path, cylinder)
    m = inertial.material_map("muscle")
    assert m.aponeurosis == pytest.approx(APONEUROSIS / SLACK)
    motion = oi.simulate(oi.Problem(inertial, t_final=2.0), ACCURATE)
    energy = motion.energy()
    assert drift(energy) < most
    other = oi.simulate(oi.Problem(pendulum(path, cylinder, "rigid_tendon"), t_final=2.0), ACCURATE)
    apart = np.abs(motion.coordinates().to_numpy()[-1] - other.coordinates().to_numpy()[-1]).max()
    assert apart > 1e-3, "where fibres start matters to the motion"

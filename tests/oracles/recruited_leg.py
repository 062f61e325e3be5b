"""The demo's leg as recruitment takes it: muscles of knee and ankle, reserves where the leg has no muscles."""

from functools import cache

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

from .by_keyword import recruit
from .demo_leg import build_leg, swing_motion

RESERVES = {"hip_flexion_r": 50.0, "hip_adduction_r": 50.0, "hip_rotation_r": 50.0, "knee_angle_r": 50.0}
MASSES = {"soleus_r": 0.45, "tib_ant_r": 0.15, "gasmed_r": 0.25, "gaslat_r": 0.15}


def leg_model() -> osim.Model:
    model = build_leg()
    model.initSystem()
    return model


@cache
def heavy_leg(distribution: str = "continuous") -> oi.InertialModel:
    table = oi.estimate_masses(leg_model())
    table["mass"] = table["muscle"].map(MASSES)
    return oi.InertialModel(leg_model(), table, distribution=distribution, points=5)


def recruited(inertial: oi.InertialModel, **options: object) -> oi.recruitment.RecruitmentResult:
    settings = {"reserves": RESERVES, "free": "base", "every": 6, "time_range": (0.05, 0.55)} | options
    return recruit(inertial, settings.pop("motion", swing_motion()), **settings)

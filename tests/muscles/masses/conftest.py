"""Models for the tests of masses: a chain of rods built by code, and the real models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opensim_inertia._core.opensim import osim

Rods = Callable[..., Any]

REAL = {
    "arm26": "Models/Arm26/arm26.osim",
    "gait10dof18musc": "Models/Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "hamner": "Pipelines/Hamner/outputReference/subject02_scaled.osim",
    "leg6dof9musc": "Models/Leg6Dof9Musc/leg6dof9musc.osim",
    "leg39": "Models/Leg39/leg39.osim",
    "rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
}


def build_rods(
    masses: tuple[float, ...] = (2.0, 1.0, 1.0),
    ends: tuple[tuple[int, float], tuple[int, float]] = ((0, 0.1), (1, 0.1)),
    slack: float = 0.1,
    off: float = 0.03,
) -> Any:
    """A chain of rods 0.5 m long that hangs down y from the ground, with one muscle ``mus``."""
    model = osim.Model()
    model.setName("rods")
    above = model.getGround()
    frames = [above]
    for k, mass in enumerate(masses):
        body = osim.Body(f"rod{k}", mass, osim.Vec3(0, -0.25, 0), osim.Inertia(0.02, 0.001, 0.02, 1e-4, -2e-4, 3e-4))
        joint = osim.PinJoint(
            f"joint{k}",
            above,
            osim.Vec3(0, -0.5 if k else 0.0, 0),
            osim.Vec3(0),
            body,
            osim.Vec3(0),
            osim.Vec3(0),
        )
        model.addBody(body)
        model.addJoint(joint)
        above = body
        frames.append(body)
    muscle = osim.Millard2012EquilibriumMuscle("mus", 1000.0, 0.12, slack, 0.0)
    for name, (rod, below) in zip(("origin", "insertion"), ends, strict=True):
        muscle.addNewPathPoint(name, frames[rod + 1], osim.Vec3(off, -below, 0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


@pytest.fixture
def rods() -> Rods:
    return build_rods


@pytest.fixture(params=sorted(REAL))
def real(request: pytest.FixtureRequest, opensim_models: Path) -> tuple[str, Any]:
    return request.param, osim.Model(str(opensim_models / REAL[request.param]))


@pytest.fixture
def gait2392(opensim_models: Path) -> Any:
    return osim.Model(str(opensim_models / REAL["gait2392"]))

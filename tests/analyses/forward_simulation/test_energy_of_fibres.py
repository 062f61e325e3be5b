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
from opensim_inertia._core.opensim import osim

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


def switching_pendulum() -> oi.InertialModel:
    """Its path goes on to one more point while the elbow is below zero: there it jumps, and so does its mass."""
    model, table = build_pendulum(OVER_A_POINT, angles=(0.8, 0.1), ranges=((-0.8, 0.8), (-0.9, 0.1)))
    points = model.getMuscles().get("muscle").updGeometryPath().updPathPointSet()
    further = osim.ConditionalPathPoint()
    further.setName("further")
    points.cloneAndAppend(further)
    point = osim.ConditionalPathPoint.safeDownCast(points.get(points.getSize() - 1))
    point.setParentFrame(model.getBodySet().get("rod2"))
    point.setLocation(osim.Vec3(0.02, -0.3, 0))
    point.connectSocket_coordinate(model.getCoordinateSet().get("elbow"))
    point.set_range(0, -3.0)
    point.set_range(1, 0.0)
    model.finalizeConnections()
    return oi.InertialModel(model, table, strain=oi.StrainModel("uniform", belly=(0.0, 1.0)))


def test_a_jump_of_energy_is_reported_with_its_size() -> None:
    inertial = switching_pendulum()
    motion = oi.simulate(oi.Problem(inertial, t_final=0.6), ACCURATE)
    with pytest.warns(oi.warnings.PathJumpWarning, match="energy jumps with the paths of muscles 1 time, .* 'muscle'"):
        energy = motion.energy()
    (jump,) = energy.attrs["jumps"]
    # the same state on both sides of the switch, which OpenSim makes a little beyond the end of the range
    k = int(np.flatnonzero(motion.times == jump["time"])[0])
    state, sides = inertial.initial_state(), []
    for q in motion.coordinates().to_numpy()[k : k + 2]:
        inertial.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(motion.speeds().to_numpy()[k]))
        terms = inertial.evaluate(state)
        sides.append(terms.kinetic_energy + terms.potential_energy)
    assert jump["energy"] == pytest.approx(sides[1] - sides[0], abs=1e-3 * abs(jump["energy"]))
    assert abs(jump["energy"]) > 0.01
    total = energy["total"].to_numpy()
    assert total[-1] - total[0] == pytest.approx(jump["energy"], abs=1e-6 * energy["kinetic"].max())


def test_no_jump_is_reported_where_energy_is_kept(recwarn: pytest.WarningsRecorder) -> None:
    motion = oi.simulate(oi.Problem(pendulum(OVER_A_CYLINDER, Cylinder(0.06)), t_final=1.0))
    assert motion.energy().attrs["jumps"] == []
    assert not [w for w in recwarn if issubclass(w.category, oi.warnings.PathJumpWarning)]

"""The double pendulum in space of Zoufaly et al. 2025, section 2.4: two rods on ball joints, and six straight muscles.

The rods are the paper's: 1 m long, 0.1 m in radius, 1 kg, uniform. It gives no attachments; those here are chosen so
that three muscles span either joint, of which one, ``long``, spans both, as the one that the paper looks at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from .parts import custom_joint

# isort: split
import opensim as osim

__all__ = ["JOINTS", "MUSCLES", "build_ball_pendulum", "set_tensions"]

LENGTH, RADIUS, MASS = 1.0, 0.1, 1.0
"""Of either rod [m], [m], [kg]."""

AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

JOINTS = ("shoulder", "elbow")
"""Names of the ball joints; their coordinates are these with ``_x``, ``_y`` and ``_z``."""

MUSCLES = {
    "front": (("ground", (0.15, 0.05, 0.0)), ("rod1", (0.1, -0.45, 0.0))),
    "back": (("ground", (-0.12, 0.08, 0.1)), ("rod1", (-0.1, -0.55, 0.05))),
    "side": (("ground", (0.05, 0.1, -0.2)), ("rod1", (0.0, -0.35, -0.1))),
    "flexor": (("rod1", (0.1, -0.5, 0.02)), ("rod2", (0.1, -0.3, 0.0))),
    "twister": (("rod1", (-0.05, -0.6, -0.1)), ("rod2", (-0.08, -0.2, 0.06))),
    "long": (("ground", (0.2, 0.0, 0.15)), ("rod2", (0.06, -0.25, 0.08))),
}
"""Origin and insertion of each muscle: body and station in it [m]; the rods lie along -y below their joints."""


def build_ball_pendulum(
    angles: tuple[Sequence[float], Sequence[float]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    speeds: tuple[Sequence[float], Sequence[float]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    *,
    muscle: float = 0.0,
    custom: bool = False,
) -> tuple[osim.Model, pd.DataFrame]:
    """Build the two rods and their muscles, which do not pull unless :func:`set_tensions` makes them.

    Args:
        angles: Euler angles about X, Y and Z of both joints at the start [rad]; the second is at 90 degrees in gimbal
            lock.
        speeds: of both joints at the start: angular velocities in the parent frames, with ``custom`` rates of angles
            [rad/s].
        muscle: mass of each muscle [kg].
        custom: whether CustomJoints of the same angles, whose speeds are their rates, are in place of the ball joints.

    Returns:
        the model, in which the rods also have the muscles' mass, and the table by which they give this mass up.
    """
    model = osim.Model()
    model.setName("ball_pendulum")
    frames = {"ground": model.getGround()}
    rows = [(name, muscle, path[-1][0], "given") for name, path in MUSCLES.items() if muscle > 0]
    table = pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])
    for i, name in enumerate(JOINTS):
        parent, body = frames[f"rod{i}" if i else "ground"], f"rod{i + 1}"
        mass = MASS + float(table["mass"][table["segment"] == body].sum())
        across, along = mass * (3 * RADIUS**2 + LENGTH**2) / 12, mass * RADIUS**2 / 2
        rod = osim.Body(body, mass, osim.Vec3(0, -LENGTH / 2, 0), osim.Inertia(across, along, across))
        at, nowhere = osim.Vec3(0, -LENGTH if i else 0.0, 0), osim.Vec3(0)
        names = [f"{name}_{axis}" for axis in "xyz"]
        if custom:
            turns, shifts = zip(names, AXES, strict=True), zip([""] * 3, AXES, strict=True)
            joint = custom_joint(name, parent, at, rod, (*turns, *shifts))
        else:
            joint = osim.BallJoint(name, parent, at, nowhere, rod, nowhere, nowhere)
            for k, coordinate_name in enumerate(names):
                joint.upd_coordinates(k).setName(coordinate_name)
        model.addBody(rod)
        model.addJoint(joint)
        frames[body] = model.getBodySet().get(body)
    for name, path in MUSCLES.items():
        _add_muscle(model, frames, name, path)
    model.finalizeConnections()
    for i, name in enumerate(JOINTS):
        for k, axis in enumerate("xyz"):
            coordinate = model.updCoordinateSet().get(f"{name}_{axis}")
            coordinate.setRangeMin(-math.pi)
            coordinate.setRangeMax(math.pi)
            coordinate.setDefaultValue(float(angles[i][k]))
            coordinate.setDefaultSpeedValue(float(speeds[i][k]))
    return model, table


def set_tensions(model: osim.Model, state: osim.State, tensions: Mapping[str, float]) -> None:
    """Let muscles of an initialised model pull with constant tensions [N] at a state and those that follow from it."""
    for name, tension in tensions.items():
        muscle = model.getMuscles().get(name)
        muscle.setAppliesForce(state, True)
        muscle.overrideActuation(state, True)
        muscle.setOverrideActuation(state, float(tension))


def _add_muscle(
    model: osim.Model, frames: Mapping[str, osim.PhysicalFrame], name: str, path: Sequence[tuple[str, Sequence[float]]]
) -> None:
    muscle = osim.Millard2012EquilibriumMuscle(name, 100.0, 0.3, 0.1, 0.0)
    muscle.set_appliesForce(False)
    muscle.set_ignore_tendon_compliance(True)  # no states of its own
    muscle.set_ignore_activation_dynamics(True)
    for i, (body, station) in enumerate(path):
        muscle.addNewPathPoint(f"{name}-P{i + 1}", frames[body], osim.Vec3(*station))
    model.addForce(muscle)

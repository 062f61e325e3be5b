"""Double pendulums with one muscle, as the experiments of Wang et al. 2022 (figures 4, 6, 7 and 8) have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from opensim_inertia.errors import OptionError

# isort: split
import opensim as osim

__all__ = ["BODIES", "Cylinder", "build_pendulum"]

#: Where the muscle's points may be: ground, and the rods from the first pin on.
BODIES = ("ground", "rod1", "rod2")

#: Moment of inertia of a rod about its own axis, as a share of that about its middle; it plays no part in the plane.
AXIAL = 0.1


@dataclass(frozen=True)
class Cylinder:
    """A wrap cylinder at the second pin, fixed to the first rod; the muscle passes on the side of x > 0.

    Attributes:
        radius: [m].
        turned: angle of its axis, which lies along z, about the first rod [rad].
        length: [m].
    """

    radius: float
    turned: float = 0.0
    length: float = 1.0


def build_pendulum(
    path: Sequence[tuple[str, tuple[float, float, float]]],
    *,
    rods: tuple[float, float] = (1.0, 1.0),
    muscle: float = 1.0,
    length: float = 0.4,
    cylinder: Cylinder | None = None,
    angles: tuple[float, float] = (0.0, 0.0),
    ranges: tuple[tuple[float, float], tuple[float, float]] = ((-1.2, 1.2), (-1.2, 1.2)),
) -> tuple[osim.Model, pd.DataFrame]:
    """Build two uniform rods that hang from pins about z, along -y at zero angles, and a muscle without force.

    Args:
        path: the muscle's points: body, one of ``BODIES``, and station in it [m]; origins are at the pins. Empty: no
            muscle.
        rods: their masses without the muscle [kg].
        muscle: its mass [kg].
        length: of either rod [m].
        cylinder: what the muscle wraps over.
        angles: of the pins ``shoulder`` and ``elbow`` at the start [rad].
        ranges: of both [rad]; over them the muscle is watched to learn how it wraps. They do not hold the motion.

    Returns:
        the model, and the table of the muscle's mass, which no rod contains.

    Raises:
        OptionError: a point is on no body of the pendulum.
    """
    for body, _ in path:
        if body not in BODIES:
            raise OptionError("path", body, f"one of {', '.join(BODIES)}")
    model = osim.Model()
    model.setName("double_pendulum")
    frames = [model.getGround()]
    for i, name in enumerate(("shoulder", "elbow")):
        inertia = rods[i] * length**2 / 12
        rod = osim.Body(
            BODIES[i + 1], rods[i], osim.Vec3(0, -length / 2, 0), osim.Inertia(inertia, AXIAL * inertia, inertia)
        )
        at = osim.Vec3(0, -length if i else 0.0, 0)
        pin = osim.PinJoint(f"pin_{name}", frames[-1], at, osim.Vec3(0), rod, osim.Vec3(0), osim.Vec3(0))
        coordinate = pin.updCoordinate()
        coordinate.setName(name)
        coordinate.setRangeMin(ranges[i][0])
        coordinate.setRangeMax(ranges[i][1])
        coordinate.setDefaultValue(angles[i])
        model.addBody(rod)
        model.addJoint(pin)
        frames.append(model.getBodySet().get(BODIES[i + 1]))
    table = pd.DataFrame(columns=["muscle", "mass", "segment", "source"])
    if path:
        _add_muscle(model, frames, path, length, cylinder)
        table.loc[0] = ("muscle", muscle, "", "given")
    model.finalizeConnections()
    return model, table


def _add_muscle(
    model: osim.Model,
    frames: Sequence[osim.PhysicalFrame],
    path: Sequence[tuple[str, tuple[float, float, float]]],
    length: float,
    cylinder: Cylinder | None,
) -> None:
    muscle = osim.Millard2012EquilibriumMuscle("muscle", 100.0, length, length, 0.0)
    muscle.set_appliesForce(False)
    muscle.set_ignore_tendon_compliance(True)  # no states of its own
    muscle.set_ignore_activation_dynamics(True)
    for i, (body, station) in enumerate(path):
        muscle.addNewPathPoint(f"muscle-P{i + 1}", frames[BODIES.index(body)], osim.Vec3(*station))
    model.addForce(muscle)
    if cylinder is None:
        return
    wrap = osim.WrapCylinder()
    wrap.setName("wrap")
    wrap.set_radius(cylinder.radius)
    wrap.set_length(cylinder.length)
    wrap.set_quadrant("+x")
    wrap.set_translation(osim.Vec3(0, -length, 0))
    wrap.set_xyz_body_rotation(osim.Vec3(0, cylinder.turned, 0))
    wrap.thisown = False  # the rod takes it
    frames[1].addWrapObject(wrap)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)

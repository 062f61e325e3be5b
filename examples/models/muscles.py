"""The demo's muscles: soleus (straight), tibialis anterior (via points) and the gastrocnemii (wrapping).

Architecture: Ward SR et al. (2009), Clin Orthop Relat Res 467:1074-1082 (masses, normalized fibre lengths, PCSA and
pennation of 21 cadaver limbs, mean stature 1.684 m). Old cadavers have about half the muscle of the living: magnetic
resonance imaging of 12 healthy subjects found 489, 245 and 140 cm^3 for soleus, medial and lateral gastrocnemius
(Fukunaga T et al. 1992, J Orthop Res 10:926-934), 2.05 times Ward's masses. Cross-sections and masses are therefore
doubled. Specific tension 0.6 MPa. Attachments are estimates of our own, guided by general anatomy, as fractions of
segment lengths; with them the plantarflexors' moment arm is about 5 cm and the dorsiflexor's about 4 cm at the ankle,
the gastrocnemii's 2.0 to 2.7 cm at the knee.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .parts import set_slack_lengths
from .segments import Sizes

# isort: split
import opensim as osim

__all__ = ["CONDYLES", "CONDYLE_RADIUS", "IN_VIVO", "MUSCLES", "SPECIFIC_TENSION", "DemoMuscle", "add_muscles"]

SPECIFIC_TENSION = 0.6e6
"""Maximum isometric force per physiological cross-section [Pa]."""

IN_VIVO = 2.0
"""Muscle of a living young adult over that of Ward's cadavers (Fukunaga 1992: 2.05 for the triceps surae)."""

WARD_STATURE = 1.684
"""Mean stature of Ward's specimens [m]; fibre lengths scale with stature."""

CONDYLES = "condyles_r"
"""Name of the wrap cylinder, fixed to femur_r, its axis along the knee's."""

CONDYLE_RADIUS = 0.0475
"""Radius of the wrap cylinder, fraction of thigh length (our estimate: 2 cm at 1.75 m)."""

CONDYLE_WIDTH = 0.24
"""Length of the wrap cylinder, fraction of thigh length (our estimate: 10 cm at 1.75 m)."""


@dataclass(frozen=True)
class DemoMuscle:
    """A muscle of the demo, with published architecture and an estimated path.

    Attributes:
        name: as in OpenSim's lower-limb models.
        cadaver_mass: Ward 2009 [kg].
        pcsa: Ward 2009, physiological cross-sectional area [m^2].
        fibre: Ward 2009, fibre length at a sarcomere length of 2.7 um [m].
        pennation: Ward 2009 [rad].
        stretch: fibre length in the neutral pose over optimal fibre length (chosen; see ``add_muscles``).
        path: (body, location) from origin to insertion; location in the body's frame as fractions of the segment's
            length, measured from the hip (femur_r), the knee (tibia_r) or the ankle (calcn_r).
        wraps: the path wraps on the condyles.
    """

    name: str
    cadaver_mass: float
    pcsa: float
    fibre: float
    pennation: float
    stretch: float
    path: tuple[tuple[str, tuple[float, float, float]], ...]
    wraps: bool = False

    def max_force(self) -> float:
        """Maximum isometric force [N]."""
        return SPECIFIC_TENSION * IN_VIVO * self.pcsa

    def in_vivo_mass(self) -> float:
        """Return the mass in a living young adult [kg]."""
        return IN_VIVO * self.cadaver_mass

    def optimal_fibre(self, height: float) -> float:
        """Return the optimal fibre length [m] at a stature [m]."""
        return self.fibre * height / WARD_STATURE


_HEEL = ("calcn_r", (-0.195, -0.085, -0.010))  # where the Achilles tendon inserts

MUSCLES = (
    DemoMuscle(
        "soleus_r",
        0.2758,
        51.8e-4,
        0.0440,
        math.radians(28.3),
        1.00,
        (("tibia_r", (-0.060, -0.210, 0.010)), _HEEL),
    ),
    DemoMuscle(
        "tib_ant_r",
        0.0801,
        10.9e-4,
        0.0683,
        math.radians(9.6),
        1.00,
        (
            ("tibia_r", (0.030, -0.300, 0.035)),
            ("tibia_r", (0.055, -0.600, 0.020)),
            ("tibia_r", (0.070, -0.905, -0.010)),
            ("calcn_r", (0.250, -0.120, -0.080)),
        ),
    ),
    DemoMuscle(
        "gasmed_r",
        0.1135,
        21.1e-4,
        0.0510,
        math.radians(9.9),
        1.20,
        (("femur_r", (-0.006, -0.940, -0.050)), _HEEL),
        wraps=True,
    ),
    DemoMuscle(
        "gaslat_r",
        0.0622,
        9.7e-4,
        0.0588,
        math.radians(12.0),
        1.20,
        (("femur_r", (-0.010, -0.938, 0.060)), _HEEL),
        wraps=True,
    ),
)


def add_muscles(model: Any, sizes: Sizes) -> None:
    """Add the condyles' wrap cylinder and the muscles to an ``osim.Model`` whose bodies and joints are in place.

    Tendon slack lengths are chosen so that each fibre has ``stretch`` times its optimal length in the neutral pose
    (all coordinates zero): 1 for the muscles of one joint, more for the gastrocnemii, which the flexing knee of a
    running swing shortens by about their optimal length.
    """
    thigh = sizes.length("femur_r")
    cylinder = osim.WrapCylinder()
    cylinder.setName(CONDYLES)
    cylinder.set_radius(CONDYLE_RADIUS * thigh)
    cylinder.set_length(CONDYLE_WIDTH * thigh)
    cylinder.set_translation(osim.Vec3(0.0, -thigh, 0.0))
    cylinder.set_quadrant("-x")  # behind the knee
    model.getBodySet().get("femur_r").addWrapObject(cylinder)
    add_set(model, MUSCLES, sizes, CONDYLES)


def add_set(model: Any, muscles: Sequence[DemoMuscle], sizes: Sizes, wrap: str) -> None:
    """Add muscles, those that wrap over the femur's wrap object ``wrap``, with slack lengths as in ``add_muscles``."""
    bodies = model.getBodySet()
    for muscle in muscles:
        fibre = muscle.optimal_fibre(sizes.height)
        actuator = osim.Millard2012EquilibriumMuscle(muscle.name, muscle.max_force(), fibre, fibre, muscle.pennation)
        for number, (body, fractions) in enumerate(muscle.path, start=1):
            location = osim.Vec3(*(fraction * sizes.length(body) for fraction in fractions))
            actuator.addNewPathPoint(f"{muscle.name}-P{number}", bodies.get(body), location)
        if muscle.wraps:
            path = osim.GeometryPath.safeDownCast(actuator.updPath())
            path.addPathWrap(bodies.get("femur_r").getWrapObject(wrap))
        model.addForce(actuator)
    set_slack_lengths(
        model, {m.name: m.stretch * m.optimal_fibre(sizes.height) * math.cos(m.pennation) for m in muscles}
    )

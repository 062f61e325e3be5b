"""A double pendulum with a muscle over a cylinder: planar closed forms, the same as an OpenSim model, and refraction.

Rods hang from pins about z, along -y at q = 0; everything lies in one plane. Rods are closed forms in plain numbers, so
that long motions cost little. The muscle's terms come from outside, as a function; those of the package's kernel are
reached through ``kernel_terms``, which is given the kernel to ask.
"""

from .geometry import BODIES, Geometry, chord_distance, distance_gradient, ends, keeps_its_side, place, random_geometry
from .live import LiveMachine, mass_table, opensim_model
from .machine import GRAVITY, Frames, Machine, Terms, kernel_terms, rigid_terms
from .motion import Motion, simulate, touching_motions
from .refraction import Refracted, refract, refracted_motion

__all__ = [
    "BODIES",
    "GRAVITY",
    "Frames",
    "Geometry",
    "LiveMachine",
    "Machine",
    "Motion",
    "Refracted",
    "Terms",
    "chord_distance",
    "distance_gradient",
    "ends",
    "keeps_its_side",
    "kernel_terms",
    "mass_table",
    "opensim_model",
    "place",
    "random_geometry",
    "refract",
    "refracted_motion",
    "rigid_terms",
    "simulate",
    "touching_motions",
]

"""Spheres under a sole that touch the ground."""

from typing import Any

import opensim as osim

FRICTION = 0.8


def add_sphere(
    model: Any,
    foot: Any,
    floor: Any,
    name: str,
    centre: tuple[float, float, float],
    radius: float,
    stiffness: float,
    dissipation: float,
) -> None:
    """Add a sphere to a foot, and a force of this name by which it touches the floor.

    Args:
        model: the model, of which the foot and the floor are.
        foot: the body.
        floor: the half space.
        name: of the force; the sphere's is this with ``_sphere``.
        centre: in the foot's frame [m].
        radius: [m].
        stiffness: modulus of the contact [Pa].
        dissipation: of the contact [s/m].
    """
    sphere = osim.ContactSphere(radius, osim.Vec3(*centre), foot, f"{name}_sphere")
    model.addContactGeometry(sphere)
    force = osim.SmoothSphereHalfSpaceForce(name, sphere, floor)
    force.set_stiffness(stiffness)
    force.set_dissipation(dissipation)
    force.set_static_friction(FRICTION)
    force.set_dynamic_friction(FRICTION)
    force.set_viscous_friction(0.5)
    force.set_transition_velocity(0.2)
    model.addForce(force)

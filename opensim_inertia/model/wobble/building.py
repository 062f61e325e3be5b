"""Swinging masses of an inertial model, made of the options of a wobble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import OptionError
from ..._core.provenance import describe_source
from ...muscles.masses.donors import main_segment
from ...muscles.masses.table import DAMPING, FREQUENCY, swing_values
from ...muscles.material import ModeShape
from ...options.wobble import Wobble, WobblingMass
from ...paths.kernel.swinging import SwingEquations, SwingingBellies
from ..model import InertialModel
from .swings import SwingingMasses, SwingingMuscles, Swings, Values


def swings_of(inertial: InertialModel, wobble: Wobble, bodies: Sequence[str] = ()) -> tuple[Swings, ...]:
    """Return the swinging masses of a model, muscles before masses on segments; empty without both."""
    groups: list[Swings] = []
    if wobble.bellies and inertial.muscle_names:
        groups.append(_muscles(inertial, wobble))
    if wobble.masses:
        groups.append(_masses(inertial, wobble.masses, bodies or inertial.evaluation.bodies))
    return tuple(groups)


def swing_equations(inertial: InertialModel, groups: Sequence[Swings], bodies: Sequence[str]) -> SwingEquations:
    """Return the equations of motion of a model with what swings, by the kernel."""
    evaluation = inertial.evaluation
    if len(bodies) > len(evaluation.bodies):
        wide = replace(inertial.dynamics.assembly, bodies=tuple(bodies), kinematics=None)
        evaluation = wide.evaluation
    places = [group.places for group in groups]
    constants = [np.column_stack([at.aponeuroses, *group.values]) for group, at in zip(groups, places, strict=True)]
    bodies_in = [group.bodies for group in groups]
    numbers = ([at.muscles for at in places], bodies_in)
    arrays = (constants, [at.centres for at in places], [at.axes for at in places])
    integers = (np.concatenate(each).tolist() for each in numbers)
    return SwingEquations(evaluation, *integers, *(np.concatenate(each) for each in arrays))


def described_wobble(inertial: InertialModel, wobble: Wobble) -> dict[str, Any]:
    """Return the options, and what the mass table says in their place, by muscle, for a result's provenance."""
    given = swing_values(inertial.mass_table)
    table = {name: given[name] for name in inertial.muscle_names if name in given}
    return {**wobble.described(describe_source), "by the mass table": table}


def _muscles(inertial: InertialModel, wobble: Wobble) -> SwingingMuscles:
    if not inertial.options.is_continuous:
        raise OptionError("distribution", inertial.options.distribution, "'continuous' where bellies swing")
    which = [n for n, name in enumerate(inertial.muscle_names) if name not in inertial.muscles.explicit]
    names = [inertial.muscle_names[n] for n in which]
    kinematics = inertial.dynamics.read(inertial.reference_state())._replace(u=np.zeros(len(inertial.coordinate_names)))
    lengths = inertial.evaluation.lengths(kinematics)[which]
    shapes = [ModeShape(float(share)) for share in 1.0 - lengths[:, 2] / lengths[:, 1]]
    bodies = np.array(
        [inertial.evaluation.bodies.index(_main_segment(inertial, name)) for name in names], dtype=np.intp
    )
    kernel = SwingingBellies(inertial.evaluation, which, shapes, bodies.tolist())
    rest = np.zeros((1, len(inertial.coordinate_names)))
    motion = kernel.motion([kinematics], rest)
    rotation = kinematics.rotation[bodies]
    chord = np.einsum("sji,sj->si", rotation, motion.chord[0][0])
    direction = chord / np.linalg.norm(chord, axis=1, keepdims=True)
    mass = np.array([inertial.muscles.masses[name] for name in names])
    modal_mass = mass * [shape.modal_mass for shape in shapes]
    given = swing_values(inertial.mass_table)
    frequency = np.array([given.get(name, {}).get(FREQUENCY, wobble.frequency) for name in names])
    damping = np.array([given.get(name, {}).get(DAMPING, wobble.damping) for name in names])
    values = Values(
        modal_mass,
        mass * [shape.moment for shape in shapes],
        modal_mass * (2.0 * np.pi * frequency) ** 2,
        np.array([s.stiffness(1.0, belly) for s, belly in zip(shapes, lengths[:, 1], strict=True)]),
        damping,
    )
    gravity = inertial.model.getGravity().to_numpy().copy()
    reference = (lengths[:, 1], direction, pair := _across(direction))
    inertia = np.column_stack([values.modal_mass, values.moment])
    kernel = kernel.framed(inertia, direction, np.concatenate([pair, direction[:, None]], axis=1))
    return SwingingMuscles(tuple(names), np.array(which), bodies, values, *reference, kernel, gravity)


def _across(direction: Array) -> Array:
    """Return an orthonormal pair (S, 2, 3) of vectors across directions (S, 3)."""
    first = np.cross(direction, np.eye(3)[np.abs(direction).argmin(axis=-1)])
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(direction, first)], axis=-2)


def _main_segment(inertial: InertialModel, muscle: str) -> str:
    """Return the donor of most of a muscle's mass, or the segment of its origin."""
    stretches = inertial.muscles.donors[muscle]
    return main_segment(stretches) if stretches else inertial.muscles.paths[muscle].points[0].body


def _masses(inertial: InertialModel, masses: Sequence[WobblingMass], read: Sequence[str]) -> SwingingMasses:
    segments = [body.getName() for body in inertial.model.getBodySet()]
    check_names("segment", [mass.body for mass in masses], segments, "the model (for a wobbling mass)")
    kilograms = np.array([mass.mass for mass in masses])
    stiffness = np.array([mass.stiffness for mass in masses])
    critical = 2.0 * np.sqrt(stiffness * kilograms)
    values = Values(
        kilograms, kilograms, stiffness, np.zeros(len(masses)), np.array([mass.damping for mass in masses]) / critical
    )
    bodies = np.array([list(read).index(mass.body) for mass in masses], dtype=np.intp)
    centres = np.array([mass.centre for mass in masses])
    names = tuple(mass.name or f"wobbling mass on {mass.body}" for mass in masses)
    for i, name in enumerate(names):
        if name in names[:i]:
            raise OptionError("masses", name, "names of wobbling masses that differ: give each a name of its own")
    return SwingingMasses(names, bodies, centres, values, inertial.model.getGravity().to_numpy().copy())

"""Coordinates whose ranges are no ranges, and coordinates that move no mass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .._core.arrays import Array
from .._core.errors import OPENSIM_ERRORS
from .._core.findings import Finding
from .._core.opensim import osim
from ..model.constraints import constraint_jacobian
from .subject import Subject

__all__ = ["coordinate_findings", "massless_findings"]

#: A rotation's range wider than this [rad] was written in degrees: four full turns.
DEGREES = 25.0
#: A default value counts as outside its range beyond this [rad or m].
OUTSIDE = 1e-6
#: A default further outside than this [rad or m] makes the default pose one that is never meant.
FAR_OUTSIDE = 0.01
#: Wide ranges in public models that say that nothing is known [m]; beyond it is no range of a person.
UNBOUNDED = 1e3
#: An eigenvalue of the scaled mass matrix below this is none: rounding of 1e-16 times the number of coordinates.
SINGULAR = 1e-11
#: Below this a coordinate moves no mass [kg or kg m^2]: a milligram, or a milligram at a millimetre's distance.
NOTHING = 1e-12


def coordinate_findings(subject: Subject) -> Iterator[Finding]:
    """Yield coordinates whose range is empty, reversed or in degrees, or whose default lies outside of it."""
    table = subject.coordinates
    for i, name in enumerate(table.names):
        place = subject.label("coordinate", name)
        low, high = table.ranges[i].tolist()
        default, unit = float(table.defaults[i]), "m" if table.translational[i] else "rad"
        cure = ("correct <range> of the coordinate",)
        if not (np.isfinite([low, high, default]).all()):
            text = f"its range is {low:g} to {high:g} and its default {default:g}; finite numbers were expected"
            yield Finding("error", "range of a coordinate", place, text, cure)
        elif low >= high:
            how = "ends before it begins" if low > high else "is empty"
            text = f"its range is {low:.4g} to {high:.4g} {unit}: it {how}"
            yield Finding("warning" if low > high else "note", "range of a coordinate", place, text, cure)
        elif table.rotational[i] and DEGREES < high - low < 2 * UNBOUNDED:
            text = f"its range is {low:.4g} to {high:.4g} rad, {(high - low) / (2 * np.pi):.3g} full turns: in degrees?"
            yield Finding("warning", "range of a coordinate", place, text, ("give <range> in radians",))
        elif not low - OUTSIDE <= default <= high + OUTSIDE:
            beyond = max(low - default, default - high)
            text = f"its default value, {default:.4g} {unit}, lies outside its range, {low:.4g} to {high:.4g} {unit}"
            severity = "warning" if beyond > FAR_OUTSIDE else "note"
            yield Finding(severity, "default of a coordinate", place, text, ("correct <default_value> or <range>",))


def massless_findings(subject: Subject) -> Iterator[Finding]:
    """Yield coordinates that move bodies without mass, and kinetic energies that are negative.

    The mass matrix of the default pose is looked at in the directions that constraints and locks leave free.
    """
    state = subject.state
    try:
        subject.model.realizePosition(state)
        matrix = osim.Matrix()
        subject.model.getMatterSubsystem().calcM(state, matrix)
        M = np.asarray(matrix.to_numpy())
        subject.model.realizeVelocity(state)
        G = constraint_jacobian(subject.model, state)
    except OPENSIM_ERRORS:
        return
    if not np.isfinite(M).all() or not len(M):
        return
    values, directions = _scaled_spectrum(M, G)
    for value, direction in zip(values, directions.T, strict=True):
        if value > SINGULAR:
            break
        leading = subject.coordinates.names[int(np.argmax(np.abs(direction)))]
        place = subject.label("coordinate", leading)
        if value < -SINGULAR:
            text = "its kinetic energy is negative at the default pose: its moment has the wrong sign, in OpenSim's too"
            cure = ("correct the inertias of the bodies that it moves",)
            yield Finding("warning", "kinetic energy", place, text, cure)
        else:
            bodies = [n for n, rigid in subject.bodies.items() if rigid.mass == 0 and n not in subject.fixed]
            massless = f" (without mass: {', '.join(bodies[:6])})" if bodies else ""
            text = f"it moves no mass{massless}: its force is zero in inverse dynamics, and simulations fail"
            cure = ("give the body mass and inertia, weld its joint, or lock the coordinate",)
            yield Finding("warning", "massless moving body", place, text, cure)


def _scaled_spectrum(M: Array, G: Array) -> tuple[Array, Array]:
    """Return eigenvalues, ascending, and directions (nu, free) of a mass matrix scaled to a unit diagonal.

    Where no eigenvalue is singular, directions are some that constraints and locks leave free.
    """
    diagonal = np.abs(np.diag(M))
    scale = np.where(diagonal > NOTHING, 1 / np.sqrt(np.maximum(diagonal, NOTHING)), 1.0)
    _, sizes, right = np.linalg.svd(G * scale)
    free = right[int((sizes > np.finfo(float).eps * max(G.shape) * sizes.max(initial=0.0)).sum()) :].T
    if not free.shape[1]:
        return np.zeros(0), free
    scaled = free.T @ ((M * scale[:, None]) * scale) @ free
    values = np.linalg.eigvalsh(scaled)
    if values[0] > SINGULAR:  # nobody asks for directions, for which BLAS libraries keep other processors busy
        return values, free
    values, vectors = np.linalg.eigh(scaled)
    return values, free @ vectors

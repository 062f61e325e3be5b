"""Frames in which displacements of swinging mass are written, with their motion.

A belly's displacement d lies across the chord from one of its ends to the other. It is ``d = R E z``: R turns the frame
of the body in which the belly swings to ground, and the columns of E (3, 2) span what lies across the chord. E at the
reference pose is any orthonormal pair a; elsewhere it is turned along by the smallest rotation that takes the chord's
direction there, e0, to its present direction e, ``E_i = a_i - (a_i . e) / (1 + e0 . e) (e0 + e)``. So E is a smooth
function of the pose, but where the chord has turned by half a circle in its body. (docs/theory/wobble.md)

All arrays here are in the axes of the bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array

__all__ = [
    "BodyMotion",
    "Chord",
    "Frame",
    "across",
    "applied",
    "chord_frame",
    "cross",
    "in_body",
    "pulled_chord",
    "turned",
]


class BodyMotion(NamedTuple):
    """The rotation R of bodies to ground (..., 3, 3), and angular velocity and acceleration in their axes (..., 3)."""

    rotation: Array
    omega: Array
    alpha: Array


class Frame(NamedTuple):
    """The columns of E (..., 3, n), and their first and second derivatives by time in ground, in the body's axes."""

    basis: Array
    rate: Array
    acceleration: Array


class Chord(NamedTuple):
    """A chord's direction e (..., 3) and length (...), and its direction at the reference pose (..., 3)."""

    direction: Array
    length: Array
    reference: Array


def across(direction: Array) -> Array:
    """Return an orthonormal pair (S, 2, 3) of vectors across directions (S, 3)."""
    other = np.eye(3)[np.abs(direction).argmin(axis=-1)]
    first = np.cross(direction, other)
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(direction, first)], axis=-2)


def applied(matrices: Array, vectors: Array) -> Array:
    """Return products (..., m) of matrices (..., m, n) and vectors (..., n) of few numbers.

    One component is computed at a time: for many matrices that takes a tenth of the time of ``numpy.einsum``.
    """
    products = []
    for i in range(matrices.shape[-2]):
        product = matrices[..., i, 0] * vectors[..., 0]
        for j in range(1, vectors.shape[-1]):
            product += matrices[..., i, j] * vectors[..., j]
        products.append(product)
    return _of_components(products)


def cross(a: Array, b: Array) -> Array:
    """Return a x b (..., 3), one component at a time, as :func:`applied`."""
    products = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        product = a[..., j] * b[..., k]
        product -= a[..., k] * b[..., j]
        products.append(product)
    return _of_components(products)


def _of_components(components: Sequence[Array]) -> Array:
    """Return an array (..., n) of n components (...), each of which stays in one piece of memory."""
    return np.moveaxis(np.stack(components), 0, -1)


def in_body(body: BodyMotion, x: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return a vector (..., 3) of ground, its rate and its acceleration, as a body sees them, in its axes."""
    rotation, w, dw = body
    x, v, a = (applied(np.swapaxes(rotation, -1, -2), y) for y in (x, v, a))
    turning = cross(w, x)
    seen = v - turning
    return x, seen, a - cross(dw, x) - 2.0 * cross(w, v) + cross(w, turning)


def turned(body: BodyMotion, basis: Array, rate: Array, acceleration: Array) -> Frame:
    """Return a frame of vectors (..., 3, n) with the rates and accelerations that its body sees."""
    _, w, dw = (x[..., None, :] for x in body)
    e, v, a = (np.swapaxes(x, -1, -2) for x in (basis, rate, acceleration))
    first = cross(w, e)
    second = a + 2.0 * cross(w, v) + cross(dw, e) + cross(w, first)
    return Frame(basis, np.swapaxes(v + first, -1, -2), np.swapaxes(second, -1, -2))


def chord_frame(
    body: BodyMotion, chord: tuple[Array, Array, Array], reference: Array, pair: Array
) -> tuple[Frame, Chord]:
    """Return the frame across a chord.

    Args:
        body: in which the belly swings.
        chord: (..., S, 3) in ground, its rate and its acceleration.
        reference: direction of the chord at the reference pose, (S, 3), in the body's axes.
        pair: E at the reference pose, (S, 2, 3).
    """
    c, dc, ddc = in_body(body, *chord)
    length = np.linalg.norm(c, axis=-1)
    per = 1.0 / length[..., None]
    e = c * per
    stretch = _dot(e, dc)
    de = (dc - stretch * e) * per
    dde = (ddc - (_dot(de, dc) + _dot(e, ddc)) * e - 2.0 * stretch * de) * per
    h = 1.0 / (1.0 + _dot(reference, e))
    dh = -_dot(reference, de) * h**2
    ddh = -_dot(reference, dde) * h**2 - 2.0 * _dot(reference, de) * h * dh
    both = reference + e
    columns = []
    for i in range(2):
        a = pair[..., i, :]
        g, dg, ddg = (_dot(a, x) for x in (e, de, dde))
        r, dr, ddr = g * h, dg * h + g * dh, ddg * h + 2.0 * dg * dh + g * ddh
        columns.append((a - r * both, -dr * both - r * de, -ddr * both - 2.0 * dr * de - r * dde))
    basis, rate, acceleration = (_of_components(x) for x in zip(*columns, strict=True))
    return turned(body, basis, rate, acceleration), Chord(e, length, np.broadcast_to(reference, e.shape))


def pulled_chord(chord: Chord, pair: Array, z: Array, force: Array) -> Array:
    """Return what a force (..., 3) on d exerts on the chord (..., 3) where d = E z turns with it, in the body's axes.

    It is the transpose of the derivative of E z by the chord, times the force.
    """
    e, e0 = chord.direction, chord.reference
    a = applied(np.swapaxes(pair, -1, -2), z)
    both, h, g = e0 + e, 1.0 / (1.0 + _dot(e0, e)), _dot(a, e)
    along = _dot(both, force)
    pulls = -h * (along * a - g * h * along * e0 + g * force)
    return np.asarray((pulls - _dot(pulls, e) * e) / chord.length[..., None])


def _dot(a: Array, b: Array) -> Array:
    return (a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])[..., None]

"""Neural paths in NumPy: a plain reference for the kernel, and the source of error tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.checks import check_choice
from .weights import Layer, NeuralWeights

__all__ = ["SpanPaths", "forward", "neural_spans"]

SURFACES = ("cylinder", "sphere")


class SpanPaths(NamedTuple):
    """Points on the paths of n spans, in the surface's frame [m], and their derivatives.

    Attributes:
        x: the points (n, 3).
        dx_dorigin, dx_dinsertion: (n, 3, 3), row: component of x.
        dx_dfraction: (n, 3).
        length: length of the whole path (n,); nan where the networks do not give it.
        dlength_dorigin, dlength_dinsertion: (n, 3).
    """

    x: Array
    dx_dorigin: Array
    dx_dinsertion: Array
    dx_dfraction: Array
    length: Array
    dlength_dorigin: Array
    dlength_dinsertion: Array


def forward(layers: Sequence[Layer], inputs: Array, directions: Array) -> tuple[Array, Array]:
    """Return a network's outputs, and their derivatives along directions.

    Args:
        layers: the network.
        inputs: (n, k).
        directions: (n, t, k).

    Returns:
        the outputs (n, m) and the derivatives (n, t, m).
    """
    values, tangents = inputs, directions
    for i, layer in enumerate(layers):
        weight = layer.weight.T.astype(np.float64)
        values, tangents = values @ weight + layer.bias, tangents @ weight
        if i + 1 < len(layers):
            values = np.tanh(values)
            tangents = tangents * (1 - values**2)[:, None]
    return values, tangents


def neural_spans(
    weights: NeuralWeights,
    surface: str,
    radius: ArrayLike,
    side: ArrayLike,
    origin: Array,
    insertion: Array,
    fraction: Array,
) -> SpanPaths:
    """Evaluate the neural paths of n spans.

    Args:
        weights: networks of any form.
        surface: "cylinder" (about z) or "sphere"; matters to the form "planar" only.
        radius: radius of the surface [m], one or (n,); not used by the form of spans over one surface.
        side: +1 where the path goes counterclockwise about +z from origin to insertion, -1 where clockwise; one or
            (n,). A sphere's path goes the short way.
        origin, insertion: ends (n, 3) in the surface's frame [m].
        fraction: fractions of the path's length (n,).
    """
    n = len(fraction)
    r = np.broadcast_to(np.asarray(radius, dtype=float), n)
    if weights.form == "planar":
        turn = np.broadcast_to(np.asarray(side, dtype=float), n)
        return _planar(weights, check_choice("surface", surface, SURFACES), r, turn, origin, insertion, fraction)
    return _raw(weights, r, origin, insertion, fraction)


def _raw(weights: NeuralWeights, r: Array, origin: Array, insertion: Array, a: Array) -> SpanPaths:
    """Evaluate networks that take the ends' coordinates, of the forms "direct" and "segment", at n fractions ``a``."""
    n = len(a)
    direct = weights.form == "direct"
    inputs = np.column_stack([origin, insertion, a, r] if direct else [origin, insertion, a])
    basis = np.broadcast_to(np.eye(7, inputs.shape[1]), (n, 7, inputs.shape[1]))
    out, tangents = forward(weights.networks["position"], inputs, basis)
    tangents = tangents.transpose(0, 2, 1)
    if direct:
        unknown = np.full((n, 3), np.nan)
        return SpanPaths(out, tangents[..., :3], tangents[..., 3:6], tangents[..., 6], unknown[:, 0], unknown, unknown)
    bump, identity = (4 * a * (1 - a))[:, None], np.eye(3)
    chord = insertion - origin
    length = np.linalg.norm(chord, axis=1)
    extra, dextra = forward(weights.networks["length"], inputs[:, :6], basis[:, :6, :6])
    return SpanPaths(
        origin + a[:, None] * chord + bump * out,
        (1 - a)[:, None, None] * identity + bump[..., None] * tangents[..., :3],
        a[:, None, None] * identity + bump[..., None] * tangents[..., 3:6],
        chord + bump * tangents[..., 6] + (4 - 8 * a)[:, None] * out,
        length + extra[:, 0],
        -chord / length[:, None] + dextra[:, :3, 0],
        chord / length[:, None] + dextra[:, 3:, 0],
    )


def _planar(
    weights: NeuralWeights, surface: str, r: Array, side: Array, origin: Array, insertion: Array, a: Array
) -> SpanPaths:
    """Evaluate planar networks at n fractions ``a``, and transform points and derivatives to the surface's frame.

    The plane is that across a cylinder's axis, or that through a sphere's centre and both ends; ``side`` (n,) is the
    sense of turn, which only cylinders need.
    """
    cylinder = surface == "cylinder"
    in_plane = np.array([1.0, 1.0, 0.0 if cylinder else 1.0])
    p, q = origin * in_plane, insertion * in_plane
    length = np.linalg.norm(q - p, axis=1)
    t = (q - p) / length[:, None]
    f1, f2 = -_dot(p, t), _dot(q, t)
    foot = p + f1[:, None] * t
    if cylinder:
        n = side[:, None] * np.stack([t[:, 1], -t[:, 0], 0 * r], axis=1)
        d = _dot(foot, n)
    else:
        d = np.linalg.norm(foot, axis=1)
        n = foot / d[:, None]

    # d, f1, f2, a over the ends' six coordinates and the fraction: (n, 7, .)
    share1, share2, tilt = (f1 / length)[:, None], (f2 / length)[:, None], (d / length)[:, None]
    dd, df1, df2 = (
        np.concatenate(pair, axis=1)
        for pair in ((share2 * n, share1 * n), (tilt * n - t, -tilt * n), (-tilt * n, t + tilt * n))
    )
    directions = np.zeros((len(r), 7, 4))
    directions[:, :6, 0] = dd / r[:, None]
    directions[:, :6, 1] = df1 / np.hypot(r, f1)[:, None]
    directions[:, :6, 2] = df2 / np.hypot(r, f2)[:, None]
    directions[:, 6, 3] = 1
    inputs = np.stack([d / r, np.arcsinh(f1 / r), np.arcsinh(f2 / r), a], axis=1)
    out, tangents = forward(weights.networks["position"], inputs, directions)
    bump = 4 * a * (1 - a) * r
    along, aside = (bump * out.T)[..., None]
    tangents = bump[:, None, None] * tangents
    tangents[:, 6] += ((4 - 8 * a) * r)[:, None] * out

    # x = chord + along t + aside n; t and n turn with the chord
    chord_rotation = np.concatenate([-n, n], axis=1) / length[:, None]
    jacobian = np.einsum("ni,nj->nij", t, tangents[:, :6, 0] - aside * chord_rotation)
    jacobian += np.einsum("ni,nj->nij", n, tangents[:, :6, 1] + along * chord_rotation)
    if not cylinder:
        # and the plane turns with the ends
        b = np.cross(t, n)
        lift = np.concatenate([share2 * b, share1 * b], axis=1) * (aside / d[:, None])
        lift += np.concatenate([-b, b], axis=1) * (along / length[:, None])
        jacobian += np.einsum("ni,nj->nij", b, lift)
    identity = np.eye(3)
    chord = insertion - origin
    planar, dplanar = forward(weights.networks["length"], inputs[:, :3], directions[:, :6, :3])
    planar = length + r * planar[:, 0]
    dplanar = np.concatenate([-t, t], axis=1) + r[:, None] * dplanar[..., 0]
    rise = chord * (1 - in_plane)
    total = np.hypot(planar, rise[:, 2])
    dtotal = (planar[:, None] * dplanar + np.concatenate([-rise, rise], axis=1)) / total[:, None]
    return SpanPaths(
        origin + a[:, None] * chord + along * t + aside * n,
        (1 - a)[:, None, None] * identity + jacobian[..., :3],
        a[:, None, None] * identity + jacobian[..., 3:],
        chord + tangents[:, 6, :1] * t + tangents[:, 6, 1:] * n,
        total,
        dtotal[:, :3],
        dtotal[:, 3:],
    )


def _dot(u: Array, v: Array) -> Array:
    return np.einsum("ni,ni->n", u, v)

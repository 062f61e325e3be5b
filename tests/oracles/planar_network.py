"""The shipped network in NumPy, as a reference for the kernel, and the analytic path that it was taught."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from opensim_inertia import _kernel

from .finite_differences import Array

#: Layers of a network: ``weight`` (outputs, inputs) and ``bias`` (outputs,) of each.
Layers = Sequence[Mapping[str, Array]]
SMOOTHING = 0.2  # Half width of the touch that was taught, of the radius


class SpanPaths(NamedTuple):
    """Points on the paths of n spans, in the surface's frame [m], and their derivatives.

    Attributes:
        x: the points (n, 3).
        dx_dorigin, dx_dinsertion: (n, 3, 3), row: component of x.
        dx_dfraction: (n, 3).
        length: length of the whole path (n,).
        dlength_dorigin, dlength_dinsertion: (n, 3).
    """

    x: Array
    dx_dorigin: Array
    dx_dinsertion: Array
    dx_dfraction: Array
    length: Array
    dlength_dorigin: Array
    dlength_dinsertion: Array


def forward(layers: Layers, inputs: Array, directions: Array) -> tuple[Array, Array]:
    """A network's outputs (n, m), and their derivatives (n, t, m), from inputs (n, k) and directions (n, t, k)."""
    values, tangents = inputs, directions
    for i, layer in enumerate(layers):
        values, tangents = values @ layer["weight"].T + layer["bias"], tangents @ layer["weight"].T
        if i + 1 < len(layers):
            values = np.tanh(values)
            tangents = tangents * (1 - values**2)[:, None]
    return values, tangents


def network_spans(
    network: Mapping[str, Layers],
    surface: str,
    radius: Array | float,
    turn: Array | float,
    p: Array,
    q: Array,
    a: Array,
) -> SpanPaths:
    """The network's paths between p and q (n, 3), at fractions (n,), where nothing fades."""
    r, origin, insertion = np.broadcast_to(np.asarray(radius, dtype=float), len(a)), p, q
    cylinder = surface == "cylinder"
    in_plane = np.array([1.0, 1.0, 0.0 if cylinder else 1.0])
    p, q = origin * in_plane, insertion * in_plane
    length = np.linalg.norm(q - p, axis=1)
    t = (q - p) / length[:, None]
    f1, f2 = -_dot(p, t), _dot(q, t)
    foot = p + f1[:, None] * t
    if cylinder:
        n = np.broadcast_to(turn, len(a))[:, None] * np.stack([t[:, 1], -t[:, 0], 0 * r], axis=1)
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
    out, tangents = forward(network["position"], inputs, directions)
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
    planar, dplanar = forward(network["length"], inputs[:, :3], directions[:, :6, :3])
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


def analytic_spans(radius: Array, p: Array, q: Array, a: Array) -> SpanPaths:
    """The kernel's formula over cylinders about z of many radii (n,), counterclockwise, with the taught touch."""
    scale = radius[:, None]
    over = {"kind": "cylinder", "size": [1.0], "smoothing": SMOOTHING, "turn": 1.0, "long_way": True}
    unit = SpanPaths(*_kernel.wrap_spans({**over, "quadrant": np.zeros(3)}, p / scale, q / scale, a)[:7])
    return unit._replace(x=unit.x * scale, dx_dfraction=unit.dx_dfraction * scale, length=unit.length * radius)


class RandomSpans(NamedTuple):
    """Realistic spans over cylinders, attached and detached, that go counterclockwise and roughly along x."""

    radius: Array
    origin: Array
    insertion: Array
    fraction: Array
    away: NDArray[np.bool_]

    @classmethod
    def draw(cls, count: int, rng: np.random.Generator) -> RandomSpans:
        """At most ``count`` of them, over radii of 1 to 4 cm: those whose ends are outside."""
        ranges = ((0.01, 0.04), (0.2, 0.5), (0.1, 0.9), (-0.5, 1.5), (-0.05, 0.05), (-np.pi / 4, np.pi / 4))
        r, chord, foot, d, rise, angle = rng.uniform(*np.array(ranges).T[:, None], (count, len(ranges))).T
        t = np.stack([np.cos(angle), np.sin(angle), 0 * r], axis=1)
        outward = np.stack([t[:, 1], -t[:, 0], 0 * r], axis=1)
        origin = (d * r)[:, None] * outward - (foot * chord)[:, None] * t
        insertion = origin + chord[:, None] * t + rise[:, None] * [0, 0, 1]
        nearest = np.minimum(foot, 1 - foot) * chord
        away = (abs(1 - d) > SMOOTHING) & (nearest > r / 2)
        clear = np.hypot(nearest, d * r) > 1.1 * r
        return cls(*(column[clear] for column in (r, origin, insertion, rng.uniform(size=count), away)))

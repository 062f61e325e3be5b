"""Paths and wrap surfaces in the form in which the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .._kernel import PathNetwork, ScalarFunction, WrapSurface
from .._kernel import PathPoint as KernelPathPoint
from ..arrays import Array
from ..neural import NeuralWeights
from ..reading import ConditionalPoint, MovingPoint, PathPoint, WrappedPath
from ..wrapping import WrapSite


def kernel_point(point: PathPoint, body: Mapping[str, int], coordinate: Mapping[str, int]) -> KernelPathPoint:
    """The kernel's form of a path point; the mappings give places on the body and speed axes."""
    b = body[point.body]
    if isinstance(point, MovingPoint):
        functions = [
            ScalarFunction(
                -1 if f.coordinate is None else coordinate[f.coordinate],
                f.cubic.breaks.tolist(),
                f.cubic.pieces,
                *f.range,
            )
            for f in point.functions
        ]
        return KernelPathPoint.moving(b, np.ascontiguousarray(point.rotation), point.origin, functions)
    if isinstance(point, ConditionalPoint):
        return KernelPathPoint.conditional(b, point.station, coordinate[point.coordinate], *point.range)
    return KernelPathPoint.fixed(b, point.station)


#: Number of the body that carries an arc, its control points, their derivatives and their second derivatives.
KernelArc = tuple[int, Array, Array, Array]


def kernel_path(path: WrappedPath, body: Mapping[str, int]) -> tuple[list[int], list[KernelArc]]:
    """The kernel's form of a path that OpenSim leads; the mapping gives places on the body axis."""
    arcs = [(body[a.body], *map(np.ascontiguousarray, (a.points, a.jacobian, a.bias))) for a in path.arcs]
    return list(path.sequence), arcs  # type: ignore[return-value]


def kernel_surface(site: WrapSite, body: Mapping[str, int]) -> WrapSurface:
    """The kernel's form of a wrap site's surface; the mapping gives places on the body axis."""
    rotation, origin = site.surface.in_body
    return WrapSurface(
        site.surface.kind,
        site.surface.size,
        site.smoothing,
        site.turn,
        site.surface.quadrant,
        site.long_way,
        body[site.surface.body],
        np.ascontiguousarray(rotation),
        origin,
        None if site.network is None else kernel_network(site.network),
    )


def kernel_network(weights: NeuralWeights) -> PathNetwork:
    """The kernel's form of a surface's networks."""
    layers = {
        name: [(layer.weight.astype(np.float64), layer.bias.astype(np.float64)) for layer in network]
        for name, network in weights.networks.items()
    }
    return PathNetwork(weights.form == "planar", layers["position"], layers["length"])

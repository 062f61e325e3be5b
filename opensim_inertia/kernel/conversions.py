"""States, paths and wrap surfaces in the form in which the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .._kernel import GivenPath, PathNetwork, PolynomialBasis, ScalarFunction, State, WrapSurface
from .._kernel import PathPoint as KernelPathPoint
from ..neural import NeuralWeights
from ..polynomial import Polynomials
from ..reading import (
    ConditionalPoint,
    MovingPoint,
    MusclePath,
    PathPoint,
    PolynomialPoint,
    StateKinematics,
    WrappedPath,
)
from ..wrapping import WrapSite


def kernel_state(kinematics: StateKinematics, paths: Mapping[int, GivenPath] | None = None) -> State:
    """Return the kernel's form of a state.

    Args:
        kinematics: the state's arrays, which must not be changed afterwards.
        paths: the paths that OpenSim leads, by muscle number.
    """
    k = kinematics
    return State(k.q, k.u, k.rotation, k.position, k.jacobian, k.bias, paths or {})


def kernel_points(path: MusclePath, body: Mapping[str, int], coordinate: Mapping[str, int]) -> list[KernelPathPoint]:
    """Return the kernel's form of a path's points; the mappings give places on the body and speed axes."""
    bases: dict[int, PolynomialBasis] = {}
    found = []
    for point in path.points:
        if isinstance(point, PolynomialPoint):
            terms = point.polynomials
            if id(terms) not in bases:
                bases[id(terms)] = _kernel_basis(terms, [coordinate[name] for name in point.coordinates])
            coefficients = np.ascontiguousarray(point.coefficients)
            found.append(KernelPathPoint.polynomial(body[point.body], bases[id(terms)], coefficients))
        else:
            found.append(_kernel_point(point, body, coordinate))
    return found


def _kernel_basis(terms: Polynomials, coordinates: list[int]) -> PolynomialBasis:
    return PolynomialBasis(coordinates, terms.centre, terms.scale, terms.exponents.tolist())


def _kernel_point(point: PathPoint, body: Mapping[str, int], coordinate: Mapping[str, int]) -> KernelPathPoint:
    b = body[point.body]
    if isinstance(point, MovingPoint):
        functions = [
            ScalarFunction(
                -1 if f.coordinate is None else coordinate[f.coordinate],
                f.polynomial.breaks.tolist(),
                f.polynomial.pieces,
                *f.range,
            )
            for f in point.functions
        ]
        return KernelPathPoint.moving(b, np.ascontiguousarray(point.rotation), point.origin, functions)
    if isinstance(point, ConditionalPoint):
        return KernelPathPoint.conditional(b, point.station, coordinate[point.coordinate], *point.range)
    assert not isinstance(point, PolynomialPoint)
    return KernelPathPoint.fixed(b, point.station)


def kernel_path(path: WrappedPath, body: Mapping[str, int]) -> GivenPath:
    """Return the kernel's form of a path that OpenSim leads; the mapping gives places on the body axis."""
    arcs = [
        (body[a.body], np.ascontiguousarray(a.points), np.ascontiguousarray(a.jacobian), np.ascontiguousarray(a.bias))
        for a in path.arcs
    ]
    return GivenPath(path.sequence, arcs)


def kernel_surface(site: WrapSite, body: Mapping[str, int]) -> WrapSurface:
    """Return the kernel's form of a wrap site's surface; the mapping gives places on the body axis."""
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
    """Return the kernel's form of a surface's networks."""
    layers = {
        name: [(layer.weight.astype(np.float64), layer.bias.astype(np.float64)) for layer in network]
        for name, network in weights.networks.items()
    }
    return PathNetwork(weights.form == "planar", layers["position"], layers["length"])

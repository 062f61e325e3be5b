"""Finite differences of OpenSim's own current path: what the package's mass points must agree with.

A muscle's current path is taken as it is at a state (:mod:`oracles.current_path`). Mass points are set on it by arc
length and everything else (Jacobian, Jdot u, dM, gravity, h) is differenced, by moving the model.

The path is smooth in q only while the same elements are active: conditional points that switch, wraps that touch
or let go, moving points that reach the end of their range, and knots of cubic splines (in joints and moving
points; their third derivative jumps) are kinks. :meth:`PathDifferences.signature` names the smooth piece that a state
is on, and every derivative says which of its numbers stayed on one piece; use only those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from opensim_inertia._core.opensim import osim

from .current_path import CurrentPath, Wrap, read_current_path
from .finite_differences import FIRST, SECOND, Array
from .mechanism import coordinate_order
from .numpy_kernel import MaterialMap

_REACH = (-4, -2, -1, 1, 2, 4)
ArcLengths = Callable[[float], Array]
STEP = 1e-3  # rad or m: truncation step^4 / 30 and rounding 1e-16 / step are both below 1e-12 per metre here
FLOW_STEP = 2e-3  # of the fastest coordinate: second differences round at 1e-16 / step^2


@dataclass(frozen=True)
class Difference:
    """A differenced quantity and how far to trust it."""

    value: Array
    smooth: NDArray[np.bool_]
    spread: Array

    def trusted(self, tolerance: float) -> NDArray[np.bool_]:
        """Parts that are smooth and whose spread is at most ``tolerance``."""
        return self.smooth & (self.spread <= tolerance)


def sum_of(parts: Sequence[Difference]) -> Difference:
    """Of one quantity."""
    smooth = np.all([part.smooth for part in parts], axis=0)
    return Difference(sum(part.value for part in parts), smooth, sum(part.spread for part in parts))


class PathDifferences:
    """Differences of the current paths of a model's muscles."""

    def __init__(self, model: osim.Model, state: osim.State) -> None:
        self.model, self._state = model, state
        self.coordinates = coordinate_order(model)
        if state.getNQ() != state.getNU() or len(self.coordinates) != state.getNU():
            raise ValueError("this oracle needs one speed per coordinate")
        self._paths: dict[str, osim.GeometryPath] = {}
        self._q = state.getQ().to_numpy().copy()
        self._is_moved = False
        self._muscle, self._at = "", dict[bytes, CurrentPath]()
        self._wraps: dict[str, Wrap] = {}
        self._knots = spline_knots(model, self.coordinates)

    # ----- the path -------------------------------------------------------------------------------------------------

    @property
    def q(self) -> Array:
        """Coordinates in the order of the state [rad or m]."""
        return self._q.copy()

    def move(self, q: Array) -> None:
        """Set the coordinates and realize positions; no constraint is enforced."""
        self._look_at(q)
        self.state  # noqa: B018

    def _look_at(self, q: Array) -> None:
        """Set the coordinates, which the state takes when something has to be read from it."""
        self._q, self._is_moved = np.array(q, float), False

    @property
    def state(self) -> osim.State:
        if not self._is_moved:
            self._state.setQ(osim.Vector.createFromMat(self._q))
            self.model.realizePosition(self._state)
            self._is_moved = True
        return self._state

    def current_path(self, muscle: str) -> CurrentPath:
        """The muscle's current path at the state."""
        if muscle != self._muscle:
            self._muscle, self._at = muscle, {}
        key = self._q.tobytes()
        if key not in self._at:
            self._at[key] = self._read(muscle)
        return self._at[key]

    def _read(self, muscle: str) -> CurrentPath:
        return read_current_path(self.geometry(muscle), self.state, self._wraps)

    def positions(self, muscle: str, s_of_length: ArcLengths) -> Array:
        """Mass points (n, 3) [m] in ground at arc lengths ``s_of_length(L)``."""
        path = self.current_path(muscle)
        return path.places(s_of_length(path.length))

    def signature(self, muscle: str) -> tuple[object, ...]:
        """What is active at the state: path points, wraps, the polynomial pieces of every spline."""
        return self.current_path(muscle).names, self._pieces()

    # ----- points ---------------------------------------------------------------------------------------------------

    def jacobian_fd(self, muscle: str, s_of_length: ArcLengths, step: float = STEP) -> Difference:
        """Jacobians (n, 3, nu) of the mass points; mask and spread are (n, nu), by columns."""
        q = self.q
        home = self._sample(muscle, s_of_length, q)
        shape = len(home.points), q.size
        value, smooth, spread = np.zeros((shape[0], 3, shape[1])), np.ones(shape, bool), np.zeros(shape)
        for i in range(q.size):
            at = {k: self._sample(muscle, s_of_length, _shifted(q, i, k * step)) for k in _REACH}
            fine = sum(c * at[k].points for k, c in FIRST) / step
            coarse = sum(c * at[2 * k].points for k, c in FIRST) / (2 * step)
            value[:, :, i], spread[:, i] = fine, np.linalg.norm(fine - coarse, axis=1)
            for there in at.values():
                smooth[:, i] &= home.same_piece(there)
        self.move(q)
        return Difference(value, smooth, spread)

    def jdot_u_fd(self, muscle: str, s_of_length: ArcLengths, u: Array, step: float = FLOW_STEP) -> Difference:
        """Jdot u (n, 3) of the mass points, as their acceleration along q + u t; mask and spread are (n,)."""
        q, u = self.q, np.asarray(u, float)
        scale = max(float(np.max(np.abs(u))), 1e-30)
        home = self._sample(muscle, s_of_length, q)
        at = {k: self._sample(muscle, s_of_length, q + k * step * u / scale) for k in _REACH}
        fine = sum(c * (at[k].points - home.points) for k, c in SECOND if k) * (scale / step) ** 2
        coarse = sum(c * (at[2 * k].points - home.points) for k, c in SECOND if k) * (scale / (2 * step)) ** 2
        smooth = np.ones(len(home.points), bool)
        for there in at.values():
            smooth &= home.same_piece(there)
        self.move(q)
        return Difference(fine, smooth, np.linalg.norm(fine - coarse, axis=1))

    # ----- a belly of mass spread evenly ----------------------------------------------------------------------------

    def added_mass_fd(self, muscle: str, material: MaterialMap, mass: float, step: float = STEP) -> Difference:
        """dM (nu, nu) of ``mass`` [kg] spread over the belly."""

        def once(step: float) -> tuple[Array, bool]:
            jacobian, weights, smooth = self._belly_jacobian(muscle, material, self.q, step)
            return mass * np.einsum("k,kai,kaj->ij", weights, jacobian, jacobian), smooth

        return _twice(once, step)

    def gravity_fd(
        self,
        muscle: str,
        material: MaterialMap,
        mass: float,
        gravity: Iterable[float] | None = None,
        step: float = STEP,
    ) -> Difference:
        """g_m = -dV/dq (nu,) of the belly; gravity [m/s^2] is the model's by default."""
        g = self.model.getGravity().to_numpy() if gravity is None else np.asarray(gravity, float)

        def once(step: float) -> tuple[Array, bool]:
            q = self.q
            home, result, smooth = self.signature(muscle), np.zeros(q.size), True
            for i in range(q.size):
                for k, c in FIRST:
                    self._look_at(_shifted(q, i, k * step))
                    smooth &= self.signature(muscle) == home
                    path = self.current_path(muscle)
                    nodes = _belly_nodes(path, material)
                    result[i] += c / step * mass * float(nodes.weights @ (nodes.at(path) @ g))
            self.move(q)
            return result, smooth

        return _twice(once, step)

    def bias_christoffel_fd(
        self, muscle: str, material: MaterialMap, mass: float, u: Array, step: float = 2e-3
    ) -> Difference:
        """h = -(d(dM u)/dt - dT/dq) (nu,) at constant u of the belly, whatever happens at corners."""
        u = np.asarray(u, float)
        scale = max(float(np.max(np.abs(u))), 1e-30)
        moving = self._moving(muscle, self.q)

        def once(step: float) -> tuple[Array, bool]:
            """Return h (nu,) by differences of one step, and whether the path has the same points throughout."""
            q = self.q
            home, smooth, result = self.signature(muscle), True, np.zeros(q.size)
            for k, c in FIRST:
                there = q + k * step * u / scale
                self._look_at(there)
                smooth &= self.signature(muscle) == home
                jacobian, weights, ok = self._belly_jacobian(muscle, material, there, step, moving)
                result -= c * scale / step * mass * np.einsum("k,kai,kaj,j->i", weights, jacobian, jacobian, u)
                smooth &= ok
                for i in moving:
                    shifted = _shifted(q, i, k * step)
                    self._look_at(shifted)
                    smooth &= self.signature(muscle) == home
                    energy, ok = self._kinetic(muscle, material, mass, shifted, u, step)
                    result[i] += c / step * energy
                    smooth &= ok
            self.move(q)
            return result, bool(smooth)

        return _twice(once, step)

    # ----- inside ---------------------------------------------------------------------------------------------------

    def _moving(self, muscle: str, q: Array) -> list[int]:
        home = self.current_path(muscle).points
        moving = []
        for i in range(q.size):
            self._look_at(_shifted(q, i, 0.01))
            there = self.current_path(muscle).points
            if there.shape != home.shape or np.any(there != home):
                moving.append(i)
        self.move(q)
        return moving

    def _belly_jacobian(
        self, muscle: str, material: MaterialMap, q: Array, step: float, columns: Iterable[int] | None = None
    ) -> tuple[Array, Array, bool]:
        """Return the Jacobian (points, 3, nq) [m per unit of q] of a belly's points, by central differences."""
        self.move(q)
        home, path = self.signature(muscle), self.current_path(muscle)
        nodes = _belly_nodes(path, material)
        jacobian, smooth = np.zeros((len(nodes.betas), 3, q.size)), True
        for i in range(q.size) if columns is None else columns:
            for k, c in FIRST:
                self._look_at(_shifted(q, i, k * step))
                smooth &= self.signature(muscle) == home
                there = self.current_path(muscle)
                if there.names == path.names:
                    jacobian[:, :, i] += c / step * nodes.at(there)
        self.move(q)
        return jacobian, nodes.weights, smooth

    def _kinetic(
        self, muscle: str, material: MaterialMap, mass: float, q: Array, u: Array, step: float
    ) -> tuple[float, bool]:
        """Return the kinetic energy [J] of a belly at speeds u (nq,), and whether its path touches the same bodies."""
        scale = max(float(np.max(np.abs(u))), 1e-30)
        self.move(q)
        home, path = self.signature(muscle), self.current_path(muscle)
        nodes = _belly_nodes(path, material)
        velocity, smooth = np.zeros((len(nodes.betas), 3)), True
        for k, c in FIRST:
            self._look_at(q + k * step * u / scale)
            smooth &= self.signature(muscle) == home
            there = self.current_path(muscle)
            if there.names == path.names:
                velocity += c * scale / step * nodes.at(there)
        self.move(q)
        return float(0.5 * mass * nodes.weights @ np.sum(velocity**2, axis=1)), bool(smooth)

    def _sample(self, muscle: str, s_of_length: ArcLengths, q: Array) -> _Sample:
        self._look_at(q)
        path = self.current_path(muscle)
        s = np.atleast_1d(s_of_length(path.length))
        elements = np.array([path.locate(float(x)) for x in s])
        return _Sample(path.places(s), elements, (path.names, self._pieces()))

    def _pieces(self) -> tuple[int, ...]:
        return tuple(int(np.searchsorted(knots, self._q[i])) for i, knots in self._knots)

    def geometry(self, muscle: str) -> osim.GeometryPath:
        if muscle not in self._paths:
            self._paths[muscle] = osim.GeometryPath.safeDownCast(self.model.getMuscles().get(muscle).getPath())
        return self._paths[muscle]


@dataclass(frozen=True)
class _Sample:
    points: Array
    elements: NDArray[np.int64]
    piece: tuple[object, ...]

    def same_piece(self, other: _Sample) -> NDArray[np.bool_]:
        return (self.elements == other.elements) & (self.piece == other.piece)


@dataclass(frozen=True)
class _BellyNodes:
    """Quadrature over beta, every node tied to its element so that small motions of the corners do not matter."""

    material: MaterialMap
    elements: NDArray[np.int64]
    betas: Array  # nodes as shares (0..1) of what their element carries
    weights: Array  # in beta

    def at(self, path: CurrentPath) -> Array:
        return np.array(
            [
                path.at(self.material.arc_length(float(b), path.length)[0], element=int(k))
                for k, b in zip(self.elements, self.betas, strict=True)
            ]
        )


def _belly_nodes(path: CurrentPath, material: MaterialMap) -> _BellyNodes:
    """Two Gauss points on every straight piece of the belly, 12 on every arc."""
    length = path.length
    belly = material.belly(length)[0]
    first = material.f * (length - belly)
    cuts = np.clip((path.cuts - first) / belly, 0.0, 1.0)
    cuts[0], cuts[-1] = 0.0, 1.0
    elements, betas, weights = [], [], []
    for k, element in enumerate(path.elements):
        if cuts[k + 1] - cuts[k] > 1e-12:
            x, w = np.polynomial.legendre.leggauss(2 if element.arc is None else 12)
            elements += [k] * len(x)
            betas.append(cuts[k] + (cuts[k + 1] - cuts[k]) * 0.5 * (x + 1))
            weights.append((cuts[k + 1] - cuts[k]) * 0.5 * w)
    return _BellyNodes(material, np.array(elements), np.concatenate(betas), np.concatenate(weights))


def _twice(once: Callable[[float], tuple[Array, bool]], step: float) -> Difference:
    """With a step and with twice the step; the mask says the same for every entry."""
    fine, smooth = once(step)
    coarse, also = once(2 * step)
    return Difference(fine, np.full(fine.shape, smooth and also), np.abs(fine - coarse))


def _shifted(q: Array, i: int, by: float) -> Array:
    moved = q.copy()
    moved[i] += by
    return moved


def spline_knots(model: osim.Model, order: list[str]) -> list[tuple[int, Array]]:
    """(index of the coordinate, knots) for every spline in joints and moving points, and ends of their ranges."""
    arrays: dict[tuple[int, bytes], Array] = {}

    def note(coordinate: str, knots: Iterable[float]) -> None:
        array = np.array(sorted(knots))
        index = order.index(coordinate)
        arrays[index, array.tobytes()] = array

    joints = model.getJointSet()
    for j in range(joints.getSize()):
        custom = osim.CustomJoint.safeDownCast(joints.get(j))
        if custom is None:
            continue
        transform = custom.getSpatialTransform()
        for k in range(6):
            axis = transform.getTransformAxis(k)
            names = axis.getCoordinateNamesInArray()
            knots = _knots(axis.getFunction())
            if knots is not None and names.getSize() == 1:
                note(names.get(0), knots)
    for muscle in model.getMuscles():
        geometry = osim.GeometryPath.safeDownCast(muscle.getPath())
        if geometry is None:
            continue
        points = geometry.getPathPointSet()
        for i in range(points.getSize()):
            moving = osim.MovingPathPoint.safeDownCast(points.get(i))
            if moving is None:
                continue
            for axis in "xyz":
                if not getattr(moving, f"has{axis.upper()}Coordinate")():
                    continue
                coordinate = getattr(moving, f"get{axis.upper()}Coordinate")()
                ends = [coordinate.getRangeMin(), coordinate.getRangeMax()]
                knots = _knots(getattr(moving, f"get_{axis}_location")())
                note(coordinate.getName(), ends + (knots or []))
    return [(index, array) for (index, _), array in arrays.items()]


def _knots(function: osim.Function) -> list[float] | None:
    scaled = osim.MultiplierFunction.safeDownCast(function)
    if scaled is not None:
        return _knots(scaled.getFunction())
    for kind in (osim.SimmSpline, osim.PiecewiseLinearFunction):
        spline = kind.safeDownCast(function)
        if spline is not None:
            return [
                spline.getX(i)
                for i in range(spline.getNumberOfPoints() if kind is osim.SimmSpline else spline.getSize())
            ]
    return None

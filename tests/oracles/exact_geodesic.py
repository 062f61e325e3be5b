"""The exact taut path from p to q over one cylinder, sphere or ellipsoid, twice: from OpenSim and from an ODE.

OpenSim's ``Scholz2015GeometryPath`` stops at 1e-5 rad of kink where line and curve meet; its decorations show its
points, which :func:`live_path` reads: tangent points to 6e-6 m at worst. :func:`exact_path` polishes them: Newton
on the first tangent point and the arc length, geodesic by DOP853, and says whether OpenSim's length agrees (to 2e-11 m;
of ellipsoids one to three in a hundred do not converge there). :func:`closed_form` is the answer on paper for cylinder
and sphere, which the polished path is to 3e-16 m.

"Taut" is locally shortest: there is one path for every way round. All three surfaces are {x : x.A x = 1}, A diagonal (0
along a cylinder's axis), in the surface's own frame; metres.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.integrate import solve_ivp

from opensim_inertia._core.opensim import osim

from .finite_differences import Array

Kind = Literal["cylinder", "sphere", "ellipsoid"]
Size = float | tuple[float, float, float]  # radius, or the three half axes of an ellipsoid [m]

#: OpenSim's length may be off by half its kink (1e-5 rad) squared times a lead (0.5 m), at both ends, which is 5e-11 m,
#: and by its integrator (1e-10 a step; up to 8e-10 m seen where the path goes nearly once round) [m].
LENGTH_TOLERANCE = 1e-9


@dataclass(frozen=True)
class LivePath:
    """What OpenSim says: ``length`` [m] and ``points`` (n, 3), p and q first and last; two where nothing is touched."""

    length: float
    points: Array

    @property
    def touches(self) -> bool:
        return len(self.points) > 2


@dataclass(frozen=True)
class ExactPath:
    """A taut path by arc length from p."""

    length: float
    touches: bool
    tangents: Array
    cuts: Array
    p: Array
    q: Array
    on_surface: Callable[[float], Array]
    confirmed: bool = False

    def place(self, s: float) -> Array:
        """Point (3,) at ``s`` metres from p, 0 <= s <= length."""
        if not self.touches:
            return self.p + (self.q - self.p) * (s / self.length)
        first, second = self.tangents
        if s <= self.cuts[1]:
            return self.p + (first - self.p) * (s / self.cuts[1])
        if s >= self.cuts[2]:
            return self.q + (second - self.q) * ((self.length - s) / (self.length - self.cuts[2]))
        return self.on_surface(s - float(self.cuts[1]))


def live_path(kind: Kind, size: Size, p: Array, q: Array, hint: Array) -> LivePath:
    """OpenSim's path; ``hint`` (3,) is where its search for the contact begins, not a constraint."""
    model = osim.Model()
    ground = model.getGround()
    zero = osim.Vec3(0)
    if kind == "ellipsoid":
        surface = osim.ContactEllipsoid(osim.Vec3(*np.asarray(size).tolist()), zero, zero, ground, "surface")
    elif kind == "cylinder":
        surface = osim.ContactCylinder(size, zero, zero, ground, "surface")
    else:
        surface = osim.ContactSphere(size, zero, ground, "surface")
    model.addContactGeometry(surface)
    path = osim.Scholz2015GeometryPath()
    path.appendPathPoint(ground, osim.Vec3(*map(float, p)))
    path.appendObstacle(surface, osim.Vec3(*map(float, hint)))
    path.appendPathPoint(ground, osim.Vec3(*map(float, q)))
    model.addComponent(path)
    state = model.initSystem()
    model.realizePosition(state)
    hints = model.updDisplayHints()
    hints.set_show_path_points(True)
    shapes = osim.ArrayDecorativeGeometry()
    path.generateDecorations(False, hints, state, shapes)
    spheres = [shapes.getElt(i) for i in range(0, shapes.size(), 2)]  # a line after each
    points = [one.getTransform().p().to_numpy().copy() for one in spheres]
    result = LivePath(path.getLength(state), np.array(points))
    del spheres, shapes, state  # before the model that they belong to
    return result


def exact_path(kind: Kind, size: Size, p: Array, q: Array, hint: Array) -> ExactPath:
    """The taut path nearest OpenSim's, to 1e-12 m; nearest the hint's side where OpenSim's solver fails."""
    p, q, hint = (np.asarray(x, float) for x in (p, q, hint))
    a = quadric(kind, size)
    if min(p @ (a * p), q @ (a * q)) <= 1:
        raise ValueError("p or q is inside the surface")
    deepest = _deepest(a, p, q)
    for start in (hint, *_better_hint(a, p, q, hint)):
        live: LivePath | None = None
        with suppress(RuntimeError):  # its projection of the hint fails now and then
            live = live_path(kind, size, p, q, start)
        if live is not None and not live.touches and deepest @ (a * deepest) >= 1:
            return _straight(p, q)
        if live is not None and live.touches:
            curve = live.points[1:-1]
            with suppress(ArithmeticError, np.linalg.LinAlgError):
                path = taut_path(a, p, q, curve[0], float(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum()))
                return replace(path, confirmed=abs(path.length - live.length) <= LENGTH_TOLERANCE)
        with suppress(ArithmeticError, np.linalg.LinAlgError):
            return taut_path(a, p, q, *own_start(kind, size, p, q, start))
    raise ArithmeticError("no taut path found")


def quadric(kind: Kind, size: Size) -> Array:
    """Diagonal (3,) of A [1/m^2]."""
    if kind == "ellipsoid":
        return 1 / np.square(size)
    return np.array([1.0, 1.0, 0.0 if kind == "cylinder" else 1.0]) / np.square(size)


def taut_path(a: Array, p: Array, q: Array, tangent: Array, arc: float) -> ExactPath:
    """Newton from a first ``tangent`` point (3,) and ``arc`` length: tangent at both ends, without a kink."""
    x, s = np.array(tangent, float), float(arc)
    reach = 0.3 * min(1 / np.sqrt(a.max()), 1.0)  # [m] no step further than this
    for _ in range(30):
        step = 1e-7 * np.vstack([np.zeros(3), np.eye(3)])  # home, and x shifted along each axis
        starts = x + step
        y, t = _ends(a, starts, _unit(starts - p), s)
        residuals = np.array([_residual(a, p, q, *one) for one in zip(starts, y, t, strict=True)])
        jacobian = np.empty((4, 4))
        jacobian[:, :3] = (residuals[1:] - residuals[0]).T / 1e-7
        ahead = _acceleration(a, y[0], t[0]) * 1e-7
        jacobian[:, 3] = (_residual(a, p, q, x, y[0] + t[0] * 1e-7, t[0] + ahead) - residuals[0]) / 1e-7
        change = np.linalg.solve(jacobian, residuals[0])
        change *= reach / max(reach, np.abs(change).max())
        x, s = x - change[:3], s - float(change[3])
        if np.abs(change).max() < 1e-13:
            break
    else:
        raise ArithmeticError(f"Newton stands at a change of {np.abs(change).max():.1e} m")
    direction = _unit(x - p)
    (end,), (onward,) = _ends(a, x[None], direction[None], s)
    if s < 0 or onward @ (q - end) < 0:
        raise ArithmeticError("the lines cross: the straight line is free on this side")
    before, after = float(np.linalg.norm(x - p)), float(np.linalg.norm(q - end))

    def on_surface(sigma: float) -> Array:
        return _ends(a, x[None], direction[None], sigma)[0][0]

    cuts = np.cumsum([0.0, before, s, after])
    return ExactPath(float(cuts[-1]), True, np.array([x, end]), cuts, p, q, on_surface)


def own_start(kind: Kind, size: Size, p: Array, q: Array, hint: Array) -> tuple[Array, float]:
    """First tangent point (3,) and arc length [m]: the closed form; on an ellipsoid, of the plane of p, q and hint."""
    if kind != "ellipsoid":
        path = closed_form(kind, size, p, q, hint)
        return path.tangents[0], float(path.cuts[2] - path.cuts[1])
    axes = np.array(size)
    u, v, w = p / axes, q / axes, hint / axes
    normal = _unit(np.cross(u - w, v - w))
    centre = normal * (normal @ u)
    if centre @ centre >= 1:
        raise ArithmeticError("the plane of p, q and hint misses the ellipsoid")
    radius = float(np.sqrt(1 - centre @ centre))
    flat = closed_form("sphere", radius, u - centre, v - centre, w - centre)
    points = np.array([centre + flat.on_surface(sigma) for sigma in np.linspace(0.0, flat.cuts[2] - flat.cuts[1], 30)])
    return axes * points[0], float(np.linalg.norm(np.diff(axes * points, axis=0), axis=1).sum())


def closed_form(kind: Kind, size: Size, p: Array, q: Array, hint: Array) -> ExactPath:
    """The answer on paper if the path touches: the way round whose middle is nearer the hint's direction."""
    p, q, hint = (np.asarray(x, float) for x in (p, q, hint))
    radius = float(size)  # type: ignore[arg-type]
    if kind == "sphere":  # in the plane of p, q and the centre; "z" out of it is zero
        normal = _unit(np.cross(p, q))
        frame = np.array([_unit(p), np.cross(normal, _unit(p)), normal])
    elif kind == "cylinder":
        frame = np.eye(3)
    else:
        raise ValueError(kind)
    a, b, h = frame @ p, frame @ q, frame @ hint
    angles = np.arctan2(a[1], a[0]), np.arctan2(b[1], b[0])
    flat = np.hypot(*a[:2]), np.hypot(*b[:2])
    off = [float(np.arccos(radius / d)) for d in flat]  # from the foot of a point to its tangent point
    ways = []
    for sign in (1.0, -1.0):
        between = sign * (angles[1] - angles[0]) % (2 * np.pi)
        sweep = between - off[0] - off[1]
        middle = angles[0] + sign * (off[0] + sweep / 2)
        ways.append((float(np.cos(middle) * h[0] + np.sin(middle) * h[1]), sign, sweep))
    _, sign, sweep = max(ways)
    legs = np.array([np.sqrt(flat[0] ** 2 - radius**2), radius * sweep, np.sqrt(flat[1] ** 2 - radius**2)])
    along = np.concatenate([[0.0], np.cumsum(legs)])
    length = float(np.hypot(along[-1], b[2] - a[2]))
    slope = length / along[-1]  # arc length per metre of the flat path

    def on_surface(sigma: float) -> Array:
        u = sigma / slope
        angle = angles[0] + sign * (off[0] + u / radius)
        z = a[2] + (b[2] - a[2]) * (along[1] + u) / along[-1]
        return frame.T @ np.array([radius * np.cos(angle), radius * np.sin(angle), z])

    tangents = np.array([on_surface(0.0), on_surface(float(legs[1]) * slope)])
    return ExactPath(length, True, tangents, along * slope, p, q, on_surface)


def _deepest(a: Array, p: Array, q: Array) -> Array:
    """Where x.A x (3,) is least on the segment from p to q."""
    d = q - p
    return p + d * np.clip(-(p @ (a * d)) / (d @ (a * d)), 0.0, 1.0)


def _better_hint(a: Array, p: Array, q: Array, hint: Array) -> list[Array]:
    """Straight up from the segment's deepest place, on the hint's side: there OpenSim's solver fails least."""
    up = a * _deepest(a, p, q)
    return [up / np.sqrt(up @ (a * up))] if up @ hint > 0 else []


def _straight(p: Array, q: Array) -> ExactPath:
    length = float(np.linalg.norm(q - p))

    def nowhere(sigma: float) -> Array:
        raise ValueError("the path does not touch")

    return ExactPath(length, False, np.zeros((0, 3)), np.array([0.0, length]), p, q, nowhere, True)


def _residual(a: Array, p: Array, q: Array, x: Array, y: Array, t: Array) -> Array:
    """x on the surface; p - x in x's tangent plane; q - y along the curve's direction t at its end y (two rows) [m]."""
    n, m = a * x, a * y
    side = np.cross(_unit(m), t)
    return np.array([(x @ n - 1) / (2 * np.linalg.norm(n)), _unit(n) @ (x - p), _unit(m) @ (q - y), side @ (q - y)])


def _ends(a: Array, x: Array, t: Array, s: float) -> tuple[Array, Array]:
    """Points and directions (n, 3) at arc length ``s`` of the geodesics that start at ``x`` (n, 3) along ``t``."""
    n = len(x)

    def slope(_: float, y: Array) -> Array:
        place, direction = y.reshape(2, n, 3)
        return np.concatenate([direction, _acceleration(a, place, direction)]).ravel()

    if s == 0.0:
        return x, t
    done = solve_ivp(slope, (0.0, s), np.concatenate([x, t]).ravel(), method="DOP853", rtol=1e-13, atol=1e-15)
    place, direction = done.y[:, -1].reshape(2, n, 3)
    return place, direction


def _acceleration(a: Array, x: Array, t: Array) -> Array:
    """x'' of a geodesic on the level set of x.A x through x: along the normal only."""
    n = a * x
    return -n * np.sum(t * a * t, axis=-1, keepdims=True) / np.sum(n * n, axis=-1, keepdims=True)


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x, axis=-1, keepdims=True)

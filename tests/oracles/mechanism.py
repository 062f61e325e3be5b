"""A muscle's mass points built as real bodies in stock OpenSim: struts, sliders, linear couplers.

Each segment of the path is a massless strut on a universal joint, whose end slides to the next path point, where a
PointConstraint holds it. Mass points slide along the struts by CoordinateCouplerConstraints: the path's length is the
sum of the ends' coordinates, of which a uniformly strained muscle keeps its point at a fraction. End sliders need a
mass, which is taken out of the rod on which they end.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from opensim_inertia._core.opensim import osim

Array = NDArray[np.float64]
Station = tuple[str, tuple[float, float, float]]

LENGTHS = (0.42, 0.4)
ROD_MASSES = (3.1, 2.3)
ROD_INERTIAS = (0.05, 0.034)  # about the centre of mass and the pin's axis
END_MASS = 0.05  # of every end slider, out of the rod that it ends on

STRAIGHT_PATH: tuple[Station, ...] = (("ground", (0.03, 0.05, 0.02)), ("rod2", (0.05, -0.13, -0.04)))
THREE_SEGMENT_PATH: tuple[Station, ...] = (
    ("ground", (0.06, 0.04, 0.05)),
    ("rod1", (0.07, -0.2, -0.03)),
    ("rod2", (0.06, -0.1, 0.04)),
    ("rod1", (-0.08, -0.25, -0.05)),
)


@dataclass
class Mechanism:
    """The mechanism, and the pendulum with the muscle that it stands for."""

    model: osim.Model
    pendulum: osim.Model
    path: tuple[Station, ...]
    fractions: tuple[float, ...]
    masses: tuple[float, ...]
    coordinates: tuple[str, str] = ("shoulder", "elbow")
    _order: list[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._state = self.model.initSystem()
        self._order = coordinate_order(self.model)
        self._free = [self._order.index(c) for c in self.coordinates]
        self._dependent_places = [i for i, c in enumerate(self._order) if c not in self.coordinates]
        self._points = point_segments(self.path, self.fractions)

    def reduced_mass_matrix(self, q: Sequence[float], u: Sequence[float] = (0.0, 0.0)) -> Array:
        """N^T M N (2, 2), N spanning the motions that the constraints allow and identity on the pendulum."""
        state = self._put(q, u)
        mass = osim.Matrix()
        self.model.getMatterSubsystem().calcM(state, mass)
        n = self._null_basis(state)
        return n.T @ mass.to_numpy() @ n

    def accelerations(self, q: Sequence[float], u: Sequence[float]) -> Array:
        """The pendulum's accelerations (2,) [rad/s^2] from OpenSim's own constrained forward dynamics."""
        state = self._put(q, u)
        self.model.realizeAcceleration(state)
        return state.getUDot().to_numpy()[self._free].copy()

    def _put(self, q: Sequence[float], u: Sequence[float]):  # type: ignore[no-untyped-def]
        values = dict(zip(self.coordinates, q, strict=True)) | self._dependent(q)
        state = self._state
        state.setQ(osim.Vector.createFromMat(np.array([values[c] for c in self._order])))
        self.model.realizePosition(state)
        speeds = self._null_basis(state) @ np.asarray(u, float)
        state.setU(osim.Vector.createFromMat(speeds))
        self.model.realizeVelocity(state)
        return state

    def _null_basis(self, state) -> Array:  # type: ignore[no-untyped-def]
        g = osim.Matrix()
        self.model.getMatterSubsystem().calcG(state, g)
        rows = g.to_numpy()
        basis = np.zeros((len(self._order), 2))
        basis[self._free] = np.eye(2)
        basis[self._dependent_places] = -np.linalg.solve(rows[:, self._dependent_places], rows[:, self._free])
        return basis

    def _dependent(self, q: Sequence[float]) -> dict[str, float]:
        """Coordinates of struts and sliders, from the geometry."""
        frames = pendulum_frames(q)
        points = [frames[b][0] @ np.asarray(x) + frames[b][1] for b, x in self.path]
        lengths = [float(np.linalg.norm(b - a)) for a, b in zip(points[:-1], points[1:], strict=True)]
        values: dict[str, float] = {}
        for k, (start, end) in enumerate(zip(points[:-1], points[1:], strict=True)):
            x, y, z = frames[self.path[k][0]][0].T @ (end - start) / lengths[k]
            values[f"strut{k}_x"] = float(np.arctan2(-y, z))  # z axis of Rx(a) Ry(b) is (sin b, -sin a cos b, ...)
            values[f"strut{k}_y"] = float(np.arcsin(x))
            values[f"end{k}"] = lengths[k]
        for j, k in enumerate(self._points):
            values[f"point{j}"] = self.fractions[j] * sum(lengths) - sum(lengths[:k])
        return values


def straight_mechanism(
    fractions: Sequence[float] = (0.2, 0.55, 0.85), masses: Sequence[float] = (0.7, 1.1, 0.4)
) -> Mechanism:
    """Mass points on a straight muscle from ground to the second rod, under uniform strain."""
    return build(STRAIGHT_PATH, fractions, masses)


def three_segment_mechanism(
    fractions: Sequence[float] = (0.15, 0.45, 0.85), masses: Sequence[float] = (0.7, 1.1, 0.4)
) -> Mechanism:
    """Mass points on a path ground, rod 1, rod 2, rod 1, which stay on their segment at q = (0.3, 0.4)."""
    return build(THREE_SEGMENT_PATH, fractions, masses)


def segments_hold(mechanism: Mechanism, q: Sequence[float], margin: float = 1e-3) -> bool:
    """Whether every mass point lies inside its own segment at ``q``, ``margin`` [m] away from the corners."""
    frames = pendulum_frames(q)
    points = [frames[b][0] @ np.asarray(x) + frames[b][1] for b, x in mechanism.path]
    cuts = np.cumsum([0.0, *(np.linalg.norm(b - a) for a, b in zip(points[:-1], points[1:], strict=True))])
    s = np.array(mechanism.fractions) * cuts[-1]
    k = np.array(mechanism._points)
    return bool(np.all((s > cuts[k] + margin) & (s < cuts[k + 1] - margin)))


def pendulum_frames(q: Sequence[float]) -> dict[str, tuple[Array, Array]]:
    """Rotation and origin (the pins) of ground and both rods at q = (shoulder, elbow); rods hang along -y."""
    a, b = q[0], q[0] + q[1]
    r1, r2 = _about_z(a), _about_z(b)
    return {
        "ground": (np.eye(3), np.zeros(3)),
        "rod1": (r1, np.zeros(3)),
        "rod2": (r2, r1 @ np.array([0.0, -LENGTHS[0], 0.0])),
    }


def pendulum_model(path: Sequence[Station], minus: dict[str, list[Array]] | None = None) -> osim.Model:
    model = osim.Model()
    model.setName("double_pendulum")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))
    parent, at = model.getGround(), osim.Vec3(0)
    for i, (rod, joint, coordinate) in enumerate((("rod1", "pin1", "shoulder"), ("rod2", "pin2", "elbow"))):
        mass, com, inertia = _rod_properties(i, (minus or {}).get(rod, []))
        body = osim.Body(rod, mass, osim.Vec3(*com), osim.Inertia(*inertia))
        model.addBody(body)
        pin = osim.PinJoint(joint, parent, at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0))
        pin.updCoordinate().setName(coordinate)
        model.addJoint(pin)
        parent, at = body, osim.Vec3(0, -LENGTHS[i], 0)
    muscle = osim.Thelen2003Muscle("muscle", 500.0, 0.2, 0.2, 0.0)
    muscle.set_appliesForce(False)
    for i, (body, station) in enumerate(path):
        muscle.addNewPathPoint(f"muscle-P{i + 1}", _frame(model, body), osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def build(path: tuple[Station, ...], fractions: Sequence[float], masses: Sequence[float]) -> Mechanism:
    fractions, masses = tuple(map(float, fractions)), tuple(map(float, masses))
    pendulum = pendulum_model(path)
    pendulum.initSystem()
    minus: dict[str, list[Array]] = {}
    for body, station in path[1:]:
        minus.setdefault(body, []).append(np.asarray(station, float))
    model = pendulum_model(path, minus)
    model.updForceSet().clearAndDestroy()
    segments = len(path) - 1
    struts = []
    for k in range(segments):
        body, station = path[k]
        strut = osim.Body(f"strut{k}", 0.0, osim.Vec3(0), osim.Inertia(0))
        model.addBody(strut)
        joint = osim.UniversalJoint(
            f"hang{k}", _frame(model, body), osim.Vec3(*station), osim.Vec3(0), strut, osim.Vec3(0), osim.Vec3(0)
        )
        joint.upd_coordinates(0).setName(f"strut{k}_x")
        joint.upd_coordinates(1).setName(f"strut{k}_y")
        model.addJoint(joint)
        end = _slider(model, strut, f"end{k}", END_MASS)
        target, where = path[k + 1]
        hold = osim.PointConstraint(_frame(model, target), osim.Vec3(*where), end, osim.Vec3(0))
        hold.setName(f"hold{k}")
        model.addConstraint(hold)
        struts.append(strut)
    for j, k in enumerate(point_segments(path, fractions)):
        _slider(model, struts[k], f"point{j}", masses[j])
        names, slopes = osim.ArrayStr(), osim.ArrayDouble()
        for i in range(segments):
            names.append(f"end{i}")
            slopes.append(fractions[j] - (1.0 if i < k else 0.0))
        slopes.append(0.0)
        coupler = osim.CoordinateCouplerConstraint()
        coupler.setName(f"couple{j}")
        coupler.setIndependentCoordinateNames(names)
        coupler.setDependentCoordinateName(f"point{j}")
        coupler.setFunction(osim.LinearFunction(slopes))
        model.addConstraint(coupler)
    model.finalizeConnections()
    return Mechanism(model, pendulum, path, fractions, masses)


def coordinate_order(model: osim.Model) -> list[str]:
    model_coordinates = [model.getCoordinateSet().get(i) for i in range(model.getCoordinateSet().getSize())]
    key = [(int(c.getBodyIndex()), int(c.getMobilizerQIndex()), c.getName()) for c in model_coordinates]
    return [name for _, _, name in sorted(key)]


def _slider(model: osim.Model, strut: osim.Body, name: str, mass: float) -> osim.Body:
    """A point mass that slides along the strut's z axis: the slider's x axis is turned onto it."""
    body = osim.Body(name + "_body", mass, osim.Vec3(0), osim.Inertia(0))
    model.addBody(body)
    turned = osim.Vec3(0, -np.pi / 2, 0)
    joint = osim.SliderJoint(name + "_slider", strut, osim.Vec3(0), turned, body, osim.Vec3(0), osim.Vec3(0))
    joint.updCoordinate().setName(name)
    model.addJoint(joint)
    return body


def _rod_properties(i: int, minus: list[Array]) -> tuple[float, Array, Array]:
    """Mass, centre of mass and (xx, yy, zz, xy, xz, yz) about it, after END_MASS was taken out at every station."""
    mass, com = ROD_MASSES[i], np.array([0.0, -LENGTHS[i] / 2, 0.0])
    inertia = np.diag([ROD_INERTIAS[i], 0.2 * ROD_INERTIAS[i], ROD_INERTIAS[i]])
    about_pin = inertia + mass * (com @ com * np.eye(3) - np.outer(com, com))
    first = mass * com
    for x in minus:
        mass, first = mass - END_MASS, first - END_MASS * x
        about_pin = about_pin - END_MASS * (x @ x * np.eye(3) - np.outer(x, x))
    com = first / mass
    inertia = about_pin - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return mass, com, np.array([*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]])


def point_segments(path: Sequence[Station], fractions: Sequence[float]) -> list[int]:
    """Segment of the path on which every mass point lies at q = (0.3, 0.4)."""
    frames = pendulum_frames((0.3, 0.4))
    points = [frames[b][0] @ np.asarray(x) + frames[b][1] for b, x in path]
    cuts = np.cumsum([0.0, *(np.linalg.norm(b - a) for a, b in zip(points[:-1], points[1:], strict=True))])
    return [int(np.searchsorted(cuts, f * cuts[-1]) - 1) for f in fractions]


def _frame(model: osim.Model, body: str):  # type: ignore[no-untyped-def]
    return model.getGround() if body == "ground" else model.getBodySet().get(body)


def _about_z(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

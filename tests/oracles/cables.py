"""Models whose wrapping muscles are led over the same surfaces by OpenSim's ``Scholz2015GeometryPath`` instead."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

import numpy as np

from opensim_inertia._core.opensim import osim
from opensim_inertia.opensim_model.reading.components import model_muscles
from opensim_inertia.opensim_model.reading.coordinates import read_coordinates
from opensim_inertia.opensim_model.reading.kinematics import Kinematics
from opensim_inertia.opensim_model.reading.loading import initialise
from opensim_inertia.opensim_model.reading.paths import FixedPoint, Obstacle, as_cable, read_obstacles, read_path
from opensim_inertia.paths.wrapping.current_path import CORNER, CurrentCable, current_path
from opensim_inertia.paths.wrapping.path_samples import OpenSimPathSamples, sample_opensim_paths
from opensim_inertia.paths.wrapping.surfaces import Surface, wrap_bodies
from opensim_inertia.paths.wrapping.survey import survey_poses

from .current_path import CurrentPath, Element
from .exact_geodesic import ExactPath, closed_form
from .finite_differences import Array
from .path_differences import PathDifferences

OBSTACLES = {"cylinder": osim.ContactCylinder, "sphere": osim.ContactSphere, "ellipsoid": osim.ContactEllipsoid}


def cable_model(
    kind: str,
    size: float | tuple[float, ...],
    hint: Sequence[float],
    start: Sequence[float] = (-0.2, -0.05, 0.01),
    end: Sequence[float] = (0.2, -0.06, 0.0),
    most: float = 0.04,
) -> osim.Model:
    """A muscle "muscle" over an obstacle "obstacle" at the origin of ground, to a body that three coordinates shift."""
    model, zero = osim.Model(), osim.Vec3(0)
    model.setName("cable")
    ground, body = model.getGround(), osim.Body("body", 3.0, zero, osim.Inertia(0.1))
    model.addBody(body)
    transform = osim.SpatialTransform()
    for axis in ("translation1", "translation2", "translation3"):
        one = getattr(transform, "upd_" + axis)()
        one.setCoordinateNames(osim.ArrayStr(axis, 1))
        one.set_function(osim.LinearFunction(1.0, 0.0))
    joint = osim.CustomJoint("joint", ground, zero, zero, body, zero, zero, transform)
    model.addJoint(joint)
    for i in range(3):
        joint.upd_coordinates(i).setRangeMin(-most)
        joint.upd_coordinates(i).setRangeMax(most)
    classes = {**OBSTACLES, "torus": osim.ContactTorus}
    sizes = [osim.Vec3(*size)] if kind == "ellipsoid" else list(size) if isinstance(size, tuple) else [size]
    placement = [zero] if kind == "sphere" else [zero, zero]
    obstacle = classes[kind](*sizes, *placement, ground, "obstacle")
    model.addContactGeometry(obstacle)
    cable = add_cable(model, "muscle")
    cable.appendPathPoint(ground, osim.Vec3(*start))
    cable.appendObstacle(obstacle, osim.Vec3(*hint))
    cable.appendPathPoint(body, osim.Vec3(*end))
    model.finalizeConnections()
    return model


def add_cable(model: osim.Model, name: str) -> osim.Scholz2015GeometryPath:
    muscle = osim.Thelen2003Muscle(name, 100.0, 0.2, 0.2, 0.0)
    model.addForce(muscle)
    return set_cable(model, name)


def set_cable(model: osim.Model, name: str) -> osim.Scholz2015GeometryPath:
    osim.Muscle.safeDownCast(model.updForceSet().get(name)).set_path(osim.Scholz2015GeometryPath())
    model.finalizeFromProperties()
    return osim.Scholz2015GeometryPath.safeDownCast(osim.Muscle.safeDownCast(model.updForceSet().get(name)).updPath())


def set_hint(model: osim.Model, x: float, y: float) -> None:
    path = osim.Scholz2015GeometryPath.safeDownCast(model.updMuscles().get("muscle").updPath())
    element = path.updPropertyByName("path_elements").updValueAsObject(1)
    osim.Scholz2015GeometryPathObstacle.safeDownCast(element).set_contact_hint(osim.Vec3(x, y, 0))


def reported_length(model: osim.Model, muscle: str, q: Array) -> float:
    """OpenSim's length of a cable at a pose [m]; from a new state, for it goes on from where a state was before."""
    state = osim.State(model.getWorkingState())
    state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
    model.realizePosition(state)
    cable = osim.Scholz2015GeometryPath.safeDownCast(model.getMuscles().get(muscle).getPath())
    return float(cable.getLength(state))


def with_cables(model: osim.Model, muscles: str = "*") -> tuple[osim.Model, dict[str, int]]:
    """Return a copy of a model whose wrapping muscles have cables, and the number of obstacles by muscle."""
    copy = osim.Model(model)
    coordinates = read_coordinates(copy, initialise(copy))
    named = {name: muscle for name, muscle in model_muscles(copy).items() if fnmatch(name, muscles)}
    paths = {name: read_path(muscle, coordinates) for name, muscle in named.items()}
    wrapped = [p for p in paths.values() if p.wraps and all(type(point) is FixedPoint for point in p.points)]
    owned = model_muscles(copy)
    bodies = dict.fromkeys(b for p in wrapped for b in (*p.bodies, *wrap_bodies(owned[p.muscle])))
    kinematics = Kinematics(copy, coordinates, tuple(bodies))
    samples = sample_opensim_paths(copy, coordinates, wrapped, kinematics, survey_poses(copy, coordinates))
    laid_model, changed = _relaid(model, samples, ())
    state = initialise(laid_model)
    turned = []
    for name, muscle in model_muscles(laid_model).items():
        if name in changed:
            path = current_path(laid_model, read_path(muscle, coordinates))
            assert isinstance(path, CurrentCable)
            turned += [name] if path.sampled_with_corner(0, state)[1] > CORNER else []
    del state
    return _relaid(model, samples, turned)


def _relaid(
    model: osim.Model, samples_by_muscle: Mapping[str, OpenSimPathSamples], without_hint: Collection[str]
) -> tuple[osim.Model, dict[str, int]]:
    laid_model = osim.Model(model)
    laid_model.finalizeFromProperties()
    by_muscle = samples_by_muscle.items()
    counts = {name: _lay(laid_model, name, samples, name not in without_hint) for name, samples in by_muscle}
    laid_model.finalizeConnections()
    return laid_model, {name: count for name, count in counts.items() if count}


def _lay(model: osim.Model, name: str, samples: OpenSimPathSamples, hinted: bool) -> int:
    """Give a muscle a cable over the surfaces that OpenSim wraps, and return how many these are."""
    spans = {s: Counter(samples.spans(s)).most_common(1)[0][0] for s in samples.surfaces if samples.spans(s)}
    if not spans:
        return 0
    cable = set_cable(model, name)
    frames = {body.getName(): body for body in model.getBodySet()} | {"ground": model.getGround()}
    for i, point in enumerate(samples.path.points):
        cable.appendPathPoint(frames[point.body], osim.Vec3(*point.station.tolist()))
        places = {s: sum(n for (_, later), n in samples.before.items() if later == s) for s in spans}
        along = sorted((s for s, span in spans.items() if span[0] == i), key=places.__getitem__)
        for surface in along:
            shape = samples.surfaces[surface]
            hint = _hint(samples, surface).tolist() if hinted else [np.nan] * 3
            cable.appendObstacle(_obstacle(model, frames[shape.body], shape), osim.Vec3(*hint))
    return len(spans)


def _hint(samples: OpenSimPathSamples, surface: str) -> Array:
    """Return the middle of the middles of the arcs that were seen on a surface, in its frame."""
    shape = samples.surfaces[surface]
    middle = np.mean([(arc.first + arc.last) / 2 for arc in samples.arcs if arc.surface == surface], axis=0)
    if shape.kind == "cylinder":
        middle[:2] *= shape.size[0] / np.hypot(*middle[:2])
        return np.asarray(middle)
    return np.asarray(middle / np.linalg.norm(shape.scaled(middle)))


def _obstacle(model: osim.Model, frame: osim.PhysicalFrame, shape: Surface) -> osim.ContactGeometry:
    name = f"{shape.name}_obstacle"
    if model.getContactGeometrySet().getIndex(name) < 0:
        rotation, origin = shape.in_body
        R = osim.Rotation(osim.Mat33(*rotation.ravel().tolist()))
        angles = R.convertRotationToBodyFixedXYZ()
        radii = osim.Vec3(*shape.size.tolist()) if shape.kind == "ellipsoid" else float(shape.size[0])
        obstacle = OBSTACLES[shape.kind]()
        obstacle.setName(name)
        obstacle.connectSocket_frame(frame)
        obstacle.set_location(osim.Vec3(*origin.tolist()))
        obstacle.set_orientation(angles)
        (obstacle.setRadii if shape.kind == "ellipsoid" else obstacle.setRadius)(radii)
        model.addContactGeometry(obstacle)
    return model.getContactGeometrySet().get(name)


@dataclass(frozen=True)
class _Helix:
    """The arc of a closed-form path over a cylinder, by arc length from its start."""

    path: ExactPath

    @property
    def length(self) -> float:
        return float(self.path.cuts[2] - self.path.cuts[1])

    def at(self, sigma: float) -> Array:
        return self.path.on_surface(sigma)


class CableDifferences(PathDifferences):
    """Differences of cables over cylinders, each span with one obstacle at most: closed forms between points."""

    def __init__(self, model: osim.Model, state: osim.State, laid: osim.Model) -> None:
        super().__init__(model, state)
        coordinates = read_coordinates(laid, laid.getWorkingState())
        self._laid = {
            name: (read_path(muscle, coordinates).points, read_obstacles(name, cable))
            for name, muscle in model_muscles(laid).items()
            if (cable := as_cable(muscle.getPath())) is not None
        }

    def _read(self, muscle: str) -> CurrentPath:
        points, obstacles = self._laid[muscle]
        places = [self._to_ground(point.body, point.station) for point in points]
        names, corners, elements = [points[0].name], [places[0]], []
        for i, (p, q) in enumerate(zip(places[:-1], places[1:], strict=True)):
            for obstacle in obstacles:
                if obstacle.after == i and (arc := self._arc(obstacle, p, q)) is not None:
                    elements += [Element(corners[-1], arc.start), arc]
                    corners += [arc.start, arc.end]
                    names += ["wrap:" + obstacle.name] * 2
            elements.append(Element(corners[-1], q))
            corners.append(q)
            names.append(points[i + 1].name)
        return CurrentPath(tuple(names), np.array(corners), tuple(elements), np.nan)

    def _to_ground(self, body: str, x: Array) -> Array:
        frame = self.model.getGround() if body == "ground" else self.model.getBodySet().get(body)
        return np.array(frame.findStationLocationInGround(self.state, osim.Vec3(*x.tolist())).to_numpy())

    def _arc(self, obstacle: Obstacle, p: Array, q: Array) -> Element | None:
        """The helix over a cylinder between two points in ground; None where the line between them is free."""
        origin = self._to_ground(obstacle.body, obstacle.origin)
        R = np.stack(
            [self._to_ground(obstacle.body, obstacle.origin + e) - origin for e in obstacle.rotation.T], axis=1
        )
        a, b, radius = R.T @ (p - origin), R.T @ (q - origin), float(obstacle.size[0])
        c, (x, y) = (b - a)[:2], np.nan_to_num(obstacle.hint)[:2]
        distance = (a[0] * b[1] - a[1] * b[0]) / np.linalg.norm(c)
        turn = np.sign(x * c[1] - y * c[0]) or np.sign(distance)  # without a hint it goes the short way
        if distance * turn >= radius or not 0 < -(a[:2] @ c) < c @ c:
            return None
        path = closed_form("cylinder", radius, a, b, np.array([turn * c[1], -turn * c[0], 0.0]))
        start, end = (R @ x + origin for x in path.tangents)
        return Element(start, end, _Helix(path), R, origin, obstacle.name)  # type: ignore[arg-type]

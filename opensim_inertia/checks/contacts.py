"""State of a model along a motion with external loads, and checks of loads and foot contacts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from .._core.rotations import cross_matrices
from ..muscles.masses.rigid import body_mass_properties
from ..opensim_model.reading.coordinates import read_coordinates
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import GROUND, Loads
from .bodies import Subject

#: Tolerance for directions of motion allowed by a joint.
FREE = 1e-6


@dataclass(frozen=True, eq=False)
class PointLoad:
    """An external load at R frames of a motion, in ground."""

    body: str  # loaded body
    force: Array  # (R, 3) [N]
    point: Array  # (R, 3) [m], point of application; the body's origin by default
    torque: Array  # (R, 3) [N m]
    in_ground: bool  # whether the table gives force and point in ground
    station: Array  # (R, 3) [m], the point in the body frame
    slip: Array  # (R, 3) [m/s], velocity of the body at the point, in ground
    spin: Array  # (R, 3) [rad/s], angular velocity of the body in ground
    jacobian: Array  # (R, 6, nu), derivatives of ``spin`` and ``slip`` by speeds


@dataclass(frozen=True, eq=False)
class MovingModel:
    """State of a model with external loads at R frames of a motion."""

    rows: NDArray[np.intp]  # (R,), indices in the motion
    times: Array  # (R,) [s]
    weight: float  # [N]
    mass: float  # [kg]
    up: Array  # (3,), opposite to gravity; zero without gravity
    centre: Array  # (R, 3) [m], mass centre in ground
    momentum: Array  # (R, 6), centroidal angular momentum [N m s], and linear momentum [N s]
    momentum_matrix: Array  # (R, 6, nu), derivatives of the momentum by speeds
    free: NDArray[np.bool_]  # (6,), axes of ground in which the whole model rotates and translates freely
    origins: Mapping[str, Array]  # (R, 3) [m] in ground, by body
    loads: Mapping[str, PointLoad]  # by name

    @property
    def moves_freely(self) -> bool:
        """Whether the model has weight and translates freely along some axis."""
        return bool(self.free[3:].any()) and self.weight > 0


class LoadedModel:
    """An initialised model and its external loads; ``up`` (3,) points upwards, or is zero without gravity."""

    def __init__(self, model: osim.Model, loads: Loads, like: Kinematics | None = None) -> None:
        self.model, self.loads = model, loads
        names = [body.getName() for body in model.getBodySet()]
        self.coordinates = read_coordinates(model, model.getWorkingState()) if like is None else like.coordinates
        self._kinematics = Kinematics(model, self.coordinates, [*names, GROUND], like)
        inertias = [body_mass_properties(model, name).pseudo_inertia for name in names]
        self._inertias = np.array(inertias).reshape(-1, 4, 4)
        gravity = np.array(model.getGravity().to_numpy())
        size = float(np.linalg.norm(gravity))
        self.mass = float(self._inertias[:, 3, 3].sum())
        self.weight, self.up = self.mass * size, -gravity / size if size else gravity
        self._state = osim.State(model.getWorkingState())  # for other poses
        model.realizePosition(self._state)
        self._free = _free_directions(model, self._kinematics, self._state)

    def along(self, motion: Motion, rows: NDArray[np.intp]) -> MovingModel | None:
        """Return the model's state at frames ``rows`` of a motion; None if ``rows`` is empty."""
        if not len(rows):
            return None
        kinematics, names, state = self._kinematics, self._kinematics.bodies, self._state
        order = np.array([motion.coordinate_names.index(name) for name in self.coordinates.names], dtype=np.intp)
        times, q, u = motion.times[rows], motion.q[rows][:, order], motion.u[rows][:, order]
        poses = []
        for time, pose in zip(times.tolist(), q, strict=True):
            state.setTime(time)
            self.coordinates.set_values(state, pose)
            self.model.realizePosition(state)
            poses.append((*kinematics.transforms(state), kinematics.jacobian(state).reshape(len(names), 6, -1)))
        rotation, position, jacobian = (np.stack(each) for each in zip(*poses, strict=True))
        centre, matrix = _momentum_matrix(self._inertias, rotation[:, :-1], position[:, :-1], jacobian[:, :-1])
        bodies = {name: _Body(rotation[:, i], position[:, i], jacobian[:, i], u) for i, name in enumerate(names)}
        origins = {name: body.origin for name, body in bodies.items()}
        loads = {name: _in_ground(name, self.loads, times, bodies) for name in self.loads.columns}
        of_model, of_motion = (self.weight, self.mass, self.up), (centre, _product(matrix, u), matrix)
        return MovingModel(rows, times, *of_model, *of_motion, self._free, origins, loads)


class _Body(NamedTuple):
    """State of a body at R times: rotation to ground (R, 3, 3), origin [m], Jacobian and the model's speeds."""

    rotation: Array
    origin: Array
    jacobian: Array
    u: Array


def spread(rows: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most ``most`` elements of ``rows``, evenly spread."""
    if not len(rows):
        return rows
    return rows[np.unique(np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int))]


def at_times(times: Array, rows: Array, values: Array) -> Array:
    """Return ``values`` (T, n) at times ``rows`` (T,), interpolated linearly at ``times`` (...), as (..., n)."""
    return np.stack([np.interp(times, rows, column) for column in values.T], axis=-1)


def _product(matrices: Array, u: Array) -> Array:
    """Return products (R, n) of matrices (R, n, nu) and speeds (R, nu)."""
    return np.asarray((matrices @ u[:, :, None])[:, :, 0])


def _momentum_matrix(inertias: Array, rotation: Array, origin: Array, jacobian: Array) -> tuple[Array, Array]:
    """Return a model's mass centre (R, 3) [m] and centroidal momentum matrix (R, 6, nu) (Orin et al. 2013)."""
    frames = np.concatenate([rotation, origin[..., None]], axis=-1)
    first, second = (frames @ inertias)[..., 3], frames @ inertias @ np.swapaxes(frames, -1, -2)
    masses, unit = inertias[:, 3, 3, None, None], np.eye(3)
    turn, place = cross_matrices(first), cross_matrices(origin)
    spatial = np.empty((*origin.shape[:2], 6, 6))
    spatial[..., :3, :3] = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * unit - second + turn @ place
    spatial[..., :3, 3:] = turn
    spatial[..., 3:, :3] = masses * place - turn
    spatial[..., 3:, 3:] = masses * unit
    matrix = (spatial @ jacobian).sum(axis=1)
    mass = float(inertias[:, 3, 3].sum())
    centre = first.sum(axis=1) / mass if mass > 0 else np.zeros_like(first[:, 0])
    matrix[:, :3] -= cross_matrices(centre) @ matrix[:, 3:]
    return centre, matrix


def _in_ground(name: str, loads: Loads, times: Array, bodies: Mapping[str, _Body]) -> PointLoad:
    """Return the load ``name`` in ground, interpolated at ``times``."""
    force, point, torque = np.hsplit(at_times(times, loads.times, loads.values(name)), 3)
    body, force_frame, point_frame = loads.bodies[name]
    rotation, origin, jacobian, u = bodies[body]
    if force_frame != GROUND:
        force, torque = (np.einsum("rij,rj->ri", bodies[force_frame].rotation, vector) for vector in (force, torque))
    if point_frame is None:
        point = origin
    elif point_frame != GROUND:
        point = bodies[point_frame].origin + np.einsum("rij,rj->ri", bodies[point_frame].rotation, point)
    arm = point - origin
    turning = jacobian[:, :3]
    at_point = np.concatenate([turning, jacobian[:, 3:] - cross_matrices(arm) @ turning], axis=1)
    spin, slip = np.hsplit(_product(at_point, u), 2)
    station = np.einsum("rji,rj->ri", rotation, arm)
    in_ground = force_frame == GROUND and point_frame in (None, GROUND)
    return PointLoad(body, force, point, torque, in_ground, station, slip, spin, at_point)


def _free_directions(model: osim.Model, kinematics: Kinematics, state: osim.State) -> NDArray[np.bool_]:
    """Return a mask (6,) of the rotations and translations in ground that every joint to ground leaves free."""
    free = np.ones(6, dtype=bool)
    jacobian = kinematics.jacobian(state).reshape(len(kinematics.bodies), 6, -1)
    for joint in model.getJointSet():
        if joint.getParentFrame().findBaseFrame().getName() != GROUND:
            continue
        names = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        columns = [kinematics.coordinates.index(name) for name in names]
        span = jacobian[kinematics.bodies.index(joint.getChildFrame().findBaseFrame().getName())][:, columns]
        reached = span @ np.linalg.pinv(span) if columns else np.zeros((6, 6))
        free &= np.abs(reached - np.eye(6)).max(axis=0) < FREE
    return free


#: A load acts above this share of its 95th percentile.
ACTS = 0.2
#: Largest usual and largest possible distance of a load's point from its body's origin [m].
STRIDE, FAR = 1.0, 10.0
#: A point further from its body than this [m], and nearer to another by this share, seems to belong to the other.
OTHER = (0.35, 0.5)
#: Largest force on a freely moving body [body weights].
WEIGHTS = 10.0
#: Largest torque about the point [body weights at 1 m]; a smaller remaining share shows moments about ground's origin.
TORQUE, ABOUT = 0.05, 0.1
#: Range of heights of ground contact relative to a standing foot's origin [m].
HEIGHT = (-0.3, 0.1)
#: Largest height of a foot above the lowest body [m], and least upward share of its force.
LOW, UPWARD = 0.3, 0.7
#: Upward force of a loaded foot, as a share of body weight.
BEARS = 0.3
#: Numbers of rows: evenly spread; most and least per loaded foot.
EVENLY, MOST, FEWEST = 40, 20, 5
#: Height range of points on level ground, without a tenth of the rows at either end [m].
LEVEL = 0.05
#: Largest mean slip of a loaded foot: speed [m/s], plus a share of the body's speed over ground.
SLIPS = (0.1, 0.2)
#: Largest distance of the force from the box around a foot's joints and path points in most rows [m].
BESIDE = 0.15
#: Smallest meaningful diagonal of such a box [m].
SHORT = 0.1


def misplaced_loads(loads: Loads, moving: MovingModel) -> list[Diagnostic]:
    """Return diagnostics of loads with implausible forces, points, torques or loaded bodies."""
    if sizes := list(_sizes(loads, moving)):
        return sizes
    acting = {
        name: acts
        for name, load in moving.loads.items()
        if load.body != GROUND and loads.bodies[name][2] is not None and (acts := _acting(load)).any()
    }
    found = [finding for name, acts in acting.items() for finding in _misplaced(name, loads, moving, acts)]
    return found or list(_bodies(loads, moving, acting))


def _acting(load: PointLoad) -> NDArray[np.bool_]:
    amount = np.linalg.norm(load.force, axis=1)
    size = np.percentile(amount[amount > 0], 95) if amount.any() else np.inf
    return np.asarray(amount > ACTS * size)


def _sizes(loads: Loads, moving: MovingModel) -> Iterator[Diagnostic]:
    """Yield diagnostics of forces and torques that are too large for the model's weight."""
    within = np.flatnonzero((loads.times >= moving.times[0]) & (loads.times <= moving.times[-1]))
    if not moving.moves_freely or not len(within):
        return
    torques: list[tuple[float, str]] = []
    for name, labels in loads.columns.items():
        values = np.abs(loads.values(name)[within])
        largest = values[:, :3].max(axis=1)
        row = int(largest.argmax())
        if largest[row] > WEIGHTS * moving.weight:
            place = f"{loads.data}: column '{labels[int(values[row, :3].argmax())]}' in row {within[row] + 1}"
            text = (
                f"the force is {largest[row]:.4g} N at time {loads.times[within[row]]:.6g} s, "
                f"{largest[row] / moving.weight:.3g} times the weight of the model; expected at most {WEIGHTS:g}"
            )
            yield Diagnostic("error", "body weight", place, text, ("correct the cell or the unit of the column (N)",))
        acts = largest > ACTS * largest[row]
        torque = float(np.percentile(values[acts, 6:].max(axis=1), 90)) if acts.any() else 0.0
        if torque > TORQUE * moving.weight:
            torques.append((torque, name))
    if torques:
        yield _torque(*max(torques), loads, moving.weight)


def _torque(torque: float, name: str, loads: Loads, weight: float) -> Diagnostic:
    values = loads.values(name)
    moments = np.cross(values[:, 3:6], values[:, :3])
    left = float(np.linalg.norm(values[:, 6:] - moments) / (np.linalg.norm(moments) or 1.0))
    if left < ABOUT:
        text = (
            f"torques of the load '{name}' are the moments of its forces about the origin of ground, p x F, to "
            f"{100 * left:.2g} %; OpenSim takes torques about the point, so that these moments act twice"
        )
        return Diagnostic("warning", "torques", str(loads.data), text, ("subtract p x F from the torques",))
    column = loads.columns[name][6 + int(np.abs(values[:, 6:]).max(axis=0).argmax())]
    text = (
        f"the torque exceeds {torque:.4g} N m in a tenth of all rows, which is {torque / weight:.3g} of the model's "
        "weight at a metre; feet bear up to 0.02"
    )
    cure = ("see that torques are in N m, about the point of the force",)
    return Diagnostic("warning", "torques", f"{loads.data}: column '{column}'", text, cure)


def _misplaced(name: str, loads: Loads, moving: MovingModel, acts: NDArray[np.bool_]) -> Iterator[Diagnostic]:
    """Yield diagnostics of points of application far from the loaded body or from the ground."""
    load, origin, labels = moving.loads[name], moving.origins[moving.loads[name].body], loads.columns[name]
    arms = (load.point - origin)[acts]
    distance = float(np.percentile(np.linalg.norm(arms, axis=1), 80))
    if distance > STRIDE:
        text = (
            f"the load '{name}' acts {distance:.3g} m and more from the origin of body '{load.body}', which it acts "
            f"on, in a fifth of the rows in which it acts{'; it seems to be in millimetres' if distance > 100 else ''}"
        )
        cure = ("see the points' unit (m) and origin, and the frames that the setup names",)
        place = f"{loads.data}: column '{labels[3 + int(np.abs(arms).max(axis=0).argmax())]}'"
        yield Diagnostic("error" if distance > FAR else "warning", "points", place, text, cure)
    if not moving.up.any():
        return
    lowest = np.min([origin @ moving.up for body, origin in moving.origins.items() if body != GROUND], axis=0)
    foot, point = origin @ moving.up, load.point @ moving.up
    upward = load.force @ moving.up > UPWARD * np.linalg.norm(load.force, axis=1)
    stands = acts & upward & (foot - lowest < LOW)
    if 2 * np.count_nonzero(stands) < np.count_nonzero(acts):
        return
    height = float(np.median((point - foot)[stands]))
    if not HEIGHT[0] <= height <= HEIGHT[1]:
        text = (
            f"the load '{name}' acts on body '{load.body}' {abs(height):.3g} m {'above' if height > 0 else 'below'} "
            "its origin (median while it stands), where the ground is not"
        )
        cure = ("see the unit of the column (m), and that loads and motion have the same height of the ground",)
        place = f"{loads.data}: column '{labels[3 + int(np.argmax(np.abs(moving.up)))]}'"
        yield Diagnostic("warning", "points", place, text, cure)


def _bodies(loads: Loads, moving: MovingModel, acting: dict[str, NDArray[np.bool_]]) -> Iterator[Diagnostic]:
    """Yield diagnostics of loads that act much nearer to another body than to the loaded body."""
    (far, share), near, place = OTHER, {}, str(loads.path)
    for name, acts in acting.items():
        load = moving.loads[name]
        arms = {body: (load.point - origin)[acts] for body, origin in moving.origins.items() if body != GROUND}
        medians = {body: float(np.median(np.linalg.norm(arm, axis=1))) for body, arm in arms.items()}
        nearest = min(medians, key=lambda each: medians[each])
        if medians[load.body] > far and medians[nearest] < share * medians[load.body]:
            near[name] = load.body, medians, nearest
    for name, (body, medians, nearest) in near.items():
        for other, (its_body, its_medians, _) in near.items():
            swapped = medians[its_body] < share * medians[body] and its_medians[body] < share * its_medians[its_body]
            if its_body != body and swapped:
                text = (
                    f"the loads '{name}' and '{other}' seem to be exchanged: '{name}' acts on body '{body}', "
                    f"{medians[body]:.3g} m from its point, and body '{its_body}' is {medians[its_body]:.3g} m from it"
                )
                yield Diagnostic("error", "bodies", place, text, ("exchange the bodies, or the columns, in the setup",))
                return
        text = (
            f"the load '{name}' acts on body '{body}', {medians[body]:.3g} m from its point; body '{nearest}' is "
            f"{medians[nearest]:.3g} m from it (medians while it acts)"
        )
        yield Diagnostic("warning", "bodies", place, text, ("see that it acts on the right body, in the right frame",))


@dataclass(frozen=True, eq=False)
class FootContact:
    """Contact of a loaded foot with the ground."""

    load: str  # names of load and foot
    body: str
    slip: float  # mean speed of the foot at the point of force, relative to the median velocity [m/s]
    spin: float  # median angular speed [rad/s]
    over_ground: float  # mean speed of the model's mass centre over ground [m/s]
    rows: NDArray[np.intp]  # loaded rows of the moving model


def rows_of_interest(loaded: LoadedModel, motion: Motion) -> NDArray[np.intp]:
    """Return indices of a motion's frames: evenly spread ones, and some frames at which each foot is loaded."""
    loads, (first, last) = loaded.loads, loaded.loads.times[[0, -1]]
    inside = np.flatnonzero((motion.times >= first) & (motion.times <= last))
    rows = [spread(inside, EVENLY)]
    for name in loads.columns:
        if loads.bodies[name][1] == loads.bodies[name][2] == GROUND:
            upward = np.interp(motion.times[inside], loads.times, loads.values(name)[:, :3] @ loaded.up)
            rows.append(spread(inside[upward > BEARS * loaded.weight], MOST))
    return np.unique(np.concatenate(rows))


def foot_contacts(moving: MovingModel) -> list[FootContact]:
    """Return contacts of loaded feet with level ground; none unless the model has weight and a free translation."""
    contacts = []
    for name, load in moving.loads.items() if moving.moves_freely and moving.up.any() else ():
        rows = np.flatnonzero(load.force @ moving.up > BEARS * moving.weight)
        if not load.in_ground or load.body == GROUND or len(rows) < FEWEST:
            continue
        low, high = np.percentile((load.point @ moving.up)[rows], (10, 90))
        if high - low <= LEVEL:
            velocity = moving.momentum[rows, 3:] / moving.mass - np.median(load.slip[rows], axis=0)
            slip, spin = map(float, slip_and_spin(load.slip[rows], load.spin[rows]))
            over_ground = float(np.linalg.norm(velocity, axis=1).mean())
            contacts.append(FootContact(name, load.body, slip, spin, over_ground, rows))
    return contacts


def slip_and_spin(slip: Array, spin: Array) -> tuple[Array, Array]:
    """Return the mean of |slip - median(slip)| and the median of |spin| over R rows of vectors (R, 3, ...)."""
    speed = np.linalg.norm(slip - np.median(slip, axis=0), axis=1)
    return speed.mean(axis=0), np.median(np.linalg.norm(spin, axis=1), axis=0)


def slipping_feet(model: osim.Model, loads: Loads, moving: MovingModel) -> list[Diagnostic]:
    """Return diagnostics of loaded feet that slip, or that are far from the load's point of application."""
    subject = Subject(model, model.getName())
    found = []
    for contact in foot_contacts(moving):
        stations = moving.loads[contact.load].station[contact.rows]
        outside = _outside(stations, [np.zeros(3), *subject.joints_on([contact.body])[contact.body].values()])
        if outside > BESIDE:  # path points enlarge the box, but are slow to read
            places = _places(subject, contact.body)
            outside = _outside(stations, places) if np.linalg.norm(np.ptp(places, axis=0)) >= SHORT else 0.0
        if outside > BESIDE:
            text = (
                f"the load '{contact.load}' acts {outside:.2g} m and more outside of body '{contact.body}' in a fifth "
                f"of the rows in which it bears on it; expected at most {BESIDE:g} m"
            )
            found.append((text, "the origin of the loads' points"))
        limit = SLIPS[0] + SLIPS[1] * contact.over_ground
        if contact.slip > limit:
            text = (
                f"body '{contact.body}' slips over the ground at {contact.slip:.2g} m/s in the mean while the load "
                f"'{contact.load}' bears on it; expected less than {limit:.2g} m/s, where the body moves over the "
                f"ground at {contact.over_ground:.2g} m/s"
            )
            found.append((text, "that loads and motion are of the same trial and time"))
    see = "see the columns of the motion from the pelvis to this foot: signs, zeros, units; and"
    place = str(loads.data)
    return [Diagnostic("warning", "feet on the ground", place, text, (f"{see} {cure}",)) for text, cure in found]


def _outside(stations: Array, places: list[Array]) -> float:
    """Return the 80th percentile of the distances [m] of points (R, 3) from the bounding box of ``places``."""
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    outside = np.linalg.norm(np.maximum(np.maximum(low - stations, stations - high), 0), axis=1)
    return float(np.percentile(outside, 80))


def _places(subject: Subject, body: str) -> list[Array]:
    """Return positions (3,) [m] of joints and path points of a foot and its child bodies, in the foot's frame."""
    bodies = {body}
    for _ in subject.parents:
        bodies |= {child for child, (parent, _) in subject.parents.items() if parent in bodies}
    state, body_set = osim.State(subject.state), subject.model.getBodySet()
    subject.model.realizePosition(state)
    places = []
    for name in sorted(bodies):
        for station in [np.zeros(3), *subject.stations[name].values()]:
            vector = osim.Vec3(*station.tolist())
            location = body_set.get(name).findStationLocationInAnotherFrame(state, vector, body_set.get(body))
            places.append(location.to_numpy().copy())
    return places

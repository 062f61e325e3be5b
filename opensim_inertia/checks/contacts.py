"""A model along a motion and the external loads there: points where these act, and feet under their load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from ..opensim_model.reading.coordinates import CoordinateTable
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import GROUND, Loads
from .bodies import Subject

#: A joint lets a body move in a direction if unit speeds make it, but for this.
FREE = 1e-6


class PointLoad(NamedTuple):
    """A load at the R rows at which a model is looked at, and the part of its body at the point, in ground."""

    body: str  # the body it acts on
    force_frame: str  # (with point_frame, None without points) the frames in which the table gives force and point
    point_frame: str | None
    force: Array  # (R, 3) [N]
    point: Array  # (R, 3), where it acts [m]; the body's origin where the load names no point
    station: Array  # (R, 3), the point in the frame of the body [m]
    slip: Array  # (R, 3), velocity in ground of the body's part at the point [m/s]
    spin: Array  # (R, 3), angular velocity of the body in ground [rad/s]


@dataclass(frozen=True, eq=False)
class MovingModel:
    """A model at R rows of a motion for which there are external loads."""

    rows: NDArray[np.intp]  # (R,), indices of the motion's rows
    times: Array  # (R,) [s]
    mass: float  # the model's mass [kg]
    weight: float  # the model's weight [N]
    up: Array  # (3,), away from gravity; zero without gravity
    free: NDArray[np.bool_]  # (6,), along which axes of ground the whole model turns and moves freely
    centre: Array  # (R, 3), centre of mass in ground [m]
    momentum: Array  # (R, 6), angular momentum about the centre of mass [N m s], and linear momentum [N s]
    origins: Mapping[str, Array]  # (R, 3) by body, in ground [m]
    loads: Mapping[str, PointLoad]  # by name

    @property
    def moves_freely(self) -> bool:
        """Whether the whole model has weight and moves freely in ground along some axis."""
        return bool(self.free[3:].any()) and self.weight > 0


#: Evaluates a model at rows of a motion with loads; default: those of interest; None for no rows.
Along = Callable[[Motion, NDArray[np.intp] | None], MovingModel | None]


def moving_model(model: osim.Model, table: CoordinateTable, loads: Loads) -> Along:
    """Return a function that evaluates an initialised model, with its coordinates and loads, along motions."""
    state, gravity = osim.State(model.getWorkingState()), np.array(model.getGravity().to_numpy())
    size, mass = float(np.linalg.norm(gravity)), float(model.getTotalMass(state))
    weight, up = mass * size, -gravity / size if size else gravity
    free = _free_directions(model, state)
    parts = {body.getName(): body for body in model.getBodySet()} | {GROUND: model.getGround()}

    def along(motion: Motion, rows: NDArray[np.intp] | None) -> MovingModel | None:
        rows = _rows_of_interest(motion, loads, weight, up) if rows is None else rows
        if not len(rows):
            return None
        order = [motion.coordinate_names.index(name) for name in table.names]
        times = motion.times[rows]
        tables = {name: at_times(times, loads.times, loads.values(name)).tolist() for name in loads.columns}
        moved, placed = [], []
        acting: dict[str, list[list[Array]]] = {name: [] for name in loads.columns}
        for i, row in enumerate(rows.tolist()):
            state.setTime(float(times[i]))
            table.set_values(state, motion.q[row, order])
            state.setU(osim.Vector.createFromMat(motion.u[row, order]))
            model.realizeVelocity(state)
            momentum = model.getMatterSubsystem().calcSystemCentralMomentum(state)
            moved.append(_arrays(model.calcMassCenterPosition(state), momentum.get(0), momentum.get(1)))
            placed.append(_arrays(*(part.getPositionInGround(state) for part in parts.values())))
            for name, rows_of_load in acting.items():
                on, force_frame, point_frame = loads.bodies[name]
                body, values = parts[on], tables[name][i]
                force = parts[force_frame].expressVectorInGround(state, osim.Vec3(*values[:3]))
                point = osim.Vec3(0) if point_frame is None else osim.Vec3(*values[3:6])
                station = parts[point_frame or on].findStationLocationInAnotherFrame(state, point, body)
                point = body.findStationLocationInGround(state, station)
                velocities = body.findStationVelocityInGround(state, station), body.getAngularVelocityInGround(state)
                rows_of_load.append(_arrays(force, point, station, *velocities))
        centres, *momenta = np.array(moved).swapaxes(0, 1)
        origins = dict(zip(parts, np.array(placed).swapaxes(0, 1), strict=True))
        point_loads = {name: PointLoad(*loads.bodies[name], *np.array(acting[name]).swapaxes(0, 1)) for name in acting}
        return MovingModel(rows, times, mass, weight, up, free, centres, np.hstack(momenta), origins, point_loads)

    return along


def _arrays(*vectors: osim.Vec3) -> list[Array]:
    return [vector.to_numpy().copy() for vector in vectors]


def at_times(times: Array, rows: Array, values: Array) -> Array:
    """Return values (rows, n) interpolated at times (...), (..., n)."""
    return np.stack([np.interp(times, rows, column) for column in values.T], axis=-1)


def _free_directions(model: osim.Model, state: osim.State) -> NDArray[np.bool_]:
    """Return along which axes of ground (3 rotations, 3 translations) every joint to ground lets its body move."""
    free, still = np.ones(6, dtype=bool), osim.State(state)
    for joint in model.getJointSet():
        if joint.getParentFrame().findBaseFrame().getName() != GROUND:
            continue
        body, columns = joint.getChildFrame().findBaseFrame(), []
        for i in range(joint.numCoordinates()):
            still.setU(osim.Vector(still.getNU(), 0.0))
            joint.get_coordinates(i).setSpeedValue(still, 1.0)
            model.realizeVelocity(still)
            velocities = body.getAngularVelocityInGround(still), body.getLinearVelocityInGround(still)
            columns.append(np.concatenate(_arrays(*velocities)))
        span = np.reshape(columns, (-1, 6)).T
        reached = span @ np.linalg.pinv(span) if columns else np.zeros((6, 6))
        free &= np.abs(reached - np.eye(6)).max(axis=0) < FREE
    return free


#: A load acts where its force is more than this share of its size, the 95th percentile.
ACTS = 0.2
#: Points of loads are this near to the origin of their body [m]; beyond the second no point belongs to a body.
STRIDE, FAR = 1.0, 10.0
#: Points further from their body than this [m], and nearer to another one by this share, seem to belong to that.
OTHER = (0.35, 0.5)
#: No force on a body that moves freely is more than this many times its weight.
WEIGHTS = 10.0
#: Torques about the point are below this [weights at a metre]; about ground's origin if less than this share is left.
TORQUE, ABOUT = 0.05, 0.1
#: Points on the ground are between these heights above the origin of the foot that stands there [m].
HEIGHT = (-0.3, 0.1)
#: A body no higher than this above the lowest one [m], on which most of the force acts upwards, is a foot.
LOW, UPWARD = 0.3, 0.7
#: A foot bears load where the force upwards is more than this share of body weight.
BEARS = 0.3
#: Rows at which a model is looked at: evenly spread ones, and of each foot that bears load, at most and at least.
EVENLY, MOST, FEWEST = 40, 20, 5
#: The points of a force on the ground stay within this height, but for a tenth of the rows at either end [m].
LEVEL = 0.05
#: A loaded foot's mean slip is below this speed [m/s] and this share of the body's speed over the ground.
SLIPS = (0.1, 0.2)
#: The force acts at most this far outside of the box around a foot's joints and path points [m] in most rows.
BESIDE = 0.15
#: A box with a smaller diagonal is that of a body whose joints and path points say nothing of its extent [m].
SHORT = 0.1


def misplaced_loads(loads: Loads, moving: MovingModel) -> list[Diagnostic]:
    """Return findings of forces, points, torques and bodies of loads that do not fit the model."""
    if sizes := list(_sizes(loads, moving)):
        return sizes
    acting = {
        name: acts
        for name, load in moving.loads.items()
        if load.body != GROUND and load.point_frame is not None and (acts := _acting(load)).any()
    }
    found = [finding for name, acts in acting.items() for finding in _misplaced(name, loads, moving, acts)]
    return found or list(_bodies(loads, moving, acting))


def _acting(load: PointLoad) -> NDArray[np.bool_]:
    """Return whether a load acts, (R,)."""
    amount = np.linalg.norm(load.force, axis=1)
    size = np.percentile(amount[amount > 0], 95) if amount.any() else np.inf
    return np.asarray(amount > ACTS * size)


def _sizes(loads: Loads, moving: MovingModel) -> Iterator[Diagnostic]:
    """Yield findings of forces and torques that are too large for a body that moves freely."""
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
    """Return a finding of a load with a larger torque [N m] than feet bear."""
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
    """Yield findings of a load whose point is far from its body, or not at the height of the ground below a foot."""
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
    """Yield findings of loads whose point is much nearer to another body than to the one that they act on."""
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


class FootContact(NamedTuple):
    """How a foot rests on the ground while it bears load."""

    load: str  # name of its load
    rows: NDArray[np.intp]  # the rows of the moving model at which it bears load
    slip: float  # mean speed of its part at the point of the force, relative to the median velocity [m/s]
    spin: float  # median of how fast it turns [rad/s]
    over_ground: float  # mean speed of the model's centre of mass relative to the ground [m/s]


def _rows_of_interest(motion: Motion, loads: Loads, weight: float, up: Array) -> NDArray[np.intp]:
    """Return rows of a motion for which there are loads: evenly spread ones, and some of each foot that bears load."""
    first, last = loads.times[[0, -1]]
    inside = np.flatnonzero((motion.times >= first) & (motion.times <= last))
    chosen = [(inside, EVENLY)]
    for name in loads.columns:
        if loads.bodies[name][1] == loads.bodies[name][2] == GROUND:
            upward = np.interp(motion.times[inside], loads.times, loads.values(name)[:, :3] @ up)
            chosen.append((inside[upward > BEARS * weight], MOST))
    evenly = [rows[np.linspace(0, len(rows) - 1, min(len(rows), most)).round().astype(int)] for rows, most in chosen]
    return np.unique(np.concatenate(evenly))


def foot_contacts(moving: MovingModel) -> list[FootContact]:
    """Return how feet rest on the ground while they bear load; none in models that are not free to move."""
    contacts = []
    for name, load in moving.loads.items() if moving.moves_freely and moving.up.any() else ():
        rows = np.flatnonzero(load.force @ moving.up > BEARS * moving.weight)
        if load.force_frame != GROUND or load.point_frame not in (None, GROUND) or load.body == GROUND:
            continue
        if len(rows) < FEWEST:
            continue
        low, high = np.percentile((load.point @ moving.up)[rows], (10, 90))
        if high - low <= LEVEL:
            slip, centre = load.slip[rows], moving.momentum[rows, 3:] / moving.mass
            usual = np.median(slip, axis=0)
            speed, over_ground = (np.linalg.norm(each - usual, axis=1).mean() for each in (slip, centre))
            spin = np.median(np.linalg.norm(load.spin[rows], axis=1))
            contacts.append(FootContact(name, rows, float(speed), float(spin), float(over_ground)))
    return contacts


def slipping_feet(model: osim.Model, loads: Loads, moving: MovingModel) -> list[Diagnostic]:
    """Return findings of feet of an initialised model that slip, or are beside their forces."""
    subject = Subject(model, model.getName())
    found = []
    for contact in foot_contacts(moving):
        body = moving.loads[contact.load].body
        stations = moving.loads[contact.load].station[contact.rows]
        outside = _outside(stations, [np.zeros(3), *subject.joints_on([body])[body].values()])
        if outside > BESIDE:  # the box around path points, too, which take longer to read, is no smaller
            places = _places(subject, body)
            outside = _outside(stations, places) if np.linalg.norm(np.ptp(places, axis=0)) >= SHORT else 0.0
        if outside > BESIDE:
            text = (
                f"the load '{contact.load}' acts {outside:.2g} m and more outside of body '{body}' in a fifth "
                f"of the rows in which it bears on it; expected at most {BESIDE:g} m"
            )
            found.append((text, "the origin of the loads' points"))
        limit = SLIPS[0] + SLIPS[1] * contact.over_ground
        if contact.slip > limit:
            text = (
                f"body '{body}' slips over the ground at {contact.slip:.2g} m/s in the mean while the load "
                f"'{contact.load}' bears on it; expected less than {limit:.2g} m/s, where the body moves over the "
                f"ground at {contact.over_ground:.2g} m/s"
            )
            found.append((text, "that loads and motion are of the same trial and time"))
    see = "see the columns of the motion from the pelvis to this foot: signs, zeros, units; and"
    place = str(loads.data)
    return [Diagnostic("warning", "feet on the ground", place, text, (f"{see} {cure}",)) for text, cure in found]


def _outside(stations: Array, places: list[Array]) -> float:
    """Return how far a fifth of stations (R, 3) is outside of the box around places (3,), or further [m]."""
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    outside = np.linalg.norm(np.maximum(np.maximum(low - stations, stations - high), 0), axis=1)
    return float(np.percentile(outside, 80))


def _places(subject: Subject, body: str) -> list[Array]:
    """Return origins, joints and path points of a foot and of bodies that follow it, as toes do, in its frame [m]."""
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

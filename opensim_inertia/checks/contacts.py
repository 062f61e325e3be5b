"""Points where external loads act, against the bodies they act on: wrong bodies, units and places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.findings import Finding
from .._core.opensim import osim
from ..opensim_model.reading.loading import InitialisedModel
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .moving_model import GROUND, LoadedModel, MovingModel, PointLoad, covered_rows, spread
from .subject import Subject

ACTS = 0.2
"""A load acts where its force is more than this share of its size, the 95th percentile."""
STRIDE = 1.0
"""Points are this near to the origin of the body that they act on [m]; of feet within 0.35 m in public data."""
FAR = 10.0
"""Beyond this no point belongs to a body [m]."""
OTHER = (0.35, 0.5)
"""Points further from their body than this [m], and nearer to another one by this share, seem to belong to that."""
WEIGHTS = 10.0
"""No force on a body that moves freely is more than this many times its weight."""
TORQUE = 0.05
"""Torques about the point are below this share of body weight at a metre, in nine of ten rows; in public data below
0.02 at all of them."""
ABOUT = 0.1
"""Torques are about the origin of ground where less than this share of them is left without the forces' moments."""
HEIGHT = (-0.3, 0.1)
"""Points on the ground are between these heights above the origin of the foot that stands there [m]."""
LOW, UPWARD = 0.3, 0.7
"""A body no higher than this above the lowest one [m], on which most of the force acts upwards, is a foot."""


def contact_findings(loads: Loads, moving: MovingModel) -> list[Finding]:
    """Return findings of forces, points, torques and bodies of loads that do not fit the model."""
    sizes = list(_sizes(loads, moving))
    if sizes:
        return sizes
    distances = {name: _distances(load, moving) for name, load in moving.loads.items() if _acting(load).any()}
    far = [finding for name in distances for finding in _far(name, loads, moving, distances[name])]
    far += [finding for name in distances for finding in _high(name, loads, moving)]
    return far or list(_bodies(loads, moving, distances))


def _acting(load: PointLoad) -> Array:
    """Return whether a load acts, (R,)."""
    amount = np.linalg.norm(load.force, axis=1)
    if not amount.any():
        return np.zeros(len(amount), dtype=bool)
    return np.asarray(amount > ACTS * np.percentile(amount[amount > 0], 95))


def _distances(load: PointLoad, moving: MovingModel) -> dict[str, Array]:
    """Return how far a load's point is from each body's origin while it acts [m], by body."""
    acts = _acting(load)
    names = [name for name in moving.origins if name != GROUND]
    arms = load.point[acts] - np.array([moving.origins[name][acts] for name in names])
    return dict(zip(names, np.linalg.norm(arms, axis=2), strict=True))


def _sizes(loads: Loads, moving: MovingModel) -> Iterator[Finding]:
    """Yield findings of forces and torques that are too large for a body that moves freely."""
    if not moving.moves_freely:
        return
    within = (loads.times >= moving.times[0]) & (loads.times <= moving.times[-1])
    torques: list[tuple[float, str]] = []
    for name, labels in loads.columns.items():
        values = np.abs(loads.values(name)[within])
        if not len(values):
            continue
        row, column = np.unravel_index(int(values[:, :3].argmax()), (len(values), 3))
        if values[row, column] > WEIGHTS * moving.weight:
            place = f"{loads.data}: column '{labels[column]}' in row {np.flatnonzero(within)[row] + 1}"
            text = (
                f"the force is {values[row, column]:.4g} N at time {loads.times[within][row]:.6g} s, "
                f"{values[row, column] / moving.weight:.3g} times the weight of the model; expected at most {WEIGHTS:g}"
            )
            yield Finding("error", "body weight", place, text, ("correct the cell or the unit of the column (N)",))
        acts = values[:, :3].max(axis=1) > ACTS * values[:, :3].max()
        torque = float(np.percentile(values[acts, 6:].max(axis=1), 90)) if acts.any() else 0.0
        if torque > TORQUE * moving.weight:
            torques.append((torque, name))
    if torques:
        yield _torque(*max(torques), loads, moving.weight)


def _torque(torque: float, name: str, loads: Loads, weight: float) -> Finding:
    """Return a finding of a load with a larger torque [N m] than feet bear."""
    values = loads.values(name)
    moments = np.cross(values[:, 3:6], values[:, :3])
    left = float(np.linalg.norm(values[:, 6:] - moments) / (np.linalg.norm(moments) or 1.0))
    if left < ABOUT:
        text = (
            f"torques of the load '{name}' are the moments of its forces about the origin of ground, p x F, to "
            f"{100 * left:.2g} %; OpenSim takes torques about the point, so that these moments act twice"
        )
        return Finding("warning", "torques", str(loads.data), text, ("subtract p x F from the torques",))
    column = loads.columns[name][6 + int(np.abs(values[:, 6:]).max(axis=0).argmax())]
    text = (
        f"the torque exceeds {torque:.4g} N m in a tenth of all rows, which is {torque / weight:.3g} of the model's "
        "weight at a metre; feet bear up to 0.02"
    )
    cure = ("see that torques are in N m, about the point of the force",)
    return Finding("warning", "torques", f"{loads.data}: column '{column}'", text, cure)


def _far(name: str, loads: Loads, moving: MovingModel, distances: dict[str, Array]) -> Iterator[Finding]:
    """Yield a finding of a load whose point is far from the body it acts on."""
    body = moving.loads[name].body
    if body == GROUND or loads.bodies[name][2] is None:
        return
    distance = float(np.percentile(distances[body], 80))
    if distance <= STRIDE:
        return
    spread = np.abs(
        moving.loads[name].point[_acting(moving.loads[name])] - moving.origins[body][_acting(moving.loads[name])]
    )
    label = loads.columns[name][3 + int(spread.max(axis=0).argmax())]
    hint = "; it seems to be in millimetres" if distance > 100 else ""
    text = (
        f"the load '{name}' acts {distance:.3g} m and more from the origin of body '{body}', which it acts on, in a "
        f"fifth of the rows in which it acts{hint}"
    )
    cure = ("see the points' unit (m) and origin, and the frames that the setup names",)
    place = f"{loads.data}: column '{label}'"
    yield Finding("error" if distance > FAR else "warning", "points", place, text, cure)


def _high(name: str, loads: Loads, moving: MovingModel) -> Iterator[Finding]:
    """Yield a finding of a load on a foot whose point is not at the height of the ground below it."""
    load, acts = moving.loads[name], _acting(moving.loads[name])
    if load.body == GROUND or loads.bodies[name][2] is None or not moving.up.any():
        return
    lowest = np.min([origin @ moving.up for body, origin in moving.origins.items() if body != GROUND], axis=0)
    foot = moving.origins[load.body] @ moving.up
    upward = load.force @ moving.up > UPWARD * np.linalg.norm(load.force, axis=1)
    stands = acts & upward & (foot - lowest < LOW)
    if np.count_nonzero(stands) < 0.5 * np.count_nonzero(acts):
        return
    height = float(np.median((load.point @ moving.up - foot)[stands]))
    if HEIGHT[0] <= height <= HEIGHT[1]:
        return
    label = loads.columns[name][3 + int(np.argmax(np.abs(moving.up)))]
    text = (
        f"the load '{name}' acts on body '{load.body}' {abs(height):.3g} m {'above' if height > 0 else 'below'} its "
        "origin (median while it stands), where the ground is not"
    )
    cure = ("see the unit of the column (m), and that loads and motion have the same height of the ground",)
    yield Finding("warning", "points", f"{loads.data}: column '{label}'", text, cure)


def _bodies(loads: Loads, moving: MovingModel, distances: dict[str, dict[str, Array]]) -> Iterator[Finding]:
    """Yield findings of loads whose point is much nearer to another body than to the one that they act on."""
    far, share = OTHER
    near = {}
    for name, by_body in distances.items():
        body = moving.loads[name].body
        if body == GROUND or loads.bodies[name][2] is None:
            continue
        medians = dict(zip(by_body, np.median([*by_body.values()], axis=1).tolist(), strict=True))
        nearest = min(medians, key=lambda each: medians[each])
        if medians[body] > far and medians[nearest] < share * medians[body]:
            near[name] = (medians, nearest)
    for name, (medians, nearest) in near.items():
        body = moving.loads[name].body
        owners = [each for each in near if each != name and moving.loads[each].body != body]
        swapped = next(
            (
                each
                for each in owners
                if medians[moving.loads[each].body] < share * medians[body]
                and near[each][0][body] < share * near[each][0][moving.loads[each].body]
            ),
            None,
        )
        if swapped is not None:
            text = (
                f"the loads '{name}' and '{swapped}' seem to be exchanged: '{name}' acts on body '{body}', "
                f"{medians[body]:.3g} m from its point, and body '{moving.loads[swapped].body}' is "
                f"{medians[moving.loads[swapped].body]:.3g} m from it"
            )
            yield Finding(
                "error", "bodies", str(loads.path), text, ("exchange the bodies, or the columns, in the setup",)
            )
            return
        text = (
            f"the load '{name}' acts on body '{body}', {medians[body]:.3g} m from its point; body '{nearest}' is "
            f"{medians[nearest]:.3g} m from it (medians while it acts)"
        )
        yield Finding(
            "warning", "bodies", str(loads.path), text, ("see that it acts on the right body, in the right frame",)
        )


BEARS = 0.3
"""A foot bears load where the force upwards is more than this share of body weight."""
EVENLY, MOST, FEWEST = 40, 20, 5
"""Rows at which a model is looked at: evenly spread ones, and of each foot that bears load, at most and at least."""
LEVEL = 0.05
"""The points of a force on the ground stay within this height, but for a tenth of the rows at either end [m]."""
SLIPS = (0.1, 0.2)
"""A foot that bears load slips by less than the sum of this speed [m/s] and this share of the speed of the body over
the ground, in the mean. In public data it is 4 to 15 % of the body's speed, and 19 % in a run that is not filtered."""
BESIDE = 0.15
"""The force acts at most this far outside of the box around a foot's joints and path points [m], in four of five rows;
in public data 0.07, which is the height of the heel."""
SHORT = 0.1
"""A box with a smaller diagonal is that of a body whose joints and path points say nothing of its extent [m]."""


@dataclass(frozen=True)
class FootContact:
    """How a foot rests on the ground while it bears load.

    Attributes:
        load: the name of its load.
        body: the foot.
        slip: mean speed of what of it is at the point of the force, relative to its median velocity [m/s].
        spin: median of how fast it turns [rad/s].
        over_ground: mean speed of the model's centre of mass relative to the ground [m/s].
        rows: the rows of the moving model at which it bears load.
    """

    load: str
    body: str
    slip: float
    spin: float
    over_ground: float
    rows: NDArray[np.intp]


def rows_of_interest(loaded: LoadedModel, motion: Motion) -> NDArray[np.intp]:
    """Return rows of a motion for which there are loads: :data:`EVENLY` spread, and :data:`MOST` of each bearing foot.

    Args:
        loaded: the model with its loads.
        motion: of all coordinates.
    """
    loads, inside = loaded.loads, covered_rows(motion, loaded.loads)
    rows = [spread(inside, EVENLY)]
    for name in loads.columns:
        if loads.bodies[name][1] == loads.bodies[name][2] == GROUND:
            upward = np.interp(motion.times[inside], loads.times, loads.values(name)[:, :3] @ loaded.up)
            rows.append(spread(inside[upward > BEARS * loaded.weight], MOST))
    return np.unique(np.concatenate(rows))


def foot_contacts(moving: MovingModel) -> list[FootContact]:
    """Return how feet rest on the ground while they bear load; none in models that are not free to move."""
    if not moving.moves_freely or not moving.up.any():
        return []
    bearing = {name: _rows_on_ground(load, moving) for name, load in moving.loads.items() if load.in_ground}
    return [foot_contact(name, moving.loads[name], moving, rows) for name, rows in bearing.items() if len(rows)]


def _rows_on_ground(load: PointLoad, moving: MovingModel) -> NDArray[np.intp]:
    """Return the rows at which a foot bears load; none where these are few, or it is not on the ground."""
    rows = np.flatnonzero(load.force @ moving.up > BEARS * moving.weight)
    if len(rows) < FEWEST or load.body == GROUND:
        return rows[:0]
    low, high = np.percentile((load.point @ moving.up)[rows], (10, 90))
    return rows[:0] if high - low > LEVEL else rows


def foot_contact(name: str, load: PointLoad, moving: MovingModel, rows: NDArray[np.intp]) -> FootContact:
    """Return how a foot rests on the ground.

    Args:
        name: of its load.
        load: the load, with how fast the foot slips and turns.
        moving: the model.
        rows: those of the model's rows at which the foot bears load.
    """
    belt = np.median(load.slip[rows], axis=0)
    body = np.linalg.norm(moving.momentum[rows, 3:] / moving.mass - belt, axis=1)
    slip, spin = slip_and_spin(load.slip[rows], load.spin[rows])
    return FootContact(name, load.body, float(slip), float(spin), float(body.mean()), rows)


def slip_and_spin(slip: Array, spin: Array) -> tuple[Array, Array]:
    """Return the mean speed of a foot (...) relative to its median velocity, and the median of how fast it turns (...).

    Args:
        slip, spin: its velocity at the point of the force [m/s], and its angular velocity [rad/s], (R, 3, ...).
    """
    speed = np.linalg.norm(slip - np.median(slip, axis=0), axis=1)
    return speed.mean(axis=0), np.median(np.linalg.norm(spin, axis=1), axis=0)


def foot_findings(model: osim.Model, loads: Loads, moving: MovingModel) -> list[Finding]:
    """Return findings of feet that slip, or are beside their forces.

    Args:
        model: initialised.
        loads: the loads.
        moving: the model along the motion.
    """
    subject = Subject(InitialisedModel(model), model.getName())
    findings = []
    for contact in foot_contacts(moving):
        findings += [*_beside(contact, loads, moving, subject), *_slipping(contact, loads)]
    return findings


def _slipping(contact: FootContact, loads: Loads) -> Iterator[Finding]:
    least, share = SLIPS
    limit = least + share * contact.over_ground
    if contact.slip > limit:
        text = (
            f"body '{contact.body}' slips over the ground at {contact.slip:.2g} m/s in the mean while the load "
            f"'{contact.load}' bears on it; expected less than {limit:.2g} m/s, where the body moves over the ground "
            f"at {contact.over_ground:.2g} m/s"
        )
        cure = (
            "see the columns of the motion from the pelvis to this foot: signs, zeros, units; and that loads and "
            "motion are of the same trial and time",
        )
        yield Finding("warning", "feet on the ground", str(loads.data), text, cure)


def _beside(contact: FootContact, loads: Loads, moving: MovingModel, subject: Subject) -> Iterator[Finding]:
    """Yield a finding of a load that acts outside of the box around the foot it acts on."""
    stations = moving.loads[contact.load].station[contact.rows]
    if _distance(stations, *_box_of_joints(subject, contact.body)) <= BESIDE:
        return  # the box around path points, too, which take longer to read, is no smaller
    low, high = _box(subject, contact.body)
    if np.linalg.norm(high - low) < SHORT:
        return
    distance = _distance(stations, low, high)
    if distance > BESIDE:
        text = (
            f"the load '{contact.load}' acts {distance:.2g} m and more outside of body '{contact.body}' in a fifth of "
            f"the rows in which it bears on it; expected at most {BESIDE:g} m"
        )
        cure = (
            "see the columns of the motion from the pelvis to this foot: signs, zeros, units; and the origin of the "
            "loads' points",
        )
        yield Finding("warning", "feet on the ground", str(loads.data), text, cure)


def _distance(stations: Array, low: Array, high: Array) -> float:
    """Return how far a fifth of places (R, 3) is outside of a box, or further [m]."""
    outside = np.linalg.norm(np.maximum(np.maximum(low - stations, stations - high), 0), axis=1)
    return float(np.percentile(outside, 80))


def _box_of_joints(subject: Subject, body: str) -> tuple[Array, Array]:
    """Return the least and the largest place (3,) [m] of a body's origin and its joints, in its frame."""
    places = [np.zeros(3), *subject.joints_on([body])[body].values()]
    return np.min(places, axis=0), np.max(places, axis=0)


def _box(subject: Subject, body: str) -> tuple[Array, Array]:
    """Return the box around the joints and path points of a foot, and of the bodies that follow it, as toes do.

    These are the least and the largest place (3,) [m] in the frame of the foot, in the default pose.
    """
    bodies = {body}
    for _ in subject.parents:
        bodies |= {child for child, (parent, _, _) in subject.parents.items() if parent in bodies}
    state = osim.State(subject.state)
    subject.model.realizePosition(state)
    frame = subject.model.getBodySet().get(body)
    places, stations = [np.zeros(3)], subject.stations
    for name in sorted(bodies):
        attached_body = subject.model.getBodySet().get(name)
        for station in [np.zeros(3), *stations[name].values()]:
            location = attached_body.findStationLocationInAnotherFrame(state, osim.Vec3(*station.tolist()), frame)
            places.append(location.to_numpy().copy())
    return np.min(places, axis=0), np.max(places, axis=0)

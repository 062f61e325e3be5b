"""Feet that bear load on the ground: how they rest on it, and where the force acts on them.

A force plate says when a foot bears load and where. What of the foot is at that point hardly moves over the ground
then, whether the foot stands or rolls, and the point is under the foot. A column of the motion that is damaged breaks
both, though the motion alone looks well.

The ground may be a treadmill's belt, so that the median velocity of each foot is left out. Feet on pedals and hands on
rails are none: the points of their forces move up and down.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.opensim import osim
from ..opensim_model.reading.loading import InitialisedModel
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .moving_model import GROUND, LoadedModel, MovingModel, PointLoad, covered_rows, spread
from .subject import Subject

__all__ = ["FootContact", "foot_contact", "foot_contacts", "foot_findings", "rows_of_interest", "slip_and_spin"]

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


def foot_findings(model: osim.Model, loads: Loads, moving: MovingModel) -> list[Diagnostic]:
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


def _slipping(contact: FootContact, loads: Loads) -> Iterator[Diagnostic]:
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
        yield Diagnostic("warning", "feet on the ground", str(loads.data), text, cure)


def _beside(contact: FootContact, loads: Loads, moving: MovingModel, subject: Subject) -> Iterator[Diagnostic]:
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
        yield Diagnostic("warning", "feet on the ground", str(loads.data), text, cure)


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

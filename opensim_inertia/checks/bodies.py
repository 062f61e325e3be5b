"""Checks of bodies, coordinates and symmetry."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.errors import OPENSIM_ERRORS
from .._core.opensim import osim, quiet
from ..model.constraints import constraint_jacobian
from ..muscles.masses.rigid import RigidMass, body_mass_properties, inertia_problem, six_numbers
from ..opensim_model.reading.coordinates import other_side
from ..opensim_model.reading.loading import InitialisedModel, copy_model, initialise


@dataclass(frozen=True, eq=False)
class Subject(InitialisedModel):
    """An initialised model to check; findings use ``name``, the name of its file or the model's own name."""

    name: str

    @classmethod
    def of(cls, model: osim.Model | str | os.PathLike[str]) -> Subject:
        """Return the subject made from a copy of a model, or from a model file."""
        name = model.getName() or "the model" if isinstance(model, osim.Model) else Path(model).name
        with quiet():
            copy = copy_model(model)
            initialise(copy)
        return cls(copy, name)

    @cached_property
    def bodies(self) -> dict[str, RigidMass]:
        """Mass properties of all bodies, by name."""
        return {body.getName(): body_mass_properties(self.model, body.getName()) for body in self.model.getBodySet()}

    @cached_property
    def parents(self) -> dict[str, tuple[str, int]]:
        """Parent body, and number of coordinates of the joint to the parent, by body."""
        joints = self.model.getJointSet()
        frames = [[f.findBaseFrame().getName() for f in (j.getChildFrame(), j.getParentFrame())] for j in joints]
        return {child: (up, int(j.numCoordinates())) for (child, up), j in zip(frames, joints, strict=True)}

    @cached_property
    def fixed(self) -> frozenset[str]:
        """Bodies fixed to ground; their mass properties have no effect."""
        fixed = {"ground"}
        while more := {b for b, (parent, count) in self.parents.items() if parent in fixed and not count} - fixed:
            fixed |= more
        return frozenset(fixed)

    @cached_property
    def stations(self) -> dict[str, dict[str, Array]]:
        """Positions (3,) [m] of joint frames and path points in body frames, by body, then by description."""
        stations = self.joints_on(list(self.bodies))
        for muscle, points in self.path_points.items():
            for number, point in enumerate(points, 1):
                if point.body in stations and point.station is not None:
                    stations[point.body][f"path point {number} of muscle '{muscle}'"] = point.station
        return stations

    def joints_on(self, bodies: Collection[str]) -> dict[str, dict[str, Array]]:
        """Return positions (3,) [m] of joint frames on ``bodies`` in body frames, by body, then by description."""
        stations: dict[str, dict[str, Array]] = {name: {} for name in bodies}
        for joint in self.model.getJointSet():
            for frame, side in ((joint.getParentFrame(), "parent"), (joint.getChildFrame(), "child")):
                body = frame.findBaseFrame().getName()
                if body in stations:
                    place = frame.findTransformInBaseFrame().p().to_numpy().copy()
                    stations[body][f"the {side} frame of joint '{joint.getName()}'"] = place
        return stations

    def reach(self, body: str) -> float:
        """Return the largest distance [m] from a body's mass centre to the body's joints and path points."""
        places = np.reshape(list(self.stations[body].values()), (-1, 3))
        return float(np.linalg.norm(places - self.bodies[body].center, axis=1).max(initial=0.0))

    def label(self, kind: str, name: str) -> str:
        """Return a text that names a part of the model in findings, such as "arm26.osim, body 'ulna'"."""
        return f"{self.name}, {kind} '{name}'"


#: Lighter bodies [kg] are placeholders; with smaller largest moments [kg m^2] they are negligible.
PLACEHOLDER, LARGEST_OF_NOTHING = 1e-3, 1e-4
#: A smaller excess of a moment over the sum of the others [kg m^2] is negligible: 0.1 N m at 100 rad/s^2.
SMALL_EXCESS = 1e-3
#: Model masses [kg] above these are an error and a warning; the heaviest person known weighed 635 kg.
IMPOSSIBLE_TOTAL, GREAT_TOTAL = 1000.0, 300.0
#: Least plausible model mass [kg] per squared extent [m^2]: a person has 20 to 40, a finger 1.
LEAST_TOTAL = 0.05
#: Largest distances of a body's mass centre (error, warning), joints and points (error) from its origin [m].
IMPOSSIBLE_DISTANCE, FAR_CENTRE = 3.0, 1.0
#: A radius of gyration above this [m], and twice the body's reach, is doubtful; above this multiple it is impossible.
GREAT_GYRATION, IMPOSSIBLE_GYRATION = 0.75, 10.0
#: Largest plausible density [kg/m^3]: steel.
DENSEST = 8000.0
#: Ranges of rotations wider than this [rad], four full turns, are in degrees.
DEGREES = 25.0
#: Defaults outside the range by more than these [rad or m] are a note and a warning.
OUTSIDE, FAR_OUTSIDE = 1e-6, 0.01
#: Placeholders for unlimited ranges in public models [m].
UNBOUNDED = 1e3
#: Eigenvalues of the scaled mass matrix below this are round-off.
SINGULAR = 1e-11
#: Effective inertia below this [kg or kg m^2] counts as zero.
NOTHING = 1e-12
#: Largest relative differences between sides, of masses, moments and strengths, and of lengths.
ALIKE, ALIKE_LENGTHS = 0.35, 0.15
#: Largest distances [m] of a point, and of the median point, from the mirror image; least number of pairs.
ALIKE_PLACE, MIRRORED, FEW = 0.025, 0.01, 3

#: Remedies for unphysical inertia, other units, and differing sides.
REPAIR = ("`opensim-inertia check MODEL.osim --repair OUT.osim` writes the nearest inertia that a body can have",)
UNITS, SIDE = ("give mass in kg and inertia in kg m^2",), ("see which side is right",)


def implausible_bodies(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of implausible mass properties, total mass, distances within bodies, and gravity."""
    moving = {name: rigid for name, rigid in subject.bodies.items() if name not in subject.fixed}
    for name, rigid in moving.items():
        yield from _about_body(subject, name, rigid)
    yield from _about_total(subject, math.fsum(rigid.mass for rigid in moving.values()))
    for body, stations in subject.stations.items():
        sizes = {label: float(np.linalg.norm(station)) for label, station in stations.items()}
        beyond = {label: size for label, size in sizes.items() if not size <= IMPOSSIBLE_DISTANCE}
        if beyond:
            worst = max(beyond, key=lambda label: beyond[label])
            more = f", and {len(beyond) - 1} others are as far" if len(beyond) > 1 else ""
            text = f"{worst} is {beyond[worst]:.4g} m from its origin{more}; no segment is that long"
            yield Diagnostic("error", "lengths", subject.label("body", body), text, ("give lengths in metres",))
    yield from _about_gravity(f"{subject.name}, gravity", subject.model.getGravity().to_numpy())


def _about_body(subject: Subject, name: str, rigid: RigidMass) -> Iterator[Diagnostic]:
    place = subject.label("body", name)
    if not (math.isfinite(rigid.mass) and np.isfinite(rigid.center).all() and np.isfinite(rigid.inertia).all()):
        text = f"mass {rigid.mass:g} kg, centre of mass {_vector(rigid.center)} m, inertia {_vector(rigid.inertia)}"
        yield Diagnostic("error", "numbers", place, f"{text}: finite numbers were expected", ("give it numbers",))
        return
    far = float(np.linalg.norm(rigid.center))
    if far > FAR_CENTRE:
        text = f"its centre of mass is {far:.4g} m from its origin, and no segment is longer than {FAR_CENTRE:g} m"
        severity = "error" if far > IMPOSSIBLE_DISTANCE else "warning"
        yield Diagnostic(severity, "centre of mass", place, text, ("give <mass_center> in metres",))
    if rigid.mass < 0.0:
        yield Diagnostic("error", "mass", place, f"its mass is {rigid.mass:g} kg; a positive mass was expected")
    if rigid.mass <= 0.0:  # see massless_coordinates
        return
    moments = np.asarray(np.linalg.eigvalsh(rigid.inertia), dtype=float)
    if rigid.mass < PLACEHOLDER:
        yield _placeholder(place, rigid.mass, float(np.abs(moments).max()))
    if not rigid.inertia.any():
        text = f"{rigid.mass:.4g} kg without any inertia: a point mass, right for a small part but not for a segment"
        yield Diagnostic("note", "point mass", place, text, ("give it the inertia of the real body",))
        return
    problem = inertia_problem(six_numbers(rigid.inertia))
    if problem is not None:
        yield _inertia(place, problem, moments)
    yield from _about_gyration(subject, name, rigid.mass, moments)


def _inertia(place: str, problem: str, moments: Array) -> Diagnostic:
    excess = float(moments[2] - moments[0] - moments[1])
    severity, effect = ("note", "it is too small to change an answer") if excess < SMALL_EXCESS else ("warning", "")
    if moments[0] <= 0.0:
        check, effect = "inertia", effect or "its part of moments has the wrong sign, in OpenSim's answer, too"
        problem += "; all three of a body are positive"
    else:
        check, share = "triangle inequality", 100 * excess / (moments[0] + moments[1])
        problem += f": the largest exceeds the sum of the others by {share:.3g} %, as of no body"
    return Diagnostic(severity, check, place, "; ".join(filter(None, (problem, effect))), REPAIR)


def _placeholder(place: str, mass: float, largest: float) -> Diagnostic:
    text = f"its mass is {1e3 * mass:.3g} g"
    if largest <= LARGEST_OF_NOTHING:
        return Diagnostic("note", "placeholder", place, f"{text}: it stands for no segment, and changes no answer")
    text += f" and its largest moment {largest:.4g} kg m^2: each rad/s^2 of its rotation adds up to {largest:.4g} N m"
    cure = f"if it stands for nothing, give it moments below {LARGEST_OF_NOTHING:g} kg m^2"
    return Diagnostic("warning", "placeholder", place, f"{text}, in OpenSim's answer, too", (cure,))


def _about_gyration(subject: Subject, name: str, mass: float, moments: Array) -> Iterator[Diagnostic]:
    largest, most = float(moments[2]), GREAT_GYRATION
    gyration = math.sqrt(max(largest, 0.0) / mass)
    if gyration > most and mass >= PLACEHOLDER:
        most = max(most, 2 * subject.reach(name))
    starts = f"its moments, up to {largest:.4g} kg m^2, are"
    severity, text = "warning", ""
    if gyration > most and mass >= PLACEHOLDER:
        severity = "error" if gyration > IMPOSSIBLE_GYRATION * most else "warning"
        text = (
            f"{starts} those of {mass:.4g} kg at {gyration:.3g} m from its centre of mass; at most {most:.3g} m were "
            "expected"
        )
    least = 0.4 * mass * (3 * mass / (4 * math.pi * DENSEST)) ** (2 / 3)
    if 0 < moments.sum() < 3 * least:
        text = f"{starts} smaller than those of a sphere of steel of the same {mass:.4g} kg ({least:.3g} kg m^2)"
    if text:
        yield Diagnostic(severity, "inertia against mass", subject.label("body", name), text, UNITS)


def _about_total(subject: Subject, total: float) -> Iterator[Diagnostic]:
    if not subject.coordinates.names:
        text = "it has no coordinates: nothing in it can move, and no analysis has an answer"
        yield Diagnostic("error", "coordinates", subject.name, text, ("give it joints that move",))
    elif total > GREAT_TOTAL:
        heaviest = max(subject.bodies, key=lambda name: subject.bodies[name].mass)
        text = (
            f"its bodies weigh {total:.4g} kg together, '{heaviest}' alone {subject.bodies[heaviest].mass:.4g} kg; at "
            f"most {GREAT_TOTAL:g} kg were expected"
        )
        severity = "error" if total > IMPOSSIBLE_TOTAL else "warning"
        yield Diagnostic(severity, "total mass", subject.name, text, ("give masses in kilograms, not in grams",))
    elif total <= 0.0 and subject.bodies:
        yield Diagnostic(
            "warning", "total mass", subject.name, "no body that moves has mass", ("give bodies their mass",)
        )
    elif math.isfinite(total):
        extent = max((subject.reach(name) for name in subject.bodies if name not in subject.fixed), default=0.0)
        if total < LEAST_TOTAL * extent**2:
            text = f"its bodies weigh {total:.4g} kg together, and one of them is {extent:.3g} m long"
            yield Diagnostic("warning", "total mass", subject.name, text, ("give masses in kilograms",))


def _about_gravity(place: str, gravity: Array) -> Iterator[Diagnostic]:
    size = float(np.linalg.norm(gravity))
    if not size <= 20.0:
        yield Diagnostic("error", "gravity", place, f"it is {size:.4g} m/s^2; 9.81 was expected", ("give it in m/s^2",))
    elif size == 0.0:
        yield Diagnostic("note", "gravity", place, "there is none: right in space and in a plane that is level only")
    elif not 9.7 <= size <= 9.9:
        text = f"it is {size:.4g} m/s^2; on earth it is 9.78 to 9.83"
        yield Diagnostic("warning", "gravity", place, text, ("give <gravity> as 0 -9.80665 0",))
    if 0 < size <= 20.0 and not gravity[1] < -0.99 * size:
        text = f"it acts along {_vector(gravity / size)}, and not along -y as in most models of OpenSim"
        yield Diagnostic("note", "gravity", place, text, ("see that motion and loads have the same axes",))


def _vector(values: object) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in np.ravel(np.asarray(values))) + ")"


def implausible_ranges(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of coordinate ranges that are empty, reversed or in degrees, and of defaults outside ranges."""
    table = subject.coordinates
    for i, name in enumerate(table.names):
        low, high = table.ranges[i].tolist()
        default, unit = float(table.defaults[i]), "m" if table.translational[i] else "rad"
        check, cure = "range of a coordinate", "correct <range> of the coordinate"
        if not (np.isfinite([low, high, default]).all()):
            severity = "error"
            text = f"its range is {low:g} to {high:g} and its default {default:g}; finite numbers were expected"
        elif low >= high:
            severity, how = ("warning", "ends before it begins") if low > high else ("note", "is empty")
            text = f"its range is {low:.4g} to {high:.4g} {unit}: it {how}"
        elif table.rotational[i] and DEGREES < high - low < 2 * UNBOUNDED:
            severity, cure = "warning", "give <range> in radians"
            text = f"its range is {low:.4g} to {high:.4g} rad, {(high - low) / (2 * np.pi):.3g} full turns: in degrees?"
        elif not low - OUTSIDE <= default <= high + OUTSIDE:
            severity = "warning" if max(low - default, default - high) > FAR_OUTSIDE else "note"
            check, cure = "default of a coordinate", "correct <default_value> or <range>"
            text = f"its default value, {default:.4g} {unit}, lies outside its range, {low:.4g} to {high:.4g} {unit}"
        else:
            continue
        yield Diagnostic(severity, check, subject.label("coordinate", name), text, (cure,))


def massless_coordinates(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of speed directions without positive kinetic energy, named after the fastest coordinate."""
    try:
        subject.model.realizeVelocity(subject.state)
        matrix = osim.Matrix()
        subject.model.getMatterSubsystem().calcM(subject.state, matrix)
        M = np.asarray(matrix.to_numpy())
        G = constraint_jacobian(subject.model, subject.state)
    except OPENSIM_ERRORS:
        return
    if not np.isfinite(M).all() or not len(M):
        return
    for value, direction in zip(*_scaled_spectrum(M, G), strict=True):
        if value > SINGULAR:
            break
        if value < -SINGULAR:
            check = "kinetic energy"
            text = "its kinetic energy is negative at the default pose: its moment has the wrong sign, in OpenSim's too"
            cure = "correct the inertias of the bodies that it moves"
        else:
            bodies = [n for n, rigid in subject.bodies.items() if rigid.mass == 0 and n not in subject.fixed]
            massless = f" (without mass: {', '.join(bodies[:6])})" if bodies else ""
            check = "massless moving body"
            text = f"it moves no mass{massless}: its force is zero in inverse dynamics, and simulations fail"
            cure = "give the body mass and inertia, weld its joint, or lock the coordinate"
        leading = subject.coordinates.names[int(np.argmax(np.abs(direction)))]
        yield Diagnostic("warning", check, subject.label("coordinate", leading), text, (cure,))


def _scaled_spectrum(M: Array, G: Array) -> tuple[Array, Array]:
    """Return eigenvalues (free,), vectors (free, nu) of M, scaled to a diagonal of ones, for speeds u with G u = 0."""
    diagonal = np.abs(np.diag(M))
    scale = np.where(diagonal > NOTHING, 1 / np.sqrt(np.maximum(diagonal, NOTHING)), 1.0)
    free = np.eye(len(M))
    if len(G):
        _, sizes, rows = np.linalg.svd(G * scale)
        limit = np.finfo(float).eps * max(G.shape) * sizes.max(initial=0.0)
        free = rows[np.count_nonzero(sizes > limit) :].T
    scaled = free.T @ ((M * scale[:, None]) * scale) @ free
    values, directions = np.linalg.eigh(scaled)
    return values, np.asarray((free @ directions).T)


def asymmetries(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of large differences between left and right bodies, muscles and path points."""
    of_bodies: dict[str, _Quantity] = {
        "mass": (lambda b: b.mass, "kg", ALIKE, 0.0),
        "largest principal moment": (lambda b: _largest(b.inertia), "kg m^2", ALIKE, 0.0),
        "distance of the centre of mass": (lambda b: float(np.linalg.norm(b.center)), "m", ALIKE, 0.01),
    }
    of_muscles: dict[str, _Quantity] = {
        "maximum isometric force": (lambda m: m.getMaxIsometricForce(), "N", ALIKE, 0.0),
        "optimal fibre length": (lambda m: m.getOptimalFiberLength(), "m", ALIKE_LENGTHS, 0.0),
        "tendon slack length": (lambda m: m.getTendonSlackLength(), "m", ALIKE_LENGTHS, 0.0),
        "pennation angle": (lambda m: m.getPennationAngleAtOptimalFiberLength(), "rad", ALIKE, 0.05),
    }
    for kind, parts, quantities in (("bodies", subject.bodies, of_bodies), ("muscles", subject.muscles, of_muscles)):
        for right, left in _pairs(parts).items():
            for quantity, (value, unit, alike, least) in quantities.items():
                a, b = float(value(parts[right])), float(value(parts[left]))
                largest = max(abs(a), abs(b))
                if not (np.isfinite([a, b]).all() and largest > 0) or abs(a - b) < least:
                    continue
                if abs(a - b) / largest > alike:
                    text = (
                        f"{quantity} {a:.4g} and {b:.4g} {unit}: {100 * abs(a - b) / largest:.0f} % apart; up to "
                        f"{100 * alike:.0f} % is usual between sides"
                    )
                    cure = ("see which side is right, unless the person is so",)
                    place = f"{subject.name}, {kind} '{right}' and '{left}'"
                    yield Diagnostic("warning", f"sides: {quantity}", place, text, cure)
    yield from _points(subject)


#: Function to read a quantity, its unit, and the relative and absolute differences to ignore.
_Quantity = tuple[Callable[[Any], float], str, float, float]


def _pairs(names: Collection[str]) -> dict[str, str]:
    return {right: left for right in names if (left := other_side(right, names)) is not None}


def _points(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of path points that are not mirror images of the other side's points."""
    pairs: dict[tuple[str, str], list[tuple[str, str, int, Array, Array]]] = {}
    mirrored = _pairs(subject.bodies)
    mirrored |= {left: right for right, left in mirrored.items()}

    def finding(right: str, left: str, text: str) -> Diagnostic:
        return Diagnostic(
            "warning", "sides: path points", f"{subject.name}, muscles '{right}' and '{left}'", text, SIDE
        )

    for right, left in _pairs(subject.path_points).items():
        both = subject.path_points[right], subject.path_points[left]
        if len(both[0]) != len(both[1]):
            continue
        for number, (one, other) in enumerate(zip(*both, strict=True), 1):
            if other.body != mirrored.get(one.body, one.body):
                yield finding(right, left, f"path point {number} is on '{one.body}' and on '{other.body}'")
            elif one.station is not None and other.station is not None:
                rows = pairs.setdefault((one.body, other.body), [])
                rows.append((right, left, number, one.station, other.station))
    for rows in pairs.values():
        stations = np.array([row[3:] for row in rows]).swapaxes(0, 1)
        signs = np.array([*product((1.0, -1.0), repeat=3)])[:, None]
        distances = np.linalg.norm(stations[0] * signs - stations[1], axis=2)
        medians = np.sort(distances, axis=1)[:, len(rows) // 2]
        if len(rows) < FEW or medians.min() > MIRRORED:
            continue  # the axes are not mirrored
        for (right, left, number, *_), distance in zip(rows, distances[medians.argmin()].tolist(), strict=True):
            if distance > ALIKE_PLACE:
                text = (
                    f"path point {number} is {1e3 * distance:.1f} mm from the mirror image of the other side's; up to "
                    f"{1e3 * ALIKE_PLACE:.0f} mm is usual"
                )
                yield finding(right, left, text)


def _largest(inertia: Array) -> float:
    return float(np.linalg.eigvalsh(inertia)[-1]) if np.isfinite(inertia).all() else math.nan

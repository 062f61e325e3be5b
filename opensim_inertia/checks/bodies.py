"""Bodies, coordinates and sides of a model: impossible mass properties, ranges, and differences of left and right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from scipy.linalg import null_space

from .._core.arrays import Array
from .._core.errors import OPENSIM_ERRORS
from .._core.findings import Finding
from .._core.opensim import osim
from .._core.sides import other_side
from ..model.constraints import constraint_jacobian
from ..muscles.masses.rigid import RigidMass, inertia_problem, six_numbers
from .subject import Subject

#: A body lighter than this [kg] stands for none that weighs something: no segment of a person weighs a gram.
PLACEHOLDER = 1e-3
#: The largest principal moment of such a body [kg m^2]: a hundredth of a foot's.
LARGEST_OF_NOTHING = 1e-4
#: A moment that exceeds the others by less [kg m^2], as published toes have it, changes 0.1 N m at 100 rad/s^2.
SMALL_EXCESS = 1e-3
#: A model heavier than this [kg] is an error and than that a warning; the heaviest person known weighed 635 kg.
IMPOSSIBLE_TOTAL, GREAT_TOTAL = 1000.0, 300.0
#: The least mass of a model [kg] per square of its extent [m^2] and per number: a person has 20 to 40, a finger 1.
LEAST_TOTAL = 0.05
#: A centre of mass further than this from its body's origin [m] is an error and than that a warning: no human segment,
#: trunk and head included, is longer than a metre.
IMPOSSIBLE_CENTRE, FAR_CENTRE = 3.0, 1.0
#: A joint or a path point further than this from its body's origin [m] is given in other units.
IMPOSSIBLE_STATION = 3.0
#: A radius of gyration above this [m], and above twice the body's reach, is no segment's: a whole person's is 0.5 m.
GREAT_GYRATION = 0.75
#: Beyond this many times as much the inertia is in other units.
IMPOSSIBLE_GYRATION = 10.0
#: Nothing in or on a person is denser than steel [kg/m^3].
DENSEST = 8000.0

#: The cure of an inertia that no body has.
REPAIR = ("`opensim-inertia check MODEL.osim --repair OUT.osim` writes the nearest inertia that a body can have",)


def body_findings(subject: Subject) -> Iterator[Finding]:
    """Yield errors in the mass properties of a model's bodies, in its mass and in gravity."""
    moving = {name: rigid for name, rigid in subject.bodies.items() if name not in subject.fixed}
    for name, rigid in moving.items():
        yield from _about_body(subject, name, rigid)
    yield from _about_total(subject, math.fsum(rigid.mass for rigid in moving.values()))
    yield from _about_stations(subject)
    yield from _about_gravity(subject)


def _about_body(subject: Subject, name: str, rigid: RigidMass) -> Iterator[Finding]:
    """Yield errors in one body's mass, centre of mass and inertia."""
    place = subject.label("body", name)
    if not (math.isfinite(rigid.mass) and np.isfinite(rigid.center).all() and np.isfinite(rigid.inertia).all()):
        text = f"mass {rigid.mass:g} kg, centre of mass {_vector(rigid.center)} m, inertia {_vector(rigid.inertia)}"
        yield Finding("error", "numbers", place, f"{text}: finite numbers were expected", ("give it numbers",))
        return
    far = float(np.linalg.norm(rigid.center))
    if far > FAR_CENTRE:
        text = f"its centre of mass is {far:.4g} m from its origin, and no segment is longer than {FAR_CENTRE:g} m"
        severity = "error" if far > IMPOSSIBLE_CENTRE else "warning"
        yield Finding(severity, "centre of mass", place, text, ("give <mass_center> in metres",))
    if rigid.mass == 0.0:
        return  # what that means depends on what the body carries: see massless_findings
    if rigid.mass < 0.0:
        yield Finding("error", "mass", place, f"its mass is {rigid.mass:g} kg; a positive mass was expected")
        return
    if rigid.mass < PLACEHOLDER:
        yield _placeholder(place, rigid)
    if not rigid.inertia.any():
        text = f"{rigid.mass:.4g} kg without any inertia: a point mass, right for a small part but not for a segment"
        yield Finding("note", "point mass", place, text, ("give it the inertia of the real body",))
        return
    yield from _about_inertia(place, rigid)
    yield from _about_gyration(subject, name, rigid)


def _about_inertia(place: str, rigid: RigidMass) -> Iterator[Finding]:
    """Yield why an inertia is that of no body."""
    problem = inertia_problem(six_numbers(rigid.inertia))
    if problem is None:
        return
    values = np.linalg.eigvalsh(rigid.inertia)
    excess = float(values[2] - values[0] - values[1])
    severity, effect = ("note", "it is too small to change an answer") if excess < SMALL_EXCESS else ("warning", "")
    check = "triangle inequality"
    if values[0] <= 0.0:
        check, effect = "inertia", effect or "its part of moments has the wrong sign, in OpenSim's answer, too"
        problem += "; all three of a body are positive"
    else:
        share = 100 * excess / (values[0] + values[1])
        problem += f": the largest exceeds the sum of the others by {share:.3g} %, as of no body"
    yield Finding(severity, check, place, "; ".join(filter(None, (problem, effect))), REPAIR)


def _placeholder(place: str, rigid: RigidMass) -> Finding:
    """Return the effect of a body of hardly any mass on answers."""
    largest = float(np.abs(np.linalg.eigvalsh(rigid.inertia)).max())
    text = f"its mass is {1e3 * rigid.mass:.3g} g"
    if largest <= LARGEST_OF_NOTHING:
        return Finding("note", "placeholder", place, f"{text}: it stands for no segment, and changes no answer")
    text += f" and its largest moment {largest:.4g} kg m^2: each rad/s^2 of its rotation adds up to {largest:.4g} N m"
    cure = f"if it stands for nothing, give it moments below {LARGEST_OF_NOTHING:g} kg m^2"
    return Finding("warning", "placeholder", place, f"{text}, in OpenSim's answer, too", (cure,))


def _about_gyration(subject: Subject, name: str, rigid: RigidMass) -> Iterator[Finding]:
    """Yield why an inertia does not fit the body's mass."""
    place = subject.label("body", name)
    largest = float(np.linalg.eigvalsh(rigid.inertia)[2])
    gyration = math.sqrt(max(largest, 0.0) / rigid.mass)
    if gyration > GREAT_GYRATION and rigid.mass >= PLACEHOLDER:
        most = max(GREAT_GYRATION, 2 * subject.reach(name))
        if gyration > most:
            text = (
                f"its moments, up to {largest:.4g} kg m^2, are those of {rigid.mass:.4g} kg at {gyration:.3g} m from "
                f"its centre of mass; at most {most:.3g} m were expected"
            )
            severity = "error" if gyration > IMPOSSIBLE_GYRATION * most else "warning"
            yield Finding(severity, "inertia against mass", place, text, ("give mass in kg and inertia in kg m^2",))
    radius = (3 * rigid.mass / (4 * math.pi * DENSEST)) ** (1 / 3)
    least = 0.6 * rigid.mass * radius**2
    if 0 < 0.5 * float(np.trace(rigid.inertia)) < least:
        text = (
            f"its moments, up to {largest:.4g} kg m^2, are smaller than those of a sphere of steel of the same "
            f"{rigid.mass:.4g} kg ({2 / 3 * least:.3g} kg m^2)"
        )
        yield Finding("warning", "inertia against mass", place, text, ("give mass in kg and inertia in kg m^2",))


def _about_total(subject: Subject, total: float) -> Iterator[Finding]:
    """Yield a finding where the whole model is heavier than a person, or lighter than a body of its size."""
    if not subject.coordinates.names:
        text = "it has no coordinates: nothing in it can move, and no analysis has an answer"
        yield Finding("error", "coordinates", subject.name, text, ("give it joints that move",))
    elif total > GREAT_TOTAL:
        severity = "error" if total > IMPOSSIBLE_TOTAL else "warning"
        heaviest = max(subject.bodies, key=lambda name: subject.bodies[name].mass)
        text = (
            f"its bodies weigh {total:.4g} kg together, '{heaviest}' alone {subject.bodies[heaviest].mass:.4g} kg; at "
            f"most {GREAT_TOTAL:g} kg were expected"
        )
        yield Finding(severity, "total mass", subject.name, text, ("give masses in kilograms, not in grams",))
    elif total <= 0.0 and subject.bodies:
        yield Finding("warning", "total mass", subject.name, "no body that moves has mass", ("give bodies their mass",))
    elif math.isfinite(total):
        extent = max((subject.reach(name) for name in subject.bodies if name not in subject.fixed), default=0.0)
        if total < LEAST_TOTAL * extent**2:
            text = f"its bodies weigh {total:.4g} kg together, and one of them is {extent:.3g} m long"
            yield Finding("warning", "total mass", subject.name, text, ("give masses in kilograms",))


def _about_stations(subject: Subject) -> Iterator[Finding]:
    """Yield joints and path points that are not at the body to which they belong."""
    for body, stations in subject.stations.items():
        sizes = np.linalg.norm(np.reshape(list(stations.values()), (-1, 3)), axis=1).tolist()
        far = dict(zip(stations, sizes, strict=True))
        beyond = {label: size for label, size in far.items() if not size <= IMPOSSIBLE_STATION}
        if beyond:
            worst = max(beyond, key=lambda label: beyond[label])
            more = f", and {len(beyond) - 1} others are as far" if len(beyond) > 1 else ""
            text = f"{worst} is {beyond[worst]:.4g} m from its origin{more}; no segment is that long"
            yield Finding("error", "lengths", subject.label("body", body), text, ("give lengths in metres",))


def _about_gravity(subject: Subject) -> Iterator[Finding]:
    """Yield findings on unusual gravity."""
    gravity = subject.model.getGravity().to_numpy()
    size = float(np.linalg.norm(gravity))
    place = f"{subject.name}, gravity"
    if not size <= 20.0:
        text = f"it is {size:.4g} m/s^2; 9.81 was expected"
        yield Finding("error", "gravity", place, text, ("give it in m/s^2",))
    elif size == 0.0:
        yield Finding("note", "gravity", place, "there is none: right in space and in a plane that is level only")
    elif not 9.7 <= size <= 9.9:
        text = f"it is {size:.4g} m/s^2; on earth it is 9.78 to 9.83"
        yield Finding("warning", "gravity", place, text, ("give <gravity> as 0 -9.80665 0",))
    if 0 < size <= 20.0 and not gravity[1] < -0.99 * size:
        text = f"it acts along {_vector(gravity / size)}, and not along -y as in most models of OpenSim"
        yield Finding("note", "gravity", place, text, ("see that motion and loads have the same axes",))


def _vector(values: object) -> str:
    return "(" + ", ".join(f"{x:.4g}" for x in np.ravel(np.asarray(values))) + ")"


#: A rotation's range wider than this [rad] was written in degrees: four full turns.
DEGREES = 25.0
#: A default value counts as outside its range beyond this [rad or m].
OUTSIDE = 1e-6
#: A default further outside than this [rad or m] makes the default pose one that is never meant.
FAR_OUTSIDE = 0.01
#: Wide ranges in public models that say that nothing is known [m]; beyond it is no range of a person.
UNBOUNDED = 1e3
#: An eigenvalue of the scaled mass matrix below this is none: rounding of 1e-16 times the number of coordinates.
SINGULAR = 1e-11
#: Below this a coordinate moves no mass [kg or kg m^2]: a milligram, or a milligram at a millimetre's distance.
NOTHING = 1e-12


def coordinate_findings(subject: Subject) -> Iterator[Finding]:
    """Yield coordinates whose range is empty, reversed or in degrees, or whose default lies outside of it."""
    table = subject.coordinates
    for i, name in enumerate(table.names):
        place = subject.label("coordinate", name)
        low, high = table.ranges[i].tolist()
        default, unit = float(table.defaults[i]), "m" if table.translational[i] else "rad"
        cure = ("correct <range> of the coordinate",)
        if not (np.isfinite([low, high, default]).all()):
            text = f"its range is {low:g} to {high:g} and its default {default:g}; finite numbers were expected"
            yield Finding("error", "range of a coordinate", place, text, cure)
        elif low >= high:
            how = "ends before it begins" if low > high else "is empty"
            text = f"its range is {low:.4g} to {high:.4g} {unit}: it {how}"
            yield Finding("warning" if low > high else "note", "range of a coordinate", place, text, cure)
        elif table.rotational[i] and DEGREES < high - low < 2 * UNBOUNDED:
            text = f"its range is {low:.4g} to {high:.4g} rad, {(high - low) / (2 * np.pi):.3g} full turns: in degrees?"
            yield Finding("warning", "range of a coordinate", place, text, ("give <range> in radians",))
        elif not low - OUTSIDE <= default <= high + OUTSIDE:
            beyond = max(low - default, default - high)
            text = f"its default value, {default:.4g} {unit}, lies outside its range, {low:.4g} to {high:.4g} {unit}"
            severity = "warning" if beyond > FAR_OUTSIDE else "note"
            yield Finding(severity, "default of a coordinate", place, text, ("correct <default_value> or <range>",))


def massless_findings(subject: Subject) -> Iterator[Finding]:
    """Yield coordinates that move bodies without mass, and kinetic energies that are negative.

    The mass matrix of the default pose is looked at in the directions that constraints and locks leave free.
    """
    state = subject.state
    try:
        subject.model.realizePosition(state)
        matrix = osim.Matrix()
        subject.model.getMatterSubsystem().calcM(state, matrix)
        M = np.asarray(matrix.to_numpy())
        subject.model.realizeVelocity(state)
        G = constraint_jacobian(subject.model, state)
    except OPENSIM_ERRORS:
        return
    if not np.isfinite(M).all() or not len(M):
        return
    values, directions = _scaled_spectrum(M, G)
    for value, direction in zip(values, directions.T, strict=True):
        if value > SINGULAR:
            break
        leading = subject.coordinates.names[int(np.argmax(np.abs(direction)))]
        place = subject.label("coordinate", leading)
        if value < -SINGULAR:
            text = "its kinetic energy is negative at the default pose: its moment has the wrong sign, in OpenSim's too"
            cure = ("correct the inertias of the bodies that it moves",)
            yield Finding("warning", "kinetic energy", place, text, cure)
        else:
            bodies = [n for n, rigid in subject.bodies.items() if rigid.mass == 0 and n not in subject.fixed]
            massless = f" (without mass: {', '.join(bodies[:6])})" if bodies else ""
            text = f"it moves no mass{massless}: its force is zero in inverse dynamics, and simulations fail"
            cure = ("give the body mass and inertia, weld its joint, or lock the coordinate",)
            yield Finding("warning", "massless moving body", place, text, cure)


def _scaled_spectrum(M: Array, G: Array) -> tuple[Array, Array]:
    """Return eigenvalues, ascending, and directions (nu, free) of a mass matrix scaled to a unit diagonal.

    Where no eigenvalue is singular, directions are some that constraints and locks leave free.
    """
    diagonal = np.abs(np.diag(M))
    scale = np.where(diagonal > NOTHING, 1 / np.sqrt(np.maximum(diagonal, NOTHING)), 1.0)
    free = null_space(G * scale) if len(G) else np.eye(len(M))
    if not free.shape[1]:
        return np.zeros(0), free
    scaled = free.T @ ((M * scale[:, None]) * scale) @ free
    values = np.linalg.eigvalsh(scaled)
    if values[0] > SINGULAR:  # nobody asks for directions, for which BLAS libraries keep other processors busy
        return values, free
    values, vectors = np.linalg.eigh(scaled)
    return values, free @ vectors


#: Sides may differ by this share in masses, moments of inertia and muscles' parameters. Scaled models of public data
#: differ by up to 10 % in lengths, and so by up to 30 % in moments.
ALIKE = 0.35
#: The same of muscles' lengths: fibres and tendons are scaled with paths.
ALIKE_LENGTHS = 0.15
#: Path points may differ by this distance [m] from the mirror image of the other side's; and by that in the median of a
#: body, if its axes are mirrored at all.
ALIKE_PLACE, MIRRORED = 0.025, 0.01
#: Pairs that are needed to find out how a body's axes are mirrored.
FEW = 3


def side_findings(subject: Subject) -> Iterator[Finding]:
    """Yield where the left side of a model is not the right one's mirror image."""
    yield from _bodies(subject)
    yield from _parameters(subject)
    yield from _points(subject)


def _bodies(subject: Subject) -> Iterator[Finding]:
    """Yield bodies whose masses, moments of inertia or centres of mass differ between left and right."""
    for right, right_body in subject.bodies.items():
        left = other_side(right, subject.bodies)
        if left is None:
            continue
        left_body = subject.bodies[left]
        numbers = {
            "mass": (right_body.mass, left_body.mass, "kg"),
            "largest principal moment": (_largest(right_body.inertia), _largest(left_body.inertia), "kg m^2"),
            "distance of the centre of mass": (_size(right_body.center), _size(left_body.center), "m"),
        }
        for quantity, (a, b, unit) in numbers.items():
            if unit == "m" and abs(a - b) < 0.01:
                continue
            yield from _compared(subject, f"sides: {quantity}", "bodies", right, left, (a, b, unit), ALIKE)


def _parameters(subject: Subject) -> Iterator[Finding]:
    """Yield muscles whose parameters differ between left and right."""
    parameters: dict[str, tuple[Callable[[osim.Muscle], float], str, float]] = {
        "maximum isometric force": (lambda m: m.getMaxIsometricForce(), "N", ALIKE),
        "optimal fibre length": (lambda m: m.getOptimalFiberLength(), "m", ALIKE_LENGTHS),
        "tendon slack length": (lambda m: m.getTendonSlackLength(), "m", ALIKE_LENGTHS),
        "pennation angle": (lambda m: m.getPennationAngleAtOptimalFiberLength(), "rad", ALIKE),
    }
    for right, right_muscle in subject.muscles.items():
        left = other_side(right, subject.muscles)
        if left is None:
            continue
        for quantity, (value, unit, alike) in parameters.items():
            pair = float(value(right_muscle)), float(value(subject.muscles[left])), unit
            if unit == "rad" and abs(pair[0] - pair[1]) < 0.05:
                continue
            yield from _compared(subject, f"sides: {quantity}", "muscles", right, left, pair, alike)


def _compared(
    subject: Subject, check: str, kind: str, right: str, left: str, pair: tuple[float, float, str], alike: float
) -> Iterator[Finding]:
    """Yield a finding where two numbers differ by more than the sides of a model do."""
    a, b, unit = pair
    if not (np.isfinite([a, b]).all() and max(abs(a), abs(b)) > 0):
        return
    difference = abs(a - b) / max(abs(a), abs(b))
    if difference > alike:
        text = (
            f"{check.partition(': ')[2]} {a:.4g} and {b:.4g} {unit}: {100 * difference:.0f} % apart; up to "
            f"{100 * alike:.0f} % is usual between sides"
        )
        place = f"{subject.name}, {kind} '{right}' and '{left}'"
        yield Finding("warning", check, place, text, ("see which side is right, unless the person is so",))


def _points(subject: Subject) -> Iterator[Finding]:
    """Yield path points that are not where the mirror image of the other side has them.

    A body's mirror plane is found from all of its points: of the eight combinations of signs of the axes, the one with
    the least median distance between the points of both sides.
    """
    pairs: dict[tuple[str, str], list[tuple[str, str, int, Array, Array]]] = {}
    mirrored = {right: left for right in subject.bodies if (left := other_side(right, subject.bodies)) is not None}
    mirrored |= {left: right for right, left in mirrored.items()}
    for right, right_points in subject.path_points.items():
        left = other_side(right, subject.path_points)
        left_points = [] if left is None else subject.path_points[left]
        if left is None or len(right_points) != len(left_points):
            continue
        for number, (right_point, left_point) in enumerate(zip(right_points, left_points, strict=True), 1):
            if left_point.body != mirrored.get(right_point.body, right_point.body):
                text = f"path point {number} is on '{right_point.body}' and on '{left_point.body}'"
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                yield Finding("warning", "sides: path points", place, text, ("see which side is right",))
            elif right_point.station is not None and left_point.station is not None:
                rows = pairs.setdefault((right_point.body, left_point.body), [])
                rows.append((right, left, number, right_point.station, left_point.station))
    for rows in pairs.values():
        if len(rows) < FEW:
            continue
        right_stations, left_stations = (np.array([row[k] for row in rows]) for k in (3, 4))
        candidates = [np.array(signs) for signs in product((1.0, -1.0), repeat=3)]
        distances = np.array([np.linalg.norm(right_stations * signs - left_stations, axis=1) for signs in candidates])
        best = distances[int(np.argmin(np.median(distances, axis=1)))]
        if np.median(best) > MIRRORED:
            continue  # the axes of both sides are no mirror images
        for (right, left, number, _, _), distance in zip(rows, best.tolist(), strict=True):
            if distance > ALIKE_PLACE:
                text = (
                    f"path point {number} is {1e3 * distance:.1f} mm from the mirror image of the other side's; up to "
                    f"{1e3 * ALIKE_PLACE:.0f} mm is usual"
                )
                place = f"{subject.name}, muscles '{right}' and '{left}'"
                yield Finding("warning", "sides: path points", place, text, ("see which side is right",))


def _largest(inertia: Array) -> float:
    return float(np.linalg.eigvalsh(inertia)[-1]) if np.isfinite(inertia).all() else float("nan")


def _size(vector: Array) -> float:
    return float(np.linalg.norm(vector))

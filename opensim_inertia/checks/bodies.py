"""Bodies that cannot exist, or that are no segments: masses, centres of mass, inertias, and their units."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._core.diagnostics import Diagnostic
from ..muscles.masses.rigid import RigidMass, inertia_problem, six_numbers
from .subject import Subject

__all__ = ["body_findings"]

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


def body_findings(subject: Subject) -> Iterator[Diagnostic]:
    """Yield errors in the mass properties of a model's bodies, in its mass and in gravity."""
    moving = {name: rigid for name, rigid in subject.bodies.items() if name not in subject.fixed}
    for name, rigid in moving.items():
        yield from _about_body(subject, name, rigid)
    yield from _about_total(subject, math.fsum(rigid.mass for rigid in moving.values()))
    yield from _about_stations(subject)
    yield from _about_gravity(subject)


def _about_body(subject: Subject, name: str, rigid: RigidMass) -> Iterator[Diagnostic]:
    """Yield errors in one body's mass, centre of mass and inertia."""
    place = subject.label("body", name)
    if not (math.isfinite(rigid.mass) and np.isfinite(rigid.center).all() and np.isfinite(rigid.inertia).all()):
        text = f"mass {rigid.mass:g} kg, centre of mass {_vector(rigid.center)} m, inertia {_vector(rigid.inertia)}"
        yield Diagnostic("error", "numbers", place, f"{text}: finite numbers were expected", ("give it numbers",))
        return
    far = float(np.linalg.norm(rigid.center))
    if far > FAR_CENTRE:
        text = f"its centre of mass is {far:.4g} m from its origin, and no segment is longer than {FAR_CENTRE:g} m"
        severity = "error" if far > IMPOSSIBLE_CENTRE else "warning"
        yield Diagnostic(severity, "centre of mass", place, text, ("give <mass_center> in metres",))
    if rigid.mass == 0.0:
        return  # what that means depends on what the body carries: see massless_findings
    if rigid.mass < 0.0:
        yield Diagnostic("error", "mass", place, f"its mass is {rigid.mass:g} kg; a positive mass was expected")
        return
    if rigid.mass < PLACEHOLDER:
        yield _placeholder(place, rigid)
    if not rigid.inertia.any():
        text = f"{rigid.mass:.4g} kg without any inertia: a point mass, right for a small part but not for a segment"
        yield Diagnostic("note", "point mass", place, text, ("give it the inertia of the real body",))
        return
    yield from _about_inertia(place, rigid)
    yield from _about_gyration(subject, name, rigid)


def _about_inertia(place: str, rigid: RigidMass) -> Iterator[Diagnostic]:
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
    yield Diagnostic(severity, check, place, "; ".join(filter(None, (problem, effect))), REPAIR)


def _placeholder(place: str, rigid: RigidMass) -> Diagnostic:
    """Return the effect of a body of hardly any mass on answers."""
    largest = float(np.abs(np.linalg.eigvalsh(rigid.inertia)).max())
    text = f"its mass is {1e3 * rigid.mass:.3g} g"
    if largest <= LARGEST_OF_NOTHING:
        return Diagnostic("note", "placeholder", place, f"{text}: it stands for no segment, and changes no answer")
    text += f" and its largest moment {largest:.4g} kg m^2: each rad/s^2 of its rotation adds up to {largest:.4g} N m"
    cure = f"if it stands for nothing, give it moments below {LARGEST_OF_NOTHING:g} kg m^2"
    return Diagnostic("warning", "placeholder", place, f"{text}, in OpenSim's answer, too", (cure,))


def _about_gyration(subject: Subject, name: str, rigid: RigidMass) -> Iterator[Diagnostic]:
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
            yield Diagnostic(severity, "inertia against mass", place, text, ("give mass in kg and inertia in kg m^2",))
    radius = (3 * rigid.mass / (4 * math.pi * DENSEST)) ** (1 / 3)
    least = 0.6 * rigid.mass * radius**2
    if 0 < 0.5 * float(np.trace(rigid.inertia)) < least:
        text = (
            f"its moments, up to {largest:.4g} kg m^2, are smaller than those of a sphere of steel of the same "
            f"{rigid.mass:.4g} kg ({2 / 3 * least:.3g} kg m^2)"
        )
        yield Diagnostic("warning", "inertia against mass", place, text, ("give mass in kg and inertia in kg m^2",))


def _about_total(subject: Subject, total: float) -> Iterator[Diagnostic]:
    """Yield a finding where the whole model is heavier than a person, or lighter than a body of its size."""
    if not subject.coordinates.names:
        text = "it has no coordinates: nothing in it can move, and no analysis has an answer"
        yield Diagnostic("error", "coordinates", subject.name, text, ("give it joints that move",))
    elif total > GREAT_TOTAL:
        severity = "error" if total > IMPOSSIBLE_TOTAL else "warning"
        heaviest = max(subject.bodies, key=lambda name: subject.bodies[name].mass)
        text = (
            f"its bodies weigh {total:.4g} kg together, '{heaviest}' alone {subject.bodies[heaviest].mass:.4g} kg; at "
            f"most {GREAT_TOTAL:g} kg were expected"
        )
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


def _about_stations(subject: Subject) -> Iterator[Diagnostic]:
    """Yield joints and path points that are not at the body to which they belong."""
    for body, stations in subject.stations.items():
        sizes = np.linalg.norm(np.reshape(list(stations.values()), (-1, 3)), axis=1).tolist()
        far = dict(zip(stations, sizes, strict=True))
        beyond = {label: size for label, size in far.items() if not size <= IMPOSSIBLE_STATION}
        if beyond:
            worst = max(beyond, key=lambda label: beyond[label])
            more = f", and {len(beyond) - 1} others are as far" if len(beyond) > 1 else ""
            text = f"{worst} is {beyond[worst]:.4g} m from its origin{more}; no segment is that long"
            yield Diagnostic("error", "lengths", subject.label("body", body), text, ("give lengths in metres",))


def _about_gravity(subject: Subject) -> Iterator[Diagnostic]:
    """Yield findings on unusual gravity."""
    gravity = subject.model.getGravity().to_numpy()
    size = float(np.linalg.norm(gravity))
    place = f"{subject.name}, gravity"
    if not size <= 20.0:
        text = f"it is {size:.4g} m/s^2; 9.81 was expected"
        yield Diagnostic("error", "gravity", place, text, ("give it in m/s^2",))
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

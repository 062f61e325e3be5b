"""Small models for forward simulation, built by code: a base, hinges that point every way, and muscles over them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from opensim_inertia._core.opensim import osim

from .custom_joints import six_coordinates
from .finite_differences import Array

BASES = ("fixed", "custom", "free", "ball")
SEGMENTS = ("trunk", "thigh", "shank", "foot")
HINGES = ("hip", "knee", "ankle")
MUSCLES = ("long", "middle", "short")
MASSES = {"long": 0.9, "middle": 0.6, "short": 0.3}  # Mass of the muscles [kg]
GRAVITY = 9.80665  # m/s^2
LINK = 0.2  # m, of every segment of the planar chain


def limbs(base: str = "fixed", gravity: float = GRAVITY, pull: bool = False) -> osim.Model:
    """The model, not initialised; its speeds are those of the base, then hip, knee and ankle."""
    model = osim.Model()
    model.setName("limbs_" + base)
    model.setGravity(osim.Vec3(0.0, -gravity, 0.0))
    zero = osim.Vec3(0)
    trunk = osim.Body("trunk", 6.0, osim.Vec3(0.01, 0.05, -0.02), osim.Inertia(0.09, 0.06, 0.08, 0.004, -0.003, 0.002))
    model.addBody(trunk)
    model.addJoint(_base(base, model.getGround(), trunk))
    parent, at = trunk, osim.Vec3(0.02, -0.15, 0.05)
    sizes = ((3.5, 0.04, 0.35), (2.2, 0.025, 0.3), (1.1, 0.004, 0.12))
    for i, (name, hinge) in enumerate(zip(SEGMENTS[1:], HINGES, strict=True)):
        mass, inertia, length = sizes[i]
        body = osim.Body(
            name, mass, osim.Vec3(0.01, -length / 2, 0.005 * i), osim.Inertia(inertia, 0.3 * inertia, 0.9 * inertia)
        )
        model.addBody(body)
        turn = osim.Vec3(0.5 - 0.3 * i, 0.35 * i - 0.2, 0.1)
        pin = osim.PinJoint(hinge + "_joint", parent, at, turn, body, zero, turn)
        pin.updCoordinate().setName(hinge)
        model.addJoint(pin)
        parent, at = body, osim.Vec3(0.0, -length, 0.01)
    frames = {name: model.getBodySet().get(name) for name in SEGMENTS}
    for muscle, path in _PATHS.items():
        m = osim.Thelen2003Muscle(muscle, 300.0, *_LENGTHS[muscle], 0.0)
        m.set_appliesForce(pull)
        for k, (body, station) in enumerate(path):
            m.addNewPathPoint(f"{muscle}-P{k + 1}", frames[body], osim.Vec3(*station))
        model.addForce(m)
    model.finalizeConnections()
    return model


#: Optimal fibre length and tendon slack length [m]; near the middle of their range at the default pose.
_LENGTHS = {"long": (0.3, 0.55), "middle": (0.15, 0.26), "short": (0.12, 0.19)}
_PATHS = {
    "long": (
        ("trunk", (0.06, 0.0, 0.02)),
        ("thigh", (0.05, -0.1, 0.03)),
        ("shank", (0.04, -0.05, -0.02)),
        ("foot", (0.05, -0.04, 0.02)),
    ),
    "middle": (("thigh", (-0.04, -0.12, 0.01)), ("shank", (-0.05, -0.18, 0.03))),
    "short": (("trunk", (-0.05, -0.05, -0.03)), ("thigh", (-0.04, -0.2, 0.02))),
}


def masses() -> dict[str, float]:
    return dict(MASSES)


def _base(base: str, ground: osim.Ground, trunk: osim.Body) -> osim.Joint:
    zero = osim.Vec3(0)
    if base == "fixed":
        return osim.WeldJoint("base", ground, zero, zero, trunk, zero, zero)
    if base == "free":
        return osim.FreeJoint("base", ground, zero, zero, trunk, zero, zero)
    if base == "ball":
        return osim.BallJoint("base", ground, zero, zero, trunk, osim.Vec3(0.0, 0.2, 0.0), zero)
    if base != "custom":
        raise ValueError(base)
    transform = six_coordinates()
    return osim.CustomJoint("base", ground, zero, zero, trunk, zero, zero, transform)


def chain(links: int) -> osim.Model:
    """A planar chain of pins "q1", "q2", ... about z with a muscle over all, without force; not initialised."""
    model = osim.Model()
    model.setName(f"chain{links}")
    model.setGravity(osim.Vec3(0.0, -GRAVITY, 0.0))
    parent, at, zero = model.getGround(), osim.Vec3(0), osim.Vec3(0)
    for i in range(1, links + 1):
        body = osim.Body(f"link{i}", 1.0 + 0.2 * i, osim.Vec3(0.0, -LINK / 2, 0.0), osim.Inertia(0.01, 0.002, 0.01))
        model.addBody(body)
        pin = osim.PinJoint(f"pin{i}", parent, at, zero, body, zero, zero)
        pin.updCoordinate().setName(f"q{i}")
        model.addJoint(pin)
        parent, at = body, osim.Vec3(0.0, -LINK, 0.0)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.set_appliesForce(False)
    muscle.addNewPathPoint("muscle-P1", model.getGround(), osim.Vec3(0.05, 0.02, 0.01))
    for i in (1, links):
        muscle.addNewPathPoint(f"muscle-P{i + 1}", model.getBodySet().get(f"link{i}"), osim.Vec3(0.03, -0.1, 0.0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def couple(model: osim.Model, independent: str, dependent: str, slope: float, offset: float, name: str = "") -> None:
    """dependent = slope * independent + offset."""
    coupler = osim.CoordinateCouplerConstraint()
    coupler.setName(name or f"{dependent}_follows_{independent}")
    coupler.setIndependentCoordinateNames(osim.ArrayStr(independent, 1))
    coupler.setDependentCoordinateName(dependent)
    coupler.setFunction(osim.LinearFunction(slope, offset))
    _add(model, coupler)


def hold_body(model: osim.Model, body: str, station: Sequence[float], place: Sequence[float], angle: float) -> None:
    """A WeldConstraint: a body's station stays at a place in ground, turned by an angle about z."""
    constraint = osim.WeldConstraint(
        f"weld_{body}",
        model.getGround(),
        osim.Vec3(*place),
        osim.Vec3(0.0, 0.0, angle),
        model.getBodySet().get(body),
        osim.Vec3(*station),
        osim.Vec3(0),
    )
    _add(model, constraint)


def keep_distance(
    model: osim.Model, body: str, station: Sequence[float], place: Sequence[float], distance: float
) -> None:
    """A ConstantDistanceConstraint between a body's station and a place in ground."""
    constraint = osim.ConstantDistanceConstraint(
        model.getGround(), osim.Vec3(*place), model.getBodySet().get(body), osim.Vec3(*station), distance
    )
    constraint.setName(f"tie_{body}")
    _add(model, constraint)


def prescribe(model: osim.Model, coordinate: str, function: osim.Function) -> None:
    moved = model.updCoordinateSet().get(coordinate)
    moved.setPrescribedFunction(function)
    moved.setDefaultIsPrescribed(True)


CONSTRAINED = ("locked", "coupled", "prescribed", "held point", "held body", "tied", "twice coupled", "locked couple")
#: What "q2" follows in ``constrained("prescribed")``, a sine: amplitude, rate, phase, offset.
PRESCRIBED = (0.4, 3.0, 0.0, 0.3)
START = np.array([0.4, -0.5, 0.7, -0.9, 0.6])


def constrained(kind: str) -> tuple[osim.Model, Callable[[Any], osim.State]]:
    """A chain of five links under constraints of one kind, and what makes a moving state of an InertialModel of it."""
    model = chain(5)
    for i, value in enumerate(START):
        model.updCoordinateSet().get(f"q{i + 1}").setDefaultValue(value)
    tip, angle = chain_tip(START)
    end = (0.0, -LINK, 0.0)
    if kind in ("coupled", "twice coupled", "locked couple"):
        couple(model, "q2", "q3", -1.5, 0.1)
    if kind == "twice coupled":
        couple(model, "q2", "q3", -1.5, 0.1, "again")
    if kind == "prescribed":
        prescribe(model, "q2", osim.Sine(*PRESCRIBED))
    if kind == "held point":
        held = model.getBodySet().get("link5")
        constraint = osim.PointConstraint(model.getGround(), osim.Vec3(*tip), held, osim.Vec3(*end))
        constraint.setName("hold_link5")
        _add(model, constraint)
    if kind == "held body":
        hold_body(model, "link5", end, tip, angle)
    if kind == "tied":
        keep_distance(model, "link5", end, (0.1, -0.1, 0.0), float(np.linalg.norm(tip - [0.1, -0.1, 0.0])))

    def state_of(inertial: Any) -> osim.State:
        state = inertial.initial_state()
        state.setQ(osim.Vector.createFromMat(START))
        state.setU(osim.Vector.createFromMat(np.array([0.5, -1.0, 0.8, 0.3, -0.6])))
        locked = {"locked": ("q4",), "locked couple": ("q2", "q3")}.get(kind, ())
        if kind == "locked couple":  # where the coupler holds
            state.setQ(osim.Vector.createFromMat(np.array([0.4, -0.5, 0.85, -0.9, 0.6])))
        for name in locked:
            inertial.model.getCoordinateSet().get(name).setLocked(state, True)
        return state

    return model, state_of


def constraint_error(states: Iterable[osim.State]) -> float:
    """The largest error of position constraints [m or rad] and of their rates over states realized to velocity."""
    errors = (error.to_numpy() for state in states for error in (state.getQErr(), state.getUErr()))
    return max(float(np.abs(each).max(initial=0.0)) for each in errors)


def chain_tip(q: Array) -> tuple[Array, float]:
    """Where the last link of a chain ends (3,) [m], and its angle."""
    angles = np.cumsum(q)
    return np.array([LINK * np.sin(angles).sum(), -LINK * np.cos(angles).sum(), 0.0]), float(angles[-1])


def _add(model: osim.Model, constraint: osim.Constraint) -> None:
    constraint.thisown = False  # the model takes it
    model.addConstraint(constraint)
    model.finalizeConnections()

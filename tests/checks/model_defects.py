"""Defects of models: each function changes a trial's model in a way that nothing computed with it would survive."""

import random
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np

from checks.trials import Trial

#: What plants it, and a pattern of the checks of which one must find it, with ``: error`` or the like if that matters.
Plant = Callable[[Trial, random.Random], None]
Kind = tuple[Plant, str]
SEGMENTS = ("pelvis", "femur_r", "tibia_r", "talus_r", "calcn_r", "torso", "femur_l", "tibia_l", "toes_l")
ONE_SIDE = ("femur_r", "tibia_r", "calcn_r", "talus_l", "toes_l", "femur_l")


def body(trial: Trial, name: str) -> ElementTree.Element:
    return next(element for element in trial.model().iter("Body") if element.get("name") == name)


def scale(element: ElementTree.Element, tag: str, factor: float | list[float]) -> None:
    """Multiply the numbers of a child by one factor, or each by its own."""
    child = element.find(tag)
    assert child is not None and child.text is not None
    numbers = np.array(child.text.split(), dtype=float) * factor
    child.text = " ".join(map(repr, numbers.tolist()))


def replace(element: ElementTree.Element, tag: str, text: str) -> None:
    child = element.find(tag)
    assert child is not None
    child.text = text


def muscles(trial: Trial) -> list[ElementTree.Element]:
    return [e for e in trial.model().findall("ForceSet/objects/*") if "Muscle" in e.tag]


def muscle(trial: Trial, rng: random.Random) -> ElementTree.Element:
    return rng.choice(muscles(trial))


def coordinate(trial: Trial, rng: random.Random) -> ElementTree.Element:
    every = list(trial.model().iter("Coordinate"))
    return rng.choice([e for e in every if not e.get("name", "").startswith("pelvis")])


def triangle(trial: Trial, rng: random.Random) -> None:
    factors = [1.0] * 6
    factors[rng.randrange(3)] = rng.uniform(4, 40)
    scale(body(trial, rng.choice(("pelvis", "torso", "calcn_r", "talus_l"))), "inertia", factors)


def negative_moment(trial: Trial, rng: random.Random) -> None:
    factors = [1.0] * 6
    factors[rng.randrange(3)] = -rng.uniform(0.02, 2)
    scale(body(trial, rng.choice(SEGMENTS)), "inertia", factors)


def large_products(trial: Trial, rng: random.Random) -> None:
    element = body(trial, rng.choice(SEGMENTS))
    text = element.findtext("inertia")
    assert text is not None
    numbers = np.array(text.split(), dtype=float)
    numbers[3 + rng.randrange(3)] = rng.choice((-1, 1)) * rng.uniform(1.2, 5) * numbers[:3].max()
    replace(element, "inertia", " ".join(map(repr, numbers.tolist())))


def inertia_units(trial: Trial, rng: random.Random) -> None:
    factor = rng.choice((1e4, 1e6, 1e3))  # kg cm^2, kg mm^2, g m^2
    for element in trial.model().iter("Body"):
        scale(element, "inertia", factor)


def one_inertia_units(trial: Trial, rng: random.Random) -> None:
    scale(body(trial, rng.choice(SEGMENTS)), "inertia", rng.choice((1e4, 1e-4, 1e6, 1e-3, 1e3)))


def grams(trial: Trial, rng: random.Random) -> None:
    for element in trial.model().iter("Body"):
        scale(element, "mass", rng.choice((1e3, 1e3)))


def one_in_grams(trial: Trial, rng: random.Random) -> None:
    scale(body(trial, rng.choice(SEGMENTS)), "mass", 1e3)


def one_in_tonnes(trial: Trial, rng: random.Random) -> None:
    scale(body(trial, rng.choice(SEGMENTS)), "mass", 1e-3)


def massless_leaf(trial: Trial, rng: random.Random) -> None:
    chains = {"torso": ("torso",), "foot": ("talus_r", "calcn_r", "toes_r"), "left": ("talus_l", "calcn_l", "toes_l")}
    for name in chains[rng.choice(sorted(chains))]:
        replace(body(trial, name), "mass", "0")
        replace(body(trial, name), "inertia", "0 0 0 0 0 0")


def heavier_side(trial: Trial, rng: random.Random) -> None:
    element = body(trial, rng.choice(ONE_SIDE))
    factor = rng.choice((rng.uniform(1.7, 4), rng.uniform(0.2, 0.6)))
    scale(element, "mass", factor)
    scale(element, "inertia", factor)


def light_segment(trial: Trial, rng: random.Random) -> None:
    """Make a segment lighter than its muscles, and not so light that another one is their donor."""
    names = rng.choice((("femur_r", "femur_l"), ("tibia_r", "tibia_l")))
    factor = rng.uniform(0.11, 0.19)
    for name in names:
        scale(body(trial, name), "mass", factor)
        scale(body(trial, name), "inertia", factor)


def centre_in_millimetres(trial: Trial, rng: random.Random) -> None:
    scale(body(trial, rng.choice(("pelvis", "femur_r", "tibia_l", "calcn_r", "torso"))), "mass_center", 1e3)


def model_in_millimetres(trial: Trial, rng: random.Random) -> None:
    for element in trial.model().iter("PhysicalOffsetFrame"):
        scale(element, "translation", 1e3)
    for element in trial.model().iter("PathPoint"):
        scale(element, "location", 1e3)


def joint_in_millimetres(trial: Trial, rng: random.Random) -> None:
    frames = [e for e in trial.model().iter("PhysicalOffsetFrame") if np.any(_numbers(e, "translation"))]
    scale(rng.choice(frames), "translation", 1e3)


def point_in_millimetres(trial: Trial, rng: random.Random) -> None:
    points = [e for e in muscle(trial, rng).iter("PathPoint") if np.linalg.norm(_numbers(e, "location")) > 0.02]
    scale(rng.choice(points), "location", 1e3)


def point_displaced(trial: Trial, rng: random.Random) -> None:
    point = rng.choice(list(muscle(trial, rng).iter("PathPoint")))
    direction = np.array([rng.gauss(0, 1) for _ in range(3)])
    away = direction / np.linalg.norm(direction) * rng.uniform(0.04, 0.3)
    replace(point, "location", " ".join(map(repr, (_numbers(point, "location") + away).tolist())))


def point_on_nothing(trial: Trial, rng: random.Random) -> None:
    point = rng.choice(list(muscle(trial, rng).iter("PathPoint")))
    text = point.findtext("socket_parent_frame")
    assert text is not None
    replace(point, "socket_parent_frame", rng.choice((text + "r", text.replace("_", ""), "/bodyset/bone")))


def point_on_other_side(trial: Trial, rng: random.Random) -> None:
    points = [p for m in muscles(trial) for p in m.iter("PathPoint")]
    sided = [p for p in points if (p.findtext("socket_parent_frame") or "")[-2:] in ("_r", "_l")]
    point = rng.choice(sided)
    text = point.findtext("socket_parent_frame") or ""
    replace(point, "socket_parent_frame", text[:-1] + {"r": "l", "l": "r"}[text[-1]])


def strength(trial: Trial, rng: random.Random) -> None:
    replace(muscle(trial, rng), "max_isometric_force", rng.choice(("0", "-1200", "-0.5", "nan")))


def strength_in_millinewtons(trial: Trial, rng: random.Random) -> None:
    scale(muscle(trial, rng), "max_isometric_force", rng.choice((1e3, 1e-3, 1e6)))


def stronger_side(trial: Trial, rng: random.Random) -> None:
    scale(muscle(trial, rng), "max_isometric_force", rng.choice((rng.uniform(1.7, 6), rng.uniform(0.1, 0.6))))


def fibres_in_other_units(trial: Trial, rng: random.Random) -> None:
    scale(muscle(trial, rng), "optimal_fiber_length", rng.choice((100, 1000, 0.01, 0.001)))


def no_fibres(trial: Trial, rng: random.Random) -> None:
    replace(muscle(trial, rng), "optimal_fiber_length", rng.choice(("0", "-0.1", "nan")))


def long_tendons(trial: Trial, rng: random.Random) -> None:
    """On both sides, so that it is not told by the sides."""
    name = (muscle(trial, rng).get("name") or "")[:-2]
    factor = rng.uniform(2.0, 4.0)
    for element in muscles(trial):
        if (element.get("name") or "")[:-2] == name:
            length = _numbers(element, "tendon_slack_length")[0] + factor * _numbers(element, "optimal_fiber_length")[0]
            replace(element, "tendon_slack_length", repr(float(length)))


def short_fibres(trial: Trial, rng: random.Random) -> None:
    """Fibres of both sides are a tenth as long, so that they are stretched beyond what carries force."""
    name = (muscle(trial, rng).get("name") or "")[:-2]
    factor = rng.uniform(0.05, 0.15)
    for element in muscles(trial):
        if (element.get("name") or "")[:-2] == name:
            scale(element, "optimal_fiber_length", factor)


def pennation_in_degrees(trial: Trial, rng: random.Random) -> None:
    replace(muscle(trial, rng), "pennation_angle_at_optimal", repr(rng.uniform(2, 30)))


def speed_of_fibres(trial: Trial, rng: random.Random) -> None:
    replace(muscle(trial, rng), "max_contraction_velocity", rng.choice(("0", "-10", "600", "0.1")))


def range_in_degrees(trial: Trial, rng: random.Random) -> None:
    scale(coordinate(trial, rng), "range", 180 / np.pi)


def range_reversed(trial: Trial, rng: random.Random) -> None:
    element = coordinate(trial, rng)
    low, high = _numbers(element, "range").tolist()
    replace(element, "range", f"{high!r} {low!r}")


def default_outside(trial: Trial, rng: random.Random) -> None:
    element = coordinate(trial, rng)
    low, high = _numbers(element, "range").tolist()
    replace(element, "default_value", repr(rng.choice((low - rng.uniform(0.1, 2), high + rng.uniform(0.1, 60)))))


def names_twice(trial: Trial, rng: random.Random) -> None:
    kind = rng.choice(("muscle", "body", "joint"))
    where = {"muscle": "ForceSet/objects/*", "body": "BodySet/objects/*", "joint": "JointSet/objects/*"}[kind]
    one, other = rng.sample(trial.model().findall(where), 2)
    other.set("name", one.get("name", ""))


def coupler_of_nothing(trial: Trial, rng: random.Random) -> None:
    objects = trial.model().find("ConstraintSet/objects")
    assert objects is not None
    coupler = ElementTree.SubElement(objects, "CoordinateCouplerConstraint", name="coupler")
    names = ["knee_angle_r", "knee_angle_l"]
    names[rng.randrange(2)] = rng.choice(("knee_angle", "patella_r", "Knee_angle_r"))
    ElementTree.SubElement(coupler, "independent_coordinate_names").text = names[0]
    ElementTree.SubElement(coupler, "dependent_coordinate_name").text = names[1]
    function = ElementTree.SubElement(ElementTree.SubElement(coupler, "coupled_coordinates_function"), "LinearFunction")
    ElementTree.SubElement(function, "coefficients").text = "1 0"


def gravity(trial: Trial, rng: random.Random) -> None:
    wrong = ("0 -9806.65 0", "0 -980.665 0", "0 -32.17 0", "0 -1.62 0", "0 -98.0665 0", "nan 0 0", "0 -8.9 0")
    replace(trial.model(), "gravity", rng.choice(wrong))


def gravity_axis(trial: Trial, rng: random.Random) -> None:
    wrong = ("0 0 -9.80665", "0 9.80665 0", "-9.80665 0 0", "0 0 9.80665", "0 -6.93 6.93", "0 0 0")
    replace(trial.model(), "gravity", rng.choice(wrong))


def joint_lost(trial: Trial, rng: random.Random) -> None:
    objects = trial.model().find("JointSet/objects")
    assert objects is not None
    objects.remove(rng.choice(list(objects)))


def wrap_without_size(trial: Trial, rng: random.Random) -> None:
    wraps = [e for e in trial.model().iter() if e.tag in ("WrapCylinder", "WrapSphere", "WrapEllipsoid")]
    element = rng.choice(wraps)
    tag = "dimensions" if element.tag == "WrapEllipsoid" else "radius"
    scale(element, tag, rng.choice((0.0, -1.0)))


def wrap_of_nothing(trial: Trial, rng: random.Random) -> None:
    named = list(trial.model().iter("wrap_object"))
    element = rng.choice(named)
    element.text = (element.text or "").strip() + rng.choice(("2", "_r", "x"))


def _numbers(element: ElementTree.Element, tag: str) -> np.ndarray:
    return np.array((element.findtext(tag) or "").split(), dtype=float)


MODELS: dict[str, Kind] = {
    "inertia that breaks the triangle inequality": (triangle, "triangle inequality"),
    "negative moment of inertia": (negative_moment, "inertia"),
    "products of inertia larger than moments": (large_products, "inertia"),
    "inertia of all bodies in other units": (inertia_units, "inertia against mass"),
    "inertia of one body in other units": (one_inertia_units, "inertia against mass"),
    "masses in grams": (grams, "total mass"),
    "one mass in grams": (one_in_grams, "total mass"),
    "one mass in tonnes": (one_in_tonnes, "inertia against mass"),
    "moving body without mass": (massless_leaf, "reading the model"),
    "one side's segment heavier or lighter": (heavier_side, "sides: mass"),
    "segment lighter than its muscles": (light_segment, "segments lighter than their muscles"),
    "centre of mass in millimetres": (centre_in_millimetres, "centre of mass"),
    "model in millimetres": (model_in_millimetres, "lengths"),
    "joint in millimetres": (joint_in_millimetres, "lengths"),
    "path point in millimetres": (point_in_millimetres, "lengths"),
    "path point displaced on one side": (point_displaced, "sides: path points"),
    "path point on a body that is not there": (point_on_nothing, "names of what is missing"),
    "path point on the other side's body": (point_on_other_side, "sides: path points"),
    "maximum force of zero or below": (strength, "maximum isometric force"),
    "maximum force in other units": (strength_in_millinewtons, "sides: maximum isometric force"),
    "one side's muscle stronger or weaker": (stronger_side, "sides: maximum isometric force"),
    "fibre length in other units": (fibres_in_other_units, "optimal fibre length"),
    "fibre length of zero or below": (no_fibres, "optimal fiber length"),
    "tendons longer than paths": (long_tendons, "fibres"),
    "fibres a tenth as long": (short_fibres, "fibres"),
    "pennation in degrees": (pennation_in_degrees, "pennation angle at optimal"),
    "contraction velocity of no muscle": (speed_of_fibres, "maximum contraction velocity"),
    "range of a coordinate in degrees": (range_in_degrees, "range of a coordinate"),
    "range of a coordinate reversed": (range_reversed, "range of a coordinate"),
    "default of a coordinate outside its range": (default_outside, "default of a coordinate"),
    "a name twice": (names_twice, "names twice"),
    "coupler of a missing coordinate": (coupler_of_nothing, "names of what is missing"),
    "gravity of other size": (gravity, "gravity|reading the model"),
    "gravity along another axis": (gravity_axis, "gravity"),
    "joint lost": (joint_lost, "joints"),
}
WRAPS: dict[str, Kind] = {
    "wrap object without size": (wrap_without_size, "wrap objects"),
    "wrap object that is not there": (wrap_of_nothing, "names of what is missing"),
}
#: Kinds for which a note is enough: gravity may well act along another axis, coordinates that are not where their
#: couplers have them follow these, rows without loads have no answer, and nothing is taken from a segment lighter than
#: its muscles.
NOTED = frozenset(
    {
        "segment lighter than its muscles",
        "gravity along another axis",
        "kneecap in degrees",
        "loads that end early",
        "loads that begin late",
    }
)

"""Checks of model files, and repair of unphysical inertia."""

from __future__ import annotations

import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.errors import FileFormatError, ModelError, listed, near_matches
from ..files.atomic import writing
from ..muscles.masses.rigid import THINNEST, RigidMass, inertia_problem, nearest_body, six_numbers
from .bodies import Subject

#: Versions of files before OpenSim 3.0 and after 4.6.
OLD, NEW = 30000, 40600
#: Names of parts in messages, by tag.
PARTS = {"BodySet": "body", "JointSet": "joint", "ForceSet": "force", "ConstraintSet": "constraint"}
#: Properties that OpenSim rejects without naming the part, if negative; the second ones also if zero.
NUMBERS = ("mass", "max_isometric_force", "tendon_slack_length", "pennation_angle_at_optimal")
NUMBERS_ABOVE_ZERO = ("optimal_fiber_length", "max_contraction_velocity")
#: Positive sizes of wrap objects.
SIZES = ("radius", "length", "dimensions", "inner_radius", "outer_radius")


def document_errors(path: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics of a model's XML file: version, names, wrap objects and joints."""
    root, model = _parsed(path)
    if root is None:
        return
    version = int(text) if (text := root.get("Version", "0")).isdigit() else 0
    if version > NEW:
        text = f"it is of version {version}, and OpenSim 4.6 writes {NEW}: newer parts are not read"
        yield Diagnostic("warning", "version", path.name, text, ("save it with the OpenSim that computes with it",))
    elif version < OLD:
        text = f"it is of version {version}, from before OpenSim 3; OpenSim converts it when it reads it"
        yield Diagnostic("note", "version", path.name, text, ("open and save it with OpenSim 4, and compare",))
    if model is not None:
        yield from _twice(path.name, model)
        yield from _missing_names(path.name, model, version >= 40000)
        yield from _wrap_sizes(path.name, model)
        if version >= 40000:
            yield from _unjoined(path.name, model)


def unreadable_numbers(path: Path) -> Iterator[Diagnostic]:
    """Yield diagnostics of numbers that OpenSim rejects without naming the object."""
    _, model = _parsed(path)
    for part in () if model is None else model.iter():
        for tag in (*NUMBERS, *NUMBERS_ABOVE_ZERO):
            text, above = (part.findtext(tag) or "").strip(), tag in NUMBERS_ABOVE_ZERO
            most = math.pi / 2 if tag.startswith("pennation") else math.inf
            if text and not (0 < (number := _value(text)) < most or (number == 0 and not above)):
                limit = f" and below {most:.4g}, in radians," if math.isfinite(most) else ""
                message = (
                    f"its <{tag}> is {text}; a number of {'more than' if above else 'at least'} 0{limit} was expected"
                )
                yield _finding(tag.replace("_", " "), path.name, part, message, f"correct <{tag}>")


def _finding(check: str, file: str, part: ElementTree.Element, text: str, cure: str) -> Diagnostic:
    return Diagnostic("error", check, f"{file}, {part.tag} '{part.get('name', '')}'", text, (cure,))


def _parsed(path: Path) -> tuple[ElementTree.Element | None, ElementTree.Element | None]:
    """Return root (None if unreadable) and model element (None if absent) of an XML file, without class defaults."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError, ValueError, LookupError):
        return None, None
    model = root if root.tag == "Model" else root.find("Model")
    for parent in (root, root if model is None else model):
        for defaults in parent.findall("defaults"):
            parent.remove(defaults)
    return root, model


def _twice(file: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    """Yield diagnostics of repeated names, which OpenSim changes silently."""
    kinds = {"coordinate": list(model.iter("Coordinate"))}
    kinds |= {kind: model.findall(f"{tag}/objects/*") for tag, kind in PARTS.items()}
    for kind, parts in kinds.items():
        for part, count in Counter(element.get("name", "") for element in parts).items():
            severity, text = (
                "error",
                "parts have this name; OpenSim renames all but the first, and references mean the first",
            )
            if kind == "coordinate":
                severity = "note"
                text = f"coordinates have this name: results call all but the first joint_{part}, by its joint's name"
            if count > 1:
                place = f"{file}, {kind} '{part}'"
                yield Diagnostic(severity, "names twice", place, f"{count} {text}", ("rename the others",))


def _missing_names(file: str, model: ElementTree.Element, has_sockets: bool) -> Iterator[Diagnostic]:
    coordinates = {element.get("name", "") for element in model.iter("Coordinate")}
    bodies = {element.get("name", "") for element in model.iter("Body")} | {"ground"}
    wraps = {element.get("name", "") for element in _wrap_objects(model)}
    named: list[tuple[ElementTree.Element, str, str, set[str]]] = []
    for coupler in model.iter("CoordinateCouplerConstraint"):
        for tag in ("independent_coordinate_names", "dependent_coordinate_name"):
            named += [(coupler, "coordinate", name, coordinates) for name in (coupler.findtext(tag) or "").split()]
    for force in model.findall("ForceSet/objects/*"):
        named += [(force, "wrap object", (each.text or "").strip(), wraps) for each in force.iter("wrap_object")]
    for group in ("ForceSet", "JointSet", "ConstraintSet", "ContactGeometrySet") if has_sockets else ():
        for part in model.findall(f"{group}/objects/*"):
            texts = [(element.text or "").strip() for element in part.iter() if element.tag.startswith("socket_")]
            used = (text.removeprefix("/bodyset/").split("/")[0] for text in texts if text.startswith("/bodyset/"))
            named += [(part, "body", body, bodies) for body in dict.fromkeys(used)]
    for part, kind, name, valid in named:
        if name not in valid:
            near = near_matches(name, sorted(valid))
            cure = f"did you mean {listed(near)}?" if near else f"add the {kind}, or correct the name"
            text = f"it names the {kind} '{name}', which is not there"
            yield _finding("names of what is missing", file, part, text, cure)


def _wrap_objects(model: ElementTree.Element) -> list[ElementTree.Element]:
    return [element for group in model.iter("WrapObjectSet") for element in group.iterfind("objects/*")]


def _unjoined(file: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    joined = set()
    for joint in model.findall("JointSet/objects/*"):
        frames = {frame.get("name", ""): frame for frame in joint.iter("PhysicalOffsetFrame")}
        child = (joint.findtext("socket_child_frame") or "").strip()
        offset_frame = frames.get(child.split("/")[-1])
        parent = child if offset_frame is None else (offset_frame.findtext("socket_parent") or "").strip()
        joined.add(parent.removeprefix("/bodyset/").split("/")[0])
    for element in model.findall("BodySet/objects/Body"):
        if joined and element.get("name", "") not in joined:
            text = "no joint joins it to another body: OpenSim lets it float, with six coordinates more"
            place = f"{file}, body '{element.get('name', '')}'"
            yield Diagnostic("error", "joints", place, text, ("give it a joint",))


def _wrap_sizes(file: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    for element in _wrap_objects(model):
        for size in SIZES:
            text = (element.findtext(size) or "").strip()
            numbers, starts = [_value(word) for word in text.split()], f"its {size.replace('_', ' ')} is {text}"
            place = f"{file}, wrap object '{element.get('name', '')}'"
            if any(not number > 0 for number in numbers):
                expected = f"{starts}; positive lengths in metres were expected"
                yield Diagnostic("error", "wrap objects", place, expected, (f"correct <{size}>",))
            elif any(number > 3 for number in numbers) and size != "length":
                expected = f"{starts} m; no part of a person is so large"
                yield Diagnostic("warning", "wrap objects", place, expected, ("give it in metres",))


def _value(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


#: Least extent of a repaired body, as a share of its largest root mean square extent, at most THINNEST.
SLENDER = 0.1
#: Tags of moments and products before OpenSim 4, in order.
OLD_TAGS = tuple(f"inertia_{axes}" for axes in ("xx", "yy", "zz", "xy", "xz", "yz"))


@dataclass(frozen=True)
class Repair:
    """An unphysical inertia that was replaced.

    Attributes:
        body: the body's name.
        before, after: moments xx, yy, zz and products xy, xz, yz about the centre of mass [kg m^2], (6,).
        change: relative change of the second moments of mass (Frobenius norms).
    """

    body: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    change: float


def nearest_inertia(rigid: RigidMass) -> RigidMass:
    """Return the physical body nearest to ``rigid``: equal mass and centre, RMS extents >= min(5 mm, longest / 10)."""
    longest = max(float(np.linalg.eigvalsh(rigid.covariance)[2]), 0.0) / rigid.mass
    least = min(THINNEST**2, SLENDER**2 * longest) if longest > 0 else THINNEST**2
    return nearest_body(rigid, np.full(3, rigid.mass * least))


def repair_model(path: str | os.PathLike[str], output: str | os.PathLike[str]) -> list[Repair]:
    """Write a copy of a model file with unphysical inertias replaced by the nearest physical ones.

    Bodies without mass, point masses, and bodies fixed to ground are unchanged, as are all other bytes of the file.

    Args:
        path: the ``.osim`` file.
        output: the new file.

    Returns:
        the replaced inertias; the copy is written even if there are none.

    Raises:
        ModelError: the model cannot be read, ``output`` is ``path``, or a body's numbers are not finite.
        FileFormatError: the file's text lacks the inertia of a body.
        OutputError: the file cannot be written.
    """
    if os.path.realpath(path) == os.path.realpath(output):
        raise ModelError(f"{output}: the repaired model must be another file than the model")
    subject = Subject.of(path)
    content, repairs = Path(path).read_bytes(), list[Repair]()
    for name, rigid in subject.bodies.items():
        before = six_numbers(rigid.inertia)
        if name in subject.fixed or rigid.mass <= 0 or not before.any():
            continue
        if not np.isfinite([*before, *rigid.center, rigid.mass]).all():
            place = subject.label("body", name)
            raise ModelError(f"{place}: its mass properties are not finite, and nothing is near to them")
        if inertia_problem(before) is None:
            continue
        body = nearest_inertia(rigid)
        after = _rounded(six_numbers(body.inertia))
        change = np.linalg.norm(body.covariance - rigid.covariance) / np.linalg.norm(rigid.covariance)
        repairs.append(Repair(name, tuple(before.tolist()), tuple(after.tolist()), float(change)))
        content = _with_inertia(Path(path), content, name, after)
    with writing(Path(output)) as temporary:
        temporary.write_bytes(content)
    return repairs


def _rounded(numbers: Array) -> Array:
    """Return moments and products of inertia with 12 significant digits; products below round-off become zero."""
    largest = float(np.abs(numbers).max())
    return np.array([float(f"{x:.12g}") if abs(x) > 1e-14 * largest else 0.0 for x in numbers.tolist()])


def _with_inertia(path: Path, content: bytes, body: str, numbers: Array) -> bytes:
    from html import escape  # rarely needed

    texts = [f"{number:.12g}" for number in numbers.tolist()]
    new = {"inertia": " ".join(texts)} | dict(zip(OLD_TAGS, texts, strict=True))

    def replaced(element: re.Match[bytes]) -> bytes:
        return element[1] + new[element[2].decode()].encode() + element[4]

    name = re.escape(escape(body, quote=False).encode())
    element = re.search(rb"<Body\s+name=([\"'])" + name + rb"\1.*?</Body>", content, re.DOTALL)
    if element is not None:
        text, count = re.subn(rb"(<(inertia(_[xyz]{2})?)>)[^<]*(</)", replaced, element[0])
        if count:
            return content[: element.start()] + text + content[element.end() :]
    raise FileFormatError(path, f"the file does not say the inertia of body '{body}', which is its class's default")

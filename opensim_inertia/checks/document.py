"""Parts of a model's file that OpenSim misreads or ignores: repeated names, references to missing parts."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from .._core.diagnostics import Diagnostic
from .._core.errors import listed, near_matches

__all__ = ["document_findings", "unreadable_findings"]

#: Files of versions below this were written before OpenSim 3.0, and above it after 4.6.
OLD, NEW = 30000, 40600
#: Parts of a model whose names are looked at, and what each is called.
PARTS = {"BodySet": "body", "JointSet": "joint", "ForceSet": "force", "ConstraintSet": "constraint"}
#: Numbers of bodies and muscles that OpenSim refuses without saying whose they are: the least that it takes, and
#: whether the least itself is allowed.
NUMBERS = {
    "mass": (0.0, True),
    "max_isometric_force": (0.0, True),
    "optimal_fiber_length": (0.0, False),
    "tendon_slack_length": (0.0, True),
    "pennation_angle_at_optimal": (0.0, True),
    "max_contraction_velocity": (0.0, False),
}
#: Sizes of wrap objects, all of which are positive.
SIZES = ("radius", "length", "dimensions", "inner_radius", "outer_radius")


def document_findings(path: Path) -> Iterator[Diagnostic]:
    """Yield errors in a model's file, whether OpenSim can read it or not.

    Files that are no XML yield nothing here: OpenSim says what is wrong with them.
    """
    root, model = _parsed(path)
    if root is None:
        return
    yield from _version(path.name, root)
    if model is None:
        return
    yield from _twice(path.name, model)
    yield from _couplers(path.name, model, {element.get("name", "") for element in model.iter("Coordinate")})
    yield from _wraps(path.name, model)
    if _number(root) >= 40000:
        yield from _sockets(path.name, model)


def unreadable_findings(path: Path) -> Iterator[Diagnostic]:
    """Yield numbers of bodies and muscles for which OpenSim refuses a model's file, and does not say where they are."""
    _, model = _parsed(path)
    for part in () if model is None else model.iter():
        for tag, (least, allowed) in NUMBERS.items():
            text = (part.findtext(tag) or "").strip()
            if not text:
                continue
            number = _value(text)
            most = math.pi / 2 if tag.startswith("pennation") else math.inf
            if not (least < number < most or (allowed and number == least)):
                place = f"{path.name}, {part.tag} '{part.get('name', '')}'"
                more = "at least" if allowed else "more than"
                limit = f" and below {most:.4g}, in radians," if math.isfinite(most) else ""
                message = f"its <{tag}> is {text}; a number of {more} {least:g}{limit} was expected"
                yield Diagnostic("error", tag.replace("_", " "), place, message, (f"correct <{tag}>",))


def _parsed(path: Path) -> tuple[ElementTree.Element | None, ElementTree.Element | None]:
    """Return the root of a document and its model without the defaults of classes; None for what is not there."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError, ValueError, LookupError):
        return None, None
    model = root if root.tag == "Model" else root.find("Model")
    for parent in (root, root if model is None else model):
        for defaults in parent.findall("defaults"):
            parent.remove(defaults)
    return root, model


def _number(root: ElementTree.Element) -> int:
    text = root.get("Version", "0")
    return int(text) if text.isdigit() else 0


def _version(name: str, root: ElementTree.Element) -> Iterator[Diagnostic]:
    version = _number(root)
    if version > NEW:
        text = f"it is of version {version}, and OpenSim 4.6 writes {NEW}: newer parts are not read"
        yield Diagnostic("warning", "version", name, text, ("save it with the OpenSim that computes with it",))
    elif version < OLD:
        text = f"it is of version {version}, from before OpenSim 3; OpenSim converts it when it reads it"
        yield Diagnostic("note", "version", name, text, ("open and save it with OpenSim 4, and compare",))


def _twice(name: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    """Yield names that two parts of one kind have: OpenSim renames one of them, and says so in its log only."""
    for part, count in Counter(element.get("name", "") for element in model.iter("Coordinate")).items():
        if count > 1:
            text = (
                f"{count} coordinates have this name: results call all but the first joint_{part}, by its joint's name"
            )
            yield Diagnostic("note", "names twice", f"{name}, coordinate '{part}'", text, ("rename the others",))
    kinds = {kind: [e.get("name", "") for e in model.findall(f"{tag}/objects/*")] for tag, kind in PARTS.items()}
    for kind, parts in kinds.items():
        for part, count in Counter(parts).items():
            if count > 1:
                text = f"{count} parts have this name; OpenSim renames all but the first, and references mean the first"
                yield Diagnostic("error", "names twice", f"{name}, {kind} '{part}'", text, ("rename the others",))


def _couplers(name: str, model: ElementTree.Element, coordinates: set[str]) -> Iterator[Diagnostic]:
    """Yield couplers that name coordinates that are not there."""
    for coupler in model.iter("CoordinateCouplerConstraint"):
        tags = ("independent_coordinate_names", "dependent_coordinate_name")
        for coordinate in " ".join(coupler.findtext(tag) or "" for tag in tags).split():
            if coordinate not in coordinates:
                yield _missing_name_finding(
                    f"{name}, coupler '{coupler.get('name', '')}'", "coordinate", coordinate, coordinates
                )


def _sockets(name: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    """Yield components whose sockets name a body that is not in the model, and bodies that no joint connects."""
    bodies = {element.get("name", "") for element in model.iter("Body")} | {"ground"}
    for group in ("ForceSet", "JointSet", "ConstraintSet", "ContactGeometrySet"):
        for part in model.findall(f"{group}/objects/*"):
            missing_bodies: dict[str, None] = {}
            for element in part.iter():
                text = (element.text or "").strip()
                if element.tag.startswith("socket_") and text.startswith("/bodyset/"):
                    body = text.removeprefix("/bodyset/").split("/")[0]
                    if body not in bodies:
                        missing_bodies[body] = None
            for body in missing_bodies:
                yield _missing_name_finding(f"{name}, {part.tag} '{part.get('name', '')}'", "body", body, bodies)
    joined = set()
    for joint in model.findall("JointSet/objects/*"):
        frames = {frame.get("name", ""): frame for frame in joint.iter("PhysicalOffsetFrame")}
        child = (joint.findtext("socket_child_frame") or "").strip()
        offset_frame = frames.get(child.split("/")[-1])
        parent = child if offset_frame is None else (offset_frame.findtext("socket_parent") or "").strip()
        joined.add(parent.removeprefix("/bodyset/").split("/")[0])
    for element in model.findall("BodySet/objects/Body"):
        unjoined = element.get("name", "")
        if joined and unjoined not in joined:
            text = "no joint joins it to another body: OpenSim lets it float, with six coordinates more"
            yield Diagnostic("error", "joints", f"{name}, body '{unjoined}'", text, ("give it a joint",))


def _wraps(name: str, model: ElementTree.Element) -> Iterator[Diagnostic]:
    """Yield wrap objects without size, and paths that name wrap objects that are not there."""
    objects: dict[str, ElementTree.Element] = {}
    for group in model.iter("WrapObjectSet"):
        objects |= {element.get("name", ""): element for element in group.findall("objects/*")}
    for wrap, element in objects.items():
        for size in SIZES:
            numbers = (element.findtext(size) or "").split()
            if any(not _value(number) > 0 for number in numbers):
                text = f"its {size.replace('_', ' ')} is {' '.join(numbers)}; positive lengths in metres were expected"
                yield Diagnostic("error", "wrap objects", f"{name}, wrap object '{wrap}'", text, (f"correct <{size}>",))
            elif any(float(number) > 3 for number in numbers) and size != "length":
                text = f"its {size.replace('_', ' ')} is {' '.join(numbers)} m; no part of a person is so large"
                yield Diagnostic(
                    "warning", "wrap objects", f"{name}, wrap object '{wrap}'", text, ("give it in metres",)
                )
    for force in model.findall("ForceSet/objects/*"):
        for reference in force.iter("wrap_object"):
            if (reference.text or "").strip() not in objects:
                place = f"{name}, {force.tag} '{force.get('name', '')}'"
                yield _missing_name_finding(place, "wrap object", (reference.text or "").strip(), set(objects))


def _value(text: str) -> float:
    """Return the number that a text is; NaN if it is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _missing_name_finding(place: str, kind: str, name: str, valid: set[str]) -> Diagnostic:
    near = near_matches(name, sorted(valid))
    cure = (f"did you mean {listed(near)}?",) if near else (f"add the {kind}, or correct the name",)
    text = f"it names the {kind} '{name}', which is not there"
    return Diagnostic("error", "names of what is missing", place, text, cure)

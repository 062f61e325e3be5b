"""A model's file: parts that OpenSim misreads or ignores, and a copy with inertias that bodies can have."""

from __future__ import annotations

import math
import os
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import numpy as np

from .._core.arrays import Array
from .._core.errors import FileFormatError, ModelError, listed, near_matches
from .._core.findings import Finding
from ..files.atomic import writing
from ..muscles.masses.rigid import THINNEST, RigidMass, inertia_problem, nearest_body, six_numbers
from .subject import Subject

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


def document_findings(path: Path) -> Iterator[Finding]:
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


def unreadable_findings(path: Path) -> Iterator[Finding]:
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
                yield Finding("error", tag.replace("_", " "), place, message, (f"correct <{tag}>",))


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


def _version(name: str, root: ElementTree.Element) -> Iterator[Finding]:
    version = _number(root)
    if version > NEW:
        text = f"it is of version {version}, and OpenSim 4.6 writes {NEW}: newer parts are not read"
        yield Finding("warning", "version", name, text, ("save it with the OpenSim that computes with it",))
    elif version < OLD:
        text = f"it is of version {version}, from before OpenSim 3; OpenSim converts it when it reads it"
        yield Finding("note", "version", name, text, ("open and save it with OpenSim 4, and compare",))


def _twice(name: str, model: ElementTree.Element) -> Iterator[Finding]:
    """Yield names that two parts of one kind have: OpenSim renames one of them, and says so in its log only."""
    for part, count in Counter(element.get("name", "") for element in model.iter("Coordinate")).items():
        if count > 1:
            text = (
                f"{count} coordinates have this name: results call all but the first joint_{part}, by its joint's name"
            )
            yield Finding("note", "names twice", f"{name}, coordinate '{part}'", text, ("rename the others",))
    kinds = {kind: [e.get("name", "") for e in model.findall(f"{tag}/objects/*")] for tag, kind in PARTS.items()}
    for kind, parts in kinds.items():
        for part, count in Counter(parts).items():
            if count > 1:
                text = f"{count} parts have this name; OpenSim renames all but the first, and references mean the first"
                yield Finding("error", "names twice", f"{name}, {kind} '{part}'", text, ("rename the others",))


def _couplers(name: str, model: ElementTree.Element, coordinates: set[str]) -> Iterator[Finding]:
    """Yield couplers that name coordinates that are not there."""
    for coupler in model.iter("CoordinateCouplerConstraint"):
        tags = ("independent_coordinate_names", "dependent_coordinate_name")
        for coordinate in " ".join(coupler.findtext(tag) or "" for tag in tags).split():
            if coordinate not in coordinates:
                yield _missing_name_finding(
                    f"{name}, coupler '{coupler.get('name', '')}'", "coordinate", coordinate, coordinates
                )


def _sockets(name: str, model: ElementTree.Element) -> Iterator[Finding]:
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
            yield Finding("error", "joints", f"{name}, body '{unjoined}'", text, ("give it a joint",))


def _wraps(name: str, model: ElementTree.Element) -> Iterator[Finding]:
    """Yield wrap objects without size, and paths that name wrap objects that are not there."""
    objects: dict[str, ElementTree.Element] = {}
    for group in model.iter("WrapObjectSet"):
        objects |= {element.get("name", ""): element for element in group.findall("objects/*")}
    for wrap, element in objects.items():
        for size in SIZES:
            numbers = (element.findtext(size) or "").split()
            if any(not _value(number) > 0 for number in numbers):
                text = f"its {size.replace('_', ' ')} is {' '.join(numbers)}; positive lengths in metres were expected"
                yield Finding("error", "wrap objects", f"{name}, wrap object '{wrap}'", text, (f"correct <{size}>",))
            elif any(float(number) > 3 for number in numbers) and size != "length":
                text = f"its {size.replace('_', ' ')} is {' '.join(numbers)} m; no part of a person is so large"
                yield Finding("warning", "wrap objects", f"{name}, wrap object '{wrap}'", text, ("give it in metres",))
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


def _missing_name_finding(place: str, kind: str, name: str, valid: set[str]) -> Finding:
    near = near_matches(name, sorted(valid))
    cure = (f"did you mean {listed(near)}?",) if near else (f"add the {kind}, or correct the name",)
    text = f"it names the {kind} '{name}', which is not there"
    return Finding("error", "names of what is missing", place, text, cure)


#: A body keeps in every direction this share of its largest root mean square extent, or THINNEST if that is less.
SLENDER = 0.1
#: Tags of moments and products, in OpenSim's order, in files from before OpenSim 4.
OLD_TAGS = tuple(f"inertia_{axes}" for axes in ("xx", "yy", "zz", "xy", "xz", "yz"))


@dataclass(frozen=True)
class Repair:
    """An inertia that was replaced.

    Attributes:
        body: the body's name.
        before, after: moments xx, yy, zz and products xy, xz, yz about the centre of mass [kg m^2], (6,).
        change: the change of the second moments of mass, as a share of those before (Frobenius norms).
    """

    body: str
    before: tuple[float, ...]
    after: tuple[float, ...]
    change: float


def nearest_inertia(rigid: RigidMass) -> RigidMass:
    """Return the body nearest to mass properties whose inertia no body can have; mass and centre of mass stay.

    Nearest is meant in the Frobenius norm of the second moments of mass about the centre
    (:func:`~opensim_inertia.muscles.masses.rigid.nearest_body`), among bodies that are nowhere thinner than a root mean
    square half thickness of 5 mm, or than a tenth of their root mean square half length if that is less.
    """
    longest = max(float(np.linalg.eigvalsh(rigid.covariance)[2]), 0.0) / rigid.mass
    least = min(THINNEST**2, SLENDER**2 * longest) if longest > 0 else THINNEST**2
    return nearest_body(rigid, np.full(3, rigid.mass * least))


def repair_model(path: str | os.PathLike[str], output: str | os.PathLike[str]) -> list[Repair]:
    """Write a copy of a model's file in which inertias that no body can have are replaced by the nearest ones.

    Bodies without mass, point masses, and bodies fixed to ground are left as they are. Everything else in the file
    stays to the byte.

    Args:
        path: the ``.osim`` file.
        output: the file to write; another one.

    Returns:
        what was replaced; the copy is written even if that is nothing.

    Raises:
        ModelError: the model cannot be read, ``output`` is ``path``, or a body's numbers are not finite.
        FileFormatError: the body whose inertia is to be replaced is not found in the file's text.
        OutputError: the file cannot be written.
    """
    if os.path.realpath(path) == os.path.realpath(output):
        raise ModelError(f"{output}: the repaired model must be another file than the model")
    subject = Subject.of(path)
    content = Path(path).read_bytes()
    repairs, edits = [], []
    for name, rigid in subject.bodies.items():
        if not _is_broken(subject, name, rigid):
            continue
        body = nearest_inertia(rigid)
        before, after = six_numbers(rigid.inertia), _rounded(six_numbers(body.inertia))
        change = np.linalg.norm(body.covariance - rigid.covariance) / np.linalg.norm(rigid.covariance)
        repairs.append(Repair(name, tuple(before.tolist()), tuple(after.tolist()), float(change)))
        edits += _edits(Path(path), content, name, after.tolist())
    for start, end, text in sorted(edits, reverse=True):
        content = content[:start] + text + content[end:]
    with writing(Path(output)) as temporary:
        temporary.write_bytes(content)
    return repairs


def _is_broken(subject: Subject, name: str, rigid: RigidMass) -> bool:
    if name in subject.fixed or rigid.mass <= 0 or not rigid.inertia.any():
        return False
    numbers = six_numbers(rigid.inertia)
    if not (np.isfinite(numbers).all() and np.isfinite(rigid.center).all() and math.isfinite(rigid.mass)):
        raise ModelError(
            f"{subject.label('body', name)}: its mass properties are not finite, and nothing is near to them"
        )
    return inertia_problem(numbers) is not None


def _rounded(numbers: Array) -> Array:
    """Round to 12 significant digits, and products below round-off to zero."""
    largest = float(np.abs(numbers).max())
    return np.array([float(f"{x:.12g}") if abs(x) > 1e-14 * largest else 0.0 for x in numbers.tolist()])


def _edits(path: Path, content: bytes, body: str, numbers: list[float]) -> list[tuple[int, int, bytes]]:
    """Return start, end and new text of the bytes of a file that hold a body's inertia."""
    spans = _spans(path, content).get(body, {})
    texts = [f"{number:.12g}" for number in numbers]
    if "inertia" in spans:
        return [(*spans["inertia"], " ".join(texts).encode())]
    if "inertia_xx" in spans:
        return [(*spans[tag], text.encode()) for tag, text in zip(OLD_TAGS, texts, strict=True) if tag in spans]
    raise FileFormatError(path, f"the file does not say the inertia of body '{body}', which is its class's default")


def _spans(path: Path, content: bytes) -> dict[str, dict[str, tuple[int, int]]]:
    """Return where the texts of inertia elements begin and end in a file's bytes, by body and by tag."""
    spans: dict[str, dict[str, tuple[int, int]]] = {}
    open_tags: list[tuple[str, str, int]] = []
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        place = parser.CurrentByteIndex
        open_tags.append((tag, attributes.get("name", ""), content.index(b">", place) + 1))

    def end(tag: str) -> None:
        _, _, first = open_tags.pop()
        if re.fullmatch("inertia(_[xyz]{2})?", tag) and open_tags and open_tags[-1][0] == "Body":
            spans.setdefault(open_tags[-1][1], {})[tag] = first, parser.CurrentByteIndex

    parser.StartElementHandler, parser.EndElementHandler = start, end
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise FileFormatError(path, f"is not a well-formed XML file: {error}") from None
    return spans

"""The nearest inertia that a body can have, written into a copy of a model's file in which nothing else changes.

The file is not read and printed by OpenSim, which would change numbers, order and comments: only the text of the
inertias that are replaced is.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import numpy as np

from .._core.arrays import Array
from .._core.errors import FileFormatError, ModelError
from ..files.atomic import writing
from ..muscles.masses.rigid import THINNEST, RigidMass, inertia_problem, nearest_body, six_numbers
from .subject import Subject

__all__ = ["Repair", "nearest_inertia", "repair_model"]

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

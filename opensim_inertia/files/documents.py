"""Documents: JSON files of this package that state their kind and carry a checksum of their content.

A checksum reveals a file that was changed after it was written; a file of another kind is refused by its name.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .._core.checks import check_file
from .._core.errors import FileFormatError
from .atomic import writing

__all__ = [
    "LENGTH_POLYNOMIALS",
    "WRAP_PLANS",
    "DocumentKind",
    "checksum",
    "read_document",
    "write_document",
]


class DocumentKind(NamedTuple):
    """A kind of documents: its name, its version, and its origin for messages."""

    name: str
    version: int
    source: str

    @property
    def format(self) -> str:
        """The word by which a document says what it is."""
        return f"opensim_inertia {self.name}"


LENGTH_POLYNOMIALS = DocumentKind(
    "length polynomials", 1, "musculotendon lengths, without places for mass, as 'fit_length_polynomials' makes them"
)
WRAP_PLANS = DocumentKind("wrap plans", 1, "how paths pass their wrap objects, in the user's cache")


def checksum(document: Any) -> str:
    """Return the SHA-256 of what JSON holds: the same before it is written and after it was read."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write_document(path: str | os.PathLike[str], kind: DocumentKind, content: Mapping[str, Any]) -> None:
    """Write a document, whole or not at all."""
    document = {"format": kind.format, "version": kind.version, **content}
    text = json.dumps(document | {"sha256": checksum(document)}, allow_nan=False)
    with writing(Path(path)) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def read_document(path: str | os.PathLike[str], kind: DocumentKind) -> dict[str, Any]:
    """Read a document that :func:`write_document` has written."""
    file = check_file(path, f"file of {kind.name}")
    try:
        document = json.loads(file.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(path, f"it is not JSON: {error}") from None
    stated = document.get("format") if isinstance(document, dict) else None
    if stated != kind.format:
        raise FileFormatError(path, f"its 'format' is {stated!r}; expected {kind.name} ({kind.source})")
    if document.get("version") != kind.version:
        raise FileFormatError(path, f"it is of version {document.get('version')!r}; expected {kind.version}")
    if document.pop("sha256", None) != checksum(document):
        raise FileFormatError(path, "it was changed since it was written: its numbers do not fit its checksum")
    return dict(document)


def _refuse_constant(text: str) -> float:
    """Refuse ``NaN`` and ``Infinity``, which JSON does not have and Python would read."""
    raise ValueError(f"'{text}' is not a finite number")

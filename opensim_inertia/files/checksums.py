"""The checksum that files of numbers carry, by which a file that was changed by hand or on its way is told."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["checksum"]


def checksum(document: Any) -> str:
    """Return the SHA-256 of what JSON holds: the same before it is written and after it was read."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()

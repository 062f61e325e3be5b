"""Results kept in the user's folder for caches, by a checksum of all that they depend on.

A file of the cache is written whole or not at all, carries a checksum of its content, and is never needed: what cannot
be read is computed again and replaced, and what cannot be written is left out. So several processes may use one cache.
The files that were not used for longest are removed where there are too many.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .._core.choices import CACHE_VARIABLE
from .._core.errors import InertiaError
from .._core.provenance import versions
from .documents import DocumentKind, read_document, write_document

__all__ = ["MOST_FILES", "cache_folder", "cache_key", "keep", "kept"]

#: Files of one kind that are kept, at most; each has some ten kilobytes.
MOST_FILES = 200


def cache_folder() -> Path:
    """Return the folder of what is kept: ``$OPENSIM_INERTIA_CACHE``, or one in the platform's for caches.

    Of a user without a home it is one that cannot be made, so that nothing is kept.
    """
    folder_name = os.environ.get(CACHE_VARIABLE)
    if folder_name:
        return Path(folder_name).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return Path(base).expanduser() / "opensim_inertia"
    except RuntimeError:  # neither HOME nor an entry in the password file
        return Path(os.devnull) / "opensim_inertia"


def cache_key(inputs: Mapping[str, Any]) -> str:
    """Return a checksum of inputs, as JSON knows them, to the last bit of numbers, and of the versions in use."""
    content = {"inputs": inputs, "versions": versions()}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def kept(kind: DocumentKind, key: str) -> dict[str, Any] | None:
    """Return the object kept under a key; None if it is missing or damaged."""
    file = _file(kind, key)
    try:
        content = read_document(file, kind)
    except (InertiaError, OSError, RuntimeError, ValueError):
        return None
    with suppress(OSError):
        os.utime(file)  # it is used: others are removed before it
    return content if content.get("key") == key else None


def keep(kind: DocumentKind, key: str, content: Mapping[str, Any]) -> None:
    """Keep content, as JSON knows it, under a key; nothing happens where it cannot be written."""
    file = _file(kind, key)
    with suppress(InertiaError, OSError, RuntimeError, ValueError, TypeError):
        write_document(file, kind, {"key": key, **content})
        _remove_oldest(file.parent)


def _file(kind: DocumentKind, key: str) -> Path:
    return cache_folder() / kind.name.replace(" ", "_") / f"{key}.json"


def _remove_oldest(folder: Path) -> None:
    """Remove the files that were not used for longest, where there are more than :data:`MOST_FILES`."""
    for file in sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)[:-MOST_FILES]:
        file.unlink(missing_ok=True)

"""Files that setups name: whether they are there."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import FileFormatError, ModelError

__all__ = ["check_exists"]


def check_exists(path: Path, what: str, option: str | None) -> None:
    """Refuse a file that does not exist; ``option`` is what gives another one, where the setup named it."""
    if os.path.isfile(path):
        return
    hint = f" (named by the setup; give another with {option})" if option else ""
    if what == "model":
        raise ModelError(f"model file '{path}' does not exist{hint}")
    raise FileFormatError(path, f"{what} file does not exist{hint}")

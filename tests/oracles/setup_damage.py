"""What every reader of setup files must stand: missing files, other tools' setups, and damage anywhere in the text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opensim_inertia.errors import FileFormatError

Read = Callable[[Path], Any]


def check_damage_is_named(read: Read, path: Path, message: str) -> None:
    """Assert that a reader refuses a file with a message, which names the file."""
    with pytest.raises(FileFormatError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def refuses_missing_files_and_other_tools(read: Read, folder: Path, other: Path, message: str) -> None:
    """A file that is not there, a folder, and the setup of another tool are refused by name."""
    for path, reason in ((folder / "none.xml", "no such file"), (folder, "cannot be read"), (other, message)):
        with pytest.raises(FileFormatError, match=reason):
            read(path)

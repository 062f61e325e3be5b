"""What every reader of setup files must stand: missing files, other tools' setups, and damage anywhere in the text."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fuzz.draws import Draw

from opensim_inertia.errors import FileFormatError, InertiaError

Read = Callable[[Path], Any]

#: Texts that are damaged, each in a way of its own.
DAMAGED = 150


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


def lets_no_damage_through(read: Read, folder: Path, text: str) -> None:
    """A damaged text is refused with the name of its file, or gives a setup; nothing is left behind."""
    here, path, count = Path.cwd(), folder / "setup.xml", 0
    for seed in range(DAMAGED):
        draw = Draw(seed)
        cut, length, put = draw.randint(0, len(text)), draw.randint(0, 30), draw.text(5, alphabet='<>/ aT9.-"=&;')
        path.write_text(text[:cut] + put + text[cut + length :])
        try:
            setup = read(path)
        except InertiaError as error:
            assert str(path) in str(error), seed
        else:
            assert len(setup.time_range) == 2, seed
            count += 1
        assert os.listdir(folder) == ["setup.xml"], seed
        assert Path.cwd() == here, seed
    assert 0 < count < DAMAGED

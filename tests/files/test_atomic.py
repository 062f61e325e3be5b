"""Whatever interrupts a write, the user's folder is as before."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import opensim_inertia
from opensim_inertia.errors import OutputError
from opensim_inertia.files.atomic import writing


def test_file_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "made" / "of" / "result.sto"
    with writing(path) as temporary:
        assert temporary.parent == path.parent and temporary.suffix == ".sto" and temporary.name.startswith(".")
        temporary.write_text("new")
        assert not path.exists()
    assert path.read_text() == "new"
    assert os.listdir(path.parent) == ["result.sto"]


@pytest.mark.parametrize("interruption", [ValueError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_an_interrupted_write(tmp_path: Path, interruption: type[BaseException]) -> None:
    old = tmp_path / "old.sto"
    old.write_text("old")
    for path in (old, tmp_path / "a" / "b" / "new.sto"):
        with pytest.raises(interruption), writing(path) as temporary:
            temporary.write_text("half")
            raise interruption
    assert os.listdir(tmp_path) == ["old.sto"]
    assert old.read_text() == "old"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM for a process there")
def test_a_terminated_process_leaves_nothing_and_ends_by_the_signal(tmp_path: Path) -> None:
    script = """
import os, signal, sys
from opensim_inertia.files.atomic import writing
handler = {"default": signal.SIG_DFL, "own": lambda *_: sys.exit(7)}[sys.argv[2]]
signal.signal(signal.SIGTERM, handler)
with writing(sys.argv[1] + "/a/b/new.sto") as temporary:
    temporary.write_text("half")
    os.kill(os.getpid(), signal.SIGTERM)
    temporary.write_text("whole")
"""
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1])}
    for handler, code in (("default", -signal.SIGTERM), ("own", 7)):
        command = [sys.executable, "-P", "-c", script, str(tmp_path), handler]
        assert subprocess.run(command, env=environment, check=False).returncode == code
        assert os.listdir(tmp_path) == []


def test_permissions_are_the_usual_or_the_old(tmp_path: Path) -> None:
    usual, old = tmp_path / "usual", tmp_path / "old"
    usual.touch()
    old.touch()
    old.chmod(0o640)
    for path in (tmp_path / "new", old):
        with writing(path) as temporary:
            temporary.write_text("x")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link = tmp_path / "link.sto"
    link.symlink_to(tmp_path / "far" / "target.sto")
    with writing(link) as temporary:
        temporary.write_text("x")
    assert link.is_symlink() and (tmp_path / "far" / "target.sto").read_text() == "x"


def test_places_where_nothing_can_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file" / "x.sto", tmp_path, Path(os.devnull), tmp_path / ("x" * 300), tmp_path / "a\0b"):
        with pytest.raises(OutputError, match="cannot write"), writing(path) as temporary:
            temporary.write_text("x")
    assert os.listdir(tmp_path) == ["file"]


def test_a_full_disk_is_named_and_other_errors_pass(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="No space left.*|.*result"), writing(tmp_path / "result.sto"):
        raise OSError(28, "No space left on device")
    with pytest.raises(FileNotFoundError, match="input"), writing(tmp_path / "result.sto"):
        (tmp_path / "input").read_text()
    assert os.listdir(tmp_path) == []

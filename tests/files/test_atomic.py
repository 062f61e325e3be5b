"""Whatever interrupts a write, the user's folder is as before."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pandas as pd
import pytest

import opensim_inertia
from opensim_inertia._core.processes import scratch_folder
from opensim_inertia.errors import OutputError
from opensim_inertia.files.atomic import writing
from opensim_inertia.files.spreadsheets import write_csv
from opensim_inertia.files.tables import load_table


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
    if sys.platform != "win32":  # where files are read-only or not
        assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    link = tmp_path / "link.sto"
    try:
        link.symlink_to(tmp_path / "far" / "target.sto")
    except OSError:
        pytest.skip("links may not be made here")
    if not link.is_symlink():
        pytest.skip("Wine makes no links to files that are absent")
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


@pytest.mark.skipif(sys.platform != "win32", reason="files that are open can be replaced here")
def test_a_file_that_is_open_is_named_before_anything_is_written(tmp_path: Path) -> None:
    path = tmp_path / "result.csv"
    path.write_text("old")
    with path.open(), pytest.raises(OutputError, match="another program has it open"), writing(path):
        raise AssertionError("this was computed in vain")
    assert os.listdir(tmp_path) == ["result.csv"]


def test_lines_of_tables_end_alike_on_all_systems(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0]}, index=pd.Index([0.0, 0.5], name="time"))
    for table in (frame, load_table(frame), [{"time": 0.0, "a": 1.0}, {"time": 0.5, "a": 2.0}]):
        write_csv(table, tmp_path / "table.csv")
        assert (tmp_path / "table.csv").read_bytes() in (b"time,a\n0.0,1.0\n0.5,2.0\n", b"time,a\n0,1\n0.5,2\n")


def test_temporary_folders_of_killed_processes_are_removed_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name, days in (("opensim_inertia_" + "a" * 16, 40), ("opensim_inertia_" + "b" * 16, 1), ("other", 40)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - days * 86400,) * 2)
    with scratch_folder() as folder:
        assert set(os.listdir(tmp_path)) == {"opensim_inertia_" + "b" * 16, "other", folder.name}

"""What commands leave behind that are ended by signals, at some random moments: tests/kills.py, in short."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import slow_except

import opensim_inertia

SCRIPT = Path(__file__).with_name("kills.py")


@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
@pytest.mark.parametrize("count", slow_except([], [9]))
def test_files_are_whole_and_nothing_else_is_left(count: int) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1]), "MPLBACKEND": "Agg"}
    command = [sys.executable, "-W", "ignore", str(SCRIPT), "--count", str(count), "--seed", str(count)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=1800, check=False)
    assert done.stdout.endswith("\n0 faults\n"), done.stdout + done.stderr

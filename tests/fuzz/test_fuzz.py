"""Damaged input of all kinds: a signal, a hang, a traceback, or a number that is not finite fails (``fuzz/run.py``)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import opensim_inertia

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a system that can fork")


@pytest.mark.slow
def test_damaged_input_is_refused_or_used() -> None:
    """In short; .ci/run takes more seeds, and input that is not damaged."""
    package = str(Path(opensim_inertia.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("run.py"), "--seeds", "2", "--first", "0", "--jobs", "1"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": package},
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    tally = dict(pair.split("=") for pair in done.stdout.splitlines()[-1].split())
    assert int(tally["ok"]) > 0 and int(tally["refused"]) > 0  # some damage is harmless, some is not


@pytest.mark.slow
def test_a_signal_a_hang_and_an_exception_are_told_apart() -> None:
    script = """
import os, signal, time
from fuzz.isolated import isolated
tasks = [lambda: 7, lambda: os.kill(os.getpid(), signal.SIGSEGV), lambda: time.sleep(60), lambda: {}["key"]]
for task in tasks:
    done = isolated(task, 1.0)
    print(done.code, done.failure)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=Path(__file__).parents[1], check=True
    )
    assert done.stdout.splitlines() == ["7 ", "None signal 11", "None hang", "None KeyError"]

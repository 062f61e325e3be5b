"""The script that looks for crashes of garbage collection (``fuzz/garbage.py``) in short, and its report of a crash."""

import sys

import pytest

from fuzz.garbage import command, survives


@pytest.mark.slow
def test_objects_come_and_go() -> None:
    assert survives(command(seed=0, iterations=100, engine="kernel"))


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends a process without a trace there")
def test_a_crash_leaves_a_trace(capfd: pytest.CaptureFixture[str]) -> None:
    steps = "import os, signal; os.write(1, b'model\\nposture\\n'); os.kill(os.getpid(), signal.SIGSEGV)"
    assert not survives([sys.executable, "-X", "faulthandler", "-c", steps])
    said = capfd.readouterr().out
    assert "in step 2, the last of ['model', 'posture']" in said
    assert "Fatal Python error: Segmentation fault" in said and "<string>" in said

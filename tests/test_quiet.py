"""Silence for OpenSim: nested, in threads, and in processes without standard output. Each runs in a new process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from conftest import slow_except

import opensim_inertia as oi

#: OpenSim prints the contents of a model to the console, whatever the log level.
START = """
    import os, sys, threading
    from opensim_inertia._core.opensim import osim, quiet
    from opensim_inertia.demo import FILES
    import opensim_inertia as oi

    def opensim_prints():
        tool = osim.InverseDynamicsTool()
        tool.setModel(model)
        try:
            tool.run()
        except RuntimeError:
            pass

    model = osim.Model(str(FILES["model"]))
    osim.Logger.setLevelString("warn")
"""


def run(body: str, before: str = "", **options: object) -> subprocess.CompletedProcess[str]:
    script = textwrap.dedent(before) + textwrap.dedent(START) + textwrap.dedent(body)
    environment = {**os.environ, "PYTHONPATH": str(Path(oi.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-P", "-W", "ignore", "-c", script],  # the package that is installed
        **({"stdout": subprocess.PIPE} | options),  # type: ignore[call-overload]
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )


@pytest.mark.slow
def test_opensim_prints_where_it_is_not_silenced() -> None:
    done = run("opensim_prints()")
    assert "MODEL: opensim_inertia_demo_leg" in done.stdout, done.stderr


@pytest.mark.slow
def test_blocks_within_each_other_and_overlapping() -> None:
    done = run("""
        one, other = quiet(), quiet()
        one.__enter__()
        with quiet():
            opensim_prints()
        opensim_prints()
        other.__enter__()
        print("during")
        one.__exit__(None, None, None)
        opensim_prints()
        assert osim.Logger.getLevelString() == "Off"
        other.__exit__(None, None, None)
        assert osim.Logger.getLevelString() == "Warn", osim.Logger.getLevelString()
        print("after")
        os.write(1, b"to the descriptor\\n")
        try:
            with quiet():
                raise KeyError
        except KeyError:
            print("after an error")
    """)
    assert done.stdout.splitlines() == ["during", "after", "to the descriptor", "after an error"], done.stderr


@pytest.mark.slow
def test_models_made_in_threads_lose_nothing() -> None:
    done = run("""
        sys.setswitchinterval(1e-5)
        masses = oi.estimate_masses(model)

        def work(k):
            for i in range(6):
                with quiet():
                    opensim_prints() if k == 0 else oi.InertialModel(model, masses, reference={"knee_angle_r": -0.4})
                print("line", k, i, flush=True)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        [t.start() for t in threads], [t.join() for t in threads]
        assert osim.Logger.getLevelString() == "Warn"
        os.write(1, b"end\\n")
    """)
    lines = done.stdout.split("\n")
    assert sorted(lines[:-2]) == sorted(f"line {k} {i}" for k in range(8) for i in range(6)), done.stderr
    assert lines[-2:] == ["end", ""]


def test_standard_output_may_be_redirected_around_a_call_while_threads_run(tmp_path: Path) -> None:
    """What a caller prints afterwards goes where the caller has taken descriptor 1 back to."""
    done = run(
        """
        ending = threading.Event()
        thread = threading.Thread(target=ending.wait)
        thread.start()

        def redirected(name):
            sys.stdout.flush()
            before, file = os.dup(1), os.open(name, os.O_WRONLY | os.O_CREAT)
            os.dup2(file, 1), os.close(file)
            with quiet():
                print("during a", name)
            print("after a", name)
            os.dup2(before, 1), os.close(before)
            print("taken back from", name)

        redirected("first.txt")
        redirected("other.txt")
        with quiet():
            print("silenced")
            sys.stdout.buffer.write(b"bytes\\n")
        print("no newline", end="")
        ending.set(), thread.join()
        with quiet():
            pass
        assert sys.stdout is sys.__stdout__, "nothing runs beside it any more"
        print(", end")
    """,
        cwd=tmp_path,
    )
    back = ["taken back from first.txt", "taken back from other.txt"]
    assert done.stdout.splitlines() == [*back, "silenced", "bytes", "no newline, end"], done.stderr
    for name in ("first.txt", "other.txt"):
        assert (tmp_path / name).read_text().splitlines() == [f"during a {name}", f"after a {name}"]


BOTH = "sys.stdout = sys.stderr = None"


@pytest.mark.slow
@pytest.mark.parametrize("what", slow_except({BOTH}, ["sys.stdout = None", BOTH]))
def test_without_python_streams(what: str) -> None:
    done = run(f"""
        {what}
        with quiet():
            opensim_prints()
            oi.simulate(oi.Problem(oi.InertialModel(model, {{}}), t_final=0.001))
        os.write(1, b"end")
    """)
    assert (done.stdout, done.returncode) == ("end", 0), done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors as a POSIX shell does")
def test_without_standard_output(tmp_path: Path) -> None:
    """A file that the user opens is not printed to, and keeps what is written during silence."""
    body = """
        with open("file.txt", "w") as file:
            opensim_prints()
            with quiet():
                opensim_prints()
                file.write("mine"), file.flush()
            opensim_prints()
    """
    done = run(body, stdout=None, cwd=tmp_path, preexec_fn=lambda: os.close(1))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "file.txt").read_text() == "mine"
    opened_first = """
        taken = open("file.txt", "w")
        assert taken.fileno() == 1
    """
    done = run(
        """
        with quiet():
            taken.write("mine"), taken.flush()
    """,
        opened_first,
        stdout=None,
        cwd=tmp_path,
        preexec_fn=lambda: os.close(1),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "file.txt").read_text() == "mine"

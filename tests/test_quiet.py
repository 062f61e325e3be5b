"""Silence for OpenSim: nested, in threads, and in commands. Each runs in a new process."""

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


def run(body: str, start: str = START, **options: object) -> subprocess.CompletedProcess[str]:
    script = textwrap.dedent(start) + textwrap.dedent(body)
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
def test_blocks_within_each_other_and_overlapping() -> None:
    done = run("""
        one, other = quiet(), quiet()
        one.__enter__()
        with quiet():
            pass
        other.__enter__()
        one.__exit__(None, None, None)
        assert osim.Logger.getLevelString() == "Off"
        other.__exit__(None, None, None)
        assert osim.Logger.getLevelString() == "Warn", osim.Logger.getLevelString()
        try:
            with quiet():
                raise KeyError
        except KeyError:
            print(osim.Logger.getLevelString())
    """)
    assert done.stdout.splitlines() == ["Warn"], done.stderr


@pytest.mark.slow
def test_models_made_in_threads_restore_the_level() -> None:
    done = run("""
        sys.setswitchinterval(1e-5)
        masses = oi.estimate_masses(model)

        def work():
            for _ in range(6):
                with quiet():
                    oi.InertialModel(model, masses, reference={"knee_angle_r": -0.4})

        threads = [threading.Thread(target=work) for _ in range(8)]
        [t.start() for t in threads], [t.join() for t in threads]
        print(osim.Logger.getLevelString())
    """)
    assert done.stdout.splitlines() == ["Warn"], done.stderr


#: A command that prints between messages of OpenSim, which it imports, as commands do.
COMMAND = f"""
    from types import SimpleNamespace
    from opensim_inertia import cli

    def command(args):
        {textwrap.indent(START, "    ").strip()}
        opensim_prints()
        print("ours")
        opensim_prints()

    cli.check_values = lambda args: None
    cli._parsed = lambda words: SimpleNamespace(
        quiet=False, verbose=0, config=None, command=SimpleNamespace(run=command)
    )
    assert cli.main([]) == 0
"""


@pytest.mark.slow
def test_a_command_prints_nothing_else() -> None:
    done = run(COMMAND + '    print("after")\n    import os\n    os.write(1, b"descriptor")', start="")
    assert done.stdout.splitlines() == ["ours", "after", "descriptor"], done.stderr


BOTH = "sys.stdout = sys.stderr = None"


@pytest.mark.slow
@pytest.mark.parametrize("what", slow_except({BOTH}, ["sys.stdout = None", BOTH]))
def test_without_python_streams(what: str) -> None:
    done = run(f"""
        {what}
        with quiet():
            oi.simulate(oi.Problem(oi.InertialModel(model, {{}}), t_final=0.001))
        os.write(1, b"end")
    """)
    assert (done.stdout, done.returncode) == ("end", 0), done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors as a POSIX shell does")
def test_a_command_without_standard_output_prints_to_no_file(tmp_path: Path) -> None:
    done = run(
        COMMAND.replace('print("ours")', 'open("file.txt", "w").write("mine")'),
        start="",
        stdout=None,
        cwd=tmp_path,
        preexec_fn=lambda: os.close(1),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "file.txt").read_text() == "mine"


def test_opensim_prints_into_no_file_that_is_opened_later(tmp_path: Path) -> None:
    """On Windows its log keeps the handle of the output, which is another file's once the output is redirected."""
    done = run(
        """
        low = [open(f"low{i}", "wb") for i in range(9)]
        os.dup2(os.open("output", os.O_CREAT | os.O_WRONLY), 1)
        opensim_prints()
        [file.close() for file in low]
        os.dup2(os.open("redirected", os.O_CREAT | os.O_WRONLY), 1)
        later = [open(f"later{i}", "wb") for i in range(9)]
        opensim_prints()
        """,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert not any(file.stat().st_size for file in tmp_path.glob("later*"))

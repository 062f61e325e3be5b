"""Damaged tables: a named error, never a crash. All that commands read, and other seeds: ``tests/fuzz/run.py``."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from fuzz.damage import damaged
from fuzz.draws import Draw

import opensim_inertia as oi
from opensim_inertia.demo import write_demo

SECONDS_PER_PROCESS = 120


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", str(script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(Path(oi.__file__).parents[1]), "MPLBACKEND": "Agg"}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS_PER_PROCESS, check=False, env=environment
    )


@pytest.mark.slow
def test_motion_is_read_for_a_model_not_initialised(tmp_path: Path) -> None:
    files = write_demo(tmp_path)
    script = tmp_path / "read.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            import opensim_inertia as oi
            from opensim_inertia._core.opensim import osim
            table = oi.read_motion_table(sys.argv[2], osim.Model(sys.argv[1]))
            print(abs(table).max().max())
        """)
    )
    assert run(script, files["model"], files["motion"]).returncode == 0


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def leg(demo: dict[str, Path]) -> osim.Model:
    model = osim.Model(str(demo["model"]))
    model.initSystem()
    return model


#: Seeds of :func:`solve_damaged_motion` that write a cell beyond all reason, which only a look at motions can refuse.
BEYOND_REASON = (28, 42, 70, 96, 145)
REASON = 1e12  # No body makes more [N m or N]


def solve_damaged_motion(demo: dict[str, Path], leg: osim.Model, folder: Path, seed: int) -> None:
    """Damage the header and the first rows of the demo's motion, where there is something to break, and solve it."""
    *head, rest = demo["motion"].read_text().split("\n", 20)
    path = folder / "swing.mot"
    path.write_bytes(damaged("\n".join(head).encode(), ".mot", Draw(seed)) + b"\n" + rest.encode())
    result = oi.inverse_dynamics(oi.InertialModel(leg, {}), path)
    assert np.abs(result.inertial_forces).max() < REASON, seed


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")
@pytest.mark.parametrize("seed", BEYOND_REASON)
def test_motions_beyond_reason(demo: dict[str, Path], leg: osim.Model, tmp_path: Path, seed: int) -> None:
    with pytest.raises(oi.InertiaError):
        solve_damaged_motion(demo, leg, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
def test_files_are_whole_and_nothing_else_is_left() -> None:
    done = run(Path(__file__).with_name("kills.py"), "--count", 6, "--seed", 9)
    assert done.stdout == "0 faults\n", done.stdout + done.stderr

"""Damaged tables: a named error, never a crash. All that commands read: ``tests/fuzz/``."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import opensim_inertia as oi
from opensim_inertia._opensim import osim
from opensim_inertia.models import write_demo

SECONDS_PER_PROCESS = 120


def run(script: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "ignore", str(script), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(Path(oi.__file__).parents[1])}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=SECONDS_PER_PROCESS, check=False, env=environment
    )


def test_motion_is_read_for_a_model_not_initialised(tmp_path: Path) -> None:
    files = write_demo(tmp_path)
    script = tmp_path / "read.py"
    script.write_text(
        textwrap.dedent("""
            import sys
            import opensim_inertia as oi
            from opensim_inertia._opensim import osim
            table = oi.read_motion_table(sys.argv[2], osim.Model(sys.argv[1]))
            print(abs(table).max().max())
        """)
    )
    assert run(script, files["model"], files["motion"]).returncode == 0


# -- tables ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_demo(tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module")
def leg(demo: dict[str, Path]) -> osim.Model:
    model = osim.Model(str(demo["model"]))
    model.initSystem()
    return model


quickly = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.floats(), TEXT, st.sampled_from(["soleus", "calcn", "tibia"])
)


@quickly
@pytest.mark.filterwarnings("ignore::opensim_inertia.FurtherColumnsWarning")
@given(data=st.data())
def test_damaged_mass_files(demo: dict[str, Path], leg: osim.Model, tmp_path: Path, data: st.DataObject) -> None:
    raw = bytearray(demo["masses"].read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        what = data.draw(st.sampled_from(["flip", "cut", "insert"]))
        if what == "flip":
            raw[at] = data.draw(st.integers(0, 255))
        elif what == "cut":
            del raw[at : at + data.draw(st.integers(1, 30))]
        else:
            raw[at:at] = data.draw(TEXT).encode()
        if not raw:
            break
    path = tmp_path / "masses.csv"
    path.write_bytes(bytes(raw))
    accepted_or_named(lambda: oi.InertialModel(leg, path))


@quickly
@given(masses=st.dictionaries(st.one_of(TEXT, st.sampled_from(["soleus", "gasmed", "tibant"])), ANYTHING, max_size=3))
def test_any_dict_of_masses(leg: osim.Model, masses: dict[str, object]) -> None:
    accepted_or_named(lambda: oi.InertialModel(leg, masses))


@quickly
@given(rows=st.lists(st.tuples(ANYTHING, ANYTHING, ANYTHING), max_size=3), columns=st.permutations(range(3)))
def test_any_table_of_masses(leg: osim.Model, rows: list[tuple[object, ...]], columns: list[int]) -> None:
    names = ["muscle", "mass", "segment"]
    table = pd.DataFrame(rows, columns=[names[i] for i in columns], dtype=object)
    accepted_or_named(lambda: oi.InertialModel(leg, table))


@quickly
@given(data=st.data())
def test_damaged_motion_files(demo: dict[str, Path], leg: osim.Model, tmp_path: Path, data: st.DataObject) -> None:
    lines = demo["motion"].read_text().splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        # the header and the first rows, where there is something to break
        at = data.draw(st.integers(0, min(20, len(lines) - 1)))
        what = data.draw(st.sampled_from(["drop", "double", "swap", "noise", "cut"]))
        if what == "drop":
            del lines[at]
        elif what == "double":
            lines.insert(at, lines[at])
        elif what == "swap":
            lines[at], lines[0] = lines[0], lines[at]
        elif what == "noise":
            lines[at] += data.draw(TEXT)
        else:
            lines[at] = lines[at][: data.draw(st.integers(0, len(lines[at])))]
    path = tmp_path / "swing.mot"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    inertial = oi.InertialModel(leg, {})

    def solve() -> None:
        result = oi.inverse_dynamics(inertial, path)
        assert np.isfinite(result.inertial_forces).all()

    accepted_or_named(solve)


def accepted_or_named(action) -> None:  # type: ignore[no-untyped-def]
    """Run; the only error allowed is ours, and it says something."""
    try:
        action()
    except oi.InertiaError as error:
        assert str(error).strip()

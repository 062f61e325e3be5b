"""What commands say: nothing with ``--quiet``, steps with ``--verbose``; and inverse dynamics without a setup."""

import logging
from pathlib import Path

import numpy as np
import pytest

from opensim_inertia import InertialModel, inverse_dynamics, read_table


@pytest.mark.slow
def test_a_model_and_a_motion_need_no_setup(demo, cli) -> None:
    outcome = cli("id", "--model", demo.model, "--motion", demo.motion, "--masses", demo.masses, "--no-band")
    assert (outcome.code, outcome.err) == (0, "")
    written = read_table(Path("inverse_dynamics_inertial.sto"))
    result = inverse_dynamics(InertialModel(demo.model, demo.masses), demo.motion, band=False)
    np.testing.assert_array_equal(written.to_numpy(), result.inertial_forces)
    files = {path.name for path in result.save("python").values()} | {"inverse_dynamics_plot.png"}
    assert files == {path.name for path in Path.cwd().glob("inverse_*")}


@pytest.mark.parametrize("given", [(), ("--model",), ("--motion",)])
def test_without_a_setup_both_are_needed(given: tuple[str, ...], demo, refused) -> None:
    options = [word for option in given for word in (option, getattr(demo, option[2:]))]
    assert "expected a setup file, or --model and --motion" in refused("id", *options)


@pytest.mark.slow
def test_quiet_commands_say_nothing(demo, cli, tmp_path: Path) -> None:
    outcome = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band", "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (tmp_path / "results" / "inverse_dynamics_inertial.sto").is_file()
    assert "does not exist" in cli("id", "absent.xml", "-q").err


@pytest.mark.slow
def test_verbose_commands_say_their_steps_and_leave_logging_as_it_was(demo, cli, tmp_path: Path) -> None:
    logger = logging.getLogger("opensim_inertia")
    before = (logger.level, list(logger.handlers))
    silent = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band")
    said = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band", "-v")
    assert said.out == silent.out and silent.err == ""
    lines = said.err.splitlines()
    assert lines[0] == f"opensim-inertia: loading the model {demo.model}"
    assert any("4 muscles of" in line for line in lines) and "inverse dynamics at 61 rows" in lines[-1]
    assert (logger.level, logger.handlers) == before

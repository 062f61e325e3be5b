"""``--report`` of commands: what is written, and what is refused before anything is computed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.slow
def test_inverse_dynamics_writes_a_page(cli: Callable[..., Any], demo: Any) -> None:
    done = cli("id", demo.setup, "--masses", demo.masses, "--out", "results", "--report", "--no-band")
    assert done.code == 0, done.err
    page = Path("results/inverse_dynamics_report.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and 'id="canvas"' in page
    assert "inverse_dynamics_report.html" in done.out


@pytest.mark.slow
def test_a_simulation_writes_a_page_that_compares(cli: Callable[..., Any], demo: Any) -> None:
    options = ("--masses", demo.masses, "--t-final", "0.02", "--integrator", "rk45", "--out", "results")
    done = cli("simulate", demo.model, *options, "--lumped", "--report")
    assert done.code == 0, done.err
    page = Path("results/simulation_report.html").read_text(encoding="utf-8")
    assert "Muscle inertia changes" in page and "lumped (OpenSim)" in page


@pytest.mark.slow
def test_recruitment_writes_a_page(cli: Callable[..., Any], demo: Any, tmp_path: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    setup = tmp_path / "setup.xml"
    setup.write_text(
        f"""<?xml version="1.0" encoding="UTF-8" ?><OpenSimDocument Version="40000"><AnalyzeTool name="swing">
        <model_file>{demo.model}</model_file><coordinates_file>{demo.motion}</coordinates_file>
        <initial_time>0.1</initial_time><final_time>0.2</final_time><AnalysisSet><objects><StaticOptimization>
        <step_interval>3</step_interval></StaticOptimization></objects></AnalysisSet></AnalyzeTool></OpenSimDocument>"""
    )
    done = cli("recruit", setup, "--masses", demo.masses, "--reserves", "500", "--out", "results", "--report")
    assert done.code == 0, done.err
    assert "Muscle recruitment" in Path("results/swing_report.html").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_ends_the_command_first(cli: Callable[..., Any], demo: Any) -> None:
    Path("results/inverse_dynamics_report.html").mkdir(parents=True)
    done = cli("id", demo.setup, "--masses", demo.masses, "--out", "results", "--report")
    assert done.code == 2 and "inverse_dynamics_report.html" in done.err and "muscles with mass" not in done.out
    assert [path.name for path in Path("results").iterdir()] == ["inverse_dynamics_report.html"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--geometry", "."], "--geometry has no effect here: it needs --report"),
        (["--report", "--geometry", "nowhere"], "--geometry nowhere: expected a folder"),
    ],
)
def test_folders_that_do_not_help_are_refused(
    cli: Callable[..., Any], demo: Any, options: list[str], told: str
) -> None:
    done = cli("id", demo.setup, *options)
    assert done.code == 2 and told in done.err, done.err

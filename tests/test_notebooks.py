"""Notebooks run from first to last cell on the demo's data, write only into their folder, and are kept empty."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

import opensim_inertia

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = ROOT / "examples" / "notebooks"
#: What each needs besides the package, and how many pictures it shows.
NEEDS = {
    "first_steps": ([], 2),
    "lumped_against_inertial": ([], 1),
    "simulate": ([], 1),
    "gradients": (["torch"], 1),
    "study": (["distributed", "pyarrow", "xarray"], 1),
}
LARGEST_FRAME = 1_500_000  # characters; the page's script alone is 0.6 MB


def cells(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return found


def test_every_notebook_is_tested_and_on_the_site() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == set(NEEDS)
    site = (ROOT / "docs" / "site" / "build.py").read_text(encoding="utf-8")
    order = re.search(r"^NOTEBOOKS = \((.*)\)$", site, re.MULTILINE)
    assert order is not None and [name.strip(' "') for name in order[1].split(",")] == list(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_kept_without_outputs_and_with_links_that_lead_somewhere(name: str) -> None:
    for cell in cells(name):
        assert cell.get("outputs", []) == [] and cell.get("execution_count") is None, "clear the outputs"
    text = "\n".join("".join(cell["source"]) for cell in cells(name) if cell["cell_type"] == "markdown")
    assert text.startswith("# ")
    for link in re.findall(r"\]\(([^)]+)\)", text):
        assert (NOTEBOOKS / link).is_file(), link


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDS)
def test_runs(name: str, tmp_path: Path) -> None:
    nbformat, nbclient = (pytest.importorskip(package) for package in ("nbformat", "nbclient"))
    packages, pictures = NEEDS[name]
    for package in ("ipykernel", *packages):
        pytest.importorskip(package, reason=f"{name}.ipynb needs {package}")
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    environment = {key: value for key, value in os.environ.items() if key not in ("OPENSIM_MODELS", "DISPLAY")}
    environment |= {
        "PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1]),
        "IPYTHONDIR": str(tmp_path / "ipython"),
    }
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(cwd)}})
    client.execute(env=environment)  # raises what a cell raises
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output["text"] for output in outputs if output["output_type"] == "stream"] == [], (
        "neither logs nor warnings"
    )
    shown = [output.get("data", {}) for output in outputs]
    assert sum("image/png" in data for data in shown) == pictures
    assert {path.name for path in cwd.iterdir()} == {name}, "a notebook writes into its own folder only"
    frames = [data["text/html"] for data in shown if "<iframe" in data.get("text/html", "")]
    assert len(frames) == (name == "first_steps")
    assert all(len(frame) < LARGEST_FRAME and "&lt;!DOCTYPE html&gt;" in frame for frame in frames)

"""Functions that all examples use: the folder for results, the real models, and PyTorch for those that need it."""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import opensim as osim

import opensim_inertia as oi

osim.Logger.removeFileSink()  # no opensim.log in the working directory
osim.Logger.setLevelString("error")  # a missing bone mesh is no news

#: Criteria of muscle recruitment, by the names that pictures give them.
CRITERIA = {
    "squares": oi.Polynomial(2),
    "power 3": oi.Polynomial(3),
    "power 10": oi.Polynomial(10),
    "soft saturation": oi.SoftSaturation(),
    "min/max": oi.MinMax(),
}


def output_folder(name: str) -> Path:
    """Return the folder given on the command line, or ./results/<name>; it is made if it does not exist."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("results") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def opensim_models() -> Path:
    """Return the copy of opensim-models that OPENSIM_MODELS names, or leave the script if there is none."""
    named = os.environ.get("OPENSIM_MODELS")
    if not named or not (Path(named) / "Models").is_dir():
        print(
            "skipped: set OPENSIM_MODELS to a copy of https://github.com/opensim-org/opensim-models to run this example"
        )
        raise SystemExit(0)
    return Path(named)


def pytorch() -> ModuleType:
    """Return the module ``torch``, or leave the script with one line and exit status 1 if it is not installed."""
    try:
        import torch
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise SystemExit("this example needs PyTorch, which is not installed: pip install torch") from None
    return torch


def plugin() -> ModuleType:
    """Load the OpenSim plugin and return the module ``opensim``, or leave the script if it was not built."""
    try:
        oi.load_plugin()
    except oi.errors.PluginError as error:
        raise SystemExit(f"this example needs the OpenSim plugin: {error}") from None
    return osim


def with_torque_actuators(model, strengths):
    """Return a model without its muscles, but with an actuator on each coordinate that has a strength [N m or N]."""
    processor = osim.ModelProcessor(model)
    processor.append(osim.ModOpRemoveMuscles())
    made = processor.process()
    for coordinate, strength in strengths.items():
        actuator = osim.CoordinateActuator(coordinate)
        actuator.setName(coordinate)
        actuator.setOptimalForce(strength)
        actuator.setMinControl(-1000.0)
        actuator.setMaxControl(1000.0)
        made.addForce(actuator)
    made.finalizeConnections()
    return made


@contextlib.contextmanager
def elsewhere() -> Iterator[None]:
    """Work in a temporary folder, for Moco leaves files where it runs."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        yield


def markdown(table, digits=2):
    """Return a DataFrame as a Markdown table with its index as first columns."""
    flat = table.reset_index()
    cells = [[f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell) for cell in row] for row in flat.values]
    cells = [["-" if cell == "nan" else cell for cell in row] for row in cells]
    rule = ["---:" if kind.kind in "fi" else "---" for kind in flat.dtypes]
    head, *lines = ("| " + " | ".join(map(str, row)) + " |" for row in [list(flat.columns), *cells])
    return "\n".join([head, f"|{'|'.join(rule)}|", *lines])


def write_section(name, text, page=None):
    """Put a text between the lines ``<!-- name -->`` and ``<!-- /name -->`` of a file, by default the one that the
    option ``--page`` names; do nothing without either.
    """
    if page is None and "--page" not in sys.argv:
        return
    page = page or Path(sys.argv[sys.argv.index("--page") + 1])
    before, begin, rest = page.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    _, end, after = rest.partition(f"<!-- /{name} -->")
    if not begin or not end:
        raise SystemExit(f"{page} has no section '{name}'")
    page.write_text(f"{before}{begin}\n{text.strip()}\n\n{end}{after}", encoding="utf-8")
    print(f"rewrote section '{name}' of {page}")

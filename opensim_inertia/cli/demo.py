"""Inverse dynamics of the swing phase of running, with a small model included in the package.

The model is a right leg on a prescribed pelvis with the four muscles that cross the ankle, in the swing phase of
running. The command writes model, motion, setup and masses, and the results of 'opensim-inertia id'.

examples:
  opensim-inertia demo
  opensim-inertia demo --out somewhere
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.checks import is_text
from .._core.errors import OutputError
from . import id as id_command
from .arguments import add
from .output import file_list

#: Files of :func:`write_demo`, with descriptions.
INPUTS = {
    "leg.osim": "the model",
    "swing.mot": "the motion",
    "setup_id.xml": "the setup of inverse dynamics; OpenSim's own tool runs it too",
    "masses.csv": "masses of muscles, and segments from which they are subtracted",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "-o, --out", "folder", "DIR", default=Path("opensim_inertia_demo"))


def run(args: argparse.Namespace) -> None:
    from ..demo import write_demo

    folder: Path = args.out
    if not is_text(str(folder)):
        raise OutputError(folder, "OpenSim cannot open files in folders whose names are not UTF-8")
    write_demo(folder)
    parser = argparse.ArgumentParser()
    id_command.add_arguments(parser)
    words = (folder / "setup_id.xml", "--masses", folder / "masses.csv", "--out", folder)
    id_command.run(parser.parse_args(list(map(str, words))))
    print(file_list({what: folder / name for name, what in INPUTS.items()}))
    print(
        f"\nLook at {folder / (id_command.PREFIX + 'plot.png')} first, then at the row ankle_angle_r above: there\n"
        "all of the difference is mass that slides. Change masses.csv and run it again:\n"
        f"  opensim-inertia id {folder / 'setup_id.xml'} --masses {folder / 'masses.csv'}"
    )

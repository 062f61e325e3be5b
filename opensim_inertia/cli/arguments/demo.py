"""The arguments of ``opensim-inertia demo``."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "demo"
HELP = "inverse dynamics of a running swing, on a small model that comes with the package"
DESCRIPTION = """\
The main job on a small model: a right leg on a driven pelvis with the four muscles that cross the ankle, in the swing
of a run. Written are model, motion, setup and masses, and what 'opensim-inertia id' makes of them.
"""
EPILOG = """\
examples:
  opensim-inertia demo
  opensim-inertia demo --out somewhere
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument(
        "--out", type=Path, default=Path("opensim_inertia_demo"), metavar="DIR", help="folder (default: %(default)s)"
    )


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""

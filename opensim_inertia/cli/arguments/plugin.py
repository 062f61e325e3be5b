"""The arguments of ``opensim-inertia plugin``."""

from __future__ import annotations

import argparse

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "plugin"
HELP = "where the OpenSim plugin is, and whether it works with this OpenSim"
DESCRIPTION = """\
Path of the plugin's library, OpenSim's version, and the plugin's self-test: accelerations of the demo's model against
those of this package.
"""
EPILOG = """\
examples:
  opensim-inertia plugin
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def check(args: argparse.Namespace) -> None:
    """Accept what there is."""

"""``opensim-inertia export``: a model whose muscles have their mass in OpenSim's own tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.checks import check_model_file
from .._core.choices import TOOLS
from .preparing import (
    add_mass_options,
    add_material_options,
    add_wobble_options,
    check_options,
    prepare,
    wobble_of_arguments,
)

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check", "run"]

NAME = "export"
HELP = "write a model whose muscles have their mass in OpenSim's own tools, where the plugin is loaded"
DESCRIPTION = """\
Write an .osim file with a component by which OpenSim's own tools see the muscles' mass: Forward Tool, Moco, CMC, Static
Optimization, Joint Reaction; with --tool inverse OpenSim's Inverse Dynamics Tool, and nothing else. Whoever reads the
file must load the plugin first; 'opensim-inertia plugin' says where it is.
"""
EPILOG = """\
examples:
  opensim-inertia export model.osim -o inertial.osim
  opensim-inertia export model.osim --masses masses.csv -o inertial.osim
  opensim-inertia export model.osim --wobble --wobble-frequency 12 -o swinging.osim
  opensim-inertia export model.osim --tool inverse -o for_inverse_dynamics.osim
"""
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "output"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="OSIM", help="the file to write")
    parser.add_argument(
        "--tool", choices=TOOLS, default="forward", help="what the file is for (default: %(default)s, all but inverse)"
    )
    add_mass_options(parser)
    add_material_options(parser, accelerations=True)
    add_wobble_options(parser)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    wobble_of_arguments(args)
    check_model_file(args.model)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from .._core.opensim import quiet
    from ..model.plugin.self_test import load_plugin
    from .output import check_writable
    from .text import describe_model

    check_writable([args.output], [args.model, args.masses, args.reference])
    load_plugin()
    prepared = prepare(args.model, args)
    with quiet():
        prepared.inertial.export(args.output, args.tool, wobble_of_arguments(args) or False)
    print(describe_model(prepared))
    print(f"\nwritten to {args.output}, for OpenSim's tools where the plugin is loaded (opensim-inertia plugin)")

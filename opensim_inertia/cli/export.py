"""``opensim-inertia export``: a model whose muscles have their mass in OpenSim's own tools."""

from __future__ import annotations

import argparse

from .._core.checks import check_model_file
from .._core.choices import TOOLS
from .arguments import add_masses, add_material, add_model, add_out, check_exclusions
from .preparing import prepare

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
  opensim-inertia export model.osim --tool inverse -o for_inverse_dynamics.osim
"""
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "out"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_out(parser, "OSIM", "the file to write", required=True)
    parser.add_argument(
        "--tool", choices=TOOLS, default="forward", help="what the file is for (default: %(default)s, all but inverse)"
    )
    add_masses(parser)
    add_material(parser, accelerations=True)


def check(args: argparse.Namespace) -> None:
    check_exclusions(args)
    check_model_file(args.model)


def run(args: argparse.Namespace) -> None:
    from ..model.plugin.self_test import load_plugin
    from .output import check_writable, inputs_of

    check_writable([args.out], inputs_of(args))
    load_plugin()
    prepare(args.model, args).export(args.out, args.tool)
    print(f"\nwritten to {args.out}, for OpenSim's tools where the plugin is loaded (opensim-inertia plugin)")

"""Write a model whose muscles have their mass in OpenSim's own tools, where the plugin is loaded.

Write an .osim file with a component by which OpenSim's own tools see the muscles' mass: Forward Tool, Moco, CMC, Static
Optimization, Joint Reaction; with --tool inverse OpenSim's Inverse Dynamics Tool, and nothing else. Whoever reads the
file must load the plugin first; 'opensim-inertia plugin' says where it is.

examples:
  opensim-inertia export model.osim -o inertial.osim
  opensim-inertia export model.osim --masses masses.csv -o inertial.osim
  opensim-inertia export model.osim --tool inverse -o for_inverse_dynamics.osim
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.choices import TOOLS
from .arguments import add, add_inertial, add_model, check_inertial, prepare
from .output import check_writable, inputs_of

ALIASES = {"path": "out"}
check = check_inertial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="OSIM", help="the file to write")
    add(parser, "--tool", "what the file is for; forward: all but inverse", choices=TOOLS, default="forward")
    add_inertial(parser, accelerations=True)


def run(args: argparse.Namespace) -> None:
    from ..model.plugin.native import load_plugin

    check_writable([args.out], inputs_of(args))
    load_plugin()
    prepare(args.model, args).export(args.out, args.tool)
    print(f"\nwritten to {args.out}, for OpenSim's tools where the plugin is loaded (opensim-inertia plugin)")

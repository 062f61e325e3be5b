"""Write a model with muscle inertia for OpenSim's own tools, which need the plugin.

The .osim file has a component that adds muscle inertia to the Forward Tool, Moco, CMC, Static Optimization and Joint
Reaction; with --tool inverse, to OpenSim's Inverse Dynamics Tool only. OpenSim must load the plugin before it reads the
file; 'opensim-inertia plugin' prints the plugin's path.

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
    add(parser, "--tool", "purpose of the file; forward: all but inverse", choices=TOOLS, default="forward")
    add_inertial(parser, accelerations=True)


def run(args: argparse.Namespace) -> None:
    from ..model.plugin.native import load_plugin

    check_writable([args.out], inputs_of(args))
    load_plugin()
    prepare(args.model, args).export(args.out, args.tool)
    print(f"\nwritten to {args.out}, for OpenSim's tools where the plugin is loaded (opensim-inertia plugin)")

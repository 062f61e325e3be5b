"""The arguments of ``opensim-inertia id``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_file
from ..._core.errors import InertiaError
from .motions import add_picture_option, add_replacements, add_report_options, check_report_options
from .shared import add_mass_options, add_material_options, add_options, check_options

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "id"
HELP = "inverse dynamics: muscle mass lumped into the segments, beside muscle mass along the paths"
DESCRIPTION = """\
Inverse dynamics with muscle mass where it belongs, beside OpenSim's own lumped answer.

SETUP.xml is a setup of OpenSim's Inverse Dynamics Tool, as it is; paths in it are relative to the file. Written are
the generalized forces (.sto, as OpenSim names them), a summary (.csv) and a picture (.png). Without a setup, --model
and --motion say what is solved: muscle forces are left out, nothing is filtered, results are in the working folder.
"""
EPILOG = """\
examples:
  opensim-inertia id setup_id.xml
  opensim-inertia id --model scaled.osim --motion walk.mot --external-loads grf.xml --cutoff 6
  opensim-inertia id setup_id.xml --masses masses.csv --out results --trc
  opensim-inertia id setup_id.xml --muscles 'soleus_*' '*gas_*' --strain uniform --cutoff 6 --time-range 0.4 1.6
  opensim-inertia id setup_id.xml --method handsfield --height 1.8 --model scaled.osim
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    from ...options import Recording

    parser.add_argument(
        "setup",
        type=Path,
        nargs="?",
        metavar="SETUP.xml",
        help="setup of OpenSim's Inverse Dynamics Tool; without one, give --model and --motion",
    )
    add_mass_options(parser)
    add_material_options(parser)
    add_replacements(parser)
    group = parser.add_argument_group("results")
    group.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: the setup's results_directory, or here)"
    )
    group.add_argument("--trc", action="store_true", help="also write the mass points' trajectories, for OpenSim's GUI")
    group.add_argument(
        "--per-muscle",
        nargs="+",
        metavar="COORDINATE",
        default=[],
        help="also write which muscles change the force of these coordinates, and when: .sto and picture",
    )
    add_options(group, Recording, only=("strict",))
    group.add_argument(
        "--no-band", dest="band", action="store_false", help="leave out how sure the answer is over masses and bellies"
    )
    add_picture_option(group)
    add_report_options(group)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    check_report_options(args)
    if args.setup is not None:
        check_file(args.setup, "setup file")
    elif args.model is None or args.motion is None:
        raise InertiaError("expected a setup file, or --model and --motion (see 'opensim-inertia id --help')")

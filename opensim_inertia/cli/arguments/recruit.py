"""The arguments of ``opensim-inertia recruit``."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from ..._core.checks import check_count, check_file
from ..._core.choices import ACCELERATIONS, CRITERIA, KINDS, SECONDARIES
from ..._core.errors import OptionError
from .motions import add_picture_option, add_replacements, add_report_options, check_report_options
from .shared import add_mass_options, add_material_options, check_options, positive

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "recruit"
HELP = "which muscles carry the moments of a motion, how active each is, and what the joints bear"
DESCRIPTION = """\
Muscle recruitment with muscle mass where it belongs, beside the lumped answer.

SETUP.xml is a setup of OpenSim's Analyze Tool with a Static Optimization, and perhaps a Joint Reaction, as it is;
paths in it are relative to the file. Written are activations, forces and joint reactions (.sto, as OpenSim names
them), a summary (.csv) and pictures. It needs DAQP: pip install "opensim_inertia[recruitment]".
"""
EPILOG = """\
examples:
  opensim-inertia recruit setup_static_optimization.xml
  opensim-inertia recruit setup.xml --criterion min_max --masses masses.csv --out results
  opensim-inertia recruit setup.xml --power 3 --reserves 10 --joints hip_r knee_r --workers 4
"""
#: Keywords of the package that have another name here.
ALIASES = {"actuators": "actuators", "joints": "joints"}
MOST_WORKERS, MOST_ROWS = 1024, 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("setup", type=Path, metavar="SETUP.xml", help="setup of OpenSim's Analyze Tool")
    group = parser.add_argument_group("recruitment")
    group.add_argument("--criterion", choices=CRITERIA, default=CRITERIA[0], help="(default: %(default)s)")
    group.add_argument(
        "--power", type=float, metavar="P", help="of activations (default: the setup's activation_exponent)"
    )
    group.add_argument(
        "--secondary",
        choices=SECONDARIES,
        default=SECONDARIES[0],
        help="what settles activations that min_max leaves open (default: %(default)s)",
    )
    group.add_argument("--passive", action="store_true", help="passive fibres pull too; OpenSim leaves them out")
    group.add_argument(
        "--reserves",
        nargs="+",
        type=_reserve,
        metavar="[COORDINATE=]X",
        help="strengths of reserve actuators, of one coordinate each, or one for every coordinate [N m or N]",
    )
    group.add_argument(
        "--free",
        nargs="+",
        default=[],
        metavar="COORDINATE",
        help="coordinates whose forces need no actuator; 'base' for those that move the whole model in ground",
    )
    group.add_argument(
        "--kind",
        nargs="+",
        choices=KINDS,
        default=["inertial", "lumped"],
        help="where muscle mass is; the first one's files have OpenSim's names (default: inertial lumped)",
    )
    group.add_argument(
        "--joints", nargs="+", default=[], metavar="JOINT", help="joints whose reactions are wanted, or 'all'"
    )
    add_mass_options(parser)
    add_material_options(parser)
    group = add_replacements(parser)
    group.add_argument("--actuators", nargs="+", type=Path, metavar="XML", help="files of reserve and other actuators")
    group.add_argument("--every", type=int, metavar="N", help="solve each N-th row of the motion, first and last")
    group.add_argument(
        "--accelerations",
        choices=ACCELERATIONS,
        default=ACCELERATIONS[1],
        help="what is differentiated: OpenSim's Static Optimization takes splines through speeds, its Inverse Dynamics "
        "through coordinates (default: %(default)s)",
    )
    group = parser.add_argument_group("results")
    group.add_argument("--out", type=Path, metavar="DIR", help="folder (default: the setup's results_directory)")
    group.add_argument("--workers", type=int, default=1, metavar="N", help="processes that share the rows (default: 1)")
    group.add_argument(
        "--strict", action="store_true", help="refuse what else is warned of, and rows without a solution"
    )
    add_picture_option(group)
    add_report_options(group)


def _reserve(text: str) -> tuple[str | None, float]:
    """Return the coordinate, None for every one, and the strength that a text says."""
    name, _, number = text.rpartition("=")
    try:
        return name or None, positive(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0, nor COORDINATE=X") from None


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    check_report_options(args)
    check_file(args.setup, "setup file")
    check_count("workers", args.workers, MOST_WORKERS)
    if args.reserves is not None and len(args.reserves) > 1 and None in dict(args.reserves):
        given = [f"{name}={strength:g}" if name else f"{strength:g}" for name, strength in args.reserves]
        raise OptionError("reserves", given, "one number, or COORDINATE=X for each that has a reserve")
    if args.every is not None:
        check_count("every", args.every, MOST_ROWS)
    if args.power is not None and not 1 <= args.power < math.inf:
        raise OptionError("power", args.power, "a finite number of at least 1")

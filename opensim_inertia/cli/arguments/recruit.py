"""The arguments of ``opensim-inertia recruit``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_count, check_file
from ..._core.choices import KINDS
from ..._core.errors import OptionError
from .motions import add_picture_option, add_replacements, add_report_options, check_report_options
from .shared import add_mass_options, add_material_options, add_options, check_options

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
MOST_WORKERS = 1024
LEAST = "what is made least of the activations (default: %(default)s)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    from ...options import Actuation, Recording, RecruitmentOutputs
    from ...options.recruitment import CRITERIA

    parser.add_argument("setup", type=Path, metavar="SETUP.xml", help="setup of OpenSim's Analyze Tool")
    group = parser.add_argument_group("recruitment")
    group.add_argument("--criterion", choices=tuple(CRITERIA), default=next(iter(CRITERIA)), help=LEAST)
    add_options(group, *CRITERIA.values())
    add_options(group, Actuation)
    group.add_argument(
        "--kind",
        nargs="+",
        choices=KINDS,
        default=["inertial", "lumped"],
        help="where muscle mass is; the first one's files have OpenSim's names (default: inertial lumped)",
    )
    add_options(group, RecruitmentOutputs)
    add_mass_options(parser)
    add_material_options(parser)
    group = add_replacements(parser)
    add_options(group, Recording, only=("accelerations",))
    group = parser.add_argument_group("results")
    group.add_argument("--out", type=Path, metavar="DIR", help="folder (default: the setup's results_directory)")
    group.add_argument("--workers", type=int, default=1, metavar="N", help="processes that share the rows (default: 1)")
    add_options(group, Recording, only=("strict",))
    add_picture_option(group)
    add_report_options(group)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    from ...options import Actuation, RecruitmentOutputs
    from ...options.recruitment import CRITERIA

    check_options(args)
    check_report_options(args)
    check_file(args.setup, "setup file")
    check_count("workers", args.workers, MOST_WORKERS)
    if args.reserves is not None and len(args.reserves) > 1 and None in dict(args.reserves):
        given = [f"{name}={strength:g}" if name else f"{strength:g}" for name, strength in args.reserves]
        raise OptionError("reserves", given, "one number, or COORDINATE=X for each that has a reserve")
    CRITERIA[args.criterion].of(vars(args))
    Actuation.of(vars(args))
    RecruitmentOutputs.of(vars(args))

"""The arguments of ``opensim-inertia posture``."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from ..._core.checks import check_count, check_model_file
from ..._core.choices import COSTS
from ..._core.errors import OptionError
from .motions import add_picture_option
from .shared import add_mass_options, add_material_options, check_options

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "posture"
HELP = "a posture in equilibrium: which activations hold it, its modes, and how many patterns are stable"
DESCRIPTION = """\
Brings a model with muscle mass along the paths to a posture in equilibrium, linearises it there with all states of
muscles, and says how stable it is: modes, and the share of activation patterns that are stable over the intrinsic
stiffness of muscles. Patterns are those of the model with rigid tendons and without activation dynamics.
It needs DAQP: pip install "opensim_inertia[recruitment]".
"""
EPILOG = """\
examples:
  opensim-inertia posture arm26.osim --at r_shoulder_elev=0.2 r_elbow_flex=1.2
  opensim-inertia posture leg.osim --at knee_angle_r=-0.3 --lock pelvis_tx pelvis_ty pelvis_tilt lumbar_extension \\
      --push calcn_r=0.12,0,0,0,350,0 --out standing
  opensim-inertia posture arm26.osim --at r_elbow_flex=1.2 --patterns 10000 --stiffness 0 1 2 3
"""
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"coordinates": "at", "point_forces": "push", "stiffnesses": "stiffness"}
MOST_PATTERNS = 1_000_000
STIFFNESSES = [0.5 * i for i in range(11)]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    group = parser.add_argument_group("the posture")
    group.add_argument(
        "--at",
        nargs="+",
        action="extend",
        default=[],
        metavar="COORDINATE=X",
        help="values of coordinates [rad or m]; the others are at their defaults",
    )
    group.add_argument(
        "--lock", nargs="+", action="extend", default=[], metavar="COORDINATE", help="coordinates that are locked"
    )
    group.add_argument(
        "--push",
        nargs="+",
        action="extend",
        default=[],
        metavar="BODY=X,Y,Z,FX,FY,FZ",
        help="force on a body: the point in its frame [m], and the force in ground [N]",
    )
    group.add_argument(
        "--cost", choices=COSTS, default=COSTS[0], help="of which squares make the least sum (default: %(default)s)"
    )
    group.add_argument(
        "--intrinsic-stiffness",
        type=float,
        default=0.0,
        metavar="G",
        help="of active fibres to short stretches, in the modes [Fmax / lopt] (default: %(default)s)",
    )
    group = parser.add_argument_group("activation patterns")
    group.add_argument(
        "--patterns", type=int, default=1000, metavar="N", help="how many; 0 for none (default: %(default)s)"
    )
    group.add_argument(
        "--stiffness",
        nargs="+",
        type=float,
        default=STIFFNESSES,
        metavar="G",
        help="intrinsic stiffnesses [Fmax / lopt] (default: 0 to 5 in steps of 0.5)",
    )
    group.add_argument("--seed", type=int, default=0, metavar="N", help="of the random numbers (default: %(default)s)")
    add_mass_options(parser)
    add_material_options(parser)
    group = parser.add_argument_group("results")
    group.add_argument("--out", type=Path, metavar="DIR", help="folder (default: MODEL_posture)")
    group.add_argument("--modes", type=int, default=4, metavar="N", help="modes that are drawn (default: %(default)s)")
    add_picture_option(group)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    if args.patterns:
        check_count("patterns", args.patterns, MOST_PATTERNS)
    check_count("modes", args.modes, 40)
    if args.seed < 0:
        raise OptionError("seed", args.seed, "a whole number of at least zero")
    for name in ("stiffness", "intrinsic_stiffness"):
        values = getattr(args, name)
        if not all(0 <= g < math.inf for g in (values if isinstance(values, list) else [values])):
            raise OptionError(name, values, "numbers of at least zero")
    args.at = dict(_numbers("at", entry, 1) for entry in args.at)
    args.at = {name: values[0] for name, values in args.at.items()}
    pushes: dict[str, list[tuple[list[float], list[float]]]] = {}
    for entry in args.push:
        body, values = _numbers("push", entry, 6)
        pushes.setdefault(body, []).append((values[:3], values[3:]))
    args.push = pushes
    check_model_file(args.model)


def _numbers(option: str, entry: str, n: int) -> tuple[str, list[float]]:
    """Return the name and the n numbers of ``NAME=X,...``."""
    name, _, text = entry.partition("=")
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if not name or len(values) != n or not all(map(math.isfinite, values)):
        example = "knee_angle_r=0.3" if n == 1 else "calcn_r=0.1,0,0,0,350,0"
        raise OptionError(option, entry, f"a name and {n} finite number{'s' if n > 1 else ''}, such as {example}")
    return name, values

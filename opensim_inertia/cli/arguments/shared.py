"""Options that commands share: what muscles weigh, and where their mass lies."""

from __future__ import annotations

import argparse
import math
from pathlib import Path

from ..._core.checks import check_count, check_tension
from ..._core.choices import (
    BELLIES,
    DISTRIBUTIONS,
    MOST_POINTS,
    OVERDRAWN,
    STRAINS,
    TRANSFERS,
    UNSUPPORTED,
    WRAPPINGS,
)
from ..._core.errors import InertiaError

__all__ = ["add_mass_options", "add_material_options", "check_options", "positive", "refuse"]

ESTIMATES = ("specific_tension", "handsfield")
DEFAULT_TENSION = "0.6MPa"
DEFAULT_POINTS = 20


def add_mass_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what muscles weigh."""
    group = parser.add_argument_group("muscle masses")
    group.add_argument(
        "--masses",
        type=Path,
        metavar="CSV",
        help="mass table (muscle, mass [kg], donor segment, lengths of belly and free tendons [m], sources) as "
        "'opensim-inertia masses -o' writes it; "
        "muscles that are not in it stay massless; default: estimate them",
    )
    group.add_argument(
        "--method",
        choices=ESTIMATES,
        help="how to estimate (default: specific_tension); handsfield needs --height",
    )
    group.add_argument(
        "--specific-tension",
        metavar="STRESS",
        help=f"of muscle with its unit, such as 0.6MPa or 600000Pa; a number is in MPa (default: {DEFAULT_TENSION})",
    )
    group.add_argument("--height", type=positive, metavar="m", help="the person's height in metres, for handsfield")
    group.add_argument(
        "--body-mass", type=positive, metavar="kg", help="the person's mass, for handsfield (default: the model's)"
    )
    group.add_argument(
        "--muscles",
        nargs="+",
        action="extend",
        metavar="PATTERN",
        help="only these muscles have mass; names or patterns such as '*_r'",
    )
    group.add_argument(
        "--reference",
        type=Path,
        metavar="FILE",
        help="static trial (.mot or .sto) whose mean pose is the reference: there donor segments are looked for, and "
        "segments give up what their muscles are (default: the model's default pose)",
    )
    group.add_argument(
        "--unsupported",
        choices=UNSUPPORTED,
        default="error",
        help="muscles whose path cannot carry mass (default: %(default)s)",
    )
    group.add_argument(
        "--overdrawn",
        choices=OVERDRAWN,
        default=OVERDRAWN[0],
        help="segments asked for more mass than they can give; scale: their muscles are made lighter, so that they "
        "keep 30 %%; neighbours: their parent segments give up what is too much (default: %(default)s)",
    )


def add_material_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the muscles' mass lies."""
    group = parser.add_argument_group("where the mass lies")
    group.add_argument(
        "--strain",
        choices=STRAINS,
        default=STRAINS[0],
        help="aponeurosis: fibres between aponeuroses, which with the free tendons keep their length; rigid_tendon: no "
        "aponeurosis, the fibres lie in one place; uniform: the whole path stretches alike (default: %(default)s)",
    )
    group.add_argument("--belly", choices=BELLIES, help="with --strain uniform: place of the belly (default: central)")
    group.add_argument(
        "--proximal-tendon",
        type=float,
        metavar="F",
        help="with --strain rigid_tendon: share of the tendon at the origin, 0 to 1 (default: 0)",
    )
    group.add_argument(
        "--transfer",
        choices=TRANSFERS,
        default=TRANSFERS[0],
        help="what segments give up; conserving: what their muscles are at the reference pose, so that mass, centre "
        "and inertia stay; proportional: a fraction of themselves (default: %(default)s)",
    )
    group.add_argument(
        "--distribution",
        choices=DISTRIBUTIONS,
        default=DISTRIBUTIONS[0],
        help="mass along the belly: continuous (exact) or in points (default: %(default)s)",
    )
    group.add_argument(
        "--points",
        type=int,
        default=DEFAULT_POINTS,
        metavar="N",
        help="mass points per muscle, for --distribution points and for .trc files (default: %(default)s)",
    )
    group.add_argument(
        "--wrapping",
        choices=WRAPPINGS,
        default="analytic",
        help="paths over wrap objects: smooth, or OpenSim's own with its kinks at touch, as it is or fitted by "
        "polynomials (default: %(default)s)",
    )
    group.add_argument(
        "--polynomial-paths",
        type=Path,
        metavar="JSON",
        help="with --wrapping polynomial: file of such paths, by custom NAME.polynomial_paths.json: read if it is "
        "there, else made and written (default: paths are fitted anew)",
    )
    group.add_argument(
        "--fit-motion",
        type=Path,
        metavar="FILE",
        help="with --wrapping polynomial: motion (.mot or .sto) for whose ranges of coordinates paths are fitted "
        "(default: the model's ranges)",
    )
    group.add_argument(
        "--path-model",
        type=Path,
        metavar="OSIM",
        help="model of the same bodies, joints and muscles from which paths are read, where the model's own have no "
        "geometry, such as function-based paths",
    )
    group.add_argument(
        "--smoothing",
        type=positive,
        metavar="M",
        help="half width of the transition where a path touches a wrap object, in metres (default: the half thickness "
        "of each muscle's belly, at least a tenth of the object's smallest radius and at most all of it)",
    )
    group.add_argument(
        "--no-warn-wraps",
        dest="warn_wraps",
        action="store_false",
        help="no warning of smooth paths that are not where OpenSim's are",
    )


def positive(text: str) -> float:
    """Return the number that a text says; it must be above zero."""
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect, or whose value is not allowed.

    Raises:
        InertiaError: names the option, and what it needs.
    """
    if args.masses is not None:
        for name in ("method", "specific_tension", "height", "body_mass"):
            refuse(args, name, "--masses is given: the masses come from that file")
    elif args.method == "handsfield":
        refuse(args, "specific_tension", "--method is handsfield")
        if args.height is None:
            raise InertiaError("--method handsfield needs --height, the person's height in metres")
    else:
        for name in ("height", "body_mass"):
            refuse(args, name, "it needs --method handsfield")
    if "strain" in args:
        check_count("points", args.points, MOST_POINTS)
        if args.strain != "uniform":
            refuse(args, "belly", "it needs --strain uniform")
        if args.wrapping != "polynomial":
            for name in ("polynomial_paths", "fit_motion"):
                refuse(args, name, "it needs --wrapping polynomial")
        if args.strain != "rigid_tendon":
            refuse(args, "proximal_tendon", "it needs --strain rigid_tendon")
    if args.specific_tension is not None:
        check_tension("specific_tension", args.specific_tension, "MPa")


def refuse(args: argparse.Namespace, name: str, why: str) -> None:
    """Raise an error, which says why an option has no effect, if it is given."""
    if getattr(args, name) not in (None, False):
        raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")

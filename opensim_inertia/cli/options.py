"""Options that commands share, and what they ask for: a mass table, an inertial model."""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from .._opensim import osim, quiet
from ..checks import RENAMED
from ..errors import InertiaError, OptionError, UnsupportedPathError
from ..inertial import InertialModel
from ..masses import estimate_masses
from ..masses.estimate import select_muscles
from ..masses.segments import TRANSFERS
from ..material import BELLIES, DISTRIBUTIONS, STRAINS
from ..reading import load_model
from ..wrapping import WRAPPINGS

__all__ = [
    "Prepared",
    "add_mass_options",
    "add_material_options",
    "check_options",
    "mass_table",
    "positive",
    "prepare",
    "way_of_wrapping",
]

ESTIMATES = ("specific_tension", "handsfield")
DEFAULT_TENSION = 0.6
DEFAULT_POINTS = 20


def add_mass_options(parser: argparse.ArgumentParser) -> None:
    """Options that say what muscles weigh."""
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
        "--specific-tension", type=positive, metavar="MPa", help=f"of muscle, in MPa (default: {DEFAULT_TENSION})"
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
        choices=("error", "massless"),
        default="error",
        help="muscles whose path cannot carry mass (default: %(default)s)",
    )


def add_material_options(parser: argparse.ArgumentParser) -> None:
    """Options of :class:`InertialModel`."""
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
        type=way_of_wrapping,
        choices=WRAPPINGS,
        default="analytic",
        help="paths over wrap objects: smooth, or OpenSim's own with its kinks at touch (default: %(default)s)",
    )
    group.add_argument(
        "--smoothing",
        type=positive,
        metavar="M",
        help="half width of the transition where a path touches a wrap object, in metres (default: a tenth of its "
        "smallest radius)",
    )


def way_of_wrapping(text: str) -> str:
    """Return the way of wrapping that a word stands for; of a former word, print the one that took its place."""
    now = RENAMED["wrapping"].get(text, text)
    if now != text:
        print(f"--wrapping {text} is now called --wrapping {now}", file=sys.stderr)
    return now


def positive(text: str) -> float:
    """A number above zero."""
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect.

    Raises:
        InertiaError: names the option, and what it needs.
    """
    if args.masses is not None:
        for name in ("method", "specific_tension", "height", "body_mass"):
            _refuse(args, name, "--masses is given: the masses come from that file")
    elif args.method == "handsfield":
        _refuse(args, "specific_tension", "--method is handsfield")
        if args.height is None:
            raise InertiaError("--method handsfield needs --height, the person's height in metres")
    else:
        for name in ("height", "body_mass"):
            _refuse(args, name, "it needs --method handsfield")
    if "strain" in args:
        if args.strain != "uniform":
            _refuse(args, "belly", "it needs --strain uniform")
        if args.strain != "rigid_tendon":
            _refuse(args, "proximal_tendon", "it needs --strain rigid_tendon")


def _refuse(args: argparse.Namespace, name: str, why: str) -> None:
    if getattr(args, name) is not None:
        raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")


def mass_table(model: osim.Model, args: argparse.Namespace) -> pd.DataFrame:
    """The mass table that the options ask for; ``attrs["unsupported"]`` lists muscles left out for their path."""
    tension = args.specific_tension if args.specific_tension is not None else DEFAULT_TENSION
    if not 0.01 <= tension <= 10:
        raise OptionError("--specific-tension", tension, "a stress in MPa, from 0.01 to 10")
    owned = model.getMuscles()
    chosen = select_muscles([owned.get(i).getName() for i in range(owned.getSize())], args.muscles)
    left_out: list[str] = []
    while True:
        try:
            table = estimate_masses(
                model,
                args.method,
                specific_tension=tension * 1e6,
                height=args.height,
                body_mass=args.body_mass,
                muscles=[name for name in chosen if name not in left_out],
                table=args.masses,
                reference=args.reference,
            )
        except UnsupportedPathError as error:
            if args.unsupported == "error" or error.muscle in left_out:
                raise
            left_out.append(error.muscle)
        else:
            table.attrs["unsupported"] = left_out
            return table


@dataclass(frozen=True)
class Prepared:
    """An inertial model and what to tell the user about it.

    Attributes:
        inertial: the model.
        not_covered: muscles asked for that the mass table says nothing about.
        unsupported: muscles that stay massless because their paths cannot carry mass.
        body_mass: mass of the model as given [kg].
    """

    inertial: InertialModel
    not_covered: tuple[str, ...]
    unsupported: tuple[str, ...]
    body_mass: float


def prepare(given: osim.Model | Path, args: argparse.Namespace) -> Prepared:
    """Put the muscles' mass where the options say, in a model or the model of a file."""
    with quiet():
        model = load_model(given) if isinstance(given, Path) else given
        masses = mass_table(model, args)
        inertial = InertialModel(
            model,
            masses,
            strain=args.strain,
            distribution=args.distribution,
            points=args.points,
            wrapping=args.wrapping,
            smoothing=args.smoothing,
            belly=args.belly or "central",
            proximal_tendon=args.proximal_tendon or 0.0,
            transfer=args.transfer,
            reference=args.reference,
            unsupported=args.unsupported,
        )
    bodies = model.getBodySet()
    body_mass = math.fsum(bodies.get(i).getMass() for i in range(bodies.getSize()))
    unsupported = (*masses.attrs["unsupported"], *inertial.left_massless)
    return Prepared(inertial, tuple(masses.attrs.get("not_covered", ())), unsupported, body_mass)

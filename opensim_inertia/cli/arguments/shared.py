"""Options that commands share: what muscles weigh, and where their mass lies."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..._core.checks import check_tension
from ..._core.choices import OVERDRAWN
from ..._core.errors import InertiaError
from ..._core.parsing import positive

if TYPE_CHECKING:
    from ..._core.options import Options

__all__ = ["add_options", "add_mass_options", "add_material_options", "check_options", "refuse"]

ESTIMATES = ("specific_tension", "handsfield")
DEFAULT_TENSION = "0.6MPa"


def add_mass_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what muscles weigh."""
    from ...options import ModelOptions

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
    add_options(group, ModelOptions, only=("unsupported",))
    group.add_argument(
        "--overdrawn",
        choices=OVERDRAWN,
        default=OVERDRAWN[0],
        help="segments asked for more mass than they can give; scale: their muscles are made lighter, so that they "
        "keep 30 %%; neighbours: their parent segments give up what is too much (default: %(default)s)",
    )


def add_material_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where the muscles' mass lies."""
    from ...options import ModelOptions, StrainModel, Wrapping

    group = parser.add_argument_group("where the mass lies")
    add_options(group, StrainModel)
    add_options(group, ModelOptions, only=("distribution", "points", "transfer"))
    add_options(group, Wrapping)


def add_options(group: Any, *classes: type[Options], only: Sequence[str] = ()) -> None:
    """Add the options of classes that the command line has; if names are given, these and no others.

    Classes may share an option, which is added once.
    """
    entries = {entry.keyword: entry for kind in classes for entry in kind.asked(*only).values()}
    for entry in entries.values():
        flag, about = entry.argument()
        group.add_argument(flag, **about)


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect, or whose value is not allowed.

    Raises:
        InertiaError: names the option, and what it needs.
    """
    from ...options import ModelOptions, StrainModel, Wrapping

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
        for name, needed in (("belly", "uniform"), ("proximal_tendon", "rigid_tendon")):
            if args.strain != needed and name in args:
                refuse(args, name, f"it needs --strain {needed}")
        if args.wrapping != "polynomial":
            for name in ("polynomial_paths", "fit_motion"):
                refuse(args, name, "it needs --wrapping polynomial")
        material = {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args)), "reference": None}
        ModelOptions.of(vars(args) | material)
    if args.specific_tension is not None:
        check_tension("specific_tension", args.specific_tension, "MPa")


def refuse(args: argparse.Namespace, name: str, why: str) -> None:
    """Raise an error, which says why an option has no effect, if it is given."""
    if getattr(args, name) not in (None, False):
        raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")

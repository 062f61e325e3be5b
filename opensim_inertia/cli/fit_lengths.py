"""``opensim-inertia fit-lengths``: polynomials of muscles' lengths."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_count, check_file, check_model_file, check_picture
from .._core.choices import MOST_POSES, ROTATIONS, WRAPPINGS
from .._core.errors import OptionError
from .arguments import add_model, add_motion, add_out, add_plot, add_poses, refuse

if TYPE_CHECKING:
    import pandas as pd

    from ..analyses.length_polynomials import LengthPolynomials

NAME = "fit-lengths"
HELP = "lengths and moment arms of muscles as polynomials with as few terms as they need"
DESCRIPTION = """\
Fit polynomials to the lengths and moment arms of muscles. Terms are added one by one, each the one that lowers the
error most, until none lowers it by more than --stop. Poses are those of a motion, or random ones over the ranges of the
coordinates. Jumps of OpenSim's paths between the poses are found and named: no polynomial follows them. The table has
one row per muscle; errors are root mean squares over the poses, of arms about all coordinates that are rotations. The
polynomials have no places and carry no mass.
"""
EPILOG = """\
examples:
  opensim-inertia fit-lengths model.osim --motion walk.mot
  opensim-inertia fit-lengths model.osim --muscles 'DELT*' --rotations quaternion -o shoulder.length_polynomials.json
  opensim-inertia fit-lengths model.osim --motion walk.mot --function-based paths.xml
      OpenSim's own set of function-based paths, for ModelFactory.replacePathsWithFunctionBasedPaths
  opensim-inertia fit-lengths model.osim --wrapping analytic --plot terms.png
      this package's smooth paths in place of OpenSim's
"""
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "out"}

#: The file is named as the model, and by what it holds.
SUFFIX = ".length_polynomials.json"
HEADS = {
    "variables": ("", "variables", "d"),
    "degree": ("", "degree", "d"),
    "terms": ("", "terms", "d"),
    "length RMSE [mm]": ("length [mm]", "RMSE", ".2f"),
    "length max [mm]": ("length [mm]", "max", ".2f"),
    "arm RMSE [mm]": ("arms [mm]", "RMSE", ".2f"),
    "arm max [mm]": ("arms [mm]", "max", ".2f"),
    "jump [mm]": ("jump", "[mm]", ".1f"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_motion(parser, "fit at the poses of a motion", "")
    add_poses(parser, "without --motion: random poses (default: 1000)", "of the random poses (default: 0)")
    parser.add_argument(
        "--rotations",
        choices=ROTATIONS,
        default=ROTATIONS[0],
        help="what polynomials are of: coordinates, or quaternions of joints that turn in three directions "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--stop",
        type=float,
        default=0.04,
        metavar="F",
        help="a term must lower the error by this share (default: %(default)s)",
    )
    parser.add_argument("--degree", type=int, default=4, metavar="N", help="highest degree (default: %(default)s)")
    parser.add_argument(
        "--wrapping",
        choices=WRAPPINGS,
        default="opensim",
        help="whose paths over wrap objects are fitted (default: %(default)s)",
    )
    add_out(parser, "JSON", "(default: the model's name and .length_polynomials.json)")
    parser.add_argument("--function-based", type=Path, metavar="XML", help="write OpenSim's set of paths, too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table")
    add_plot(parser, "errors against numbers of terms")


def check(args: argparse.Namespace) -> None:
    if args.motion is not None:
        for name in ("poses", "seed"):
            refuse(args, name, "the poses are those of --motion")
    if args.poses is not None:
        check_count("poses", args.poses, MOST_POSES)
    if args.seed is not None and args.seed < 0:
        raise OptionError("seed", args.seed, "0 or more")
    if not 0 <= args.stop < 1:
        raise OptionError("stop", args.stop, "a number from 0 to below 1")
    check_count("degree", args.degree, 12)
    if args.function_based is not None and args.rotations != "euler":
        refuse(args, "function_based", "OpenSim's function-based paths are of coordinates; it needs --rotations euler")
    if args.plot is not None:
        check_picture(args.plot)
    check_model_file(args.model)
    if args.motion is not None:
        check_file(args.motion, "motion file")


def run(args: argparse.Namespace) -> None:
    from ..analyses.length_polynomials import fit_length_polynomials
    from ..opensim_model.reading.loading import load_model
    from .output import announce, check_writable, write_csv

    output = args.out or Path(args.model.stem + SUFFIX)
    files = {
        output: "the polynomials, for load_length_polynomials",
        args.function_based: "OpenSim's set of function-based paths",
        args.csv: "the table",
        args.plot: "errors against numbers of terms",
    }
    files = {path: what for path, what in files.items() if path is not None}
    check_writable(files, [args.model, args.motion])
    poses = args.motion if args.motion is not None else args.poses or 1000
    polynomials = fit_length_polynomials(
        load_model(args.model),
        poses,
        args.muscles,
        args.rotations,
        args.stop,
        degree=args.degree,
        wrapping=args.wrapping,
        seed=args.seed or 0,
    )
    if args.function_based is not None:
        polynomials.to_function_based_paths(args.function_based)
    polynomials.save(output)
    table = polynomials.summary()
    if args.csv is not None:
        write_csv(table, args.csv)
    if args.plot is not None:
        from ..plotting import plot_terms

        plot_terms(polynomials, args.plot)
    print(_describe(polynomials, table))
    print()
    announce(files)


def _describe(polynomials: LengthPolynomials, table: pd.DataFrame) -> str:
    from .output import two_line_table, wrapped

    options, count = polynomials.options, len(table)
    lines = [
        f"model '{polynomials.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'}, "
        f"{options['rotations']}, {options['poses']}",
        "",
        two_line_table(table, HEADS),
        "",
        wrapped(
            "RMSE and max: of the differences from the path that was fitted, at these poses, of moment arms about all "
            "coordinates that are rotations; jump: the largest that was found of the path between them."
        ),
    ]
    return "\n".join(lines)

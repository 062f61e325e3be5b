"""Fit muscle lengths and moment arms by polynomials with few terms.

Terms are added one by one, always the term that lowers the error most, while it lowers the error by more than --stop.
Poses are those of a motion, or random ones over the ranges of the coordinates. Jumps of OpenSim's paths between poses,
which no polynomial can fit, are reported. The table has one row per muscle; errors are root mean squares over the
poses; those of moment arms are about all rotational coordinates. The polynomials have no positions and carry no mass.

examples:
  opensim-inertia fit-lengths model.osim --motion walk.mot
  opensim-inertia fit-lengths model.osim --muscles 'DELT*' --rotations quaternion -o shoulder.length_polynomials.json
  opensim-inertia fit-lengths model.osim --motion walk.mot --function-based paths.xml
      OpenSim's own set of function-based paths, for ModelFactory.replacePathsWithFunctionBasedPaths
  opensim-inertia fit-lengths model.osim --wrapping analytic --plot terms.png
      this package's smooth paths in place of OpenSim's
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.choices import ROTATIONS, WRAPPINGS
from .._core.options import number, whole
from .arguments import add, add_model, add_motion, add_plot, add_poses, refuse
from .output import announce, chosen, two_line_table, wrapped

ALIASES = {"path": "out"}

#: Suffix of the polynomials' file.
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
    text = "variables of the polynomials: coordinates, or quaternions of joints that turn in three directions"
    add(parser, "--rotations", text, choices=ROTATIONS)
    add(
        parser,
        "--stop",
        "a term must lower the error by this share",
        "F",
        float,
        default=0.04,
        check=number(lambda x: 0 <= x < 1, "a number from 0 to below 1"),
    )
    add(parser, "--degree", "highest degree", "N", int, default=4, check=whole(1, 12))
    add(parser, "--wrapping", "whose paths over wrap objects are fitted", choices=WRAPPINGS, default="opensim")
    add(parser, "-o, --out", "(default: the model's name and .length_polynomials.json)", "JSON")
    add(parser, "--function-based", "write OpenSim's set of paths, too", "XML")
    add(parser, "--csv", "write the table", "FILE")
    add_plot(parser, "errors against numbers of terms")


def check(args: argparse.Namespace) -> None:
    if args.motion is not None:
        refuse(args, "the poses are those of --motion", "poses", "seed")
    if args.rotations != "euler":
        refuse(args, "OpenSim's function-based paths are of coordinates; it needs --rotations euler", "function_based")


def run(args: argparse.Namespace) -> None:
    from ..analyses.length_polynomials import fit_length_polynomials
    from ..files.spreadsheets import write_csv
    from ..opensim_model.reading.loading import load_model

    output = args.out or Path(args.model.stem + SUFFIX)
    outputs = {
        output: "the polynomials, for load_length_polynomials",
        args.function_based: "OpenSim's set of function-based paths",
        args.csv: "the table",
        args.plot: "errors against numbers of terms",
    }
    files = chosen(outputs, [args.model, args.motion])
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
    write_csv(table, args.csv)
    if args.plot is not None:
        from ..plotting import plot_terms

        plot_terms(polynomials, args.plot)
    options, count = polynomials.options, len(table)
    what = f"{count} {'muscle' if count == 1 else 'muscles'}, {options['rotations']}, {options['poses']}"
    legend = (
        "RMSE and max: of the differences from the path that was fitted, at these poses, of moment arms about all "
        "coordinates that are rotations; jump: the largest that was found of the path between them."
    )
    print(f"model '{polynomials.model.getName()}': {what}\n\n{two_line_table(table, HEADS)}\n\n{wrapped(legend)}")
    announce(files)

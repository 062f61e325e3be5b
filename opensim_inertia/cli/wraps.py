"""``opensim-inertia wraps``: how paths over wrap objects are led, and how far from OpenSim's."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from .._opensim import quiet
from ..errors import InertiaError, OptionError
from ..files import writing
from ..reading import load_model
from ..wrap_report import LIMIT, compare_wraps, plot_touch
from ..wrapping import WRAPPINGS
from .options import way_of_wrapping
from .output import check_writable
from .text import columns, wrapped

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "run"]

NAME = "wraps"
HELP = "how each muscle's path over wrap objects is led, and how far from OpenSim's; a picture of a touch"
DESCRIPTION = """\
Every muscle that wraps: over what, which way its path is led, and how far it is from OpenSim's at random poses over
the range of motion, with what was found at the poses where it is more than 0.5 mm. OpenSim's length is that of the path
that it shows; how far its getLength is from that has a column of its own. --plot draws five mass points and their
Jacobian while one coordinate takes the path through the touch nearest to the default pose.
"""
EPILOG = """\
examples:
  opensim-inertia wraps model.osim
  opensim-inertia wraps model.osim --muscles 'gas*_r' 'vas*_r' --poses 1000 --csv wraps.csv
  opensim-inertia wraps model.osim --plot vaslat_r --coordinate knee_angle_r
"""

NUMBERS = {
    "touched OpenSim [%]": ("touches", "OpenSim", ".0f"),
    "touched ours [%]": ("[% poses]", "ours", ".0f"),
    "length median [mm]": ("length", "median", ".3f"),
    "length 95 % [mm]": ("differs", "95 %", ".3f"),
    "length max [mm]": ("[mm]", "max", ".3f"),
    "points median [mm]": ("mass", "median", ".2f"),
    "points 95 % [mm]": ("apart", "95 %", ".2f"),
    "points max [mm]": ("[mm]", "max", ".2f"),
    "smoothing max [mm]": ("smoothing", "[mm]", ".2f"),
    "getLength stale max [mm]": ("getLength", "off [mm]", ".2f"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument(
        "--muscles", nargs="+", action="extend", metavar="PATTERN", help="only these; names or patterns such as '*_r'"
    )
    parser.add_argument("--poses", type=int, default=100, metavar="N", help="random poses (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the poses (default: %(default)s)")
    parser.add_argument(
        "--wrapping",
        type=way_of_wrapping,
        choices=WRAPPINGS,
        default="analytic",
        help="paths over wrap objects (default: %(default)s)",
    )
    parser.add_argument(
        "--smoothing",
        type=float,
        metavar="H",
        help="half width of the transition at touch in metres (default: a tenth of each surface's smallest radius)",
    )
    parser.add_argument("--strict", action="store_true", help="an error if a muscle cannot go the analytic way")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table, with all columns")
    group = parser.add_argument_group("picture")
    group.add_argument("--plot", metavar="MUSCLE", help="draw the path and the Jacobian of this muscle through touch")
    group.add_argument("--coordinate", metavar="C", help="that moves it (default: the one that does so most)")
    group.add_argument("-o", "--output", type=Path, metavar="FILE", help="the picture (default: MUSCLE_touch.png)")


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.poses < 1:
        raise OptionError("--poses", args.poses, "1 or more")
    if args.seed < 0:
        raise OptionError("--seed", args.seed, "0 or more")
    if args.smoothing is not None and not 0 <= args.smoothing < 1:
        raise OptionError("--smoothing", args.smoothing, "a length in metres, at least 0 and below 1")
    if args.wrapping == "opensim":
        for name in ("smoothing", "strict"):
            if getattr(args, name):
                raise InertiaError(f"--{name} has no effect here: it needs --wrapping analytic")
    if args.plot is None:
        for name in ("coordinate", "output"):
            if getattr(args, name) is not None:
                raise InertiaError(f"--{name} has no effect here: it needs --plot")
    picture = None if args.plot is None else args.output or Path(f"{args.plot.replace('/', '_')}_touch.png")
    outputs = [path for path in (args.csv, picture) if path is not None]
    check_writable(outputs, [args.model])
    options = {"wrapping": args.wrapping, "smoothing": args.smoothing}
    with quiet():
        model = load_model(args.model)
        if picture is not None:  # first: its names may be wrong, and the table takes longer
            plot_touch(model, args.plot, args.coordinate, picture, **options)
        table = compare_wraps(model, args.poses, args.seed, args.muscles, strict=args.strict, **options)
    if args.csv is not None:
        with writing(args.csv) as temporary:
            table.to_csv(temporary)
    print(_describe(table, model.getName(), args))
    for what, path in (("every column of the table", args.csv), (f"{args.plot} through touch", picture)):
        if path is not None:
            print(f"\nwritten to {path}: {what}")


def _describe(table: pd.DataFrame, name: str, args: argparse.Namespace) -> str:
    chosen = " among those asked for" if args.muscles else ""
    if table.empty:
        return f"no muscle of model '{name}'{chosen} has wrap objects"
    count = len(table)
    lines = [
        f"model '{name}': {count} wrapping {'muscle' if count == 1 else 'muscles'}{chosen}, {args.poses} poses",
        "",
    ]
    lines += [_numbers(table), ""]
    lines.append(
        wrapped(
            "length differs: |path length - that of the path which OpenSim shows|; mass apart: largest distance of 20 "
            "equal mass points under uniform strain; smoothing: the larger of both, from the smooth touch alone; "
            "getLength off: OpenSim's getLength against the path that it shows."
        )
    )
    for row in table[table["why"] != ""].itertuples():
        lines.append(wrapped(f"{row.Index}: {row.way}, {row.why}", "    "))
    reasons = table["reason"][table["reason"] != ""]
    if len(reasons):
        lines += ["", f"where more than {1e3 * LIMIT:g} mm apart:"]
    for muscle, reason in reasons.items():
        lines.append(f"  {muscle}, most at {table.loc[muscle, 'worst pose'] or 'the default pose'} [rad, m]")
        lines += [wrapped(f"    {part}", "        ") for part in str(reason).split("; ")]
    lost = table["no path [%]"][table["no path [%]"] > 0]
    for muscle, share in lost.items():
        lines.append(f"  {muscle}: no path was found at {share:.1f} % of the poses")
    return "\n".join(lines)


def _numbers(table: pd.DataFrame) -> str:
    rows = [["", "", *(a for a, _, _ in NUMBERS.values())], ["muscle", "way", *(b for _, b, _ in NUMBERS.values())]]
    for muscle, row in table.iterrows():
        values = [format(row[key], style) if pd.notna(row[key]) else "-" for key, (_, _, style) in NUMBERS.items()]
        rows.append([str(muscle), row["way"], *values])
    return columns(rows, left=(0, 1))

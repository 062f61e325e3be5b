"""Compare each muscle's path over wrap objects with OpenSim's path.

For every wrapping muscle the table has its wrap objects, the method of its path, the distance from OpenSim's path at
random poses over the range of motion (maxima also include the poses at which models are checked), and the cause if it
exceeds 1 mm. OpenSim's length is the length of its displayed path; the difference from getLength has its own column.

examples:
  opensim-inertia wraps model.osim
  opensim-inertia wraps model.osim --muscles 'gas*_r' 'vas*_r' --poses 1000 -o wraps.csv
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..options.modelling import Wrapping
from .arguments import add, add_model, add_options, add_poses, refuse
from .output import announce, chosen, two_line_table, wrapped

if TYPE_CHECKING:
    import pandas as pd

HEADS = {
    "way": ("", "way", ""),
    "touched OpenSim [%]": ("touches [% poses]", "OpenSim", ".0f"),
    "touched ours [%]": ("touches [% poses]", "ours", ".0f"),
    "length median [mm]": ("length differs [mm]", "median", ".3f"),
    "length 95 % [mm]": ("length differs [mm]", "95 %", ".3f"),
    "length max [mm]": ("length differs [mm]", "max", ".3f"),
    "points median [mm]": ("mass apart [mm]", "median", ".2f"),
    "points 95 % [mm]": ("mass apart [mm]", "95 %", ".2f"),
    "points max [mm]": ("mass apart [mm]", "max", ".2f"),
    "half width [mm]": ("touch half", "width [mm]", ".1f"),
    "smoothing max [mm]": ("adds", "[mm]", ".2f"),
    "getLength stale max [mm]": ("getLength", "off [mm]", ".2f"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_poses(parser, "random poses (default: %(default)s)", "of the poses (default: %(default)s)", defaults=(100, 1))
    add_options(parser, Wrapping, only=("kind", "smoothing", "strict"))
    add(parser, "-o, --out", "write the table, with all columns", "CSV")


def check(args: argparse.Namespace) -> None:
    Wrapping.of(vars(args))
    if getattr(args, "wrapping", None) == "opensim":
        refuse(args, "it needs --wrapping analytic", "smoothing", "strict")


def run(args: argparse.Namespace) -> None:
    from ..analyses.wrapping_report import AS_OPENSIM, VERDICTS, compare_wraps
    from ..files.spreadsheets import write_csv
    from ..opensim_model.reading.loading import load_model

    files = chosen({args.out: "every column of the table"}, [args.model])
    model = load_model(args.model)
    table = compare_wraps(model, args.poses, args.seed, args.muscles, Wrapping.of(vars(args)))
    write_csv(table, args.out)
    print(_describe(table, model.getName(), args))
    announce(files)
    if not table.empty:
        alike, geodesic, other = (list(table.index[table["verdict"] == verdict]) for verdict in VERDICTS)
        print(
            f"\n{len(alike)} {'muscle' if len(alike) == 1 else 'muscles'} as OpenSim within {1e3 * AS_OPENSIM:g} mm, "
            f"{len(geodesic)} geodesic where OpenSim is not (fine), {len(other)} to look at"
            + (f": {', '.join(other)}" if other else "")
        )


def _describe(table: pd.DataFrame, name: str, args: argparse.Namespace) -> str:
    chosen = " among those asked for" if args.muscles else ""
    if table.empty:
        return f"no muscle of model '{name}'{chosen} has wrap objects"
    count = len(table)
    muscles = "muscle" if count == 1 else "muscles"
    legend = (
        "length differs: |path length - length of OpenSim's path|; mass apart: largest distance of 20 equal mass "
        "points under uniform strain, both without the smooth touch; touch half width: half the transition at a "
        "touch, and the most that it adds to the larger of both; getLength off: OpenSim's getLength against its path."
    )
    lines = [f"model '{name}': {count} wrapping {muscles}{chosen}, {args.poses} poses", ""]
    lines += [two_line_table(table, HEADS), "", wrapped(legend)]
    lines += [wrapped(f"{r.Index}: {r.way}, {r.why}", "    ") for r in table[table["why"] != ""].itertuples()]
    reasons = table["reason"][table["reason"] != ""]
    lines += ["", "where most apart:"] if len(reasons) else []
    for muscle, reason in reasons.items():
        where = table.loc[muscle, "worst pose"] or "the default pose"
        lines.append(wrapped(f"  {muscle}, at {where} [rad, m]: {reason}", "    "))
    jumps, lost = (table[column][table[column] > 0].items() for column in ("jump [mm]", "no path [%]"))
    lines += [f"  {name}: its length jumps by {size:.1f} mm somewhere in the range of motion" for name, size in jumps]
    lines += [f"  {name}: no path was found at {share:.1f} % of the poses" for name, share in lost]
    return "\n".join(lines)

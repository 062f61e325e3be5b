"""``opensim-inertia masses``: estimate muscle masses, and show what the segments give up."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import pandas as pd

from .._opensim import osim, quiet
from ..masses import write_masses
from ..reading import load_model
from .options import add_mass_options, check_options, mass_table
from .output import check_writable
from .text import columns, listed, wrapped

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "run"]

NAME = "masses"
HELP = "muscle masses, estimated or from a table, where bellies lie, and what the donor segments give up"
DESCRIPTION = """\
Muscle masses of a model: estimated from maximum force, optimal fibre length and specific tension, or from the
person's height and mass (Handsfield 2014); how long bellies and free tendons are; and what the donor segments give up.
"""
EPILOG = """\
examples:
  opensim-inertia masses model.osim
  opensim-inertia masses model.osim -o masses.csv --muscles '*_r'
  opensim-inertia masses model.osim -o masses.csv --method handsfield --height 1.8
  opensim-inertia masses model.osim --masses edited.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write the table, to edit it and use it again")
    add_mass_options(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    check_options(args)
    if args.output is not None:
        check_writable([args.output], [args.model])  # writing edited masses back is all right
    with quiet():
        model = load_model(args.model)
        table = mass_table(model, args)
    if args.output is not None:
        write_masses(table, args.output)
    print(_muscle_table(table))
    segments = _segments(model, table)
    print()
    print(_segment_table(segments))
    _print_totals(model, table)
    if args.output is not None:
        print(f"\nwritten to {args.output}, with the source of every number")
    overdrawn = [name for name, row in segments.iterrows() if not row["gives up"] < row["mass"]]
    if overdrawn:
        print(
            f"opensim-inertia: warning: more is asked than there is of: {listed(overdrawn)}; "
            "reduce these muscles' masses or choose other donor segments",
            file=sys.stderr,
        )


def _muscle_table(table: pd.DataFrame) -> str:
    """Masses, donor segments and lengths, with what the lengths mean."""
    rows = [
        ["", "", "", "belly", "free tendon p", "free tendon d"],
        ["muscle", "mass [kg]", "donor segment", "[cm]", "[cm]", "[cm]"],
    ]
    for r in table.itertuples(index=False):
        lengths = (f"{100 * x:.1f}" for x in (r.belly, r.free_tendon_proximal, r.free_tendon_distal))
        rows.append([r.muscle, f"{r.mass:.4f}", r.segment, *lengths])
    note = "belly: at optimal fibre length; free tendon p: proximal, at the origin; d: distal, at the insertion"
    return columns(rows, left=(0, 2)) + "\n\n" + wrapped(note)


def _segments(model: osim.Model, table: pd.DataFrame) -> pd.DataFrame:
    """Mass of each donor segment, and what it gives up [kg]."""
    asked = table.groupby("segment", sort=False)["mass"].sum()
    bodies = model.getBodySet()
    mass = [float(bodies.get(name).getMass()) for name in asked.index]
    return pd.DataFrame({"mass": mass, "gives up": asked}, index=asked.index)


def _segment_table(segments: pd.DataFrame) -> str:
    rows = [["donor segment", "mass [kg]", "gives up [kg]", "[%]"]]
    for name, row in segments.iterrows():
        share = 100 * row["gives up"] / row["mass"] if row["mass"] > 0 else math.nan
        rows.append([str(name), f"{row['mass']:.4f}", f"{row['gives up']:.4f}", f"{share:.1f}"])
    return columns(rows)


def _print_totals(model: osim.Model, table: pd.DataFrame) -> None:
    bodies = model.getBodySet()
    whole = math.fsum(bodies.get(i).getMass() for i in range(bodies.getSize()))
    total = float(table["mass"].sum())
    share = f", {100 * total / whole:.1f} % of the model's {whole:.4g} kg" if whole > 0 else ""
    print(f"\ntotal: {total:.4f} kg in {len(table)} muscles{share}")
    missing = table.attrs.get("not_covered", [])
    if missing:
        print(wrapped(f"not covered, massless: {listed(missing, most=len(missing))}"))
    unsupported = table.attrs["unsupported"]
    if unsupported:
        print(wrapped(f"massless, their paths cannot carry mass: {listed(unsupported, most=len(unsupported))}"))

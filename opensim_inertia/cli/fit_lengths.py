"""``opensim-inertia fit-lengths``: polynomials of muscles' lengths."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from .._core.opensim import quiet
from ..analyses.length_polynomials import LengthPolynomials, fit_length_polynomials
from ..files.atomic import writing
from ..opensim_model.reading import load_model
from .output import check_writable
from .text import columns, wrapped

__all__ = ["run"]

#: The file is named as the model, and by what it holds.
SUFFIX = ".length_polynomials.json"

HEAD = {
    "variables": ("", "variables", ".0f"),
    "degree": ("", "degree", ".0f"),
    "terms": ("", "terms", ".0f"),
    "length RMSE [mm]": ("length", "RMSE", ".2f"),
    "length max [mm]": ("[mm]", "max", ".2f"),
    "arm RMSE [mm]": ("arms", "RMSE", ".2f"),
    "arm max [mm]": ("[mm]", "max", ".2f"),
    "jump [mm]": ("jump", "[mm]", ".1f"),
}


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    output = args.output or Path(args.model.stem + SUFFIX)
    files = {
        output: "the polynomials, for load_length_polynomials",
        args.function_based: "OpenSim's set of function-based paths",
        args.csv: "the table",
        args.plot: "errors against numbers of terms",
    }
    files = {path: what for path, what in files.items() if path is not None}
    check_writable(files, [args.model, args.motion])
    poses = args.motion if args.motion is not None else args.poses or 1000
    with quiet():
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
        with writing(args.csv) as temporary:
            table.to_csv(temporary)
    if args.plot is not None:
        polynomials.plot_terms(args.plot)
    print(_describe(polynomials, table))
    print()
    for path, what in files.items():
        print(f"written to {path}: {what}")


def _describe(polynomials: LengthPolynomials, table: pd.DataFrame) -> str:
    options, count = polynomials.options, len(table)
    rows = [["", *(first for first, _, _ in HEAD.values())], ["muscle", *(second for _, second, _ in HEAD.values())]]
    for muscle, row in table.iterrows():
        values = [format(row[key], style) if pd.notna(row[key]) else "-" for key, (_, _, style) in HEAD.items()]
        rows.append([str(muscle), *values])
    lines = [
        f"model '{polynomials.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'}, "
        f"{options['rotations']}, {options['poses']}",
        "",
        columns(rows),
        "",
        wrapped(
            "RMSE and max: of the differences from the path that was fitted, at these poses, of moment arms about all "
            "coordinates that are rotations; jump: the largest that was found of the path between them."
        ),
    ]
    return "\n".join(lines)

"""``opensim-inertia fit``: polynomials in place of paths."""

from __future__ import annotations

import argparse

import pandas as pd

from .._opensim import quiet
from ..files import writing
from ..fits import PathFits, fit_paths
from ..reading import load_model
from .output import check_writable
from .text import columns, wrapped

__all__ = ["run"]

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
    files = {
        args.output: "the polynomials, for load_fits",
        args.function_based: "OpenSim's set of function-based paths",
        args.csv: "the table",
        args.plot: "errors against numbers of terms",
    }
    files = {path: what for path, what in files.items() if path is not None}
    check_writable(files, [args.model, args.motion])
    poses = args.motion if args.motion is not None else args.poses or 1000
    with quiet():
        fits = fit_paths(
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
            fits.to_function_based_paths(args.function_based)
        fits.save(args.output)
    table = fits.summary()
    if args.csv is not None:
        with writing(args.csv) as temporary:
            table.to_csv(temporary)
    if args.plot is not None:
        fits.plot_terms(args.plot)
    print(_describe(fits, table))
    print()
    for path, what in files.items():
        print(f"written to {path}: {what}")


def _describe(fits: PathFits, table: pd.DataFrame) -> str:
    told, count = fits.options, len(table)
    rows = [["", *(first for first, _, _ in HEAD.values())], ["muscle", *(second for _, second, _ in HEAD.values())]]
    for muscle, row in table.iterrows():
        values = [format(row[key], style) if pd.notna(row[key]) else "-" for key, (_, _, style) in HEAD.items()]
        rows.append([str(muscle), *values])
    lines = [
        f"model '{fits.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'}, {told['rotations']}, "
        f"{told['poses']}",
        "",
        columns(rows),
        "",
        wrapped(
            "RMSE and max: of the differences from the fitted path at these poses, of moment arms about all "
            "coordinates that are rotations; jump: the largest that was found of the path between them."
        ),
    ]
    return "\n".join(lines)

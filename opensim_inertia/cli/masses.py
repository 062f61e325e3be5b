"""``opensim-inertia masses``: estimate muscle masses, and show what the segments give up."""

from __future__ import annotations

import argparse
import math
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_model_file, check_picture
from .._core.errors import InertiaError, Option, SegmentMassError
from .._core.warnings import InertiaWarning
from .preparing import add_mass_options, check_options, checked_masses

if TYPE_CHECKING:
    import pandas as pd

    from .._core.opensim import osim
    from ..model import InertialModel

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "PICTURE", "add_arguments", "check", "run"]

NAME = "masses"
HELP = "muscle masses, estimated or from a table, where bellies lie, and what the donor segments give up"
DESCRIPTION = """\
Muscle masses of a model: estimated from maximum force, optimal fibre length and specific tension, or from the
person's height and mass (Handsfield 2014); how long bellies and free tendons are; and what the donor segments give up,
and how far segments and muscles together are from the segments as published. --plot draws where the mass lies: along
straight paths in one picture, and on the skeleton in a second, FILE with _skeleton before its suffix.
"""
EPILOG = """\
examples:
  opensim-inertia masses model.osim
  opensim-inertia masses model.osim -o masses.csv --muscles '*_r'
  opensim-inertia masses model.osim -o masses.csv --method handsfield --height 1.8
  opensim-inertia masses model.osim --masses edited.csv
  opensim-inertia masses model.osim --plot bellies.pdf --reference static.mot
"""
#: The picture's name where --plot gives none.
PICTURE = "masses.png"
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="CSV",
        help="write the table, to edit it and use it again, and print the rest",
    )
    parser.add_argument(
        "--plot",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="draw where the mass lies, to a .png, .svg or .pdf, and on the skeleton to FILE_skeleton (default: "
        f"{PICTURE} beside the CSV, or here)",
    )
    add_mass_options(parser)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    if args.plot is not None and args.plot != Path():
        check_picture(args.plot)
    check_model_file(args.model)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from .._core.opensim import quiet
    from ..analyses.mass_points.pictures import mass_picture
    from ..muscles.masses import write_masses
    from ..opensim_model.reading import load_model
    from ..plotting.drawing import draw_rows, draw_skeleton, save_pictures
    from .output import check_writable

    pictures = _pictures(args)
    # writing edited masses back is all right
    check_writable([path for path in (args.output, *pictures) if path is not None], [args.model, args.reference])
    if pictures and args.masses is not None:
        check_writable(pictures, [args.masses])
    with quiet():
        model = load_model(args.model)
        table = checked_masses(model, args).table
        inertial, why_not = _inertial_model(model, table, args)
        if pictures:
            if inertial is None:
                raise why_not or InertiaError("nothing can be drawn")
            picture = mass_picture(inertial)
            save_pictures(dict(zip(pictures, (draw_rows(picture), draw_skeleton(picture)), strict=True)))
    if args.output is None:
        print(f"{_muscle_table(table)}\n")
    else:
        write_masses(table, args.output)
    segments = _segments(model, table)
    print(_segment_table(segments if inertial is None else inertial.segments))
    _print_totals(model, table)
    if args.output is not None:
        print(f"\nwritten to {args.output}, with the source of every number")
    for path, what in zip(pictures, ("bellies along straight paths", "bellies on the skeleton"), strict=False):
        print(f"written to {path}: {what}")
    if why_not is not None:
        _warn(segments, why_not)


def _pictures(args: argparse.Namespace) -> list[Path]:
    """Return where the two pictures go; nothing if none is asked for."""
    from ..analyses.mass_points.pictures import skeleton_path

    if args.plot is None:
        return []
    folder = Path() if args.output is None else args.output.parent
    path = folder / PICTURE if args.plot == Path() else args.plot
    return [path, skeleton_path(path)]


def _inertial_model(
    model: osim.Model, table: pd.DataFrame, args: argparse.Namespace
) -> tuple[InertialModel | None, InertiaError | None]:
    """Return the model whose muscles have these masses, default in all else; or None and why there can be none."""
    from ..model import InertialModel

    try:
        return InertialModel(model, table, reference=args.reference, unsupported=args.unsupported), None
    except InertiaError as error:
        return None, error


def _warn(segments: pd.DataFrame, error: InertiaError) -> None:
    """Warn that muscles of these masses cannot be, and say why."""
    from .text import listed

    overdrawn = [str(name) for name, row in segments.iterrows() if not row["given up"] < row["mass"]]
    if isinstance(error, SegmentMassError) and overdrawn:
        parts: list[object] = [
            f"more is asked than there is of: {listed(overdrawn)}; "
            "reduce these muscles' masses, choose other donor segments, or give ",
            Option("overdrawn", "scale"),
            " or ",
            Option("overdrawn", "neighbours"),
        ]
    else:
        parts = ["what is left of the segments is not known: ", *error.args]
    warnings.warn(InertiaWarning(*parts), stacklevel=2)


def _muscle_table(table: pd.DataFrame) -> str:
    """Return masses, donor segments and lengths as text, with what the lengths mean."""
    from .text import columns, wrapped

    rows = [
        ["", "", "", "belly", "free tendon p", "free tendon d"],
        ["muscle", "mass [kg]", "donor segment", "[cm]", "[cm]", "[cm]"],
    ]
    for r in table.itertuples(index=False):
        lengths = (f"{100 * x:.1f}" for x in (r.belly, r.free_tendon_proximal, r.free_tendon_distal))
        rows.append([r.muscle, f"{r.mass:.4f}", r.segment or "-", *lengths])
    note = "belly: at optimal fibre length; free tendon p: proximal, at the origin; d: distal, at the insertion"
    return columns(rows, left=(0, 2)) + "\n\n" + wrapped(note)


def _segments(model: osim.Model, table: pd.DataFrame) -> pd.DataFrame:
    """Return the mass of each donor segment, and what it is asked to give up [kg]."""
    import pandas as pd

    from ..muscles.masses.stretches import mass_by_segment

    asked = mass_by_segment(table).groupby("segment", sort=False)["mass"].sum()
    bodies = model.getBodySet()
    mass = [float(bodies.get(name).getMass()) for name in asked.index]
    return pd.DataFrame({"mass": mass, "given up": asked}, index=asked.index)


def _segment_table(segments: pd.DataFrame) -> str:
    """Return as text the mass, what is given up and, if known, what is left, with what the residual means."""
    from .text import columns, wrapped

    known = "left" in segments
    rows = [["donor segment", "mass [kg]", "gives up [kg]", "[%]", *(["left [kg]", "residual [%]"] if known else [])]]
    for name, row in segments.iterrows():
        share = 100 * row["given up"] / row["mass"] if row["mass"] > 0 else math.nan
        cells = [str(name), f"{row['mass']:.4f}", f"{row['given up']:.4f}", f"{share:.1f}"]
        if known:
            cells += [f"{row['left']:.4f}", f"{100 * row['residual']:.1f}" + " *" * bool(row["gives with"])]
        rows.append(cells)
    together = known and (segments["gives with"] != "").any()
    note = (
        "residual: how far what is left and the muscles at the reference pose together are from the segment as "
        "published, in percent of its second moments of mass; 0: mass, centre and inertia are kept"
        + ("; *: gives up together with its neighbours, and so are these of the group" if together else "")
    )
    return columns(rows) + ("\n\n" + wrapped(note) if known and len(segments) else "")


def _print_totals(model: osim.Model, table: pd.DataFrame) -> None:
    from .text import listed, wrapped

    bodies = model.getBodySet()
    whole = math.fsum(bodies.get(i).getMass() for i in range(bodies.getSize()))
    total = float(table["mass"].sum())
    share = f", {100 * total / whole:.1f} % of the model's {whole:.4g} kg" if whole > 0 else ""
    print(f"\ntotal: {total:.4f} kg in {len(table)} muscles{share}")
    missing = table.attrs.get("not_covered", [])
    if missing:
        print(wrapped(f"not covered, massless: {listed(missing, most=len(missing))}"))
    without = table.attrs.get("without_donor", [])
    if without:
        print(
            wrapped(
                f"massless, no segment between their ends is heavy enough to give up their mass: "
                f"{listed(without, most=len(without))}; name one in the table"
            )
        )
    for sentence in table.attrs.get("overdrawn", ()):
        print(wrapped(sentence))
    unsupported = table.attrs["unsupported"]
    if unsupported:
        print(wrapped(f"massless, their paths cannot carry mass: {listed(unsupported, most=len(unsupported))}"))

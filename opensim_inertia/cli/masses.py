"""Estimate or read muscle masses, and list donor segments and lengths of bellies.

Masses are estimated from maximum force, optimal fibre length and specific tension, or from the person's height and mass
(Handsfield 2014). The tables also have lengths of bellies and free tendons, and the published mass of each donor
segment with the mass of its muscles. --plot draws the mass along the paths.

examples:
  opensim-inertia masses model.osim
  opensim-inertia masses model.osim -o masses.csv --muscles '*_r'
  opensim-inertia masses model.osim -o masses.csv --method handsfield --height 1.8
  opensim-inertia masses model.osim --masses edited.csv
  opensim-inertia masses model.osim --plot bellies.pdf --reference static.mot
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_picture
from ..options.masses import MassOptions
from .arguments import add, add_model, add_options, check_inertial
from .output import announce, check_writable, columns, wrapped

if TYPE_CHECKING:
    from ..muscles.masses.table import MassTable

#: Default name of the picture.
PICTURE = "masses.png"
ALIASES = {"path": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add(parser, "-o, --out", "write the table, to edit it and use it again, and print the rest", "CSV")
    text = f"draw where the mass lies, to a .png, .svg or .pdf (default: {PICTURE} beside the CSV, or here)"
    parser.add_argument("--plot", nargs="?", type=Path, const=Path(), metavar="FILE", help=text)
    add_options(parser.add_argument_group("muscle masses"), MassOptions)


def check(args: argparse.Namespace) -> None:
    check_inertial(args)
    if args.plot is not None and args.plot != Path():
        check_picture(args.plot)


def run(args: argparse.Namespace) -> None:
    from ..model import unsupported_paths
    from ..muscles.masses import write_masses
    from ..muscles.masses.estimate import estimated_masses
    from ..opensim_model.reading.loading import InitialisedModel

    picture: Path | None = args.plot
    if picture == Path():
        picture = (Path() if args.out is None else args.out.parent) / PICTURE
    reference, table_file = getattr(args, "reference", None), getattr(args, "masses", None)
    # edited masses may be overwritten
    check_writable([path for path in (args.out, picture) if path is not None], [args.model, reference])
    check_writable([] if picture is None else [picture], [table_file])
    ready, options = InitialisedModel.of(args.model), MassOptions.of(vars(args))
    model = ready.model
    estimated = estimated_masses(ready, **options.arguments)
    problems = unsupported_paths(ready)
    refused = [name for name in problems if name in set(estimated["muscle"])]
    if refused and options.unsupported == "error":
        raise problems[refused[0]]
    table = estimated.of_muscles([name for name in estimated["muscle"] if name not in problems])
    if picture is not None:
        from ..model import InertialModel
        from ..plotting import plot_masses

        inertial = InertialModel(model, table, reference=options.reference, unsupported=options.unsupported)
        plot_masses(inertial, picture)
    if args.out is None:
        print(f"{_muscle_table(table)}\n")
    else:
        write_masses(table, args.out)
    published = {body.getName(): float(body.getMass()) for body in model.getBodySet()}
    print(_segment_table(published, table))
    whole = math.fsum(published.values())
    total = float(table["mass"].sum())
    share = f", {100 * total / whole:.1f} % of the model's {whole:.4g} kg" if whole > 0 else ""
    print(f"\ntotal: {total:.4f} kg in {len(table['muscle'])} muscles{share}")
    for why, names in (
        ("not covered, massless", estimated.attrs["not_covered"]),
        ("massless, their paths cannot carry mass", [*estimated.attrs["unsupported"], *refused]),
    ):
        if names:
            print(wrapped(f"{why}: {', '.join(names)}"))
    written = {} if args.out is None else {args.out: "the masses, with the source of every number"}
    announce(written | ({} if picture is None else {picture: "bellies along straight paths"}))


def _muscle_table(table: MassTable) -> str:
    rows = [
        ["", "", "", "belly", "free tendon p", "free tendon d"],
        ["muscle", "mass [kg]", "donor segment", "[cm]", "[cm]", "[cm]"],
    ]
    shown = ("muscle", "mass", "segment", "belly", "free_tendon_proximal", "free_tendon_distal")
    for muscle, mass, segment, *lengths in zip(*(table[name] for name in shown), strict=True):
        rows.append([muscle, f"{mass:.4f}", segment or "-", *(f"{100 * x:.1f}" for x in lengths)])
    note = "belly: at optimal fibre length; free tendon p: proximal, at the origin; d: distal, at the insertion"
    return columns(rows, left=(0, 2)) + "\n\n" + wrapped(note)


def _segment_table(published: Mapping[str, float], table: MassTable) -> str:
    from ..muscles.masses.donors import light_segments, mass_by_segment

    rows = [["donor segment", "published [kg]", "muscles [kg]", "[%]"]]
    by_segment = mass_by_segment(table)
    for name, muscles in by_segment.items():
        mass = published.get(name, 0.0)  # none for ground
        of_segment = (f"{mass:.4f}", f"{100 * muscles / mass:.1f}") if mass > 0 else ("-", "-")
        rows.append([name, of_segment[0], f"{muscles:.4f}", of_segment[1]])
    known = [{"segment": n, "mass": published[n], "muscles": m} for n, m in by_segment.items() if n in published]
    notes = [f"note: {sentence}" for sentence in light_segments(known)]
    each = zip(table["muscle"], table["mass"], table["segment"], strict=True)
    if added := [muscle for muscle, mass, segment in each if mass > 0 and not segment]:
        notes.append(f"added to the model, subtracted from no segment: {', '.join(added)}")
    return "\n".join([columns(rows), *([""] if notes else []), *map(wrapped, notes)])

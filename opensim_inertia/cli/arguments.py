"""Arguments that commands share, and options as they are typed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.checks import check_file, check_model_file, check_picture
from .._core.choices import FORMATS
from .._core.errors import InertiaError, OptionError

if TYPE_CHECKING:
    from .._core.options import Options
    from ..model import InertialModel

__all__ = [
    "REPORT",
    "add_options",
    "add_picture_option",
    "add_report_options",
    "announce_report",
    "as_typed",
    "check_inputs",
    "check_report_options",
    "refuse",
]

#: What the file of ``--report`` holds.
REPORT = "page for any browser: changes, curves, a moving view, assumptions"


def add_options(group: Any, *classes: type[Options], only: Sequence[str] = ()) -> None:
    """Add the options of classes that the command line has; if names are given, these and no others.

    Classes may share an option, which is added once.
    """
    entries = {entry.keyword: entry for kind in classes for entry in kind.asked(*only).values()}
    for entry in entries.values():
        flag, about = entry.argument()
        group.add_argument(flag, **about)


def add_picture_option(group: Any) -> None:
    """Add the format of pictures, which is None where there shall be none."""
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--picture", choices=FORMATS, default=FORMATS[0], help="format of pictures (default: %(default)s)"
    )
    either.add_argument("--no-picture", dest="picture", action="store_const", const=None, help="write no pictures")


def add_report_options(group: Any, recorded: bool = True) -> None:
    """Add the page that shows a result, with its meshes, and of a ``recorded`` motion its markers and gait events."""
    group.add_argument(
        "--report", action="store_true", help="also write one self-contained page: curves, a moving view, assumptions"
    )
    group.add_argument(
        "--geometry",
        type=Path,
        nargs="+",
        metavar="DIR",
        default=[],
        help="folders with the bones' meshes for --report, besides the model's folder and Geometry in it",
    )
    if recorded:
        group.add_argument("--markers", type=Path, metavar="TRC", help="measured markers, which --report shows")
        group.add_argument(
            "--events",
            type=Path,
            metavar="FILE",
            help="gait events for --report (.csv, .xlsx): time, side, event (default: contacts by the ground forces)",
        )


def check_report_options(args: argparse.Namespace) -> None:
    """Refuse folders and files that do not exist, or that have no effect."""
    for folder in args.geometry:
        if not folder.is_dir():
            raise OptionError("geometry", str(folder), "a folder")
    for name in ("geometry", "markers", "events"):
        value = getattr(args, name, None)
        if value and not args.report:
            refuse(args, name, "it needs --report")
        if value and name != "geometry":
            check_file(value, f"file of {name}")


def announce_report(args: argparse.Namespace, inertial: InertialModel, motion: Path | None = None) -> None:
    """Warn of meshes that are missing, and refuse markers and gait events of other times than a motion's file.

    That is said before anything is computed; the report itself then says it on its page alone.
    """
    if not args.report:
        return
    from .._core.checks import warn
    from ..files.tables import read_table
    from ..reports import check_recordings, missing_meshes

    if (warning := missing_meshes(inertial.model, args.geometry)) is not None:
        warn(warning)
    if motion is not None and (args.markers or args.events):
        times = read_table(motion, in_degrees=False).index.to_numpy()
        check_recordings(args.markers, args.events, times)


def check_inputs(args: argparse.Namespace) -> None:
    """Refuse a picture of another format, and a model and a motion that do not exist."""
    if args.plot is not None:
        check_picture(args.plot)
    check_model_file(args.model)
    if args.motion is not None:
        check_file(args.motion, "motion file")


def refuse(args: argparse.Namespace, name: str, why: str) -> None:
    """Raise an error, which says why an option has no effect, if it is given."""
    if getattr(args, name) not in (None, False):
        raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")


def as_typed(name: str, value: object) -> str:
    """Return an option and its value as they are typed on a command line."""
    words = name.replace("_", "-")
    if value is False:
        return f"--no-{words}"
    if value is None or value is True:
        return f"--{words}"
    if isinstance(value, Mapping):
        value = [f"{key}={number}" for key, number in value.items()]
    values = value if isinstance(value, list | tuple) else [value]
    return f"--{words} {shlex.join(map(str, values))}"

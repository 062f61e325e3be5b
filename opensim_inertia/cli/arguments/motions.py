"""Options that commands share which read a recorded motion from a setup of OpenSim's."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..._core.choices import FORMATS
from ..._core.errors import InertiaError, OptionError
from .shared import add_options

__all__ = ["add_picture_option", "add_replacements", "add_report_options", "check_report_options"]


def add_replacements(parser: argparse.ArgumentParser) -> Any:
    """Add the options that replace what a setup says; return their group (argparse has no public name for its type)."""
    from ...options import Recording
    from ...options.recording import IMPLAUSIBLE

    group = parser.add_argument_group("instead of what the setup says")
    group.add_argument("--model", type=Path, metavar="OSIM", help="the model")
    group.add_argument("--motion", type=Path, metavar="MOT", help="the coordinates, .mot or .sto")
    group.add_argument("--external-loads", type=Path, metavar="XML", help="the external loads")
    add_options(group, Recording, only=("cutoff", "assemble", "as_recorded", "time_range"))
    flag, about = IMPLAUSIBLE.argument()
    group.add_argument(flag, **about)
    return group


def add_picture_option(group: Any) -> None:
    """Add the format of pictures."""
    group.add_argument(
        "--picture", choices=FORMATS, default=FORMATS[0], help="format of pictures (default: %(default)s)"
    )


def add_report_options(group: Any) -> None:
    """Add the page that shows a result, and where its bones' meshes are."""
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


def check_report_options(args: argparse.Namespace) -> None:
    """Refuse folders that do not exist, or that have no effect."""
    for folder in args.geometry:
        if not folder.is_dir():
            raise OptionError("geometry", str(folder), "a folder")
    if args.geometry and not args.report:
        raise InertiaError("--geometry has no effect here: it needs --report")

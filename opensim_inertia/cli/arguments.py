"""Arguments that commands share, and options as they are typed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.choices import FORMATS
from .._core.errors import InertiaError, OptionError

if TYPE_CHECKING:
    from .._core.options import Options

__all__ = [
    "REPORT",
    "add_options",
    "add_picture_option",
    "add_report_options",
    "as_typed",
    "check_report_options",
    "refuse",
]

#: What the file of ``--report`` holds.
REPORT = "page for any browser: what changes, curves, a moving view, what was assumed"


def add_options(group: Any, *classes: type[Options], only: Sequence[str] = ()) -> None:
    """Add the options of classes that the command line has; if names are given, these and no others.

    Classes may share an option, which is added once.
    """
    entries = {entry.keyword: entry for kind in classes for entry in kind.asked(*only).values()}
    for entry in entries.values():
        flag, about = entry.argument()
        group.add_argument(flag, **about)


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

"""Options that commands share which read a recorded motion from a setup of OpenSim's."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

from ..._core.choices import FORMATS, IMPLAUSIBLE
from ..._core.errors import InertiaError, OptionError

__all__ = ["FROM_SETUP", "add_picture_option", "add_replacements", "add_report_options", "check_report_options"]

#: Stands for a cut-off that is not given.
FROM_SETUP = math.nan


def add_replacements(parser: argparse.ArgumentParser) -> Any:
    """Add the options that replace what a setup says; return their group (argparse has no public name for its type)."""
    group = parser.add_argument_group("instead of what the setup says")
    group.add_argument("--model", type=Path, metavar="OSIM", help="the model")
    group.add_argument("--motion", type=Path, metavar="MOT", help="the coordinates, .mot or .sto")
    group.add_argument("--external-loads", type=Path, metavar="XML", help="the external loads")
    group.add_argument(
        "--cutoff",
        type=cutoff,
        default=FROM_SETUP,
        metavar="Hz",
        help="low-pass cut-off frequency of the coordinates; 'none' for no filter",
    )
    group.add_argument(
        "--assemble", action="store_true", help="project the motion on the model's constraints, as couplers of knees"
    )
    group.add_argument(
        "--as-recorded",
        action="store_true",
        help="take coordinates that follow others by couplers as they were recorded, as OpenSim does; default: those "
        "that are off by more than 5 degrees or 5 mm follow",
    )
    group.add_argument(
        "--implausible",
        choices=IMPLAUSIBLE,
        default=IMPLAUSIBLE[0],
        help="answers that no body makes, such as moments beyond 20 N m per kg of body mass: refuse them, or warn and "
        "give them all the same (default: %(default)s)",
    )
    group.add_argument(
        "--time-range",
        type=float,
        nargs=2,
        metavar=("T0", "T1"),
        help="first and last time [s]; beyond the recording there is what the filter extrapolates",
    )
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


def cutoff(text: str) -> float | None:
    """Return a frequency [Hz], or None for "none" and, as in OpenSim's setups, for a negative number."""
    if text.lower() == "none":
        return None
    value = float(text)
    if not (math.isfinite(value) and value != 0):
        raise argparse.ArgumentTypeError(f"'{text}' is not a frequency in Hz, or 'none'")
    return None if value < 0 else value

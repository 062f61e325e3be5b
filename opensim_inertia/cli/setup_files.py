"""Setups of a recorded motion, and the options that replace what they say."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._core.checks import check_file, file_content
from .._core.errors import FileFormatError, InertiaError, ModelError, nearest_file
from .arguments import add_options

if TYPE_CHECKING:
    from ..files import MotionSetup

__all__ = ["add_replacements", "add_results", "add_setup", "check_exists", "check_setup", "with_options"]

#: What files hold, as :func:`~opensim_inertia._core.checks.file_content` says it.
TAGS = {"coordinates": "table", "speeds": "table", "external loads": "ExternalLoads", "actuators": "ForceSet"}

Setup = TypeVar("Setup", bound="MotionSetup")


def add_setup(parser: argparse.ArgumentParser, tools: str) -> None:
    """Add the setup of one of some tools of OpenSim, which options may replace."""
    parser.add_argument(
        "setup",
        type=Path,
        nargs="?",
        metavar="SETUP.xml",
        help=f"setup of OpenSim's {tools}; without one, give --model and --motion",
    )


def add_results(parser: argparse.ArgumentParser) -> Any:
    """Add the folder of results; return its group."""
    group = parser.add_argument_group("results")
    group.add_argument(
        "--out", type=Path, metavar="DIR", help="folder (default: the setup's results_directory, or here)"
    )
    return group


def add_replacements(parser: argparse.ArgumentParser) -> Any:
    """Add the options that replace what a setup says; return their group (argparse has no public name for its type)."""
    from ..options import Recording
    from ..options.recording import IMPLAUSIBLE

    group = parser.add_argument_group("instead of what the setup says")
    group.add_argument("--model", type=Path, metavar="OSIM", help="the model")
    group.add_argument("--motion", type=Path, metavar="MOT", help="the coordinates, .mot or .sto")
    group.add_argument("--external-loads", type=Path, metavar="XML", help="the external loads")
    add_options(group, Recording, only=("cutoff", "assemble", "as_recorded", "time_range"))
    group.add_argument(
        "--with-contacts",
        action="store_true",
        help="let the model's own contacts with ground act also on bodies that external loads press",
    )
    flag, about = IMPLAUSIBLE.argument()
    group.add_argument(flag, **about)
    return group


def check_setup(args: argparse.Namespace) -> None:
    """Refuse a setup that is missing, and no setup where model or motion are missing as well."""
    if args.setup is not None:
        check_file(args.setup, "setup file")
    elif args.model is None or args.motion is None:
        see = f"(see 'opensim-inertia {args.command.NAME} --help')"
        raise InertiaError(f"expected a setup file, or --model and --motion {see}")


def with_options(setup: Setup, args: argparse.Namespace) -> Setup:
    """Return the setup with what the options replace; check that the files of model, motion and loads exist."""
    model, motion = args.model or setup.model_file, args.motion or setup.coordinates_file
    loads = args.external_loads or setup.external_loads_file
    if model is None:
        raise FileFormatError(args.setup, "it names no model; give one with --model")
    if motion is None:
        raise FileFormatError(args.setup, "it names no coordinates file; give one with --motion")
    check_exists(model, "model", None if args.model else "--model")
    check_exists(motion, "coordinates", None if args.motion else "--motion")
    if loads is not None:
        check_exists(loads, "external loads", None if args.external_loads else "--external-loads")
    return replace(
        setup,
        model_file=model,
        coordinates_file=motion,
        external_loads_file=loads,
        forces_to_exclude=(*setup.forces_to_exclude, *(("-Contacts",) if args.with_contacts else ())),
        cutoff=getattr(args, "cutoff", setup.cutoff),
        time_range=tuple(getattr(args, "time_range", setup.time_range)),
    )


def check_exists(path: Path, what: str, option: str | None) -> None:
    """Refuse a file that does not exist, or that holds something else.

    Args:
        path: the file.
        what: it is, for messages.
        option: that gives another file, where the setup named it.
    """
    if os.path.isfile(path):
        tag, words = file_content(path)
        if what in TAGS and tag not in ("", TAGS[what]):
            raise FileFormatError(path, f"is {words}; expected the file of {what}")
        return
    hint = f" (named by the setup; give another with {option})" if option else ""
    hint += nearest_file(path)
    if what == "model":
        raise ModelError(f"model file '{path}' does not exist{hint}")
    raise FileFormatError(path, f"{what} file does not exist{hint}")

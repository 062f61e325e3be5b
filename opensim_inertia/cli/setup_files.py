"""Setups of a recorded motion, and the options that replace what they say."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._core.checks import check_file, file_content, silenced, warn
from .._core.errors import FileFormatError, InertiaError, ModelError, Option, nearest_file
from .._core.warnings import InputWarning, MissingGeometryWarning
from .arguments import add, add_motion, add_options, as_typed, refuse

if TYPE_CHECKING:
    import pandas as pd

    from ..files.setups import MotionSetup
    from ..model import InertialModel

#: What files hold, as :func:`~opensim_inertia._core.checks.file_content` says it.
TAGS = {"coordinates": "table", "speeds": "table", "external loads": "ExternalLoads", "actuators": "ForceSet"}

Setup = TypeVar("Setup", bound="MotionSetup")


def add_setup(parser: argparse.ArgumentParser, tools: str, folders: bool = False) -> None:
    """Add the setup of one of some tools of OpenSim, which options may replace; or with ``folders`` a folder."""
    what = f"setup of OpenSim's {tools}{', or a folder of trials' if folders else ''}"
    parser.add_argument(
        "setup",
        type=Path,
        nargs="?",
        metavar="SETUP.xml|FOLDER" if folders else "SETUP.xml",
        help=f"{what}; without one, give --model and --motion",
    )
    if folders:
        add(parser, "--trial", "trials of FOLDER that are solved (default: all), each into its own folder", "NAME...")


def add_replacements(parser: argparse.ArgumentParser) -> Any:
    """Add the options that replace a setup's entries; return their group (argparse has no public name for its type)."""
    from ..options.recording import Answers, Recording

    group = parser.add_argument_group("inputs, instead of the setup's")
    add(group, "--model", "the model", "OSIM")
    add_motion(group)
    add_options(group, Recording, only=("cutoff", "assemble", "as_recorded", "interpolate_jumps", "time_range"))
    add_unit(group)
    add(group, "--with-contacts", "let contacts with ground act also on bodies that external loads press")
    add_options(group, Answers, only=("implausible",))
    return group


def add_unit(group: Any) -> None:
    """Add the options that say the unit of a motion's angles, one or none."""
    either = group.add_mutually_exclusive_group()
    for flag, value, unit in (("--in-degrees", True, "degrees"), ("--in-radians", False, "radians")):
        text = f"the motion's angles are in {unit}, whatever its header says; for files without a header"
        either.add_argument(flag, dest="in_degrees", action="store_const", const=value, default=None, help=text)


def motion_as_said(motion: Path, args: argparse.Namespace) -> Path | pd.DataFrame:
    """Return the file of a motion, or its table where the options say the unit of its angles."""
    from ..files.tables import read_table

    return motion if args.in_degrees is None else read_table(motion, args.in_degrees)


def check_setup(args: argparse.Namespace) -> None:
    """Refuse a setup that is missing, and no setup where model or motion are missing as well."""
    if "trial" in args and args.setup is not None and args.setup.is_dir():
        return
    if getattr(args, "trial", None):
        refuse(args, "trial", "it needs a folder of trials")
    if args.setup is not None:
        check_file(args.setup, "setup file")
    elif args.model is None or args.motion is None:
        see = f"(see '{args.parser.prog} --help')"
        raise InertiaError(f"expected a setup file, or --model and --motion {see}")


def with_options(setup: Setup, args: argparse.Namespace) -> Setup:
    """Return the setup with what the options replace; check that the files of model, motion and loads exist."""
    named = setup.model_file, setup.coordinates_file, setup.external_loads_file
    for of_setup, what, option in zip(named, ("model", "coordinates file"), ("model", "motion"), strict=False):
        if of_setup is None and getattr(args, option) is None:
            raise FileFormatError(args.setup, f"it names no {what}; give one with --{option}")
    model, motion, loads = files_of(args, args.setup, *named)
    return replace(
        setup,
        model_file=model,
        coordinates_file=motion,
        external_loads_file=loads,
        forces_to_exclude=(*setup.forces_to_exclude, *(("-Contacts",) if args.with_contacts else ())),
        cutoff=getattr(args, "cutoff", setup.cutoff),
        time_range=tuple(getattr(args, "time_range", setup.time_range)),
    )


def write_report(result: Any, path: Path, inertial: InertialModel, args: argparse.Namespace) -> None:
    """Write the page about the result of a recorded motion."""
    from ..reports import report

    with silenced(MissingGeometryWarning):
        report(result, path, inertial, args.geometry, markers=args.markers, events=args.events)


def print_result(result: Any) -> None:
    """Print the summary of the result of a recorded motion, and notes on its input."""
    from .._core.representation import wrapped  # which imports pandas

    print(result.summary_text())
    if residuals := result.provenance.get("residuals"):
        print("\n" + wrapped(residuals["verdict"]))
    if result.motion is not None:
        notes = [finding.message for finding in result.motion.findings if finding.severity == "note"]
        for number, note in enumerate(notes):
            text = "".join(as_typed(p.name, p.value) if isinstance(p, Option) else str(p) for p in note)
            print(("" if number else "\n") + wrapped(f"note: {text}"))


def files_of(args: argparse.Namespace, setup: Path | None, *named: Path | None) -> list[Path | None]:
    """Return the files of model, motion and loads, those that a setup names unless arguments do; they exist.

    In place of one that is missing, the one of its name near the setup is taken, with an :class:`InputWarning`.
    """
    from ..files.trial_folders import file_beside

    files: list[Path | None] = []
    names = (("model", "model"), ("motion", "coordinates"), ("external_loads", "external loads"))
    for (name, what), of_setup in zip(names, named, strict=True):
        given = getattr(args, name)
        path = given or of_setup
        option = None if given or path == setup else f"--{name.replace('_', '-')}"
        if path is not None:
            lost = option and not path.is_file()
            if lost and setup is not None and (beside := file_beside(setup, path)) is not None:
                text = f"{setup}: its {what} file '{path}' does not exist; '{beside}' is taken, which has its name"
                warn(InputWarning(text))
                path = beside
            check_exists(path, what, option)
        files.append(path)
    return files


def check_exists(path: Path, what: str, option: str | None) -> None:
    """Refuse a file that does not exist, or that holds something else."""
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

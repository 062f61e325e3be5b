"""Arguments that commands share, what they mean together, and options as they are typed."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.checks import check_file
from .._core.choices import ANEW, CACHE_VARIABLE, FORMATS
from .._core.errors import InertiaError, OptionError

if TYPE_CHECKING:
    from .._core.options import OptionField, Options
    from ..options.wobble import Wobble

__all__ = [
    "REPORT",
    "add_masses",
    "add_material",
    "add_model",
    "add_motion",
    "add_options",
    "add_out",
    "add_picture",
    "add_plot",
    "add_poses",
    "add_report",
    "add_wobble",
    "as_typed",
    "check_exclusions",
    "check_report",
    "read_config",
    "refuse",
    "wobble_of_arguments",
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


def add_model(parser: Any) -> None:
    """Add the model, by its position."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")


def add_motion(group: Any, motion: str = "the coordinates, .mot or .sto", loads: str = "the external loads") -> None:
    """Add the files of a recorded motion."""
    group.add_argument("--motion", type=Path, metavar="MOT", help=motion)
    if loads:
        group.add_argument("--external-loads", type=Path, metavar="XML", help=loads)


def add_out(group: Any, metavar: str, help: str, **more: Any) -> None:
    """Add the file or folder of results."""
    group.add_argument("-o", "--out", type=Path, metavar=metavar, help=help, **more)


def add_plot(group: Any, what: str, **more: Any) -> None:
    """Add the file of a picture."""
    group.add_argument("--plot", type=Path, metavar="FILE", help=f"draw {what}, to a file .png, .svg or .pdf", **more)


def add_poses(group: Any, poses: str, seed: str, defaults: Sequence[int | None] = (None, None)) -> None:
    """Add random poses, and muscles that are looked at there."""
    from ..options.masses import MassOptions

    group.add_argument("--poses", type=int, metavar="N", help=poses, default=defaults[0])
    group.add_argument("--seed", type=int, metavar="S", help=seed, default=defaults[1])
    flag, about = MassOptions.entries()["muscles"].argument()
    group.add_argument(flag, **about | {"help": "only these; names or patterns such as '*_r'", "default": None})


def add_masses(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what muscles weigh."""
    from ..options.masses import MassOptions

    add_options(parser.add_argument_group("muscle masses"), MassOptions)


def add_material(parser: argparse.ArgumentParser, accelerations: bool = False) -> None:
    """Add the options that say where the muscles' mass lies; some only for commands that solve for accelerations."""
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    group = parser.add_argument_group("where the mass lies")
    add_options(group, StrainModel)
    only = ("distribution", "points", *(["add_missing_inertia"] if accelerations else []))
    add_options(group, ModelOptions, only=only)
    add_options(group, Wrapping)
    group.add_argument(
        "--no-cache",
        dest="plan",
        action="store_const",
        const=ANEW,
        help="look at the muscles' wraps anew, also where what was found of them before is in the cache "
        f"(${CACHE_VARIABLE}, or the platform's folder for a user's caches), and keep nothing there",
    )


def add_wobble(parser: argparse.ArgumentParser) -> None:
    """Add a group of arguments, ``--wobble`` among them."""
    from ..options.recording import Answers
    from ..options.wobble import Wobble

    group = parser.add_argument_group("bellies that swing across their paths")
    add_options(group, Answers, only=("wobble",))
    add_options(group, Wobble)


def wobble_of_arguments(args: argparse.Namespace) -> Wobble | None:
    """Return how bellies swing, None where they do not; refuse options that would have no effect."""
    from ..options.wobble import Wobble

    if "wobble" in args:
        return Wobble.of(vars(args))
    for entry in Wobble.asked().values():
        refuse(args, entry.keyword, "it needs --wobble")
    return None


def check_exclusions(args: argparse.Namespace) -> None:
    """Refuse options of masses and material that would have no effect, or whose value is not allowed."""
    from ..options.masses import MassOptions
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    MassOptions.of(vars(args))
    strain = StrainModel.of(vars(args))
    for name, needed in (("belly", "uniform"), ("proximal_tendon", "rigid_tendon")):
        if strain.kind != needed:
            refuse(args, name, f"it needs --strain {needed}")
    ModelOptions.of(vars(args) | {"strain": strain, "wrapping": Wrapping.of(vars(args)), "reference": None})


def add_picture(group: Any) -> None:
    """Add the format of pictures, which is None where there shall be none."""
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--picture", choices=FORMATS, default=FORMATS[0], help="format of pictures (default: %(default)s)"
    )
    either.add_argument("--no-picture", dest="picture", action="store_const", const=None, help="write no pictures")


def add_report(group: Any, recorded: bool = True) -> None:
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


def check_report(args: argparse.Namespace) -> None:
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


def refuse(args: argparse.Namespace, name: str, why: str) -> None:
    """Raise an error, which says why an option has no effect, if it is given."""
    if getattr(args, name, None) not in (None, False):
        raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")


def as_typed(name: str, value: object) -> str:
    """Return an option and its value as they are typed on a command line."""
    words = name.replace("_", "-")
    if value is False:
        return f"--no-{words}"
    if value is None or value is True or value is ...:
        return f"--{words}"
    if isinstance(value, Mapping):
        value = [f"{key}={number}" for key, number in value.items()]
    values = value if isinstance(value, list | tuple) else [value]
    return f"--{words} {shlex.join(map(str, values))}"


def read_config(args: argparse.Namespace) -> None:
    """Add to the arguments the options of a TOML file that are not among them.

    Its sections are those of a study: ``[masses]``, ``[options]``, ``[recruitment]``, ``[uncertainty]``. Options that
    the command lacks are left out.
    """
    from ..options.recording import Uncertainty
    from ..options.sections import SHARED, entries_of, read_section, read_toml

    table, path = read_toml(args.config, "file of options")
    for section, classes in SHARED.items():
        entries = entries_of(*classes)
        entries |= {"table": entries["masses"]} if section == "masses" else {}
        given = {key: _read(entries.get(key), value, path) for key, value in table.get(section, {}).items()}
        for key, value in read_section(given, entries, f"{path}, [{section}]").items():
            name = entries[key].keyword
            if args.parser.get_default(name) is not None and name not in args:
                setattr(args, name, value)
    if "band" in args and args.band is True and "uncertainty" in table:
        args.band = Uncertainty(**read_section(table["uncertainty"], entries_of(Uncertainty), f"{path}, [uncertainty]"))


def _read(entry: OptionField | None, value: Any, path: Path) -> Any:
    """Return a value of a file of options, in which paths are relative to the file."""
    if entry is None or entry.parse is None:
        return value
    if entry.parse is Path:
        return [path.parent / each for each in value] if isinstance(value, list) else path.parent / str(value)
    return entry.parse(value) if isinstance(value, str) else value

"""Arguments shared by commands; functions that make setups and inertial models from parsed arguments."""

from __future__ import annotations

import argparse
import math
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .._core.checks import check_file, check_model_file, check_picture, file_content, silenced, warn
from .._core.choices import ANEW, CACHE_VARIABLE, FORMATS, MOST_POSES, STRAINS_IN_WORDS
from .._core.errors import (
    FileFormatError,
    InertiaError,
    ModelError,
    Option,
    OptionError,
    first_of,
    nearest_file,
)
from .._core.options import Check, OptionField, Options, entries_of, whole
from .._core.representation import wrapped
from .._core.warnings import InputWarning, MissingGeometryWarning
from ..options.masses import MassOptions
from ..options.modelling import ModelOptions, StrainModel, Wrapping
from ..options.recording import Answers, Recording, Uncertainty, Wobble

if TYPE_CHECKING:
    import pandas as pd

    from .._core.opensim import osim
    from ..files.setups import MotionSetup
    from ..model import InertialModel

#: Exit codes if some or all trials or tasks failed.
SOME_FAILED, ALL_FAILED = 1, 2
#: Description of ``--report`` files.
REPORT = "page for any browser: changes, curves, a moving view, assumptions"
#: Descriptions of mass-point files.
POINTS = "mass points, for OpenSim's GUI: File > Preview Experimental Data"
TRAJECTORIES = "also write the mass points' trajectories, for OpenSim's GUI"
#: Help of ``--muscles``.
ONLY = "only these; names or patterns such as '*_r'"
#: Placeholders of files and folders.
PATHS = frozenset({"CSV", "DIR", "FILE", "JSON", "MOT", "OSIM", "STO", "TOML", "TRC", "XML"})
#: Expected tags of :func:`~opensim_inertia._core.checks.file_content`, by content.
TAGS = {"coordinates": "table", "speeds": "table", "external loads": "ExternalLoads", "actuators": "ForceSet"}

Setup = TypeVar("Setup", bound="MotionSetup")


def add(
    group: Any,
    flags: str,
    help: str,
    metavar: str | None = None,
    kind: Any = None,
    choices: Sequence[str] = (),
    default: Any = None,
    check: Check | None = None,
) -> None:
    """Add an option with ``choices`` or ``metavar`` (ending in "...": several values); with neither, add a switch."""
    about: dict[str, Any] = {"help": help}
    if choices:
        about |= {"choices": choices, "default": default or choices[0]}
    elif metavar is None:
        about["action"] = "store_true"
    else:
        name = metavar.removesuffix("...")
        about |= {"metavar": name, "type": kind or (Path if name in PATHS else str), "default": default}
        if name != metavar:
            about |= {"nargs": "+", "action": "extend", "default": []}
    if choices or default is not None:
        about["help"] += " (default: %(default)s)"
    action = group.add_argument(*flags.split(", "), **about)
    if check is not None:
        group.set_defaults(checks={**(group.get_default("checks") or {}), action.dest: check})


def check_values(args: argparse.Namespace) -> None:
    """Run the checks of given arguments; a check raises OptionError for an invalid value."""
    for name, check in (args.parser.get_default("checks") or {}).items():
        values = getattr(args, name)
        for value in values if isinstance(values, list) else [values]:
            if value is not None:
                check(name, value)


def existing(what: str) -> Check:
    """Return a check that raises an error if a file does not exist."""
    return lambda _, path: check_file(path, what)


def add_options(group: Any, *classes: type[Options], only: Sequence[str] = ()) -> None:
    """Add fields of option classes as command-line options; ``only`` selects fields by name."""
    for entry in entries_of(*classes, only=tuple(only)).values():
        flag, about = entry.argument()
        group.add_argument(flag, **about)


def is_model(_: str, path: Path) -> Path:
    """Return ``path``; raise ModelError unless ``path`` is an existing model file."""
    return check_model_file(path)


def add_model(parser: Any, text: str = "the model", **about: Any) -> None:
    """Add the model as a positional argument."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help=text, **about)
    parser.set_defaults(checks={**(parser.get_default("checks") or {}), "model": is_model})


def add_motion(group: Any, motion: str = "the coordinates, .mot or .sto", loads: str = "the external loads") -> None:
    """Add the options ``--motion`` and, unless the help text ``loads`` is empty, ``--external-loads``."""
    add(group, "--motion", motion, "MOT", check=existing("coordinates file"))
    if loads:
        add(group, "--external-loads", loads, "XML", check=existing("external loads file"))


def add_plot(group: Any, what: str) -> None:
    """Add the option ``--plot FILE`` for a picture; ``what`` is the subject in the help text."""
    add(
        group, "--plot", f"draw {what}, to a file .png, .svg or .pdf", "FILE", check=lambda _, path: check_picture(path)
    )


def add_poses(group: Any, poses: str, seed: str, defaults: Sequence[int | None] = (None, None)) -> None:
    """Add the options ``--poses`` (help text: ``poses``), ``--seed`` (help text: ``seed``) and ``--muscles``."""
    add(group, "--poses", poses, "N", int, default=defaults[0], check=whole(1, MOST_POSES))
    add(group, "--seed", seed, "S", int, default=defaults[1], check=whole(0, 2**63))
    group.add_argument("--muscles", nargs="+", action="extend", metavar="PATTERN", help=ONLY)


def add_inertial(parser: argparse.ArgumentParser, accelerations: bool = False, wobble: bool = False) -> None:
    """Add options of a model; ``accelerations`` adds ``--add-missing-inertia``, ``wobble`` adds options of wobble."""
    add_options(parser.add_argument_group("muscle masses"), MassOptions)
    group = parser.add_argument_group("where the mass lies")
    add_options(group, StrainModel)
    only = ("distribution", "points", *(["add_missing_inertia"] if accelerations else []))
    add_options(group, ModelOptions, only=only)
    add_options(group, Wrapping)
    text = f"look at the muscles' wraps again, and leave the cache alone (${CACHE_VARIABLE}, or the user's caches)"
    group.add_argument("--no-cache", dest="plan", action="store_const", const=ANEW, help=text)
    if wobble:
        group = parser.add_argument_group("bellies that wobble across their paths")
        add_options(group, Answers, only=("wobble",))
        add_options(group, Wobble)


def wobble_of_arguments(args: argparse.Namespace) -> Wobble | None:
    """Return the wobble options or, without ``--wobble``, None (InertiaError if other wobble options are given)."""
    if getattr(args, "wobble", False):
        return Wobble.of(vars(args))
    refuse(args, "it needs --wobble", *entries_of(Wobble))
    return None


def model_options(args: argparse.Namespace) -> ModelOptions:
    """Return the options of an inertial model from parsed arguments."""
    return ModelOptions.of(vars(args) | {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args))})


def check_inertial(args: argparse.Namespace) -> None:
    """Raise an error if an option of the inertial model or of the report is invalid or has no effect."""
    MassOptions.of(vars(args))
    for name, needed in (("belly", "uniform"), ("proximal_tendon", "rigid_tendon")):
        if model_options(args).strain_model.kind != needed:
            refuse(args, f"it needs --strain {needed}", name)
    wobble_of_arguments(args)
    if not getattr(args, "report", False):
        refuse(args, "it needs --report", "geometry", "markers", *([] if "cycles" in args else ["events"]))


def add_picture(group: Any) -> None:
    """Add ``--picture FORMAT``, and ``--no-picture``, which sets ``args.picture`` to None."""
    either = group.add_mutually_exclusive_group()
    add(either, "--picture", "format of pictures", choices=FORMATS)
    either.add_argument("--no-picture", dest="picture", action="store_const", const=None, help="write no pictures")


def add_report(group: Any, recorded: bool = True) -> None:
    """Add ``--report`` and its options; for a ``recorded`` motion also ``--markers`` and ``--events``."""
    add(group, "--report", "also write one self-contained page: curves, a moving view, assumptions")
    text = "folders of bones' meshes for --report, besides the model's and its Geometry"
    add(group, "--geometry", text, "DIR...", check=is_folder)
    if recorded:
        add(group, "--markers", "measured markers, which --report shows", "TRC", check=existing("file of markers"))
        text = "gait events for cycles (.csv, .xlsx): time, side, event (default: contacts by the ground forces)"
        add(group, "--events", text, "FILE", check=existing("file of events"))


def is_folder(option: str, path: Path) -> Path:
    """Return ``path``; raise OptionError unless ``path`` is an existing folder."""
    if not path.is_dir():
        raise OptionError(option, str(path), "a folder")
    return path


def named_numbers(option: str, entry: str, example: str) -> tuple[str, list[float]]:
    """Return name and numbers of ``entry``, such as "NAME=X,Y"; require as many numbers as in ``example``."""
    name, _, text = entry.rpartition("=")
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    n = example.count(",") + 1
    if not name or len(values) != n or not all(map(math.isfinite, values)):
        raise OptionError(option, entry, f"a name and {n} finite number{'s' if n > 1 else ''}, such as {example}")
    return name, values


def refuse(args: argparse.Namespace, why: str, *names: str) -> None:
    """Raise InertiaError, with the reason ``why``, if one of the named options is given."""
    for name in names:
        if getattr(args, name, None) not in (None, False, []):
            raise InertiaError(f"--{name.replace('_', '-')} has no effect here: {why}")


def as_typed(name: str, value: object) -> str:
    """Return an option and its value as text for the command line."""
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
    """Set options that the user did not type to values from the TOML file ``args.config``."""
    from ..options.sections import SHARED, read_section, read_toml

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
    """Return a value of TOML file ``path``, parsed by ``entry.parse``; relative paths start at the file's folder."""
    if entry is None or entry.parse is None:
        return value
    if entry.parse is Path:
        return [path.parent / each for each in value] if isinstance(value, list) else path.parent / str(value)
    return entry.parse(value) if isinstance(value, str) else value


def prepare(given: osim.Model | Path, args: argparse.Namespace, tell: Callable[[str], object] = print) -> InertialModel:
    """Return an inertial model of ``given``, a file or a model; a given model is modified and must not be used again.

    Models with errors raise ModelError; other doubts give one warning per kind. ``tell`` receives a summary.
    """
    from .._core.diagnostics import raise_or_warn
    from ..checks.bodies import Subject
    from ..checks.checking import grouped, model_errors
    from ..model import InertialModel
    from ..muscles.masses.estimate import estimated_masses
    from ..opensim_model.reading.loading import initialise, load_model

    model = load_model(given) if isinstance(given, Path) else given
    initialise(model)
    ready = Subject(model, model.getName() or "the model")  # read once for checks, masses and the model
    found = model_errors(ready)
    doubtful = grouped([finding for finding in found if finding.severity != "note"])
    said = raise_or_warn(doubtful, ModelError, getattr(args, "strict", False))
    body_mass = math.fsum(body.getMass() for body in model.getBodySet())
    options = model_options(args)
    # masses of a ``path_model`` are checked against the model
    path_model = options.paths.path_model
    masses = estimated_masses(ready if path_model is None else path_model, **MassOptions.of(vars(args)).arguments)
    inertial = InertialModel(ready, masses, **options.values())
    inertial.input_notes = tuple(said)
    share = f" of {body_mass:.4g} kg" if body_mass > 0 else ""
    along = "continuous mass" if options.is_continuous else f"{options.points} mass points each"
    count, total = len(inertial.muscle_names), float(inertial.mass_table["mass"].sum())
    tell(
        f"model '{inertial.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'} with mass, "
        f"{total:.4g} kg{share}; {STRAINS_IN_WORDS[options.strain_model.kind]}, {along}"
    )
    for why, names in (
        ("no mass is known for them", masses.attrs["not_covered"]),
        ("their paths cannot carry mass", [*masses.attrs["unsupported"], *inertial.left_massless]),
    ):
        if names:
            tell(wrapped(f"massless, {why}: {first_of(names)}"))
    return inertial


def announce_report(args: argparse.Namespace, inertial: InertialModel, motion: Path | None = None) -> None:
    """Warn of missing bone meshes; raise an error for markers or events outside the motion's times."""
    if args.report:
        from ..reports import missing_meshes

        if (warning := missing_meshes(inertial.model, args.geometry)) is not None:
            warn(warning)
    if motion is not None and (args.markers or args.events):
        from ..files.tables import read_table
        from ..reports import check_recordings

        times = read_table(motion, in_degrees=False).index.to_numpy()
        check_recordings(args.markers, args.events, times)


def add_setup(parser: argparse.ArgumentParser, tools: str, folders: bool = False) -> None:
    """Add the positional argument SETUP.xml; with ``folders``, also allow a folder of trials, and add ``--trial``."""
    name, what = ("SETUP.xml|FOLDER", ", or a folder of trials") if folders else ("SETUP.xml", "")
    text = f"setup of OpenSim's {tools}{what}; without one, give --model and --motion"
    parser.add_argument("setup", type=Path, nargs="?", metavar=name, help=text)
    if folders:
        add(parser, "--trial", "trials of FOLDER that are solved (default: all), each into its own folder", "NAME...")


def add_replacements(parser: argparse.ArgumentParser) -> Any:
    """Add options that replace entries of a setup; return their argument group."""
    group = parser.add_argument_group("inputs, instead of the setup's")
    add(group, "--model", "the model", "OSIM")
    add_motion(group)
    add_options(group, Recording, only=("cutoff", "assemble", "as_recorded", "interpolate_jumps", "time_range"))
    add_unit(group)
    add(group, "--with-contacts", "let contacts with ground act also on bodies that external loads press")
    add_options(group, Answers, only=("implausible",))
    return group


def add_unit(group: Any) -> None:
    """Add options for the unit of angles in a motion file."""
    either = group.add_mutually_exclusive_group()
    for flag, value, unit in (("--in-degrees", True, "degrees"), ("--in-radians", False, "radians")):
        text = f"the motion's angles are in {unit}, whatever its header says; for files without a header"
        either.add_argument(flag, dest="in_degrees", action="store_const", const=value, default=None, help=text)


def motion_as_said(motion: Path, args: argparse.Namespace) -> Path | pd.DataFrame:
    """Return the motion's path or, if the unit of angles is given, the table read with this unit."""
    from ..files.tables import read_table

    return motion if args.in_degrees is None else read_table(motion, args.in_degrees)


def recording_of(setup: MotionSetup, args: argparse.Namespace, values: Mapping[str, Any]) -> Recording:
    """Return the recording with the setup's motion and other options from ``values``."""
    assert setup.coordinates_file is not None
    return Recording.of({**values, "motion": motion_as_said(setup.coordinates_file, args)})


def check_setup(args: argparse.Namespace) -> None:
    """Raise an error unless a setup, or both model and motion, are given."""
    if "trial" in args and args.setup is not None and args.setup.is_dir():
        return
    refuse(args, "it needs a folder of trials", "trial")
    if args.setup is not None:
        check_file(args.setup, "setup file")
    elif args.model is None or args.motion is None:
        see = f"(see '{args.parser.prog} --help')"
        raise InertiaError(f"expected a setup file, or --model and --motion {see}")


def with_options(setup: Setup, args: argparse.Namespace) -> Setup:
    """Return the setup after replacing entries by typed options, and missing files by files of the same name nearby."""
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
    """Write the report on the result of a recorded motion."""
    from ..reports import report

    with silenced(MissingGeometryWarning):
        report(result, path, inertial, args.geometry, markers=args.markers, events=args.events)


def print_result(result: Any, **shown: bool) -> None:
    """Print the summary and notes of a recorded motion's result; ``summary_text`` gets the options ``shown``."""
    print(result.summary_text(**shown))
    if residuals := result.provenance.get("residuals"):
        print("\n" + wrapped(residuals["verdict"]))
    if result.motion is not None:
        notes = [finding.message for finding in result.motion.findings if finding.severity == "note"]
        for number, note in enumerate(notes):
            text = "".join(as_typed(p.name, p.value) if isinstance(p, Option) else str(p) for p in note)
            print(("" if number else "\n") + wrapped(f"note: {text}"))


def files_of(args: argparse.Namespace, setup: Path | None, *named: Path | None) -> list[Path | None]:
    """Return the paths of model, motion and loads given in ``args``; for absent ones, the setup's paths ``named``."""
    from ..files.setups import file_beside

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
    """Raise an error if a file is missing or is not the kind of file that ``what`` names."""
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

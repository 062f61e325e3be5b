"""The inertial model of a command's arguments."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.choices import STRAINS_IN_WORDS
from .._core.errors import ModelError
from .._core.errors import first_of as listed

if TYPE_CHECKING:
    from .._core.opensim import osim
    from ..checks.bodies import Subject
    from ..model import InertialModel
    from ..options.modelling import ModelOptions


def model_options(args: argparse.Namespace) -> ModelOptions:
    """Return where the arguments say that mass lies."""
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    values = vars(args) | {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args))}
    return ModelOptions.of(values)


def prepare(given: osim.Model | Path, args: argparse.Namespace, silent: bool = False) -> InertialModel:
    """Return an inertial model, of a model or of the model of a file, with the muscles' mass where the options say.

    A model becomes that of the inertial model: it must not be used any more. Printed is how many muscles have mass.
    """
    from ..model import InertialModel
    from ..muscles.masses import estimate_masses
    from ..opensim_model.reading.loading import load_model
    from ..options.masses import MassOptions
    from .output import wrapped

    model = load_model(given) if isinstance(given, Path) else given
    ready, said = _inspected(model, getattr(args, "strict", False))
    body_mass = math.fsum(body.getMass() for body in model.getBodySet())
    options = model_options(args)
    # a model of paths has others, and perhaps other muscles: what it says is checked against this one
    path_model = options.paths.path_model
    paths = ready if path_model is None else load_model(path_model)
    masses = estimate_masses(paths, **MassOptions.of(vars(args)).arguments)
    inertial = InertialModel(ready, masses, **options.values())
    inertial.input_notes = tuple(said)
    if silent:
        return inertial
    share = f" of {body_mass:.4g} kg" if body_mass > 0 else ""
    along = "continuous mass" if options.is_continuous else f"{options.points} mass points each"
    count, total = len(inertial.muscle_names), float(inertial.masses["mass"].sum())
    print(
        f"model '{inertial.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'} with mass, "
        f"{total:.4g} kg{share}; {STRAINS_IN_WORDS[options.strain_model.kind]}, {along}"
    )
    for why, names in (
        ("no mass is known for them", masses.attrs["not_covered"]),
        ("their paths cannot carry mass", [*masses.attrs["unsupported"], *inertial.left_massless]),
    ):
        if names:
            print(wrapped(f"massless, {why}: {listed(names)}"))
    return inertial


def _inspected(model: osim.Model, strict: bool) -> tuple[Subject, list[str]]:
    """Refuse a model with which results would mean nothing, and warn once of each kind of doubt."""
    from .._core.diagnostics import raise_or_warn
    from ..checks import grouped, model_findings
    from ..checks.bodies import Subject
    from ..opensim_model.reading.loading import initialise

    initialise(model)
    subject = Subject(model, model.getName() or "the model")
    doubtful = [finding for finding in model_findings(subject) if finding.severity != "note"]
    return subject, raise_or_warn(grouped(doubtful), ModelError, strict)


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

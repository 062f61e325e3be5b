"""The mass table and the inertial model that the shared options of commands ask for."""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from .._core.checks import check_tension
from .._core.errors import ModelError
from .._core.findings import act_on
from .._core.opensim import osim, quiet
from ..inspection import grouped, model_findings
from ..inspection.subject import Subject
from ..model import InertialModel
from ..model.model import with_input_notes
from ..muscles.masses.estimate import estimate_supported
from ..opensim_model.reading import initialise, load_model
from ..options import Handsfield, MassEstimate, ModelOptions, SpecificTension, StrainModel, Wrapping
from .arguments.shared import DEFAULT_TENSION

__all__ = ["Prepared", "mass_table", "prepare"]


def mass_table(model: osim.Model, args: argparse.Namespace) -> pd.DataFrame:
    """Return the mass table that the options ask for; its ``attrs["unsupported"]`` lists muscles left out."""
    return estimate_supported(
        model,
        args.unsupported,
        method=_estimate(args),
        muscles=args.muscles,
        table=args.masses,
        reference=args.reference,
        overdrawn=args.overdrawn,
    )


def _estimate(args: argparse.Namespace) -> MassEstimate | None:
    """Return how masses are estimated; None where they are in a table."""
    if args.masses is not None:
        return None
    if args.method == Handsfield.name:
        return Handsfield.of(vars(args))
    return SpecificTension(check_tension("specific_tension", args.specific_tension or DEFAULT_TENSION, "MPa"))


@dataclass(frozen=True)
class Prepared:
    """An inertial model and what to tell the user about it.

    Attributes:
        inertial: the model.
        not_covered: muscles asked for that the mass table says nothing about.
        unsupported: muscles that stay massless because their paths cannot carry mass.
        body_mass: mass of the model as given [kg].
        overdrawn: sentences about segments that were asked for more than they can give, and what was done.
    """

    inertial: InertialModel
    not_covered: tuple[str, ...]
    unsupported: tuple[str, ...]
    body_mass: float
    overdrawn: tuple[str, ...] = ()


def prepare(given: osim.Model | Path, args: argparse.Namespace) -> Prepared:
    """Return an inertial model, of a model or of the model of a file, with the muscles' mass where the options say."""
    with quiet():
        model = load_model(given) if isinstance(given, Path) else given
        said = _inspected(model, getattr(args, "strict", False))
        masses = mass_table(model if args.path_model is None else load_model(args.path_model), args)
        values = vars(args) | {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args))}
        inertial = InertialModel(model, masses, **ModelOptions.of(values).values())
        inertial = with_input_notes(inertial, said)
    bodies = model.getBodySet()
    body_mass = math.fsum(bodies.get(i).getMass() for i in range(bodies.getSize()))
    unsupported = (*masses.attrs["unsupported"], *inertial.left_massless)
    attrs = masses.attrs
    return Prepared(
        inertial, tuple(attrs.get("not_covered", ())), unsupported, body_mass, tuple(attrs.get("overdrawn", ()))
    )


def _inspected(model: osim.Model, strict: bool) -> list[str]:
    """Refuse a model with which results would mean nothing, warn once of each kind of doubt, and return what was said.

    The model, which is the command's own, is initialised: a copy of it would cost as much as the tests.

    Raises:
        ModelError: something in the model is an error, or ``strict`` and a warning.
    """
    subject = Subject(model, initialise(model), model.getName() or "the model")
    doubtful = [finding for finding in model_findings(subject) if finding.severity != "note"]
    return act_on(grouped(doubtful), ModelError, strict)

"""Options of commands for muscle masses and their places, and the inertial model made with them."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .._core.checks import check_tension
from .._core.choices import ANEW, CACHE_VARIABLE, ESTIMATES
from .._core.errors import InertiaError, ModelError
from .._core.parsing import positive
from .arguments import add_options, refuse

if TYPE_CHECKING:
    import pandas as pd

    from .._core.opensim import osim
    from ..model import InertialModel
    from ..opensim_model.reading.loading import InitialisedModel
    from ..options.masses import MassEstimate
    from ..options.wobble import Wobble

__all__ = [
    "Prepared",
    "add_mass_options",
    "add_material_options",
    "add_wobble_options",
    "check_options",
    "prepare",
    "supported_masses",
    "wobble_of_arguments",
]

DEFAULT_TENSION = "0.6MPa"


def add_mass_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what muscles weigh."""
    from ..options.modelling import ModelOptions

    group = parser.add_argument_group("muscle masses")
    group.add_argument(
        "--masses",
        type=Path,
        metavar="CSV",
        help="mass table (muscle, mass [kg], donor segment, lengths of belly and free tendons [m], sources) as "
        "'opensim-inertia masses -o' writes it; "
        "muscles that are not in it stay massless; default: estimate them",
    )
    group.add_argument(
        "--method",
        choices=ESTIMATES,
        help="how to estimate (default: specific_tension); handsfield needs --height",
    )
    group.add_argument(
        "--specific-tension",
        metavar="STRESS",
        help=f"of muscle with its unit, such as 0.6MPa or 600000Pa; a number is in MPa (default: {DEFAULT_TENSION})",
    )
    group.add_argument("--height", type=positive, metavar="m", help="the person's height in metres, for handsfield")
    group.add_argument(
        "--body-mass", type=positive, metavar="kg", help="the person's mass, for handsfield (default: the model's)"
    )
    group.add_argument(
        "--muscles",
        nargs="+",
        action="extend",
        metavar="PATTERN",
        help="only these muscles have mass; names or patterns such as '*_r'",
    )
    group.add_argument(
        "--reference",
        type=Path,
        metavar="FILE",
        help="static trial (.mot or .sto) whose mean pose is the reference, at which muscles are frozen to their donor "
        "segments (default: the model's default pose)",
    )
    add_options(group, ModelOptions, only=("unsupported",))


def add_material_options(parser: argparse.ArgumentParser, accelerations: bool = False) -> None:
    """Add the options that say where the muscles' mass lies; some only for commands that solve for accelerations."""
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    group = parser.add_argument_group("where the mass lies")
    add_options(group, StrainModel)
    add_options(
        group, ModelOptions, only=("distribution", "points", *(["add_missing_inertia"] if accelerations else []))
    )
    add_options(group, Wrapping)
    group.add_argument(
        "--no-cache",
        dest="plan",
        action="store_const",
        const=ANEW,
        default=None,
        help="look at the muscles' wraps anew, also where what was found of them before is in the cache "
        f"(${CACHE_VARIABLE}, or the platform's folder for a user's caches), and keep nothing there",
    )


def add_wobble_options(parser: argparse.ArgumentParser) -> None:
    """Add a group of arguments, ``--wobble`` among them."""
    from ..options.wobble import SWITCH, Wobble

    swinging = parser.add_argument_group("bellies that swing across their paths")
    flag, about = SWITCH.argument()
    swinging.add_argument(flag, **about)
    add_options(swinging, Wobble)


def wobble_of_arguments(args: argparse.Namespace) -> Wobble | None:
    """Return how bellies swing, None where they do not; refuse options that would have no effect."""
    from ..options.wobble import Wobble

    if not args.wobble:
        for entry in Wobble.asked().values():
            if entry.keyword in args:
                refuse(args, entry.keyword, "it needs --wobble")
        return None
    return Wobble.of(vars(args))


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that would have no effect, or whose value is not allowed."""
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    if args.masses is not None:
        for name in ("method", "specific_tension", "height", "body_mass"):
            refuse(args, name, "--masses is given: the masses come from that file")
    elif args.method == "handsfield":
        refuse(args, "specific_tension", "--method is handsfield")
        if args.height is None:
            raise InertiaError("--method handsfield needs --height, the person's height in metres")
    else:
        for name in ("height", "body_mass"):
            refuse(args, name, "it needs --method handsfield")
    if "strain" in args:
        for name, needed in (("belly", "uniform"), ("proximal_tendon", "rigid_tendon")):
            if args.strain != needed and name in args:
                refuse(args, name, f"it needs --strain {needed}")
        material = {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args)), "reference": None}
        ModelOptions.of(vars(args) | material)
    if args.specific_tension is not None:
        check_tension("specific_tension", args.specific_tension, "MPa")


def checked_masses(model: osim.Model | InitialisedModel, args: argparse.Namespace) -> pd.DataFrame:
    """Return the masses that the options ask for; the table's ``attrs["unsupported"]`` lists muscles left out."""
    from ..muscles.masses.estimate import estimate_supported

    return estimate_supported(
        model,
        args.unsupported,
        method=_estimate(args),
        muscles=args.muscles,
        table=args.masses,
        reference=args.reference,
    )


def supported_masses(model: osim.Model, args: argparse.Namespace) -> pd.DataFrame:
    """Return the masses that the options ask for, of muscles with supported paths; it initialises the model."""
    from ..model.muscles import unsupported_paths, without_unsupported

    ready = _initialised(model)
    table = checked_masses(ready, args)
    problems = unsupported_paths(ready.model, ready.coordinates)
    refused = [problems[name] for name in table["muscle"] if name in problems]
    if refused and args.unsupported == "error":
        raise refused[0]
    supported, left_out = without_unsupported(table, ready.model, ready.coordinates)
    supported.attrs = table.attrs | {"unsupported": [*table.attrs["unsupported"], *left_out]}
    return supported


def _estimate(args: argparse.Namespace) -> MassEstimate | None:
    """Return how masses are estimated; None where they are in a table."""
    from ..options.masses import Handsfield, SpecificTension

    if args.masses is not None:
        return None
    if args.method == Handsfield.name:
        return Handsfield.of(vars(args))
    return SpecificTension(check_tension("specific_tension", args.specific_tension or DEFAULT_TENSION, "MPa"))


class Prepared(NamedTuple):
    """An inertial model, muscles that stay massless and why, and the mass of the model as given [kg]."""

    inertial: InertialModel
    not_covered: tuple[str, ...]
    unsupported: tuple[str, ...]
    body_mass: float


def prepare(given: osim.Model | Path, args: argparse.Namespace) -> Prepared:
    """Return an inertial model, of a model or of the model of a file, with the muscles' mass where the options say.

    A model becomes that of the inertial model: it must not be used any more.
    """
    from .._core.opensim import quiet
    from ..model import InertialModel
    from ..model.model import with_input_notes
    from ..opensim_model.reading.loading import load_model
    from ..options.modelling import ModelOptions, StrainModel, Wrapping

    with quiet():
        model = load_model(given) if isinstance(given, Path) else given
        ready, said = _inspected(model, getattr(args, "strict", False))
        bodies = model.getBodySet()
        body_mass = math.fsum(bodies.get(i).getMass() for i in range(bodies.getSize()))
        # a model of paths has others, and perhaps other muscles: what it says is checked against this one
        masses = checked_masses(ready if args.path_model is None else _initialised(load_model(args.path_model)), args)
        values = vars(args) | {"strain": StrainModel.of(vars(args)), "wrapping": Wrapping.of(vars(args))}
        inertial = InertialModel(ready, masses, **ModelOptions.of(values).values())
        inertial = with_input_notes(inertial, said)
    attrs = masses.attrs
    unsupported = (*attrs["unsupported"], *inertial.left_massless)
    return Prepared(inertial, tuple(attrs.get("not_covered", ())), unsupported, body_mass)


def _initialised(model: osim.Model) -> InitialisedModel:
    """Initialise a model of the command's own."""
    from ..opensim_model.reading.loading import InitialisedModel, initialise

    initialise(model)
    return InitialisedModel(model)


def _inspected(model: osim.Model, strict: bool) -> tuple[InitialisedModel, list[str]]:
    """Refuse a model with which results would mean nothing, and warn once of each kind of doubt."""
    from .._core.diagnostics import raise_or_warn
    from ..checks import grouped, model_findings
    from ..checks.bodies import Subject

    ready = _initialised(model)
    subject = Subject(ready, model.getName() or "the model")
    doubtful = [finding for finding in model_findings(subject) if finding.severity != "note"]
    return ready, raise_or_warn(grouped(doubtful), ModelError, strict)

"""Options of an inertial model: strain, wrapping and others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from .._core.checks import check_choice
from .._core.choices import (
    ANEW,
    BELLIES,
    DISTRIBUTIONS,
    MOST_POINTS,
    STRAINS,
    WRAPPINGS,
    BellyPlace,
    Distribution,
    Strain,
    Unsupported,
    WrappingKind,
)
from .._core.errors import OptionError
from .._core.options import Options, between, by_muscle, number, option, whole
from .masses import unsupported_muscles

Belly = BellyPlace | tuple[float, float]
LENGTH = number(lambda value: 0 <= value < 1, "a length in metres, at least 0 and below 1")


def _check_belly(name: str, belly: Belly) -> Belly:
    if isinstance(belly, str):
        return check_choice(name, belly, BELLIES)
    pair = isinstance(belly, Sequence) and len(belly) == 2 and all(isinstance(x, int | float) for x in belly)
    if not pair or not 0 <= belly[0] < belly[1] <= 1:
        expected = "'central', 'proximal', 'distal' or (start, end) with 0 <= start < end <= 1"
        raise OptionError(name, belly, expected)
    return belly


def _check_plan(name: str, value: object) -> object:
    if isinstance(value, str) and value != ANEW:
        raise OptionError(name, value, f"`wraps` of an inertial model, '{ANEW}' or None")
    return value


@dataclass(frozen=True)
class StrainModel(Options):
    """The distribution of a muscle's strain along the path, and the place of the belly on the path.

    Functions also accept the kind alone, with default options. The choice affects results; see the documentation.
    """

    kind: Strain = option(
        STRAINS[0],
        "aponeurosis: fibres between aponeuroses of constant length; rigid_tendon: fibres in one place; uniform: the "
        "whole path stretches alike (Wang et al. 2022)",
        keyword="strain",
        choices=STRAINS,
    )
    belly: Belly | Mapping[str, Belly] = option(
        "central",
        "with strain uniform, place of the belly, the share l_opt / (l_opt + l_slack) of the path: central, proximal "
        "or distal; in Python also (start, end) as shares of the path, or a dict by muscle (others central)",
        check=by_muscle(_check_belly),
        parse=str,
        metavar="{central,proximal,distal}",
        only="command",
    )
    proximal_tendon: float | Mapping[str, float] = option(
        0.0,
        "with strain rigid_tendon, share of the tendon slack length at the origin; in Python also a dict by muscle",
        check=by_muscle(between(0, 1)),
        metavar="F",
        only="command",
    )

    def named_muscles(self) -> set[str]:
        """Return the muscles named in ``belly`` or ``proximal_tendon``, where these are dicts by muscle."""
        options = (self.belly, self.proximal_tendon)
        return {name for option in options if isinstance(option, Mapping) for name in option}

    def proximal_share(self, muscle: str) -> float:
        """Return the fraction of a muscle's tendon slack length that lies at the origin."""
        if isinstance(self.proximal_tendon, Mapping):
            return float(self.proximal_tendon.get(muscle, 0.0))
        return float(self.proximal_tendon)


@dataclass(frozen=True)
class Wrapping(Options):
    """The method for paths over wrap objects.

    Functions also accept the kind alone, with default options.
    """

    kind: WrappingKind = option(
        WRAPPINGS[0],
        "paths over wrap objects; analytic: geodesics with a smooth touch, where wraps allow it; opensim: "
        "OpenSim's own path, differentiated numerically; neural: a network (Wang et al. 2022)",
        keyword="wrapping",
        choices=WRAPPINGS,
    )
    smoothing: float | None = option(
        None,
        "half width of the transition at a touch (default: the belly's half thickness, a tenth to all of the object's "
        "smallest radius)",
        unit="m",
        check=LENGTH,
        metavar="M",
    )
    path_model: Any = option(
        None,
        "model (.osim) of the same bodies and muscles from which paths are read, where the model's have no geometry",
        parse=Path,
        metavar="OSIM",
        only="command",
        repr=False,
    )
    half_thickness: Mapping[str, float] | None = option(
        None,
        "half thickness of bellies by muscle, where it is known; of others by mass, density and belly length",
        unit="m",
        check=by_muscle(LENGTH),
        only="python",
        repr=False,
    )
    strict: bool = option(False, "an error in place of a path led by OpenSim, at all states or at one", only="python")
    warn_wraps: bool = option(
        True, "warn of smooth paths that are not where OpenSim's are", only="command", compare=False
    )
    plan: Any = option(
        None,
        "``wraps`` of another inertial model with the same muscles and geometry, which saves time; 'anew': leave the "
        "user's cache of wraps alone",
        check=_check_plan,
        only="python",
        compare=False,
        repr=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "opensim" and self.path_model is not None:
            raise OptionError("path_model", self.path_model, "None where wrapping is 'opensim', which asks the model")


def wrapping_of(wrapping: WrappingKind | Wrapping) -> Wrapping:
    """Return ``wrapping`` as a :class:`Wrapping`; the name of a method gives default options."""
    return wrapping if isinstance(wrapping, Wrapping) else Wrapping(wrapping)


@dataclass(frozen=True)
class ModelOptions(Options):
    """Options of an inertial model: all arguments except the model and the masses.

    Raises:
        OptionError: an option has an invalid value.
    """

    strain: Strain | StrainModel = option(
        STRAINS[0],
        "strain model, or its kind",
        check=lambda _, value: value if isinstance(value, StrainModel) else StrainModel(value),
        only="python",
    )
    distribution: Distribution = option(
        DISTRIBUTIONS[0], "mass along the belly: continuous (exact) or in points", choices=DISTRIBUTIONS
    )
    points: int = option(
        20,
        "mass points per muscle, for distribution points and for .trc files",
        check=whole(1, MOST_POINTS),
        metavar="N",
    )
    wrapping: WrappingKind | Wrapping = option(
        WRAPPINGS[0],
        "which way paths pass wrap objects: a wrapping, or its kind",
        check=lambda _, value: wrapping_of(value),
        only="python",
    )
    reference: Any = option(
        None,
        "the reference pose: None for the default pose, coordinate values, a static trial or a state, see "
        ":func:`~opensim_inertia.masses.reference_pose`",
        only="python",
    )
    unsupported: Unsupported = unsupported_muscles()
    add_missing_inertia: bool = option(
        False, "add to segments the mass and inertia that they lack for their muscles; results note it", only="command"
    )

    @property
    def strain_model(self) -> StrainModel:
        """The option ``strain`` as a :class:`StrainModel`."""
        return cast(StrainModel, self.strain)

    @property
    def paths(self) -> Wrapping:
        """The option ``wrapping`` as a :class:`Wrapping`."""
        return cast(Wrapping, self.wrapping)

    @property
    def is_continuous(self) -> bool:
        """Whether mass is distributed continuously along bellies; point masses given by the user stay points."""
        return self.distribution == "continuous"

    def described(self) -> dict[str, Any]:
        """Return the options that affect results, by name."""
        strain, paths = self.strain_model, self.paths
        placed = {"uniform": ["belly"], "rigid_tendon": ["proximal_tendon"]}.get(strain.kind, [])
        described = {"strain": strain.kind} | {name: getattr(strain, name) for name in placed}
        described |= {"distribution": self.distribution, "wrapping": paths.kind, "smoothing": paths.smoothing}
        described |= {} if self.is_continuous else {"points": self.points}
        described |= {"add_missing_inertia": True} if self.add_missing_inertia else {}
        return described | {"reference": "default pose" if self.reference is None else self.reference}


P = ParamSpec("P")
Owner = TypeVar("Owner")
Model = TypeVar("Model")
Masses = TypeVar("Masses")


def taking(
    options: Callable[P, ModelOptions],
) -> Callable[
    [Callable[[Owner, Model, Masses, ModelOptions], None]], Callable[Concatenate[Owner, Model, Masses, P], None]
]:
    """Return a decorator that replaces a method's :class:`ModelOptions` argument by the arguments of ``options``."""

    def decorate(
        method: Callable[[Owner, Model, Masses, ModelOptions], None],
    ) -> Callable[Concatenate[Owner, Model, Masses, P], None]:
        @wraps(method)
        def taker(self: Owner, model: Model, masses: Any = None, *args: P.args, **kwargs: P.kwargs) -> None:
            method(self, model, masses, options(*args, **kwargs))

        owner, model, masses, _ = signature(method).parameters.values()
        parameters = [owner, model, masses.replace(default=None)]
        taker.__doc__ = options.__doc__
        taker.__signature__ = Signature([*parameters, *signature(options).parameters.values()])  # type: ignore[attr-defined]
        return cast(Any, taker)

    return decorate

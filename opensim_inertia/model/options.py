"""The options of an inertial model: every argument besides the model and the masses, checked once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps as like
from inspect import Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import pandas as pd

from .._core.checks import check_choice, check_count
from .._core.choices import DISTRIBUTIONS, MOST_POINTS, TRANSFERS, UNSUPPORTED, WRAPPINGS
from .._core.errors import OptionError
from .._core.opensim import osim
from ..muscles.masses.donors import Reference
from ..muscles.material import Belly, StrainModel
from ..paths.wrapping import WrapPlan
from .checks import check_half_thickness, check_smoothing


@dataclass(frozen=True)
class Options:
    """The choices that say how muscles with mass are modelled.

    They are the arguments of :class:`InertialModel` besides the model and the masses.

    Args:
        strain: what stretches. "aponeurosis": fibres between aponeuroses, which with the free tendons do not stretch;
            the mass table says how long they are. "rigid_tendon": there is no aponeurosis. "uniform": the whole path
            stretches alike (Wang et al. 2022). The choice matters; see the documentation.
        distribution: "continuous" (exact) or "points".
        points: number of mass points per muscle for "points".
        wrapping: how paths pass wrap objects. "analytic": exact geodesics with a smooth touch, where a muscle's wraps
            allow it, else as "opensim". "opensim": OpenSim's own path, differentiated numerically. "neural": networks
            (as Wang et al. 2022) in place of the geodesics. "polynomial": OpenSim's own path, fitted by polynomials of
            the coordinates.
        polynomial_paths: with wrapping "polynomial", a JSON file of such paths, as ``leg.polynomial_paths.json``: read
            if it is there, else made and written. None: they are fitted anew, which takes a second for each muscle.
        fit_motion: with wrapping "polynomial", a motion (.mot or .sto file, or table) whose ranges of coordinates,
            the reference pose included, the paths are fitted for; None: the model's own ranges.
        path_model: a model of the same bodies, joints and muscles from which all paths are read, where the model's own
            have no geometry (FunctionBasedPath); an ``osim.Model`` or the path of an ``.osim`` file.
        smoothing: half width h of the transition at touch [m]; None: the half thickness of each muscle's belly, at
            least a tenth of the surface's smallest radius and at most all of it.
        half_thickness: of muscles' bellies [m], by muscle, where it is known; that of others follows from mass, density
            and belly length.
        strict: raise an error instead of falling back to "opensim", for a muscle altogether or where it has no smooth
            path at a state.
        belly: where the belly lies, with strain "uniform"; see :class:`~opensim_inertia.muscles.material.StrainModel`.
        proximal_tendon: the share of the tendon at the origin, with strain "rigid_tendon"; see the same.
        transfer: what segments give up. "conserving": what their muscles are, so that at the reference pose segment
            and muscles together keep the segment's mass, centre and inertia. "proportional": a fraction of themselves
            (Wang et al. 2022).
        reference: that pose: None for the default pose, coordinate values, a static trial or a state; see
            :func:`~opensim_inertia.muscles.masses.donors.reference_pose`. A model's own ``options`` have its coordinate
            values.
        unsupported: "error", or "massless" to leave muscles without mass (and their mass in the segments) whose path
            cannot carry it.
        warn_wraps: whether to warn of smooth paths that are not where OpenSim's are.
        wraps: ``.wraps`` of another model with the same muscles and geometry, which saves the time of looking at them
            again. The half widths of transitions are this model's own.

    Raises:
        OptionError: an option has a value that is not allowed.
    """

    strain: str = "aponeurosis"
    distribution: str = "continuous"
    points: int = 20
    wrapping: str = "analytic"
    polynomial_paths: str | os.PathLike[str] | None = field(default=None, kw_only=True, compare=False)
    fit_motion: str | os.PathLike[str] | pd.DataFrame | None = field(
        default=None, kw_only=True, compare=False, repr=False
    )
    path_model: osim.Model | str | os.PathLike[str] | None = field(default=None, kw_only=True, repr=False)
    smoothing: float | None = field(default=None, kw_only=True)
    half_thickness: Mapping[str, float] | None = field(default=None, kw_only=True, repr=False)
    strict: bool = field(default=False, kw_only=True)
    belly: Belly | Mapping[str, Belly] = field(default="central", kw_only=True)
    proximal_tendon: float | Mapping[str, float] = field(default=0.0, kw_only=True)
    transfer: str = field(default="conserving", kw_only=True)
    reference: Reference = field(default=None, kw_only=True)
    unsupported: str = field(default="error", kw_only=True)
    warn_wraps: bool = field(default=True, kw_only=True, compare=False)
    wraps: WrapPlan | None = field(default=None, kw_only=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        StrainModel(self.strain, self.belly, self.proximal_tendon)
        check_choice("distribution", self.distribution, DISTRIBUTIONS)
        check_choice("wrapping", self.wrapping, WRAPPINGS)
        if self.wrapping != "polynomial":
            for name in ("polynomial_paths", "fit_motion"):
                if getattr(self, name) is not None:
                    raise OptionError(name, getattr(self, name), "None, unless wrapping is 'polynomial'")
        if self.wrapping == "opensim" and self.path_model is not None:
            raise OptionError("path_model", self.path_model, "None where wrapping is 'opensim', which asks the model")
        check_choice("transfer", self.transfer, TRANSFERS)
        check_choice("unsupported", self.unsupported, UNSUPPORTED)
        object.__setattr__(self, "smoothing", check_smoothing(self.smoothing))
        for muscle, half in (self.half_thickness or {}).items():
            check_half_thickness(muscle, half)
        object.__setattr__(self, "points", check_count("points", self.points, MOST_POINTS))

    @property
    def strain_model(self) -> StrainModel:
        """The strain model that the options choose."""
        return StrainModel(self.strain, self.belly, self.proximal_tendon)

    @property
    def is_continuous(self) -> bool:
        """Whether mass is continuous where it is not explicit."""
        return self.distribution == "continuous"

    def described(self) -> dict[str, Any]:
        """Return the options that make a difference to results, by name."""
        placed = {"uniform": ["belly"], "rigid_tendon": ["proximal_tendon"]}.get(self.strain, [])
        named = ["strain", *placed, "transfer", "distribution", "wrapping", "smoothing"]
        named += [] if self.is_continuous else ["points"]
        named += ["polynomial_paths"] if self.polynomial_paths is not None else []
        reference = "default pose" if self.reference is None else self.reference
        return {name: getattr(self, name) for name in named} | {"reference": reference}


P = ParamSpec("P")
Owner = TypeVar("Owner")
Model = TypeVar("Model")
Masses = TypeVar("Masses")


def taking(
    options: Callable[P, Options],
) -> Callable[[Callable[[Owner, Model, Masses, Options], None]], Callable[Concatenate[Owner, Model, Masses, P], None]]:
    """Let a method of a model, masses and :class:`Options` take the options as arguments of its own.

    Its signature and its documentation, as ``help`` shows them, are those of the options.
    """

    def decorate(
        method: Callable[[Owner, Model, Masses, Options], None],
    ) -> Callable[Concatenate[Owner, Model, Masses, P], None]:
        @like(method)
        def taker(self: Owner, model: Model, masses: Masses, *args: P.args, **kwargs: P.kwargs) -> None:
            method(self, model, masses, options(*args, **kwargs))

        own = list(signature(method).parameters.values())[:-1]
        taker.__doc__ = options.__doc__
        taker.__signature__ = Signature([*own, *signature(options).parameters.values()])  # type: ignore[attr-defined]
        return cast(Any, taker)

    return decorate

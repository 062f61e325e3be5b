"""Which way of wrapping each muscle goes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._opensim import osim
from ..errors import UnsupportedPathError
from ..reading import CoordinateTable, MusclePath
from .networks import find_network
from .sites import WrapSite, survey

#: Names of the ways of wrapping.
WRAPPINGS = ("analytic", "library", "neural")


class WrappingFallbackWarning(UserWarning):
    """A muscle's wraps cannot go the way asked for; another is used instead."""


@dataclass(frozen=True)
class WrapPlan:
    """The way of each wrapping muscle.

    Attributes:
        sites: surfaces that the kernel leads the path over, in their order along it, by muscle; with its own formula, or
            with a network.
        library: muscles whose path is OpenSim's own, and why: what the user asked for, or what stands in the way.
        notes: what was noticed about a muscle's wraps.
    """

    sites: dict[str, tuple[WrapSite, ...]]
    library: dict[str, str]
    notes: dict[str, tuple[str, ...]]


def plan_wraps(
    way: str,
    model: osim.Model,
    coordinates: CoordinateTable,
    muscles: Sequence[MusclePath],
    smoothing: float | None = None,
    strict: bool = False,
) -> WrapPlan:
    """Choose the way of every wrapping muscle.

    Args:
        way: one of ``WRAPPINGS``.
        model: an initialised model.
        coordinates: its coordinates.
        muscles: paths of the muscles that wrap.
        smoothing: half width of the transition at touch [m]; None: a share of each surface's radius.
        strict: raise instead of falling back to ``library``.

    Raises:
        UnsupportedPathError: ``strict``, and a muscle cannot go the way asked for; names it.
    """
    if way == "library" or not muscles:
        return WrapPlan({}, {path.muscle: "asked for" for path in muscles}, {})
    seen = survey(model, coordinates, muscles, smoothing)
    reasons = {name: found.reason for name, found in seen.items() if found.reason}
    _fall_back(reasons, strict)
    sites = {name: found.sites for name, found in seen.items() if not found.reason}
    if way == "neural":
        sites = {path.muscle: _with_networks(path, sites[path.muscle], strict) for path in muscles if path.muscle in sites}
    return WrapPlan(
        sites,
        reasons,
        {name: found.notes for name, found in seen.items() if found.notes},
    )


def _with_networks(path: MusclePath, sites: tuple[WrapSite, ...], strict: bool) -> tuple[WrapSite, ...]:
    """Sites with their networks; without, and with a warning, where one has none."""
    result = []
    for site in sites:
        weights = find_network(path, site)
        if weights is None:
            reason = f"no network has been trained for its {site.surface.kind} '{site.surface.name}'"
            if strict:
                raise UnsupportedPathError(path.muscle, "its wraps", f"cannot be led by networks: {reason}")
            warnings.warn(
                f"muscle '{path.muscle}': {reason}; the analytic path is used there. "
                "'opensim-inertia train MODEL' trains those that a model needs",
                WrappingFallbackWarning,
                stacklevel=5,
            )
        result.append(replace(site, network=weights))
    return tuple(result)


def _fall_back(reasons: dict[str, str], strict: bool) -> None:
    """Warn of each muscle that goes the ``library`` way, or raise for the first."""
    for name, reason in reasons.items():
        if strict:
            raise UnsupportedPathError(name, "its wraps", f"cannot be led smoothly: {reason}")
        warnings.warn(
            f"muscle '{name}': its wraps cannot be led smoothly ({reason}); OpenSim's own path is used for it "
            "(wrapping='library': slower, with jumps of its Jacobian at touch)",
            WrappingFallbackWarning,
            stacklevel=4,
        )

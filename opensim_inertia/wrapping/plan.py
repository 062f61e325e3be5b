"""Which way of wrapping each muscle goes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from .._opensim import osim
from ..errors import UnsupportedPathError
from ..reading import CoordinateTable, MusclePath
from .sites import WrapSite, survey

#: Names of the ways of wrapping.
WRAPPINGS = ("analytic", "library")


class WrappingFallbackWarning(UserWarning):
    """A muscle's wraps cannot be led smoothly; OpenSim's own path is used instead."""


@dataclass(frozen=True)
class WrapPlan:
    """The way of each wrapping muscle.

    Attributes:
        sites: surfaces that the kernel leads the path over, in their order along it, by muscle.
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
    fall_back(reasons, strict)
    return WrapPlan(
        {name: found.sites for name, found in seen.items() if not found.reason},
        reasons,
        {name: found.notes for name, found in seen.items() if found.notes},
    )


def fall_back(reasons: dict[str, str], strict: bool) -> None:
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

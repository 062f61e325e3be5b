"""The plan of wraps, which says for each muscle in which way its path is led over wrap objects."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..checks import outside
from ..errors import InertiaWarning, Option, UnsupportedPathError
from ..reading import CoordinateTable, MusclePath
from .networks.stored import find_network
from .survey import WrapSite, survey

#: A path led smoothly is OpenSim's if their lengths differ by less [m] at all but a share of the survey's poses.
DIFFERENT = 2e-3
DIFFERENT_SHARE = 0.5
NOTED_SHARE = 0.05


class WrappingFallbackWarning(InertiaWarning):
    """A muscle's wraps cannot go the way asked for; another is used instead."""


@dataclass(frozen=True)
class WrapPlan:
    """The ways in which the wrapping muscles' paths are led.

    Attributes:
        sites: wrap sites over which the kernel leads the path, in their order along it, by muscle; with its own formula
            or with a network.
        opensim: reasons why a muscle's path is OpenSim's own, by muscle: the user asked for it, or something stands in
            the way of a smooth path.
        notes: remarks about a muscle's wraps, by muscle.
        lengths: lengths of OpenSim's paths at the survey's poses, (poses,) [m], by muscle; nan where they cannot be
            compared.
    """

    sites: dict[str, tuple[WrapSite, ...]]
    opensim: dict[str, str]
    notes: dict[str, tuple[str, ...]]
    lengths: dict[str, Array] = field(default_factory=dict)

    def check(self, own: Mapping[str, Array], strict: bool) -> WrapPlan:
        """Return the plan in which muscles whose smooth paths are not OpenSim's go OpenSim's way, with a warning each.

        Args:
            own: lengths of the smooth paths at the survey's poses, (poses,) [m], by muscle; nan where there is none.
            strict: raise instead.

        Raises:
            UnsupportedPathError: ``strict``, and a muscle's path is not OpenSim's.
        """
        reasons, notes = {}, dict(self.notes)
        for name, lengths in own.items():
            theirs = self.lengths[name]
            compared = np.isfinite(theirs)
            width = max((site.smoothing for site in self.sites[name]), default=0.0)
            differs = ~(np.abs(lengths - theirs) < DIFFERENT + 0.2 * width) & compared
            share = differs.sum() / max(compared.sum(), 1)
            if share > NOTED_SHARE:
                finding = (
                    f"OpenSim's path is longer or shorter by more than {1e3 * DIFFERENT:.0f} mm, or there is none, at "
                    f"{100 * share:.0f} % of poses"
                )
                if share > DIFFERENT_SHARE:
                    reasons[name] = finding
                else:
                    notes[name] = (*notes.get(name, ()), finding)
        _fall_back(reasons, strict)
        sites = {name: found for name, found in self.sites.items() if name not in reasons}
        return replace(self, sites=sites, opensim=self.opensim | reasons, notes=notes)


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
        way: one of :data:`~opensim_inertia.choices.WRAPPINGS`.
        model: an initialised model.
        coordinates: its coordinates.
        muscles: paths of the muscles that wrap.
        smoothing: half width of the transition at touch [m]; None: a share of each surface's radius.
        strict: raise instead of falling back to ``opensim``.

    Raises:
        UnsupportedPathError: ``strict``, and a muscle cannot go the way asked for; names it.
    """
    if way == "opensim" or not muscles:
        return WrapPlan({}, {path.muscle: "asked for" for path in muscles}, {})
    seen = survey(model, coordinates, muscles, smoothing)
    reasons = {name: found.reason for name, found in seen.items() if found.reason}
    _fall_back(reasons, strict)
    sites = {name: found.sites for name, found in seen.items() if not found.reason}
    if way == "neural":
        sites = {
            path.muscle: _with_networks(path, sites[path.muscle], strict) for path in muscles if path.muscle in sites
        }
    return WrapPlan(
        sites,
        reasons,
        {name: found.notes for name, found in seen.items() if found.notes},
        {name: found.lengths for name, found in seen.items() if not found.reason},
    )


def _with_networks(path: MusclePath, sites: tuple[WrapSite, ...], strict: bool) -> tuple[WrapSite, ...]:
    """Return sites with their networks; a site that has none stays as it is, with a warning."""
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
                stacklevel=outside(),
            )
        result.append(replace(site, network=weights))
    return tuple(result)


def _fall_back(reasons: dict[str, str], strict: bool) -> None:
    """Warn of each muscle that goes the ``opensim`` way, or raise for the first."""
    for name, reason in reasons.items():
        if strict:
            raise UnsupportedPathError(name, "its wraps", f"cannot be led smoothly: {reason}")
        warning = WrappingFallbackWarning(
            f"muscle '{name}': its wraps cannot be led smoothly ({reason}); OpenSim's own path is used for it (",
            Option("wrapping", "opensim"),
            ": slower, with jumps of its Jacobian at touch)",
        )
        warnings.warn(warning, stacklevel=outside())

"""Descriptions of an inertial model: provenance of its results, and text at the prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core.provenance import plain, versions
from .._core.representation import some_names
from ..options.modelling import ModelOptions
from ..paths.wrapping.plan import WrapPlan
from .muscles import InertialMuscles


def origin_of_results(
    model: Mapping[str, Any],
    options: ModelOptions,
    muscles: InertialMuscles,
    wraps: WrapPlan,
    segments: Sequence[Mapping[str, Any]],
    left_massless: Sequence[str],
    notes: Sequence[str],
) -> dict[str, Any]:
    """Return the provenance of an inertial model's results, without the mass table, in types of JSON."""
    details = [wraps.describe_differences()] if options.paths.warn_wraps and not wraps.is_as_opensim else []
    return plain(
        {
            "versions": versions(),
            "model": model,
            "options": options.described() | _touch(options, wraps),
            "muscle mass [kg]": float(sum(muscles.masses.values())),
            "muscles with mass": len(muscles.masses),
            "left massless": left_massless,
            "point masses": {
                name: {"fractions": points.fractions, "masses": points.masses}
                for name, points in muscles.explicit.items()
            },
            "segments": segments,
            "paths led by OpenSim": wraps.opensim,
            "paths off OpenSim's, at least [m]": {name: d.size for name, d in wraps.different.items()},
            "half widths of touch, least and largest [m]": wraps.touch_half_widths,
            "warnings": [*notes, *details],
        }
    )


def _touch(options: ModelOptions, wraps: WrapPlan) -> dict[str, str]:
    """Return the description of the half width of the transition at touch, if the user did not name it."""
    widths = [width for pair in wraps.touch_half_widths.values() for width in pair]
    if options.paths.smoothing is not None or not widths or not max(widths):
        return {}
    if options.paths.kind == "neural":
        return {"smoothing": "that of the networks"}
    least, most = 1e3 * min(widths), 1e3 * max(widths)
    return {"smoothing": f"half thickness of each belly, from {least:.1f} to {most:.1f} mm"}


def described(
    name: str, options: ModelOptions, muscles: InertialMuscles, wraps: WrapPlan, segments: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return the main facts of an inertial model, by name."""
    led = len(wraps.opensim)
    way: str = options.paths.kind
    if led and way != "opensim":
        way += f", {led} muscle{'s' if led > 1 else ''} by OpenSim"
    points = "continuous mass" if options.is_continuous else f"{options.points} points per muscle"
    total = sum(muscles.masses.values())
    return {
        "model": name,
        "muscles with mass": f"{len(muscles.masses)} with {total:.4g} kg, {some_names(muscles.names)}",
        "donor segments": some_names([f"{each['segment']} {each['muscles']:.3g} kg" for each in segments]),
        "strain": f"{options.strain_model.kind}, {points}",
        "wrapping": way,
    }

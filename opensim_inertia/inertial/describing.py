"""What is told of an inertial model: what its results are made of, and what matters at the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..provenance import plain, versions
from ..representation import some_names

if TYPE_CHECKING:
    from .model import InertialModel

__all__ = ["described", "origin_of_results"]


def origin_of_results(inertial: InertialModel, model: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells how results of an inertial model are made, the mass table but for; JSON knows its types.

    Args:
        inertial: the model.
        model: the description of the model that it was made of.
    """
    wraps, muscles = inertial.wraps, inertial.muscles
    return plain(
        {
            "versions": versions(),
            "model": model,
            "options": inertial.options.described(),
            "muscle mass [kg]": float(sum(muscles.masses.values())),
            "muscles with mass": len(muscles.masses),
            "left massless": inertial.left_massless,
            "point masses": {
                name: {"fractions": points.fractions, "masses": points.masses}
                for name, points in muscles.explicit.items()
            },
            "segments": inertial.segments.reset_index().to_dict("records"),
            "paths led by OpenSim": wraps.opensim,
            "paths off OpenSim's, at least [m]": {name: max(d.points, d.length) for name, d in wraps.different.items()},
            "paths fitted by polynomials": {name: fitted.described() for name, fitted in wraps.fitted.items()},
            "warnings": list(inertial.notes),
        }
    )


def described(inertial: InertialModel) -> dict[str, str]:
    """Return what matters of an inertial model, by what it is called."""
    masses, segments, options = inertial.muscles.masses, inertial.segments, inertial.options
    led = len(inertial.wraps.opensim)
    by_opensim = f", {led} muscle{'s' if led > 1 else ''} by OpenSim" if led else ""
    if inertial.wraps.fitted:
        by_opensim += f", at most {1e3 * max(f.largest for f in inertial.wraps.fitted.values()):.2g} mm off"
    points = "continuous mass" if options.is_continuous else f"{options.points} points per muscle"
    return {
        "model": inertial.model.getName(),
        "muscles with mass": f"{len(masses)} with {sum(masses.values()):.4g} kg, {some_names(inertial.muscle_names)}",
        "donor segments": some_names([f"{name} {mass:.3g} kg" for name, mass in segments["given up"].items()]),
        "strain": f"{options.strain}, {points}",
        "wrapping": options.wrapping + (by_opensim if options.wrapping != "opensim" else ""),
        "transfer": options.transfer,
    }

"""Polynomial paths of an inertial model: fitted over its wrap objects, or taken from its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import MotionError, Option
from .._core.findings import act_on
from .._core.opensim import osim
from .._core.warnings import PolynomialPathWarning
from ..opensim_model.reading import CoordinateTable, MusclePath, load_motion
from ..options import ModelOptions
from ..paths.polynomial import fit_polynomial_paths, load_polynomial_paths
from ..paths.wrapping import CLOSE, PolynomialPath, WrapPlan

#: Jumps that a warning names for each muscle.
MOST_NAMED = 1


def polynomial_plan(
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
    options: ModelOptions,
) -> WrapPlan:
    """Return the plan in which polynomials lead wrapping muscles, and warn of those that are not close to OpenSim's.

    Args:
        model: the initialised model that has the paths.
        coordinates: its coordinates.
        bodies: names of all bodies that the muscles touch.
        paths: the paths of the wrapping muscles.
        options: the wrapping and ``reference`` (coordinate values by name) count.

    Raises:
        UnsupportedPathError: a wrap object cannot be wrapped.
        FileFormatError, OtherModelError: the file of polynomial paths is damaged, or of another model.
    """
    file = None if options.paths.polynomial_paths is None else Path(options.paths.polynomial_paths)
    if file is not None and file.exists():
        fitted = load_polynomial_paths(file, model, coordinates, bodies, paths)
    else:
        fitted = fit_polynomial_paths(model, coordinates, bodies, paths, _poses(model, coordinates, options))
        if file is not None:
            fitted.save(file)
    off = {name: path for name, path in fitted.items() if not path.is_close}
    if off and options.paths.warn_wraps:
        warn(_about(off))
    return WrapPlan({}, {}, {}, polynomial_paths=dict(fitted))


def _poses(model: osim.Model, coordinates: CoordinateTable, options: ModelOptions) -> Array | None:
    """Return the motion's poses, and the reference pose, at which the muscles' mass is frozen."""
    if options.paths.fit_motion is None:
        return None
    reference = coordinates.defaults.copy()
    if isinstance(options.reference, Mapping):
        for name, value in options.reference.items():
            reference[coordinates.index(name)] = value
    motion = load_motion(options.paths.fit_motion, model, coordinates.names)
    act_on(motion.findings, MotionError)
    return np.vstack([motion.q, reference])


def _about(off: Mapping[str, PolynomialPath]) -> PolynomialPathWarning:
    """Return the warning about polynomial paths that are far from OpenSim's, the farthest first."""
    each = []
    for name, fitted in sorted(off.items(), key=lambda item: -item[1].largest):
        jumps = [
            f"OpenSim's path jumps by {1e3 * jump.size:.0f} mm, as at "
            + ", ".join(f"{coordinate} {value:.3f}" for coordinate, value in jump.pose.items())
            for jump in fitted.jumps[:MOST_NAMED]
        ]
        left_out = [f"{fitted.left_out} poses beyond it were left out"] if fitted.left_out else []
        each.append(f"{name} ({'; '.join([f'{1e3 * fitted.largest:.1f} mm', *jumps, *left_out])})")
    return PolynomialPathWarning(
        f"polynomial paths are more than {1e3 * CLOSE:.0f} mm from OpenSim's somewhere in the ranges that "
        f"they were fitted for, or OpenSim's path jumps there: {', '.join(each)}. ",
        Option("fit_motion", "a motion"),
        " fits them for its ranges only; ",
        Option("warn_wraps", False),
        " leaves this warning out",
    )

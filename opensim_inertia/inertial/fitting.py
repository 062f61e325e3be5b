"""Paths over wrap objects fitted by polynomials for an inertial model, or taken from its file of fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..checks import warn
from ..errors import MotionError, Option
from ..findings import act_on
from ..fitted_paths import fit_paths_over_wraps, load_fits
from ..reading import CoordinateTable, MusclePath, load_motion
from ..wrapping import CLOSE, FittedPath, FittedPaths, PathFitWarning, WrapPlan
from .options import Options

#: Jumps that a warning names for each muscle.
MOST_NAMED = 1


def fitted_plan(
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
    options: Options,
) -> WrapPlan:
    """Return the plan in which polynomials lead wrapping muscles, and warn of those that are not close to OpenSim's.

    Args:
        model: the initialised model that has the paths.
        coordinates: its coordinates.
        bodies: names of all bodies that the muscles touch.
        paths: the paths of the wrapping muscles.
        options: ``fits``, ``fit_motion``, ``reference`` (coordinate values by name) and ``warn_wraps`` count.

    Raises:
        UnsupportedPathError: a wrap object cannot be wrapped.
        FileFormatError, OtherModelError: the file of fits is damaged, or of another model.
    """
    file = None if options.fits is None else Path(options.fits)
    if file is not None and file.exists():
        fits = load_fits(file, model, coordinates, bodies, paths)
    else:
        fits = fit_paths_over_wraps(model, coordinates, bodies, paths, _poses(model, coordinates, options))
        if file is not None:
            fits.save(file)
    off = {name: fitted for name, fitted in fits.items() if not fitted.is_close}
    if off and options.warn_wraps:
        warn(_about(off))
    return WrapPlan({}, {}, {}, fitted=dict(fits))


def _poses(model: osim.Model, coordinates: CoordinateTable, options: Options) -> Array | None:
    """Return the motion's poses, and the reference pose, at which segments give up the muscles' mass."""
    if options.fit_motion is None:
        return None
    reference = coordinates.defaults.copy()
    if isinstance(options.reference, Mapping):
        for name, value in options.reference.items():
            reference[coordinates.index(name)] = value
    motion = load_motion(options.fit_motion, model, coordinates.names)
    act_on(motion.findings, MotionError)
    return np.vstack([motion.q, reference])


def _about(off: FittedPaths | dict[str, FittedPath]) -> PathFitWarning:
    told = []
    for name, fitted in sorted(off.items(), key=lambda item: -item[1].largest):
        jumps = [
            f"OpenSim's path jumps by {1e3 * jump.size:.0f} mm, as at "
            + ", ".join(f"{coordinate} {value:.3f}" for coordinate, value in jump.pose.items())
            for jump in fitted.jumps[:MOST_NAMED]
        ]
        left = [f"{fitted.left_out} poses beyond it were left out"] if fitted.left_out else []
        told.append(f"{name} ({'; '.join([f'{1e3 * fitted.largest:.1f} mm', *jumps, *left])})")
    return PathFitWarning(
        f"paths fitted by polynomials are more than {1e3 * CLOSE:.0f} mm from OpenSim's somewhere in the ranges that "
        f"they were fitted for, or OpenSim's path jumps there: {', '.join(told)}. ",
        Option("fit_motion", "a motion"),
        " fits them for its ranges only; ",
        Option("warn_wraps", False),
        " leaves this warning out",
    )

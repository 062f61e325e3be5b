"""Muscles' paths over wrap objects fitted by polynomials, or found in a file of fits."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import OtherModelError
from ..material.whole_path import POINTS
from ..reading import CoordinateTable, MusclePath
from ..wrapping import FittedPath, FittedPaths, FittedSection, PathJump
from .jumps import leave_out_jumps
from .sampling import PathSampler, SampledPath, poses_to_fit
from .sections import HELD_OUT, SpanFit, wrapped_spans

_LOG = logging.getLogger(__name__)

#: Poses besides those held out at which paths are compared: those at which the polynomials are furthest off.
WORST_POSES = 100
#: Poses and places by which a path is known again, and how far these may be apart [m].
PROBES, PROBE_POINTS, SAME = 4, np.linspace(0.1, 0.9, 5), 1e-6


def fit_paths_over_wraps(
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
    over: Array | None = None,
) -> FittedPaths:
    """Fit muscles' paths over wrap objects by polynomials of the coordinates.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        bodies: names of all bodies that carry path points and wrap objects.
        paths: the muscles' paths.
        over: poses (T, nu) [rad or m] whose ranges the fits shall hold; None: the coordinates' own ranges.

    Raises:
        UnsupportedPathError: a wrap object cannot be wrapped.
    """
    start = time.perf_counter()
    sampler = PathSampler(model, coordinates, bodies)
    q = poses_to_fit(model, coordinates, over)
    states = sampler.read(q[:3])
    found = {}
    for name, sampled in sampler.look_twice(paths, q).items():
        spans = wrapped_spans(sampled, states)
        found[name] = _fit(sampler, sampled, [SpanFit(sampled, span) for span in spans])
    seconds = time.perf_counter() - start
    _LOG.info("%d paths fitted by polynomials at %d poses in %.1f s", len(found), len(q), seconds)
    return FittedPaths(found)


def _fit(sampler: PathSampler, sampled: SampledPath, fits: Sequence[SpanFit]) -> FittedPath:
    kept = np.ones(len(sampled.q), dtype=bool)
    jumps: list[PathJump] = []
    for fit in fits:
        near, own = leave_out_jumps(sampler, sampled, fit)
        kept &= near
        jumps += own
    sections: list[FittedSection] = []
    off = np.zeros(len(kept))
    for fit in fits:
        section, errors = fit.fit(kept)
        sections.append(section)
        off = np.maximum(off, errors)
    moved_by = sorted({c for fit in fits for c in fit.span.coordinates})
    ranges = {sampled.coordinate_names[c]: (sampled.q[:, c].min(), sampled.q[:, c].max()) for c in moved_by}
    compared = kept.copy()
    compared[np.arange(len(kept)) % HELD_OUT != 0] = False
    compared[[pose for pose in np.argsort(-np.where(kept, off, 0))[:WORST_POSES] if kept[pose]]] = True
    poses = np.flatnonzero(compared).tolist()
    unmeasured = FittedPath(
        sampled.seen.path,
        tuple(sections),
        {name: (float(low), float(high)) for name, (low, high) in ranges.items()},
        len(poses),
        0.0,
        0.0,
        0.0,
        tuple(sorted(jumps, key=lambda jump: -jump.size)),
        int((~kept).sum()),
        _probe(sampled, poses[:PROBES]),
    )
    return _measured(unmeasured, sampled, poses)


def _measured(fitted: FittedPath, sampled: SampledPath, poses: Sequence[int]) -> FittedPath:
    """Return a fit with its distances from OpenSim's path at poses."""
    theirs, their_lengths = sampled.places(POINTS, poses=poses)
    ours, our_lengths = sampled.places_on(fitted.path, POINTS, poses)
    apart = np.linalg.norm(ours - theirs, axis=2)
    return replace(
        fitted,
        largest=float(apart.max()),
        rms=float(np.sqrt((apart**2).mean())),
        length=float(np.abs(our_lengths - their_lengths).max()),
    )


def _probe(sampled: SampledPath, poses: Sequence[int]) -> tuple[dict[str, list[float]], Array]:
    values = {name: sampled.q[poses, c].tolist() for c, name in enumerate(sampled.coordinate_names)}
    places, _ = sampled.places(PROBE_POINTS, poses=poses)
    return values, sampled.in_body(places, sampled.seen.path.points[0].body, poses)


def load_fits(
    file: str | os.PathLike[str],
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
) -> FittedPaths:
    """Read muscles' fitted paths from a file, and check that they are those of a model.

    Raises:
        FileFormatError: there is no such file, or it is damaged.
        OtherModelError: names a muscle that the file does not have, or whose path is another one in this model.
    """
    fits = FittedPaths.load(file, {path.muscle: path for path in paths})
    sampler = PathSampler(model, coordinates, bodies)
    for path in paths:
        if path.muscle not in fits:
            raise OtherModelError(f"{file}: has no fitted path of muscle '{path.muscle}'; fit the paths of this model")
        values, places = fits[path.muscle].probe
        other = sorted(set(coordinates.names).symmetric_difference(values))
        if other:
            raise OtherModelError(f"{file}: was made of a model with other coordinates, such as '{other[0]}'")
        q = np.stack([values[name] for name in coordinates.names], axis=1)
        now = _probe(sampler.look([path], q)[path.muscle], range(len(q)))[1]
        apart = float(np.linalg.norm(now - places, axis=2).max())
        if not apart < SAME:
            raise OtherModelError(
                f"{file}: was made of another model: there the path of muscle '{path.muscle}' is up to "
                f"{1e3 * apart:.3g} mm elsewhere at the same pose; fit the paths of this model"
            )
    return fits

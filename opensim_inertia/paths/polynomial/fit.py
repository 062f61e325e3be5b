"""Polynomial paths: muscles' paths over wrap objects fitted by polynomials, or found in a file."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import FileFormatError, UnknownNameError
from ..._core.opensim import osim
from ...muscles.material.whole_path import POINTS
from ...opensim_model.reading import CoordinateTable, MusclePath, PathFingerprint
from ...opensim_model.reading.fingerprints import Measure
from ..wrapping import PathJump, PolynomialPath, PolynomialPaths, PolynomialSection
from .jumps import leave_out_jumps
from .sampling import PathSampler, SampledPath, poses_to_fit
from .sections import HELD_OUT, SpanFit, wrapped_spans

_LOG = logging.getLogger(__name__)

#: Poses besides those held out at which paths are compared: those at which the polynomials are furthest off.
WORST_POSES = 100
#: Shares of a path at which it is known again.
SHARES_OF_FINGERPRINT = np.linspace(0.1, 0.9, 5)


def fit_polynomial_paths(
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
    over: Array | None = None,
) -> PolynomialPaths:
    """Fit muscles' paths over wrap objects by polynomials of the coordinates.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        bodies: names of all bodies that carry path points and wrap objects.
        paths: the muscles' paths.
        over: poses (T, nu) [rad or m] whose ranges the polynomials shall hold; None: the coordinates' own ranges.

    Raises:
        UnsupportedPathError: a wrap object cannot be wrapped.
    """
    start = time.perf_counter()
    sampler = PathSampler(model, coordinates, bodies)
    q = poses_to_fit(model, coordinates, over)
    states = sampler.read(q[:3])
    fitted = {}
    for name, sampled in sampler.sample_with_steps(paths, q).items():
        fitted[name] = _fit(sampler, sampled, [SpanFit(sampled, span) for span in wrapped_spans(sampled, states)])
    names = [path.muscle for path in paths]
    fingerprint = PathFingerprint.of(model, coordinates, names, _places_of(sampler, paths))
    seconds = time.perf_counter() - start
    _LOG.info("%d paths fitted by polynomials at %d poses in %.1f s", len(fitted), len(q), seconds)
    return PolynomialPaths(fitted, fingerprint)


def _fit(sampler: PathSampler, sampled: SampledPath, spans: Sequence[SpanFit]) -> PolynomialPath:
    """Return a muscle's path with its wrapping parts fitted to all poses but those beyond jumps of OpenSim's path."""
    included = np.ones(len(sampled.q), dtype=bool)
    jumps: list[PathJump] = []
    for fit in spans:
        is_near, jumps_of_span = leave_out_jumps(sampler, sampled, fit)
        included &= is_near
        jumps += jumps_of_span
    sections: list[PolynomialSection] = []
    worst = np.zeros(len(included))
    for fit in spans:
        section, errors = fit.fit(included)
        sections.append(section)
        worst = np.maximum(worst, errors)
    moving = sorted({c for fit in spans for c in fit.span.coordinates})
    ranges = {sampled.coordinate_names[c]: (sampled.q[:, c].min(), sampled.q[:, c].max()) for c in moving}
    compared = included.copy()
    compared[np.arange(len(included)) % HELD_OUT != 0] = False
    compared[[pose for pose in np.argsort(-np.where(included, worst, 0))[:WORST_POSES] if included[pose]]] = True
    poses = np.flatnonzero(compared).tolist()
    unmeasured = PolynomialPath(
        sampled.samples.path,
        tuple(sections),
        {name: (float(low), float(high)) for name, (low, high) in ranges.items()},
        len(poses),
        0.0,
        0.0,
        0.0,
        tuple(sorted(jumps, key=lambda jump: -jump.size)),
        int((~included).sum()),
    )
    return _measured(unmeasured, sampled, poses)


def _measured(fitted: PolynomialPath, sampled: SampledPath, poses: Sequence[int]) -> PolynomialPath:
    """Return the path with its distances from OpenSim's path at poses filled in."""
    opensim_places, opensim_lengths = sampled.places(POINTS, poses=poses)
    places, lengths = sampled.places_on(fitted.path, POINTS, poses)
    distances = np.linalg.norm(places - opensim_places, axis=2)
    return replace(
        fitted,
        largest=float(distances.max()),
        rms=float(np.sqrt((distances**2).mean())),
        length=float(np.abs(lengths - opensim_lengths).max()),
    )


def load_polynomial_paths(
    file: str | os.PathLike[str],
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    paths: Sequence[MusclePath],
) -> PolynomialPaths:
    """Read muscles' polynomial paths from a file, and check that they are those of a model.

    Raises:
        FileFormatError: there is no such file, or it is damaged.
        OtherModelError: names a muscle that the file does not have, or whose path is another one in this model.
    """
    stored = PolynomialPaths.load(file, {path.muscle: path for path in paths})
    sampler = PathSampler(model, coordinates, bodies)
    names = [path.muscle for path in paths]
    where = f"{os.fspath(file)}: the polynomial paths are"
    stored.fingerprint.check(model, coordinates, _places_of(sampler, paths), where, names)
    for name, path in stored.items():
        for section in path.sections:
            _check_names(file, f"body of the path of '{name}'", section.bodies, bodies)
            _check_names(file, f"coordinate of the path of '{name}'", section.coordinates, coordinates.names)
    return stored


def _check_names(file: str | os.PathLike[str], kind: str, names: Sequence[str], valid: Sequence[str]) -> None:
    """Raise an error for a name in a file that is not among those that are valid."""
    for name in names:
        if name not in valid:
            raise FileFormatError(file, str(UnknownNameError(kind, name, valid)))


def _places_of(sampler: PathSampler, paths: Sequence[MusclePath]) -> Measure:
    """Return a function that measures places (P, points, 3) on OpenSim's paths, in the frames of their first bodies."""
    by_muscle = {path.muscle: path for path in paths}

    def measure(muscles: Sequence[str], q: Array) -> dict[str, Array]:
        measured = {}
        for name, sampled in sampler.sample([by_muscle[name] for name in muscles], q).items():
            places, _ = sampled.places(SHARES_OF_FINGERPRINT)
            measured[name] = sampled.in_body(places, by_muscle[name].points[0].body)
        return measured

    return measure

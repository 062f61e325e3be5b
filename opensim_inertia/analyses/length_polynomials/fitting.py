"""Fit of length polynomials by stepwise selection of terms."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.checks import check_choice, warn
from ..._core.choices import ROTATIONS, WRAPPINGS, Rotations, WrappingKind
from ..._core.errors import (
    InertiaError,
    ModelError,
    MotionError,
    Option,
    OptionError,
    PolynomialError,
    SpanlessMuscleError,
    first_of,
    listed,
)
from ..._core.opensim import osim
from ..._core.options import whole
from ..._core.polynomials import Regression
from ..._core.provenance import describe_source
from ..._core.warnings import EulerAnglesWarning, InertiaWarning, PathJumpWarning, SpanlessMuscleWarning
from ...muscles.masses.estimate import select_muscles
from ...opensim_model.reading.coordinates import CoordinateTable, follow_couplers
from ...opensim_model.reading.loading import InitialisedModel
from ...options.modelling import ModelOptions, Wrapping, wrapping_of
from ...paths.survey_comparison import PathJump, find_jump
from .polynomial_set import FitSamples, LengthPolynomial, LengthPolynomials, errors_of
from .samples import FreeCoordinates, Group, PathLengths, PoseSource, Turn, Variables, find_turns, read_poses

#: A muscle acts on a coordinate if its largest moment arm is above this [m, or 1], as in PolynomialPathFitter.
ACTS = 1e-3
#: Length [m] that converts errors of derivatives by translations to errors of moment arms.
TRANSLATION = 0.1
#: Largest number of candidate terms; more lower the degree.
MOST_CANDIDATES = 500
#: Largest degree of candidate terms.
MOST_DEGREE = 12


def fit_length_polynomials(
    model: osim.Model | str | os.PathLike[str],
    poses: PoseSource = 1000,
    muscles: str | Iterable[str] | None = None,
    rotations: Rotations = "euler",
    stop: float = 0.04,
    *,
    degree: int = 4,
    wrapping: WrappingKind | Wrapping = "opensim",
    seed: int = 0,
    progress: bool | None = None,
) -> LengthPolynomials:
    """Fit polynomials to the lengths and moment arms of muscles, with as few terms as possible.

    Terms are selected one by one, on lengths and moment arms together, until no term lowers the root mean square error
    by the share ``stop`` (van den Bogert et al. 2011, Zoufaly et al. 2025). A moment arm is the derivative of the same
    polynomial, so that energy is conserved.

    Locked and coupled coordinates are no variables. Moment arms about coupled coordinates are added to those about
    independent ones. The model is not modified.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        poses: a motion (file or DataFrame), coordinate values (P, coordinates) [rad or m] in the order of speeds, or
            the number of random poses over the ranges of the coordinates.
        muscles: names or shell patterns; None: all.
        rotations: "euler": the variables are coordinates. "quaternion": the variables of joints with three rotations,
            or of consecutive pins with intersecting axes, are the vector part of the unit quaternion, relative to the
            mean rotation of the poses. :class:`EulerAnglesWarning` names joints where this is not possible.
        stop: smallest share by which a further term must lower the error, from 0 to below 1.
        degree: largest total degree of candidate terms. Muscles with many variables have a lower one, with at most 500
            candidates.
        wrapping: "opensim" fits OpenSim's paths; "analytic", "neural", or a :class:`~opensim_inertia.Wrapping` of these
            kinds fits the smooth paths of an inertial model.
        seed: seed of random poses.
        progress: show a bar; None: on a terminal.

    Raises:
        ModelError: the model is missing or malformed.
        UnknownNameError: a muscle is not in the model.
        OptionError: an option has a value that is not allowed.
        MotionError: a pose has a value that is NaN, or is too far from the others for quaternions.
        SpanlessMuscleError: a requested muscle acts on no coordinate.
        FewPosesError: there are fewer poses than terms.
    """
    check_choice("rotations", rotations, ROTATIONS)
    kind = wrapping.kind if isinstance(wrapping, Wrapping) else wrapping
    check_choice("wrapping", kind, WRAPPINGS)
    way = wrapping_of(wrapping)
    degree = whole(1, MOST_DEGREE)("degree", degree)
    if isinstance(stop, bool) or not 0 <= stop < 1:
        raise OptionError("stop", stop, "a number from 0 to below 1")
    ready = InitialisedModel.of(model)
    copy, coordinates = ready.model, ready.coordinates
    names = select_muscles(list(ready.muscles), muscles)
    if not names:
        raise ModelError(f"model '{copy.getName()}' has no muscles, so there is no path to fit")
    pose_set = read_poses(copy, coordinates, poses, seed)
    free = FreeCoordinates(copy, coordinates)
    options = None if kind == "opensim" else ModelOptions(wrapping=replace(way, warn_wraps=False))
    source = PathLengths(copy, coordinates, names, options)
    drives = free.drives(pose_set.q)
    lengths, slopes = source.measure(pose_set.q, drives, progress)
    wrong = np.argwhere(~np.isfinite(lengths))
    if len(wrong):
        pose, number = wrong[0].tolist()
        raise MotionError(
            f"muscle '{names[number]}' has no smooth path at pose {pose} (counted from 0); leave it out, "
            "or fit OpenSim's own path by ",
            Option("wrapping", "opensim"),
        )
    lacks_arms = ~np.isfinite(slopes)
    if lacks_arms.any():
        has_arms, of_muscles = (~np.array(lacks_arms.any(axis=axes)) for axes in ((1, 2), (0, 2)))
        lacking = listed([name for name, has in zip(names, of_muscles, strict=True) if not has])
        some = f"{np.count_nonzero(~has_arms)} of {len(has_arms)} poses"
        warn(InertiaWarning(f"{some} are left out: there OpenSim's forces of {lacking} are NaN"))
        if not has_arms.any():
            raise MotionError(f"model '{copy.getName()}' has no moment arms at any of {len(has_arms)} poses")
        pose_set = pose_set.only(has_arms)
        drives, lengths, slopes = (each[has_arms] for each in (drives, lengths, slopes))
    acting_names = {free.names[k] for k in np.flatnonzero(np.abs(slopes).max(axis=(0, 1)) > ACTS)}
    turns: list[Turn] = []
    if rotations == "quaternion":
        found, rejected = find_turns(copy, coordinates)
        turns = [turn for turn in found if acting_names & set(turn.turning)]
        reasons = [f"{listed(names)} ({reason})" for names, reason in rejected if acting_names & set(names)]
        _tell_of_angles(reasons, bool(turns))
    variables = Variables(copy, coordinates, turns).with_mean_references(pose_set.q)
    rotational = np.array([coordinates.rotational[place] for place in free.places], dtype=bool)
    samples = FitSamples(pose_set, *variables.at(pose_set.q, drives), names, lengths, slopes, rotational)

    muscles_by_spans: dict[Group, list[int]] = {}
    left_out = []
    for number, name in enumerate(names):
        spans = _spans(variables, slopes[:, number])
        if spans.columns:
            muscles_by_spans.setdefault(spans, []).append(number)
        elif muscles is not None:
            raise SpanlessMuscleError(name, len(pose_set.q), ACTS)
        else:
            left_out.append(name)
    if left_out:
        warn(SpanlessMuscleWarning(f"left out, as they act on no free coordinate: {listed(left_out)}"))
    polynomials: dict[str, LengthPolynomial] = {}
    jumps: dict[str, PathJump] = {}
    for spans, numbers in muscles_by_spans.items():
        regression = _regression(samples, spans, numbers, degree)
        for output, number in enumerate(numbers):
            name, data = names[number], samples.of(number, spans.columns, spans.speeds)
            jump = _jump(source, copy, coordinates, pose_set.q, number, *data[:4])
            if jump is not None:
                jumps[name] = jump
            try:
                fit, rmse = regression.select(stop=stop, outputs=[output])
            except PolynomialError as error:
                raise _with_muscle_name(error, name) from None
            errors, size = errors_of(fit, *data), 0.0 if jump is None else jump.size
            polynomials[name] = LengthPolynomial(fit, spans.columns, spans.speeds, rmse, errors, size)
    if not polynomials:
        raise InertiaError(f"model '{copy.getName()}': no muscle acts on a free coordinate, so there is nothing to fit")
    if jumps:
        worst = sorted(jumps, key=lambda name: -jumps[name].size)
        listing = first_of((f"'{name}' ({1e3 * jumps[name].size:.1f} mm)" for name in worst), 6)
        text = f"paths jump between poses, which no polynomial follows: {listing}; '.jumps' has the poses"
        advice = ("; ", Option("wrapping", "analytic"), " fits smooth paths in their place")
        warn(PathJumpWarning(text, *(advice if kind == "opensim" else ())))
    ordered = {name: polynomials[name] for name in names if name in polynomials}
    settings: dict[str, Any] = {"rotations": rotations, "stop": stop, "degree": degree, "wrapping": kind}
    settings["poses"] = pose_set.origin
    if isinstance(poses, str | os.PathLike | pd.DataFrame):
        settings["motion"] = describe_source(poses)
    return LengthPolynomials(copy, coordinates, variables, ordered, settings, samples, jumps)


def _spans(variables: Variables, slopes: Array) -> Group:
    """Return the variables that change a muscle's length, given its slopes dL/dq (P, F) for F free coordinates q."""
    acting_speeds = set(np.flatnonzero(np.abs(slopes).max(axis=0) > ACTS).tolist())
    groups = [group for group in variables.groups if acting_speeds & set(group.speeds)]
    columns = tuple(sorted(column for group in groups for column in group.columns))
    return Group(columns, tuple(sorted({speed for group in groups for speed in group.speeds})))


def _regression(samples: FitSamples, spans: Group, numbers: list[int], degree: int) -> Regression:
    """Return the regression of muscles ``numbers`` on the variables ``spans``, with terms up to ``degree``."""
    variables = len(spans.columns)
    while degree > 1 and comb(variables + degree, degree) > MOST_CANDIDATES:
        degree -= 1
    speeds = list(spans.speeds)
    weights = np.where(samples.rotational[speeds], 1.0, TRANSLATION)
    try:
        return Regression.of(
            samples.x[:, list(spans.columns)],
            samples.lengths[:, numbers],
            samples.slopes[:, numbers][:, :, speeds],
            degree=degree,
            weights=[1.0, *weights],
            motions=samples.motions[:, list(spans.columns)][:, :, speeds],
        )
    except PolynomialError as error:
        raise _with_muscle_name(error, samples.names[numbers[0]]) from None


def _with_muscle_name(error: PolynomialError, muscle: str) -> PolynomialError:
    """Return the error with the muscle's name before the text."""
    error.args = (f"muscle '{muscle}': ", *error.args)
    return error


def _tell_of_angles(reasons: list[str], has_turns: bool) -> None:
    """Warn that coordinates stay variables although ``rotations="quaternion"`` was requested."""
    if not has_turns:
        start = "no joint on which these muscles act turns in three directions: all variables are coordinates, as with "
        warn(EulerAnglesWarning(start, Option("rotations", "euler"), f"; {'; '.join(reasons)}" if reasons else ""))
    elif reasons:
        start = "coordinates that stay variables, as they are no single rotation: "
        warn(EulerAnglesWarning(start + "; ".join(reasons)))


def _jump(
    source: PathLengths, model: osim.Model, coordinates: CoordinateTable, q: Array, number: int, *samples: Array
) -> PathJump | None:
    """Return the largest jump of a muscle's path length between poses (P, nu); None without a jump."""
    x, motions, lengths, slopes = samples

    def lengths_at(q: Array) -> Array:
        return source.lengths(follow_couplers(model, coordinates, q), [number])[:, 0]

    by_variable = np.einsum("pm,pmn->pn", slopes, np.linalg.pinv(motions))
    return find_jump(lengths_at, coordinates.names, q, x, lengths, by_variable)

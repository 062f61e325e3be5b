"""Effective inertia t^T M t (speeds t, mass matrix M), and the part that sliding adds (docs/theory/sliding.md).

The *direction* t is 1 for the coordinate itself, and the slope of the coupler for coupled ones. Other constraints move
further coordinates as little as possible, weighted by the diagonal of M. Coupled and fixed coordinates have no
direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array, product
from ..._core.checks import silenced
from ..._core.errors import ModelError, SimulationError
from ..._core.opensim import osim
from ..._core.warnings import InertiaWarning
from ...model import InertialModel
from ...model.constraints import bordered_solve, constraint_jacobian, poses_on_the_way
from ...muscles.masses.rigid import spatial_inertias
from ...opensim_model.reading.coordinates import WIDEST, dependent_coordinates, follow_couplers
from ...opensim_model.reading.kinematics import StateKinematics
from ...options.recording import Uncertainty
from ...paths.kernel.remarks import MuscleRemarks
from ..inverse_dynamics.band import Bellies, DifferenceParts, StrandParts, band

#: Tolerance of the constraints on a direction, relative to a speed of 1.
MET = 1e-6
#: Smaller effective inertias [kg m^2 or kg] are rounding of massless bodies.
NO_INERTIA = 1e-12
#: Directions per call of the kernel.
AT_ONCE = 32
#: Stretches with a smaller share of a muscle's mass are rounding.
NO_STRETCH = 1e-9
#: Rods per stretch of a belly in the law; one is too few for bent bellies.
RODS = 2


class EffectiveInertia(NamedTuple):
    """Effective inertias [kg m^2 or kg] of n coordinates at a pose: lumped, and added by each sliding muscle."""

    directions: Array  # speeds of all coordinates with each, (n, nu); zeros for a coordinate without direction
    lumped: Array  # of the published model, (n,)
    sliding: Array  # added by each muscle's sliding, (muscles, n)


def _share(values: Array, of: Array) -> Array:
    """Return values (..., n) divided by effective inertias ``of`` (n,), or zero where an inertia is zero."""
    has = of > NO_INERTIA
    return np.where(has, values / np.where(has, of, 1.0), 0.0)


def frozen_inertia(
    inertial: InertialModel, kinematics: StateKinematics, directions: Array, matrices: Array | None = None
) -> Array:
    """Return effective inertias (muscles, n) of body-fixed muscles for n vectors of speeds, ``directions`` (n, nu)."""
    frozen = inertial.frozen
    bodies = [inertial.kinematics.bodies.index(name) for name in frozen.donors]
    inertias = spatial_inertias(frozen.matrices if matrices is None else matrices, kinematics.rotation[bodies])
    twists = (kinematics.jacobian @ directions.T).reshape(-1, 6, len(directions))[bodies]
    sums = np.zeros((len(inertial.muscle_names), len(directions)))
    np.add.at(sums, frozen.parts[0], (twists * (inertias @ twists)).sum(axis=-2))
    return sums


def effective_inertia(
    inertial: InertialModel, state: osim.State, which: Sequence[int] | None = None, seen: MuscleRemarks | None = None
) -> EffectiveInertia:
    """Return effective inertias of the coordinates ``which`` (None: all); the state is realized to velocity."""
    kinematics = inertial.dynamics.read(state)
    lumped = inertial.kinematics.mass_matrix(state)
    which = range(len(lumped)) if which is None else which
    directions = _directions(inertial, state, kinematics.q, lumped, which)
    return EffectiveInertia(
        directions,
        np.einsum("nk,kl,nl->n", directions, lumped, directions),
        _sliding(kinematics, directions, partial(inertial.evaluation.inverse_each, seen=seen)),
    )


#: Muscles as thin straight rods, two per stretch of a belly: muscle indices of stretches, frozen ones first; mass
#: shares
#: at the rods' ends (stretches, 3), from start to end; mass of one rod [kg] (stretches,); pseudo-inertias (parts, 4, 4)
#: of
#: frozen stretches in their segments.
Rods = tuple[list[int], Array, Array, Array]


def rods_of(inertial: InertialModel) -> Rods:
    """Return the bellies of a model as thin straight rods, for estimates of sliding inertia."""
    (parts, bounds_of), at = inertial.frozen.parts, inertial.frozen.reference
    which, windows = list(parts), list(bounds_of)
    for muscle in range(len(inertial.muscle_names)):
        held = [window for i, window in zip(parts, bounds_of, strict=True) if i == muscle]
        bounds = [0.0, *(bound for window in sorted(held) for bound in window), 1.0]
        gaps = [gap for gap in zip(bounds[::2], bounds[1::2], strict=True) if gap[1] - gap[0] > NO_STRETCH]
        which, windows = which + [muscle] * len(gaps), windows + gaps
    places = np.array([np.linspace(start, end, RODS + 1) for start, end in windows]).reshape(-1, RODS + 1)
    masses = np.array([inertial.muscles.masses[inertial.muscle_names[i]] for i in which])
    masses = masses * np.ptp(places, axis=1) / RODS
    matrices = np.zeros((len(parts), 4, 4))
    evaluation = inertial.assembly.evaluation
    for k, name in enumerate(inertial.frozen.donors):
        body = inertial.kinematics.bodies.index(name)
        ends = evaluation.material_points(at, which[k], [(p, p) for p in places[k]], jacobians=False)[0]
        local = np.column_stack([(ends - at.position[body]) @ at.rotation[body], np.ones(len(ends))])
        first, last = local[:-1, :, None], local[1:, :, None]
        squares = [a @ b.swapaxes(1, 2) for a, b in ((first, first), (last, last), (first, last), (last, first))]
        matrices[k] = masses[k] * (2 * squares[0] + 2 * squares[1] + squares[2] + squares[3]).sum(axis=0) / 6
    return which, places, masses, matrices


def estimates(inertial: InertialModel, state: osim.State, directions: Array, rods: Rods) -> tuple[Array, Array]:
    """Return two estimates (muscles, n) of inertia added by sliding: from path length rates, from muscles as rods."""
    kinematics, names = inertial.dynamics.read(state), inertial.muscle_names
    estimated = np.zeros((len(names), len(directions)))
    if not names:
        return estimated, estimated
    by_twist, by_speed = inertial.evaluation.length_gradients(kinematics)
    gradients = product(by_twist.reshape(len(names), -1), kinematics.jacobian) + by_speed
    arms = product(gradients, np.ascontiguousarray(directions.T))
    weights = np.array(inertial.muscles.rate_masses)
    *stretches, frozen = rods
    for muscle, places, mass in zip(*stretches, strict=True):
        jacobians = inertial.evaluation.material_points(kinematics, muscle, [(p, p) for p in places])[2]
        speeds = jacobians @ directions.T
        first, last = speeds[:-1], speeds[1:]
        estimated[muscle] += mass * (first**2 + first * last + last**2).sum(axis=(0, 1)) / 3
    return weights[:, None] * arms**2, estimated - frozen_inertia(inertial, kinematics, directions, frozen)


def as_strands(
    inertial: InertialModel, state: osim.State, directions: Array, bellies: Bellies, seen: MuscleRemarks
) -> Array:
    """Return inertias (strands, V, n) that sliding of V muscles adds along n directions; strands: groups of fibres."""
    assert bellies.strands is not None and bellies.frozen is not None
    which, sets, frozen = bellies.varied.tolist(), bellies.strands.maps_by_node, bellies.frozen

    def forces(states: Sequence[StateKinematics], udot: Array) -> Array:
        return np.moveaxis(inertial.evaluation.inverse_of_maps(states, udot, which, sets, frozen, seen), 0, 1)

    return _sliding(inertial.dynamics.read(state), directions, forces)


def _sliding(
    kinematics: StateKinematics, directions: Array, forces_of: Callable[[Sequence[StateKinematics], Array], Array]
) -> Array:
    """Return inertias (..., n): d^T (f(d) - f(0)) for each direction d, with forces f that accelerations d need."""
    inertias = []
    for start in range(0, len(directions), AT_ONCE):
        some = directions[start : start + AT_ONCE]
        udot = np.vstack([np.zeros(some.shape[1]), some])
        forces = forces_of([kinematics] * len(udot), udot)
        inertias.append(np.einsum("n...k,nk->...n", forces[1:] - forces[:1], some))
    return np.concatenate(inertias, axis=-1)


def _directions(inertial: InertialModel, state: osim.State, q: Array, lumped: Array, which: Sequence[int]) -> Array:
    """Return all speeds (n, nu) for unit speed of each coordinate in ``which``; zeros for a coupled or fixed one."""
    rows = constraint_jacobian(inertial.model, state)
    unit = np.eye(len(lumped))[list(which)]
    if not len(rows):
        return unit
    followers = dependent_coordinates(inertial.model, inertial.coordinates)
    directions, weights = np.zeros_like(unit), np.diag(np.maximum(np.diag(lumped), NO_INERTIA))
    for k, i in enumerate(which):
        if i in followers:
            continue
        bound = np.vstack([rows, unit[k]])
        wanted = np.append(np.zeros(len(rows)), 1.0)
        along = unit[k] + bordered_solve(weights, bound, np.zeros(len(lumped)), wanted - bound @ unit[k])
        if np.abs(bound @ along - wanted).max() < MET:
            directions[k] = along
    return directions


#: Evenly spaced poses over a coordinate's range, besides the default pose.
POSES_OF_RANGE = 9
#: Tolerance of a coordinate's range [rad or m].
OUT_OF_RANGE = 1e-6
#: Largest number of poses with varied belly positions, for the band.
POSES_OF_BAND = 9


def average_shares(
    inertial: InertialModel, states: Sequence[osim.State], uncertainty: Uncertainty | None, seen: MuscleRemarks
) -> tuple[Array, Array, dict[str, Array]]:
    """Return muscles' mean total and sliding inertia shares (muscles, nu) and ``MuscleRanking.by_coordinate``."""
    nu, count = len(inertial.coordinate_names), len(states)
    of_all, by_muscle = np.zeros((2, len(inertial.muscle_names), nu))
    inertia, rates, estimated, largest = np.zeros((4, nu))
    at, rods, bellies, strands = np.full(nu, np.nan), rods_of(inertial), None, np.zeros((0, 0, nu))
    if uncertainty is not None and inertial.muscle_names:
        bellies = Bellies.of(inertial, uncertainty.placement, seen)
        if bellies.strands is not None:
            strands = np.zeros((len(bellies.strands.maps_by_node), len(bellies.varied), nu))
    banded = set(np.linspace(0, count - 1, min(count, POSES_OF_BAND)).round().astype(int).tolist())
    for k, state in enumerate(states):
        directions, lumped, sliding = effective_inertia(inertial, state, seen=seen)
        held = frozen_inertia(inertial, inertial.dynamics.read(state), directions)
        of_all += _share(sliding + held, lumped + sliding.sum(axis=0))
        share, by_estimates = _share(sliding, lumped), estimates(inertial, state, directions, rods)
        by_muscle += share
        inertia += lumped
        rates += _share(by_estimates[0], lumped).sum(axis=0)
        estimated += _share(by_estimates[1], lumped).sum(axis=0)
        values, total = inertial.coordinates.values(state), share.sum(axis=0)
        larger = (np.abs(total) > np.abs(largest)) | np.isnan(at)
        largest[larger], at[larger] = total[larger], values[larger]
        if bellies is not None and bellies.strands is not None and k in banded:
            slides = as_strands(inertial, state, directions, bellies, seen)
            strands += _share(slides - sliding[bellies.varied], lumped)
    by_muscle /= count
    lower, upper = np.full((2, nu), np.nan)
    if bellies is not None and uncertainty is not None:
        own = np.arange(nu)[None]
        of_strands = StrandParts(np.moveaxis(strands / len(banded), -1, 0), own, np.ones(own.shape))
        lower, upper = band(DifferenceParts(by_muscle, of_strands), uncertainty, bellies)
    columns = {
        "share": by_muscle.sum(axis=0),
        "lower": lower,
        "upper": upper,
        "largest": largest,
        "at": at,
        "inertia": inertia / count,
        "length rates": rates / count,
        "estimate": estimated / count,
    }
    return of_all / count, by_muscle, {n: np.where(inertia > 0, values, np.nan) for n, values in columns.items()}


def largest_over_ranges(inertial: InertialModel, coordinates: Sequence[int]) -> tuple[Array, Array]:
    """Return the largest inertia share by sliding in n coordinates' ranges, and coordinate values there, (n,) each."""
    shares, values = np.full((2, len(coordinates)), np.nan)
    with silenced(InertiaWarning):
        for k, i in enumerate(coordinates):
            for state in _poses_of_range(inertial, i):
                try:
                    at_pose = effective_inertia(inertial, state, [i])
                except ModelError:
                    continue
                share = float(_share(at_pose.sliding, at_pose.lumped).sum())
                if not abs(share) <= abs(shares[k]):
                    shares[k], values[k] = share, inertial.coordinates.values(state)[i]
    return shares, values


def _poses_of_range(inertial: InertialModel, i: int) -> Iterator[osim.State]:
    """Yield states at rest over the range of coordinate ``i``; constraints and ranges of all coordinates are met."""
    coordinates, state = inertial.coordinates, inertial.initial_state()
    default = coordinates.values(state)
    least, most = (
        bound(ends, default) for bound, ends in zip((np.minimum, np.maximum), coordinates.ranges.T, strict=True)
    )
    low, high = np.clip(coordinates.ranges[i], default[i] - WIDEST, default[i] + WIDEST)
    poses = np.tile(default, (1 + POSES_OF_RANGE, 1))
    poses[1:, i] = np.linspace(low, high, POSES_OF_RANGE)
    inertial.model.realizePosition(state)
    bound = len(constraint_jacobian(inertial.model, state)) > 0
    for pose in follow_couplers(inertial.model, coordinates, poses) if bound else poses:
        coordinates.set_values(state, pose)
        if bound:
            try:
                poses_on_the_way(inertial.kinematics, state, keep=[i])
            except SimulationError:
                continue
            values = coordinates.values(state)
            if ((values < least - OUT_OF_RANGE) | (values > most + OUT_OF_RANGE)).any():
                continue
        yield state

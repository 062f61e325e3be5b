"""Jumps of OpenSim's path among the poses of a fit; poses that jumps separate from most others are left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..wrapping import JUMP, PathJump, bisect_jumps, most_suspicious, neighbours
from .sampling import PathSampler, SampledPath
from .sections import SHARES, Span, SpanFit

#: Between neighbouring poses a first, smooth fit shall change its error by no more than this [m]; of other pairs at
#: most so many are looked at.
CHANGE, LOOKED_AT = 2e-3, 200
#: Halvings of the way between two poses: fewer than for lengths, as neighbours of the 2000 poses lie close together.
HALVINGS = 9
#: Neighbours of each pose, where several coordinates move the path.
NEIGHBOURS = 10
#: Poses that jumps part from all others are left out if they are a smaller share than this of all.
SMALL_PART = 0.2
#: So are poses that are further off a first fit than this [m] and than so many times the median, if a jump lies between
#: them and the nearest pose that is not; this is done so many times, for so many poses, unless few poses would be left.
FAR, TIMES, ROUNDS, AT_A_TIME, MOST_SHARE = 3e-3, 6.0, 4, 50, 0.4


def leave_out_jumps(sampler: PathSampler, sampled: SampledPath, fit: SpanFit) -> tuple[Array, list[PathJump]]:
    """Return which poses to fit (poses,), those that no jump separates from most others, and the jumps, largest first.

    A jump between two poses is found by bisection of the way between them: a place that still moves by more than
    ``JUMP`` over the last interval jumps.
    """
    from scipy.spatial import KDTree  # only now: few models have polynomial paths

    included, jumps = _largest_part(sampler, sampled, fit)
    for _ in range(ROUNDS):
        errors = np.linalg.norm(fit.roughly(included), axis=2).max(axis=1)
        is_far = included & (errors > max(FAR, TIMES * float(np.median(errors[included]))))
        farthest = np.argsort(-np.where(is_far, errors, 0))[: min(AT_A_TIME, int(is_far.sum()))]
        if not len(farthest):
            break
        near = np.flatnonzero(included & ~is_far)
        scaled = _scaled(fit)
        ways = _jumps_between(sampler, sampled, fit, farthest, near[KDTree(scaled[near]).query(scaled[farthest])[1]])
        beyond = np.array([way.size > JUMP for way in ways])
        if not beyond.any():
            break
        jumps += [way for way in ways if way.size > JUMP]
        included[farthest[beyond]] = False
        included[is_far & (errors > float(errors[farthest].min()))] = False
        if included.mean() < 1 - MOST_SHARE:
            break
    return included, sorted(jumps, key=lambda jump: -jump.size)


def _largest_part(sampler: PathSampler, sampled: SampledPath, fit: SpanFit) -> tuple[Array, list[PathJump]]:
    """Return the poses in large connected parts of the graph of neighbours without jumps, and the jumps found."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    distinct, first, group = np.unique(np.round(_scaled(fit), 9), axis=0, return_index=True, return_inverse=True)
    if distinct.shape[1] == 1:  # in ascending order
        pairs = np.stack([np.arange(len(distinct) - 1), np.arange(1, len(distinct))], axis=1)
    else:
        pairs = neighbours(distinct, NEIGHBOURS)
    all_poses = np.ones(len(group), dtype=bool)
    errors = fit.roughly(all_poses)[first]
    change = np.linalg.norm(errors[pairs[:, 0]] - errors[pairs[:, 1]], axis=2).max(axis=1)
    suspicious = most_suspicious(change, LOOKED_AT, CHANGE)
    if not len(suspicious):
        return all_poses, []
    ways = _jumps_between(sampler, sampled, fit, *first[pairs[suspicious]].T)
    jumping = [pair for pair, way in zip(suspicious, ways, strict=True) if way.size > JUMP]
    joined_pairs = np.delete(pairs, jumping, axis=0)
    graph = coo_array((np.ones(len(joined_pairs)), joined_pairs.T), shape=(len(distinct), len(distinct)))
    part = connected_components(graph, directed=False)[1][group.reshape(-1)]
    share = np.bincount(part) / len(part)
    return (share >= min(SMALL_PART, share.max()))[part], [way for way in ways if way.size > JUMP]


def _scaled(fit: SpanFit) -> Array:
    return np.asarray(fit.z / np.maximum(np.ptp(fit.z, axis=0), 1e-9))


def _jumps_between(
    sampler: PathSampler, sampled: SampledPath, fit: SpanFit, poses: NDArray[np.intp], others: NDArray[np.intp]
) -> list[PathJump]:
    """Return, for each pair of poses, the jump that bisection of the way between them finds; its size may be small."""
    columns = list(fit.span.coordinates)
    low = sampled.q[poses].copy()
    high = low.copy()
    high[:, columns] = sampled.q[others][:, columns]

    def places_at(q: Array) -> Array:
        return _places(sampler, fit.span, sampled, q)

    ways = bisect_jumps(places_at, low, high, places_at(low), places_at(high), HALVINGS)
    names = sampled.coordinate_names
    return [
        PathJump(float(change), {names[c]: float(pose[c]) for c in columns}) for change, pose in zip(*ways, strict=True)
    ]


def _places(sampler: PathSampler, span: Span, sampled: SampledPath, q: Array) -> Array:
    sampled_path = sampler.sample([sampled.samples.path], q)[sampled.samples.path.muscle]
    return sampled_path.in_body(sampled_path.places(SHARES[::6], span.first, span.last)[0], span.bodies[0])

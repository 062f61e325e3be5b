"""Jumps of OpenSim's path among the poses that are to be fitted: found, measured, and small parts beyond left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from ..arrays import Array
from ..wrapping import PathJump
from .sampling import PathSampler, SampledPath
from .sections import SHARES, Span, SpanFit

#: Between neighbouring poses a first, smooth fit shall change its error by no more than this [m]; the ways between at
#: most so many others are halved so many times, and a place that then still moves by more than the last [m] jumps.
CHANGE, LOOKED_AT, HALVINGS, JUMP = 2e-3, 200, 9, 1e-3
#: Neighbours of each pose, where several coordinates move the path.
NEIGHBOURS = 10
#: Poses that jumps part from all others are left out if they are a smaller share than this of all.
SMALL_PART = 0.2
#: So are poses that are further off a first fit than this [m] and than so many times the median, if a jump lies between
#: them and the nearest pose that is not; this is done so many times, for so many poses, unless few poses would be left.
FAR, TIMES, ROUNDS, AT_A_TIME, MOST_SHARE = 3e-3, 6.0, 4, 50, 0.4


def leave_out_jumps(sampler: PathSampler, sampled: SampledPath, fit: SpanFit) -> tuple[Array, list[PathJump]]:
    """Return the poses that no jump parts from most others (poses,), and the jumps found, the largest first.

    Whether OpenSim's path jumps on the way from one pose to another is seen by halving it again and again: if a place
    still moves, it does.
    """
    kept, jumps = _largest_part(sampler, sampled, fit)
    for _ in range(ROUNDS):
        off = np.linalg.norm(fit.roughly(kept), axis=2).max(axis=1)
        far = kept & (off > max(FAR, TIMES * float(np.median(off[kept]))))
        furthest = np.argsort(-np.where(far, off, 0))[: min(AT_A_TIME, int(far.sum()))]
        if not len(furthest):
            break
        near = np.flatnonzero(kept & ~far)
        scaled = _scaled(fit)
        ways = _halve(sampler, sampled, fit, furthest, near[KDTree(scaled[near]).query(scaled[furthest])[1]])
        beyond = np.array([way.size > JUMP for way in ways])
        if not beyond.any():
            break
        jumps += [way for way in ways if way.size > JUMP]
        kept[furthest[beyond]] = False
        kept[far & (off > float(off[furthest].min()))] = False
        if kept.mean() < 1 - MOST_SHARE:
            break
    return kept, sorted(jumps, key=lambda jump: -jump.size)


def _largest_part(sampler: PathSampler, sampled: SampledPath, fit: SpanFit) -> tuple[Array, list[PathJump]]:
    """Return the poses that are joined to many others when neighbours are, but for those with a jump between them."""
    distinct, first, group = np.unique(np.round(_scaled(fit), 9), axis=0, return_index=True, return_inverse=True)
    pairs = _neighbours(distinct)
    every = np.ones(len(group), dtype=bool)
    off = fit.roughly(every)[first]
    change = np.linalg.norm(off[pairs[:, 0]] - off[pairs[:, 1]], axis=2).max(axis=1)
    suspicious = [int(pair) for pair in np.argsort(-change)[:LOOKED_AT] if change[pair] > CHANGE]
    if not suspicious:
        return every, []
    ways = _halve(sampler, sampled, fit, *first[pairs[suspicious]].T)
    cut = [pair for pair, way in zip(suspicious, ways, strict=True) if way.size > JUMP]
    joined = np.delete(pairs, cut, axis=0)
    graph = coo_array((np.ones(len(joined)), joined.T), shape=(len(distinct), len(distinct)))
    part = connected_components(graph, directed=False)[1][group.reshape(-1)]
    share = np.bincount(part) / len(part)
    return (share >= min(SMALL_PART, share.max()))[part], [way for way in ways if way.size > JUMP]


def _scaled(fit: SpanFit) -> Array:
    return np.asarray(fit.z / np.maximum(np.ptp(fit.z, axis=0), 1e-9))


def _neighbours(z: Array) -> NDArray[np.intp]:
    """Return pairs of rows of z (poses, n), sorted, that lie next to each other."""
    numbers = np.arange(len(z))
    if z.shape[1] == 1:
        return np.stack([numbers[:-1], numbers[1:]], axis=1)
    beside = KDTree(z).query(z, k=min(NEIGHBOURS + 1, len(z)))[1][:, 1:]
    pairs = np.stack([np.repeat(numbers, beside.shape[1]), beside.ravel()], axis=1)
    return np.asarray(np.unique(np.sort(pairs, axis=1), axis=0))


def _halve(
    sampler: PathSampler, sampled: SampledPath, fit: SpanFit, poses: NDArray[np.intp], others: NDArray[np.intp]
) -> list[PathJump]:
    """Return what is left of the distance of places at poses from those at others, after all halvings between them."""
    columns = list(fit.span.coordinates)
    low = sampled.q[poses].copy()
    high = low.copy()
    high[:, columns] = sampled.q[others][:, columns]
    first, last = (_places(sampler, fit.span, sampled, q) for q in (low, high))
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        between = _places(sampler, fit.span, sampled, middle)
        left = _moved(first, between) > _moved(between, last)
        low, high = np.where(left[:, None], low, middle), np.where(left[:, None], middle, high)
        first, last = (np.where(left[:, None, None], a, b) for a, b in ((first, between), (between, last)))
    names = sampled.coordinate_names
    return [
        PathJump(float(size), {names[c]: float(pose[c]) for c in columns})
        for size, pose in zip(_moved(first, last), low, strict=True)
    ]


def _places(sampler: PathSampler, span: Span, sampled: SampledPath, q: Array) -> Array:
    there = sampler.look([sampled.seen.path], q)[sampled.seen.path.muscle]
    return there.in_body(there.places(SHARES[::6], span.first, span.last)[0], span.bodies[0])


def _moved(one: Array, other: Array) -> Array:
    return np.asarray(np.linalg.norm(one - other, axis=2).max(axis=1))

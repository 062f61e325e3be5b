"""Segments that give up muscles' mass together, where one of them cannot do so alone.

Some segments were published without the muscles that lie in them: a scapula of 0.5 kg, around which lies 1.4 kg, or
vertebrae with the inertia of points. Nothing that can be a body is left of such a segment without its muscles. Its
neighbours then give with it: mass, centre and inertia of the group are conserved at the reference pose, and which
segment gives how much follows from what changes the published distribution least.

With pseudo-inertias in ground at the reference pose (:mod:`~opensim_inertia.muscles.masses.rigid`), the remainders
``R_b`` minimise ``sum |N_b (R_b - E_b) N_b^T|^2 / m_b`` where

* ``E_b`` is what exact conservation by the segment alone would leave, and ``m_b`` its published mass;
* ``sum R_b = sum E_b``: the group conserves, all ten numbers;
* ``R_b - k P_b`` is positive semidefinite: each keeps a share ``k`` of itself as published, ``P_b``
  (:data:`~opensim_inertia.muscles.masses.segments.LEAST_KEPT`);
* ``N_b`` moves the origin to the published centre and divides lengths by half the edge of a cube of its mass.

That is a projection on the intersection of an affine space of ten equations and a cone, whose dual has ten unknowns
``Y``, a symmetric matrix: ``N_b (R_b - k P_b) N_b^T`` is the positive part of ``N_b (E_b - k P_b) N_b^T + m_b N_b^-T Y
N_b^-1`` (Higham 1988, *Computing a nearest symmetric positive semidefinite matrix*; Qi and Sun 2006, *A quadratically
convergent Newton method for computing the nearest correlation matrix*, whose Newton method solves it). There is a
solution if and only if ``sum (E_b - k P_b)`` is positive definite. Where it is not, its second moments are raised to
the nearest that are, and the group has these in excess, its *residual*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, Option, SegmentMassError
from .donors import SMALLEST_DONOR, Skeleton
from .rigid import RigidMass, body_mass_properties, nearest_body
from .segments import LEAST_KEPT, THINNEST, SegmentTransfer

__all__ = ["GroupTransfer", "Neighbourhood", "remainders_together", "take_from_segments"]

DENSITY = 1000.0
"""Density [kg/m^3] by which a segment's mass becomes a length."""

LARGEST_TOGETHER = 0.25
"""Largest residual of a group; above, not the model's segments are wrong, but the masses."""

_ENTRIES = [(r, c) for r in range(4) for c in range(r, 4)]
_ITERATIONS = 100
_EXACT = 1e-14
"""Largest error of the ten equations, relative to the group's mass at its own extent."""


@dataclass(frozen=True)
class GroupTransfer(SegmentTransfer):
    """The mass that one segment of a group gives up, where the group gives up together.

    Attributes:
        group: names of the segments of the group.
        unable: those of them that could not have given up their muscles' mass alone.
        left: what is left of this segment, pseudo-inertia (4, 4) in its frame.
        group_residual: second moments that the group has in excess, as a share of its own as published.
    """

    group: tuple[str, ...]
    unable: tuple[str, ...]
    left: Array
    group_residual: float

    @property
    def partners(self) -> tuple[str, ...]:
        """Names of the segments that give up mass together with this one."""
        return tuple(name for name in self.group if name != self.name)

    @property
    def remainder(self) -> RigidMass:  # type: ignore[override]
        """The mass properties of the segment without what it gave up."""
        return RigidMass.from_pseudo_inertia(self.left)

    @property
    def given_up(self) -> Array:  # type: ignore[override]
        """The pseudo-inertia (4, 4) that the segment gave up: published less left."""
        return self.published.pseudo_inertia - self.left

    @property
    def is_projected(self) -> bool:
        """False: it is the group that may have too much."""
        return False

    @property
    def residual(self) -> float:
        """The residual of the group."""
        return self.group_residual

    def remainder_change(self, change: Array) -> Array:
        """Return zero for no change.

        Raises:
            ModelError: the muscles' pseudo-inertia changes.
        """
        if not change.any():
            return np.zeros((4, 4))
        raise ModelError(
            f"segment '{self.name}' gives up its muscles' mass together with its neighbours, of which there are no "
            "derivatives; name other donor segments in the mass table, or give ",
            Option("transfer", "proportional"),
        )


@dataclass(frozen=True)
class Neighbourhood:
    """The segments of a model that can give up mass, and which of them are neighbours.

    Attributes:
        published: their mass properties, muscles included.
        to_ground: transforms (4, 4) of places in their frames to ground, at the reference pose.
        neighbours: names of the segments beside each: bodies too light to give up mass are passed over.
    """

    published: Mapping[str, RigidMass]
    to_ground: Mapping[str, Array]
    neighbours: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, model: Any, state: Any) -> Neighbourhood:
        """Return the segments of a model (``osim.Model``) at a state."""
        skeleton = Skeleton.of(model, state)
        least = SMALLEST_DONOR * sum(skeleton.mass.values())
        names = [name for name, mass in skeleton.mass.items() if mass > 0.0 and mass >= least]
        beside: dict[str, set[str]] = {name: set() for name in names}
        for name in names:
            parent = next((body for body in skeleton.ancestors(name)[1:] if body in beside), None)
            if parent is not None:
                beside[name].add(parent)
                beside[parent].add(name)
        to_ground = {}
        for name in names:
            transform = model.getBodySet().get(name).getTransformInGround(state)
            to_ground[name] = np.eye(4)
            to_ground[name][:3, :3] = [[transform.R().get(i, j) for j in range(3)] for i in range(3)]
            to_ground[name][:3, 3] = transform.p().to_numpy()
        published = {name: body_mass_properties(model, name) for name in names}
        return cls(published, to_ground, {name: frozenset(others) for name, others in beside.items()})

    def groups(self, unable: Sequence[str]) -> list[tuple[str, ...]]:
        """Return groups of segments around those that cannot give alone: they and their neighbours."""
        groups: list[set[str]] = []
        for name in unable:
            group = {name, *self.neighbours.get(name, ())}
            group = group.union(*(other for other in groups if other & group))
            groups = [other for other in groups if not other & group] + [group]
        return [tuple(name for name in self.published if name in group) for group in groups]


def take_from_segments(
    published: Mapping[str, RigidMass],
    muscles: Mapping[str, Array],
    transfer: str,
    neighbourhood: Callable[[], Neighbourhood] | None = None,
) -> dict[str, SegmentTransfer]:
    """Return the transfer of mass from segments to muscles.

    Args:
        published: mass properties of segments, muscles included, by name.
        muscles: their muscles' mass at the reference pose, pseudo-inertias (4, 4) in their frames, by name.
        transfer: one of :data:`~opensim_inertia.muscles.masses.segments.TRANSFERS`.
        neighbourhood: gives the segments that can give up together; None: each gives alone.

    Returns:
        by segment; those of a group that give with others are among them.

    Raises:
        SegmentMassError: what is left of a segment, or of a group, has no inertia that a body can have.
    """
    transfers = {name: SegmentTransfer(name, published[name], matrix, transfer) for name, matrix in muscles.items()}
    unable = [name for name, alone in transfers.items() if alone.is_unable]
    if not unable:
        return transfers
    if neighbourhood is None:
        raise _nothing_left(transfers[unable[0]])
    around = neighbourhood()
    for group in around.groups(unable):
        transfers |= _together(group, [name for name in unable if name in group], transfers, around)
    for name in unable:
        if not isinstance(transfers[name], GroupTransfer) and not transfers[name].has_remainder:
            raise _nothing_left(transfers[name], around.neighbours.get(name, ()))
    return transfers


def _together(
    group: Sequence[str], unable: Sequence[str], alone: Mapping[str, SegmentTransfer], around: Neighbourhood
) -> dict[str, SegmentTransfer]:
    """Return the transfers of the segments of one group; none if they do not have what their muscles are.

    Args:
        group: names of the segments.
        unable: those of them that cannot give alone.
        alone: what segments would give alone.
        around: the segments.
    """
    muscles = {name: alone[name].muscles if name in alone else np.zeros((4, 4)) for name in group}
    in_ground = [(around.to_ground[name], around.published[name].pseudo_inertia, muscles[name]) for name in group]
    published = [G @ P @ G.T for G, P, _ in in_ground]
    exact = [G @ (P - A) @ G.T for G, P, A in in_ground]
    try:
        left, missing = remainders_together(published, exact)
    except ValueError:
        return {}
    whole = RigidMass.from_pseudo_inertia(np.sum(published, axis=0))
    residual = float(np.linalg.norm(missing) / np.linalg.norm(whole.covariance))
    if len(group) == 1 or residual > LARGEST_TOGETHER:
        return {}
    transfers: dict[str, SegmentTransfer] = {}
    for name, (G, _, _), remainder in zip(group, in_ground, left, strict=True):
        from_ground = np.linalg.inv(G)
        own = from_ground @ remainder @ from_ground.T
        transfers[name] = GroupTransfer(
            name,
            around.published[name],
            muscles[name],
            "conserving",
            tuple(group),
            tuple(unable),
            0.5 * (own + own.T),
            residual,
        )
    return transfers


def _nothing_left(alone: SegmentTransfer, neighbours: Iterable[str] = ()) -> SegmentMassError:
    """Return an error that says that muscles ask too much of a segment, perhaps even of it and its neighbours."""
    of_group = " and ".join(f"'{name}'" for name in sorted(neighbours))
    return SegmentMassError(
        alone.name,
        alone.published.mass,
        float(alone.muscles[3, 3]),
        *(
            [f"nor have its neighbours {of_group} enough to give with it; "]
            if of_group
            else ["no body would be left; "]
        ),
        "reduce these masses, let other segments give them up, or estimate the masses with ",
        Option("overdrawn", "scale"),
    )


def remainders_together(published: Sequence[Array], exact: Sequence[Array]) -> tuple[list[Array], Array]:
    """Return what is left of segments that give up mass together.

    Args:
        published: pseudo-inertias (4, 4) of the segments, all in one frame.
        exact: what exact conservation by each alone would leave of it, (4, 4), positive or not.

    Returns:
        pseudo-inertias of what is left, in the same frame, which add up to those of ``exact`` and what is missing; and
        the second moments (3, 3) about the centre [kg m^2] that are missing, zero where the group conserves.

    Raises:
        ValueError: the group has too little mass.
    """
    whole = RigidMass.from_pseudo_inertia(np.sum(published, axis=0))
    extent = float(np.sqrt(max(np.trace(whole.covariance) / whole.mass, THINNEST**2)))
    to_group = _to(whole.center, extent)
    masses = np.array([P[3, 3] for P in published])
    P = np.array([to_group @ p @ to_group.T for p in published]) / whole.mass
    E = np.array([to_group @ e @ to_group.T for e in exact]) / whole.mass
    kept = LEAST_KEPT * P
    free = (E - kept).sum(axis=0)
    if not free[3, 3] > 0.0:
        raise ValueError("the group has too little mass")
    rest = RigidMass.from_pseudo_inertia(free)
    least = np.full(3, rest.mass * (THINNEST / extent) ** 2)
    target, missing = free, np.zeros((3, 3))
    if (np.linalg.eigvalsh(rest.covariance) < least).any():
        target = nearest_body(rest, least).pseudo_inertia
        missing = (target - free)[:3, :3]
    inverses = []
    for p, mass in zip(P, masses, strict=True):
        edge = 0.5 * np.cbrt(mass / DENSITY) / extent
        inverses.append(np.linalg.inv(_to(p[:3, 3] / p[3, 3], edge)))
    given = _nearest_parts(E - kept, np.array(inverses), masses / whole.mass, target)
    back = np.linalg.inv(to_group)
    remainders = [whole.mass * back @ (part + k) @ back.T for part, k in zip(given, kept, strict=True)]
    return remainders, whole.mass * extent**2 * missing


def _to(centre: Array, length: float) -> Array:
    """Return the transform (4, 4) of places to multiples of a length from a centre."""
    matrix = np.eye(4)
    matrix[:3, :3] /= length
    matrix[:3, 3] = -centre / length
    return matrix


def _nearest_parts(wanted: Array, inverses: Array, weights: Array, target: Array) -> Array:
    """Return the positive semidefinite matrices (n, 4, 4) nearest to those wanted that add up to ``target``.

    Args:
        wanted: (n, 4, 4).
        inverses: of the transforms (n, 4, 4) in whose frames distances are measured.
        weights: distances squared are divided by these, (n,).
        target: their sum (4, 4), positive definite.
    """
    transforms = np.linalg.inv(inverses)
    in_frames = transforms @ wanted @ transforms.swapaxes(1, 2)
    units = np.array([_symmetric(np.eye(10)[k]) for k in range(10)])
    directions = inverses[:, None].swapaxes(2, 3) @ units @ inverses[:, None]  # of each unknown, in each frame

    def parts_at(y: Array) -> tuple[Array, Array, Array]:
        values, axes = np.linalg.eigh(in_frames + weights[:, None, None] * np.einsum("k,nkij->nij", y, directions))
        positive = (axes * np.maximum(values, 0.0)[:, None, :]) @ axes.swapaxes(1, 2)
        return inverses @ positive @ inverses.swapaxes(1, 2), values, axes

    y = np.zeros(10)
    parts, values, axes = parts_at(y)
    error = _entries(parts.sum(axis=0) - target)
    for _ in range(_ITERATIONS):
        size = float(np.linalg.norm(error))
        if size <= _EXACT:
            break
        step = np.linalg.lstsq(_slopes(values, axes, directions, inverses, weights), -error, rcond=1e-14)[0]
        scale = 1.0
        while scale > 1e-8:
            parts, values, axes = parts_at(y + scale * step)
            error = _entries(parts.sum(axis=0) - target)
            if np.linalg.norm(error) < (1.0 - 1e-4 * scale) * size:
                break
            scale *= 0.5
        y = y + scale * step
    return parts


def _slopes(values: Array, axes: Array, directions: Array, inverses: Array, weights: Array) -> Array:
    """Return how the ten numbers of the sum of parts change with the unknowns, (10, 10) (Daleckii and Krein)."""
    positive = np.maximum(values, 0.0)
    differences = values[:, :, None] - values[:, None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (positive[:, :, None] - positive[:, None, :]) / differences
    is_positive = (values > 0.0).astype(float)
    mean = 0.5 * (is_positive[:, :, None] + is_positive[:, None, :])
    tiny = 1e-12 * np.abs(values).max(axis=1)[:, None, None]
    quotient = np.where(np.abs(differences) > tiny, quotient, mean)
    along = axes[:, None].swapaxes(2, 3) @ (weights[:, None, None, None] * directions) @ axes[:, None]
    changes = axes[:, None] @ (quotient[:, None] * along) @ axes[:, None].swapaxes(2, 3)
    total = (inverses[:, None] @ changes @ inverses[:, None].swapaxes(2, 3)).sum(axis=0)
    return np.array([_entries(change) for change in total]).T


def _entries(matrix: Array) -> Array:
    return np.array([matrix[r, c] for r, c in _ENTRIES])


def _symmetric(numbers: Array) -> Array:
    matrix = np.zeros((4, 4))
    for (r, c), number in zip(_ENTRIES, numbers, strict=True):
        matrix[r, c] = matrix[c, r] = number
    return matrix

"""Material of muscles: point masses, strain models, and swinging bellies.

Strain models map material coordinates chi and xi in [0, 1] to arc length on a path of length L:

``s = A + chi P + xi B``, with fibres of length ``B = phi L - slack`` and ``A = f (L - B)``, ``P = e (L - B)``.

* ``"aponeurosis"`` (default): a fibre starts at the fraction chi of the proximal aponeurosis and ends at the same
  fraction of the distal one. Only fibres change length; the mass table has the lengths of free tendons and
  aponeuroses (:mod:`~opensim_inertia.muscles.masses.architecture`).
* ``"rigid_tendon"`` (Wang et al. 2022, section 5, future work): no aponeurosis, tendons of constant length ``slack``.
* ``"uniform"`` (Wang et al. 2022, section 3): the whole path stretches uniformly; the belly is its share ``phi``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array, product
from .masses.table import PointMasses

if TYPE_CHECKING:
    from ..opensim_model.reading.paths import MusclePath
    from ..options.modelling import StrainModel
    from .masses.architecture import MuscleArchitecture


@dataclass(frozen=True, eq=False)
class MaterialPoints:
    """Point masses at material points of a muscle."""

    chi: Array  # (n,), fractions of the aponeurosis at the start of their fibres
    xi: Array  # (n,), fractions of the fibres
    masses: Array  # [kg], (n,)

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Material coordinates of each point: chi (start of the fibre on the aponeurosis) and xi (along the fibre)."""
        return list(zip(self.chi.tolist(), self.xi.tolist(), strict=True))

    @classmethod
    def explicit(cls, points: PointMasses) -> MaterialPoints:
        """Return the material points of explicit point masses."""
        return cls(points.fractions, points.fractions, points.masses)


#: Number of compared lattices.
WAYS = 16


def equal_points(mass: float, n: int, over_aponeurosis: bool = False) -> MaterialPoints:
    """Return n equal point masses that represent a belly, with the exact centre of mass on a straight path.

    Without aponeurosis they are midpoints of n parts; otherwise a symmetric lattice over aponeurosis and fibres with
    small correlation.
    """
    middles = (np.arange(n) + 0.5) / n
    masses = np.full(n, mass / n)
    if not over_aponeurosis:
        return MaterialPoints(middles, middles, masses)
    return MaterialPoints(middles, middles[_least_correlated(n)], masses)


def _least_correlated(n: int) -> NDArray[np.intp]:
    """Return a symmetric permutation (n,), k i + c modulo n, with small correlation to the identity."""
    golden = 0.5 * (math.sqrt(5.0) - 1.0) * n
    steps = [k for k in range(1, n + 1) if math.gcd(k, n) == 1 and (k % 2 == 1 or n % 2 == 1)]
    best_order, least_correlation = np.arange(n), math.inf
    for k in sorted(steps, key=lambda k: abs(k - golden))[:WAYS]:
        # chosen so that the last point mirrors the first: 2 c = k - 1 modulo n
        offset = (k - 1) // 2 if k % 2 == 1 else (k - 1 + n) // 2
        order = (k * np.arange(n) + offset) % n
        correlation = abs(float(np.dot(np.arange(n) - 0.5 * (n - 1), order - 0.5 * (n - 1))))
        if correlation < least_correlation * (1 - 1e-9):
            best_order, least_correlation = order, correlation
    return best_order


#: Shortest fibre between rigid tendons, as a share of the projected optimal fibre length.
SHORTEST_FIBRE = 0.1
#: Half width of the smooth transition to the shortest fibre, as a share of the optimal fibre length.
HOLD_WIDTH = 0.05


@dataclass(frozen=True)
class MaterialMap:
    """Constants of the map from a muscle's material coordinates to arc length along the path."""

    phi: float  # belly share of the path; 1 with rigid tendons
    slack: float  # constant length of tendons and aponeurosis [m]
    proximal: float  # f, proximal free tendon as a share of ``L - B``
    shortest: float  # lower limit of the fibre length [m]
    hold_width: float  # half width of the smooth transition to it [m]
    aponeurosis: float = 0.0  # e, one aponeurosis as a share of ``L - B``

    @property
    def proximal_share(self) -> float:
        """Proximal free tendon as a share of the total free tendon."""
        return self.proximal / (1.0 - self.aponeurosis) if self.aponeurosis < 1.0 else 0.0


def with_bellies_at(strain: StrainModel, shares: Mapping[str, float], maps: Mapping[str, MaterialMap]) -> StrainModel:
    """Return the strain model with moved bellies; ``shares``: fraction of the non-belly length on the proximal side."""
    if strain.kind == "rigid_tendon":
        return replace(strain, proximal_tendon={name: shares.get(name, m.proximal) for name, m in maps.items()})
    bellies = {}
    for name, m in maps.items():
        start = shares.get(name, m.proximal) * (1 - m.phi)
        bellies[name] = (start, min(start + m.phi, 1.0))
    return replace(strain, belly=bellies)


def material_map(
    strain: StrainModel, path: MusclePath, explicit_points: bool, architecture: MuscleArchitecture | None = None
) -> MaterialMap:
    """Return a muscle's :class:`MaterialMap`; uniform strain places explicit points at fractions of the whole path."""
    fibre, tendon = path.optimal_fiber_length, path.tendon_slack_length
    if strain.kind != "uniform":
        along = fibre * np.cos(path.pennation_angle)
        proximal, aponeurosis = strain.proximal_share(path.muscle), 0.0
        if strain.kind == "aponeurosis" and architecture is not None and tendon > 0:
            proximal = architecture.free_tendon_proximal / tendon
            aponeurosis = architecture.aponeurosis / tendon
        return MaterialMap(1.0, tendon, proximal, SHORTEST_FIBRE * along, HOLD_WIDTH * along, aponeurosis)
    if explicit_points:
        return MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
    belly = strain.belly.get(path.muscle, "central") if isinstance(strain.belly, Mapping) else strain.belly
    if isinstance(belly, str):
        phi = fibre / (fibre + tendon)
        proximal = {"central": 0.5, "proximal": 0.0, "distal": 1.0}[belly]
    else:
        phi = belly[1] - belly[0]
        proximal = belly[0] / (1 - phi) if phi < 1 else 0.0
    return MaterialMap(phi, 0.0, proximal, 0.0, 0.0)


#: Map and point for comparing paths: the mass lies at the middle of the path.
WHOLE = MaterialMap(1.0, 0.0, 0.0, 0.0, 0.0)
MIDDLE = MaterialPoints(np.array([0.0]), np.array([0.5]), np.array([1.0]))
#: Points for comparing paths: equal masses under uniform strain.
POINTS: Array = (np.arange(20) + 0.5) / 20


STRANDS = 5
"""Number of interpolation nodes."""

LONGEST = 1.5
"""Longest aponeurosis, relative to the muscle's own, within the slack length."""

LARGEST_SHARE = 0.5
"""Largest proximal share of free tendon, unless the muscle's own is larger."""


_LEGENDRE = np.polynomial.legendre.Legendre.basis
_ROOTS = np.sort(np.real((_LEGENDRE(STRANDS - 1) + _LEGENDRE(STRANDS)).roots()))
_NODES = np.array([0.0, *(0.5 + 0.5 * _ROOTS[1:])])
_COEFFICIENTS: Array = np.asarray(np.linalg.inv(np.vander(_NODES, increasing=True)), dtype=np.float64)
"""Coefficients (power, node) of Lagrange polynomials at the nodes."""


class Strands:
    """Interpolation of results over aponeurosis and tendon lengths, from strands (each: fibres with a common start).

    A *strand* has the fibres that start at one point ``y`` of the proximal aponeurosis, from ``A`` to ``A + P`` on the
    path; it is a muscle with rigid tendons. A quantity linear in mass is a mean over strands, ``F(A, P) = 1/P integral
    of g(y) over y from A to A + P``, with ``g`` interpolated at :data:`STRANDS` Gauss-Radau nodes. The interpolation
    error of the unchanged muscle is added, scaled by the length of the aponeurosis (up to its own). The unchanged
    muscle and the one with rigid tendons are therefore exact.
    """

    def __init__(self, maps: Mapping[str, MaterialMap]) -> None:
        """Set ``maps_by_node`` from material maps by muscle: for each interpolation node, strands that start there."""
        self._aponeurosis = np.array([m.aponeurosis for m in maps.values()])[:, None]  # shares of the constant length
        self._share = np.array([m.proximal_share for m in maps.values()])[:, None]  # of the free tendon, at the origin
        longest = np.minimum(LONGEST * self._aponeurosis, 1.0)
        self._farthest = np.maximum(self._share, LARGEST_SHARE) * (1.0 - longest) + longest  # largest start of a fibre
        ends = [*zip(maps.values(), self._farthest[:, 0], strict=True)]
        self.maps_by_node = [
            [replace(m, aponeurosis=0.0, proximal=float(node * end)) for m, end in ends] for node in _NODES
        ]

    def weights(self, lengths: Array, shares: Array) -> Array:
        """Return weights (strands, muscles, n) that sum strands' changes of results to changes for n belly positions.

        ``lengths`` (n,) are aponeuroses relative to their own; ``shares`` (n,) in [0, 1] move free tendon to the
        origin, from its own share to :data:`LARGEST_SHARE`.
        """
        weight_of_own = np.minimum(lengths, 1.0)
        means = self._means(lengths, shares)
        means -= weight_of_own * self._means(np.ones(1), np.zeros(1))
        return means

    def _means(self, lengths: Array, shares: Array) -> Array:
        """Return weights (strands, muscles, n) that average strands' results over the fibres of each of n bellies."""
        aponeurosis = np.minimum(lengths * self._aponeurosis, 1.0)
        start = (self._share + shares * (LARGEST_SHARE - self._share)) * (1.0 - aponeurosis) / self._farthest
        end = start + aponeurosis / self._farthest
        # mean of y^j: sum of first^i last^(j - i), i = 0 to j, over j + 1
        power, total = np.ones_like(start), np.ones_like(start)
        means = np.empty((STRANDS, *start.shape))
        means[0] = total
        for j in range(1, STRANDS):
            power *= start
            total *= end
            total += power
            np.divide(total, j + 1, out=means[j])
        return product(_COEFFICIENTS.T, means.reshape(STRANDS, -1)).reshape(means.shape)

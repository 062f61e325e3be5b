"""Bellies as means over strands: results for other aponeuroses and free tendons from few solutions.

The fibres that start at one place ``y`` of the proximal aponeurosis, from ``A`` to ``A + P`` on the path, are a
*strand*: a muscle with rigid tendons. Whatever is linear in mass is for the belly the mean of what it is for strands,

    F(A, P) = 1/P integral of g(y) over y from A to A + P.

``g`` is the polynomial through its values at :data:`STRANDS` nodes of Gauss and Radau, the first of which is the
origin. What it misses of the muscle as it is, is added, less the shorter the aponeurosis is. So the muscle as it is and
the one with rigid tendons are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..._core.arrays import Array, product
from .strain import MaterialMap

__all__ = ["LARGEST_SHARE", "LONGEST", "STRANDS", "Strands"]

STRANDS = 5
"""Places at which strands are solved."""

LONGEST = 1.5
"""The longest aponeurosis as a multiple of a muscle's own; no muscle's is longer than its slack length."""

LARGEST_SHARE = 0.5
"""The largest share of a muscle's free tendon that lies at its origin, unless its own share is larger."""


def _radau(count: int) -> Array:
    """Return the nodes of Gauss and Radau in [0, 1), the first of which is 0."""
    legendre = np.polynomial.legendre.Legendre.basis
    roots = np.sort(np.real((legendre(count - 1) + legendre(count)).roots()))
    return np.array([0.0, *(0.5 + 0.5 * roots[1:])])


_NODES = _radau(STRANDS)
_COEFFICIENTS: Array = np.asarray(np.linalg.inv(np.vander(_NODES, increasing=True)), dtype=np.float64)
"""Coefficients (power, node) of the polynomials that are 1 at one node and 0 at the others."""


@dataclass(frozen=True, eq=False)
class Strands:
    """The strands of muscles whose fibres lie between aponeuroses."""

    maps: Mapping[str, MaterialMap]  # the muscles' material maps as they are, by name

    @property
    def _lengths(self) -> tuple[Array, Array, Array]:
        """Aponeurosis, proximal share of free tendon, farthest start (V, 1): shares of all that does not stretch."""
        aponeurosis = np.array([m.aponeurosis for m in self.maps.values()])[:, None]
        share = np.array([m.proximal_share for m in self.maps.values()])[:, None]
        longest = np.minimum(LONGEST * aponeurosis, 1.0)
        return aponeurosis, share, np.maximum(share, LARGEST_SHARE) * (1.0 - longest) + longest

    @cached_property
    def maps_by_node(self) -> list[list[MaterialMap]]:
        """For each node, the muscles' material maps with which all fibres start at that node."""
        farthest = self._lengths[2][:, 0]
        return [
            [
                replace(m, aponeurosis=0.0, proximal=float(node * end))
                for m, end in zip(self.maps.values(), farthest, strict=True)
            ]
            for node in _NODES
        ]

    def weights(self, lengths: Array, shares: Array) -> Array:
        """Return weights (strands, V, n) of differences between strands and the unchanged muscles, in n bellies.

        ``lengths`` (n,) are aponeuroses as multiples of their own; ``shares`` (n,) lead the free tendon at the origin
        from its own share, 0, to :data:`LARGEST_SHARE` of all, 1.
        """
        weight_of_own = np.minimum(lengths, 1.0)
        means = self._means(lengths, shares)
        means -= weight_of_own * self._means(np.ones(1), np.zeros(1))
        return means

    def _means(self, lengths: Array, shares: Array) -> Array:
        """Return the weights (strands, V, n) with which n bellies are means over strands."""
        own_aponeurosis, share, farthest = self._lengths
        aponeurosis = np.minimum(lengths * own_aponeurosis, 1.0)
        start = (share + shares * (LARGEST_SHARE - share)) * (1.0 - aponeurosis) / farthest
        end = start + aponeurosis / farthest
        # The mean of y^j is the sum of first^i last^(j - i), i = 0 to j, over j + 1.
        power, total = np.ones_like(start), np.ones_like(start)
        means = np.empty((STRANDS, *start.shape))
        means[0] = total
        for j in range(1, STRANDS):
            power *= start
            total *= end
            total += power
            np.divide(total, j + 1, out=means[j])
        return product(_COEFFICIENTS.T, means.reshape(STRANDS, -1)).reshape(means.shape)

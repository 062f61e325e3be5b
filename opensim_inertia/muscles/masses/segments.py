"""The transfer of mass from segments to muscles: the mass of muscles is taken out of the bodies that contain it.

A segment's published mass, centre and inertia include its muscles. ``"conserving"`` takes out of it what the muscles
are: at the reference pose the remainder and the muscles' mass together are the segment as published, in mass, centre
and inertia. In terms of pseudo-inertias (:mod:`~opensim_inertia.muscles.masses.rigid`) the remainder is the segment's
less the sum of its muscles'. It is physical if its second moments about its centre are positive definite. Where they
are not,
the nearest remainder is taken that keeps mass and centre: their eigenvalues are raised to a floor, which is the nearest
matrix in the Frobenius norm, and what is added is reported as the *residual*. The floor is a plate of
:data:`THINNEST` root mean square half thickness, or less where the segment itself is thinner in proportion. A published
segment that no body can be, because it breaks the triangle inequality, leaves a remainder that breaks it no more.

``"proportional"`` makes a segment less dense: its mass and inertia shrink by the same factor and its centre of mass
stays, wherever its muscles are. Mass moves by that, and the segment and its muscles are no longer what was published.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from ..._core.arrays import Array
from ..._core.choices import TRANSFERS
from ..._core.errors import Option, SegmentMassError
from .rigid import RigidMass, nearest_body, raised_moments
from .stretches import mass_by_segment

__all__ = [
    "TRANSFERS",
    "SegmentTransfer",
    "requested_masses",
    "inertia_problem",
    "missing_moments",
    "six_numbers",
]

THINNEST = 0.005
"""Least root mean square extent [m] that a remainder keeps in any direction about its centre: a bone is thicker."""

LEAST_KEPT = 0.3
"""The share of its published mass that a segment keeps where muscles ask it for more than it has: bone, skin, fat."""

LARGEST_ALONE = 10.0
"""Largest residual of a segment that gives up muscles' mass alone; above, its inertia is that of a point, not that of a
part of a body, and its neighbours give with it. Limbs, whose joints turn far, are below with any place of bellies."""

_SLACK = 1e-9
"""Relative rounding allowed in the triangle inequality; a flat plate meets it with equality."""


_ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Entries of second moments, in the order of :func:`~opensim_inertia.muscles.masses.rigid.parameters`."""


@dataclass(frozen=True)
class SegmentTransfer:
    """The mass that one segment gives up for its muscles.

    Attributes:
        name: of the segment.
        published: its mass properties as the model has them, muscles included.
        muscles: its muscles' mass at the reference pose, fixed to it; pseudo-inertia (4, 4) in the body's frame.
        transfer: one of :data:`TRANSFERS`.
    """

    name: str
    published: RigidMass
    muscles: Array
    transfer: str

    @property
    def fraction(self) -> float:
        """The share of its mass that the segment gives up."""
        return float(self.muscles[3, 3] / self.published.mass)

    @property
    def partners(self) -> tuple[str, ...]:
        """Names of the segments that give up mass together with this one."""
        return ()

    @cached_property
    def remainder(self) -> RigidMass:
        """The mass properties of the segment without its muscles."""
        if self.transfer == "proportional":
            return self.published.scaled(1.0 - self.fraction)
        return nearest_body(self._exact, self._floors) if self.is_projected else self._exact

    @cached_property
    def given_up(self) -> Array:
        """The pseudo-inertia (4, 4) that the segment gave up: published less left."""
        if self.transfer == "conserving" and not self.is_projected:
            return self.muscles
        return self.published.pseudo_inertia - self.remainder.pseudo_inertia

    @property
    def is_unable(self) -> bool:
        """Whether nothing like the published segment would be left, so that its neighbours must give with it.

        Muscles have all of its mass or more, or the nearest body to what would be left has a residual above
        :data:`LARGEST_ALONE`, or is none.
        """
        return self.transfer == "conserving" and not (self.has_remainder and self.residual <= LARGEST_ALONE)

    @property
    def has_remainder(self) -> bool:
        """Whether something is left of the segment that can be a body, where it can be one as published."""
        if not self._exact.mass > 0.0:
            return False
        is_body = inertia_problem(six_numbers(self.published.inertia)) is None
        return not is_body or float(np.linalg.eigvalsh(self.remainder.inertia)[0]) > 0.0

    @property
    def is_projected(self) -> bool:
        """Whether exact conservation would leave a remainder that no body can have."""
        return self.transfer == "conserving" and bool((self._values < self._floors).any())

    @property
    def lowest(self) -> float:
        """Smallest second moment about its centre that exact conservation would leave [kg m^2]."""
        return float(self._values[0])

    @property
    def residual(self) -> float:
        """The distance of remainder and muscles from the segment as published, as a share of its second moments.

        The Frobenius norm of the change of the second moments about the remainder's centre over that of the published
        segment's. Zero where the segment is conserved.
        """
        if self.transfer == "proportional":
            change = float(np.linalg.norm((self.muscles - self.given_up)[:3, :3]))
        else:
            change = float(np.linalg.norm(np.maximum(self._floors - self._values, 0.0)))
        whole = float(np.linalg.norm(self.published.covariance))
        return change / whole if whole > 0.0 else math.inf if change > 0.0 else 0.0

    def remainder_change(self, change: Array) -> Array:
        """Return the derivative (4, 4) of the remainder's pseudo-inertia along a ``change`` (4, 4) of its muscles'."""
        if self.transfer == "proportional":
            return -change[3, 3] / self.published.mass * self.published.pseudo_inertia
        if not self.is_projected:
            return -change
        # The remainder's moments about its centre c, and how they and the floor change.
        exact = self._exact
        c = exact.center
        d_mass, d_first = -change[3, 3], -change[:3, 3]
        dc = (d_first - d_mass * c) / exact.mass
        d_covariance = -change[:3, :3] - d_mass * np.outer(c, c) - exact.mass * (np.outer(dc, c) + np.outer(c, dc))
        # Derivative of a function of a symmetric matrix (Daleckii and Krein), here the larger of eigenvalue and floor.
        values, Q = self._values, self._axes
        raised_values = np.maximum(values, self._floors)
        differences = values[:, None] - values[None, :]
        is_unchanged = (values > self._floors).astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            quotient = (raised_values[:, None] - raised_values[None, :]) / differences
        quotient = np.where(
            np.abs(differences) > 1e-12 * np.abs(values).max(),
            quotient,
            0.5 * (is_unchanged[:, None] + is_unchanged[None, :]),
        )
        d_floors = self._floors / exact.mass * d_mass
        d_raised = Q @ (quotient * (Q.T @ d_covariance @ Q) + np.diag((1 - is_unchanged) * d_floors)) @ Q.T
        remainder = self.remainder
        result = np.empty((4, 4))
        result[:3, :3] = d_raised + d_mass * np.outer(c, c) + remainder.mass * (np.outer(dc, c) + np.outer(c, dc))
        result[:3, 3] = result[3, :3] = d_first
        result[3, 3] = d_mass
        return result

    @cached_property
    def _exact(self) -> RigidMass:
        """What exact conservation would leave."""
        return RigidMass.from_pseudo_inertia(self.published.pseudo_inertia - self.muscles)

    @cached_property
    def _spectrum(self) -> tuple[Array, Array]:
        values, axes = np.linalg.eigh(self._exact.covariance)
        return values, axes

    @property
    def _values(self) -> Array:
        return self._spectrum[0]

    @property
    def _axes(self) -> Array:
        return self._spectrum[1]

    @cached_property
    def _floors(self) -> Array:
        """Return the least second moments that the remainder may have, ascending (3,) [kg m^2]."""
        return self._exact.mass * _least_moments(self.published)


def missing_moments(published: RigidMass, remainders: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Return the second moments that would-be remainders of one segment need to be physical (:class:`SegmentTransfer`).

    Args:
        published: the segment's mass properties as the model has them.
        remainders: what exact conservation would leave, (10, n): mass, first and second moments as
            :func:`~opensim_inertia.muscles.masses.rigid.parameters` gives them.

    Returns:
        second moments xx, yy, zz, xy, xz, yz (6, n) [kg m^2] to be added, zero where a remainder is a body; and
        whether (n,) there is a body: there is none where muscles have all of the segment's mass or more.
    """
    mass = remainders[0]
    is_body: NDArray[np.bool_] = mass > 0.0
    center = remainders[1:4] / np.where(is_body, mass, 1.0)
    moments = remainders[4:] - mass * np.stack([center[r] * center[c] for r, c in _ENTRIES])
    least = _least_moments(published)
    missing = np.zeros_like(moments)
    bodies = _all_above(moments, least[0] * mass) if least[0] == least[2] else np.zeros_like(is_body)
    projected = np.flatnonzero(is_body & ~bodies)
    if len(projected):
        covariances = np.empty((len(projected), 3, 3))
        for (r, c), values in zip(_ENTRIES, moments[:, projected], strict=True):
            covariances[:, r, c] = covariances[:, c, r] = values
        values, axes = np.linalg.eigh(covariances)
        floors = mass[projected, None] * least
        raised = raised_moments(values, axes, floors) - covariances
        raised[~(values < floors).any(axis=1)] = 0.0
        missing[:, projected] = [raised[:, r, c] for r, c in _ENTRIES]
        if inertia_problem(six_numbers(published.inertia)) is None:
            is_body[projected] = np.maximum(values, floors)[:, :2].sum(axis=1) > 0.0
    return missing, is_body


def _all_above(moments: Array, floor: Array) -> NDArray[np.bool_]:
    """Return whether (n,) the eigenvalues of second moments (6, n) are above floors (n,), by Sylvester's criterion."""
    xx, yy, zz, xy, xz, yz = (*(moments[:3] - floor), *moments[3:])
    minor = xx * yy - xy * xy
    whole = zz * minor - xx * yz * yz - yy * xz * xz + 2.0 * xy * xz * yz
    return np.asarray((xx > 0.0) & (minor > 0.0) & (whole > 0.0))


def _least_moments(published: RigidMass) -> Array:
    """Return the least second moments that a segment's remainder may have, ascending (3,) [m^2], per mass of it.

    A published segment that breaks the triangle inequality has a negative one. The remainder may have as much of it,
    and then keeps enough of the others for its principal moments to be positive.
    """
    smallest, middle, _ = np.linalg.eigvalsh(published.covariance) / published.mass
    least = min(THINNEST**2, smallest)
    larger = least if smallest > 0 else max(smallest, min(middle, max(THINNEST**2, -2 * smallest)))
    return np.array([least, larger, larger])


def requested_masses(available: Mapping[str, float], table: pd.DataFrame) -> dict[str, float]:
    """Return the mass [kg] that each segment of a checked mass table is asked for, where it is more than zero.

    Args:
        available: mass of the segments [kg].
        table: see :func:`~opensim_inertia.muscles.masses.table.check_mass_table`.

    Raises:
        SegmentMassError: a segment is asked for all of its mass or more; the message names the muscles that ask most.
    """
    stretches = mass_by_segment(table)
    requested = {str(name): math.fsum(rows) for name, rows in stretches.groupby("segment", sort=False)["mass"]}
    requested = {name: mass for name, mass in requested.items() if mass > 0.0}
    overdrawn = [name for name in requested if not requested[name] < available[name]]
    if not overdrawn:
        return requested
    worst = max(overdrawn, key=lambda name: requested[name] / available[name] if available[name] > 0.0 else math.inf)
    rows = stretches[stretches["segment"] == worst].sort_values("mass", ascending=False, kind="stable").head(4)
    names = ", ".join(f"'{m}' {kg:.3g} kg" for m, kg in zip(rows["muscle"], rows["mass"], strict=True))
    others = ", ".join(f"'{name}'" for name in overdrawn if name != worst)
    raise SegmentMassError(
        worst,
        available[worst],
        requested[worst],
        f"most is asked by {names}; reduce these masses, let other segments give it up, or estimate the masses with ",
        Option("overdrawn", "scale"),
        " or ",
        Option("overdrawn", "neighbours"),
        f" (also overdrawn: {others})" if others else "",
    )


def inertia_problem(inertia: ArrayLike) -> str | None:
    """Return why an inertia is not that of a physical body with extent, or ``None`` if it is.

    Args:
        inertia: (6,) moments xx, yy, zz and products xy, xz, yz [kg m^2] about the centre of mass, as ``Body.inertia``.
    """
    xx, yy, zz, xy, xz, yz = np.asarray(inertia, dtype=float)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if not np.all(np.isfinite(tensor)):
        return "it has entries that are not finite"
    small, middle, large = np.linalg.eigvalsh(tensor)
    if small <= 0.0:
        return f"its smallest principal moment is {small:.4g} kg m^2"
    if large > (small + middle) * (1.0 + _SLACK):
        return f"its principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg m^2 break the triangle inequality"
    return None


def six_numbers(inertia: Array) -> Array:
    """Return the moments xx, yy, zz and the products xy, xz, yz (6,) of an inertia (3, 3), as ``Body.inertia``."""
    return np.array([*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]])

"""Columns of a motion with another sign or unit: the motion would fit the loads much better with them corrected.

Each number (momentum that the loads do not make, slipping and turning of loaded feet) that is halved counts log 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from ..opensim_model.reading.coordinates import dependent_coordinates
from ..opensim_model.reading.motion import Motion
from .contacts import FootContact, foot_contacts, slip_and_spin
from .momentum import FLOOR, Balance, balance
from .moving_model import LoadedModel, MovingModel

#: Feet count as slipping and turning at least so fast [m/s, rad/s].
LEAST_SLIP, LEAST_SPIN = 0.03, 0.2
#: The gain from which on a column is warned of, and from which on the answer means nothing.
GAIN, SURE = 1.5, 4.0
#: Columns that stay closer to zero matter to nothing, whatever their sign [rad, m].
MOVES = 0.01
#: Angles that stay closer to zero than the second may be in radians among degrees [rad].
DEGREES = 180 / np.pi
SMALL = np.pi / DEGREES
#: Limits of moments, forces and slip, constant and per deviation of force or speed, below which no column is tried.
DOUBT = ((0.025, 0.05), (0.04, 0.06), (0.02, 0.06))
#: Outside of a thorough search so many columns are tried, whose correction gains more than this to first order.
MOST_TRIED, PROMISES = 2, 1.0
FACTORS = {
    -1.0: "its sign seems to be turned",
    DEGREES: "it seems to be in radians where the file says degrees, or converted twice",
}


def turned_column(fit: LoadFit, thorough: bool = False) -> tuple[float, Diagnostic] | None:
    """Return gain and finding of the best correction of one column (``thorough``: of all); None if none is large."""
    if not (thorough or fit.doubtful):
        return None
    tried = list(fit.corrections()) if thorough else fit.promising_corrections()
    gains = [(fit.gain(name, factor), name, factor) for name, factor in tried]
    gain, name, factor = max(gains, key=lambda each: each[0], default=(0.0, "", 0.0))
    if gain <= GAIN:
        return None
    text = (
        f"the motion would fit the loads much better with '{name}' multiplied by {factor:.4g}: {FACTORS[factor]}; what "
        f"is missing of the momentum, and how feet that bear load slip, fall by a factor of {np.exp(gain):.3g} in all"
    )
    cure = ("correct the column, or see that the motion is of this model",)
    return gain, Diagnostic(
        "error" if gain > SURE else "warning", "columns", f"the motion: column '{name}'", text, cure
    )


@dataclass(frozen=True, eq=False)
class LoadFit:
    """How well a motion of all coordinates fits loads, and would with one of its columns corrected."""

    loaded: LoadedModel
    motion: Motion
    moving: MovingModel  # the model along the motion
    contacts: Sequence[FootContact]  # how feet that bear load rest on the ground
    sums: Balance  # the balance of momentum
    sizes: Array  # see :func:`_sizes`
    doubtful: bool  # whether the motion fits badly enough for columns to be tried

    @classmethod
    def of(cls, loaded: LoadedModel, motion: Motion, moving: MovingModel, sums: Balance) -> LoadFit:
        """Measure the fit of a motion, along which the model moves, and its balance of momentum."""
        contacts = foot_contacts(moving)
        swing = float(np.linalg.norm(np.std(sums.required[:, ~sums.moments], axis=0)))
        (moment, more_moment), (force, more_force), (slip, more_slip) = DOUBT
        doubtful = bool(
            (sums.sizes[sums.moments] > moment + more_moment * swing).any()
            or (sums.sizes[~sums.moments] > force + more_force * swing).any()
            or any(contact.slip > slip + more_slip * contact.over_ground for contact in contacts)
        )
        return cls(loaded, motion, moving, contacts, sums, _sizes(sums, contacts), doubtful)

    def gain(self, name: str, factor: float) -> float:
        """Return the gain with a column multiplied by a factor."""
        moving = self.loaded.along(_multiplied(self.motion, name, factor), self.moving.rows)
        sums = None if moving is None else balance(self.loaded.loads, moving)
        if moving is None or sums is None:
            return -np.inf
        sizes = _sizes(sums, foot_contacts(moving))
        return float(np.log(self.sizes / sizes).sum()) if sizes.shape == self.sizes.shape else -np.inf

    def promising_corrections(self) -> list[tuple[str, float]]:
        """Return the corrections that promise most to first order, the best one first."""
        corrections = list(self.corrections())
        if not corrections:
            return []
        gains = np.log(self.sizes / self._first_order_sizes(corrections)).sum(axis=1)
        return [corrections[i] for i in np.argsort(-gains)[:MOST_TRIED] if gains[i] > PROMISES]

    def corrections(self) -> Iterator[tuple[str, float]]:
        """Yield the coordinates that were recorded and matter, each with a number that may have to multiply it."""
        motion, coordinates = self.motion, self.loaded.coordinates
        coupled = dependent_coordinates(self.loaded.model, coordinates)
        others = {coordinates.names[i] for i in coupled} | set(motion.missing)
        if motion.maps is not None:  # speeds of these joints are not multiplied with their coordinates
            others |= {motion.coordinate_names[i] for i in motion.maps.columns}
        for name, values in zip(motion.coordinate_names, motion.q.T, strict=True):
            largest = float(np.abs(values).max(initial=0.0))
            if name in others:
                continue
            if largest > MOVES:
                yield name, -1.0
            if coordinates.rotational[coordinates.index(name)] and 0 < largest < SMALL:
                yield name, DEGREES

    def _first_order_sizes(self, corrections: Sequence[tuple[str, float]]) -> Array:
        """Return the sizes (C, S) of :func:`_sizes` as derivatives at the recorded poses let expect them."""
        moving, names = self.moving, [name for name, _ in corrections]
        speeds = [self.loaded.coordinates.index(name) for name in names]
        columns = [self.motion.coordinate_names.index(name) for name in names]
        factors = np.array([factor for _, factor in corrections])
        dq, du = ((factors - 1) * values[moving.rows][:, columns] for values in (self.motion.q, self.motion.u))
        matrix = moving.momentum_matrix[:, :, speeds]
        momentum, centre = matrix * du[:, None], matrix[:, 3:] / moving.mass * dq[:, None]
        sums = self.sums.changed(moving, np.moveaxis(momentum, -1, 0), np.moveaxis(centre, -1, 0))
        feet = []
        for contact in self.contacts:
            load, rows = moving.loads[contact.load], contact.rows
            turned, moved = np.split(load.jacobian[rows][:, :, speeds] * du[rows, None], 2, axis=1)
            feet.append(slip_and_spin(load.slip[rows, :, None] + moved, load.spin[rows, :, None] + turned))
        slips, spins = np.array(feet).reshape(-1, 2, len(names)).swapaxes(0, 1)
        return _at_least(sums, slips.T, spins.T)


def _sizes(sums: Balance, contacts: Sequence[FootContact]) -> Array:
    """Return how badly a motion fits loads: its imbalance by axis, then slip and spin of feet, as :func:`_at_least`."""
    slips, spins = np.array([(contact.slip, contact.spin) for contact in contacts]).reshape(-1, 2).T
    return _at_least(sums, slips, spins)


def _at_least(sums: Balance, slips: Array, spins: Array) -> Array:
    """Return imbalances (..., A), slips (..., F) [m/s] and spins (..., F) [rad/s] together, none of them too small."""
    sizes = np.maximum(sums.sizes, FLOOR), np.maximum(slips, LEAST_SLIP), np.maximum(spins, LEAST_SPIN)
    return np.concatenate(sizes, axis=-1)


def _multiplied(motion: Motion, name: str, factor: float) -> Motion:
    """Return a motion with one coordinate multiplied, and so its speed."""
    column = motion.coordinate_names.index(name)
    q, u = motion.q.copy(), motion.u.copy()
    q[:, column] *= factor
    u[:, column] *= factor
    return replace(motion, q=q, u=u)

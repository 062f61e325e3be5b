"""External loads against the momentum of the moving model: signs, units, missing contacts.

What moves freely in ground changes its momentum by what loads and gravity do, whatever its joints do: over any time
from ``t1`` to ``t2`` the mean force of all loads is the model's weight plus the change of its linear momentum, divided
by the time, and their mean moment about the centre of mass is the change of its angular momentum, divided likewise.
Over whole strides these changes vanish, so that the mean force is the weight; with them it holds between any two rows.

Time is cut into intervals (:data:`SHORTEST`). A column in another unit or with another sign is the one whose multiple
makes the balance good again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.findings import Finding
from ..opensim_model.setups.loads import Loads
from .moving_model import MovingModel

__all__ = ["momentum_findings"]

SHORTEST = 0.05
"""Intervals of the balance are at least this long [s]."""
FEWEST = 5
"""A balance over fewer intervals says nothing."""
FLOOR = 0.01
"""What is missing on an axis counts as at least this [body weights, body weights times a metre]."""
FITS = 3
"""A multiple of a column is fitted this many times, each axis weighed by what was missing there after the last fit."""
BETTER = 1.0
"""A column is named where its multiple lets what is missing fall by this much: sum of the axes' logarithms."""
UNIT = 0.5
"""Multiples within this of 1 are no other unit or sign."""
SURE, EXACT = 0.3, 0.03
"""Where a column makes more than the first of the balance [body weights], and its multiple is within this share of that
of another unit or sign, the answer means nothing; a worse fit is a guess at the cause, of which is warned."""
MEAN, FORCE, MOMENT = 0.2, 0.35, 0.2
"""How much of the mean upward force, of forces (RMS), and of moments (RMS) may be missing [body weights, and metres].

In public walking and running it is up to 0.01, 0.16 and 0.085."""
UNITS = {
    -1.0: "its sign seems to be turned",
    1e-3: "it seems to be in thousandths of the unit (N mm, mm)",
    1e3: "it seems to be in thousands of the unit (kN)",
    1 / 57.29578: "it seems to have been converted from radians to degrees",
    57.29578: "it seems to have been converted from degrees to radians",
    9.80665: "it seems to be in kg or kp",
    4.44822: "it seems to be in pounds",
    0.0: "it seems to be of another load or damaged",
}
"""What multiples of a column may mean."""
CLOSE = 0.3
"""A multiple is one of these if it differs by less than this share."""


@dataclass(frozen=True, eq=False)
class Balance:
    """Means over I intervals and A axes that are free, in units of body weight, and of body weight at a metre.

    Attributes:
        required: (I, A), what the motion asks for; (..., I, A) of several motions.
        total: (I, A), what the loads make; likewise.
        moments: (A,), whether each is of moments.
        force: (I, 3), the force of all loads, along all axes.
        ends: (I + 1,), the rows that bound the intervals.
    """

    required: Array
    total: Array
    moments: NDArray[np.bool_]
    force: Array
    ends: NDArray[np.intp]

    @property
    def imbalance(self) -> Array:
        """What the motion asks for and the loads do not make (..., I, A)."""
        return self.required - self.total

    @property
    def sizes(self) -> Array:
        """The RMS imbalance by axis (..., A)."""
        return np.asarray(np.sqrt((self.imbalance**2).mean(axis=-2)))

    def changed(self, moving: MovingModel, momentum: Array, centre: Array) -> Balance:
        """Return the balance if momentum (..., R, 6) and centre of mass (..., R, 3) of its model changed by so much.

        The centre moves so little within an interval that its mean is taken with the mean force.
        """
        ends, scale, free = self.ends, moving.weight, moving.free
        change = np.diff(momentum[..., ends, :], axis=-2) / np.diff(moving.times[ends])[:, None] / scale
        arm = 0.5 * (centre[..., ends[1:], :] + centre[..., ends[:-1], :])
        moment = np.cross(arm, self.force)
        moment = np.concatenate([moment, np.zeros_like(moment)], axis=-1)
        return replace(self, required=self.required + change[..., free], total=self.total - moment[..., free])


def momentum_findings(loads: Loads, moving: MovingModel, motion: tuple[float, Finding] | None = None) -> list[Finding]:
    """Return a finding of loads that do not account for the momentum of a model that moves freely in ground.

    Models that are fixed to ground have none.

    Args:
        loads: the loads.
        moving: the model along the motion.
        motion: a finding of the motion that explains the imbalance, after its gain (sum of logarithms): it is returned
            unless a column of the loads has a larger gain.
    """
    if not moving.moves_freely:
        return []
    sums = balance(loads, moving)
    if sums is None or not sums.total.any():
        return []
    column = _column(loads, moving, sums)
    best = max((guess for guess in (column, motion) if guess is not None), key=lambda guess: guess[0], default=None)
    return [*_amount(loads, moving, sums)] if best is None else [best[1]]


def _column(loads: Loads, moving: MovingModel, sums: Balance) -> tuple[float, Finding] | None:
    """Return the gain and a finding of the column whose multiple makes the balance best, if the gain is large.

    The gain is that of :func:`_multiple`.
    """
    best: tuple[float, float, float, str, str] | None = None
    for name, labels in loads.columns.items():
        for label, column in zip(labels, _columns(name, loads, moving), strict=True):
            if label is None or not column.any():
                continue
            factor, gain = _multiple(column, sums.imbalance)
            if abs(factor - 1) > UNIT and gain > BETTER and (best is None or gain > best[0]):
                size = float(np.sqrt(((1 - factor) ** 2 * column**2).mean(axis=0).max()))
                best = gain, factor, size, name, label
    if best is None:
        return None
    gain, factor, size, name, label = best
    unit = next((f"; {text}" for about, text in UNITS.items() if abs(factor - about) <= CLOSE * abs(about)), "")
    text = (
        f"the loads do not make the momentum that the motion has, and would with column '{label}' of the load '{name}' "
        f"multiplied by {factor:.3g}{unit}"
    )
    cure = ("correct the column, or the setup that names it",)
    certain = size > SURE and any(abs(factor - about) <= EXACT * abs(about) for about in UNITS)
    return gain, Finding("error" if certain else "warning", "momentum", str(loads.data), text, cure)


def _multiple(column: Array, imbalance: Array) -> tuple[float, float]:
    """Return the factor by which to multiply a column so that the imbalance is least, and the gain by it.

    The gain is the sum over axes of the logarithm of RMS imbalance before over after.

    Args:
        column: what the column adds to the balance (I, A).
        imbalance: what the motion requires and the loads do not make (I, A).
    """

    def sizes(remainder: Array) -> Array:
        return np.maximum(np.sqrt((remainder**2).mean(axis=0)), FLOOR)

    change, before = 0.0, sizes(imbalance)
    for _ in range(FITS):
        weights = 1 / sizes(imbalance - change * column)
        change = float(((column * imbalance) * weights**2).sum() / ((column * weights) ** 2).sum())
    return 1 + change, float(np.log(before / sizes(imbalance - change * column)).sum())


def _amount(loads: Loads, moving: MovingModel, sums: Balance) -> Iterator[Finding]:
    """Yield a finding of loads that make much more or less than the motion asks for."""
    up = moving.up[moving.free[3:]]
    if abs(np.linalg.norm(up) - 1) < 1e-6:
        force = (sums.total[:, ~sums.moments] @ up).mean()
        required = (sums.required[:, ~sums.moments] @ up).mean()
        if abs(force - required) > MEAN:
            text = (
                f"the loads push the model upwards with {force:.3g} of its weight ({moving.weight:.4g} N) in the mean "
                f"from {moving.times[0]:.4g} to {moving.times[-1]:.4g} s, where its motion asks for {required:.3g}"
            )
            if force < -MEAN:
                cure = "signs seem to be turned: loads are what acts on the body, so that the ground's point upwards"
                yield Finding("error", "body weight", str(loads.data), text, (cure,))
                return
            cure = "see units, that no contact is missing, and that the model has the mass of the subject"
            yield Finding("warning", "body weight", str(loads.data), text, (cure,))
            return
    force, moment = (float(sums.sizes[axes].max(initial=0.0)) for axes in (~sums.moments, sums.moments))
    if force > FORCE or moment > MOMENT:
        text = (
            f"the loads do not make the momentum that the motion has: {force:.2g} of the body's weight and "
            f"{moment:.2g} of it at a metre are missing (RMS of the worst axis)"
        )
        cure = "see that loads and motion are of the same trial, time and axes, and that no contact is missing"
        yield Finding("warning", "momentum", str(loads.data), text, (cure,))


def balance(loads: Loads, moving: MovingModel) -> Balance | None:
    """Return the balance of momentum, or None if there are too few intervals."""
    ends = _ends(moving)
    if ends is None:
        return None
    total = np.zeros((len(ends) - 1, 6))
    for name in loads.columns:
        force, _, torque, arm, times = _acting_load(name, loads, moving)
        total += _means(times, np.hstack([np.cross(arm, force) + torque, force]), moving.times[ends])
    required = np.diff(moving.momentum[ends], axis=0) / np.diff(moving.times[ends])[:, None]
    required[:, 3:] += moving.weight * moving.up
    free = moving.free
    required, total = required / moving.weight, total / moving.weight
    return Balance(required[:, free], total[:, free], np.arange(6)[free] < 3, total[:, 3:], ends)


def _ends(moving: MovingModel) -> NDArray[np.intp] | None:
    """Return the rows that bound the intervals (I + 1,), or None if there are too few."""
    count = min(int((moving.times[-1] - moving.times[0]) / SHORTEST), len(moving.times) - 1)
    if count < FEWEST:
        return None
    return np.unique(np.linspace(0, len(moving.times) - 1, count + 1).round().astype(int))


def _columns(name: str, loads: Loads, moving: MovingModel) -> Array:
    """Return what each column of a load adds to the balance, (9, I, A) in the units of :class:`Balance`.

    Points add their moment with the force as it is. There are enough intervals.
    """
    ends = _ends(moving)
    assert ends is not None
    force, point, torque, arm, times = _acting_load(name, loads, moving)
    axes, none = np.eye(3)[:, None], np.zeros((3, *force.shape))
    forces = force * axes
    moments = np.concatenate([np.cross(arm, forces), np.cross(point * axes, force), torque * axes])
    means = _means(times, np.concatenate([moments, np.concatenate([forces, none, none])], axis=-1), moving.times[ends])
    return np.asarray(means[..., moving.free] / moving.weight)


def _acting_load(name: str, loads: Loads, moving: MovingModel) -> tuple[Array, ...]:
    """Return force, point, torque, the arm of the force about the centre of mass, (T, 3) each, and times (T,).

    The times are those of the table and of the model's rows.
    """
    first, last = moving.times[[0, -1]]
    times = np.union1d(loads.times[(loads.times > first) & (loads.times < last)], moving.times)
    values = _at(times, loads.times, loads.values(name))
    force, point, torque = values[:, :3], values[:, 3:6], values[:, 6:]
    if loads.bodies[name][2] is None:
        point = _at(times, moving.times, moving.origins[loads.bodies[name][0]])
    return force, point, torque, point - _at(times, moving.times, moving.centre), times


def _at(times: Array, rows: Array, values: Array) -> Array:
    """Return values (rows, n) interpolated at times."""
    return np.column_stack([np.interp(times, rows, column) for column in values.T])


def _means(times: Array, values: Array, ends: Array) -> Array:
    """Return the means of values (..., T, n) over the intervals between ends, which are among the times."""
    areas = 0.5 * np.diff(times)[:, None] * (values[..., 1:, :] + values[..., :-1, :])
    sums = np.concatenate([np.zeros_like(values[..., :1, :]), np.cumsum(areas, axis=-2)], axis=-2)
    places = np.searchsorted(times, ends)
    return np.asarray(np.diff(sums[..., places, :], axis=-2) / np.diff(ends)[:, None])

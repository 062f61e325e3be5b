"""Consistency of external loads and the model's momentum: signs, units, missing contacts.

Mean forces must equal weight plus the rate of linear momentum, and mean moments about the mass centre the rate of
angular momentum. If not, corrections are tried: sign or unit of a column of loads or motion, time shift, place, and
time unit. Each measure (imbalance, slip and spin of loaded feet) that a correction halves adds log 2 to its gain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from ..opensim_model.reading.coordinates import dependent_coordinates
from ..opensim_model.reading.motion import Motion
from ..opensim_model.setups.loads import Loads
from .contacts import FootContact, LoadedModel, MovingModel, at_times, foot_contacts, slip_and_spin

#: Shortest interval [s], and least and largest number of intervals.
SHORTEST, FEWEST, MOST = 0.05, 5, 60
#: Lower limit of an axis's imbalance [body weights, body weights at 1 m].
FLOOR = 0.01
#: Number of weighted fits; weights are inverse imbalances of the previous fit.
FITS = 3
#: Least gain of a corrected column: sum of logarithms over axes.
BETTER = 1.0
#: Ranges around 1 in which a factor does not indicate another unit or size.
UNIT, SIZE = 0.5, 0.15
#: Largest time shift, step and smallest shift [s], and least share of covered intervals.
FURTHEST, STEP, LEAST, OVERLAP = 0.8, 0.02, 0.03, 0.5
#: Least gain of a time shift; the smallest shift above this share of the largest gain is used.
EARLIER, ALIKE = 1.5, 0.7
#: Least displacement of points [m], and least gain.
PLACE, PLACED = 0.028, 0.1
#: Least difference of amplitude, and least correlation, of upward forces with another time unit.
RATE, TOGETHER = 0.2, 0.9
#: A correction is an error above this effect [body weights] and within this tolerance of a unit's factor.
SURE, EXACT = 0.3, 0.03
#: Largest imbalance of mean upward force, forces and moments (RMS) [body weights, at 1 m].
MEAN, FORCE, MOMENT = 0.2, 0.35, 0.2
#: Meaning of factors, within the tolerance below.
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
CLOSE = 0.3


@dataclass(frozen=True, eq=False)
class Balance:
    """Mean momentum rates and loads on A free axes in I intervals [body weights; moments: body weights times 1 m]."""

    required: Array  # (I, A), required by the motion; (..., I, A) for several motions
    total: Array  # (I, A), from the loads; likewise
    moments: NDArray[np.bool_]  # (A,), whether the axis is of moments
    force: Array  # (I, 3), total force
    ends: NDArray[np.intp]  # (I + 1,), rows of the interval limits

    @property
    def imbalance(self) -> Array:
        """Rate of momentum minus sum of loads, (..., I intervals, A axes)."""
        return self.required - self.total

    @property
    def sizes(self) -> Array:
        """RMS imbalance of each axis over the intervals, (..., A)."""
        return np.asarray(np.sqrt((self.imbalance**2).mean(axis=-2)))

    def changed(self, moving: MovingModel, momentum: Array, centre: Array) -> Balance:
        """Return the balance if momentum grows by ``momentum`` (..., R, 6) and the mass centre moves by ``centre``."""
        ends, scale, free = self.ends, moving.weight, moving.free
        change = np.diff(momentum[..., ends, :], axis=-2) / np.diff(moving.times[ends])[:, None] / scale
        arm = 0.5 * (centre[..., ends[1:], :] + centre[..., ends[:-1], :])
        moment = np.cross(arm, self.force)
        moment = np.concatenate([moment, np.zeros_like(moment)], axis=-1)
        return replace(self, required=self.required + change[..., free], total=self.total - moment[..., free])


def momentum_imbalance(
    loads: Loads, moving: MovingModel, sums: Balance | None, motion: tuple[float, Diagnostic] | None = None
) -> list[Diagnostic]:
    """Return diagnostics of unbalanced momentum: the likeliest fault, of the loads or (``motion``) of the motion."""
    if sums is None or not sums.total.any():
        return []
    places = _places(loads, moving, sums)
    causes = (motion, _multiple(loads, moving, sums), _shift(loads, moving, sums), places)
    best = max((cause for cause in causes if cause is not None), key=lambda cause: cause[0], default=None)
    if best is not None and (best is not places or best[0] > BETTER):
        return [best[1]]
    unexplained = list(_rate(loads, moving, sums)) or list(_amount(loads, moving, sums))
    return unexplained or ([] if places is None else [places[1]])


def _multiple(loads: Loads, moving: MovingModel, sums: Balance) -> tuple[float, Diagnostic] | None:
    """Return gain (log of misfit ratio) and diagnostic of the best scaling of a load or column; None for small gain."""
    names, limits, changes = (list(each) for each in zip(*_parts(loads, moving, sums.ends), strict=True))
    amounts, gains = _fitted(np.array(changes)[:, None], sums.imbalance)
    sizes, (least, most) = np.abs(amounts[:, 0]), np.array(limits).T
    gains = np.where((sizes > least) & (sizes <= most), gains, -np.inf)
    best = int(gains.argmax())
    if gains[best] <= BETTER:
        return None
    factor, size = 1 + float(amounts[best, 0]), float(sizes[best] * np.sqrt((changes[best] ** 2).mean(axis=0).max()))
    unit = next((f"; {text}" for about, text in UNITS.items() if abs(factor - about) <= CLOSE * abs(about)), "")
    text = (
        f"the loads do not make the momentum that the motion has, and would with {names[best]} multiplied by "
        f"{factor:.3g}{unit}"
    )
    cure = ("correct the column, the setup that names it, or the calibration of its plate",)
    certain = size > SURE and any(abs(factor - about) <= EXACT * abs(about) for about in UNITS)
    return float(gains[best]), Diagnostic("error" if certain else "warning", "momentum", str(loads.data), text, cure)


def _parts(
    loads: Loads, moving: MovingModel, ends: NDArray[np.intp]
) -> Iterator[tuple[str, tuple[float, float], Array]]:
    """Yield name, limits of |scale - 1|, contribution to balance (intervals, axes): per column, load, sum of loads."""
    columns = {name: _columns(name, loads, moving, ends) for name in loads.columns}
    for name, labels in loads.columns.items():
        for label, change in zip(labels, columns[name], strict=True):
            if label is not None:
                yield f"column '{label}' of the load '{name}'", (UNIT, np.inf), change
        yield f"the load '{name}'", (SIZE, UNIT), columns[name][[0, 1, 2, 6, 7, 8]].sum(axis=0)
    if len(columns) > 1:
        for k, change in enumerate(np.sum([*columns.values()], axis=0)):
            quantity = ("forces", "points", "torques")[k // 3]
            yield f"the {quantity} of all loads along {'xyz'[k % 3]}", (UNIT, np.inf), change


def _shift(loads: Loads, moving: MovingModel, sums: Balance) -> tuple[float, Diagnostic] | None:
    """Return gain (log of misfit ratio) and diagnostic of the best time shift of loads; None if no shift helps."""
    shifts = STEP * np.arange(-round(FURTHEST / STEP), round(FURTHEST / STEP) + 1)
    times = moving.times[sums.ends] + shifts[:, None]
    force = sum((loads.values(name)[:, :3] for name in loads.columns), start=np.zeros((len(loads.times), 3)))
    impulses = _integral(loads.times, force)[:, moving.free[3:]]
    missing = (
        np.diff(at_times(times, loads.times, impulses), axis=1) / np.diff(times)[..., None] / moving.weight
        - sums.required[:, ~sums.moments]
    )
    covered = (times[:, :-1] >= loads.times[0]) & (times[:, 1:] <= loads.times[-1])
    enough = covered.sum(axis=1) >= max(FEWEST, OVERLAP * covered.shape[1])
    squares = (missing**2 * covered[..., None]).sum(axis=1) / np.maximum(covered.sum(axis=1), 1)[:, None]
    sizes = np.log(np.maximum(np.sqrt(squares), FLOOR)).sum(axis=1)
    gains = np.where(enough, sizes[len(shifts) // 2] - sizes, -np.inf)
    peaks = 1 + np.flatnonzero((gains[1:-1] >= gains[:-2]) & (gains[1:-1] >= gains[2:]))
    good = peaks[gains[peaks] > max(EARLIER, ALIKE * gains.max())]
    if not enough[len(shifts) // 2] or not len(good):
        return None
    best = good[np.abs(shifts[good]).argmin()]
    if abs(shifts[best]) < LEAST:
        return None
    text = (
        f"the loads fit the motion better if they act {abs(shifts[best]):.2f} s "
        f"{'earlier' if shifts[best] > 0 else 'later'}: the forces missing of the momentum fall to "
        f"{100 * np.exp(-gains[best] / missing.shape[-1]):.0f} %"
    )
    cure = ("see that loads and motion begin at the same moment of the same trial",)
    return float(gains[best]), Diagnostic("warning", "clocks", str(loads.data), text, cure)


def _places(loads: Loads, moving: MovingModel, sums: Balance) -> tuple[float, Diagnostic] | None:
    """Return log of misfit ratio and diagnostic of a common shift of load points; None if ratio or shift is small."""
    level = np.delete(np.eye(3), int(np.abs(moving.up).argmax()), axis=0)
    moments = np.cross(level[:, None], sums.force)
    changes = np.concatenate([moments, np.zeros_like(moments)], axis=-1)[..., moving.free]
    if not changes.any():
        return None
    (moved,), (gain,) = _fitted(changes[None], sums.imbalance)
    offset = moved @ level
    if np.abs(offset).max() <= PLACE or gain <= PLACED:
        return None
    described = ", ".join(f"{100 * value:.1f}" for value in offset)
    text = (
        f"moments balance best with all points of the loads moved by ({described}) cm, which is "
        f"{np.linalg.norm(offset) * moving.weight:.2g} N m under the body's weight"
    )
    cure = ("see that loads and motion have the same origin, and the calibration of the plates' places",)
    return float(gain), Diagnostic("warning", "points", str(loads.data), text, cure)


def _rate(loads: Loads, moving: MovingModel, sums: Balance) -> Iterator[Diagnostic]:
    """Yield a diagnostic if upward forces vary more or less than momentum requires, as with a wrong time unit."""
    up = moving.up[moving.free[3:]]
    upward, required = (each[:, ~sums.moments] @ up for each in (sums.total, sums.required))
    missing = np.abs(required - upward)
    usual = missing <= np.percentile(missing, 90)  # ignores damaged rows
    upward, required = upward[usual], required[usual]
    if not (upward.std() > FLOOR and required.std() > FLOOR):
        return
    ratio = float(upward.std() / required.std())
    if abs(ratio - 1) > RATE and np.corrcoef(upward, required)[0, 1] > TOGETHER:
        times = f"{np.sqrt(max(ratio, 1 / ratio)):.3g} times too {'long' if ratio > 1 else 'short'}"
        text = f"upward forces of the loads vary {ratio:.3g} times as much as the motion's, as if times were {times}"
        cure = ("see the frame rate with which times were written, the filter, and the model's mass",)
        yield Diagnostic("warning", "clocks", str(loads.data), text, cure)


def _fitted(changes: Array, imbalance: Array) -> tuple[Array, Array]:
    """Fit C sets of P contributions to imbalances (I intervals, A axes); return scale factors (C, P) and gains (C,)."""

    def sizes(remainder: Array) -> Array:
        return np.maximum(np.sqrt((remainder**2).mean(axis=-2, keepdims=True)), FLOOR)

    remainder = np.broadcast_to(imbalance, changes[:, 0].shape)
    before, amounts = sizes(remainder), np.zeros(changes.shape[:2])
    for _ in range(FITS):
        weights = 1 / sizes(remainder)
        weighed = (changes * weights[:, None]).reshape(*changes.shape[:2], -1)
        target = (imbalance * weights).reshape(len(changes), -1, 1)
        amounts = np.asarray((np.linalg.pinv(weighed @ weighed.swapaxes(1, 2)) @ weighed @ target)[..., 0])
        remainder = imbalance - np.einsum("cp,cpia->cia", amounts, changes)
    return amounts, np.log(before / sizes(remainder)).sum(axis=(1, 2))


def _amount(loads: Loads, moving: MovingModel, sums: Balance) -> Iterator[Diagnostic]:
    """Yield a diagnostic of loads that are much too large or small, or point downwards."""
    up = moving.up[moving.free[3:]]
    if abs(np.linalg.norm(up) - 1) < 1e-6:
        force = (sums.total[:, ~sums.moments] @ up).mean()
        required = (sums.required[:, ~sums.moments] @ up).mean()
        if abs(force - required) > MEAN:
            text = (
                f"the loads push the model upwards with {force:.3g} of its weight ({moving.weight:.4g} N) in the mean "
                f"from {moving.times[0]:.4g} to {moving.times[-1]:.4g} s, where its motion asks for {required:.3g}"
            )
            severity = "error" if force < -MEAN else "warning"
            cure = "see units, that no contact is missing, and that the model has the mass of the subject"
            if force < -MEAN:
                cure = "signs seem to be reversed: loads act on the body, so that the ground's point upwards"
            yield Diagnostic(severity, "body weight", str(loads.data), text, (cure,))
            return
    force, moment = (float(sums.sizes[axes].max(initial=0.0)) for axes in (~sums.moments, sums.moments))
    if force > FORCE or moment > MOMENT:
        text = (
            f"the loads do not make the momentum that the motion has: {force:.2g} of the body's weight and "
            f"{moment:.2g} of it at a metre are missing (RMS of the worst axis)"
        )
        cure = "see that loads and motion are of the same trial, time and axes, and that no contact is missing"
        yield Diagnostic("warning", "momentum", str(loads.data), text, (cure,))


def balance(loads: Loads, moving: MovingModel) -> Balance | None:
    """Return the balance of momentum and loads; None if the model cannot translate freely or the motion is short."""
    if not moving.moves_freely:
        return None
    count = min(int((moving.times[-1] - moving.times[0]) / SHORTEST), MOST)
    wanted = np.linspace(moving.times[0], moving.times[-1], count + 1)
    ends = np.unique(np.abs(moving.times - wanted[:, None]).argmin(axis=1))
    if len(ends) <= FEWEST:
        return None
    total = np.zeros((len(ends) - 1, 6))
    for name in loads.columns:
        force, _, torque, arm, times = _acting_load(name, loads, moving)
        wrench = np.hstack([np.cross(arm, force) + torque, force])
        total += _means(times, wrench, moving.times[ends]) / moving.weight
    required = np.diff(moving.momentum[ends], axis=0) / np.diff(moving.times[ends])[:, None] / moving.weight
    required[:, 3:] += moving.up
    free = moving.free
    return Balance(required[:, free], total[:, free], np.arange(6)[free] < 3, total[:, 3:], ends)


def _columns(name: str, loads: Loads, moving: MovingModel, ends: NDArray[np.intp]) -> Array:
    """Return contributions of a load's 9 columns to the sum of loads, (9, I, A): means over I intervals on A axes."""
    force, point, torque, arm, times = _acting_load(name, loads, moving)
    axes, none = np.eye(3)[:, None], np.zeros((3, *force.shape))
    forces = force * axes
    moments = np.concatenate([np.cross(arm, forces), np.cross(point * axes, force), torque * axes])
    means = _means(times, np.concatenate([moments, np.concatenate([forces, none, none])], axis=-1), moving.times[ends])
    return means[..., moving.free] / moving.weight


def _acting_load(name: str, loads: Loads, moving: MovingModel) -> tuple[Array, ...]:
    """Return a load's force, point, torque and lever arm about the mass centre, each (T, 3), and the times (T,)."""
    first, last = moving.times[[0, -1]]
    times = np.union1d(loads.times[(loads.times > first) & (loads.times < last)], moving.times)
    force, point, torque = np.hsplit(at_times(times, loads.times, loads.values(name)), 3)
    if loads.bodies[name][2] is None:
        point = at_times(times, moving.times, moving.origins[loads.bodies[name][0]])
    return force, point, torque, point - at_times(times, moving.times, moving.centre), times


def _means(times: Array, values: Array, ends: Array) -> Array:
    """Return time averages of ``values`` (..., T, n) over the intervals between times ``ends``."""
    integral = _integral(times, values)[..., np.searchsorted(times, ends), :]
    return np.asarray(np.diff(integral, axis=-2) / np.diff(ends)[:, None])


def _integral(times: Array, values: Array) -> Array:
    """Return the cumulative trapezoidal integral of ``values`` (..., T, n) over ``times``."""
    areas = 0.5 * np.diff(times)[:, None] * (values[..., 1:, :] + values[..., :-1, :])
    return np.concatenate([np.zeros_like(values[..., :1, :]), np.cumsum(areas, axis=-2)], axis=-2)


#: Lower limits of slip and spin [m/s, rad/s].
LEAST_SLIP, LEAST_SPIN = 0.03, 0.2
#: Gains of a corrected column for a warning and for an error.
GAIN, CERTAIN = 1.5, 4.0
#: Smaller coordinates are not corrected [rad, m].
MOVES = 0.01
#: Angles below the second limit may be in radians instead of degrees [rad].
DEGREES = 180 / np.pi
SMALL = np.pi / DEGREES
#: Limits of moments, forces and slip (constant, per deviation of force or speed) for trying columns.
DOUBT = ((0.025, 0.05), (0.04, 0.06), (0.02, 0.06))
#: Unless thorough: number of tried columns, and their least first-order gain.
MOST_TRIED, PROMISES = 2, 1.0
FACTORS = {
    -1.0: "its sign seems to be turned",
    DEGREES: "it seems to be in radians where the file says degrees, or converted twice",
}


def turned_column(fit: LoadFit, thorough: bool = False) -> tuple[float, Diagnostic] | None:
    """Return the best correction of a motion column: its gain, log(misfit before / after), and diagnostic; or None."""
    if not (thorough or fit.doubtful):
        return None
    tried = list(fit.corrections()) if thorough else fit.promising_corrections()
    gains = [(fit.gain(name, factor), name, factor) for name, factor in tried]
    gain, name, factor = max(gains, key=lambda each: each[0], default=(0.0, "", 0.0))
    if gain <= GAIN:
        return None
    text = (
        f"the motion would fit the loads much better with '{name}' multiplied by {factor:.4g}: {FACTORS[factor]}; the "
        f"missing momentum and the slip of loaded feet fall by a factor of {np.exp(gain):.3g} in all"
    )
    cure = ("correct the column, or see that the motion is of this model",)
    return gain, Diagnostic(
        "error" if gain > CERTAIN else "warning", "columns", f"the motion: column '{name}'", text, cure
    )


@dataclass(frozen=True, eq=False)
class LoadFit:
    """Fit between a motion and loads; estimates how corrections of motion columns improve the fit."""

    loaded: LoadedModel
    motion: Motion
    moving: MovingModel  # model along the motion
    contacts: Sequence[FootContact]  # of loaded feet
    sums: Balance  # balance of momentum
    sizes: Array  # of :func:`_sizes`
    doubtful: bool  # whether the fit is poor enough to try columns

    @classmethod
    def of(cls, loaded: LoadedModel, motion: Motion, moving: MovingModel, sums: Balance) -> LoadFit:
        """Return the fit between a motion and loads with momentum balance ``sums``."""
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
        """Return the gain, a sum of log(old / new misfit), with column ``name`` times ``factor``; -inf if undefined."""
        factors = np.where(np.array(self.motion.coordinate_names) == name, factor, 1.0)
        motion = replace(self.motion, q=self.motion.q * factors, u=self.motion.u * factors)
        moving = self.loaded.along(motion, self.moving.rows)
        sums = None if moving is None else balance(self.loaded.loads, moving)
        if moving is None or sums is None:
            return -np.inf
        sizes = _sizes(sums, foot_contacts(moving))
        return float(np.log(self.sizes / sizes).sum()) if sizes.shape == self.sizes.shape else -np.inf

    def promising_corrections(self) -> list[tuple[str, float]]:
        """Return the corrections (motion column, factor) with the largest first-order estimates of :meth:`gain`."""
        corrections = list(self.corrections())
        if not corrections:
            return []
        gains = np.log(self.sizes / self._first_order_sizes(corrections)).sum(axis=1)
        return [corrections[i] for i in np.argsort(-gains)[:MOST_TRIED] if gains[i] > PROMISES]

    def corrections(self) -> Iterator[tuple[str, float]]:
        """Yield names of recorded coordinates with factors that may correct them: -1, or degrees per radian."""
        motion, coordinates = self.motion, self.loaded.coordinates
        coupled = dependent_coordinates(self.loaded.model, coordinates)
        others = {coordinates.names[i] for i in coupled} | set(motion.missing)
        if motion.maps is not None:  # their speeds are not multiples of rates
            others |= {motion.coordinate_names[i] for i in motion.maps[0]}
        for name, values in zip(motion.coordinate_names, motion.q.T, strict=True):
            largest = float(np.abs(values).max(initial=0.0))
            if name in others:
                continue
            if largest > MOVES:
                yield name, -1.0
            if coordinates.rotational[coordinates.index(name)] and 0 < largest < SMALL:
                yield name, DEGREES

    def _first_order_sizes(self, corrections: Sequence[tuple[str, float]]) -> Array:
        """Return first-order estimates (C, S) of the S misfits (imbalance, slip, spin) after each of C corrections."""
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
    """Return S misfits of motion and loads: imbalance of each axis, then slip and spin of each foot."""
    slips, spins = np.array([(contact.slip, contact.spin) for contact in contacts]).reshape(-1, 2).T
    return _at_least(sums, slips, spins)


def _at_least(sums: Balance, slips: Array, spins: Array) -> Array:
    """Return imbalances on A axes, then slips and spins of F feet, (..., A + 2 F), each clipped to a lower limit."""
    sizes = np.maximum(sums.sizes, FLOOR), np.maximum(slips, LEAST_SLIP), np.maximum(spins, LEAST_SPIN)
    return np.concatenate(sizes, axis=-1)

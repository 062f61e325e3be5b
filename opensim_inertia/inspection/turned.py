"""Columns of a motion with another sign or unit: the motion would fit the loads much better with them corrected.

Of each coordinate in turn the values are multiplied, by -1 or by what turns radians into degrees, and the motion is
held against the loads again: by what the loads do not make of its momentum
(:mod:`~opensim_inertia.inspection.momentum`), and by how feet that bear load slip and turn
(:mod:`~opensim_inertia.inspection.feet`). Each of these numbers that is halved counts ``log 2``. In public walking and
running no coordinate gains more than 0.2, but for the trunk's rotation in one of the trials, 1.0; of one whose sign is
turned, the correction gains 2 (ankle) to 12 (hip).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from .._core.arrays import Array
from .._core.findings import Finding
from .._core.opensim import osim
from ..opensim_model.reading import CoordinateTable, Kinematics, Motion, couplings
from ..opensim_model.setups.loads import Loads
from .feet import bearing_rows, foot_contacts
from .momentum import FLOOR, balance
from .moving_model import MovingModel, covered_rows, spread, whole_kinematics

__all__ = ["turned_column"]

ROWS = 30
"""Rows at which the balance of momentum is looked at."""
LEAST_SLIP, LEAST_SPIN = 0.03, 0.2
"""Feet count as slipping and turning at least so fast [m/s, rad/s]."""
GAIN, SURE = 1.5, 4.0
"""The gain from which on a column is warned of, and from which on the answer means nothing."""
MOVES = 0.01
"""Columns that stay closer to zero matter to nothing, whatever their sign [rad, m]."""
DEGREES = 180 / np.pi
SMALL = np.pi / DEGREES
"""Angles that stay closer to zero may be in radians among degrees [rad]."""
DOUBT = ((0.025, 0.05), (0.04, 0.06), (0.02, 0.06))
"""Where moments [weights times a metre], forces [weights] and slipping [m/s] are below the sum of the first and, times
the second, the standard deviation of the force upwards [weights] or the body's speed over the ground [m/s], the motion
fits the loads so well that no column need be tried."""
FACTORS = {
    -1.0: "its sign seems to be turned",
    DEGREES: "it seems to be in radians where the file says degrees, or converted twice",
}


def turned_column(
    model: osim.Model,
    loads: Loads,
    motion: Motion,
    extra_inertias: Mapping[str, Array] | None = None,
    always: bool = False,
    kinematics: Kinematics | None = None,
) -> tuple[float, Finding] | None:
    """Return by how much the best correction of one column improves the fit to the loads, and a finding of it, or None.

    The gain is the sum of the logarithms of the ratios of :meth:`_LoadFit.sizes` before and after.

    Args:
        model: initialised.
        loads: their bodies are in the model.
        motion: of all coordinates of the model.
        extra_inertias: pseudo-inertias (4, 4) of what is fixed to bodies besides their own mass, by body.
        always: try all columns, even where the motion fits the loads well.
        kinematics: what :func:`whole_kinematics` makes of the model, so as not to make it anew.
    """
    trial = _LoadFit.of(model, loads, motion, extra_inertias, kinematics)
    before = None if trial is None else trial.sizes(motion)
    if trial is None or before is None or not (always or trial.doubtful):
        return None
    best: tuple[float, float, str] | None = None
    for name, factor in _corrections(motion, trial.kinematics.coordinates, model):
        wanted = GAIN if best is None else best[0]
        after = trial.sizes(_multiplied(motion, name, factor), (before, wanted))
        if after is None or after.shape != before.shape:
            continue
        gain = float(np.log(before / after).sum())
        if gain > wanted:
            best = gain, factor, name
    if best is None:
        return None
    gain, factor, name = best
    text = (
        f"the motion would fit the loads much better with '{name}' multiplied by {factor:.4g}: {FACTORS[factor]}; what "
        f"is missing of the momentum, and how feet that bear load slip, fall by a factor of {np.exp(gain):.3g} in all"
    )
    cure = ("correct the column, or see that the motion is of this model",)
    return gain, Finding("error" if gain > SURE else "warning", "columns", f"the motion: column '{name}'", text, cure)


class _LoadFit:
    """How well motions fit loads, at the same rows.

    Attributes:
        kinematics: reads all bodies.
        doubtful: whether the motion that was looked at last fits badly enough for columns to be tried.
    """

    def __init__(
        self, model: osim.Model, loads: Loads, extra_inertias: Mapping[str, Array] | None, kinematics: Kinematics | None
    ) -> None:
        self._model, self._loads, self._extra_inertias = model, loads, extra_inertias
        self.kinematics = whole_kinematics(model) if kinematics is None else kinematics
        self._even = self._bearing = np.zeros(0, dtype=np.intp)
        self.doubtful = False

    @classmethod
    def of(
        cls,
        model: osim.Model,
        loads: Loads,
        motion: Motion,
        extra_inertias: Mapping[str, Array] | None,
        kinematics: Kinematics | None,
    ) -> _LoadFit | None:
        """Choose the rows that are compared; None where nothing moves freely in ground, or no load acts."""
        fit = cls(model, loads, extra_inertias, kinematics)
        fit._even = spread(covered_rows(motion, loads), ROWS)
        moving = fit._moving(motion, fit._even[:1])
        if moving is None or not moving.moves_freely:
            return None
        fit._bearing = bearing_rows(loads, motion, moving.weight, moving.up)
        return fit

    def _moving(self, motion: Motion, rows: np.ndarray) -> MovingModel | None:
        return MovingModel.of(self._model, self._loads, motion, self._extra_inertias, rows, self.kinematics)

    def sizes(self, motion: Motion, to_beat: tuple[Array, float] | None = None) -> Array | None:
        """Return how badly a motion fits the loads; None if momentum cannot be balanced.

        ``to_beat`` are sizes and a gain over them. Where the momentum alone shows that feet which neither slip nor spin
        would not bring that gain, the feet are not looked at, which takes half of the time, and None is returned.

        These are the RMS imbalance of moments and forces by axis (A,) [body weights, body weights times a metre], then
        for each foot its slip [m/s], then for each foot its spin [rad/s], each at least a small positive number.
        """
        even = self._moving(motion, self._even)
        sums = None if even is None else balance(self._loads, even)
        if sums is None:
            return None
        imbalance = np.sqrt((sums.imbalance**2).mean(axis=0))
        if to_beat is not None and _most_gained(to_beat[0], np.maximum(imbalance, FLOOR)) <= to_beat[1]:
            return None
        bearing = self._moving(motion, self._bearing)
        contacts = [] if bearing is None else foot_contacts(bearing)
        slips, spins = (np.array([getattr(contact, name) for contact in contacts]) for name in ("slip", "spin"))
        speeds = np.array([contact.over_ground for contact in contacts])
        swing = float(np.linalg.norm(np.std(sums.required[:, ~sums.moments], axis=0)))
        (moment, more_moment), (force, more_force), (slip, more_slip) = DOUBT
        self.doubtful = bool(
            (imbalance[sums.moments] > moment + more_moment * swing).any()
            or (imbalance[~sums.moments] > force + more_force * swing).any()
            or (slips > slip + more_slip * speeds).any()
        )
        return np.concatenate(
            [np.maximum(imbalance, FLOOR), np.maximum(slips, LEAST_SLIP), np.maximum(spins, LEAST_SPIN)]
        )


def _most_gained(before: Array, imbalance: Array) -> float:
    """Return the gain over sizes of :meth:`_LoadFit.sizes` if feet neither slipped nor spun, with an imbalance (A,)."""
    feet = (len(before) - len(imbalance)) // 2
    least = np.concatenate([imbalance, np.full(feet, LEAST_SLIP), np.full(feet, LEAST_SPIN)])
    return float(np.log(before / least).sum()) if least.shape == before.shape else np.inf


def _corrections(motion: Motion, coordinates: CoordinateTable, model: osim.Model) -> Iterator[tuple[str, float]]:
    """Yield the coordinates that were recorded and matter, each with a number that it may have to be multiplied by."""
    followers = {coordinates.names[c.dependent] for c in couplings(model, coordinates, coordinates.defaults[None])}
    for name, values in zip(motion.coordinate_names, motion.q.T, strict=True):
        largest = float(np.abs(values).max(initial=0.0))
        if name in motion.missing or name in followers:
            continue
        if largest > MOVES:
            yield name, -1.0
        if coordinates.rotational[coordinates.index(name)] and 0 < largest < SMALL:
            yield name, DEGREES


def _multiplied(motion: Motion, name: str, factor: float) -> Motion:
    """Return a motion with one coordinate multiplied, and so its speed."""
    column = motion.coordinate_names.index(name)
    q, u = motion.q.copy(), motion.u.copy()
    q[:, column] *= factor
    u[:, column] *= factor
    return replace(motion, q=q, u=u)

"""Wobbling masses along a recorded motion, and their generalized forces."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError
from ..._kernel import oscillate
from ...model import InertialModel
from ...model.swings import SwingingMuscles, Swings, TensionTable, described_wobble, swings_of
from ...opensim_model.reading.kinematics import StateKinematics
from ...options.recording import Wobble

#: Steps are divided until the error of each displacement is below this share of the largest.
CONVERGED = 1e-6
#: Tolerance for the frequencies and dampings of the band.
BAND_CONVERGED = 1e-5
#: Order of the error by the number of parts of a step, and the largest number of parts.
ORDER, MOST_PARTS = 6, 64
#: Gauss points of a step.
GAUSS = 0.5 + np.sqrt(0.15) * np.array([-1.0, 0.0, 1.0])
#: A step this many times the median is a gap.
GAP = 1.5
#: Smallest ratio of the filter's cutoff to a mode's frequency without a warning.
LEAST_CUTOFF = 2.0


@dataclass(frozen=True, eq=False)
class WobbleRecord:
    """Generalized forces and displacements of wobbling bellies and of wobbling masses on segments."""

    names: tuple[str, ...]  # names of wobbling muscles and masses on segments, (S,)
    forces: Array  # generalized forces of wobble, (T, nu) [N m or N]
    lower: Array | None  # (with upper) bounds over the band minus ``forces``, (T, nu)
    upper: Array | None
    displacements: Array  # d in ground, (T, S, 3) [m]
    table: pd.DataFrame  # one row per wobbling mass, see :func:`_table`
    of_masses: Array  # forces of masses on segments, (T, nu)
    muscles: tuple[str, ...]  # muscle names; "" for masses on segments; (S,)


class Wobbling:
    """Solver of wobbling masses along one motion: collects the coefficients of their equations, then integrates."""

    def __init__(self, inertial: InertialModel, wobble: Wobble, bodies: Sequence[str], times: Array) -> None:
        self._inertial, self._wobble, self._times = inertial, wobble, times
        self.groups = swings_of(inertial, wobble, bodies)
        self._tension = np.zeros((1, len(inertial.muscle_names)))  # of all rows
        if wobble.tension is not None:
            table = TensionTable(inertial, wobble.tension)
            table.check(float(times[0]), float(times[-1]))
            self._tension = table.over(times)
        self._states: list[Sequence[StateKinematics]] = []
        self._touched: list[Sequence[StateKinematics]] = []
        self._udot: list[Array] = []
        self._coefficients: list[list[Array]] = [[] for _ in self.groups]

    def add(
        self, states: Sequence[StateKinematics], udot: Array, touched: Sequence[StateKinematics] | None = None
    ) -> None:
        """Collect the wobble equations' coefficients at the next rows; ``touched`` has only the muscles' bodies."""
        touched = states if touched is None else touched
        self._states.append(states)
        self._touched.append(touched)
        self._udot.append(udot)
        for group, coefficients in zip(self.groups, self._coefficients, strict=True):
            asked = touched if isinstance(group, SwingingMuscles) else states
            coefficients.append(group.coefficients(asked, udot))

    def check(self, cutoff: float | None) -> list[Diagnostic]:
        """Return diagnostics if masses exceed their segment's mass, or filter ``cutoff`` [Hz] is too low for wobble."""
        found, bodies = [], self._inertial.model.getBodySet()
        for name in dict.fromkeys(mass.body for mass in self._wobble.masses):
            published = float(bodies.get(name).getMass())
            total = sum(mass.mass for mass in self._wobble.masses if mass.body == name)
            if total > published:
                text = f"the model publishes {published:.2f} kg; masses that wobble on it weigh {total:.2f} kg"
                found.append(Diagnostic("note", "wobble", name, text))
        if cutoff is None:
            return found
        frequencies = np.concatenate([g.values.frequency() for g in self.groups]) if self.groups else np.zeros(0)
        low = frequencies[frequencies * LEAST_CUTOFF > cutoff]
        if not len(low):
            return found
        kept = [100.0 / (1.0 + (f / cutoff) ** 6) for f in (low.min(), low.max())]
        which = f"{low.min():.3g} Hz" if np.isclose(low.min(), low.max()) else f"{low.min():.3g} to {low.max():.3g} Hz"
        parts = f"{kept[0]:.2g} %" if np.isclose(*kept) else f"{kept[0]:.2g} % to {kept[1]:.2g} %"
        text = (
            f"it is filtered at {cutoff:g} Hz, below twice the frequency of {len(low)} of {len(frequencies)} "
            f"wobbling masses ({which}): at that frequency the filter leaves {parts} of the driving motion, and the "
            "wobble is too small by about the rest"
        )
        return [*found, Diagnostic("warning", "wobble", "the motion", text)]

    def described(self) -> dict[str, Any]:
        """Return the options of wobble for the provenance."""
        return described_wobble(self._inertial, self._wobble)

    def solve(
        self, keeps_band: bool, error: float = CONVERGED, on_coordinates: Callable[[Array], Array] = np.asarray
    ) -> tuple[WobbleRecord, Array]:
        """Integrate wobble; return a record of forces and displacements, and each belly's forces (T, muscles, nu)."""
        T, nu = len(self._times), len(self._inertial.coordinate_names)
        muscles, udot = np.zeros((T, len(self._inertial.muscle_names), nu)), np.concatenate(self._udot)
        factors = self._wobble.factors if keeps_band else self._wobble.factors[:1]
        summed, of_masses = np.zeros((len(factors), T, nu)), np.zeros((T, nu))
        displacements, tables = [], []
        for group, parts in zip(self.groups, self._coefficients, strict=True):
            coefficients = np.concatenate(parts)
            is_muscles = isinstance(group, SwingingMuscles)
            tension = self._tension[:, group.muscles] if isinstance(group, SwingingMuscles) else np.zeros(())
            k, c = group.values.oscillator(tension)
            sets = [np.broadcast_to(x, (T, len(group.names))) for x in (k, c)]
            stiffness = np.stack([f**2 * sets[0] for f, _ in factors])
            damping = np.stack([f * d * sets[1] for f, d in factors])
            errors = np.array([error] + [max(error, BAND_CONVERGED)] * (len(factors) - 1))
            moved = [
                Oscillators(self._times[part], coefficients[part]).move(stiffness[:, part], damping[:, part], errors)
                for part in _without_gaps(self._times)
            ]
            states = np.concatenate(moved, axis=1) if len(moved) > 1 else moved[0]
            asked = list(chain.from_iterable(self._touched if is_muscles else self._states))
            exerted = group.answers(asked, udot, states, stiffness, damping)
            summed += np.stack([on_coordinates(each) for each in exerted.summed])
            each = on_coordinates(exerted.each)
            if isinstance(group, SwingingMuscles):
                muscles = np.zeros_like(muscles)
                muscles[:, group.muscles] = each
            else:
                of_masses = each.sum(axis=1)
            displacements.append(exerted.displacements)
            tables.append(_table(group, tension, exerted.displacements))
        spread = summed - summed[0]
        record = WobbleRecord(
            tuple(name for group in self.groups for name in group.names),
            summed[0],
            spread.min(axis=0) if keeps_band else None,
            spread.max(axis=0) if keeps_band else None,
            np.concatenate(displacements, axis=1) if displacements else np.zeros((T, 0, 3)),
            pd.concat(tables) if tables else pd.DataFrame(),
            of_masses,
            tuple(n if isinstance(group, SwingingMuscles) else "" for group in self.groups for n in group.names),
        )
        return record, muscles


def _without_gaps(times: Array) -> list[slice]:
    """Return slices of the rows between gaps in ``times``."""
    steps = np.diff(times)
    ends = np.flatnonzero(steps > GAP * np.median(steps)) + 1 if len(steps) else np.zeros(0, dtype=int)
    return [slice(int(a), int(b)) for a, b in zip([0, *ends], [*ends, len(times)], strict=True)]


def _table(group: Swings, tension: Array, displacement: Array) -> pd.DataFrame:
    frequency = np.atleast_2d(group.values.frequency(tension))
    size = np.linalg.norm(displacement, axis=-1)
    index = pd.Index(group.names, name="what wobbles")
    with np.errstate(divide="ignore"):
        held = np.where(group.values.by_tension > 0, group.values.stiffness / group.values.by_tension, np.nan)
    return pd.DataFrame(
        {
            "modal mass [kg]": group.values.modal_mass,
            "least frequency [Hz]": frequency.min(axis=0),
            "median frequency [Hz]": np.median(frequency, axis=0),
            "largest frequency [Hz]": frequency.max(axis=0),
            "damping": group.values.damping,
            "F0 [N]": held,
            "largest displacement [mm]": 1e3 * size.max(axis=0),
            "RMS displacement [mm]": 1e3 * np.sqrt((size**2).mean(axis=0)),
        },
        index=index,
    )


class Oscillators:
    """S driven oscillators with n displacements each, at first in equilibrium; coefficients (T, S, 2 n + 1, n)."""

    def __init__(self, times: Array, coefficients: Array) -> None:
        T, S, _, n = coefficients.shape
        self._first, self._n, self._times, self._steps = coefficients[0], n, times, np.diff(times)
        if T == 1:
            return
        self._degree = max(k for k in (1, 3, 5) if k < T or k == 1)
        from scipy.interpolate import make_interp_spline  # slow import

        spline = make_interp_spline(times, coefficients.reshape(T, -1), k=self._degree)
        self._knots, self._control = spline.t, np.ascontiguousarray(spline.c.reshape(T, S, 2 * n + 1, n))

    def move(self, stiffness: Array, damping: Array, errors: Array) -> Array:
        """Return n displacements and n rates of S masses (sets, T, S, 2 n), given stiffness and damping (sets, T, S).

        ``errors`` (sets,) are tolerances relative to the largest displacement, the smallest first. MotionError without
        convergence.
        """
        n, pull = self._n, self._first[:, 2 * self._n, :, None]
        stiffness, damping = np.ascontiguousarray(stiffness), np.ascontiguousarray(damping)
        out = np.empty((*stiffness.shape, 2 * n))
        start = np.zeros((len(out), *out.shape[2:]))
        held = self._first[:, :n] + stiffness[:, 0, :, None, None] * np.eye(n)
        start[..., :n] = np.linalg.solve(held, np.broadcast_to(pull, (*held.shape[:-1], 1)))[..., 0]
        if len(self._times) == 1:
            out[:, 0] = start
            return out
        nodes = cache(self._nodes)

        def step(sets: NDArray[np.intp], which: NDArray[np.intp], parts: int) -> Array:
            """Integrate in ``parts`` steps between rows; return largest changes of displacement (sets, oscillators)."""
            oscillators = (stiffness, damping, self._control, start)
            return oscillate(self._steps, *oscillators, nodes(parts), sets.tolist(), which.tolist(), out)

        stiffest = np.lexsort((damping.max(axis=(1, 2)), stiffness.max(axis=(1, 2))))[-1]
        judged = np.unique([0, stiffest])  # sets that converge last
        others = np.setdiff1d(np.arange(len(out)), judged)
        which = np.arange(out.shape[2])  # oscillators that have not converged
        before, parts = 1, 2
        step(judged, which, before)
        change = step(judged, which, parts)  # (judged, which)
        allowed = np.array([[errors[v] * np.abs(out[v, ..., :n]).max()] for v in judged])
        while True:
            left = change / ((parts / before) ** ORDER - 1.0)
            converged = (left <= allowed).all(axis=0)
            enough = (change <= allowed).all(axis=0)  # converged before this refinement
            for in_parts, done in ((before, enough), (parts, converged & ~enough)):
                if len(others) and done.any():
                    step(others, which[done], in_parts)
            if converged.all():
                return out
            which, left = which[~converged], left[:, ~converged]
            needed = math.ceil((left / allowed).max() ** (1.0 / ORDER) * parts)
            before, parts = parts, min(needed, 2 * parts)
            if parts > MOST_PARTS:
                raise MotionError(
                    f"the wobble does not converge between rows {self._steps.max():.3g} s apart; record the motion "
                    "more densely, or lower the stiffness of the wobbling masses"
                )
            change = step(judged, which, parts)

    def _nodes(self, parts: int) -> tuple[list[int], Array]:
        """Return first index and weights of spline coefficients at each Gauss point of ``parts`` steps between rows."""
        shares = ((np.arange(parts)[:, None] + GAUSS) / parts).ravel()
        nodes = (self._times[:-1, None] + self._steps[:, None] * shares).ravel()
        from scipy.interpolate import BSpline

        basis = BSpline.design_matrix(nodes, self._knots, self._degree)
        return basis.indices[:: self._degree + 1].tolist(), basis.data.reshape(len(nodes), self._degree + 1)

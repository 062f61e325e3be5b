"""Which muscles matter: each muscle's share of the effective inertia of each coordinate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from .._opensim import osim
from ..arrays import Array
from ..errors import MotionError, OptionError
from ..reading import load_motion
from .model import InertialModel

#: At most this many poses of a motion are looked at, evenly spread over its rows.
MOST_POSES = 50


@dataclass(frozen=True)
class MuscleRanking:
    """Shares of the effective inertia, averaged over the poses.

    The effective inertia of a coordinate is its diagonal entry of M + dM, with all other coordinates held (Pai 2010);
    a muscle's share of it is the muscle's own diagonal entry of dM over that. M is of the model whose segments have
    given up the mass.

    Attributes:
        shares: index muscle, one column per coordinate, values in [0, 1]; sorted by total importance.
        needed: per coordinate, the smallest set of muscles that holds ``fraction`` of all muscles' inertia: a tuple of
            names.
        fraction: that fraction.
        poses: number of poses.
    """

    shares: pd.DataFrame
    needed: dict[str, tuple[str, ...]]
    fraction: float
    poses: int

    def summary(self) -> pd.DataFrame:
        """Per coordinate on which muscles have inertia: their share, how few hold ``fraction`` of it, and which."""
        total = self.shares.sum(axis=0)
        rows = [name for name in self.shares.columns if total[name] > 0]
        return pd.DataFrame(
            {
                "muscles' share [%]": [100 * total[name] for name in rows],
                f"muscles for {100 * self.fraction:g} %": [len(self.needed[name]) for name in rows],
                "which": [", ".join(self.needed[name]) for name in rows],
            },
            index=pd.Index(rows, name="coordinate"),
        )


def rank_muscles(
    inertial: InertialModel,
    states_or_motion: osim.State | Iterable[osim.State] | str | os.PathLike[str] | pd.DataFrame | None = None,
    fraction: float = 0.9,
) -> MuscleRanking:
    """Rank muscles by their share of the effective inertia of each coordinate.

    Args:
        inertial: the model.
        states_or_motion: states of ``inertial.model``, or a motion (file or DataFrame), of which up to 50 rows are
            used; default: the default pose.
        fraction: how much of all muscles' inertia the smallest set must hold.

    Raises:
        OptionError: ``fraction`` is not in (0, 1]. MotionError: no state is given, or the motion cannot be used.
    """
    if not 0 < fraction <= 1:
        raise OptionError("fraction", fraction, "a number above 0, at most 1")
    states = _states(inertial, states_or_motion)
    names = inertial.coordinate_names
    sums = np.zeros((len(inertial.muscle_names), len(names)))
    poses = 0
    mass_matrix = osim.Matrix()
    for state in states:
        terms = inertial.evaluate(state, per_muscle=True)
        inertial.model.getMatterSubsystem().calcM(state, mass_matrix)
        effective = np.diag(mass_matrix.to_numpy()) + np.diag(terms.mass_matrix)
        for i, name in enumerate(inertial.muscle_names):
            sums[i] += np.diag(terms.muscles[name].mass_matrix) / effective
        poses += 1
    if poses == 0:
        raise MotionError("no state to rank muscles at")
    shares = pd.DataFrame(sums / poses, index=pd.Index(inertial.muscle_names, name="muscle"), columns=list(names))
    shares = shares.loc[shares.max(axis=1).sort_values(ascending=False, kind="stable").index]
    return MuscleRanking(shares, {name: _fewest(shares[name], fraction) for name in names}, fraction, poses)


def _fewest(share: pd.Series, fraction: float) -> tuple[str, ...]:
    """The fewest muscles whose shares add up to ``fraction`` of the total."""
    ordered = share.sort_values(ascending=False, kind="stable")
    total = float(ordered.sum())
    if total <= 0:
        return ()
    running: Array = np.cumsum(ordered.to_numpy())
    count = int(np.searchsorted(running, fraction * total * (1 - 1e-12))) + 1
    return tuple(ordered.index[:count])


def _states(inertial: InertialModel, given: object) -> Iterable[osim.State]:
    if given is None:
        return [inertial.initial_state()]
    if isinstance(given, osim.State):
        return [given]
    if isinstance(given, str | os.PathLike | pd.DataFrame):
        return _motion_states(inertial, given)
    return given  # type: ignore[return-value]


def _motion_states(inertial: InertialModel, source: str | os.PathLike[str] | pd.DataFrame) -> Iterable[osim.State]:
    motion = load_motion(source, inertial.model, inertial.coordinate_names)
    state = inertial.initial_state()
    rows = np.unique(np.linspace(0, len(motion) - 1, min(MOST_POSES, len(motion))).round().astype(int))
    for row in rows:
        state.setTime(float(motion.times[row]))
        inertial.coordinates.set_values(state, motion.q[row])
        state.setU(osim.Vector.createFromMat(motion.u[row]))
        yield state

"""The share of a coordinate's effective inertia that slides, with its band and its largest over poses.

At a pose it is t^T dM t / t^T M t: the inertia of sliding muscles less that of muscles frozen to their donor segments,
over that of the published model; t is the coordinate's direction
(:mod:`~opensim_inertia.analyses.ranking.effective_inertia`). It has a sign: mass that hangs across a joint may move
less than its donor segment. It depends on no motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.checks import silenced
from ..._core.errors import ModelError, SimulationError
from ..._core.opensim import osim
from ..._core.warnings import InertiaWarning
from ...model import InertialModel
from ...model.constraints import constraint_jacobian, poses_on_the_way
from ...opensim_model.reading.coordinates import WIDEST, follow_couplers
from ...options.recording import Uncertainty
from ...paths.kernel.remarks import MuscleRemarks
from ..inverse_dynamics.band import Bellies, DifferenceParts, band
from .effective_inertia import EffectiveInertia, Rods, as_strands, effective_inertia, estimates

#: Poses of a coordinate's range that are looked at besides the default one, evenly spread.
POSES_OF_RANGE = 9
#: Beyond the ends of its range by more than this [rad or m] a coordinate is out of it.
OUT_OF_RANGE = 1e-6
#: Most poses at which bellies are placed elsewhere, for the band.
POSES_OF_BAND = 9


class SlidingShares:
    """Collects shares that slide, pose by pose; ``uncertainty`` is what the band covers, None for no band."""

    def __init__(
        self, inertial: InertialModel, poses: int, uncertainty: Uncertainty | None, seen: MuscleRemarks
    ) -> None:
        self._inertial, self._uncertainty, self._remarks = inertial, uncertainty, seen
        self._rods = Rods.of(inertial)
        nu, muscles = len(inertial.coordinate_names), len(inertial.muscle_names)
        self._by_muscle, self._inertia, self._rates, self._estimated = (
            np.zeros((muscles, nu)),
            np.zeros(nu),
            np.zeros(nu),
            np.zeros(nu),
        )
        self._largest, self._at = np.zeros(nu), np.full(nu, np.nan)
        self._seen = 0
        self._bellies = (
            None if uncertainty is None or not muscles else Bellies.of(inertial, uncertainty.placement, seen)
        )
        self._banded = set(np.linspace(0, poses - 1, min(poses, POSES_OF_BAND)).round().astype(int).tolist())
        self._strands = np.zeros((0, 0, nu))
        if self._bellies is not None and self._bellies.strands is not None:
            self._strands = np.zeros((len(self._bellies.strands.maps_by_node), len(self._bellies.varied), nu))

    def add(self, state: osim.State, at_pose: EffectiveInertia) -> None:
        """Add the effective inertias of all coordinates at a state."""
        share = at_pose.share(at_pose.sliding, at_pose.lumped)
        rates, estimated = estimates(self._inertial, state, at_pose.directions, self._rods)
        self._by_muscle += share
        self._inertia += at_pose.lumped
        self._rates += at_pose.share(rates, at_pose.lumped).sum(axis=0)
        self._estimated += at_pose.share(estimated, at_pose.lumped).sum(axis=0)
        values, total = self._inertial.coordinates.values(state), share.sum(axis=0)
        larger = (np.abs(total) > np.abs(self._largest)) | np.isnan(self._at)
        self._largest[larger], self._at[larger] = total[larger], values[larger]
        if self._bellies is not None and self._bellies.strands is not None and self._seen in self._banded:
            slides = as_strands(self._inertial, state, at_pose.directions, self._bellies, self._remarks)
            self._strands += at_pose.share(slides - at_pose.sliding[self._bellies.varied], at_pose.lumped)
        self._seen += 1

    @property
    def by_muscle(self) -> pd.DataFrame:
        """Each muscle's part of the shares, averaged over the poses: index muscle, one column per coordinate."""
        index = pd.Index(self._inertial.muscle_names, name="muscle")
        return pd.DataFrame(self._by_muscle / self._seen, index=index, columns=list(self._inertial.coordinate_names))

    @property
    def table(self) -> pd.DataFrame:
        """The shares of all coordinates, see :attr:`MuscleRanking.sliding <.ranking.MuscleRanking.sliding>`."""
        lower, upper = self._band()
        columns = {
            "share": self._by_muscle.sum(axis=0) / self._seen,
            "lower": lower,
            "upper": upper,
            "largest": self._largest,
            "at": self._at,
            "inertia": self._inertia / self._seen,
            "length rates": self._rates / self._seen,
            "estimate": self._estimated / self._seen,
        }
        table = pd.DataFrame(columns, index=pd.Index(self._inertial.coordinate_names, name="coordinate"))
        return table.where(table["inertia"] > 0)

    def _band(self) -> tuple[Array, Array]:
        nu = len(self._inertia)
        if self._bellies is None or self._uncertainty is None:
            return np.full(nu, np.nan), np.full(nu, np.nan)
        parts = DifferenceParts(self._by_muscle / self._seen, self._strands / len(self._banded))
        return band(parts, self._uncertainty, self._bellies)


def largest_over_ranges(inertial: InertialModel, coordinates: Sequence[int]) -> tuple[Array, Array]:
    """Return the largest sliding share over each coordinate's range (n,), and the value there (n,) [rad or m]."""
    shares, values = np.full((2, len(coordinates)), np.nan)
    with silenced(InertiaWarning):
        for k, i in enumerate(coordinates):
            for state in _poses_of_range(inertial, i):
                try:
                    at_pose = effective_inertia(inertial, state, [i])
                except ModelError:
                    continue
                share = float(at_pose.share(at_pose.sliding, at_pose.lumped).sum())
                if not abs(share) <= abs(shares[k]):
                    shares[k], values[k] = share, inertial.coordinates.values(state)[i]
    return shares, values


def _poses_of_range(inertial: InertialModel, i: int) -> Iterator[osim.State]:
    """Yield states over a coordinate's range, at rest, in which constraints take no coordinate out of its own range."""
    coordinates, state = inertial.coordinates, inertial.initial_state()
    default = coordinates.values(state)
    least, most = (
        bound(ends, default) for bound, ends in zip((np.minimum, np.maximum), coordinates.ranges.T, strict=True)
    )
    low, high = np.clip(coordinates.ranges[i], default[i] - WIDEST, default[i] + WIDEST)
    poses = np.tile(default, (1 + POSES_OF_RANGE, 1))
    poses[1:, i] = np.linspace(low, high, POSES_OF_RANGE)
    inertial.model.realizePosition(state)
    bound = len(constraint_jacobian(inertial.model, state)) > 0
    for pose in follow_couplers(inertial.model, coordinates, poses) if bound else poses:
        coordinates.set_values(state, pose)
        if bound:
            try:
                poses_on_the_way(inertial.kinematics, state, keep=[i])
            except SimulationError:
                continue
            values = coordinates.values(state)
            if ((values < least - OUT_OF_RANGE) | (values > most + OUT_OF_RANGE)).any():
                continue
        yield state

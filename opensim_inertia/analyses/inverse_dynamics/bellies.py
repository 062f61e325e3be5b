"""Weights by which solved parts add up to the difference for other masses and bellies, and segments' remainders then.

Muscles give their mass up from donor segments at the reference pose. With other masses, or bellies elsewhere, a
segment's remainder may be no body; it then is the nearest one, as where a model is built with them
(:mod:`~opensim_inertia.muscles.masses.segments`). All of this is arithmetic on a few numbers per muscle: no model is
built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, product
from ...model import InertialModel
from ...model.placement import Placement
from ...muscles.masses.groups import GroupTransfer
from ...muscles.masses.rigid import RigidMass, parameters
from ...muscles.masses.segments import missing_moments
from ...muscles.material import Strands

__all__ = ["Bellies", "GivenUp", "Places", "Weights", "excess_forces", "shared_out"]


class Places(NamedTuple):
    """Where bellies lie, for all muscles alike.

    Attributes:
        lengths: of aponeuroses as multiples (n,) of the muscles' own.
        shares: of the free tendon at the origin, (n,): 0 for the muscles' own, 1 for half of it.
    """

    lengths: Array
    shares: Array


class Weights(NamedTuple):
    """The weights of all parts of a difference, for n choices of masses and of places of bellies.

    Attributes:
        muscles: factors (muscles, n) on the muscles' parts.
        strands: weights (strands, V, n) of what strands' parts differ by.
        missing: second moments (S, 6, n) [kg m^2] that are added to segments' remainders, which would be no bodies.
        possible: whether (n,) every segment has the mass that it is asked for.
    """

    muscles: Array
    strands: Array
    missing: Array
    possible: NDArray[np.bool_]

    @property
    def stacked(self) -> Array:
        """All weights of what adds to a difference, (muscles + strands V + 6 S, n)."""
        return np.concatenate([part.reshape(-1, part.shape[-1]) for part in self[:3]])


@dataclass(frozen=True, eq=False)
class Bellies:
    """The muscles' mass at the reference pose as it is and as strands, and the segments that give it up.

    Attributes:
        segments: names (S,) of the donors.
        published: their mass properties, muscles included.
        donors: number (parts,) of the donor of each part of the muscles' mass; -1 for none of these.
        muscles: number (parts,) of the muscle that each is of, ascending.
        in_group: whether (S,) each segment gives up together with others: what these share out among themselves is in
            the muscles' parts, and scales with their masses.
        conserving: whether segments give up exactly what their muscles are.
        given_up: what donors give up for the parts, (parts, 10), see
            :func:`~opensim_inertia.muscles.masses.rigid.parameters`.
        strands: those of the muscles whose bellies are placed otherwise; None for no muscle.
        varied: numbers (V,) of these muscles.
        of_strands: what donors give up more for the parts of these as strands, (strands, parts of these, 10).
    """

    segments: tuple[str, ...]
    published: tuple[RigidMass, ...]
    donors: NDArray[np.intp]
    muscles: NDArray[np.intp]
    in_group: NDArray[np.bool_]
    conserving: bool
    given_up: Array
    strands: Strands | None
    varied: NDArray[np.intp]
    of_strands: Array

    @classmethod
    def of(cls, inertial: InertialModel, placed: bool) -> Bellies:
        """Return the bellies of a model.

        Args:
            inertial: the model.
            placed: whether bellies are placed otherwise, too. Paths that OpenSim leads are not asked for: their
                muscles stay as they are.
        """
        placement = inertial.placement
        maps = inertial.muscles.between_aponeuroses(inertial.wraps.opensim) if placed else {}
        strands = Strands(maps) if maps else None
        segments = tuple(placement.transfers)
        transfers = placement.transfers.values()
        given_up = parameters(placement.given_up_by_part)
        of_parts = placement.muscle_of_part
        varied = np.array([i for i, name in enumerate(inertial.muscle_names) if name in maps], dtype=np.intp)
        varied_parts = np.flatnonzero(np.isin(of_parts, varied))
        as_strands = np.zeros((0, len(varied_parts), 10))
        if strands:
            laid = placement.given_up_otherwise(varied.tolist(), strands.maps_by_node, inertial.evaluation.notes)
            as_strands = parameters(laid) - given_up[varied_parts]
        return cls(
            segments,
            tuple(t.published for t in transfers),
            np.array([segments.index(name) for name in placement.donors], dtype=np.intp),
            of_parts,
            np.array([isinstance(t, GroupTransfer) for t in transfers], dtype=bool),
            all(t.transfer == "conserving" for t in transfers),
            given_up,
            strands,
            varied,
            as_strands,
        )

    @property
    def varied_parts(self) -> NDArray[np.intp]:
        """Numbers of the parts of the muscles that vary."""
        return np.flatnonzero(np.isin(self.muscles, self.varied))

    def some(self, muscles: NDArray[np.bool_], segments: NDArray[np.bool_]) -> Bellies:
        """Return the bellies of some muscles and the segments that give up their mass.

        A muscle whose donor is not among the segments stays; whether that donor's remainder is a body is not checked.

        Args:
            muscles: which muscles, (muscles,); all muscles of the chosen segments are among them.
            segments: which segments, (S,).
        """
        varied, parts = muscles[self.varied], muscles[self.muscles]
        number = np.cumsum(segments) - 1
        strands = None
        if self.strands is not None and varied.any():
            strands = Strands({name: m for (name, m), k in zip(self.strands.maps.items(), varied, strict=True) if k})
        chosen = np.flatnonzero(segments)
        return Bellies(
            tuple(self.segments[s] for s in chosen),
            tuple(self.published[s] for s in chosen),
            np.where(segments[self.donors], number[self.donors], -1)[parts],
            (np.cumsum(muscles) - 1)[self.muscles[parts]],
            self.in_group[chosen],
            self.conserving,
            self.given_up[parts],
            strands,
            (np.cumsum(muscles) - 1)[self.varied[varied]],
            self.of_strands[:, parts[self.varied_parts]],
        )

    def weights(self, factors: Array, places: Places | None) -> Weights:
        """Return the weights of the parts for n choices of masses and places.

        Args:
            factors: on the muscles' masses, (muscles, n).
            places: where bellies lie; None: where they are.
        """
        count = factors.shape[1]
        if self.strands is None or places is None:
            strands = np.zeros((len(self.of_strands), len(self.varied), count))
        else:
            strands = self.strands.weights(*places)
            strands *= factors[self.varied]
        missing, possible = np.zeros((len(self.segments), 6, count)), np.ones(count, dtype=bool)
        varied_parts = self.varied_parts
        varied_muscles = np.searchsorted(self.varied, self.muscles[varied_parts])
        for s, published in enumerate(self.published):
            if self.in_group[s]:
                continue
            of_segment = np.flatnonzero(self.donors == s)
            varied = np.flatnonzero(self.donors[varied_parts] == s)
            given_up = product(self.given_up[of_segment].T, factors[self.muscles[of_segment]])
            weights = strands[:, varied_muscles[varied]].reshape(-1, count)
            given_up += product(self.of_strands[:, varied].reshape(-1, 10).T, weights)
            remainder = parameters(published.pseudo_inertia)[:, None] - given_up
            if self.conserving:
                missing[s], enough = missing_moments(published, remainder)
                possible &= enough
            else:
                possible &= remainder[0] > 0.0
        return Weights(factors, strands, missing, possible)


class GivenUp:
    """What segments give up for muscles' masses, ready to be taken off the muscles' forces at many states.

    Args:
        muscles: place of the muscle that each part of the masses is of, (parts,), along the axis of the forces.
        donors: of the parts, numbers (parts,) of the segments.
        numbers: ten for each part, see :func:`~opensim_inertia.muscles.masses.rigid.parameters`, in several sets,
            (sets, parts, 10).
    """

    def __init__(self, muscles: NDArray[np.intp], donors: NDArray[np.intp], numbers: Array) -> None:
        self._by_donor: list[tuple[int, NDArray[np.intp], Array]] = []
        for donor in np.unique(donors).tolist():
            mine = np.flatnonzero(donors == donor)
            of_donor, place = np.unique(muscles[mine], return_inverse=True)
            sums = np.zeros((len(numbers), len(of_donor), 10))
            for k, part in zip(place.tolist(), mine.tolist(), strict=True):
                sums[:, k] += numbers[:, part]
            self._by_donor.append((donor, of_donor, sums.reshape(-1, 10)))

    def take_off(self, forces: Array, regressors: Array) -> None:
        """Take it off forces (sets, muscles, n), in place, with regressors (n, S, 10) of the segments."""
        for donor, of_donor, numbers in self._by_donor:
            given_up = product(numbers, np.ascontiguousarray(regressors[:, donor].T))
            forces[:, of_donor] -= given_up.reshape(len(forces), len(of_donor), -1)


def shared_out(placement: Placement) -> GivenUp | None:
    """Return, with its sign turned, what segments that give up together share out, by muscles' shares of it."""
    if not placement.group_excess:
        return None
    segments, count = list(placement.transfers), len(placement.assembly.names)
    muscles, donors, numbers = [], [], []
    for shares, excess in placement.group_excess:
        for name, matrix in excess.items():
            muscles.append(np.arange(count))
            donors.append(np.full(count, segments.index(name)))
            numbers.append(-shares[:, None] * parameters(matrix))
    return GivenUp(np.concatenate(muscles), np.concatenate(donors), np.concatenate(numbers)[None])


def excess_forces(placement: Placement, regressors: Array) -> Array | float:
    """Return forces (T, nu) of what segments have too much that could not be conserved alone.

    Args:
        placement: of the muscles' mass.
        regressors: of all segments that give up mass, (T, S, nu, 10).
    """
    segments = list(placement.transfers)
    return sum((regressors[:, segments.index(n)] @ parameters(m) for n, m in placement.excess.items()), start=0.0)

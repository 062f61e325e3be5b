"""The place of the muscles' mass along their paths, the mass at the reference pose, and what segments give up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import Array
from .._core.errors import ModelError
from ..muscles.masses.rigid import RigidMass
from ..muscles.masses.segments import SegmentTransfer, take_from_segments
from ..muscles.material import MaterialMap
from ..opensim_model.reading import StateKinematics
from ..paths.kernel.evaluation import Evaluation
from ..paths.kernel.run_notes import MuscleNotes, RunNotes
from .assembly import Assembly

#: A residual of a segment above this share of its second moments is worth a warning.
LARGEST_RESIDUAL = 0.01


@dataclass(frozen=True)
class Placement:
    """All muscles with mass, laid along their paths in one way.

    Attributes:
        assembly: the muscles.
        donors: the segment that gives up each muscle's mass.
        reference: the reference pose.
        frozen: each muscle's mass at that pose as a rigid body, pseudo-inertias in the donors' frames, (muscles, 4, 4).
        transfers: what each donor segment gives up, by its name.
    """

    assembly: Assembly
    donors: tuple[str, ...]
    reference: StateKinematics
    frozen: Array
    transfers: Mapping[str, SegmentTransfer]

    @classmethod
    def at(
        cls,
        assembly: Assembly,
        donors: Sequence[str],
        reference: StateKinematics,
        published: Mapping[str, RigidMass],
        transfer: str,
    ) -> Placement:
        """Freeze the mass at the reference pose, and take it from the donors.

        Args:
            assembly: the muscles.
            donors: segment that gives up each one's mass.
            reference: the pose.
            published: mass properties of the donors, muscles included.
            transfer: one of :data:`~opensim_inertia.muscles.masses.segments.TRANSFERS`.

        Raises:
            SegmentMassError: a donor has no physical remainder. ModelError: a muscle lies nowhere finite.
        """
        in_ground = assembly.evaluation.pseudo_inertias(reference)
        for name, matrix in zip(assembly.names, in_ground, strict=True):
            if not np.isfinite(matrix).all():
                raise ModelError(f"muscle '{name}' lies nowhere finite at the reference pose; check that pose")
        frozen = _in_donor_frames(in_ground, donors, assembly.bodies, reference)
        return cls(assembly, tuple(donors), reference, frozen, _transfers(donors, frozen, published, transfer))

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the muscles, so laid, at states."""
        return self.assembly.evaluation

    def given_up_otherwise(self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], notes: RunNotes) -> Array:
        """Return what segments would give up for some muscles with other material maps.

        Paths that come from OpenSim cannot be laid otherwise: their muscles must not be given.

        Args:
            which: numbers of the muscles.
            sets: of material maps, one for each of these muscles.
            notes: of the run that asks.

        Returns:
            pseudo-inertias (sets, which, 4, 4) in the donors' frames, see :attr:`given_up_by_muscle`.
        """
        at_reference = notes.for_call()  # of its paths the model has notes already
        in_ground = self.evaluation.with_notes(at_reference).pseudo_inertias_of_maps(self.reference, which, sets)
        notes.add(MuscleNotes(at_reference.noted.clamped))
        donors = [self.donors[i] for i in which]
        frozen_sets = _in_donor_frames(in_ground.swapaxes(0, 1), donors, self.assembly.bodies, self.reference).swapaxes(
            0, 1
        )
        return np.stack([self._given_up_for(which, frozen) for frozen in frozen_sets])

    def frozen_by_map(self) -> Array:
        """Return derivatives (muscles, 3, 4, 4) of ``frozen`` with respect to constants of each muscle's map.

        These are ``proximal``, ``phi`` and ``aponeurosis``.
        """
        in_ground = self.evaluation.pseudo_inertias_by_map(self.reference)
        return _in_donor_frames(in_ground, self.donors, self.assembly.bodies, self.reference)

    @property
    def given_up_by_muscle(self) -> Array:
        """Pseudo-inertias that segments gave up for each muscle, in the donors' frames, (muscles, 4, 4).

        What a segment could not give up (``excess``) is not taken off.
        """
        return self._given_up_for(range(len(self.donors)), self.frozen)

    def _given_up_for(self, which: Sequence[int], frozen: Array) -> Array:
        """Return pseudo-inertias (n, 4, 4) that donors give up for muscles ``which`` (n,) of mass ``frozen``."""
        given_up = frozen.copy()
        for k, i in enumerate(which):
            transfer = self.transfers[self.donors[i]]
            if transfer.transfer == "proportional":
                given_up[k] = frozen[k, 3, 3] / transfer.published.mass * transfer.published.pseudo_inertia
        return given_up

    @property
    def excess(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) that remainders have too much where exact conservation is impossible, by segment."""
        return {name: t.muscles - t.given_up for name, t in self.transfers.items() if t.is_projected}

    @property
    def total(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) of all muscles of a donor segment at the reference pose, by segment."""
        return {name: transfer.muscles for name, transfer in self.transfers.items()}

    @property
    def given_up(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) that donor segments gave up, by segment."""
        return {name: transfer.given_up for name, transfer in self.transfers.items()}

    @property
    def notes(self) -> list[str]:
        """One sentence about the remainders that were meant to be conserved but would be no body, if there are any."""
        conserving = [t for t in self.transfers.values() if t.transfer == "conserving"]
        broken = [t for t in conserving if t.residual > LARGEST_RESIDUAL]
        return [_about_remainders(broken)] if broken else []

    def left_along(self, changes: Array) -> list[dict[str, Array]]:
        """Return how donors' remainders change with each muscle's pseudo-inertia.

        Args:
            changes: of the muscles' pseudo-inertias, (muscles, 4, 4).

        Returns:
            for each muscle, the change (4, 4) of its donor's remainder, by the donor's name.
        """
        return [{d: self.transfers[d].remainder_change(change)} for d, change in zip(self.donors, changes, strict=True)]


def _transfers(
    donors: Sequence[str], frozen: Array, published: Mapping[str, RigidMass], transfer: str
) -> dict[str, SegmentTransfer]:
    total: dict[str, Array] = {}
    for donor, matrix in zip(donors, frozen, strict=True):
        total[donor] = total.get(donor, np.zeros((4, 4))) + matrix
    return take_from_segments(published, total, transfer)


def _in_donor_frames(matrices: Array, donors: Sequence[str], bodies: Sequence[str], pose: StateKinematics) -> Array:
    """Return pseudo-inertias (muscles, ..., 4, 4), given in ground, as seen from their donors' frames at a pose."""
    in_frames = np.empty_like(matrices)
    for i, donor in enumerate(donors):
        b = bodies.index(donor)
        to_body = np.eye(4)
        to_body[:3, :3] = pose.rotation[b].T
        to_body[:3, 3] = -pose.rotation[b].T @ pose.position[b]
        in_frames[i] = to_body @ matrices[i] @ to_body.T
    return in_frames


def _about_remainders(transfers: Sequence[SegmentTransfer]) -> str:
    """Return a sentence about segments of which no physical bodies would be left."""
    if len(transfers) == 1:
        (transfer,) = transfers
        return (
            f"segment '{transfer.name}': no physical body would be left of its {transfer.published.mass:.3g} kg "
            f"without its muscles' {transfer.muscles[3, 3]:.3g} kg (smallest second moment {transfer.lowest:.3g} "
            f"kg m^2). Mass and centre are kept; {100 * transfer.residual:.1f} % of its second moments are added, the "
            "part 'moved' of results"
        )
    each = ", ".join(
        f"'{t.name}' ({t.muscles[3, 3]:.3g} of {t.published.mass:.3g} kg, {100 * t.residual:.1f} %)"
        for t in sorted(transfers, key=lambda t: -t.residual)
    )
    return (
        f"{len(transfers)} segments: no physical bodies would be left without their muscles. Masses and centres are "
        f"kept; second moments are added, the part 'moved' of results. The muscles' mass and the share of second "
        f"moments that is added: {each}"
    )

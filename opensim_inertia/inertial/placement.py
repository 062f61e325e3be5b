"""Where the muscles' mass is: the kernel that moves it, itself at the reference pose, and what segments give up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._kernel import Kernel
from ..arrays import Array
from ..masses.rigid import RigidMass
from ..masses.segments import SegmentTransfer, take_from_segments
from ..reading import StateKinematics


@dataclass(frozen=True)
class Placement:
    """All muscles with mass, laid along their paths in one way.

    Attributes:
        kernel: their mass in motion.
        muscles: their names, in the kernel's order.
        donors: the segment that gives up each muscle's mass.
        frozen: each muscle's mass at the reference pose as a rigid body, pseudo-inertias in the donors' frames,
            (muscles, 4, 4).
        transfers: what each donor segment gives up, by its name.
    """

    kernel: Kernel
    muscles: tuple[str, ...]
    donors: tuple[str, ...]
    frozen: Array
    transfers: Mapping[str, SegmentTransfer]

    @classmethod
    def at(
        cls,
        kernel: Kernel,
        donors: Mapping[str, str],
        bodies: Sequence[str],
        reference: StateKinematics,
        published: Mapping[str, RigidMass],
        transfer: str,
    ) -> Placement:
        """Freeze the mass at the reference pose, and take it from the donors.

        Args:
            kernel: knows the muscles, and their paths at that pose.
            donors: segment that gives up its mass, by muscle.
            bodies: names along the reference's body axis.
            reference: the pose.
            published: mass properties of the donors, muscles included.
            transfer: one of :data:`~opensim_inertia.masses.segments.TRANSFERS`.

        Raises:
            SegmentMassError: a donor has no physical remainder.
        """
        names = tuple(donors.values())
        frozen = _frozen(kernel, range(len(names)), names, bodies, reference)
        return cls(kernel, tuple(donors), names, frozen, _transfers(names, frozen, published, transfer))

    def placed_otherwise(
        self, kernel: Kernel, which: Sequence[int], bodies: Sequence[str], reference: StateKinematics
    ) -> Placement:
        """The same with some muscles, by their numbers, as another kernel lays them."""
        frozen = self.frozen.copy()
        frozen[list(which)] = _frozen(kernel, which, [self.donors[i] for i in which], bodies, reference)
        published = {name: transfer.published for name, transfer in self.transfers.items()}
        kind = next(iter(self.transfers.values())).transfer
        return replace(self, kernel=kernel, frozen=frozen, transfers=_transfers(self.donors, frozen, published, kind))

    @property
    def given_up_by_muscle(self) -> Array:
        """What segments gave up for each muscle, but for what they could not, (muscles, 4, 4) in the donors' frames."""
        own = self.frozen.copy()
        for name, transfer in self.transfers.items():
            if transfer.transfer == "proportional":
                mine = [i for i, donor in enumerate(self.donors) if donor == name]
                unit = transfer.published.pseudo_inertia / transfer.published.mass
                own[mine] = self.frozen[mine, 3, 3][:, None, None] * unit
        return own

    @property
    def excess(self) -> dict[str, Array]:
        """What remainders that could not be conserved have in excess, pseudo-inertia (4, 4) by segment."""
        return {name: t.muscles - t.given_up for name, t in self.transfers.items() if t.is_projected}

    @property
    def total(self) -> dict[str, Array]:
        """The muscles' mass at the reference pose, pseudo-inertia (4, 4) by donor."""
        return {name: transfer.muscles for name, transfer in self.transfers.items()}

    @property
    def given_up(self) -> dict[str, Array]:
        """What segments gave up, pseudo-inertia (4, 4) by donor."""
        return {name: transfer.given_up for name, transfer in self.transfers.items()}

    def left_along(self, changes: Array) -> list[dict[str, Array]]:
        """How remainders change, by donor, for a change (4, 4) of each muscle's pseudo-inertia, (muscles, 4, 4)."""
        return [{d: self.transfers[d].left_along(change)} for d, change in zip(self.donors, changes, strict=True)]


def _transfers(
    donors: Sequence[str], frozen: Array, published: Mapping[str, RigidMass], transfer: str
) -> dict[str, SegmentTransfer]:
    total: dict[str, Array] = {}
    for donor, matrix in zip(donors, frozen, strict=True):
        total[donor] = total.get(donor, np.zeros((4, 4))) + matrix
    return take_from_segments(published, total, transfer)


def _frozen(
    kernel: Kernel, which: Sequence[int], donors: Sequence[str], bodies: Sequence[str], reference: StateKinematics
) -> Array:
    in_ground = kernel.pseudo_inertia(*reference.kernel_arguments(), list(which))
    return in_donor_frames(in_ground, donors, bodies, reference)


def in_donor_frames(matrices: Array, donors: Sequence[str], bodies: Sequence[str], frame: StateKinematics) -> Array:
    """Pseudo-inertias (muscles, ..., 4, 4) in ground, as seen from their donors' frames at a pose."""
    seen = np.empty_like(matrices)
    for i, donor in enumerate(donors):
        b = bodies.index(donor)
        to_body = np.eye(4)
        to_body[:3, :3] = frame.rotation[b].T
        to_body[:3, 3] = -frame.rotation[b].T @ frame.position[b]
        seen[i] = to_body @ matrices[i] @ to_body.T
    return seen

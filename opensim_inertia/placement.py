"""Where the muscles' mass is: the kernel that moves it, itself at the reference pose, and what segments give up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._kernel import Kernel
from .masses.rigid import RigidMass
from .masses.segments import SegmentTransfer, take_from_segments
from .reading import Frame

Array = NDArray[np.float64]


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
        reference: Frame,
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
        in_ground = kernel.pseudo_inertia(*reference.kernel_arguments(), list(range(len(donors))))
        frozen = in_donor_frames(in_ground, list(donors.values()), bodies, reference)
        total: dict[str, Array] = {}
        for donor, matrix in zip(donors.values(), frozen, strict=True):
            total[donor] = total.get(donor, np.zeros((4, 4))) + matrix
        return cls(
            kernel, tuple(donors), tuple(donors.values()), frozen, take_from_segments(published, total, transfer)
        )

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


def in_donor_frames(matrices: Array, donors: Sequence[str], bodies: Sequence[str], frame: Frame) -> Array:
    """Pseudo-inertias (muscles, ..., 4, 4) in ground, as seen from their donors' frames at a pose."""
    seen = np.empty_like(matrices)
    for i, donor in enumerate(donors):
        b = bodies.index(donor)
        to_body = np.eye(4)
        to_body[:3, :3] = frame.rotation[b].T
        to_body[:3, 3] = -frame.rotation[b].T @ frame.position[b]
        seen[i] = to_body @ matrices[i] @ to_body.T
    return seen

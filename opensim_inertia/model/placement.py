"""The place of the muscles' mass along their paths, the mass at the reference pose, and what segments give up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import ModelError
from ..muscles.masses.groups import GroupTransfer, Neighbourhood, take_from_segments
from ..muscles.masses.rigid import RigidMass
from ..muscles.masses.segments import SegmentTransfer
from ..muscles.masses.stretches import Stretch
from ..muscles.material import MaterialMap
from ..opensim_model.reading import StateKinematics
from ..paths.kernel.evaluation import Evaluation, MassParts
from ..paths.kernel.run_notes import MuscleNotes, RunNotes
from .assembly import Assembly

#: A residual of a segment above this share of its second moments is worth a warning.
LARGEST_RESIDUAL = 0.01


@dataclass(frozen=True)
class Placement:
    """All muscles with mass, laid along their paths in one way.

    Attributes:
        assembly: the muscles.
        parts: the parts of their masses that different segments give up; those of a muscle follow each other.
        donors: the segment that gives up each part.
        reference: the reference pose.
        frozen: each part at that pose as a rigid body, pseudo-inertias in the donors' frames, (parts, 4, 4).
        transfers: what each donor segment gives up, by its name; and others that give with them.
    """

    assembly: Assembly
    parts: MassParts
    donors: tuple[str, ...]
    reference: StateKinematics
    frozen: Array
    transfers: Mapping[str, SegmentTransfer]

    @classmethod
    def at(
        cls,
        assembly: Assembly,
        stretches: Sequence[Sequence[Stretch]],
        reference: StateKinematics,
        published: Mapping[str, RigidMass],
        transfer: str,
        neighbourhood: Callable[[], Neighbourhood],
    ) -> Placement:
        """Freeze the mass at the reference pose, and take it from the donors.

        Args:
            assembly: the muscles.
            stretches: of each one's mass, with the segments that give them up.
            reference: the pose.
            published: mass properties of the donors, muscles included.
            transfer: one of :data:`~opensim_inertia.muscles.masses.segments.TRANSFERS`.
            neighbourhood: gives the segments that may give up mass together.

        Raises:
            SegmentMassError: a donor has no physical remainder. ModelError: a muscle lies nowhere finite.
        """
        each = [(muscle, stretch) for muscle, of_muscle in enumerate(stretches) for stretch in of_muscle]
        parts = MassParts([muscle for muscle, _ in each], [stretch.window for _, stretch in each])
        donors = tuple(stretch.segment for _, stretch in each)
        in_ground = assembly.evaluation.pseudo_inertias(reference, parts)
        for part in np.flatnonzero(~np.isfinite(in_ground).all(axis=(1, 2)))[:1]:
            name = assembly.names[parts.which[part]]
            raise ModelError(f"muscle '{name}' lies nowhere finite at the reference pose; check that pose")
        frozen = _in_donor_frames(in_ground, donors, assembly.bodies, reference)
        total: dict[str, Array] = {}
        for donor, matrix in zip(donors, frozen, strict=True):
            total[donor] = total.get(donor, np.zeros((4, 4))) + matrix
        transfers = take_from_segments(published, total, transfer, neighbourhood)
        return cls(assembly, parts, donors, reference, frozen, transfers)

    @property
    def muscle_of_part(self) -> NDArray[np.intp]:
        """Number of the muscle that each part is of, (parts,)."""
        return np.array(self.parts.which, dtype=np.intp)

    def of_muscles(self, of_parts: Array, axis: int = 0) -> Array:
        """Return sums by muscle of what belongs to all parts, which an axis numbers."""
        return sums_by_muscle(of_parts, self.muscle_of_part, axis)

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the muscles, so laid, at states."""
        return self.assembly.evaluation

    def frozen_otherwise(self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], notes: RunNotes) -> Array:
        """Return some muscles' parts at the reference pose as rigid bodies, with other material maps.

        Paths that come from OpenSim cannot be laid otherwise: their muscles must not be given.

        Args:
            which: numbers of the muscles, ascending.
            sets: of material maps, one for each of these muscles.
            notes: of the run that asks.

        Returns:
            pseudo-inertias (sets, parts of these muscles, 4, 4) in the donors' frames, as :attr:`frozen`.
        """
        at_reference = notes.for_call()  # of its paths the model has notes already
        asked = self._parts_of(which)
        place = {muscle: i for i, muscle in enumerate(which)}
        numbers = [self.parts.which[k] for k in asked]
        parts = MassParts(numbers, [self.parts.windows[k] for k in asked])
        maps = [[group[place[muscle]] for muscle in numbers] for group in sets]
        in_ground = self.evaluation.with_notes(at_reference).pseudo_inertias_of_maps(self.reference, parts, maps)
        notes.add(MuscleNotes(at_reference.noted.clamped))
        donors = [self.donors[k] for k in asked]
        in_frames = _in_donor_frames(in_ground.swapaxes(0, 1), donors, self.assembly.bodies, self.reference)
        return in_frames.swapaxes(0, 1)

    def given_up_otherwise(self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], notes: RunNotes) -> Array:
        """Return what segments would give up for some muscles with other material maps, see :attr:`given_up_by_part`.

        Arguments and result are those of :meth:`frozen_otherwise`.
        """
        donors = [self.donors[k] for k in self._parts_of(which)]
        frozen_sets = self.frozen_otherwise(which, sets, notes)
        return np.stack([self._given_up_for(donors, frozen) for frozen in frozen_sets])

    def _parts_of(self, which: Sequence[int]) -> list[int]:
        """Return the numbers of the parts of some muscles."""
        wanted = set(which)
        return [k for k, muscle in enumerate(self.parts.which) if muscle in wanted]

    def frozen_by_map(self) -> Array:
        """Return derivatives (parts, 3, 4, 4) of ``frozen`` with respect to constants of each muscle's map.

        These are ``proximal``, ``phi`` and ``aponeurosis``.
        """
        in_ground = self.evaluation.pseudo_inertias_by_map(self.reference, self.parts)
        return _in_donor_frames(in_ground, self.donors, self.assembly.bodies, self.reference)

    @property
    def given_up_by_part(self) -> Array:
        """Pseudo-inertias that segments gave up for each part, in the donors' frames, (parts, 4, 4).

        What a segment could not give up (``excess``), and what a group of segments shares out otherwise
        (``group_excess``), is not taken off.
        """
        return self._given_up_for(self.donors, self.frozen)

    def _given_up_for(self, donors: Sequence[str], frozen: Array) -> Array:
        """Return pseudo-inertias (n, 4, 4) that donors (n,) give up for mass ``frozen`` (n, 4, 4)."""
        given_up = frozen.copy()
        for k, donor in enumerate(donors):
            transfer = self.transfers[donor]
            if transfer.transfer == "proportional":
                given_up[k] = frozen[k, 3, 3] / transfer.published.mass * transfer.published.pseudo_inertia
        return given_up

    @property
    def excess(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) that remainders have too much where exact conservation is impossible, by segment."""
        return {name: t.muscles - t.given_up for name, t in self.transfers.items() if t.is_projected}

    @cached_property
    def group_excess(self) -> list[tuple[Array, dict[str, Array]]]:
        """For each group of segments that give up together, by how much its segments give up less than their muscles.

        Returns:
            the share (muscles,) of the group's muscle mass that each muscle has, and pseudo-inertias (4, 4) by segment.
        """
        groups: dict[tuple[str, ...], dict[str, Array]] = {}
        for name, t in self.transfers.items():
            if isinstance(t, GroupTransfer):
                groups.setdefault(t.group, {})[name] = t.muscles - t.given_up
        masses = self.frozen[:, 3, 3]
        shares = [np.bincount(self.parts.which, masses * np.isin(self.donors, group)) for group in groups]
        return [(share / share.sum(), excess) for share, excess in zip(shares, groups.values(), strict=True)]

    @property
    def total(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) of all that a donor segment's muscles are at the reference pose, by segment."""
        return {name: transfer.muscles for name, transfer in self.transfers.items()}

    @property
    def given_up(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) that donor segments gave up, by segment."""
        return {name: transfer.given_up for name, transfer in self.transfers.items()}

    @property
    def notes(self) -> list[str]:
        """Sentences about remainders that were meant to be conserved but would be no bodies: of groups, of segments."""
        alone = [t for t in self.transfers.values() if t.transfer == "conserving" and not isinstance(t, GroupTransfer)]
        broken = [t for t in alone if t.residual > LARGEST_RESIDUAL]
        return [*(sentence for _, sentence in self.groups), *([_about_remainders(broken)] if broken else [])]

    @property
    def groups(self) -> list[tuple[GroupTransfer, str]]:
        """For each group of segments that give up together one that could not alone, and a sentence about the group."""
        groups = {t.group: t for t in self.transfers.values() if isinstance(t, GroupTransfer) and t.name in t.unable}
        return [(t, _about_group([self.transfers[name] for name in group], t)) for group, t in groups.items()]

    def left_along(self, changes: Array) -> list[dict[str, Array]]:
        """Return how donors' remainders change with each muscle's pseudo-inertia.

        Args:
            changes: of the parts' pseudo-inertias, (parts, 4, 4).

        Returns:
            for each muscle, the changes (4, 4) of its donors' remainders, by the donors' names.
        """
        result: list[dict[str, Array]] = [{} for _ in self.assembly.names]
        for muscle, donor, change in zip(self.parts.which, self.donors, changes, strict=True):
            along = self.transfers[donor].remainder_change(change)
            result[muscle][donor] = result[muscle][donor] + along if donor in result[muscle] else along
        return result


def sums_by_muscle(of_parts: Array, muscle_of_part: NDArray[np.intp], axis: int) -> Array:
    """Return sums of what belongs to parts of muscles over those of each muscle; parts of a muscle follow each other.

    Args:
        of_parts: what belongs to each part; ``axis`` numbers the parts.
        muscle_of_part: number of the muscle that each is of, (parts,).
        axis: the axis.
    """
    firsts = np.flatnonzero(np.diff(muscle_of_part, prepend=-1))
    if len(firsts) == len(muscle_of_part):  # no muscle has several
        return of_parts
    return np.asarray(np.add.reduceat(of_parts, firsts, axis=axis))


def _in_donor_frames(matrices: Array, donors: Sequence[str], bodies: Sequence[str], pose: StateKinematics) -> Array:
    """Return pseudo-inertias (parts, ..., 4, 4), given in ground, as seen from their donors' frames at a pose."""
    to_bodies = {}
    for donor in dict.fromkeys(donors):
        b = bodies.index(donor)
        to_bodies[donor] = np.eye(4)
        to_bodies[donor][:3, :3] = pose.rotation[b].T
        to_bodies[donor][:3, 3] = -pose.rotation[b].T @ pose.position[b]
    to_body = np.reshape([to_bodies[donor] for donor in donors], (len(donors), *(1,) * (matrices.ndim - 3), 4, 4))
    return np.asarray(to_body @ matrices @ to_body.swapaxes(-1, -2))


def _about_group(transfers: Sequence[SegmentTransfer], of_group: GroupTransfer) -> str:
    """Return a sentence about segments that give up together, and what they have too much."""
    mass = sum(t.published.mass for t in transfers)
    unable = ", ".join(
        f"'{t.name}' ({t.muscles[3, 3]:.3g} of {t.published.mass:.3g} kg)"
        for t in transfers
        if t.name in of_group.unable
    )
    others = ", ".join(f"'{t.name}'" for t in transfers if t.name not in of_group.unable)
    text = f"no physical bodies would be left without their muscles of {unable}: these segments do not hold them. "
    text += f"They give up together with {others}" if others else "They give up together"
    if of_group.residual > LARGEST_RESIDUAL:
        return (
            f"{text}; even so {100 * of_group.residual:.1f} % of the second moments of these {mass:.3g} kg are added, "
            "the part 'moved' of results"
        )
    return f"{text}: mass, centre and inertia of all these at the reference pose are kept"


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

"""The muscles' mass as the published model holds it: fixed to donor segments at the reference pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._core.arrays import Array
from .._core.errors import ModelError
from ..muscles.masses.stretches import GROUND, Stretch
from ..muscles.material import MaterialMap
from ..opensim_model.reading import StateKinematics
from ..paths.kernel.evaluation import FrozenParts, MassParts
from ..paths.kernel.run_notes import MuscleNotes, RunNotes
from .assembly import Assembly

__all__ = ["FrozenMass"]


@dataclass(frozen=True)
class FrozenMass:
    """Mass of the muscles, frozen to their donor segments as it lies at the reference pose.

    Mass that lies on ground, or that has no donor, is not among it.

    Attributes:
        parts: the parts of their masses that are frozen to different segments; those of a muscle follow each other.
    """

    assembly: Assembly  # the muscles, without frozen mass
    parts: MassParts
    donors: tuple[str, ...]  # the segment that each part is frozen to
    reference: StateKinematics  # the reference pose
    matrices: Array  # pseudo-inertias of the parts in the segments' frames, (parts, 4, 4)

    @classmethod
    def at(cls, assembly: Assembly, stretches: Sequence[Sequence[Stretch]], reference: StateKinematics) -> FrozenMass:
        """Freeze muscles' mass in stretches with donor segments at a pose; ModelError: a muscle lies nowhere finite."""
        each = [
            (muscle, stretch)
            for muscle, of_muscle in enumerate(stretches)
            for stretch in of_muscle
            if stretch.segment != GROUND
        ]
        parts = MassParts([muscle for muscle, _ in each], [stretch.window for _, stretch in each])
        frozen = cls(assembly, parts, tuple(stretch.segment for _, stretch in each), reference, np.zeros((0, 4, 4)))
        others = [muscle for muscle in range(len(stretches)) if muscle not in parts.which]  # are looked at all the same
        looked_at = MassParts([*parts.which, *others], [*parts.windows, *[(0.0, 1.0)] * len(others)])
        in_ground = assembly.evaluation.pseudo_inertias(reference, looked_at)
        for part in np.flatnonzero(~np.isfinite(in_ground).all(axis=(1, 2)))[:1]:
            name = assembly.names[looked_at.which[part]]
            raise ModelError(f"muscle '{name}' lies nowhere finite at the reference pose; check that pose")
        return replace(frozen, matrices=frozen._in_donors(in_ground[: len(each)], range(len(each))))

    @property
    def subtracted(self) -> Assembly:
        """The muscles with this frozen mass, which the kernel subtracts."""
        of_muscles: list[dict[str, Array]] = [{} for _ in self.assembly.muscles]
        for muscle, donor, matrix in zip(self.parts.which, self.donors, self.matrices, strict=True):
            of_muscles[muscle][donor] = of_muscles[muscle].get(donor, 0.0) + matrix
        muscles = [replace(m, frozen=each) for m, each in zip(self.assembly.muscles, of_muscles, strict=True)]
        return replace(self.assembly, muscles=tuple(muscles))

    @property
    def by_segment(self) -> dict[str, Array]:
        """Pseudo-inertias (4, 4) of all that is frozen to a segment, by its name."""
        total: dict[str, Array] = {}
        for donor, matrix in zip(self.donors, self.matrices, strict=True):
            total[donor] = total.get(donor, 0.0) + matrix
        return total

    def by_map(self) -> FrozenParts:
        """Return the derivatives of all parts by constants of their muscles' maps: ``proximal``, ``phi``,
        ``aponeurosis``.
        """
        every = range(len(self.donors))
        in_ground = self.assembly.evaluation.pseudo_inertias_by_map(self.reference, self.parts)
        return self._placed(self.parts.which, np.moveaxis(self._in_donors(in_ground, every), 1, 0), every)

    def otherwise(self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], notes: RunNotes) -> FrozenParts:
        """Return parts of muscles ``which`` (ascending numbers) with sets of other material maps; notes are of the run.

        Muscles with OpenSim's paths must not be given.
        """
        at_reference = notes.for_call()  # of its paths the model has notes already
        place = {muscle: i for i, muscle in enumerate(which)}
        asked = [k for k, muscle in enumerate(self.parts.which) if muscle in place]
        places = [place[self.parts.which[k]] for k in asked]
        parts = MassParts([which[i] for i in places], [self.parts.windows[k] for k in asked])
        maps = [[group[i] for i in places] for group in sets]
        evaluation = self.assembly.evaluation.with_notes(at_reference)
        in_ground = evaluation.pseudo_inertias_of_maps(self.reference, parts, maps)
        notes.add(MuscleNotes(at_reference.noted.clamped))
        return self._placed(places, self._in_donors(in_ground.swapaxes(0, 1), asked).swapaxes(0, 1), asked)

    def _placed(self, places: Sequence[int], matrices: Array, parts: Sequence[int]) -> FrozenParts:
        bodies = [self.assembly.bodies.index(self.donors[k]) for k in parts]
        return FrozenParts(list(places), bodies, matrices)

    def _in_donors(self, matrices: Array, parts: Sequence[int]) -> Array:
        """Return pseudo-inertias (parts, ..., 4, 4), given in ground at the reference pose, in the donors' frames."""
        result = np.empty_like(matrices)
        for i, k in enumerate(parts):
            b = self.assembly.bodies.index(self.donors[k])
            to_body = np.eye(4)
            to_body[:3, :3] = self.reference.rotation[b].T
            to_body[:3, 3] = -self.reference.rotation[b].T @ self.reference.position[b]
            result[i] = to_body @ matrices[i] @ to_body.T
        return result

"""The muscles' mass as the published model holds it: fixed to donor segments at the reference pose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .._core.arrays import Array
from .._core.errors import MissingInertiaError, ModelError, Option
from .._core.opensim import osim
from ..muscles.masses.donors import GROUND, Stretch
from ..muscles.masses.rigid import body_mass_properties, parameters, spatial_inertias
from ..muscles.material import MaterialMap
from ..opensim_model.reading.kinematics import StateKinematics
from ..paths.kernel.evaluation import FrozenParts, MassParts
from ..paths.kernel.remarks import MuscleRemarks
from .assembly import Assembly
from .dynamics import Dynamics

#: A segment whose axis of rotation is farther away than 1/sqrt of this [1/m^2] counts as not turning.
SMALL = 1e-6


@dataclass(frozen=True)
class FrozenMass:
    """Mass of the muscles, frozen to donor segments but ground at the reference pose, in adjacent ``parts``."""

    assembly: Assembly  # the muscles, without frozen mass
    parts: MassParts
    donors: tuple[str, ...]  # the segment that each part is frozen to
    reference: StateKinematics  # the reference pose
    matrices: Array  # pseudo-inertias of the parts in the segments' frames, (parts, 4, 4)

    @classmethod
    def at(
        cls, assembly: Assembly, stretches: Sequence[Sequence[Stretch]], reference: StateKinematics, seen: MuscleRemarks
    ) -> FrozenMass:
        """Freeze muscles' mass in stretches with donor segments at a pose; ModelError: a muscle lies nowhere finite."""
        each = [
            (muscle, stretch)
            for muscle, of_muscle in enumerate(stretches)
            for stretch in of_muscle
            if stretch.segment != GROUND
        ]
        which, windows = [muscle for muscle, _ in each], [(stretch.first, stretch.last) for _, stretch in each]
        donors = tuple(stretch.segment for _, stretch in each)
        frozen = cls(assembly, (which, windows), donors, reference, np.zeros((0, 4, 4)))
        others = [muscle for muscle in range(len(stretches)) if muscle not in which]  # are looked at all the same
        looked_at = [*which, *others]
        parts = looked_at, [*windows, *[(0.0, 1.0)] * len(others)]
        in_ground = assembly.evaluation.pseudo_inertias(reference, parts, seen)
        for part in np.flatnonzero(~np.isfinite(in_ground).all(axis=(1, 2)))[:1]:
            name = assembly.names[looked_at[part]]
            raise ModelError(f"muscle '{name}' lies nowhere finite at the reference pose; check that pose")
        return replace(frozen, matrices=frozen._in_donors(in_ground[: len(each)], range(len(each))))

    @property
    def subtracted(self) -> Assembly:
        """The muscles with this frozen mass, which the kernel subtracts."""
        of_muscles: list[dict[str, Array]] = [{} for _ in self.assembly.muscles]
        for muscle, donor, matrix in zip(self.parts[0], self.donors, self.matrices, strict=True):
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

    def error_of_segment(
        self, dynamics: Dynamics, state: osim.State, error: MissingInertiaError, adds_missing: bool
    ) -> ModelError:
        """Return the error that names the segment to blame at a state realized to velocity."""
        frozen = self.by_segment
        reader = dynamics.binding.kinematics
        places, kinematics = [reader.bodies.index(name) for name in frozen], reader.read(state, realized=True)
        twists = (kinematics.jacobian @ error.motion).reshape(-1, 6)[places]
        published = [body_mass_properties(dynamics.model, name).pseudo_inertia for name in frozen]
        matrices = np.stack([published, list(frozen.values())]).reshape(2, -1, 4, 4)
        inertias = spatial_inertias(matrices, kinematics.rotation[places])
        has, muscles = np.einsum("bi,sbij,bj->sb", twists, inertias, twists)
        if (has >= muscles).all():
            return ModelError(str(error))
        worst = int(np.argmin(has - muscles))
        turning, moving = (float(part @ part) for part in twists[worst].reshape(2, 3))
        size, unit = (turning, "kg m^2") if turning > SMALL * moving else (moving, "kg")
        cure: tuple[object, ...] = ("; lower the masses of its muscles",)
        if not adds_missing:
            cure = ("; ", Option("add_missing_inertia", True), " adds what segments lack")
        return MissingInertiaError(
            f"the inertia with sliding muscles is not positive definite: segment '{list(frozen)[worst]}' publishes "
            f"{has[worst] / size:.2g} {unit}, the muscles in it have {muscles[worst] / size:.2g}",
            *cure,
        )

    def by_map(self) -> FrozenParts:
        """Return the derivatives of all parts by ``proximal``, ``phi`` and ``aponeurosis`` of their muscles' maps."""
        every = range(len(self.donors))
        in_ground = self.assembly.evaluation.pseudo_inertias_by_map(self.reference, self.parts)
        matrices = np.moveaxis(self._in_donors(in_ground, every), 1, 0)
        return self.parts[0], [self.assembly.bodies.index(donor) for donor in self.donors], parameters(matrices)

    def otherwise(
        self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], seen: MuscleRemarks
    ) -> FrozenParts:
        """Return parts of muscles ``which`` (ascending, none with OpenSim's path) with sets of other material maps."""
        place, (of, windows) = {muscle: i for i, muscle in enumerate(which)}, self.parts
        asked = [k for k, muscle in enumerate(of) if muscle in place]
        places = [place[of[k]] for k in asked]
        parts, maps = ([of[k] for k in asked], [windows[k] for k in asked]), [[m[i] for i in places] for m in sets]
        in_ground = self.assembly.evaluation.pseudo_inertias_of_maps(self.reference, parts, maps, seen)
        matrices = self._in_donors(in_ground.swapaxes(0, 1), asked).swapaxes(0, 1)
        return places, [self.assembly.bodies.index(self.donors[k]) for k in asked], parameters(matrices)

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

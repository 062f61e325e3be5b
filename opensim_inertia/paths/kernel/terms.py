"""The results of evaluating an inertial model: terms of the equations of motion, and mass points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..._core.arrays import Array
from ..._core.representation import Described

#: dM and h + g_m.
AddedTerms = tuple[Array, Array]


@dataclass(frozen=True, repr=False)
class InertialTerms(Described):
    """The terms that sliding muscles change in the equations of motion at one state.

    They are differences: mass that slides along the paths, less the same mass frozen to its donor segments; or terms
    of the muscles alone, where nothing is subtracted.

    Their axes are those of ``InertialModel.coordinate_names``.

    ``(M + added_mass_matrix) udot = f + h + gravity``, with M and f of the published model (Wang et al. 2022, eq. 7).
    SI units: kg m^2 for a pair of rotational coordinates, and so on.

    Attributes:
        added_mass_matrix: dM = sum m J^T J less the same of frozen mass, (nu, nu), symmetric.
        h: quadratic velocity vector, h = -sum m J^T (Jdot u), corner terms of the continuous mass included, (nu,).
        gravity: g_m = sum m J^T g, (nu,).
        kinetic_energy, potential_energy: [J]; the latter in gravity, zero at the ground's origin.
        muscles: the same per muscle, if asked for; else empty.
        notes: sentences about fibres that are held at this state, and smooth paths that are lost.
    """

    added_mass_matrix: Array
    h: Array
    gravity: Array
    kinetic_energy: float
    potential_energy: float
    muscles: Mapping[str, InertialTerms] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def mass_matrix(self) -> Array:
        """Another name of ``added_mass_matrix``."""
        return self.added_mass_matrix

    @property
    def bias(self) -> Array:
        """Another name of ``h``."""
        return self.h

    def description(self) -> dict[str, str]:
        """Return the main facts about the terms, by name."""
        size = len(self.h)
        lines = {
            "coordinates": str(size),
            "added_mass_matrix": f"({size}, {size}), largest entry {_largest(self.added_mass_matrix)}",
            "h": f"({size},), largest entry {_largest(self.h)}",
            "gravity": f"({size},), largest entry {_largest(self.gravity)}",
            "kinetic energy": f"{self.kinetic_energy:.6g} J",
            "potential energy": f"{self.potential_energy:.6g} J",
        }
        return lines | ({"muscles": str(len(self.muscles))} if self.muscles else {})


@dataclass(frozen=True)
class MassPointKinematics:
    """The mass points of a muscle and their motion at one state, in ground.

    A continuous muscle is shown by ``points`` equal ones.

    Attributes:
        fractions: along the belly's fibres, 0 at their proximal ends, (n,).
        masses: [kg], (n,).
        positions: [m], (n, 3).
        velocities: J u [m/s], (n, 3).
        jacobians: (n, 3, nu).
        jdot_u: acceleration at udot = 0 [m/s^2], (n, 3).
        starts: where those fibres start, as a share of the proximal aponeurosis, (n,); without aponeurosis of no
            meaning.
    """

    fractions: Array
    masses: Array
    positions: Array
    velocities: Array
    jacobians: Array
    jdot_u: Array
    starts: Array


def _largest(values: Array) -> str:
    """Return the entry that is largest in size."""
    return f"{values.flat[abs(values).argmax()]:.4g}" if values.size else "none"

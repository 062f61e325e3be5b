"""The equations of muscle recruitment at a state, ``N^T R diag(F) a = N^T tau`` (Damsgaard et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...model import InertialModel
from ...model.constraints import constraint_jacobian
from ...opensim_model.reading.coordinates import base_coordinates
from ...options.recruitment import Actuation, Criterion
from .actuation import ModelActuators
from .projection import Projection
from .solve import RecruitmentSolution, solve_recruitment

__all__ = ["LoadSharing", "SharedRow"]

#: A moment arm below this share of the largest, of its row of equations or of its muscle, is none.
NO_ARM = 1e-12


@dataclass(frozen=True)
class SharedRow:
    """Actuators at one state.

    Attributes:
        strengths: force per unit of control, (n,) [N or N m].
        passive: passive forces of the muscles, (muscles,) [N].
        N: motions that constraints leave free, (nu, k).
        matrix: ``N^T R diag(F)``, forces on the k independent coordinates by controls (k, n).
        acting: whether any actuator acts on an independent coordinate, (k,).
        pulling: whether a muscle acts on any whose equation counts, (muscles,).
        passive_forces: what passive forces make on the independent coordinates, (k,).
        projection: folds forces on them.
    """

    strengths: Array
    passive: Array
    N: Array
    matrix: Array
    acting: NDArray[np.bool_]
    pulling: NDArray[np.bool_]
    passive_forces: Array
    projection: Projection

    def needed(self, generalized: Array) -> Array:
        """Return the controls' share (k,) of generalized forces (nu,), on the independent coordinates."""
        return np.asarray(self.projection.folded(generalized, self.N) - self.passive_forces)


class LoadSharing:
    """The actuators of a model, and the independent coordinates on which they act.

    Args:
        inertial: the model.
        actuation: what acts.
        free: names of coordinates whose equations are left out.
        pose: coordinate values (nu,) at which independent coordinates are chosen.

    Attributes:
        actuation: the actuators.
        independent: numbers of the k independent coordinates, those that are free included.
        kept: whether an independent coordinate's equation counts, (k,).
    """

    def __init__(self, inertial: InertialModel, actuation: Actuation, free: Sequence[str], pose: Array) -> None:
        self.actuation = ModelActuators(inertial, actuation)
        names = inertial.coordinate_names
        eager = [*self.actuation.followers, *(names.index(name) for name in self.actuation.locked)]
        on_base = np.flatnonzero(base_coordinates(inertial.model, inertial.coordinates)).tolist()
        state = inertial.initial_state()
        inertial.coordinates.set_values(state, pose)
        inertial.model.realizePosition(state)
        self._projection = Projection(constraint_jacobian(inertial.model, state), names, eager, on_base)
        self.independent = self._projection.independent
        self.kept = np.array([names[i] not in free for i in self.independent])
        self._muscles = np.arange(len(self.actuation.names)) < len(self.actuation.muscles)

    def at(self, time: float, q: Array, u: Array) -> SharedRow:
        """Return the actuators at a state of coordinates q and speeds u (nu,)."""
        at = self.actuation.at(time, q, u)
        N = self._projection.at(at.constraints, time)
        arms = self._projection.folded(at.arms, N)
        sizes = np.abs(arms).max(axis=0, initial=0.0)
        acting = sizes > NO_ARM * sizes.max(initial=0.0)
        arms[:, ~acting] = 0.0
        muscles = len(at.passive)
        full, folded = (np.abs(x[:muscles]).max(axis=1, initial=0.0) for x in (at.arms, arms[:, self.kept]))
        return SharedRow(
            at.strengths,
            at.passive,
            N,
            (arms * at.strengths[:, None]).T,
            acting,
            folded > NO_ARM * full,
            at.passive @ arms[:muscles],
            self._projection,
        )

    def solve(
        self, row: SharedRow, needed: Array, criterion: Criterion, kept: NDArray[np.bool_] | None = None
    ) -> RecruitmentSolution:
        """Return the controls that make forces on the independent coordinates, ``missing`` being of all of these (k,).

        Args:
            row: of the state.
            needed: what controls have to make, (k,).
            criterion: what is made least.
            kept: whose equations count; default: the attribute.
        """
        kept = self.kept if kept is None else kept
        bounds = self.actuation.lower, self.actuation.upper
        solution = solve_recruitment(row.matrix[kept], needed[kept], *bounds, criterion, self._muscles)
        return solution._replace(missing=needed - row.matrix @ solution.activations)

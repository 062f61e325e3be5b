"""The equations of muscle recruitment at a state, ``N^T R diag(F) a = N^T tau`` (Damsgaard et al. 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ...model import InertialModel
from ...model.constraints import DEPENDENT, constraint_jacobian, followers
from ...opensim_model.reading.coordinates import base_coordinates
from ...options.recruitment import Actuation, Criterion
from .actuation import ModelActuators
from .solve import RecruitmentSolution, solve_recruitment

#: Motions break constraints by no more than this share of the largest entry of G.
BROKEN = 1e-7
#: How readily a coordinate is made dependent: followers and locked ones first, those of the base last.
EAGER, RELUCTANT = 1e3, 1e-3


class Projection:
    """The null space N of constraints G, with an identity in the rows of the independent coordinates.

    So each equation ``N^T tau`` belongs to one coordinate, with what acts on its followers folded in.
    """

    def __init__(self, G: Array, names: Sequence[str], eager: Sequence[int], reluctant: Sequence[int]) -> None:
        self._names = names
        nu = G.shape[1]
        weight = np.ones(nu)
        weight[list(reluctant)] = RELUCTANT
        weight[list(eager)] = EAGER
        self._dependent = np.zeros(nu, dtype=bool)
        self._dependent[followers(G, weight)] = True
        self.independent: NDArray[np.intp] = np.flatnonzero(~self._dependent)

    def at(self, G: Array, time: float) -> Array:
        """Return N (nu, k) at a pose with constraints G."""
        nu = len(self._dependent)
        N = np.zeros((nu, len(self.independent)))
        N[self.independent, np.arange(len(self.independent))] = 1.0
        if len(G) and self._dependent.any():
            N[self._dependent] = -np.linalg.lstsq(G[:, self._dependent], G[:, self.independent], rcond=DEPENDENT)[0]
            broken = np.abs(self.folded(G, N)).max(axis=0, initial=0.0)
            if broken.max(initial=0.0) > BROKEN * np.abs(G).max(initial=0.0) * max(1.0, float(np.abs(N).max())):
                name = self._names[self.independent[int(broken.argmax())]]
                raise ModelError(
                    f"the constraints leave '{name}' no freedom at time {time:.6g} s, as they do elsewhere"
                )
        return N

    def folded(self, forces: Array, N: Array) -> Array:
        """Return generalized forces (..., nu) times N (nu, k): the forces (..., k) on the independent coordinates."""
        d = self._dependent
        return np.asarray(forces[..., self.independent] + forces[..., d] @ N[d])


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
    """The actuators of a model, and the independent coordinates on which they act."""

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
        """Return the controls that make forces ``needed`` (k,) on the independent coordinates."""
        kept = self.kept if kept is None else kept
        bounds = self.actuation.lower, self.actuation.upper
        solution = solve_recruitment(row.matrix[kept], needed[kept], *bounds, criterion, self._muscles)
        return solution._replace(missing=needed - row.matrix @ solution.activations)

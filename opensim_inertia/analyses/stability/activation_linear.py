"""State matrices that are linear in the activations (Bunderson et al. 2012, section 3.2).

With rigid tendons and without activation dynamics a muscle's tension is affine in its activation, and so are the
accelerations, at any pose and speed, and the state matrix:

    A(a) = A0 + sum_i a_i A_i.

M + dM and h do not depend on activations. The matrices are found once, from one linearization per muscle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_type
from ..._core.errors import OPENSIM_ERRORS, ModelError, OptionError, opensim_reason
from ..._core.opensim import osim, quiet
from ..._core.representation import Described, some_names
from ...dynamics.equations.drives import PointForce, PointForces, Signal
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives, MuscleRest
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.start import start
from ...model import InertialModel
from ...opensim_model.reading.components import model_muscles
from .linearize import Chart, check_stiffness, derivatives, short_range_stiffness
from .result import decays

#: Patterns whose eigenvalues are found at a time.
BATCH = 4096


class ActivationLinear(Described):
    """The state matrix of one state for any activations of its muscles.

    Args:
        inertial: the model.
        state: a state of it.
        intrinsic_stiffness: the stiffness of active fibres to short stretches, as :func:`linearize` takes it.
        excitations: controls of actuators that are no muscles, as :func:`linearize` takes them.
        forces, point_forces: as :func:`linearize` takes them.
        approximate: whether to take muscles with activation dynamics or elastic tendons, too, for which the matrix is
            not linear; :meth:`error` then tells by how much it is wrong.

    Attributes:
        muscles: names of the m muscles that act, in the order of activations.
        state_names: OpenSim's paths of the n state variables, as of :class:`Linearization`.
        bounds: least and largest activations (m, 2).
        constant: A0 (n, n), without activations.
        slopes: A_i of each muscle (m, n, n), the intrinsic stiffness left out.
        stiffness: what each muscle adds per unit of activation and of intrinsic stiffness (m, n, n).

    Raises:
        ModelError: a muscle has activation dynamics or an elastic tendon, or the model has no muscle that acts; other
            errors are those of :func:`linearize`.
    """

    def __init__(
        self,
        inertial: InertialModel,
        state: osim.State,
        intrinsic_stiffness: float = 0.0,
        *,
        excitations: Mapping[str, float] | None = None,
        forces: Mapping[str, float] | None = None,
        point_forces: Mapping[str, PointForce | Sequence[PointForce]] | None = None,
        approximate: bool = False,
    ) -> None:
        self._gamma = check_stiffness(intrinsic_stiffness)
        self._others: dict[str, Signal] = dict(excitations or {})
        problem = Problem(inertial, state, state.getTime() + 1.0, self._others, forces, equilibrate=False)
        self._system, self._t, y = start(problem)
        muscles = MuscleDerivatives(self._system)
        self.muscles = tuple(m.getName() for m in muscles.muscles)
        if not self.muscles:
            raise ModelError(f"model '{inertial.model.getName()}' has no muscle that acts")
        if not approximate:
            _check_linear(self._system.layout.path, muscles)
        self._rest, self._y, self._indices = MuscleRest(self._system, muscles), y, muscles.controls
        self._pushes = PointForces(inertial.model, point_forces)
        self.bounds = self._rest.bounds
        self._chart = Chart(self._system, self._t, y)
        self.state_names = self._chart.state_names
        self._find()
        self._system.seen.warn()

    def description(self) -> Mapping[str, str]:
        """Return the model, and how many states and muscles there are."""
        return {
            "model": self._system.model.getName(),
            "states": str(len(self.state_names)),
            "muscles": some_names(self.muscles),
        }

    def _find(self) -> None:
        lower, upper = self.bounds.T
        least = self._linearised(lower)
        slopes = []
        for i, width in enumerate(upper - lower):
            raised = lower.copy()
            raised[i] = upper[i]
            slopes.append((self._linearised(raised) - least) / width)
        self.slopes = np.array(slopes)
        self.constant = least - np.tensordot(lower, self.slopes, 1)
        parts = short_range_stiffness(self._system, self._t, self._y)[1]
        self.stiffness = np.array([self._chart.matrix(part) for part in parts])

    def _linearised(self, activations: Array) -> Array:
        """Return the state matrix (n, n) at activations (m,), muscles at rest, without intrinsic stiffness."""
        at = self._rest.at(self._t, self._y, activations)
        names = self._system.drives.control_names
        excitations = self._others | {names[i]: float(a) for i, a in zip(self._indices, activations, strict=True)}
        driven = self._system.driven(replace(self._system.problem, excitations=excitations))
        return self._chart.matrix(derivatives(driven, self._t, at.y, self._pushes)[0])

    def matrices(self, activations: Any, intrinsic_stiffness: float | None = None) -> Array:
        """Return state matrices (..., n, n) of activations (..., m).

        Args:
            activations: in the order of ``muscles``; ``Posture.activations`` is, too.
            intrinsic_stiffness: in place of that given for all.

        Raises:
            OptionError: activations of another number of muscles, or not finite.
        """
        a, gamma = self._checked(activations), self._gamma
        if intrinsic_stiffness is not None:
            gamma = check_stiffness(intrinsic_stiffness)
        slopes = self.slopes + gamma * self.stiffness
        n = len(self.constant)
        return np.asarray((a @ slopes.reshape(len(self.muscles), n * n)).reshape(*a.shape[:-1], n, n) + self.constant)

    def eigenvalues(self, activations: Any, intrinsic_stiffness: float | None = None) -> Array:
        """Return eigenvalues (..., n) of activations (..., m), complex [1/s]; arguments as of :meth:`matrices`."""
        a = self._checked(activations)
        rows = a.reshape(-1, a.shape[-1])
        batches = [
            np.linalg.eigvals(self.matrices(rows[i : i + BATCH], intrinsic_stiffness)).astype(complex)
            for i in range(0, len(rows), BATCH)
        ]
        every = np.concatenate(batches) if batches else np.zeros((0, len(self.constant)), dtype=complex)
        return np.asarray(every.reshape(*a.shape[:-1], len(self.constant)))

    def stable(self, activations: Any, intrinsic_stiffness: float | None = None) -> NDArray[np.bool_]:
        """Return whether patterns (..., m) are stable (...); arguments as of :meth:`matrices`."""
        return decays(self.eigenvalues(activations, intrinsic_stiffness))

    def error(self, activations: Any) -> Array:
        """Return by how much the matrices of activations (..., m) miss, (...): the norm of the difference, relative.

        Each pattern is linearised by itself, with muscles at rest.
        """
        a = self._checked(activations)
        rows, errors = a.reshape(-1, a.shape[-1]), []
        for row in rows:
            exact = self._linearised(row)
            errors.append(np.linalg.norm(self.matrices(row, 0.0) - exact) / np.linalg.norm(exact))
        return np.array(errors).reshape(a.shape[:-1])

    def _checked(self, activations: Any) -> Array:
        if isinstance(activations, Mapping):
            activations = [activations.get(name, np.nan) for name in self.muscles]
        try:
            a = np.asarray(activations, dtype=float)
        except (TypeError, ValueError):
            a = np.full(1, np.nan)
        if a.ndim < 1 or a.shape[-1] != len(self.muscles) or not np.isfinite(a).all():
            raise OptionError(
                "activations", activations, f"finite activations (..., {len(self.muscles)}) of all muscles"
            )
        return a


def _check_linear(path: Any, muscles: MuscleDerivatives) -> None:
    """Raise :class:`ModelError` for the first muscle whose tension is not affine in its activation."""
    for muscle, rows in zip(muscles.muscles, muscles.state_entries, strict=True):
        active = [path(i).endswith("/activation") for i in rows]
        what = ["activation dynamics"] * any(active) + ["an elastic tendon"] * (not all(active))
        if what:
            kind = muscle.getConcreteClassName()
            raise ModelError(
                f"muscle '{muscle.getName()}' ({kind}) has {' and '.join(what)}, so that the state matrix is not "
                "linear in activations. Millard2012EquilibriumMuscle and DeGrooteFregly2016Muscle can do without: "
                "OpenSim's ModelProcessor drops both with ModOpIgnoreTendonCompliance and "
                "ModOpIgnoreActivationDynamics. Thelen2003Muscle cannot; ModOpReplaceMusclesWithDeGrooteFregly2016 "
                "replaces it"
            )


#: Muscles that can do without states.
CAPABLE = ("Millard2012EquilibriumMuscle", "DeGrooteFregly2016Muscle")


def without_muscle_states(model: osim.Model) -> osim.Model:
    """Return a copy of a model whose muscles have rigid tendons and no activation dynamics.

    Where a muscle is none of :data:`CAPABLE`, all are replaced by DeGrooteFregly2016Muscle, as OpenSim's ModelProcessor
    does it.

    Raises:
        ModelError: OpenSim cannot make it.
    """
    check_type("model", model, osim.Model, "an opensim.Model")
    try:
        with quiet():
            processor = osim.ModelProcessor(osim.Model(model))
            if any(m.getConcreteClassName() not in CAPABLE for m in model_muscles(model).values()):
                processor.append(osim.ModOpReplaceMusclesWithDeGrooteFregly2016())
            processor.append(osim.ModOpIgnoreTendonCompliance())
            processor.append(osim.ModOpIgnoreActivationDynamics())
            return processor.process()
    except OPENSIM_ERRORS as error:
        reason = opensim_reason(error)
        raise ModelError(f"model '{model.getName()}': its muscles cannot do without states: {reason}") from None

"""One model's states, read for the kernel, and its accelerations with the muscles' mass."""

from __future__ import annotations

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import ModelError, opensim_reason
from ..reading import CoordinateTable, Kinematics, MusclePath, StateKinematics
from ..wrapping import LatePaths, OpenSimPaths, PathsOnDemand
from .constraints import solve_accelerations
from .evaluation import Evaluation
from .terms import AddedTerms


class Dynamics:
    """Muscles with mass, bound to one initialised model.

    Args:
        evaluation: the muscles with mass.
        model: the model; states given later are its own.
        coordinates: its coordinates.
        opensim: paths of the muscles that OpenSim leads.
        smooth: paths of the muscles that are led smoothly over wrap objects, and by OpenSim where that fails.
        like: kinematics of another copy of the model, if there are.

    Attributes:
        evaluation, model, coordinates: as given.
        kinematics: reads the model's states, without the paths that OpenSim leads.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        model: osim.Model,
        coordinates: CoordinateTable,
        opensim: tuple[MusclePath, ...],
        smooth: tuple[MusclePath, ...] = (),
        like: Kinematics | None = None,
    ) -> None:
        self.evaluation, self.model, self.coordinates = evaluation, model, coordinates
        self.kinematics = Kinematics(model, coordinates, evaluation.bodies, like)
        self._opensim, self._smooth = opensim, smooth
        self._wrapping = OpenSimPaths(model, coordinates, opensim) if opensim else None
        self._late = LatePaths(model, coordinates, smooth) if smooth else None

    def bound_to(self, model: osim.Model) -> Dynamics:
        """Return the same muscles bound to another, initialised copy of the model, with loads or controllers added."""
        return Dynamics(self.evaluation, model, self.coordinates, self._opensim, self._smooth, self.kinematics)

    # -- states --------------------------------------------------------------------------------------------------

    def check_state(self, state: osim.State) -> None:
        """Raise :class:`ModelError` if a state cannot be one of the model."""
        if state.getNU() != len(self.coordinates.names):
            raise ModelError(
                f"the state has {state.getNU()} speeds, the model {len(self.coordinates.names)}: it is another model's"
            )

    def read(self, state: osim.State, realized: bool = False) -> StateKinematics:
        """Read a state, with the paths that OpenSim leads, and others on demand.

        It is realized to velocity first unless ``realized`` says that it is.

        Raises:
            ModelError: the state is another model's, or not finite.
        """
        self.check_state(state)
        kinematics = self.kinematics.read(state, realized)
        self._check_finite(kinematics.q, kinematics.u)
        given = {} if self._wrapping is None else self._wrapping.paths(state)
        if self._late is not None:
            given = PathsOnDemand(given, self._late, state.getTime(), kinematics.q, kinematics.u)
        return kinematics._replace(paths=given)

    def _check_finite(self, q: Array, u: Array) -> None:
        finite = np.isfinite(q) & np.isfinite(u)
        if not finite.all():
            bad = int(np.argmin(finite))
            raise ModelError(f"the state is not finite at coordinate '{self.coordinates.names[bad]}'")

    # -- equations of motion -------------------------------------------------------------------------------------

    def added_terms(self, state: osim.State) -> AddedTerms:
        """Return dM (nu, nu) and h + g_m (nu,) at a state realized to velocity."""
        terms = self.evaluation.terms(self.read(state, realized=True))
        return terms.mass_matrix, terms.bias + terms.gravity

    def realize_acceleration(self, state: osim.State) -> None:
        """Let OpenSim compute its own accelerations; raises :class:`ModelError` where it cannot."""
        try:
            self.model.realizeAcceleration(state)
        except RuntimeError as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None = None, added: AddedTerms | None = None
    ) -> Array:
        """Return generalized accelerations (nu,) with the muscles' mass.

        Args:
            state: realized to acceleration.
            udot0: OpenSim's own accelerations (nu,).
            forces: generalized forces (nu,) that act besides.
            added: :meth:`added_terms`, if they are known.
        """
        rigid = self.kinematics.mass_matrix(state)
        mass, force = self._equations(state, rigid, udot0) if added is None else _summed(rigid, udot0, added)
        udot = solve_accelerations(self.model, state, mass, force if forces is None else force + forces, udot0)
        if not np.isfinite(udot).all():
            self._check_finite(self.coordinates.values(state), state.getU().to_numpy())
        return udot

    def _equations(self, state: osim.State, rigid: Array, udot0: Array) -> tuple[Array, Array]:
        """Return M + dM (nu, nu) and M udot0 + h + g_m (nu,) at a state realized to velocity."""
        if self._wrapping is None and self.kinematics.is_direct:
            try:
                return self.evaluation.equations(self.kinematics.system_arrays(state), rigid, udot0)
            except ModelError:
                if self._late is None:
                    raise
        return _summed(rigid, udot0, self.added_terms(state))


def _summed(rigid: Array, udot0: Array, added: AddedTerms) -> tuple[Array, Array]:
    mass, force = added
    return rigid + mass, rigid @ udot0 + force

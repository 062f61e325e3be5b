"""One model's states, read for the kernel, and its accelerations with the muscles' mass."""

from __future__ import annotations

from copy import copy

import numpy as np

from .._core.arrays import Array
from .._core.errors import OPENSIM_ERRORS, ModelError, OptionError, opensim_reason
from .._core.opensim import osim
from ..opensim_model.reading.kinematics import Kinematics, StateKinematics
from ..opensim_model.reading.paths import PATH_LISTS
from ..paths.kernel.evaluation import Evaluation
from ..paths.kernel.remarks import MuscleRemarks
from ..paths.kernel.terms import AddedTerms
from .assembly import Assembly
from .binding import Binding, CurrentBinding
from .constraints import solve_accelerations


class Dynamics:
    """Muscles with mass, bound to one initialised model, or to the system that ``initSystem`` has given it since.

    ``strict``: smooth paths are never replaced by OpenSim's. ``like``: kinematics of another copy of the model.
    """

    def __init__(
        self,
        assembly: Assembly,
        model: osim.Model,
        strict: bool = False,
        like: Kinematics | None = None,
        evaluation: Evaluation | None = None,
    ) -> None:
        self.assembly, self.model = assembly, model
        self.evaluation = assembly.evaluation if evaluation is None else evaluation
        self.coordinates = assembly.coordinates
        self._strict = strict
        self._current = CurrentBinding(assembly, model, strict, like)

    def bound_to(self, model: osim.Model) -> Dynamics:
        """Return the same muscles bound to another, initialised copy of the model, with loads or controllers added."""
        return Dynamics(self.assembly, model, self._strict, self._current.last.kinematics, self.evaluation)

    def subtracting(self, assembly: Assembly) -> Dynamics:
        """Return the same for the same muscles with frozen mass."""
        other = copy(self)
        other.assembly, other.evaluation = assembly, assembly.evaluation
        return other

    @property
    def binding(self) -> Binding:
        """The binding to the current system; ModelError: the model was changed and not initialised, or differs."""
        return self._current.now()

    @property
    def kinematics(self) -> Kinematics:
        """Reads the model's states, without the paths that OpenSim leads."""
        return self.binding.kinematics

    # -- states --------------------------------------------------------------------------------------------------

    def new_state(self) -> osim.State:
        """Return a copy of the model's working state, which keeps the model alive."""
        return self.binding.system.new_state()

    def state_at(self, q: Array, u: Array | None = None) -> osim.State:
        """Return a new state with values and speeds (nu,) of all coordinates, at rest without speeds."""
        q, names = np.array(q, dtype=float), self.coordinates.names
        u = np.zeros(len(names)) if u is None else np.array(u, dtype=float)
        if not q.shape == u.shape == (len(names),):
            raise OptionError("state", q.shape, f"a state, or values and speeds of {len(names)} coordinates")
        state = self.new_state()
        self.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        return state

    def copy_state(self, state: osim.State) -> osim.State:
        """Return a copy of a state of the model, which keeps the model alive; errors as :meth:`check_state`."""
        return self.binding.system.copy(state)

    def check_state(self, state: osim.State) -> Binding:
        """Return the binding to the system of a state; ModelError: it is another model's, or stale."""
        binding = self.binding
        binding.system.check(state)
        return binding

    def read(self, state: osim.State, realized: bool = False) -> StateKinematics:
        """Read a state, with OpenSim's paths on demand; it is realized to velocity first unless ``realized``.

        ModelError: the state is another model's, or not finite, or OpenSim cannot realize it.
        """
        binding = self.check_state(state)
        try:
            kinematics = binding.kinematics.read(state, realized)
        except OPENSIM_ERRORS as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None
        self._check_finite(kinematics.q, kinematics.u)
        return kinematics._replace(paths=binding.paths(state, kinematics.q, kinematics.u))

    def _check_finite(self, q: Array, u: Array) -> None:
        finite = np.isfinite(q) & np.isfinite(u)
        if not finite.all():
            bad = int(np.argmin(finite))
            raise ModelError(f"the state is not finite at coordinate '{self.coordinates.names[bad]}'")

    # -- equations of motion -------------------------------------------------------------------------------------

    def added_terms(self, state: osim.State, seen: MuscleRemarks | None = None) -> AddedTerms:
        """Return dM (nu, nu) and h + g_m (nu,) at a state realized to velocity."""
        terms = self.evaluation.terms(self.read(state, realized=True), seen=seen)
        return terms.added_mass_matrix, terms.h + terms.gravity

    def realize_acceleration(self, state: osim.State) -> None:
        """Let OpenSim compute its own accelerations; raises :class:`ModelError` where it cannot."""
        try:
            with PATH_LISTS:
                self.model.realizeAcceleration(state)
        except RuntimeError as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def accelerations(
        self,
        state: osim.State,
        udot0: Array,
        forces: Array | None = None,
        added: AddedTerms | None = None,
        seen: MuscleRemarks | None = None,
    ) -> Array:
        """Return generalized accelerations (nu,) with the muscles' mass at a state realized to acceleration.

        ``udot0`` (nu,) are OpenSim's own, ``forces`` (nu,) act besides, ``added`` are :meth:`added_terms` if known.
        """
        binding = self.binding
        rigid = binding.kinematics.mass_matrix(state)
        mass, force = (
            self._equations(binding, state, rigid, udot0, seen) if added is None else _summed(rigid, udot0, added)
        )
        udot = solve_accelerations(self.model, state, mass, force if forces is None else force + forces, udot0)
        if not np.isfinite(udot).all():
            self._check_finite(self.coordinates.values(state), state.getU().to_numpy())
        return udot

    def finite_accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None = None, seen: MuscleRemarks | None = None
    ) -> Array:
        """Return :meth:`accelerations`; raise :class:`ModelError`, which names a coordinate, if one is not finite."""
        for whose, udot in (("OpenSim's own", udot0), ("the", self.accelerations(state, udot0, forces, seen=seen))):
            if not np.isfinite(udot).all():
                name = self.coordinates.names[int(np.argmin(np.isfinite(udot)))]
                raise ModelError(
                    f"at time {state.getTime():.6g} s: {whose} acceleration of coordinate '{name}' is not finite; "
                    "look for a muscle whose fibres cannot have the length that they have there, or a force that is "
                    "not a number"
                )
        return udot

    def _equations(
        self, binding: Binding, state: osim.State, rigid: Array, udot0: Array, seen: MuscleRemarks | None
    ) -> tuple[Array, Array]:
        """Return M + dM (nu, nu) and M udot0 + h + g_m (nu,) at a state realized to velocity."""
        if binding.wrapping is None and binding.kinematics.is_direct:
            arrays = binding.kinematics.system_arrays(state)
            try:
                return self.evaluation.equations(arrays, rigid, udot0, state.getTime(), binding.lengths(state), seen)
            except ModelError:
                if not binding.fallback.muscles:
                    raise
        return _summed(rigid, udot0, self.added_terms(state, seen))


def _summed(rigid: Array, udot0: Array, added: AddedTerms) -> tuple[Array, Array]:
    mass, force = added
    return rigid + mass, rigid @ udot0 + force

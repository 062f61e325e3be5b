"""All that the kernel is asked: what the muscles' mass is and does at states that are given as arrays.

No call depends on an earlier one. Paths that OpenSim leads are part of a state (``StateKinematics.paths``); fibres that
are held at a state are noted, see :class:`~opensim_inertia.inertial.held.HeldBellies`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._kernel import Directions, Kernel, State
from ..arrays import Array
from ..errors import ModelError
from ..kernel import kernel_path, kernel_state
from ..reading import StateDirections, StateKinematics, SystemArrays
from .held import HeldBellies
from .terms import InertialTerms

#: Material points (chi, xi) of a muscle.
Points = Sequence[tuple[float, float]]


class Evaluation:
    """Muscles with mass, evaluated at states.

    A muscle's number is its place in ``muscles``; ``which`` are numbers of the muscles that are asked for, by default
    all of them. All methods raise :class:`ModelError`, which names a muscle, where its path cannot carry its mass, and
    where OpenSim leads its path but the state has no path of it.

    Args:
        kernel: the kernel.
        muscles: names of its muscles.
        bodies: names along the states' body axis.
        opensim: names of the muscles whose paths OpenSim leads.
        held: collects the muscles whose fibres were held.

    Attributes:
        muscles, bodies, held: as given.
    """

    def __init__(
        self,
        kernel: Kernel,
        muscles: Sequence[str],
        bodies: Sequence[str],
        opensim: Sequence[str] = (),
        held: HeldBellies | None = None,
    ) -> None:
        self.muscles, self.bodies = tuple(muscles), tuple(bodies)
        self.held = HeldBellies(self.muscles) if held is None else held
        self._kernel = kernel
        self._opensim = frozenset(i for i, name in enumerate(self.muscles) if name in set(opensim))
        self._body = {name: i for i, name in enumerate(self.bodies)}

    # -- sums over muscles ---------------------------------------------------------------------------------------

    def terms(self, kinematics: StateKinematics, which: Sequence[int] | None = None) -> InertialTerms:
        """Return the added mass matrix, quadratic velocity vector, gravity and energies at a state."""
        with _NamedErrors():
            found = self._kernel.evaluate(self._state(kinematics, which), which)
        self.held.note(found.held)
        for array in (found.mass_matrix, found.bias, found.gravity):
            array.setflags(write=False)
        return InertialTerms(found.mass_matrix, found.bias, found.gravity, found.kinetic, found.potential)

    def equations(self, system_arrays: SystemArrays, mass_matrix: Array, udot0: Array) -> tuple[Array, Array]:
        """Return M + dM (nu, nu) and M udot0 + h + g_m (nu,) of a model none of whose paths OpenSim leads.

        Args:
            system_arrays: those of :meth:`Kinematics.system_arrays <opensim_inertia.reading.Kinematics.system_arrays>`.
            mass_matrix: M (nu, nu).
            udot0: accelerations (nu,) without the muscles' mass.
        """
        with _NamedErrors():
            mass, force, held = self._kernel.equations(State.of_system(*system_arrays), mass_matrix, udot0)
        self.held.note(held)
        return mass, force

    def inverse(self, states: Sequence[StateKinematics], udot: Array, which: Sequence[int] | None = None) -> Array:
        """Return dM udot - h - g_m at T states, (T, nu); ``udot`` is (T, nu)."""
        with _NamedErrors():
            tau, held = self._kernel.inverse(self._states(states, which), np.ascontiguousarray(udot), which)
        self.held.note(held)
        return tau

    def inverse_each(self, states: Sequence[StateKinematics], udot: Array, which: Sequence[int] | None = None) -> Array:
        """Return dM udot - h - g_m of each muscle at T states, (T, muscles, nu); ``udot`` is (T, nu)."""
        with _NamedErrors():
            tau, held = self._kernel.inverse_each(self._states(states, which), np.ascontiguousarray(udot), which)
        self.held.note(held)
        return tau

    # -- derivatives ---------------------------------------------------------------------------------------------

    def inverse_along(
        self,
        kinematics: StateKinematics,
        udot: Array,
        directions: StateDirections,
        which: Sequence[int] | None = None,
    ) -> Array:
        """Return derivatives (D, nu) of dM udot - h - g_m along D directions of the state, ``udot`` (nu,) being held.

        A muscle whose path OpenSim leads has none.
        """
        with _NamedErrors():
            return self._kernel.inverse_along(kernel_state(kinematics), udot, Directions(*directions), which)

    def inverse_by_map(self, kinematics: StateKinematics, udot: Array, which: Sequence[int] | None = None) -> Array:
        """Return derivatives (muscles, 3, nu) of each muscle's dM udot - h - g_m with respect to constants of its map.

        These are ``proximal``, ``phi`` and ``aponeurosis``. A muscle whose path OpenSim leads has no derivatives.
        """
        with _NamedErrors():
            return self._kernel.inverse_by_map(kernel_state(kinematics), udot, which)

    # -- muscles on their own ------------------------------------------------------------------------------------

    def pseudo_inertias(self, kinematics: StateKinematics, which: Sequence[int] | None = None) -> Array:
        """Return each muscle's mass as a rigid body in ground: pseudo-inertias (muscles, 4, 4)."""
        with _NamedErrors():
            found, held = self._kernel.pseudo_inertia(self._state(kinematics, which), which)
        self.held.note(held)
        return found

    def pseudo_inertias_by_map(self, kinematics: StateKinematics) -> Array:
        """Return their derivatives (muscles, 3, 4, 4) with respect to the constants of :meth:`inverse_by_map`."""
        with _NamedErrors():
            return self._kernel.pseudo_inertia_by_map(kernel_state(kinematics))

    def material_points(
        self, kinematics: StateKinematics, muscle: int, points: Points, jacobians: bool = True
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions (n, 3), velocities (n, 3), Jacobians (n, 3, nu) and Jdot u (n, 3) of material points.

        The Jacobians are (0, 3, nu) if they are not asked for.
        """
        with _NamedErrors():
            at = self._state(kinematics, [muscle])
            x, v, J, a, held = self._kernel.mass_points(at, muscle, points, jacobians)
        self.held.note(held)
        return x, v, J, a

    def lengths(self, kinematics: StateKinematics) -> Array:
        """Return lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4)."""
        with _NamedErrors():
            found = self._kernel.lengths(self._state(kinematics))
        self.held.note(np.flatnonzero(found[:, 3]).tolist())
        return found

    def path_length(self, kinematics: StateKinematics, muscle: int) -> float:
        """Return the length of a muscle's path [m]; NaN where there is no path. Held fibres are not noted."""
        try:
            return float(self._kernel.lengths(self._state(kinematics, [muscle]), [muscle])[0, 0])
        except RuntimeError:
            return float("nan")

    # -- states for the kernel -----------------------------------------------------------------------------------

    def _state(self, kinematics: StateKinematics, which: Iterable[int] | None = None) -> State:
        """Return a state as the kernel takes it, with the paths that OpenSim leads of the muscles asked for."""
        led = self._opensim if which is None else self._opensim.intersection(which)
        names = {i: self.muscles[i] for i in led if self.muscles[i] in kinematics.paths}
        paths = {i: kernel_path(kinematics.paths[name], self._body) for i, name in names.items()}
        return kernel_state(kinematics, paths)

    def _states(self, states: Sequence[StateKinematics], which: Iterable[int] | None) -> list[State]:
        return [self._state(kinematics, which) for kinematics in states]


class _NamedErrors:
    """Turns the kernel's errors, which name a muscle, into :class:`ModelError`."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, RuntimeError):
            raise ModelError(str(error)) from None

"""All that the kernel is asked: what the muscles' mass is and does at states that are given as arrays.

No call depends on an earlier one. Paths that OpenSim leads are part of a state (``StateKinematics.paths``); fibres that
are held at a state are noted, see :class:`~opensim_inertia.inertial.held.HeldBellies`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from .._kernel import Kernel
from ..arrays import Array
from ..errors import ModelError
from ..kernel import kernel_path
from ..reading import StateDirections, StateKinematics, SystemArrays, stacked
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
        kernel: the kernel; from now on only this object may ask it.
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
        self._every = list(range(len(self.muscles)))
        self._opensim = frozenset(i for i, name in enumerate(self.muscles) if name in set(opensim))
        self._body = {name: i for i, name in enumerate(self.bodies)}

    # -- sums over muscles ---------------------------------------------------------------------------------------

    def terms(self, kinematics: StateKinematics, which: Sequence[int] | None = None) -> InertialTerms:
        """Returns the added mass matrix, quadratic velocity vector, gravity and energies at a state."""
        which = self._numbers(which)
        with self._called(kinematics, which):
            dM, h, g, kinetic, potential = self._kernel.evaluate(*kinematics.kernel_arguments(), which)
        for array in (dM, h, g):
            array.setflags(write=False)
        return InertialTerms(dM, h, g, kinetic, potential)

    def equations(self, system_arrays: SystemArrays, mass_matrix: Array, udot0: Array) -> tuple[Array, Array]:
        """Returns M + dM (nu, nu) and M udot0 + h + g_m (nu,) of a model none of whose paths OpenSim leads.

        Args:
            system_arrays: those of :meth:`Kinematics.system_arrays <opensim_inertia.reading.Kinematics.system_arrays>`.
            mass_matrix: M (nu, nu).
            udot0: accelerations (nu,) without the muscles' mass.
        """
        with self._called(None, self._every):
            return self._kernel.equations(*system_arrays, mass_matrix, udot0, self._every)

    def inverse(self, states: Sequence[StateKinematics], udot: Array, which: Sequence[int] | None = None) -> Array:
        """Returns dM udot - h - g_m at T states, (T, nu); ``udot`` is (T, nu)."""
        return self._over_states(self._kernel.inverse, states, udot, self._numbers(which))

    def inverse_each(self, states: Sequence[StateKinematics], udot: Array, which: Sequence[int] | None = None) -> Array:
        """Returns dM udot - h - g_m of each muscle at T states, (T, muscles, nu); ``udot`` is (T, nu)."""
        return self._over_states(self._kernel.inverse_each, states, udot, self._numbers(which))

    # -- derivatives ---------------------------------------------------------------------------------------------

    def inverse_along(
        self,
        kinematics: StateKinematics,
        udot: Array,
        directions: StateDirections,
        which: Sequence[int] | None = None,
    ) -> Array:
        """Returns derivatives (D, nu) of dM udot - h - g_m along D directions of the state, ``udot`` (nu,) being held.

        A muscle whose path OpenSim leads has none.
        """
        which = self._numbers(which)
        with self._called(None, which):
            return self._kernel.inverse_along(*kinematics.kernel_arguments(), udot, *directions, which)

    def inverse_by_map(self, kinematics: StateKinematics, udot: Array, which: Sequence[int] | None = None) -> Array:
        """Returns derivatives (muscles, 3, nu) of each muscle's dM udot - h - g_m with respect to constants of its map.

        These are ``proximal``, ``phi`` and ``aponeurosis``. A muscle whose path OpenSim leads has no derivatives.
        """
        which = self._numbers(which)
        with self._called(None, which):
            return self._kernel.inverse_by_map(*kinematics.kernel_arguments(), udot, which)

    # -- muscles on their own ------------------------------------------------------------------------------------

    def pseudo_inertias(self, kinematics: StateKinematics, which: Sequence[int] | None = None) -> Array:
        """Returns each muscle's mass as a rigid body in ground: pseudo-inertias (muscles, 4, 4)."""
        which = self._numbers(which)
        with self._called(kinematics, which):
            return self._kernel.pseudo_inertia(*kinematics.kernel_arguments(), which)

    def pseudo_inertias_by_map(self, kinematics: StateKinematics) -> Array:
        """Returns their derivatives (muscles, 3, 4, 4) with respect to the constants of :meth:`inverse_by_map`."""
        with self._called(kinematics, self._every):
            return self._kernel.pseudo_inertia_by_map(*kinematics.kernel_arguments(), self._every)

    def material_points(
        self, kinematics: StateKinematics, muscle: int, points: Points, jacobians: bool = True
    ) -> tuple[Array, Array, Array, Array]:
        """Returns positions (n, 3), velocities (n, 3), Jacobians (n, 3, nu) and Jdot u (n, 3) of material points.

        The Jacobians are (0, 3, nu) if they are not asked for.
        """
        with self._called(kinematics, [muscle]):
            return self._kernel.mass_points(*kinematics.kernel_arguments(), muscle, points, jacobians)

    def lengths(self, kinematics: StateKinematics) -> Array:
        """Returns lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4)."""
        with self._called(kinematics, self._every):
            return self._kernel.lengths(*kinematics.kernel_arguments(), self._every)

    def path_length(self, kinematics: StateKinematics, muscle: int) -> float:
        """Returns the length of a muscle's path [m]; NaN where there is no path. Held fibres are not noted."""
        try:
            self._set_paths(kinematics, [muscle])
            return float(self._kernel.lengths(*kinematics.kernel_arguments(), [muscle])[0, 0])
        except (RuntimeError, ModelError):
            return float("nan")

    # -- calls of the kernel -------------------------------------------------------------------------------------

    def _numbers(self, which: Sequence[int] | None) -> list[int]:
        return self._every if which is None else list(which)

    def _over_states(
        self, call: Callable[..., Array], states: Sequence[StateKinematics], udot: Array, which: list[int]
    ) -> Array:
        """Calls the kernel for several states: all at once, or one by one if it must be told paths."""
        udot = np.ascontiguousarray(udot)
        groups = [[s] for s in states] if self._opensim.intersection(which) else [states]
        results, row = [], 0
        for group in groups:
            q, u, *rest = stacked(group).kernel_arguments()
            with self._called(group[0], which):
                results.append(call(q, u, udot[row : row + len(group)], *rest, which))
            row += len(group)
        return results[0] if len(results) == 1 else np.concatenate(results)

    @contextmanager
    def _called(self, kinematics: StateKinematics | None, which: Sequence[int]) -> Iterator[None]:
        """Gives the kernel a state's paths for one call, names its errors, and notes fibres that were held."""
        try:
            if kinematics is not None:
                self._set_paths(kinematics, which)
            self._kernel.take_held()
            yield
        except RuntimeError as error:
            raise ModelError(str(error)) from None
        held = self._kernel.take_held()
        if held:
            self.held.note(held)

    def _set_paths(self, kinematics: StateKinematics, which: Sequence[int]) -> None:
        for i in self._opensim.intersection(which):
            name = self.muscles[i]
            if name not in kinematics.paths:
                raise ModelError(f"muscle '{name}': OpenSim leads its path, and the state has no path of it")
            self._kernel.set_path(i, *kernel_path(kinematics.paths[name], self._body))

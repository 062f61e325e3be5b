"""Stiffness of active muscles to short stretches, besides what the muscle model knows (Bunderson et al. 2012).

A muscle of activation a resists a small change of its length by gamma a Fmax / lopt per metre, gamma being its
stiffness in largest isometric forces per optimal fibre length. With moment arms R the accelerations change by
-P R^T K R dq, P being the inverse of M + dM on the constraints.
"""

from __future__ import annotations

from numbers import Real

import numpy as np

from ...._core.arrays import Array
from ...._core.errors import OptionError
from ....dynamics.equations.muscle_derivatives import MuscleDerivatives
from ....dynamics.equations.system import System
from ....model.constraints import ConstrainedInverse, constraint_jacobian

__all__ = ["ShortRangeStiffness", "check_stiffness", "constrained_inverse"]


#: The largest intrinsic stiffness that is taken. Muscles have some 10 to 50; what is beyond a million times that of a
#: muscle with a stiffness of one ends in numbers that are not finite.
MOST_STIFFNESS = 1e6


def check_stiffness(value: float, option: str = "intrinsic_stiffness") -> float:
    """Return an intrinsic stiffness [largest isometric forces per optimal fibre length].

    Raises:
        OptionError: it is not a number from zero to :data:`MOST_STIFFNESS`; names the option.
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value <= MOST_STIFFNESS:
        raise OptionError(option, value, f"a number from 0 to {MOST_STIFFNESS:g}")
    return float(value)


def constrained_inverse(system: System, t: float, y: Array) -> ConstrainedInverse:
    """Return the inverse of M + dM on the constraints, at a state."""
    state = system.realize(t, y)
    mass = system.mass_matrix(state) + system.added_terms(state)[0]
    return ConstrainedInverse(mass, constraint_jacobian(system.model, state))


class ShortRangeStiffness:
    """The change of df/dy at one state by a stiffness of one Fmax / lopt per unit of activation.

    Args:
        system: the equations.
        t: the time [s].
        y: the state (ny,).

    Attributes:
        names: the muscles that act.
        activations: their activations (m,).
        blocks: what each adds per unit of activation to the rows of speeds and columns of q, (m, nu, nq).
    """

    def __init__(self, system: System, t: float, y: Array) -> None:
        self._system, self._ny = system, len(y)
        muscles = MuscleDerivatives(system)
        state = system.realize(t, y)
        self.names = tuple(m.getName() for m in muscles.muscles)
        self.activations = np.array([m.getActivation(state) for m in muscles.muscles])
        stiffness = np.array([m.getMaxIsometricForce() / m.getOptimalFiberLength() for m in muscles.muscles])
        inverse = constrained_inverse(system, t, y).forces
        to_speeds = system.coordinate_maps(state)[1]
        arms = muscles.moment_arms(state)
        self.blocks = -np.einsum("m,mu,mq->muq", stiffness, arms @ inverse, arms @ to_speeds)

    def each(self) -> Array:
        """Return each muscle's part of df/dy (m, ny, ny), per unit of activation."""
        result = np.zeros((len(self.names), self._ny, self._ny))
        result[:, self._system.speeds, : self._system.nq] = self.blocks
        return result

    def total(self) -> Array:
        """Return all muscles' part of df/dy (ny, ny), at their activations in the state."""
        return np.asarray(np.tensordot(self.activations, self.each(), 1))

"""The result of a linearization: state matrices, modes, stability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import eig, solve_continuous_lyapunov

from ...._core.arrays import Array
from ...._core.errors import ModelError, OptionError
from ...._core.representation import Described, html_table
from .delayed import characteristic_matrix, rightmost_roots
from .scene import Scene

__all__ = ["NEUTRAL", "Linearization", "Mode", "decays"]


@dataclass(frozen=True, eq=False)
class Mode:
    """One mode of motion near a state: ``exp(eigenvalue t)`` times a shape.

    Attributes:
        eigenvalue: growth rate [1/s] and, as imaginary part, angular frequency [rad/s]; that of a pair whose imaginary
            part is positive.
        shape: the change of each state variable of ``Linearization.variable_names``, complex (ny,), scaled so that the
            largest change of a coordinate is 1; where no coordinate moves, the largest change of all.
        variable_names: the state variables.
    """

    eigenvalue: complex
    shape: Array
    variable_names: tuple[str, ...]

    def __str__(self) -> str:
        return _number(self.eigenvalue)

    def _repr_html_(self) -> str:
        rows = [(name, f"{change:.4g}") for name, change in zip(self.variable_names, self.shape, strict=True)]
        return html_table(f"Mode of eigenvalue {self} per s", ["state variable", "change"], rows)

    @property
    def frequency(self) -> float:
        """The frequency [Hz]; zero for a mode that does not oscillate."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """The growth rate as a share of the eigenvalue's size, negated: 1 decays without oscillation, -1 grows so."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    @property
    def doubling_time(self) -> float:
        """The time [s] in which the mode grows to twice its size; negative, that in which it falls to half."""
        return float(np.log(2) / self.eigenvalue.real) if self.eigenvalue.real else np.inf

    def coordinates(self) -> dict[str, complex]:
        """Return the changes of coordinates by name, the largest being 1."""
        ending = "/value"
        return {
            name[: -len(ending)].rpartition("/")[2]: complex(change)
            for name, change in zip(self.variable_names, self.shape, strict=True)
            if name.endswith(ending)
        }


@dataclass(frozen=True, eq=False, repr=False)
class Linearization(Described):
    """The equations of motion near a state: ``d(dx)/dt = A dx + B du``, all other things being held.

    x are independent state variables: where constraints bind coordinates to each other, the others follow by ``basis``.

    Attributes:
        A: (n, n).
        B: (n, nc).
        state_names: OpenSim's paths of the n independent state variables, as "/jointset/knee/knee_angle/value".
        input_names: names of the nc controls, the excitations of muscles and of other actuators.
        basis: the change of all state variables (ny, n) with the independent ones, tangent to the constraints.
        variable_names: paths of all ny state variables.
        delays: delays [s] of the control in ascending order, none without.
        delayed: for each delay the matrix (n, n) of ``A_k dx(t - delay)``, which the rates then have besides.
        time: the time of the state [s].
        state: the state variables (ny,) at which the equations were linearised.
        residual: the largest rate of a state variable there; zero in equilibrium.
        scene: the pose, for pictures; None after pickling and copying.
    """

    A: Array
    B: Array
    state_names: tuple[str, ...]
    input_names: tuple[str, ...]
    basis: Array
    variable_names: tuple[str, ...]
    time: float
    state: Array
    residual: float
    delays: tuple[float, ...] = ()
    delayed: tuple[Array, ...] = ()
    scene: Scene | None = field(default=None, compare=False)

    def description(self) -> Mapping[str, str]:
        """Return sizes, the rightmost eigenvalue, and whether the state is stable."""
        entries = {
            "states": f"{len(self.A)}, of {len(self.variable_names)} state variables",
            "inputs": str(len(self.input_names)),
        }
        if len(self.A):
            first = self.eigenvalues()[0]
            entries["rightmost eigenvalue"] = _number(first)
            unstable = f"no, doubling in {self.doubling_time:.3g} s" if self.doubling_time < np.inf else MARGINAL
            entries["stable"] = "yes" if self.is_stable else unstable
        return entries

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "scene": None}

    def eigenvalues(self) -> Array:
        """Return the eigenvalues, complex [1/s], the rightmost first.

        Without delays they are the n eigenvalues of A. With delays there are infinitely many, the roots s at which
        ``s - A - sum_k A_k exp(-s delay_k)`` is singular; the ten rightmost are returned, or one more for a pair.
        """
        return rightmost_roots(self.A, self.delayed, self.delays)

    def modes(self) -> list[Mode]:
        """Return the modes, the one that grows fastest first; one for each conjugate pair."""
        if self.delays:
            values = self.eigenvalues()
            matrices = (characteristic_matrix(s, self.A, self.delayed, self.delays) for s in values.tolist())
            vectors = np.column_stack([np.linalg.svd(D)[2][-1].conj() for D in matrices])
        else:
            values, vectors = eig(self.A)
        shapes = self.basis @ vectors
        places = [i for i, name in enumerate(self.variable_names) if name.endswith("/value")]
        modes = []
        for i in np.lexsort((-np.abs(values.imag), -values.real)):
            if values[i].imag < 0:
                continue
            shape = shapes[:, i]
            coordinates = shape[places]
            moves = np.abs(coordinates).max(initial=0.0) > SMALLEST_MOTION * np.abs(shape).max(initial=0.0)
            largest = coordinates[np.argmax(np.abs(coordinates))] if moves else shape[np.argmax(np.abs(shape))]
            modes.append(Mode(complex(values[i]), shape / largest, self.variable_names))
        return modes

    @property
    def is_stable(self) -> bool:
        """Whether every small change of the state dies away: all eigenvalues have negative real parts."""
        return bool(decays(self.eigenvalues()))

    @property
    def doubling_time(self) -> float:
        """The time [s] in which the fastest growing change doubles; infinite where none grows."""
        values = self.eigenvalues()
        fastest = float(values.real.max(initial=-np.inf))
        return float(np.log(2)) / fastest if fastest > NEUTRAL * np.abs(values).max(initial=0.0) else np.inf

    def lyapunov(self, Q: Any = None) -> Array:
        """Return P (n, n) of the Lyapunov function ``dx^T P dx``, which falls at the rate ``dx^T Q dx``.

        It solves ``A^T P + P A = -Q``, and is positive definite.

        Args:
            Q: symmetric and positive definite (n, n); default: the identity.

        Raises:
            OptionError: Q is not so. ModelError: the state is not stable, so that there is no such function, or there
                are delays.
        """
        n = len(self.A)
        weights = np.eye(n) if Q is None else np.asarray(Q, dtype=float)
        symmetric = weights.shape == (n, n) and np.isfinite(weights).all() and np.allclose(weights, weights.T)
        if not symmetric or np.linalg.eigvalsh(weights).min(initial=1.0) <= 0:
            raise OptionError("Q", Q, f"a symmetric, positive definite matrix ({n}, {n})")
        if self.delays:
            raise ModelError("a quadratic Lyapunov function of the state alone says nothing of equations with delays")
        if not self.is_stable:
            first = self.eigenvalues()[0]
            raise ModelError(f"there is no Lyapunov function: the state is not stable, an eigenvalue is {first:.4g}")
        P = solve_continuous_lyapunov(self.A.T, -weights)
        return np.asarray((P + P.T) / 2)

    def table(self) -> pd.DataFrame:
        """Return one mode in a row: real and imaginary part [1/s], frequency [Hz], damping ratio, doubling time [s]."""
        rows = [
            (m.eigenvalue.real, m.eigenvalue.imag, m.frequency, m.damping_ratio, m.doubling_time) for m in self.modes()
        ]
        columns = ["real", "imaginary", "frequency", "damping_ratio", "doubling_time"]
        return pd.DataFrame(rows, columns=columns, index=pd.RangeIndex(1, len(rows) + 1, name="mode"))


#: A real part below this share of the largest eigenvalue is rounding.
NEUTRAL = 1e-9
#: What is said where nothing grows, but something does not decay.
MARGINAL = "no, something neither grows nor decays"
#: A mode moves coordinates if the largest change of one is above this share of the largest change of all.
SMALLEST_MOTION = 1e-9


def decays(eigenvalues: Array) -> NDArray[np.bool_]:
    """Return whether motions of eigenvalues (..., n) die away (...), but for rounding."""
    largest = np.abs(eigenvalues).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray((eigenvalues.real < -NEUTRAL * largest).all(axis=-1))


def _number(value: complex) -> str:
    return f"{value.real:.4g}" + (f" ± {abs(value.imag):.4g}i" if value.imag else "")

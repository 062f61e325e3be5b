"""Results of linearizations: state matrices, modes, stability.

With delays, roots are those of the characteristic matrix D(s) = s - A - sum_k A_k exp(-s tau_k). Finitely many lie to
the right of any vertical line; docs/theory/control.md describes the method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray
from scipy.linalg import eig, solve_continuous_lyapunov

from ..._core.arrays import Array
from ..._core.errors import ModelError, OptionError
from ..._core.opensim import osim
from ..._core.representation import html_table
from ...dynamics.equations.system import STATE_STEP
from ...model import InertialModel
from ..result import Result, Variable

if TYPE_CHECKING:
    import pandas as pd

#: Length of a terminal segment, relative to the distance of its mass centre from its joint.
BEYOND = 1.8


class Scene:
    """Segments of a model at a state, drawn as lines between joint centres."""

    def __init__(self, inertial: InertialModel, state: osim.State) -> None:
        self._inertial, self._state = inertial, inertial.dynamics.copy_state(state)
        self.name = inertial.model.getName()
        self.coordinate_names = inertial.coordinate_names
        joints = list(inertial.model.getJointSet())
        self._frames = [(j.getParentFrame(), j.getChildFrame()) for j in joints]
        above = {child.findBaseFrame().getName(): i for i, (_, child) in enumerate(self._frames)}
        bearing = {parent.findBaseFrame().getName() for parent, _ in self._frames}
        self.sticks = []
        for i, (parent, _) in enumerate(self._frames):
            name = parent.findBaseFrame().getName()
            if name in above:
                self.sticks.append((above[name], i))
        last = [body for body in inertial.model.getBodySet() if body.getName() in above.keys() - bearing]
        self._ends = [(above[body.getName()], body) for body in last]
        self.sticks += [(i, len(joints) + k) for k, (i, _) in enumerate(self._ends)]

    def points(self) -> Array:
        """Return positions (P, 3) [m] in ground of joints and segment ends."""
        return self._places(self._inertial.coordinates.values(self._state))

    def moves(self, along: Array) -> Array:
        """Return velocities (P, 3) of joints and segment ends for coordinate rates ``along`` (nu,)."""
        q = self._inertial.coordinates.values(self._state)
        return (self._places(q + STATE_STEP * along) - self._places(q - STATE_STEP * along)) / (2 * STATE_STEP)

    def _places(self, q: Array) -> Array:
        state, before = self._state, self._state.getQ().to_numpy().copy()
        self._inertial.coordinates.set_values(state, q)
        self._inertial.model.realizePosition(state)
        joints = [child.getPositionInGround(state).to_numpy() for _, child in self._frames]
        places = list(joints)
        for i, body in self._ends:
            centre = body.findStationLocationInGround(state, body.getMassCenter()).to_numpy()
            places.append(joints[i] + BEYOND * (centre - joints[i]))
        state.setQ(osim.Vector.createFromMat(before))
        return np.array(places)


#: Initial and largest number of Chebyshev points; the number doubles until the roots converge.
POINTS, MOST_POINTS = 16, 256
#: Largest size of the eigenvalue problem.
LARGEST = 1500
#: Relative tolerance of the rank of delayed matrices.
RANK = 1e-13
#: Tolerance of equal roots, relative to 1 + size.
AGREEMENT = 1e-6
#: Largest change of a root by Newton's method, relative to 1 + size; a root that moves more is multiple or none. It is
#: none if the smallest singular value of D exceeds this share of the largest.
STRAYED, SINGULAR = 1e-2, 1e-6
#: Newton steps per root, and tolerance relative to 1 + size.
POLISHING, POLISHED = 20, 1e-15


def characteristic_matrix(s: complex, A: Array, delayed: Sequence[Array], delays: Sequence[float]) -> Array:
    """Return s I - A - sum_k A_k exp(-s tau_k), complex (n, n); ``delayed`` holds A_k, ``delays`` tau_k [s]."""
    D = s * np.eye(len(A)) - A
    for Ak, tau in zip(delayed, delays, strict=True):
        D = D - Ak * np.exp(-s * tau)
    return np.asarray(D)


def rightmost_roots(A: Array, delayed: Sequence[Array], delays: Sequence[float], count: int = 10) -> Array:
    """Return the rightmost roots of the characteristic matrix: about ``count`` with delays, else eigenvalues of A."""
    if not len(A):
        return np.zeros(0, dtype=complex)
    if not len(delays):
        return _sorted(np.asarray(np.linalg.eigvals(A), dtype=complex))
    points, before = POINTS, np.zeros(0, dtype=complex)
    while True:
        guesses = _sorted(np.linalg.eigvals(_generator(A, delayed, delays, points)))[: count + 1]
        roots = [_polished(s, A, delayed, delays) for s in guesses.tolist()]
        ordered = _sorted(_in_pairs(np.array([root for root in roots if root is not None], dtype=complex)))
        agree = 0 < len(ordered) == len(before) and bool((_distances(ordered, before) < AGREEMENT).all())
        if agree or 2 * points > MOST_POINTS or 2 * points * len(A) > LARGEST:
            return ordered
        points, before = 2 * points, ordered


def stability_map(A: Array, delayed: Array, gains: Sequence[float] | Array, delays: Sequence[float] | Array) -> Array:
    """Return the largest growth rate (D, G) [1/s] by feedback delay and gain; negative if stable.

    Args:
        A: the matrix (n, n) without feedback.
        delayed: the matrix (n, n) of the feedback at gain 1.
        gains: G gains.
        delays: D delays [s], zero or more.
    """
    result = np.empty((len(delays), len(gains)))
    for i, tau in enumerate(delays):
        for j, gain in enumerate(gains):
            looped = [gain * delayed]
            roots = rightmost_roots(A, looped, [tau], 1) if tau else rightmost_roots(A + looped[0], [], [])
            result[i, j] = roots[0].real
    return result


def _generator(A: Array, delayed: Sequence[Array], delays: Sequence[float], points: int) -> Array:
    """Return the matrix that maps a state and its past, sampled at Chebyshev points, to the time derivatives of both.

    The past (r points) is that of the r combinations of states on which the delayed terms depend.
    """
    n, longest = len(A), max(delays)
    _, sizes, right = np.linalg.svd(np.vstack(delayed))
    V = right[: int((sizes > RANK * max(sizes[0], np.finfo(float).tiny)).sum())]
    x = np.cos(np.pi * np.arange(points + 1) / points)  # 1 is now, -1 is max(tau) ago
    to_coefficients = np.linalg.inv(chebyshev.chebvander(x, points))
    slopes = np.column_stack([chebyshev.chebval(x, chebyshev.chebder(unit)) for unit in np.eye(points + 1)])
    moving: Any = (slopes @ to_coefficients * (2 / longest))[1:]
    now = np.kron(moving[:, :1], V)
    big: Array = np.block([[A, np.zeros((n, len(V) * points))], [now, np.kron(moving[:, 1:], np.eye(len(V)))]])
    for Ak, tau in zip(delayed, delays, strict=True):
        at = chebyshev.chebvander(np.array([1 - 2 * tau / longest]), points) @ to_coefficients
        big[:n, :n] += at[0, 0] * Ak
        big[:n, n:] += np.kron(at[:, 1:], Ak @ V.T)
    return big


def _polished(s: complex, A: Array, delayed: Sequence[Array], delays: Sequence[float]) -> complex | None:
    """Return the root of the characteristic matrix near s by Newton's method; None if there is no root."""
    start = s
    for _ in range(POLISHING):
        D = characteristic_matrix(s, A, delayed, delays)
        left, _, right = np.linalg.svd(D)
        u, v = left[:, -1].conj(), right[-1].conj()
        slope = np.eye(len(A), dtype=complex)
        for Ak, tau in zip(delayed, delays, strict=True):
            slope += tau * Ak * np.exp(-s * tau)
        turn = u @ slope @ v
        change = (u @ D @ v) / turn if turn else np.inf
        if not abs(s - change - start) < STRAYED * (1 + abs(start)):
            D = characteristic_matrix(start, A, delayed, delays)
            sizes = np.linalg.svd(D, compute_uv=False)
            return start if sizes[-1] <= SINGULAR * max(sizes[0], 1 + abs(start)) else None
        s = s - change
        if abs(change) <= POLISHED * (1 + abs(s)):
            break
    return complex(s)


def _distances(roots: Array, others: Array) -> Array:
    """Return each root's distance to the nearest of ``others``, divided by 1 + the root's absolute value."""
    return np.asarray(np.abs(roots[:, None] - others).min(axis=1) / (1 + np.abs(roots)))


def _in_pairs(roots: Any) -> Array:
    """Return roots with tiny imaginary parts set to zero, and with missing conjugates added."""
    real = np.abs(roots.imag) <= 1e-12 * (1 + np.abs(roots))
    roots = np.where(real, roots.real + 0j, roots)
    lone = [z for z in roots if z.imag and np.abs(roots - z.conjugate()).min() > 1e-9 * (1 + abs(z))]
    return np.concatenate([roots, np.conj(lone)]) if lone else roots


def _sorted(values: Any) -> Array:
    return np.asarray(values[np.lexsort((-values.imag, -values.real))])


@dataclass(frozen=True, eq=False)
class Mode:
    """One mode near a state: ``exp(eigenvalue t)`` times a shape.

    Attributes:
        eigenvalue: growth rate [1/s] and, as imaginary part, angular frequency [rad/s]; of a conjugate pair the one
            with positive imaginary part.
        shape: change of each state variable of ``variable_names``, complex (ny,), scaled to 1 for the coordinate that
            changes most, or for the state variable that changes most if no coordinate moves.
        variable_names: paths of the state variables.
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
        """Frequency [Hz]; zero for modes that do not oscillate."""
        return abs(self.eigenvalue.imag) / (2 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Damping ratio, -Re(eigenvalue) / abs(eigenvalue): 1 decays and -1 grows without oscillation."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    @property
    def doubling_time(self) -> float:
        """Doubling time [s] of the mode; if negative, minus the halving time."""
        return float(np.log(2) / self.eigenvalue.real) if self.eigenvalue.real else np.inf

    def coordinates(self) -> dict[str, complex]:
        """Return the mode's shape as complex amplitudes of coordinates, by name; the largest is 1."""
        ending = "/value"
        return {
            name[: -len(ending)].rpartition("/")[2]: complex(change)
            for name, change in zip(self.variable_names, self.shape, strict=True)
            if name.endswith(ending)
        }


@dataclass(frozen=True, eq=False, repr=False)
class Linearization(Result):
    """Linearized equations of motion near a state: ``d(dx)/dt = A dx + B du``, with states x and controls u.

    x are independent state variables; with constraints, ``basis`` gives all others.

    Attributes:
        A: state matrix (n, n).
        B: input matrix (n, nc).
        state_names: OpenSim's paths of the n independent state variables, as "/jointset/knee/knee_angle/value".
        input_names: names of the nc controls: excitations of muscles, and controls of other actuators.
        basis: change of all state variables (ny, n) by the independent ones, tangent to the constraints.
        variable_names: paths of all ny state variables.
        delays: delays [s] of the control in ascending order; empty without delays.
        delayed: for each delay, the matrix A_k (n, n) of the further term ``A_k dx(t - delay)``.
        time: time of the state [s].
        state: state variables (ny,) of the linearization.
        residual: largest rate of a state variable; zero in equilibrium.
        scene: the pose, for plots; None after pickling and copying.
        provenance: see :meth:`InertialModel.provenance`.
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
    provenance: Mapping[str, Any] = field(default_factory=dict, compare=False)
    prefix: ClassVar[str] = "linearization_"

    def description(self) -> Mapping[str, str]:
        """Return the numbers of states and inputs, the rightmost eigenvalue, and stability as text."""
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

        Without delays they are the n eigenvalues of A. With delays they are the roots s of the singular matrix ``s - A
        - sum_k A_k exp(-s delay_k)``, infinitely many; at least the ten rightmost are returned.
        """
        return rightmost_roots(self.A, self.delayed, self.delays)

    def modes(self) -> list[Mode]:
        """Return the modes, one per conjugate pair, the fastest growing first."""
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
        """Whether every small deviation from the state decays: all eigenvalues have negative real parts."""
        return bool(decays(self.eigenvalues()))

    @property
    def doubling_time(self) -> float:
        """Doubling time [s] of the fastest growing deviation from the state; infinite if no deviation grows."""
        values = self.eigenvalues()
        fastest = float(values.real.max(initial=-np.inf))
        return float(np.log(2)) / fastest if fastest > NEUTRAL * np.abs(values).max(initial=0.0) else np.inf

    def lyapunov(self, Q: Any = None) -> Array:
        """Return the matrix P (n, n) of a Lyapunov function ``dx^T P dx`` that falls at the rate ``dx^T Q dx``.

        P is positive definite and solves ``A^T P + P A = -Q``.

        Args:
            Q: symmetric and positive definite (n, n); default: the identity.

        Raises:
            OptionError: Q is not symmetric and positive definite. ModelError: the state is not stable, or there are
                delays.
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

    def variables(self) -> dict[str, Variable]:
        """Return the state matrix A, the input matrix B, ``basis`` and ``delayed`` as named arrays."""
        rate, state = {"rate": list(self.state_names)}, {"state": list(self.state_names)}
        found: dict[str, Variable] = {
            "A": (rate | state, self.A, "1/s"),
            "B": (rate | {"input": list(self.input_names)}, self.B, "1/s"),
            "basis": ({"state_variable": list(self.variable_names)} | state, self.basis, "1"),
        }
        if self.delays:
            found["delayed"] = ({"delay": np.array(self.delays)} | rate | state, np.array(self.delayed), "1/s")
        return found

    def summary(self) -> pd.DataFrame:
        """Return one row per mode: real and imaginary part [1/s], frequency [Hz], damping ratio, doubling time [s]."""
        import pandas as pd

        columns = ["real", "imaginary", "frequency", "damping_ratio", "doubling_time"]
        modes = [(m.eigenvalue.real, m.eigenvalue.imag, *(getattr(m, c) for c in columns[2:])) for m in self.modes()]
        return pd.DataFrame(modes, columns=columns, index=pd.RangeIndex(1, len(modes) + 1, name="mode"))


#: Smaller real parts, relative to the largest eigenvalue, are rounding.
NEUTRAL = 1e-9
#: Verdict if nothing grows, but some change does not decay.
MARGINAL = "no, something neither grows nor decays"
#: Smallest change of a coordinate, relative to the largest change, for a mode that moves coordinates.
SMALLEST_MOTION = 1e-9


def decays(eigenvalues: Array) -> NDArray[np.bool_]:
    """Return whether all real parts of eigenvalues (..., n) are negative (...), beyond rounding."""
    largest = np.abs(eigenvalues).max(axis=-1, keepdims=True, initial=0.0)
    return np.asarray((eigenvalues.real < -NEUTRAL * largest).all(axis=-1))


def _number(value: complex) -> str:
    return f"{value.real:.4g}" + (f" ± {abs(value.imag):.4g}i" if value.imag else "")

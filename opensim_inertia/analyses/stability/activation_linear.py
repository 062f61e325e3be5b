"""State matrices linear in activations (Bunderson et al. 2012, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from ..._core.arrays import Array
from ..._core.checks import check_type
from ..._core.errors import OPENSIM_ERRORS, ModelError, OptionError, opensim_reason
from ..._core.opensim import osim, quiet
from ..._core.options import whole
from ..._core.representation import Described, some_names
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.problem import Problem, Signal
from ...dynamics.equations.start import start
from ...model import InertialModel
from ...opensim_model.reading.components import model_muscles
from ..result import Result, Variable
from .equilibrium import Posture, check_posture
from .linearize import Chart, Pushes, check_stiffness, derivatives, short_range_stiffness
from .result import decays

if TYPE_CHECKING:
    import pandas as pd

#: Patterns per batch of eigenvalues.
BATCH = 4096


class ActivationLinear(Described):
    """State matrix at one state as a linear function of muscle activations.

    Args:
        inertial: the model.
        state: a state of the model.
        intrinsic_stiffness: stiffness of active fibres to short stretches, see :func:`linearize`.
        excitations: controls of actuators other than muscles, see :func:`linearize`.
        forces, point_forces: see :func:`linearize`.
        approximate: accept muscles with activation dynamics or elastic tendons. The matrix is then not linear in
            activations; :meth:`error` returns its error.

    Attributes:
        muscles: names of the m enabled muscles, in the order of activations.
        state_names: OpenSim's paths of the n state variables, see :class:`Linearization`.
        bounds: least and largest activations (m, 2).
        constant: A0 (n, n), without activations.
        slopes: A_i of each muscle (m, n, n), without intrinsic stiffness.
        stiffness: term of each muscle per unit of activation and of intrinsic stiffness (m, n, n).

    Raises:
        ModelError: a muscle has activation dynamics or an elastic tendon, or no muscle is enabled; other errors: see
            :func:`linearize`.
    """

    def __init__(
        self,
        inertial: InertialModel,
        state: osim.State,
        intrinsic_stiffness: float = 0.0,
        *,
        excitations: Mapping[str, float] | None = None,
        forces: Mapping[str, float] | None = None,
        point_forces: Pushes = None,
        approximate: bool = False,
    ) -> None:
        self._gamma = check_stiffness("intrinsic_stiffness", intrinsic_stiffness)
        self._others: dict[str, Signal] = dict(excitations or {})
        problem = Problem(inertial, state, state.getTime() + 1.0, self._others, forces, equilibrate=False)
        self._system, self._t, y = start(problem)
        muscles = MuscleDerivatives(self._system)
        self.muscles = tuple(m.getName() for m in muscles.muscles)
        if not self.muscles:
            raise ModelError(f"model '{inertial.model.getName()}' has no muscle that acts")
        if not approximate:
            _check_linear(self._system.layout.path, muscles)
        self._muscles, self._y, self._pushes, self.bounds = muscles, y, point_forces, muscles.bounds
        self._chart = Chart(self._system, self._t, y)
        self.state_names = self._chart.state_names
        lower, upper = self.bounds.T
        least = self._linearised(lower)
        raised = np.where(np.eye(len(lower), dtype=bool), upper, lower)  # one muscle each
        differences = [self._linearised(each) - least for each in raised]
        self.slopes = np.array([d / width for d, width in zip(differences, upper - lower, strict=True)])
        self.constant = least - np.tensordot(lower, self.slopes, 1)
        parts = short_range_stiffness(self._system, self._t, self._y)[1]
        self.stiffness = np.array([self._chart.matrix(part) for part in parts])
        self._system.seen.warn()

    def description(self) -> Mapping[str, str]:
        """Return the model, and the number of states and muscles, as text."""
        return {
            "model": self._system.model.getName(),
            "states": str(len(self.state_names)),
            "muscles": some_names(self.muscles),
        }

    def _linearised(self, activations: Array) -> Array:
        """Return the state matrix (n, n) at activations (m,), without intrinsic stiffness."""
        y, _ = self._muscles.at_rest(self._t, self._y, activations)
        names = self._system.drives.control_names
        excitations = self._others | {
            names[i]: float(a) for i, a in zip(self._muscles.controls, activations, strict=True)
        }
        driven = self._system.driven(replace(self._system.problem, excitations=excitations))
        return self._chart.matrix(derivatives(driven, self._t, y, self._pushes)[0])

    def matrices(self, activations: Any, intrinsic_stiffness: float | None = None) -> Array:
        """Return state matrices (..., n, n) for activations (..., m).

        Args:
            activations: in the order of ``muscles``, like ``Posture.activations``.
            intrinsic_stiffness: replaces that of the object.

        Raises:
            OptionError: activations have a wrong shape, or are not finite.
        """
        a, gamma = self._checked(activations), self._gamma
        if intrinsic_stiffness is not None:
            gamma = check_stiffness("intrinsic_stiffness", intrinsic_stiffness)
        slopes = self.slopes + gamma * self.stiffness
        n = len(self.constant)
        return np.asarray((a @ slopes.reshape(len(self.muscles), n * n)).reshape(*a.shape[:-1], n, n) + self.constant)

    def eigenvalues(self, activations: Any, intrinsic_stiffness: float | None = None) -> Array:
        """Return complex eigenvalues (..., n) [1/s] for activations (..., m); arguments: see :meth:`matrices`."""
        a = self._checked(activations)
        rows = a.reshape(-1, a.shape[-1])
        every = np.zeros((len(rows), len(self.constant)), dtype=complex)
        for i in range(0, len(rows), BATCH):
            every[i : i + BATCH] = np.linalg.eigvals(self.matrices(rows[i : i + BATCH], intrinsic_stiffness))
        return every.reshape(*a.shape[:-1], len(self.constant))

    def stable(self, activations: Any, intrinsic_stiffness: float | None = None) -> NDArray[np.bool_]:
        """Return whether the state is stable (...) for activations (..., m); arguments: see :meth:`matrices`."""
        return decays(self.eigenvalues(activations, intrinsic_stiffness))

    def error(self, activations: Any) -> Array:
        """Return relative errors (...) of the state matrices for activations (..., m), in the Frobenius norm.

        Each pattern is linearized by itself for comparison, with muscles at rest.
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
            expected = f"finite activations (..., {len(self.muscles)}) of all muscles"
            raise OptionError("activations", activations, expected)
        return a


def _check_linear(path: Any, muscles: MuscleDerivatives) -> None:
    """Raise :class:`ModelError` if a muscle's tension is not an affine function of the muscle's activation."""
    for muscle, rows in zip(muscles.muscles, muscles.state_entries, strict=True):
        active = [path(i).endswith("/activation") for i in rows]
        what = ["activation dynamics"] * any(active) + ["an elastic tendon"] * (not all(active))
        if what:
            kind = muscle.getConcreteClassName()
            raise ModelError(
                f"muscle '{muscle.getName()}' ({kind}) has {' and '.join(what)}, so that the state matrix is not "
                "linear in activations; apply OpenSim's ModOpIgnoreTendonCompliance and "
                "ModOpIgnoreActivationDynamics, to a Thelen2003Muscle after ModOpReplaceMusclesWithDeGrooteFregly2016"
            )


#: Muscles that support rigid tendons without activation dynamics.
CAPABLE = ("Millard2012EquilibriumMuscle", "DeGrooteFregly2016Muscle")


def without_muscle_states(model: osim.Model) -> osim.Model:
    """Return a copy of a model; in the copy, tendons are rigid and activation dynamics are off.

    If a muscle is not among :data:`CAPABLE`, OpenSim's ModelProcessor replaces all by DeGrooteFregly2016Muscle.

    Raises:
        ModelError: OpenSim cannot process the model.
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


#: Largest number of samples.
MOST = 10_000_000
#: Number of parallel random walks.
WALKS = 1000
#: Vertices per dimension that determine the steps and the starts of walks.
VERTICES = 4
#: Steps per dimension before the first sample and between samples.
MIXING = 20
#: Relative tolerance of the rank of effects.
DEPENDENT = 1e-10


def sample_patterns(p: Posture, n: int, seed: int = 0) -> Array:
    """Return activation patterns (n, m) that hold a posture, uniformly distributed among all such patterns.

    Patterns are points of the polytope ``{a : B a = c, lower <= a <= upper}``, with the muscles' moments B per unit of
    activation and the required moments c. With rigid tendons these are exactly the patterns that hold the posture. With
    elastic tendons they hold it to some 1 %, and ``equilibrate(..., activations=...)`` finds the nearest exact one.
    Controls of other actuators are those of the posture. The method is hit and run: walks start at random mixtures of
    vertices, and the spread of the vertices scales their steps.

    Args:
        p: the posture.
        n: the number of patterns.
        seed: seed of the random numbers.

    Raises:
        OptionError: n is invalid. ModelError: only one pattern holds the posture, or there are no muscles.
    """
    check_posture(p)
    count = whole(1, MOST)("n", n)
    m = len(p.activations)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError("seed", seed, "a whole number of at least zero")
    activations, B = np.array(list(p.activations.values())), p.effect[:, :m]
    lower, upper = p.bounds[:m].T
    free = null_space(B, rcond=DEPENDENT) if m else np.zeros((0, 0))
    if not free.shape[1]:
        raise ModelError("only one activation pattern holds the posture: there are no more muscles than moments")
    rng = np.random.default_rng(seed)
    vertices = _vertices(B, B @ activations, lower, upper, VERTICES * free.shape[1], rng)
    middle = vertices.mean(axis=0)
    spread = (vertices - middle) @ free
    left = np.linalg.svd(spread, full_matrices=False)
    shape = (left[2].T * left[1]) @ left[2] / np.sqrt(len(vertices))
    if left[1].max() < DEPENDENT:
        raise ModelError("only one activation pattern holds the posture: every other one is out of bounds")
    steps = free @ shape @ free.T  # of random vectors (m,): no walk depends on the basis of the null space
    walks = min(count, WALKS)
    mixing = MIXING * free.shape[1]
    at = rng.dirichlet(np.ones(len(vertices)), walks) @ vertices
    samples = []
    for _ in range(-(-count // walks)):
        for _ in range(mixing):
            at = _stepped(at, steps @ rng.normal(size=(m, walks)), lower, upper, rng)
        at = np.clip(activations + (at - activations) @ free @ free.T, lower, upper)  # without rounding of all steps
        samples.append(at)
    return np.concatenate(samples)[:count]


def _vertices(B: Array, c: Array, lower: Array, upper: Array, n: int, rng: np.random.Generator) -> Array:
    """Return n random vertices (n, m) of the polytope of activations a (m,): B a = c, lower <= a <= upper."""
    from scipy.optimize import linprog  # slow import

    bounds = np.column_stack([lower, upper])
    size = float(np.abs(B).max())
    vertices = []
    for _ in range(n):
        answer = linprog(rng.normal(size=len(lower)), A_eq=B / size, b_eq=c / size, bounds=bounds, method="highs")
        if answer.status != 0:
            raise ModelError("no activation pattern within bounds holds the posture")
        vertices.append(answer.x)
    return np.array(vertices)


def _stepped(at: Array, along: Array, lower: Array, upper: Array, rng: np.random.Generator) -> Array:
    """Move each of w points ``at`` (w, m) along its direction ``along`` (m, w) to a random position within bounds."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(lower - at) / along.T, (upper - at) / along.T])
    still = along.T == 0
    last = np.where(still, np.inf, ends.max(axis=0)).min(axis=1)
    first = np.where(still, -np.inf, ends.min(axis=0)).max(axis=1)
    reach = first + np.clip(last - first, 0.0, None) * rng.uniform(size=len(at))
    return np.clip(at + reach[:, None] * along.T, lower, upper)


#: Default number of patterns, and default stiffnesses [largest isometric forces per optimal fibre length].
PATTERNS = 1000
STIFFNESSES = tuple(np.round(np.arange(0.0, 5.01, 0.5), 2).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class StableShare(Result):
    """Stability of a posture with N activation patterns at each of G intrinsic stiffnesses.

    Attributes:
        muscles: names of the m muscles.
        patterns: activations (N, m).
        stiffnesses: intrinsic stiffnesses (G,) [largest isometric forces per optimal fibre length].
        eigenvalues: complex eigenvalues by stiffness and pattern (G, N, n) [1/s].
        model: the model's name.
        provenance: versions, options and inputs, see :meth:`InertialModel.provenance`.
    """

    muscles: tuple[str, ...]
    patterns: Array
    stiffnesses: Array
    eigenvalues: Array
    model: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    prefix: ClassVar[str] = "posture_share_"

    def description(self) -> Mapping[str, str]:
        """Return the number of activation patterns and their stable share at each stiffness as text."""
        shares = zip(self.stiffnesses, self.share, strict=True)
        return {
            "model": self.model,
            "patterns": f"{len(self.patterns)} of {len(self.muscles)} muscles",
            "stable": ", ".join(f"{100 * share:.3g} % at {stiffness:g}" for stiffness, share in shares),
        }

    @property
    def rightmost(self) -> Array:
        """Eigenvalue of largest real part by stiffness and pattern, complex (G, N) [1/s]."""
        values = self.eigenvalues
        return np.asarray(np.take_along_axis(values, values.real.argmax(axis=-1)[..., None], -1)[..., 0])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether each activation pattern is stable at each intrinsic stiffness, (G stiffnesses, N patterns)."""
        return decays(self.eigenvalues)

    @property
    def share(self) -> Array:
        """Share of stable activation patterns at each stiffness (G,)."""
        return np.asarray(self.stable.mean(axis=1))

    def variables(self) -> dict[str, Variable]:
        """Return patterns, eigenvalues and stable share as named arrays."""
        stiffnesses, patterns = {"intrinsic_stiffness": self.stiffnesses}, {"number": 1 + np.arange(len(self.patterns))}
        roots = {"root": 1 + np.arange(self.eigenvalues.shape[2])}
        return {
            "pattern": (patterns | {"muscle": list(self.muscles)}, self.patterns, "1"),
            "eigenvalue": (stiffnesses | patterns | roots, self.eigenvalues, "1/s"),
            "stable_share": (stiffnesses, self.share, "1"),
        }

    def summary(self) -> pd.DataFrame:
        """Return a row per stiffness: stable share of patterns; shortest and median doubling time [s] if unstable."""
        growth = self.rightmost.real
        doubling = np.log(2) / np.where(growth > 0, growth, np.nan)
        some = ~np.isnan(doubling).all(axis=1)
        shortest, median = np.full(len(some), np.nan), np.full(len(some), np.nan)
        shortest[some], median[some] = np.nanmin(doubling[some], axis=1), np.nanmedian(doubling[some], axis=1)
        return self.table("stable_share").assign(shortest_doubling_time=shortest, median_doubling_time=median)


def stable_share(
    p: Posture,
    stiffnesses: Sequence[float] | Array = STIFFNESSES,
    patterns: int | Array = PATTERNS,
    seed: int = 0,
    *,
    approximate: bool = False,
) -> StableShare:
    """Return the stability of activation patterns that hold a posture, at each intrinsic stiffness.

    Args:
        p: the posture; its muscles have rigid tendons and no activation dynamics, see :class:`ActivationLinear`.
        stiffnesses: intrinsic stiffnesses [largest isometric forces per optimal fibre length] (G,).
        patterns: number of random patterns (:func:`sample_patterns`), or activations (N, m) in the order of
            ``p.activations``.
        seed: seed of the random numbers.
        approximate: see :class:`ActivationLinear`.

    Raises:
        OptionError: a stiffness is not a number from 0 to 1e6, or patterns are invalid. ModelError: a muscle has
            activation dynamics or an elastic tendon.
    """
    gammas = np.asarray(stiffnesses, dtype=float).reshape(-1)
    if not len(gammas):
        raise OptionError("stiffnesses", stiffnesses, "at least one number")
    for gamma in gammas.tolist():
        check_stiffness("stiffnesses", gamma)
    check_posture(p)
    muscles = set(p.activations)
    others = {name: value for name, value in p.excitations.items() if name not in muscles}
    acting = {"excitations": others, "forces": p.external_forces, "point_forces": p.point_forces}
    linear = ActivationLinear(p.inertial, p.state, **acting, approximate=approximate)  # type: ignore[arg-type]
    drawn = sample_patterns(p, patterns, seed) if isinstance(patterns, int | np.integer) else np.array(patterns)
    eigenvalues = np.array([linear.eigenvalues(drawn, gamma) for gamma in gammas.tolist()])
    name, provenance = p.inertial.model.getName(), p.provenance
    return StableShare(linear.muscles, drawn, gammas, eigenvalues, name, provenance)

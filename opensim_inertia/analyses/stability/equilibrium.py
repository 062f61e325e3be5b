"""Equilibrium of a model in a posture (Bunderson et al. 2012, section 2.2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names, check_type
from ..._core.choices import COSTS, PostureCost
from ..._core.errors import InfeasiblePostureError, ModelError, OptionError, SimulationError
from ..._core.opensim import osim
from ..._core.options import finite
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.problem import PointForce, Problem, point_forces_on
from ...dynamics.equations.start import Conditions, resolved
from ...dynamics.equations.system import System
from ...dynamics.load_sharing.programs import closest, least_quadratic, program_of
from ...model import InertialModel
from ...model.model import check_inertial, check_moves
from ...opensim_model.reading.coordinates import base_coordinates
from ..result import Result, Variable
from .linearize import Pushes, linearize, posed, tangent_at
from .result import Linearization

if TYPE_CHECKING:
    import pandas as pd

#: Smallest curvature of each activation, relative to the largest, so that the optimum is unique.
LEAST_CURVATURE = 1e-9


#: Cost of controls (n,): half the sum of squared distances from a centre (n,). With Q (m, m), muscles contribute 1/2
#: F^T Q F + c^T F instead, with tensions F [N]; Q is None for squared activations; c is (m,).
Cost = tuple[Array | None, Array, Array]


def _near(cost: Cost, x: Array, tensions: Array, slopes: Array) -> tuple[Array, Array]:
    """Return quadratic and linear coefficients of a cost of controls; tensions are linearized at controls x (n,)."""
    (Q, c, centre), n, m = cost, len(x), len(tensions)
    if Q is None:
        return np.ones(n), -centre
    matrix = np.eye(n)
    matrix[:m, :m] = slopes[:, None] * Q * slopes
    gradient = np.r_[slopes * (Q @ (tensions - slopes * x[:m]) + c), -centre[m:]]
    size = float(np.abs(np.diag(matrix)).max(initial=1e-300))
    return matrix + LEAST_CURVATURE * size * np.eye(n), gradient


def cost_of(cost: Any, strengths: Array, n: int) -> Cost:
    """Return a cost of n controls, given its name, or (Q, c) for the cost 1/2 F^T Q F + c^T F of muscle tensions F."""
    m = len(strengths)
    centre = np.zeros(n)
    if isinstance(cost, str) and cost in COSTS:
        Q = {"activation": None, "stress": np.diag(strengths**-2.0), "force": np.eye(m)}[cost]
        return Q, np.zeros(m), centre
    expected = (
        f"'activation', 'stress', 'force', or (Q, c): a symmetric, positive semidefinite Q ({m}, {m}) and c ({m},)"
    )
    try:
        Q, c = (np.asarray(part, dtype=float) for part in cost)
    except (TypeError, ValueError):
        raise OptionError("cost", cost, expected) from None
    right = Q.shape == (m, m) and c.shape == (m,) and np.isfinite(Q).all() and np.isfinite(c).all()
    least = -1e-12 * np.abs(Q).max(initial=0.0) if right else 0.0
    if right and np.allclose(Q, Q.T) and np.linalg.eigvalsh(Q).min(initial=0.0) >= least:
        return Q, c, centre
    raise OptionError("cost", cost, expected)


#: Step of activations for slopes of tensions.
STEP = 1e-5
#: Largest load on a floating base besides gravity, relative to its weight.
NOTHING = 1e-6


class Balance(NamedTuple):
    """A model at rest under given controls: state, tensions, forces missing for equilibrium, and accelerations."""

    y: Array  # the state (ny,)
    changes: dict[int, float]  # changes of controls relative to the drives
    tensions: Array  # tensions of the muscles (m,) [N]
    missing: Array  # missing generalized forces on the independent coordinates (d,) [N m or N]
    udot: Array  # accelerations (nu,)


class ActuatedPose:
    """A pose with the actuators that can hold it.

    Attributes:
        muscles: names of enabled muscles; ``others``: of the controls of other actuators.
        lower, upper: bounds of muscle activations, then of other controls (n,).
        strengths: largest isometric forces of the muscles (m,) [N].
        coordinates: names of the independent coordinates (d).
    """

    def __init__(self, system: System, t: float, y: Array) -> None:
        self.system, self.t, self._y = system, t, y
        self._derivatives = MuscleDerivatives(system)
        muscles = self._derivatives.muscles
        self.muscles = tuple(m.getName() for m in muscles)
        controls = system.drives.control_names
        scalars = filter(None, map(osim.ScalarActuator.safeDownCast, list(system.model.getActuatorList())))
        acting = [scalar for scalar in scalars if scalar.appliesForce(system.state)]
        bounds = {scalar.getName(): (scalar.getMinControl(), scalar.getMaxControl()) for scalar in acting}
        of_muscles = self._derivatives.controls
        self._others = [i for i, name in enumerate(controls) if i not in of_muscles and name in bounds]
        self.others = tuple(controls[i] for i in self._others)
        every = np.vstack([self._derivatives.bounds, np.array([bounds[name] for name in self.others]).reshape(-1, 2)])
        self.lower, self.upper = every.T.copy()
        self.strengths = np.array([m.getMaxIsometricForce() for m in muscles])
        for name, low, high in zip(self.names, self.lower, self.upper, strict=True):
            if not low <= high:
                raise ModelError(
                    f"actuator '{name}' has a least activation or control {low:g} above its largest {high:g}"
                )
        independent, basis = tangent_at(system, t, y)
        free = [k for k, i in enumerate(independent.tolist()) if system.nq <= i < system.nq + system.nu]
        self._along = basis[system.speeds][:, free]
        self.coordinates = tuple(system.layout.coordinate_names[independent[k] - system.nq] for k in free)
        state = system.realize(t, y)
        self._mass = system.mass_matrix(state) + system.added_terms(state)[0]
        self._toward = self._derivatives.moment_arms(state) @ self._along
        self._of_others: Array | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all n actuators, muscles first."""
        return self.muscles + self.others

    def balance(self, x: Array) -> Balance:
        """Return the :class:`Balance` of the pose at rest with activations and controls x (n,)."""
        m = len(self.muscles)
        others = dict(zip(self._others, x[m:].tolist(), strict=True))
        return self._evaluated(*self._derivatives.at_rest(self.t, self._y, x[:m], others))

    def _evaluated(self, y: Array, changes: dict[int, float]) -> Balance:
        system = self.system
        state = system.realize(self.t, y, changes)
        udot0 = state.getYDot().to_numpy()[system.speeds]
        udot = system.accelerations(state, udot0, system.drives.forces(state))
        return Balance(y, changes, self._derivatives.tensions(state), -self._along.T @ (self._mass @ udot), udot)

    def floating_base(self) -> tuple[str, ...]:
        """Return the coordinates of a base without support (only gravity acts); () if there is no such base."""
        system, table = self.system, self.system.inertial.coordinates
        on_base = zip(table.names, base_coordinates(system.model, table), strict=True)
        names = tuple(name for name, is_base in on_base if is_base)
        if len(names) not in (3, 6) or not set(names) <= set(self.coordinates):
            return ()
        places = [self.coordinates.index(name) for name in names]
        shifts = [k for k, name in zip(places, names, strict=True) if table.translational[table.index(name)]]
        carried = float(np.diag(self._along.T @ self._mass @ self._along)[shifts].max(initial=0.0))  # [kg]
        weight = carried * float(np.linalg.norm(system.model.getGravity().to_numpy()))
        x = np.clip(np.zeros(len(self.names)), self.lower, self.upper)
        there = self.balance(x)
        acting = np.abs(self.slopes(x, there)[1][places]).max(initial=0.0)
        other = abs(float(np.linalg.norm(there.missing[shifts])) - weight)
        alone = np.count_nonzero(self._along[:, places]) == len(places)
        return names if alone and max(acting, other) < NOTHING * weight else ()

    def fibre_lengths(self) -> Array:
        """Return fibre lengths (m,) [m] in the last evaluated state."""
        return np.array([m.getFiberLength(self.system.state) for m in self._derivatives.muscles])

    def slopes(self, x: Array, there: Balance) -> tuple[Array, Array]:
        """Return derivatives dT/da (m,) of tensions by activations and df/dx (d, n) of forces by controls."""
        m = len(self.muscles)
        step = np.where(x[:m] + STEP <= self.upper[:m], STEP, -STEP)
        moved = x.copy()
        moved[:m] += step
        slopes = (self.balance(moved).tensions - there.tensions) / step
        return slopes, np.hstack([(slopes[:, None] * self._toward).T, self._effect_of_others(there)])

    def _effect_of_others(self, there: Balance) -> Array:
        """Return generalized forces (d, others) on independent coordinates per unit control of non-muscle actuators."""
        if self._of_others is None:
            of = there.changes
            raised = [self._evaluated(there.y, {**of, i: of[i] + 1.0}) for i in self._others]
            columns = [there.missing - each.missing for each in raised]
            self._of_others = np.array(columns).reshape(-1, len(self.coordinates)).T
        return self._of_others


#: Largest number of quadratic programs in sequence; with rigid tendons the first is exact.
STEPS = 15
#: Tolerance on the change of activations.
FOUND = 1e-9
#: Tolerance on accelerations in equilibrium [rad/s^2 or m/s^2].
RESIDUAL = 1e-7
#: Smallest share of the largest missing moment that an error names.
NAMED = 1e-6
#: Tolerance on the change of activations that come nearest to an infeasible pose.
NEAREST = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Posture(Result):
    """A posture in equilibrium.

    Attributes:
        inertial: the model.
        state: the state at rest: accelerations and rates of muscle states are zero. A copy of an OpenSim state has no
            controls: :meth:`problem` and :meth:`linearize` add them.
        activations: activations of enabled muscles, by name.
        forces: tensions of these muscles along their tendons [N].
        fibre_lengths: fibre lengths of these muscles [m].
        excitations: excitations of muscles and controls of other actuators that hold the state, as for ``simulate``.
        external_forces: generalized forces of ``forces`` and ``point_forces`` [N m or N] that are not zero, by
            coordinate, as for ``simulate``.
        point_forces: as given.
        base_residuals: generalized forces [N m or N], by coordinate, that hold a base without support; its coordinates
            are locked in ``state``. Empty if the base is supported.
        effect: generalized forces on the independent coordinates per unit of activation (d, n), with tensions linear in
            activations.
        bounds: least and largest activations and controls (n, 2), in the order of ``excitations``.
        model_notes: notes about the model and its muscles in this posture; later calls do not change them.
    """

    inertial: InertialModel
    state: osim.State
    activations: dict[str, float]
    forces: dict[str, float]
    fibre_lengths: dict[str, float]
    excitations: dict[str, float]
    external_forces: dict[str, float]
    point_forces: Mapping[str, PointForce | Sequence[PointForce]]
    effect: Array
    bounds: Array
    base_residuals: Mapping[str, float] = field(default_factory=dict)
    model_notes: tuple[str, ...] = ()
    prefix: ClassVar[str] = "posture_"

    def __getstate__(self) -> dict[str, Any]:
        # OpenSim states cannot be pickled: time, variables and conditions rebuild them.
        conditions = Conditions.of(self.inertial.model, self.state)
        return self.__dict__ | {"state": (self.state.getTime(), self.state.getY().to_numpy().copy(), conditions)}

    def __setstate__(self, stored: dict[str, Any]) -> None:
        time, variables, conditions = stored["state"]
        state = stored["inertial"].initial_state()
        state.setTime(time)
        state.setY(osim.Vector.createFromMat(variables))
        conditions.put(stored["inertial"].model, state)
        self.__dict__.update(stored, state=state)

    def description(self) -> Mapping[str, str]:
        """Return the number of muscles and the most active muscles as text."""
        first = sorted(self.activations, key=lambda name: -self.activations[name])[:4]
        return {
            "model": self.inertial.model.getName(),
            "muscles": str(len(self.activations)),
            "most active": ", ".join(f"{name} {self.activations[name]:.3f}" for name in first) or "none",
        } | ({"base": self.base_sentence} if self.base_residuals else {})

    @property
    def base_sentence(self) -> str:
        """A sentence on the forces that hold a base without support; "" if the base is supported."""
        table = self.inertial.coordinates
        units = {name: "N m" if turns else "N" for name, turns in zip(table.names, table.rotational, strict=True)}
        parts = [f"{name} {round(value, 6):.4g} {units[name]}" for name, value in self.base_residuals.items()]
        return f"nothing supports the base: it is locked, and held by residuals: {', '.join(parts)}" if parts else ""

    @cached_property
    def provenance(self) -> dict[str, Any]:  # type: ignore[override]
        """Provenance of the model (see :meth:`InertialModel.provenance`) and of the posture."""
        names, values = self.inertial.coordinate_names, self.inertial.coordinates.values(self.state)
        return self.inertial.provenance(self.model_notes) | {
            "coordinates": dict(zip(names, values.tolist(), strict=True)),
            "external forces": dict(self.external_forces),
            "base residuals": dict(self.base_residuals),
        }

    def variables(self) -> dict[str, Variable]:
        """Return activations, forces and fibre lengths of the muscles, and all controls, as named arrays."""
        of_muscles = {"activation": self.activations, "force": self.forces, "fibre_length": self.fibre_lengths}
        units = {"activation": "1", "force": "N", "fibre_length": "m"}
        found: dict[str, Variable] = {
            name: ({"muscle": list(each)}, np.array([*each.values()]), units[name]) for name, each in of_muscles.items()
        }
        actuators = {"actuator": list(self.excitations)}
        return found | {"excitation": (actuators, np.array([*self.excitations.values()]), "1")}

    def summary(self) -> pd.DataFrame:
        """Return activations, forces [N] and fibre lengths [m], one row per muscle."""
        return self.table("activation").assign(
            force=[*self.forces.values()], fibre_length=[*self.fibre_lengths.values()]
        )

    def linearize(self, intrinsic_stiffness: float = 0.0) -> Linearization:
        """Linearize the model at this posture; see :func:`linearize`."""
        return linearize(
            self.inertial,
            self.state,
            self.excitations,
            forces=self.external_forces,
            point_forces=self.point_forces,
            intrinsic_stiffness=intrinsic_stiffness,
        )

    def problem(self, t_final: float = 1.0, **options: Any) -> Problem:
        """Return the problem that starts in this posture, with the excitations and forces that hold it.

        Args:
            t_final: end [s].
            options: other options of :class:`Problem`; ``excitations`` replace those of the posture by actuator.
        """
        excitations = options.pop("excitations", None)
        options.setdefault("forces", self.external_forces or None)
        if excitations is None or isinstance(excitations, Mapping):
            excitations = self.excitations | dict(excitations or {})
        return Problem(self.inertial, self.state, t_final, excitations=excitations, **options)


def check_posture(p: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` unless ``p`` is a posture."""
    check_type("p", p, Posture, "a Posture: find it first, as equilibrate(inertial, coordinates)")


def equilibrate(
    inertial: InertialModel,
    coordinates: Mapping[str, float],
    *,
    point_forces: Pushes = None,
    forces: Mapping[str, float] | None = None,
    cost: PostureCost | tuple[Any, Any] = "activation",
    activations: Mapping[str, float] | None = None,
    state: osim.State | None = None,
    hold_base: bool = True,
) -> Posture:
    """Find activations that hold a pose in equilibrium, and the state at rest.

    Activations and controls of other actuators minimise a cost among all that hold the pose. Tensions are linear in
    activations with rigid tendons, and nearly so with elastic ones: quadratic programs are solved in sequence until
    accelerations vanish.

    Args:
        inertial: the model.
        coordinates: values [rad or m] by name; others are those of ``state``, moved to meet the constraints.
        point_forces: forces on the model: for a body's name, a point in its frame [m] and a force in ground [N], or a
            list of such pairs. A limb that pushes on an object is loaded by the opposite force.
        forces: further generalized forces [N m or N], by coordinate.
        cost: half the sum of squared activations ("activation"), of squared tensions over largest isometric forces
            ("stress"), or of squared tensions ("force"); or (Q, c) for 1/2 F^T Q F + c^T F with tensions F [N] in the
            order of ``Posture.forces`` (Bunderson et al. 2012, eq. 17). Half the sum of squared controls of other
            actuators is added.
        activations: activations of some muscles, in place of the cost: the nearest ones that hold the pose are found.
            Other muscles stay near their least activation.
        state: a state of ``inertial.model`` with other coordinates, locks, and disabled forces; default: the model's
            default state.
        hold_base: lock the coordinates of a base without support, such as a pelvis loaded by gravity only; the forces
            that hold it are ``base_residuals``. A base loaded by an actuator, a contact, a constraint, a lock,
            ``point_forces`` or ``forces`` is not locked.

    Raises:
        InfeasiblePostureError: no activations hold the pose; the error lists the missing moments.
        UnknownNameError: a coordinate, body or muscle is not in the model. OptionError: a value or cost is invalid.
        SimulationError: constraints cannot be met, or muscles or the pose have no equilibrium.
        ModelError: the model has no coordinates. MissingPackageError: DAQP is not installed.
    """
    check_inertial(inertial)
    check_moves(inertial)
    start = posed(inertial, coordinates, state)
    pushes = point_forces_on(inertial.model, point_forces)(start)
    total = dict(zip(inertial.coordinate_names, pushes.tolist(), strict=True))
    for name, force in (forces or {}).items():
        check_names("coordinate", [name], total, "forces")
        total[name] += finite(" [N m or N]")(f"forces['{name}']", force)
    given = {name: force for name, force in total.items() if force}
    pose = free = _actuated(inertial, start, given)
    base = free.floating_base() if hold_base and not given else ()
    if base:
        start = inertial.dynamics.copy_state(start)
        for name in base:
            inertial.model.getCoordinateSet().get(name).setLocked(start, True)
        pose = _actuated(inertial, start, given)
    wanted = cost_of(cost, pose.strengths, len(pose.names))
    if activations is not None:
        wanted = None, wanted[1], _pattern(pose, activations)
    x, balance, effect = _optimum(pose, wanted)
    system = pose.system
    held = system.realize(pose.t, balance.y, balance.changes)  # it has the controls; a copy has none
    system.seen.warn()
    missing = dict(zip(free.coordinates, free.balance(x).missing.tolist(), strict=True)) if base else {}
    return Posture(
        inertial=inertial,
        state=held,
        activations=dict(zip(pose.muscles, x.tolist(), strict=False)),
        forces=dict(zip(pose.muscles, balance.tensions.tolist(), strict=True)),
        fibre_lengths=dict(zip(pose.muscles, pose.fibre_lengths().tolist(), strict=True)),
        excitations=dict(zip(pose.names, x.tolist(), strict=True)),
        external_forces=given,
        point_forces=dict(point_forces or {}),
        effect=effect,
        bounds=np.column_stack([pose.lower, pose.upper]),
        base_residuals={name: missing[name] for name in base},
        model_notes=tuple(inertial.notes_with(system.seen)),
    )


def _actuated(inertial: InertialModel, state: osim.State, forces: dict[str, float]) -> ActuatedPose:
    """Return the :class:`ActuatedPose` of a state, with zero excitations and the generalized ``forces``."""
    t = state.getTime()
    plain = System(resolved(Problem(inertial, state, t + 1.0, None, forces or None, equilibrate=False)))  # type: ignore[arg-type]
    system = plain.driven(replace(plain.problem, excitations=dict.fromkeys(plain.drives.control_names, 0.0)))
    return ActuatedPose(system, t, state.getY().to_numpy().copy())


def _pattern(pose: ActuatedPose, activations: Mapping[str, float]) -> Array:
    """Return controls (n,): muscles' ``activations`` (default: lower bounds), and zero for other actuators."""
    x = np.r_[pose.lower[: len(pose.muscles)], np.zeros(len(pose.others))]
    for name, value in activations.items():
        check_names("muscle", [name], pose.muscles, "activations")
        x[pose.muscles.index(name)] = finite()(f"activations['{name}']", value)
        most = float(pose.upper[pose.muscles.index(name)])
        if not 0.0 <= value <= most:
            raise OptionError(f"activations['{name}']", value, f"an activation from 0 to {most:g}")
    return x


def _optimum(pose: ActuatedPose, cost: Cost) -> tuple[Array, Balance, Array]:
    """Return the cheapest controls (n,) that hold a pose, their ``Balance``, and forces per unit control (d, n)."""
    x = np.clip(cost[2], pose.lower, pose.upper)
    for _ in range(STEPS):
        there = pose.balance(x)
        slopes, effect = pose.slopes(x, there)
        curvature, gradient = _near(cost, x, there.tensions, slopes)
        right = effect @ x + there.missing
        program = program_of(effect, right, pose.lower, pose.upper)
        solution = None if program is None else least_quadratic(curvature, gradient, program)
        feasible = solution is not None
        if solution is None:
            solution = closest(effect, right, pose.lower, pose.upper)
        change = float(np.abs(solution - x).max(initial=0.0))
        x = np.clip(solution, pose.lower, pose.upper)
        if change <= (FOUND if feasible else NEAREST):
            break
    there = pose.balance(x)
    if np.abs(there.udot).max() > RESIDUAL:
        if not feasible:
            table, sizes = pose.system.inertial.coordinates, np.abs(there.missing)
            named = [int(i) for i in np.argsort(-sizes) if sizes[i] > NAMED * sizes.max()]
            by_name = {pose.coordinates[i]: float(there.missing[i]) for i in named}
            units = {name: "N m" if table.rotational[table.index(name)] else "N" for name in by_name}
            raise InfeasiblePostureError(by_name, units)
        worst = int(np.argmax(np.abs(there.udot)))
        raise SimulationError(
            f"no equilibrium is found: '{pose.system.layout.coordinate_names[worst]}' still accelerates by "
            f"{there.udot[worst]:.3g} per s^2",
            pose.t,
        )
    return x, there, effect

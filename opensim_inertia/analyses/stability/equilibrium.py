"""A model brought to a posture in equilibrium (Bunderson et al. 2012, section 2.2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names, check_type, warn
from ..._core.choices import PostureCost
from ..._core.errors import InfeasiblePostureError, Option, OptionError, SimulationError, listed
from ..._core.opensim import osim
from ..._core.options import finite
from ..._core.warnings import InputWarning
from ...dynamics.equations.problem import PointForce, PointForces, Problem
from ...dynamics.equations.start import Conditions, resolved
from ...dynamics.equations.system import System
from ...dynamics.load_sharing.programs import closest, least_quadratic, program_of
from ...model import InertialModel
from ...model.constraints import CONSTRAINT_TOLERANCE, DEPENDENT, constraint_jacobian, followers
from ...model.model import check_inertial, check_moves
from ..result import Result, Variable
from .actuated_pose import ActuatedPose, Balance, Cost, cost_of
from .linearize import linearize, readiness
from .result import Linearization

if TYPE_CHECKING:
    import pandas as pd

#: Newton steps within which the constraints must be met.
NEWTON_STEPS = 50
#: Coordinates that were given follow the others only where nothing else can: their columns count by this much.
RELUCTANCE = 1e-6
#: A coordinate that was given may be moved by this [rad or m].
KEPT = 1e-8


def posed(inertial: InertialModel, coordinates: Mapping[str, float], state: osim.State | None) -> osim.State:
    """Return a state at rest in a pose."""
    model, table = inertial.model, inertial.coordinates
    if not isinstance(coordinates, Mapping):
        raise OptionError("coordinates", coordinates, "values by name of the coordinate")
    new = inertial.initial_state() if state is None else inertial.dynamics.copy_state(state)
    values = table.values(new)
    for name, value in coordinates.items():
        check_names("coordinate", [name], table.names)
        impossible, text = table.misplaced(name, finite(" [rad or m]")(f"coordinates['{name}']", value))
        if impossible:
            raise OptionError(f"coordinates['{name}']", value, f"an angle in radians; this is {text}")
        if text:
            warn(InputWarning(Option(f"coordinates['{name}']", value), f" is {text}"))
        values[table.index(name)] = value
    table.set_values(new, values)
    new.setU(osim.Vector(new.getNU(), 0.0))
    owned = model.getCoordinateSet()
    for name in coordinates:
        coordinate = owned.get(name)
        if coordinate.getLocked(new):  # it is locked where it was
            coordinate.setLocked(new, False)
            table.set_values(new, values)
            coordinate.setLocked(new, True)
    model.realizePosition(new)
    if new.getNQErr():
        _meet_constraints(inertial, new, [table.index(name) for name in coordinates])
        moved = table.values(new) - values
        off = [name for name in coordinates if abs(moved[table.index(name)]) > KEPT]
        if off:
            raise SimulationError(f"the constraints cannot be met with {listed(off)} as given", new.getTime())
    return new


def _meet_constraints(inertial: InertialModel, state: osim.State, posed: list[int]) -> None:
    """Move coordinates of a state onto the constraints; those in ``posed`` (indices) move last."""
    model, table = inertial.model, inertial.coordinates
    weight = readiness(inertial)
    weight[posed] = RELUCTANCE
    change = osim.Vector()
    for _ in range(NEWTON_STEPS):
        model.realizePosition(state)
        error = state.getQErr().to_numpy().copy()
        if np.abs(error).max() <= CONSTRAINT_TOLERANCE:
            return
        rows = constraint_jacobian(model, state)[: len(error)]
        follow = followers(rows, weight)
        step = np.zeros(len(weight))
        step[follow] = -np.linalg.lstsq(rows[:, follow], error, rcond=DEPENDENT)[0]
        model.getMatterSubsystem().multiplyByN(state, False, osim.Vector.createFromMat(step), change)
        state.setQ(osim.Vector.createFromMat(state.getQ().to_numpy() + change.to_numpy()))
    worst = [table.names[i] for i in posed] or list(table.names)
    raise SimulationError(f"the constraints cannot be met near {listed(worst)} as given", state.getTime())


#: Programs that are solved in turn; with rigid tendons the first is exact.
STEPS = 15
#: Activations that change by less are found.
FOUND = 1e-9
#: Accelerations that are left in equilibrium [rad/s^2 or m/s^2].
RESIDUAL = 1e-7
#: Share of the largest missing moment above which others are named.
NAMED = 1e-6
#: Activations that change by less, where none hold the pose, come nearest to it.
NEAREST = 1e-6


@dataclass(frozen=True, eq=False, repr=False)
class Posture(Result):
    """A posture in equilibrium.

    Attributes:
        inertial: the model.
        state: the state, at rest: accelerations and all rates of muscles' states are zero. Controls are no part of a
            state of OpenSim's that is copied: :meth:`problem` and :meth:`linearize` give them to the model.
        activations: of the muscles that act, by name.
        forces: tensions of these muscles along their tendons [N].
        fibre_lengths: of these muscles [m].
        excitations: of muscles, and controls of other actuators, which keep the state; as ``simulate`` takes them.
        external_forces: generalized forces of ``forces`` and ``point_forces`` [N m or N] that are not zero, by
            coordinate, as ``simulate`` takes them.
        point_forces: as given.
        base_residuals: generalized forces [N m or N] that hold the base, by coordinate, where it would fall otherwise;
            its coordinates are locked in ``state``. Empty where nothing holds it.
        effect: generalized forces on the independent coordinates per unit of each activation (d, n), where tensions
            are taken as linear in activations.
        bounds: least and largest activations and controls (n, 2), in the order of ``excitations``.
        model_notes: sentences about the model, and about what became of its muscles in this posture; no later call
            changes them.
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
        # A state of OpenSim's cannot be pickled: its time, variables and conditions make it again.
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
        """Return the number of muscles and the most active ones."""
        first = sorted(self.activations, key=lambda name: -self.activations[name])[:4]
        return {
            "model": self.inertial.model.getName(),
            "muscles": str(len(self.activations)),
            "most active": ", ".join(f"{name} {self.activations[name]:.3f}" for name in first) or "none",
        } | ({"base": self.base_sentence} if self.base_residuals else {})

    @property
    def base_sentence(self) -> str:
        """A sentence about the forces that hold the base; empty without any."""
        table = self.inertial.coordinates
        units = {name: "N m" if turns else "N" for name, turns in zip(table.names, table.rotational, strict=True)}
        parts = [f"{name} {round(value, 6):.4g} {units[name]}" for name, value in self.base_residuals.items()]
        return f"nothing supports the base: it is locked, and held by residuals: {', '.join(parts)}" if parts else ""

    @cached_property
    def provenance(self) -> dict[str, Any]:  # type: ignore[override]
        """Of the model, see :meth:`InertialModel.provenance`, and of the posture."""
        names, values = self.inertial.coordinate_names, self.inertial.coordinates.values(self.state)
        return self.inertial.provenance(self.model_notes) | {
            "coordinates": dict(zip(names, values.tolist(), strict=True)),
            "external forces": dict(self.external_forces),
            "base residuals": dict(self.base_residuals),
        }

    def variables(self) -> dict[str, Variable]:
        """Return activations, forces and fibre lengths of the muscles, and the controls of all actuators."""
        of_muscles = {"activation": self.activations, "force": self.forces, "fibre_length": self.fibre_lengths}
        units = {"activation": "1", "force": "N", "fibre_length": "m"}
        found: dict[str, Variable] = {
            name: ({"muscle": list(each)}, np.array([*each.values()]), units[name]) for name, each in of_muscles.items()
        }
        actuators = {"actuator": list(self.excitations)}
        return found | {"excitation": (actuators, np.array([*self.excitations.values()]), "1")}

    def summary(self) -> pd.DataFrame:
        """Return activations, forces [N] and fibre lengths [m] of the muscles, one in a row."""
        return self.table("activation").assign(
            force=[*self.forces.values()], fibre_length=[*self.fibre_lengths.values()]
        )

    def linearize(self, intrinsic_stiffness: float = 0.0) -> Linearization:
        """Linearise the model at this posture; see :func:`linearize`."""
        return linearize(
            self.inertial,
            self.state,
            self.excitations,
            forces=self.external_forces,
            point_forces=self.point_forces,
            intrinsic_stiffness=intrinsic_stiffness,
        )

    def problem(self, t_final: float = 1.0, **options: Any) -> Problem:
        """Return the problem that starts in this posture, with the excitations and forces that keep it.

        Args:
            t_final: end [s].
            options: others of :class:`Problem`; ``excitations`` of some actuators go before those of the posture.
        """
        excitations = options.pop("excitations", None)
        options.setdefault("forces", self.external_forces or None)
        if excitations is None or isinstance(excitations, Mapping):
            excitations = self.excitations | dict(excitations or {})
        return Problem(self.inertial, self.state, t_final, excitations=excitations, **options)


def check_posture(p: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` for what is no posture, which says how one is found."""
    check_type("p", p, Posture, "a Posture: find it first, as equilibrate(inertial, coordinates)")


def equilibrate(
    inertial: InertialModel,
    coordinates: Mapping[str, float],
    *,
    point_forces: Mapping[str, PointForce | Sequence[PointForce]] | None = None,
    forces: Mapping[str, float] | None = None,
    cost: PostureCost | tuple[Any, Any] = "activation",
    activations: Mapping[str, float] | None = None,
    state: osim.State | None = None,
    hold_base: bool = True,
) -> Posture:
    """Find activations that hold a pose in equilibrium, and the state in which nothing moves.

    The activations of muscles, and the controls of other actuators, make a cost least among all that hold the pose.
    Tensions are linear in activations with rigid tendons, and nearly so with elastic ones: a quadratic program is
    solved, and again near its solution until accelerations vanish.

    Args:
        inertial: the model.
        coordinates: values [rad or m] by name; the others are those of ``state``, moved where constraints want it.
        point_forces: forces that push on the model: by a body's name a point in its frame [m] and a force in ground
            [N], or a list of such pairs. A limb that pushes on something feels the opposite of what it exerts.
        forces: generalized forces [N m or N] by coordinate that act besides.
        cost: half the sum of squares of activations ("activation"), of tensions over largest isometric forces
            ("stress") or of tensions ("force"), or (Q, c) for 1/2 F^T Q F + c^T F of the tensions F [N] in the order of
            ``Posture.forces`` (Bunderson et al. 2012, eq. 17); and half the sum of squares of other actuators'
            controls.
        activations: of some muscles; those that hold the pose and are nearest to them are found, which replaces the
            cost. Muscles not named are near the least that they can.
        state: a state of ``inertial.model`` for coordinates that are not named, locks, and forces that are switched
            off; default: the model's default state.
        hold_base: lock the coordinates of a base that would fall, as a pelvis on which nothing acts but gravity; the
            forces that hold it are the posture's ``base_residuals``. A base on which an actuator, a contact, a
            constraint, a lock, ``point_forces`` or ``forces`` act is left to them.

    Raises:
        InfeasiblePostureError: no activations hold the pose; it says which moments are missing.
        UnknownNameError: a coordinate, body or muscle is not in the model. OptionError: a value or cost that cannot
            be. SimulationError: constraints cannot be met, muscles find no equilibrium, or none is found in the end.
        ModelError: the model has no coordinates. MissingPackageError: DAQP is not installed.
    """
    check_inertial(inertial)
    check_moves(inertial)
    start = posed(inertial, coordinates, state)
    pushes = PointForces(inertial.model, point_forces).at(start)
    given = _generalized(inertial, forces, pushes)
    pose = free = _actuated(inertial, start, given)
    base = free.floating_base() if hold_base and not given else ()
    if base:
        start = inertial.dynamics.copy_state(start)
        for name in base:
            inertial.model.getCoordinateSet().get(name).setLocked(start, True)
        pose = _actuated(inertial, start, given)
    wanted = cost_of(cost, pose.strengths, len(pose.names))
    if activations is not None:
        wanted = Cost(None, wanted.c, _pattern(pose, activations))
    x, balance, effect = _optimum(pose, wanted)
    system = pose.system
    held = system.realize(pose.t, balance.at.y, balance.at.changes)  # it holds the controls; a copy would not
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


def _generalized(inertial: InertialModel, forces: Mapping[str, float] | None, pushes: Array) -> dict[str, float]:
    """Return all generalized forces besides the model's own that are not zero."""
    total = dict(zip(inertial.coordinate_names, pushes.tolist(), strict=True))
    for name, force in (forces or {}).items():
        check_names("coordinate", [name], total, "forces")
        total[name] += finite(" [N m or N]")(f"forces['{name}']", force)
    return {name: force for name, force in total.items() if force}


def _actuated(inertial: InertialModel, state: osim.State, forces: dict[str, float]) -> ActuatedPose:
    """Return the pose of a state, of equations with no excitation of any actuator."""
    t = state.getTime()
    plain = System(resolved(Problem(inertial, state, t + 1.0, None, forces or None, equilibrate=False)))  # type: ignore[arg-type]
    system = plain.driven(replace(plain.problem, excitations=dict.fromkeys(plain.drives.control_names, 0.0)))
    return ActuatedPose(system, t, state.getY().to_numpy().copy())


def _pattern(pose: ActuatedPose, activations: Mapping[str, float]) -> Array:
    """Return activations (n,) near which to stay."""
    x = np.r_[pose.lower[: len(pose.muscles)], np.zeros(len(pose.others))]
    for name, value in activations.items():
        check_names("muscle", [name], pose.muscles, "activations")
        x[pose.muscles.index(name)] = finite()(f"activations['{name}']", value)
        most = float(pose.upper[pose.muscles.index(name)])
        if not 0.0 <= value <= most:
            raise OptionError(f"activations['{name}']", value, f"an activation from 0 to {most:g}")
    return x


def _optimum(pose: ActuatedPose, cost: Cost) -> tuple[Array, Balance, Array]:
    """Return activations and controls (n,), what they do, and their effect (d, n)."""
    x = np.clip(cost.centre, pose.lower, pose.upper)
    for _ in range(STEPS):
        there = pose.balance(x)
        slopes, effect = pose.slopes(x, there)
        curvature, gradient = cost.near(x, there.tensions, slopes)
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

"""Kinds of parameters of a differentiable simulation, and their contributions to gradients."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import OPENSIM_ERRORS, MassError, OptionError, UnknownNameError, opensim_reason
from ..._core.opensim import osim
from ...dynamics.equations.derivatives import Derivatives
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.system import PROPERTY_STEP, SMALLEST_PROPERTY
from ...dynamics.integrators import Stage
from ...model import InertialModel
from .interface import Context, Contribution, Draft, Parameter, Simulated


def _nothing(*_: object) -> float:
    return 0.0


class _Sum(Contribution):
    """Gradient that sums two functions' results: ``rates`` at each integrator stage, ``start`` at the initial state."""

    def __init__(
        self,
        shape: tuple[int, ...],
        rates: Callable[[Stage, Derivatives, Array], Array | float] = _nothing,
        start: Callable[[Array], Array | float] = _nothing,
        needs_controls: bool = False,
    ) -> None:
        super().__init__(shape)
        self._rates, self._start, self.needs_controls = rates, start, needs_controls

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        self.gradient += self._rates(stage, at, cotangent)

    def add_start(self, cotangent: Array) -> None:
        self.gradient += self._start(cotangent)


@dataclass(frozen=True)
class InitialCoordinates(Parameter):
    """Initial coordinate values [rad or m], by name."""

    rebuilds: ClassVar[bool] = False

    def entries(self, inertial: InertialModel) -> list[int]:
        """Return the indices of the coordinates' values in y."""
        check_names("coordinate", self.names, inertial.coordinate_names)
        return [int(inertial.coordinates.slots[inertial.coordinates.index(name)]) for name in self.names]

    def start(self, context: Context) -> Array:
        """Return the initial coordinate values, or speeds in :class:`InitialSpeeds`."""
        return np.asarray(context.state.getY().to_numpy()[self.entries(context.inertial)])

    def apply(self, values: Array, draft: Draft) -> None:
        """Put the values into the initial state."""
        draft.y[self.entries(draft.problem.inertial)] = values

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return a :class:`Contribution` that accumulates the gradient with respect to initial values."""
        entries = self.entries(simulated.system.inertial)
        return _Sum(self.shape, start=lambda cotangent: cotangent[entries])


@dataclass(frozen=True)
class InitialSpeeds(InitialCoordinates):
    """Initial generalized speeds [rad/s or m/s], by coordinate name."""

    def entries(self, inertial: InertialModel) -> list[int]:
        """Return the indices of the speeds in y."""
        check_names("coordinate", self.names, inertial.coordinate_names)
        return [inertial.coordinates.nq + inertial.coordinates.index(name) for name in self.names]


@dataclass(frozen=True, eq=False)
class Signals(Parameter):
    """Functions of time that are linear in their parameters.

    Attributes:
        times: None: constants, one per name. Increasing times [s]: values (names, times), linear between times and
            constant outside. A function of time: returns the weights (n,) of n parameters per name.
        count: n, if ``times`` is a function.
    """

    times: Sequence[float] | Array | Callable[[float], Array] | None = None
    count: int | None = None

    rebuilds: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if callable(self.times):
            if not isinstance(self.count, int) or self.count < 1:
                raise OptionError("count", self.count, "how many weights the function of time gives")
        elif self.times is not None:
            try:
                times = np.array(self.times, dtype=float).reshape(-1)
            except (TypeError, ValueError):
                times = np.array([np.nan])
            if len(times) < 2 or not np.isfinite(times).all() or not (np.diff(times) > 0).all():
                raise OptionError("times", self.times, "None, at least two times that increase, or a function of time")
            times.setflags(write=False)
            object.__setattr__(self, "times", times)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the parameter array."""
        if self.times is None:
            return (len(self.names),)
        return len(self.names), int(self.count or 0) if callable(self.times) else len(self.times)

    def weights(self, t: float) -> Array:
        """Return the factors (n,) of one signal's n parameters at t [s]; shape () for constant signals."""
        if self.times is None:
            return np.ones(())
        if callable(self.times):
            weights = np.asarray(self.times(t), dtype=float).reshape(-1)
            if len(weights) != self.count or not np.isfinite(weights).all():
                raise OptionError("times", self.times, f"{self.count} finite weights at {t:.6g} s")
            return weights
        times = np.asarray(self.times)
        weights = np.zeros(len(times))
        right = min(max(int(times.searchsorted(t, side="right")), 1), len(times) - 1)
        before, after = float(times[right - 1]), float(times[right])
        passed = min(max((t - before) / (after - before), 0.0), 1.0)
        weights[right - 1], weights[right] = 1.0 - passed, passed
        return weights

    def functions(self, values: Array) -> dict[str, Callable[[float], float]]:
        """Return each signal as a function of time [s], by name, for given parameter values."""

        @lru_cache(maxsize=1)
        def now(t: float) -> list[float]:
            return (values if values.ndim == 1 else values @ self.weights(t)).tolist()  # type: ignore[no-any-return]

        return {name: lambda t, i=i: now(t)[i] for i, name in enumerate(self.names)}  # type: ignore[misc]

    def _sum(self, of_signals: Callable[[Derivatives, Array], Array], needs_controls: bool = False) -> Contribution:
        """Return the signals' contribution to the gradient; ``of_signals`` returns the signals' cotangents (names,)."""

        def rates(stage: Stage, at: Derivatives, cotangent: Array) -> Array:
            return np.multiply.outer(of_signals(at, cotangent), self.weights(stage[0]))

        return _Sum(self.shape, rates, needs_controls=needs_controls)


@dataclass(frozen=True)
class Forces(Signals):
    """Generalized forces besides the model's own [N m or N], by coordinate; initially zero."""

    quantity: ClassVar[str] = "forces"

    def start(self, context: Context) -> Array:
        """Return zero forces."""
        check_names("coordinate", self.names, context.inertial.coordinate_names)
        return np.zeros(self.shape)

    def apply(self, values: Array, draft: Draft) -> None:
        """Add the forces to ``draft``."""
        draft.forces.update(self.functions(values))

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the :class:`Contribution` that sums the gradient with respect to force parameters."""
        which = [simulated.system.layout.coordinate_names.index(name) for name in self.names]
        return self._sum(lambda at, cotangent: at.force_vjp(cotangent)[which])


@dataclass(frozen=True)
class Excitations(Signals):
    """Excitations of muscles, controls of other actuators; initial values come from controllers, or are defaults."""

    quantity: ClassVar[str] = "excitations"

    def start(self, context: Context) -> Array:
        """Return initial controls, from the model's controllers or defaults."""
        check_names("actuator", self.names, context.control_names)
        constant = np.array([context.controls[context.control_names.index(n)] for n in self.names])
        return constant if self.times is None else np.repeat(constant[:, None], self.shape[1], axis=1)

    def apply(self, values: Array, draft: Draft) -> None:
        """Add the excitations to ``draft``."""
        draft.excitations.update(self.functions(values))

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the :class:`Contribution` that sums the gradient with respect to excitation parameters."""
        which = [simulated.system.drives.control_names.index(name) for name in self.names]
        return self._sum(lambda at, cotangent: at.controls[:, which].T @ cotangent, needs_controls=True)  # type: ignore[index]


@dataclass(frozen=True)
class MuscleMasses(Parameter):
    """Masses of muscles [kg]; the mass of the whole model is constant, because segments include their muscles."""

    def start(self, context: Context) -> Array:
        """Return the model's muscle masses [kg]."""
        check_names("muscle with mass", self.names, context.inertial.muscle_names)
        if context.inertial.has_explicit_points:
            raise OptionError("MuscleMasses", self.names, "a model without explicit PointMasses")
        table = context.inertial.masses.set_index("muscle")["mass"]
        return np.array([float(table[name]) for name in self.names])

    def check(self, values: Array) -> None:
        """Raise :class:`MassError` if a mass is not positive."""
        if not (values > 0).all():
            worst = int(np.argmin(values))
            raise MassError(f"muscle '{self.names[worst]}': a mass must be positive to be varied, got {values[worst]}")

    def apply(self, values: Array, draft: Draft) -> None:
        """Put the masses into the mass table."""
        for muscle, mass in zip(self.names, values.tolist(), strict=True):
            draft.masses.loc[draft.masses["muscle"] == muscle, "mass"] = mass

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the :class:`Contribution` that sums the gradient with respect to muscle masses."""
        inertial = simulated.system.inertial
        if inertial.options.add_missing_inertia:  # the added inertia changes with the masses
            return _Differenced(simulated)
        which = [inertial.muscle_names.index(name) for name in self.names]
        masses = np.array([inertial.muscles.masses[name] for name in self.names])

        def rates(_: Stage, at: Derivatives, cotangent: Array) -> Array:  # forces are linear in masses
            forces = inertial.evaluation.inverse_each([at.kinematics], at.udot[None], which)[0]
            return -(forces @ at.force_vjp(cotangent) / masses)

        return _Sum(self.shape, rates)


@dataclass(frozen=True)
class BellyPlacement(Parameter):
    """Positions of bellies, 0 to 1: path length proximal to the belly divided by all path length outside the belly.

    With fibres between aponeuroses this is the proximal share of the free tendon, with rigid tendons
    ``proximal_tendon``. With uniform strain 0 is a proximal belly, 0.5 a central belly and 1 a distal one.
    """

    def start(self, context: Context) -> Array:
        """Return the belly positions of the context's model."""
        check_names("muscle with mass", self.names, context.inertial.muscle_names)
        return np.array([context.inertial.material_map(name).proximal_share for name in self.names])

    def directions(self, inertial: InertialModel) -> Array:
        """Return derivatives of ``MaterialMap`` fields proximal, phi, aponeurosis by belly position, (muscles, 3)."""
        return np.array([[1.0 - inertial.material_map(name).aponeurosis, 0.0, 0.0] for name in self.names])

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the :class:`Contribution` that sums the gradient with respect to this parameter's values."""
        inertial = simulated.system.inertial
        if inertial.options.add_missing_inertia:
            return _Differenced(simulated)
        directions, frozen_by_map = self.directions(inertial), inertial.frozen.by_map()
        which = [inertial.muscle_names.index(name) for name in self.names]

        def rates(_: Stage, at: Derivatives, cotangent: Array) -> Array:
            by_map = inertial.evaluation.inverse_by_map(at.kinematics, at.udot, frozen_by_map=frozen_by_map)
            return -(np.einsum("mc,mcu->mu", directions, by_map[which]) @ at.force_vjp(cotangent))

        return _Sum(self.shape, rates)

    def check(self, values: Array) -> None:
        """Raise :class:`OptionError` if a belly position is not between 0 and 1."""
        if not ((values >= 0) & (values <= 1)).all():
            raise OptionError("BellyPlacement", values.tolist(), "shares between 0 and 1")

    def apply(self, values: Array, draft: Draft) -> None:
        """Set the belly positions of ``draft``."""
        draft.proximal_shares.update(zip(self.names, values.tolist(), strict=True))


@dataclass(frozen=True)
class AponeurosisLength(BellyPlacement):
    """Lengths [m] of aponeuroses (``strain="aponeurosis"`` only); the ratio of both free tendons stays constant."""

    def start(self, context: Context) -> Array:
        """Return the model's original aponeurosis lengths [m]."""
        inertial = context.inertial
        check_names("muscle with mass", self.names, inertial.muscle_names)
        if inertial.options.strain_model.kind != "aponeurosis" or inertial.has_explicit_points:
            expected = "a model with strain='aponeurosis' and without explicit PointMasses"
            raise OptionError("AponeurosisLength", self.names, expected)
        for name in self.names:
            if not inertial.material_map(name).slack > 0:
                raise OptionError("AponeurosisLength", name, "a muscle whose tendon slack length is not zero")
        return np.array([inertial.architecture[name].aponeurosis for name in self.names])

    def check(self, values: Array) -> None:
        """Raise :class:`OptionError` if a length is negative."""
        if not (values >= 0).all():
            raise OptionError("AponeurosisLength", values.tolist(), "lengths of at least 0 m")

    def apply(self, values: Array, draft: Draft) -> None:
        """Set the aponeurosis lengths of ``draft``."""
        draft.aponeuroses.update(zip(self.names, values.tolist(), strict=True))

    def directions(self, inertial: InertialModel) -> Array:
        """Return d/d(aponeurosis length) [1/m] of ``MaterialMap`` fields proximal, phi, aponeurosis, (muscles, 3)."""
        maps = [inertial.material_map(name) for name in self.names]
        return np.array([[-m.proximal_share / m.slack, 0.0, 1.0 / m.slack] for m in maps])


_PATH = re.compile(r"^(?P<component>.*)/(?P<name>[^/\[\]]+)(\[(?P<index>\d+)\])?$")


class ModelProperty:
    """One scalar property, or one entry of a vector property, of a model's component."""

    def __init__(self, model: osim.Model, path: str) -> None:
        parts = _PATH.match(path)
        if parts is None:
            raise OptionError("Properties", path, "an OpenSim path such as '/bodyset/tibia_r/mass'")
        self.path = path
        self.component, self.name = parts["component"], parts["name"]
        self.index = None if parts["index"] is None else int(parts["index"])
        owner = self._owner(model)
        if not owner.hasProperty(self.name):
            known = [owner.getPropertyByIndex(i).getName() for i in range(owner.getNumProperties())]
            raise UnknownNameError("property", self.name, known, f"{owner.getConcreteClassName()} {path}")
        self.get(model)
        muscle = osim.Muscle.safeDownCast(owner)
        self.muscle: str | None = muscle.getName() if muscle is not None else None

    def get(self, model: osim.Model) -> float:
        """Return the property's number in a model."""
        value, number = self._value(self._owner(model)), None
        parts = [value.get(i) for i in range(value.size())] if isinstance(value, osim.Vec3 | osim.Vec6) else []
        if self.index is None:
            number = value
        elif self.index < len(parts):
            number = parts[self.index]
        if isinstance(number, bool) or not isinstance(number, int | float):
            what = f"the index of one of its {len(parts)} numbers" if parts else "a property that is a number"
            raise OptionError("Properties", self.path, what)
        return float(number)

    def set(self, model: osim.Model, number: float) -> None:
        """Set the property's number in a model; initialise the model afterwards."""
        owner, value = self._owner(model), float(number)
        if self.index is not None:
            value = self._value(owner)
            value.set(self.index, float(number))
        getattr(owner, f"set_{self.name}")(value)

    def _owner(self, model: osim.Model) -> Any:
        if self.component in ("", "/"):
            return model
        try:
            component = model.getComponent(self.component)
        except OPENSIM_ERRORS as error:
            paths = [c.getAbsolutePathString() for c in model.getComponentsList()]
            if self.component in paths:
                raise OptionError("Properties", self.path, opensim_reason(error)) from None
            raise UnknownNameError("component", self.component, paths, f"model '{model.getName()}'") from None
        kind = getattr(osim, component.getConcreteClassName(), None)
        return component if kind is None else kind.safeDownCast(component)

    def _value(self, owner: Any) -> Any:
        getter = getattr(owner, f"get_{self.name}", None)
        if getter is None:
            raise OptionError("Properties", self.path, "a property that OpenSim lets Python change")
        try:
            return getter()
        except TypeError:  # properties that are lists have an index
            raise OptionError("Properties", self.path, "a number or a vector of numbers") from None


class _Differenced(Contribution):
    """Gradient by central differences of the equations of motion with respect to model properties."""

    def __init__(self, simulated: Simulated, properties: Sequence[ModelProperty] = ()) -> None:
        super().__init__(simulated.values.shape)
        self._pairs = []  # indices, owning muscles, systems with values up and down, steps, derivatives
        owners = [p.muscle for p in properties] or [None] * len(simulated.values)
        groups: dict[object, list[int]] = {}
        for i, owner in enumerate(owners):
            groups.setdefault((properties[i].name, properties[i].index) if owner else i, []).append(i)
        for which in groups.values():
            steps = PROPERTY_STEP * np.maximum(np.abs(simulated.values[which]), SMALLEST_PROPERTY)
            moved = np.stack([simulated.values, simulated.values])
            moved[0, which] += steps
            moved[1, which] -= steps
            systems = [simulated.with_values(values) for values in moved]
            muscles = [name for i in which if (name := owners[i])]
            derivatives = [MuscleDerivatives(system) for system in systems if muscles]
            self._pairs.append((which, muscles, systems, steps, derivatives))

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        for which, muscles, systems, steps, derivatives in self._pairs:
            if muscles:
                change = self._of_muscles(muscles, derivatives, stage, at, cotangent)
            else:
                up, down = (system.rhs(*stage) for system in systems)
                change = np.asarray((up - down) @ cotangent)
            self.gradient[which] += change / (2 * steps)

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        for which, muscles, systems, steps, _ in self._pairs:
            if not muscles:  # M does not depend on muscles' properties
                up, down = (system.mass_matrix(system.pose(t, q)) @ correction for system in systems)
                self.gradient[which] -= float(cotangent @ (up - down)) / (2 * steps)

    @staticmethod
    def _of_muscles(
        muscles: list[str], derivatives: list[MuscleDerivatives], stage: Stage, at: Derivatives, cotangent: Array
    ) -> Array:
        """Return, per muscle, cotangent^T (dy/dt with increased minus dy/dt with decreased property) at a stage."""
        up, down = derivatives
        change = up.response(*stage) - down.response(*stage)
        force = at.force_vjp(cotangent)
        along = at.arms @ force
        acting, massive = [m.getName() for m in up.muscles], up.system.inertial.muscle_names
        moved = [
            d.system.inertial.evaluation.inverse_each([at.kinematics], at.udot[None])[0] for d in derivatives if massive
        ]
        result = np.zeros(len(muscles))
        for k, name in enumerate(muscles):
            if name in acting:
                i = acting.index(name)
                rows = up.state_entries[i]
                result[k] += along[i] * change[i, 0] + cotangent[rows] @ change[i, 1 : 1 + len(rows)]
            if name in massive:
                i = massive.index(name)
                result[k] -= (moved[0][i] - moved[1][i]) @ force
        return result


@dataclass(frozen=True)
class Properties(Parameter):
    """Model properties by OpenSim path, as "/forceset/BIClong/max_isometric_force", "/bodyset/tibia_r/mass_center[1]".

    The initial state does not follow: fibre lengths stay unchanged.
    """

    def bound(self, model: osim.Model) -> list[ModelProperty]:
        """Return one :class:`ModelProperty` per property path."""
        return [ModelProperty(model, path) for path in self.names]

    def start(self, context: Context) -> Array:
        """Return the values of the properties in the model."""
        model = context.inertial.original_model()
        return np.array([p.get(model) for p in self.bound(model)])

    def apply(self, values: Array, draft: Draft) -> None:
        """Set the properties of the draft's model to ``values``."""
        for entry, value in zip(self.bound(draft.model), values.tolist(), strict=True):
            entry.set(draft.model, value)
            draft.keeps_geometry &= entry.muscle is not None

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the :class:`Contribution` that sums the gradient with respect to property values."""
        inertial = simulated.system.inertial
        added = inertial.options.add_missing_inertia
        return _Differenced(simulated, () if added else self.bound(inertial.original_model()))

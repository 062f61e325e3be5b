"""The kinds of parameters that a simulation can be differentiated by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import MassError, OptionError
from ..._core.opensim import osim
from ...model import InertialModel
from .contributions import (
    DifferencedContribution,
    ExcitationContribution,
    MapContribution,
    MassContribution,
    ModelProperty,
    SignalContribution,
    StartContribution,
)
from .interface import Context, Contribution, Draft, Parameter, Simulated


@dataclass(frozen=True)
class InitialCoordinates(Parameter):
    """Values of coordinates at the start [rad or m], by name."""

    rebuilds: ClassVar[bool] = False

    def entries(self, inertial: InertialModel) -> list[int]:
        """Return the places of the coordinates' values among the state variables y."""
        check_names("coordinate", self.names, inertial.coordinate_names)
        return [int(inertial.coordinates.slots[inertial.coordinates.index(name)]) for name in self.names]

    def start(self, context: Context) -> Array:
        """Return the values that the state has."""
        return np.asarray(context.state.getY().to_numpy()[self.entries(context.inertial)])

    def apply(self, values: Array, draft: Draft) -> None:
        """Put them into the state at the start."""
        draft.y[self.entries(draft.problem.inertial)] = values

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the state at the start."""
        return StartContribution(self.entries(simulated.system.inertial))


@dataclass(frozen=True)
class InitialSpeeds(InitialCoordinates):
    """Generalized speeds at the start [rad/s or m/s], by the coordinates' names."""

    def entries(self, inertial: InertialModel) -> list[int]:
        """Return the places of the speeds among the state variables y."""
        check_names("coordinate", self.names, inertial.coordinate_names)
        return [inertial.coordinates.nq + inertial.coordinates.index(name) for name in self.names]


@dataclass(frozen=True)
class Signals(Parameter):
    """Functions of time that are linear in their parameters.

    Attributes:
        times: None: constant, one number for each name; times [s] that increase: linear between them and constant
            outside, an array (names, times); or a function of the time that gives the weights (n,) of n parameters for
            each name.
        count: n, where ``times`` is a function.
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
        """The shape of the array of values."""
        if self.times is None:
            return (len(self.names),)
        return len(self.names), int(self.count or 0) if callable(self.times) else len(self.times)

    def weights(self, t: float) -> Array:
        """Return the weight of each parameter of a name at a time [s]; () for constants."""
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
        """Return functions of time [s] by name, for values of the parameter."""

        @lru_cache(maxsize=1)
        def now(t: float) -> list[float]:
            return (values if values.ndim == 1 else values @ self.weights(t)).tolist()  # type: ignore[no-any-return]

        return {name: lambda t, i=i: now(t)[i] for i, name in enumerate(self.names)}  # type: ignore[misc]


@dataclass(frozen=True)
class Forces(Signals):
    """Generalized forces besides the model's own [N m or N], by coordinate; zero to start with."""

    quantity: ClassVar[str] = "forces"

    def start(self, context: Context) -> Array:
        """Return zeros."""
        check_names("coordinate", self.names, context.inertial.coordinate_names)
        return np.zeros(self.shape)

    def apply(self, values: Array, draft: Draft) -> None:
        """Let the forces act."""
        draft.forces.update(self.functions(values))

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the forces."""
        return SignalContribution(self.names, self.shape, self.weights, simulated.system.layout.coordinate_names)


@dataclass(frozen=True)
class Excitations(Signals):
    """Excitations of muscles, and controls of other actuators; to start with what the model's controllers or defaults
    say.
    """

    quantity: ClassVar[str] = "excitations"

    def start(self, context: Context) -> Array:
        """Return the values that controllers or defaults give at the start."""
        check_names("actuator", self.names, context.control_names)
        constant = np.array([context.controls[context.control_names.index(n)] for n in self.names])
        return constant if self.times is None else np.repeat(constant[:, None], self.shape[1], axis=1)

    def apply(self, values: Array, draft: Draft) -> None:
        """Excite the actuators."""
        draft.excitations.update(self.functions(values))

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the excitations."""
        return ExcitationContribution(self.names, self.shape, self.weights, simulated.system.drives.control_names)


@dataclass(frozen=True)
class MuscleMasses(Parameter):
    """Masses of muscles [kg]. Segments keep their published mass, so that the total stays."""

    def start(self, context: Context) -> Array:
        """Return the values that the model and its state have."""
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
        """Put them into the mass table."""
        for muscle, mass in zip(self.names, values.tolist(), strict=True):
            draft.masses.loc[draft.masses["muscle"] == muscle, "mass"] = mass

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the masses."""
        inertial = simulated.system.inertial
        if inertial.options.add_missing_inertia:  # which changes with the masses, too
            return DifferencedContribution(simulated)
        return MassContribution(self.names, inertial)


@dataclass(frozen=True)
class BellyPlacement(Parameter):
    """Places of bellies: the share in [0, 1] of what is not belly that is at the origin.

    With fibres between aponeuroses that is the proximal share of the free tendon, with rigid tendons
    ``proximal_tendon``; with uniform strain 0 is a proximal belly, 0.5 a central and 1 a distal one.
    """

    def start(self, context: Context) -> Array:
        """Return the values that the model and its state have."""
        check_names("muscle with mass", self.names, context.inertial.muscle_names)
        return np.array([context.inertial.material_map(name).proximal_share for name in self.names])

    def directions(self, inertial: InertialModel) -> Array:
        """Return the change of ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's material map, (n, 3)."""
        return np.array([[1.0 - inertial.material_map(name).aponeurosis, 0.0, 0.0] for name in self.names])

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the material maps."""
        inertial = simulated.system.inertial
        if inertial.options.add_missing_inertia:
            return DifferencedContribution(simulated)
        return MapContribution(self.names, self.directions(inertial), inertial)

    def check(self, values: Array) -> None:
        """Raise :class:`OptionError` if a share is not between 0 and 1."""
        if not ((values >= 0) & (values <= 1)).all():
            raise OptionError("BellyPlacement", values.tolist(), "shares between 0 and 1")

    def apply(self, values: Array, draft: Draft) -> None:
        """Move the bellies."""
        draft.proximal_shares.update(zip(self.names, values.tolist(), strict=True))


@dataclass(frozen=True)
class AponeurosisLength(BellyPlacement):
    """Lengths of aponeuroses [m], for fibres between aponeuroses; free tendons keep their shares of what is left."""

    def start(self, context: Context) -> Array:
        """Return the values that the model and its state have."""
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
        """Change the lengths of the aponeuroses."""
        draft.aponeuroses.update(zip(self.names, values.tolist(), strict=True))

    def directions(self, inertial: InertialModel) -> Array:
        """Return the change of ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's material map, (n, 3)."""
        maps = [inertial.material_map(name) for name in self.names]
        return np.array([[-m.proximal_share / m.slack, 0.0, 1.0 / m.slack] for m in maps])


@dataclass(frozen=True)
class Properties(Parameter):
    """Numbers in the model by OpenSim path: component and property, as "/forceset/BIClong/max_isometric_force" or
    "/bodyset/tibia_r/mass_center[1]".

    Where the simulation starts does not follow them: fibre lengths in the initial state stay.
    """

    def bound(self, model: osim.Model) -> list[ModelProperty]:
        """Return the properties in a model."""
        return [ModelProperty(model, path) for path in self.names]

    def start(self, context: Context) -> Array:
        """Return the values that the model and its state have."""
        model = context.inertial.original_model()
        return np.array([p.get(model) for p in self.bound(model)])

    def apply(self, values: Array, draft: Draft) -> None:
        """Put them into the model."""
        for entry, value in zip(self.bound(draft.model), values.tolist(), strict=True):
            entry.set(draft.model, value)
            draft.keeps_geometry &= entry.muscle is not None

    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution of the properties."""
        inertial = simulated.system.inertial
        added = inertial.options.add_missing_inertia
        return DifferencedContribution(simulated, () if added else self.bound(inertial.original_model()))

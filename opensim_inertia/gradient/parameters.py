"""What a simulation can be differentiated by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import MassError, OptionError, UnknownNameError
from ..inertial import InertialModel
from .properties import ModelProperty

Names = str | Sequence[str]


class Context(NamedTuple):
    """What parameters are read from: the model, its state at the start, and its controls there."""

    inertial: InertialModel
    state: osim.State
    control_names: list[str]
    controls: Array


@dataclass(frozen=True)
class Parameter:
    """One array of parameters: one number for each name, or one for each name and node of time.

    Attributes:
        names: what is varied; a name or a sequence of names.
    """

    names: Names

    def __post_init__(self) -> None:
        names: tuple[str, ...] = (self.names,) if isinstance(self.names, str) else ()
        if not isinstance(self.names, str) and isinstance(self.names, Sequence):
            names = tuple(self.names)
        if not names or not all(isinstance(name, str) for name in names):
            raise OptionError(type(self).__name__, self.names, "a name or a sequence of names")
        if len(set(names)) < len(names):
            raise OptionError(type(self).__name__, self.names, "each name once")
        object.__setattr__(self, "names", names)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return (len(self.names),)

    def start(self, context: Context) -> Array:
        """The values that the model and its state have.

        Raises:
            UnknownNameError: a name is not in the model.
        """
        raise NotImplementedError

    def check(self, values: Array) -> None:
        """Raise an error if values cannot be."""


# -- where a simulation starts -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class InitialCoordinates(Parameter):
    """Values of coordinates at the start [rad or m], by name."""

    def entries(self, inertial: InertialModel) -> list[int]:
        """Their places among the state variables y."""
        _check("coordinate", self.names, inertial.coordinate_names)
        return [int(inertial.coordinates.slots[inertial.coordinate_names.index(name)]) for name in self.names]

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        return np.asarray(context.state.getY().to_numpy()[self.entries(context.inertial)])


@dataclass(frozen=True)
class InitialSpeeds(InitialCoordinates):
    """Generalized speeds at the start [rad/s or m/s], by the coordinates' names."""

    def entries(self, inertial: InertialModel) -> list[int]:
        """Their places among the state variables y."""
        _check("coordinate", self.names, inertial.coordinate_names)
        return [inertial.coordinates.nq + inertial.coordinate_names.index(name) for name in self.names]


# -- what drives it ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Signals(Parameter):
    """Functions of time, linear in their parameters.

    Attributes:
        times: None: constant, one number for each name; times [s] that increase: linear between them and constant
            outside, an array (names, times); or a function of the time that gives the weights (n,) of n parameters for
            each name.
        count: n, where ``times`` is a function.
    """

    times: Sequence[float] | Array | Callable[[float], Array] | None = None
    count: int | None = None

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
        if self.times is None:
            return (len(self.names),)
        return len(self.names), int(self.count or 0) if callable(self.times) else len(self.times)

    def weights(self, t: float) -> Array:
        """How much each parameter of a name counts at a time [s]; () for constants."""
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
        share = min(max((t - before) / (after - before), 0.0), 1.0)
        weights[right - 1], weights[right] = 1.0 - share, share
        return weights

    def _spread(self, constant: Array) -> Array:
        """Parameters of signals that do not change."""
        if self.times is None:
            return constant
        return np.repeat(constant[:, None], self.shape[1], axis=1)


@dataclass(frozen=True)
class Forces(_Signals):
    """Generalized forces besides the model's own [N m or N], by coordinate; zero to start with."""

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        _check("coordinate", self.names, context.inertial.coordinate_names)
        return np.zeros(self.shape)


@dataclass(frozen=True)
class Excitations(_Signals):
    """Excitations of muscles, and controls of other actuators; to start with what the model's controllers or defaults
    say.
    """

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        _check("actuator", self.names, context.control_names)
        return self._spread(np.array([context.controls[context.control_names.index(n)] for n in self.names]))


# -- what the model is made of -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MuscleMasses(Parameter):
    """Masses of muscles [kg]. Segments give up what muscles get: the total stays."""

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        _check("muscle with mass", self.names, context.inertial.muscle_names)
        if context.inertial.has_explicit_points:
            raise OptionError("MuscleMasses", self.names, "a model without explicit PointMasses")
        table = context.inertial.masses.set_index("muscle")["mass"]
        return np.array([float(table[name]) for name in self.names])

    def check(self, values: Array) -> None:
        """Raise an error if values cannot be."""
        if not (values > 0).all():
            worst = int(np.argmin(values))
            raise MassError(f"muscle '{self.names[worst]}': a mass must be positive to be varied, got {values[worst]}")


@dataclass(frozen=True)
class BellyPlacement(Parameter):
    """Where bellies lie: the share in [0, 1] of what is not belly that is at the origin.

    With fibres between aponeuroses that is the proximal share of the free tendon, with rigid tendons
    ``proximal_tendon``; with uniform strain 0 is a proximal belly, 0.5 a central and 1 a distal one.
    """

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        _check("muscle with mass", self.names, context.inertial.muscle_names)
        return np.array([context.inertial.material_map(name).proximal_share for name in self.names])

    def directions(self, inertial: InertialModel) -> Array:
        """Change of ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's material map, (n, 3)."""
        return np.array([[1.0 - inertial.material_map(name).aponeurosis, 0.0, 0.0] for name in self.names])

    def check(self, values: Array) -> None:
        """Raise an error if values cannot be."""
        if not ((values >= 0) & (values <= 1)).all():
            raise OptionError("BellyPlacement", values.tolist(), "shares between 0 and 1")


@dataclass(frozen=True)
class AponeurosisLength(Parameter):
    """Lengths of aponeuroses [m], for fibres between aponeuroses; free tendons keep their shares of what is left."""

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        inertial = context.inertial
        _check("muscle with mass", self.names, inertial.muscle_names)
        if inertial.options.strain != "aponeurosis" or inertial.has_explicit_points:
            raise OptionError(
                "AponeurosisLength", self.names, "a model with strain='aponeurosis' and without explicit PointMasses"
            )
        for name in self.names:
            if not inertial.material_map(name).slack > 0:
                raise OptionError("AponeurosisLength", name, "a muscle whose tendon slack length is not zero")
        return np.array([inertial.architecture[name].aponeurosis for name in self.names])

    def check(self, values: Array) -> None:
        """Raise an error if values cannot be."""
        if not (values >= 0).all():
            raise OptionError("AponeurosisLength", values.tolist(), "lengths of at least 0 m")

    def directions(self, inertial: InertialModel) -> Array:
        """Change of ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's material map, (n, 3)."""
        maps = [inertial.material_map(name) for name in self.names]
        return np.array([[-m.proximal_share / m.slack, 0.0, 1.0 / m.slack] for m in maps])


@dataclass(frozen=True)
class Properties(Parameter):
    """Numbers in the model by OpenSim path: component and property, as "/forceset/BIClong/max_isometric_force" or
    "/bodyset/tibia_r/mass_center[1]".

    Where the simulation starts does not follow them: fibre lengths in the initial state stay.
    """

    def bound(self, model: osim.Model) -> list[ModelProperty]:
        """The properties in a model.

        Raises:
            UnknownNameError: a component or property is not there. OptionError: it is no number.
        """
        return [ModelProperty(model, path) for path in self.names]

    def start(self, context: Context) -> Array:
        """The values that the model and its state have."""
        model = context.inertial.original_model()
        return np.array([p.get(model) for p in self.bound(model)])


def _check(kind: str, names: Names, valid: Sequence[str]) -> None:
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, name, valid)


def check_values(name: str, parameter: Parameter, values: Any) -> Array:
    """An array of the parameter's shape.

    Raises:
        OptionError: it has another shape, or a number is not finite.
    """
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        array = np.full((), np.nan)
    if array.shape != parameter.shape or not np.isfinite(array).all():
        raise OptionError(name, values, f"finite numbers of shape {parameter.shape}")
    parameter.check(array)
    return array

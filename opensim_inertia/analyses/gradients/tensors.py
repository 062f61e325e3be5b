"""Simulations and trajectories in PyTorch's graphs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import MissingPackageError, OptionError
from ..._core.opensim import osim
from ..._core.representation import Described
from ...dynamics.equations.system import STATE_STEP, System, shifted
from ..forward_simulation.trajectory import Trajectory
from .adjoint import Run

# deterministic matrix products on NVIDIA devices; read when the first one runs
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

try:
    import torch
except ImportError as error:
    raise MissingPackageError("gradients need", "PyTorch", "gradients") from error


class TensorTrajectory(Described):
    """States of a simulation as tensors that know where they come from.

    Attributes:
        times: times (T,) [s].
        y: states (T, ny), as :class:`Trajectory` has them.
        parameters: the parameters' tensors, those that were not given included.
        trajectory: the same states as a :class:`Trajectory`.
        run: the simulation itself.
    """

    def __init__(self, run: Run, y: Any, parameters: dict[str, Any]) -> None:
        self.run = run
        self.trajectory, self.y, self.parameters = run.trajectory, y, parameters
        self.times = torch.from_numpy(run.trajectory.times.copy())

    def __len__(self) -> int:
        return len(self.times)

    def description(self) -> Mapping[str, str]:
        """Return the parameters, and the description of the trajectory."""
        parameters = (f"{name} ({' x '.join(map(str, t.shape))})" for name, t in self.parameters.items())
        return {"parameters": ", ".join(parameters), **self.trajectory.description()}

    def coordinate(self, name: str) -> Any:
        """Return a coordinate's values (T,) [rad or m]."""
        return self.y[:, self.trajectory.layout.coordinate(name)]

    def speed(self, name: str) -> Any:
        """Return a coordinate's speeds (T,)."""
        return self.y[:, self.trajectory.layout.speed(name)]

    def coordinates(self) -> Any:
        """Return all coordinates (T, nu), in the order of ``trajectory.layout.coordinate_names``."""
        return self.y[:, self.trajectory.layout.coordinates.slots.tolist()]

    def speeds(self) -> Any:
        """Return all generalized speeds (T, nu), in the same order."""
        return self.y[:, self.trajectory.layout.speeds]

    def state(self, name: str) -> Any:
        """Return a state variable (T,) by OpenSim's path, as "/forceset/BIClong/activation"."""
        return self.y[:, self.trajectory.layout.state_variable(name)]

    def marker(self, name: str, rows: int | slice | list[int] = slice(None)) -> Any:
        """Return a marker's place in ground (T, 3) [m], or (3,) for one row.

        Args:
            rows: of the trajectory; each takes a little time.
        """
        markers = {m.getName(): m for m in self._system.model.getMarkerSet()}
        check_names("marker", [name], markers)
        return self._point(markers[name].getParentFrame(), markers[name].get_location(), rows)

    def point(self, body: str, station: Any, rows: int | slice | list[int] = slice(None)) -> Any:
        """Return the place in ground (T, 3) [m] of a point given in a body's frame."""
        bodies = self._system.model.getBodySet()
        check_names("body", [body], [b.getName() for b in bodies])
        return self._point(bodies.get(body), osim.Vec3(*map(float, station)), rows)

    def of_state(self, function: Callable[[osim.State], Any], rows: int | slice | list[int] = -1) -> Any:
        """Return whatever OpenSim computes of a state. Derivatives are central differences, two evaluations per state
        variable and row.

        Args:
            function: gives a number or numbers (n,) of an ``osim.State`` of ``run.system.model``, realized to velocity.
            rows: of the trajectory.

        Returns:
            (n,) or () for one row; (rows, n) or (rows,) for more.
        """
        which, single = self._rows(rows)
        tensors = [_OfState.apply(self.y[i], float(self.times[i]), self._system, function) for i in which]
        return tensors[0] if single else torch.stack(tensors)

    @property
    def _system(self) -> System:
        return self.run.system

    def _rows(self, rows: int | slice | list[int]) -> tuple[list[int], bool]:
        single = isinstance(rows, int)
        try:
            which = np.atleast_1d(np.arange(len(self.times))[rows])
        except IndexError:
            raise OptionError("rows", rows, f"rows of a trajectory that has {len(self.times)}") from None
        return [int(i) for i in which], single

    def _point(self, frame: Any, station: osim.Vec3, rows: int | slice | list[int]) -> Any:
        which, single = self._rows(rows)
        times = self.trajectory.times[which]
        places = _Point.apply(self.y[which], times, self._system, frame, station)
        return places[0] if single else places


class _Simulate(torch.autograd.Function):  # type: ignore[misc]
    """Parameters in, states out; backward is the adjoint."""

    @staticmethod
    def forward(ctx: Any, owner: Any, holder: list[Run], names: list[str], *tensors: Any) -> Any:
        run = owner.run({n: t.detach().cpu().numpy() for n, t in zip(names, tensors, strict=True)})
        holder.append(run)
        ctx.owner, ctx.run, ctx.names = owner, run, names
        return torch.from_numpy(run.trajectory.y.copy())

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, cotangents: Any) -> Any:
        gradients = ctx.owner.gradient(ctx.run, cotangents.detach().numpy())
        return None, None, None, *(torch.from_numpy(np.ascontiguousarray(gradients[name])) for name in ctx.names)


class _Point(torch.autograd.Function):  # type: ignore[misc]
    """Places of a point that a frame carries; backward is OpenSim's station Jacobian, transposed."""

    @staticmethod
    def forward(ctx: Any, y: Any, times: Array, system: System, frame: Any, station: osim.Vec3) -> Any:
        matter = system.model.getMatterSubsystem()
        base = frame.findTransformInBaseFrame().shiftFrameStationToBase(station)
        body = frame.getMobilizedBodyIndex()
        places, jacobians = [], []
        for t, row in zip(times.tolist(), y.detach().numpy(), strict=True):
            state = system.set_state(t, row)
            system.model.realizePosition(state)
            places.append(frame.findStationLocationInGround(state, station).to_numpy().copy())
            J = osim.Matrix()
            matter.calcStationJacobian(state, body, base, J)
            jacobians.append(J.to_numpy() @ system.coordinate_maps(state)[1])
        ctx.jacobians, ctx.shape = np.array(jacobians), tuple(y.shape)
        return torch.from_numpy(np.array(places))

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, cotangent: Any) -> Any:
        result = np.zeros(ctx.shape)
        result[:, : ctx.jacobians.shape[2]] = np.einsum("ti,tij->tj", cotangent.numpy(), ctx.jacobians)
        return torch.from_numpy(result), None, None, None, None


class _OfState(torch.autograd.Function):  # type: ignore[misc]
    """A function of one state; backward is by differences."""

    @staticmethod
    def forward(ctx: Any, y: Any, t: float, system: System, function: Callable[[osim.State], Any]) -> Any:
        ctx.y, ctx.t, ctx.system, ctx.function = y.detach().numpy().copy(), t, system, function
        return torch.from_numpy(_evaluated(function, system, t, ctx.y))

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, cotangent: Any) -> Any:
        result = np.zeros(len(ctx.y))
        for i in range(len(ctx.y)):
            h = STATE_STEP * (1 + abs(ctx.y[i]))
            ends = []
            for sign in (1.0, -1.0):
                ends.append(_evaluated(ctx.function, ctx.system, ctx.t, shifted(ctx.y, i, sign * h)))
            result[i] = np.sum(cotangent.numpy() * (ends[0] - ends[1])) / (2 * h)
        return torch.from_numpy(result), None, None, None


def _evaluated(function: Callable[[osim.State], Any], system: System, t: float, y: Array) -> Array:
    state = system.set_state(t, y)
    system.model.realizeVelocity(state)
    value = function(state)
    numbers = np.array(value.to_numpy() if hasattr(value, "to_numpy") else value, dtype=float)
    if not np.isfinite(numbers).all():
        raise OptionError("function", value, f"finite numbers at {t:.6g} s")
    return numbers


def simulate_tensors(owner: Any, tensors: Mapping[str, Any]) -> TensorTrajectory:
    """Run a simulation with tensors as its parameters."""
    check_names("parameter", tensors, owner.parameters)
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float64:
            raise OptionError(name, tensor, "a tensor of double precision (torch.float64)")
    everything = {n: tensors.get(n, torch.from_numpy(values.copy())) for n, values in owner.values.items()}
    holder: list[Run] = []
    names = list(everything)
    y = _Simulate.apply(owner, holder, names, *everything.values())
    return TensorTrajectory(holder[0], y, everything)


def evaluate(
    owner: Any, objective: Callable[[Any], Any], values: dict[str, Array]
) -> tuple[float, dict[str, Array], Trajectory]:
    """Return an objective's value, its gradient by every parameter, and the simulation."""
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in values.items()}
    trajectory = simulate_tensors(owner, tensors)
    value = objective(trajectory)
    if not isinstance(value, torch.Tensor) or value.numel() != 1:
        received = tuple(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
        raise OptionError(
            "objective", received, "a function that gives one number as a tensor, such as a sum or a mean"
        )
    if not value.requires_grad:
        raise OptionError("objective", value.item(), "something that depends on the trajectory or the parameters")
    if not torch.isfinite(value):
        raise OptionError("objective", value.item(), "a finite number")
    value.sum().backward()
    gradient = {n: np.zeros(t.shape) if t.grad is None else t.grad.numpy() for n, t in tensors.items()}
    return float(value.item()), gradient, trajectory.trajectory

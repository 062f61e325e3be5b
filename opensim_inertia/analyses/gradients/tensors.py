"""Simulations as functions of PyTorch tensors."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import MissingPackageError, OptionError
from ..._core.opensim import osim
from ..._core.representation import Described
from ...dynamics.equations.system import STATE_STEP, System, central
from ..forward_simulation.trajectory import Trajectory
from .interface import Run

# deterministic matrix products on NVIDIA devices; read at the first product
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

try:
    import torch
except ImportError as error:
    raise MissingPackageError("gradients need", "PyTorch", "gradients") from error


class TensorTrajectory(Described):
    """States of a simulation as tensors with gradients.

    Attributes:
        times: times (T,) [s].
        y: states (T, ny), as in :class:`Trajectory`.
        parameters: tensors of all parameters, also those that were not given.
        trajectory: the states as a :class:`Trajectory`.
        run: the simulation and data for its gradient.
    """

    def __init__(self, run: Run, y: Any, parameters: dict[str, Any]) -> None:
        self.run = run
        self.trajectory, self.y, self.parameters = run.trajectory, y, parameters
        self.times = torch.from_numpy(run.trajectory.times.copy())

    def __len__(self) -> int:
        return len(self.times)

    def description(self) -> Mapping[str, str]:
        """Return the parameters and the trajectory as text."""
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
        """Return all generalized speeds (T, nu), in the order of the coordinates."""
        return self.y[:, self.trajectory.layout.speeds]

    def state(self, name: str) -> Any:
        """Return a state variable (T,) by OpenSim's path, as "/forceset/BIClong/activation"."""
        return self.y[:, self.trajectory.layout.state_variable(name)]

    def marker(self, name: str, rows: int | slice | list[int] = slice(None)) -> Any:
        """Return a marker's position in ground (T, 3) [m], or (3,) if ``rows`` is an int.

        Args:
            name: the marker's name.
            rows: rows of the trajectory; fewer rows take less time.
        """
        markers = {m.getName(): m for m in self.run.system.model.getMarkerSet()}
        check_names("marker", [name], markers)
        return self._point(markers[name].getParentFrame(), markers[name].get_location(), rows)

    def point(self, body: str, station: Any, rows: int | slice | list[int] = slice(None)) -> Any:
        """Return the position in ground (T, 3) [m] of a point given in a body's frame."""
        bodies = self.run.system.model.getBodySet()
        check_names("body", [body], [b.getName() for b in bodies])
        return self._point(bodies.get(body), osim.Vec3(*map(float, station)), rows)

    def of_state(self, function: Callable[[osim.State], Any], rows: int | slice | list[int] = -1) -> Any:
        """Return a function's values at states of the trajectory, differentiable by central differences.

        Args:
            function: returns a number or numbers (n,) for an ``osim.State`` of ``run.system.model``, realized to
                velocity. The gradient evaluates it twice per state variable and row.
            rows: rows of the trajectory.

        Returns:
            (n,) or () for one row; (rows, n) or (rows,) for more.
        """
        which, single = self._rows(rows)
        system = self.run.system

        def at(t: float, y: Array) -> tuple[Array, Callable[[Array], list[Array]]]:
            y = y.copy()

            def pull(cotangent: Array) -> list[Array]:
                steps = STATE_STEP * (1 + np.abs(y))
                slopes = [central(partial(_evaluated, function, system, t), y, i, h) for i, h in enumerate(steps)]
                return [np.array([np.sum(cotangent * slope) for slope in slopes])]

            return _evaluated(function, system, t, y), pull

        tensors = [_Node.apply(partial(at, float(self.times[i])), self.y[i]) for i in which]
        return tensors[0] if single else torch.stack(tensors)

    def _rows(self, rows: int | slice | list[int]) -> tuple[list[int], bool]:
        single = isinstance(rows, int)
        try:
            which = np.atleast_1d(np.arange(len(self.times))[rows])
        except IndexError:
            raise OptionError("rows", rows, f"rows of a trajectory that has {len(self.times)}") from None
        return [int(i) for i in which], single

    def _point(self, frame: Any, station: osim.Vec3, rows: int | slice | list[int]) -> Any:
        which, single = self._rows(rows)
        system, matter = self.run.system, self.run.system.model.getMatterSubsystem()
        base = frame.findTransformInBaseFrame().shiftFrameStationToBase(station)

        def at(y: Array) -> tuple[Array, Callable[[Array], list[Array]]]:
            places, jacobians, J = np.zeros((len(y), 3)), np.zeros((len(y), 3, y.shape[1])), osim.Matrix()
            for k, t in enumerate(self.trajectory.times[which].tolist()):
                state = system.set_state(t, y[k])
                system.model.realizePosition(state)
                places[k] = frame.findStationLocationInGround(state, station).to_numpy()
                matter.calcStationJacobian(state, frame.getMobilizedBodyIndex(), base, J)
                jacobians[k, :, : system.nq] = J.to_numpy() @ system.coordinate_maps(state)[1]
            return places, lambda cotangent: [np.einsum("ti,tij->tj", cotangent, jacobians)]

        places = _Node.apply(at, self.y[which])
        return places[0] if single else places


class _Node(torch.autograd.Function):  # type: ignore[misc]
    """Node of PyTorch's graph, with values and a vector-Jacobian product computed by NumPy."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., tuple[Array, Callable[[Array], list[Array]]]], *tensors: Any) -> Any:
        values, ctx.pull = function(*(tensor.detach().cpu().numpy() for tensor in tensors))
        return torch.from_numpy(values.copy())

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(ctx: Any, cotangent: Any) -> Any:
        return None, *(torch.from_numpy(np.ascontiguousarray(g)) for g in ctx.pull(cotangent.detach().cpu().numpy()))


def _evaluated(function: Callable[[osim.State], Any], system: System, t: float, y: Array) -> Array:
    state = system.set_state(t, y)
    system.model.realizeVelocity(state)
    value = function(state)
    numbers = np.array(value.to_numpy() if hasattr(value, "to_numpy") else value, dtype=float)
    if not np.isfinite(numbers).all():
        raise OptionError("function", value, f"finite numbers at {t:.6g} s")
    return numbers


def simulate_tensors(owner: Any, tensors: Mapping[str, Any]) -> TensorTrajectory:
    """Run the simulation ``owner`` with tensors as parameters."""
    check_names("parameter", tensors, owner.parameters)
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float64:
            raise OptionError(name, tensor, "a tensor of double precision (torch.float64)")
    everything = {n: tensors.get(n, torch.from_numpy(values.copy())) for n, values in owner.values.items()}
    runs: list[Run] = []

    def simulated(*arrays: Array) -> tuple[Array, Callable[[Array], list[Array]]]:
        run = owner.run(dict(zip(everything, arrays, strict=True)))
        runs.append(run)

        def pull(cotangents: Array) -> list[Array]:
            gradients = owner.gradient(run, cotangents)
            return [gradients[name] for name in everything]

        return run.trajectory.y, pull

    y = _Node.apply(simulated, *everything.values())
    return TensorTrajectory(runs[0], y, everything)


def evaluate(
    owner: Any, objective: Callable[[Any], Any], values: dict[str, Array]
) -> tuple[float, dict[str, Array], Trajectory]:
    """Return an objective's value, its gradient by parameter name, and the simulation."""
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in values.items()}
    trajectory = simulate_tensors(owner, tensors)
    value = objective(trajectory)
    if not isinstance(value, torch.Tensor) or value.numel() != 1:
        received = tuple(value.shape) if isinstance(value, torch.Tensor) else type(value).__name__
        expected = "a function that gives one number as a tensor, such as a sum or a mean"
        raise OptionError("objective", received, expected)
    if not value.requires_grad:
        raise OptionError("objective", value.item(), "something that depends on the trajectory or the parameters")
    if not torch.isfinite(value):
        raise OptionError("objective", value.item(), "a finite number")
    value.sum().backward()
    gradient = {n: np.zeros(t.shape) if t.grad is None else t.grad.numpy() for n, t in tensors.items()}
    return float(value.item()), gradient, trajectory.trajectory

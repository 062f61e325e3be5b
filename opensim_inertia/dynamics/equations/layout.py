"""Names of a model's state variables, and where each stands in the state y = (q, u, z)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.errors import OPENSIM_ERRORS, ModelError, UnknownNameError, opensim_reason
from ..._core.opensim import osim
from ...opensim_model.reading.coordinates import CoordinateTable


@dataclass(frozen=True)
class StateLayout:
    """Plain data that say what the entries of y are: generalized coordinates q, speeds u, then all other states z."""

    coordinates: CoordinateTable
    names: tuple[str, ...]
    order: NDArray[np.intp]
    size: int

    @classmethod
    def read(cls, model: osim.Model, state: osim.State, coordinates: CoordinateTable) -> StateLayout:
        """Return the layout of an initialised model's states."""
        return cls(coordinates, *_state_variables(model, state), state.getNY())

    def extended(self, names: Sequence[str]) -> StateLayout:
        """Return the layout of y with further states, of these names, at its end."""
        order = np.concatenate([self.order, self.size + np.arange(len(names), dtype=np.intp)])
        return StateLayout(self.coordinates, (*self.names, *names), order, self.size + len(names))

    @property
    def nq(self) -> int:
        """The number of generalized coordinates."""
        return self.coordinates.nq

    @property
    def nu(self) -> int:
        """The number of generalized speeds."""
        return len(self.coordinates.names)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in speed order."""
        return self.coordinates.names

    @property
    def speeds(self) -> slice:
        """The entries of y that are the generalized speeds."""
        return slice(self.nq, self.nq + self.nu)

    @property
    def auxiliary_states(self) -> tuple[str, ...]:
        """Paths of the state variables that are neither coordinates nor speeds."""
        places = zip(self.names, self.order.tolist(), strict=True)
        return tuple(name for name, place in places if place >= self.nq + self.nu)

    def coordinate(self, name: str) -> int:
        """Return the entry of y that holds a coordinate's value."""
        return int(self.coordinates.slots[_index("coordinate", name, self.coordinate_names)])

    def speed(self, name: str) -> int:
        """Return the entry of y that holds a coordinate's generalized speed; errors as :meth:`coordinate`."""
        return self.nq + _index("coordinate", name, self.coordinate_names)

    def state_variable(self, name: str) -> int:
        """Return the entry of y that holds the state variable of a path."""
        return int(self.order[_index("state variable", name, self.names)])

    def within(self, path: str) -> list[int]:
        """Return the entries of y that are states of a component by its path."""
        places = zip(self.names, self.order.tolist(), strict=True)
        return [place for name, place in places if name.startswith(path + "/")]

    def unit(self, name: str) -> str:
        """Return the unit of a coordinate: "rad", "m" or "" for one that is neither an angle nor a length."""
        i = _index("coordinate", name, self.coordinate_names)
        return "rad" if self.coordinates.rotational[i] else "m" if self.coordinates.translational[i] else ""

    def path(self, i: int) -> str:
        """Return OpenSim's path of the state variable that entry i of y is."""
        return self.names[self.order.tolist().index(i)]

    def label(self, i: int) -> str:
        """Return the name of entry i of y: the coordinate's for q and u, the state variable's path for others."""
        if self.nq <= i < self.nq + self.nu:
            return self.coordinate_names[i - self.nq]
        slots = self.coordinates.slots.tolist()
        if i < self.nq:
            return self.coordinate_names[slots.index(i)] if i in slots else f"q[{i}]"
        order = self.order.tolist()
        return self.names[order.index(i)] if i in order else f"y[{i}]"


def _state_variables(model: osim.Model, state: osim.State) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return OpenSim's paths of the state variables, and where each stands in y."""
    numbered = osim.State(state)
    numbered.setY(osim.Vector.createFromMat(np.arange(float(state.getNY()))))
    try:
        names = model.getStateVariableNames()
        places = model.getStateVariableValues(numbered).to_numpy()
    except OPENSIM_ERRORS as error:
        raise ModelError(f"model '{model.getName()}': its states cannot be read: {opensim_reason(error)}") from None
    return tuple(names.get(i) for i in range(names.getSize())), places.round().astype(np.intp)


def _index(kind: str, name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise UnknownNameError(kind, name, names)
    return names.index(name)

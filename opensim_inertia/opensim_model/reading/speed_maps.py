"""Joints whose speeds are not the rates of their coordinates: maps between both, and forces of equal power.

Simbody's speeds u of ball, free, ellipsoid and scapulothoracic joints are angular velocities: ``qdot = N(q) u``. A
recorded motion gives q, so that ``u = N^+ qdot``, and ``udot`` is its derivative. Forces on coordinates have the power
of those on speeds: ``tau_q = N^+T tau_u``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.opensim import osim
from .coordinates import read_coordinates
from .states import ModelSystem

__all__ = ["SpeedMaps", "TurningJoints", "coordinate_maps"]

STEP = 0.01
"""Length of the steps by which N^+ is differenced along a motion [rad]: its error is 1e-14, also in gimbal lock."""
WEIGHTS = np.array([3 / 4, -3 / 20, 1 / 60])
"""Weights of central differences over one, two and three steps: sixth order."""


def coordinate_maps(model: osim.Model, state: osim.State) -> tuple[Array, Array]:
    """Return N (nq, nu) of qdot = N u, and its pseudo-inverse N^+ (nu, nq), at a state realized to position."""
    nq, nu = state.getNQ(), state.getNU()
    if nq == nu:
        return np.eye(nq), np.eye(nq)
    matter = model.getMatterSubsystem()
    return tuple(  # type: ignore[return-value]
        np.column_stack([_mapped(multiply, state, unit) for unit in np.eye(n)])
        for multiply, n in ((matter.multiplyByN, nu), (matter.multiplyByNInv, nq))
    )


@dataclass(frozen=True, eq=False)
class SpeedMaps:
    """N^+ at T moments, for the k columns of a motion that belong to joints whose speeds are not rates.

    Attributes:
        columns: (k,).
        to_speeds: N^+ of these columns, (T, k, k).
    """

    columns: NDArray[np.intp]
    to_speeds: Array

    def at(self, rows: NDArray[np.intp]) -> SpeedMaps:
        """Return the same at some moments."""
        return replace(self, to_speeds=self.to_speeds[rows])


class TurningJoints:
    """The joints of a model whose speeds are not the rates of their coordinates.

    Args:
        model: initialised.
        names: coordinates of a motion; others rest at their defaults.

    Attributes:
        columns: numbers of the motion's coordinates that belong to these joints, (k,).
        joints: their names and classes, for messages.
    """

    def __init__(self, model: osim.Model, names: list[str]) -> None:
        self._model, self._state = model, ModelSystem(model).new_state()
        self._multiply = model.getMatterSubsystem().multiplyByNInv
        table = read_coordinates(model, self._state)
        self._places = np.array([table.index(name) for name in names], dtype=np.intp)
        self._slots = table.slots[self._places]
        self._defaults = np.zeros(table.nq)
        self._defaults[table.slots] = table.defaults
        units = np.eye(len(names))
        off = self._speeds(np.linspace(0.3, 1.3, len(names)), units) != units  # at a pose where no angle is special
        self.columns = np.flatnonzero(off.any(axis=0) | off.any(axis=1))
        turning = {names[i] for i in self.columns}
        self.joints = [
            f"'{joint.getName()}' ({joint.getConcreteClassName()})"
            for joint in model.getJointSet()
            if any(joint.get_coordinates(i).getName() in turning for i in range(joint.numCoordinates()))
        ]

    @classmethod
    def of(cls, model: osim.Model, names: list[str]) -> TurningJoints | None:
        """Return the joints; None where all speeds are the rates of coordinates."""
        state = ModelSystem(model).new_state()
        found = None if state.getNQ() == state.getNU() else cls(model, names)
        return found if found is not None and len(found.columns) else None

    def speeds(self, q: Array, rates: Array, second: Array) -> tuple[Array, Array, SpeedMaps]:
        """Return speeds, their derivatives and the maps at T moments.

        Args:
            q, rates, second: values of the motion's coordinates and their two derivatives, (T, n).
        """
        columns, units = self.columns, np.eye(q.shape[1])[self.columns]
        to_speeds, turned = np.empty((len(q), len(columns), len(columns))), np.zeros((len(q), len(columns)))
        for row, pose in enumerate(q):
            to_speeds[row] = self._speeds(pose, units)[:, columns].T
            rate = rates[row, columns] @ units
            fastest = float(np.abs(rate).max())
            if fastest > 0:
                step, along = STEP * (rate / fastest), (rate / STEP)[None]
                ends = [self._speeds(pose + i * step, along) - self._speeds(pose - i * step, along) for i in (1, 2, 3)]
                turned[row] = fastest * WEIGHTS @ np.concatenate(ends)[:, columns]
        u, udot = rates.copy(), second.copy()
        u[:, columns] = np.einsum("tuq,tq->tu", to_speeds, rates[:, columns])
        udot[:, columns] = np.einsum("tuq,tq->tu", to_speeds, second[:, columns]) + turned
        return u, udot, SpeedMaps(columns, to_speeds)

    def finding(self, origin: str) -> Diagnostic:
        """Return a note that names the joints."""
        joints = f"joint{'s' * (len(self.joints) > 1)} {', '.join(self.joints)}"
        text = (
            f"speeds of {joints} are angular velocities, not the rates of coordinates; OpenSim's tool takes one for "
            "the other, so that its answer differs"
        )
        return Diagnostic("note", "speeds", origin, text)

    def _speeds(self, pose: Array, rates: Array) -> Array:
        """Return the speeds (m, n) of m sets of rates (m, n) of the motion's coordinates at a pose (n,)."""
        q, qdot = self._defaults.copy(), np.zeros((len(rates), len(self._defaults)))
        q[self._slots], qdot[:, self._slots] = pose, rates
        self._state.setQ(osim.Vector.createFromMat(q))
        self._model.realizePosition(self._state)
        return np.array([_mapped(self._multiply, self._state, each)[self._places] for each in qdot])


def _mapped(multiply: Callable[..., None], state: osim.State, x: Array) -> Array:
    out = osim.Vector()
    multiply(state, False, osim.Vector.createFromMat(x), out)
    return np.array(out.to_numpy())

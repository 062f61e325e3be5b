"""The ``CorrectionController`` of a Forward Tool setup: springs and dampers towards the setup's states."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import FileFormatError
from ..._core.opensim import osim
from ...files.forward_setup import ControllerSetup, ForwardSetup
from ...files.numbers import checked_numbers
from ...files.tables import read_table, rotations_to_radians

__all__ = ["CORRECTION", "Correction", "correction_of"]

CORRECTION = "CorrectionController"


@dataclass(frozen=True, eq=False)
class Correction:
    """Generalized forces ``-kp (q - q*) - kv (u - u*)`` on the coordinates that are free.

    OpenSim's controller, which Python does not have, puts an actuator of its own on each coordinate for them. Between
    rows of the states file q* and u* are linear; beyond its ends they stay.

    Args:
        model: the model, whose coordinates are asked whether they are free.
        coordinate_names: the coordinates, in the order of the forces.
        kp: of positions [N m/rad or N/m]. kv: of speeds [N m s/rad or N s/m].
        times: of the rows (T,) [s].
        positions: q* (T, n) [rad or m]. speeds: u* (T, n) [rad/s or m/s].
    """

    coordinate_names: tuple[str, ...]
    kp: float
    kv: float
    times: Array
    positions: Array
    speeds: Array
    model: osim.Model

    def __call__(self, state: osim.State) -> dict[str, float]:
        """Return the forces [N m or N] by coordinate at a state."""
        time, coordinates = state.getTime(), self.model.getCoordinateSet()
        forces = {}
        for i, name in enumerate(self.coordinate_names):
            coordinate = coordinates.get(name)
            if not coordinate.isConstrained(state):
                position_error = coordinate.getValue(state) - np.interp(time, self.times, self.positions[:, i])
                speed_error = coordinate.getSpeedValue(state) - np.interp(time, self.times, self.speeds[:, i])
                forces[name] = float(-self.kp * position_error - self.kv * speed_error)
        return forces


def correction_of(setup: ForwardSetup, states: Path | None, model: osim.Model) -> Correction | None:
    """Return the forces of the enabled ``CorrectionController`` of a setup, or None without one.

    Args:
        model: the model, initialised.
    """
    corrections = [item for item in setup.controllers if item.kind == CORRECTION and item.enabled]
    if not corrections:
        return None
    if len(corrections) > 1:
        raise FileFormatError(setup.file, f"has {len(corrections)} {CORRECTION}s; expected one")
    if states is None:
        raise FileFormatError(setup.file, f"{CORRECTION} '{corrections[0].name}' needs a states_file, which it follows")
    coordinates = model.getCoordinateSet()
    names = tuple(coordinates.get(i).getName() for i in range(coordinates.getSize()))
    table = read_table(states)
    labels = osim.StdVectorString([str(label) for label in table.columns])
    paths = [f"{coordinates.get(name).getAbsolutePathString()}/{kind}" for kind in ("value", "speed") for name in names]
    columns = [osim.TableUtilities.findStateLabelIndex(labels, path) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if column < 0:
            raise FileFormatError(states, f"has no column '{path}', which {CORRECTION} '{corrections[0].name}' follows")
    followed_states = table.iloc[:, columns].set_axis(paths, axis="columns")
    followed_states.attrs.update(table.attrs)
    times, values = checked_numbers(
        rotations_to_radians(followed_states, model), lambda reason: FileFormatError(states, reason), 1, " to follow"
    )
    kp, kv = (_gain(corrections[0], name) for name in ("kp", "kv"))
    return Correction(names, kp, kv, times, values[:, : len(names)], values[:, len(names) :], model)


def _gain(controller: ControllerSetup, name: str) -> float:
    """Return a gain from the controller's text: Python does not have its class."""
    return float(ElementTree.fromstring(controller.controller.dump()).findtext(name, "nan"))

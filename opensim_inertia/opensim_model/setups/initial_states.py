"""Initial states of a forward simulation, read from a file as OpenSim's Forward Tool does."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..._core.errors import FileFormatError, UnknownNameError
from ..._core.opensim import osim
from ...files.tables import check_unique, read_table, rotations_to_radians

__all__ = ["SWINGS", "InitialStates", "read_initial_states"]

#: Times in files are rounded: an initial time may lie this far outside a states file [s].
ROUNDING = 1e-6
#: With this the paths of displacements of mass that swings begin.
SWINGS = "/wobble/"
#: No coordinate or speed of a body is as large [rad, m, rad/s, m/s]; a motion's cells have the same limit.
LARGEST = 1e6


@dataclass(frozen=True)
class InitialStates:
    """The outcome of reading a file of states.

    Attributes:
        time: the time of the row that was used [s]. As the Forward Tool does, that is the last one that is not later
            than the time asked for; nothing is interpolated.
        defaults: state variables that are not in the file, and have been left as they were.
        swings: displacements of mass that swings and their rates, by path.
    """

    time: float
    defaults: tuple[str, ...]
    swings: Mapping[str, float]


def read_initial_states(
    path: str | os.PathLike[str], model: osim.Model, state: osim.State, time: float
) -> InitialStates:
    """Put states from a file into a state, as the Forward Tool does.

    A coordinate that is locked in ``state`` keeps its value. Constraints are not imposed, nor muscles brought into
    equilibrium.

    Args:
        path: a table of states (``.sto`` or ``.mot``), of OpenSim 4 (``/jointset/knee_r/knee_angle_r/value``) or older
            (``knee_angle_r``, ``knee_angle_r_u``, ``soleus_r.activation``), in radians or degrees as its header says.
        model: an initialised model.
        time: initial time [s].

    Returns:
        the time at which the state is now, the state variables that are not in the file, and what the file says of mass
        that swings, which OpenSim does not know.
    """
    table = read_table(path)
    times = table.index.to_numpy()
    if not (np.isfinite(times).all() and (np.diff(times) >= 0).all()):
        raise FileFormatError(path, "its times are not finite, or decrease")
    if not times[0] - ROUNDING <= time <= times[-1] + ROUNDING:
        raise FileFormatError(
            path, f"has states from {times[0]:.9g} to {times[-1]:.9g} s; the initial time {time:.9g} s is not in it"
        )
    names = model.getStateVariableNames()
    variables = [names.get(i) for i in range(names.getSize())]
    swinging = [label for label in table.columns if str(label).startswith(SWINGS)]
    swings, table = table[swinging], table.drop(columns=swinging)
    columns = _columns_of(path, variables, [str(label) for label in table.columns])
    row = max(int(np.searchsorted(times, time, side="right")) - 1, 0)
    doubles = np.flatnonzero(times == times[row])
    numbers = table.iloc[doubles, list(columns.values())].to_numpy(dtype=float)
    if not np.array_equal(numbers, np.broadcast_to(numbers[-1], numbers.shape), equal_nan=True):
        raise FileFormatError(
            path,
            f"has {len(doubles)} rows at {times[row]:.9g} s that differ, rows {doubles[0] + 1} to "
            f"{doubles[-1] + 1}; expected times that increase",
        )
    start = table.iloc[[row], list(columns.values())].set_axis(list(columns), axis="columns")
    start.attrs["inDegrees"] = table.attrs["inDegrees"]
    values = rotations_to_radians(start, model).iloc[0]
    for variable, value in values.items():
        if not np.isfinite(value):
            label = table.columns[columns[variable]]
            raise FileFormatError(path, f"column '{label}' is {value} at time {times[row]:.9g} s")
        if abs(value) > LARGEST and variable.endswith(("/value", "/speed")):
            label = table.columns[columns[variable]]
            reason = (
                f"column '{label}' is {value:g} at time {times[row]:.9g} s, which is no angle, place or speed of a body"
            )
            raise FileFormatError(path, reason)
    for variable, value in values.items():
        model.setStateVariableValue(state, variable, float(value))
    state.setTime(float(times[row]))
    defaults = tuple(name for name in variables if name not in columns)
    return InitialStates(float(times[row]), defaults, {str(k): float(v) for k, v in swings.iloc[row].items()})


def _columns_of(path: str | os.PathLike[str], variables: list[str], labels: list[str]) -> dict[str, int]:
    """Return state variables that a table has, each with its column, by OpenSim's rules for old and new names."""
    label_vector = osim.StdVectorString(labels)
    columns = {}
    for variable in variables:
        column = osim.TableUtilities.findStateLabelIndex(label_vector, variable)
        if column >= 0:
            columns[variable] = column
    check_unique(path, labels, [labels[column] for column in columns.values()])
    for column, label in enumerate(labels):
        if column not in columns.values():
            valid = variables if "/" in label else [_old_name(variable) for variable in variables]
            raise UnknownNameError("state variable", label, valid, f"states {path}")
    return columns


def _old_name(variable: str) -> str:
    """Return the name that a state variable had before OpenSim 4."""
    owner, kind = variable.split("/")[-2:] if "/" in variable else (variable, "value")
    return {"value": owner, "speed": f"{owner}_u"}.get(kind, f"{owner}.{kind}")

"""A model with external loads that is evaluated at moments that are known beforehand, however long the loads' data are.

For each evaluation OpenSim goes through all rows of the loads' data: a motion of 100 000 rows with a million rows of
loads would take a quarter of an hour. So the data are brought to the motion's moments, by the interpolation that
OpenSim's ``ExternalForce`` does (:meth:`~.loads.Loads.interpolated`), and cut into slices of time. The model has a set
of OpenSim's own external forces for each slice, and only those of the slice at hand act.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from .loads import Loads

__all__ = ["LoadedModel"]

LONG = 2000
"""Data with at most so many rows at the times needed go to OpenSim as they are."""
SLICE = 1000
"""Moments of a slice; with as many, neither a slice's rows nor the number of slices take much of an evaluation."""
MOST_SLICES = 200
"""Slices, at most: a model takes longer to set up than in proportion to the number of its forces."""
FEWEST = 10
"""Moments of the last slice, at least: OpenSim's splines need some rows."""


class LoadedModel:
    """A copy of an initialised model that has external loads, initialised too.

    Args:
        model: the model.
        loads: the loads.
        times: all moments (T,) at which it will be evaluated, increasing [s].

    Attributes:
        model: the copy.
        state: its state, whose time :meth:`set_time` sets.

    Raises:
        UnknownNameError: a body of the loads is not in the model.
        FileFormatError: OpenSim cannot apply the loads.
    """

    def __init__(self, model: osim.Model, loads: Loads, times: Array) -> None:
        self._starts: list[float] = []
        self._slice = 0
        if loads.rows_needed <= LONG or len(times) < FEWEST or not loads.can_be_replaced:
            self.model, self.state = loads.added_to(model)
            return
        starts = np.arange(0, max(len(times) - FEWEST, 1), max(SLICE, len(times) // MOST_SLICES))
        self._starts = times[starts].tolist()
        self.model, self.state, forces = loads.added_in_slices(model, np.split(times, starts[1:]))
        self._forces = [[force for force in group if osim.Force.appliesForce(force, self.state)] for group in forces]
        for group in self._forces[1:]:
            self._switch(group, False)

    def set_time(self, time: float) -> None:
        """Set the time of the state [s], one of those known beforehand, and let the loads of that time act."""
        self.state.setTime(time)
        place = max(bisect_right(self._starts, time) - 1, 0)
        if place != self._slice:
            self._switch(self._forces[self._slice], False)
            self._switch(self._forces[place], True)
            self._slice = place

    def _switch(self, forces: list[osim.ExternalForce], acts: bool) -> None:
        for force in forces:
            force.setAppliesForce(self.state, acts)

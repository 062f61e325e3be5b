"""A pose as sticks, and how its points move with the coordinates."""

from __future__ import annotations

import numpy as np

from ...._core.arrays import Array
from ...._core.opensim import osim
from ...._core.provenance import assumptions_caption
from ....dynamics.equations.differences import STATE_STEP
from ....model import InertialModel

__all__ = ["Scene"]

#: A segment that bears no other ends so far beyond its mass centre, relative to the distance from its joint.
BEYOND = 1.8


class Scene:
    """The segments of a model at a state, as sticks between joint centres.

    Args:
        inertial: the model.
        state: one of its states.

    Attributes:
        name: the model's.
        coordinate_names: the coordinates (nu), in speed order.
        sticks: pairs of points that a segment joins.
    """

    def __init__(self, inertial: InertialModel, state: osim.State) -> None:
        self._inertial, self._state = inertial, inertial.dynamics.copy_state(state)
        self.name = inertial.model.getName()
        self.coordinate_names = inertial.coordinate_names
        joints = list(inertial.model.getJointSet())
        self._frames = [(j.getParentFrame(), j.getChildFrame()) for j in joints]
        above = {child.findBaseFrame().getName(): i for i, (_, child) in enumerate(self._frames)}
        bearing = {parent.findBaseFrame().getName() for parent, _ in self._frames}
        self.sticks = []
        for i, (parent, _) in enumerate(self._frames):
            name = parent.findBaseFrame().getName()
            if name in above:
                self.sticks.append((above[name], i))
        last = [body for body in inertial.model.getBodySet() if body.getName() in above.keys() - bearing]
        self._ends = [(above[body.getName()], body) for body in last]
        self.sticks += [(i, len(joints) + k) for k, (i, _) in enumerate(self._ends)]

    @property
    def caption(self) -> str:
        """With which model, options and version this is drawn."""
        return assumptions_caption(self._inertial.provenance())

    def points(self) -> Array:
        """Return the places (P, 3) [m] in ground: of joints, and of the ends of segments that bear no other."""
        return self._places(self._inertial.coordinates.values(self._state))

    def moves(self, along: Array) -> Array:
        """Return how the points move (P, 3) where coordinates change along a direction (nu,)."""
        q = self._inertial.coordinates.values(self._state)
        return (self._places(q + STATE_STEP * along) - self._places(q - STATE_STEP * along)) / (2 * STATE_STEP)

    def _places(self, q: Array) -> Array:
        state, before = self._state, self._state.getQ().to_numpy().copy()
        self._inertial.coordinates.set_values(state, q)
        self._inertial.model.realizePosition(state)
        joints = [child.getPositionInGround(state).to_numpy() for _, child in self._frames]
        places = list(joints)
        for i, body in self._ends:
            centre = body.findStationLocationInGround(state, body.getMassCenter()).to_numpy()
            places.append(joints[i] + BEYOND * (centre - joints[i]))
        state.setQ(osim.Vector.createFromMat(before))
        return np.array(places)

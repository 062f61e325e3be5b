"""The same pendulum as an OpenSim model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from opensim_inertia._core.opensim import osim

from ..finite_differences import Array
from .geometry import BODIES, Geometry
from .machine import GRAVITY


def opensim_model(g: Geometry) -> osim.Model:
    """The pendulum as an OpenSim model, its muscle without force or mass; not initialised.

    Its cylinder must be on rod 1 or ground, with the muscle on its side along x.
    """
    model = osim.Model()
    model.setName("touching_pendulum")
    model.setGravity(osim.Vec3(0.0, -GRAVITY, 0.0))
    parent, at = model.getGround(), osim.Vec3(0)
    for i, name in enumerate(("shoulder", "elbow")):
        inertia = g.inertias[i]
        inertias = osim.Inertia(inertia, 0.1 * inertia, inertia)
        body = osim.Body(BODIES[i + 1], g.masses[i], osim.Vec3(*g.centres[i], 0.0), inertias)
        model.addBody(body)
        pin = osim.PinJoint("pin_" + name, parent, at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0))
        pin.updCoordinate().setName(name)
        pin.updCoordinate().setRangeMin(g.ranges[i][0])
        pin.updCoordinate().setRangeMax(g.ranges[i][1])
        pin.updCoordinate().setDefaultValue(g.start[i])
        model.addJoint(pin)
        parent, at = body, osim.Vec3(0, -g.lengths[i], 0)
    frames = [model.getGround(), model.getBodySet().get("rod1"), model.getBodySet().get("rod2")]
    wrap = osim.WrapCylinder()
    wrap.setName("wrap")
    wrap.set_radius(g.radius)
    wrap.set_length(1.0)
    wrap.set_quadrant("+x" if g.turn < 0 else "-x")  # else OpenSim takes the short way round
    wrap.set_translation(osim.Vec3(*g.centre, 0.0))
    wrap.thisown = False  # the body takes it
    frames[g.cylinder].addWrapObject(wrap)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.3, 0.3, 0.0)
    muscle.set_appliesForce(False)
    for i, (body, station) in enumerate((g.origin, g.insertion)):
        muscle.addNewPathPoint(f"muscle-P{i + 1}", frames[body], osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    return model


def mass_table(g: Geometry) -> pd.DataFrame:
    """The muscle's mass, which comes on top of the rods."""
    return pd.DataFrame([("muscle", g.muscle, "", "given")], columns=["muscle", "mass", "segment", "source"])


class LiveMachine:
    """Forward dynamics of an inertial model, OpenSim's part asked live.

    Args:
        geometry: where the motion starts.
        inertial: an ``InertialModel`` of ``opensim_model(geometry)``; speeds in the order shoulder, elbow.
    """

    def __init__(self, geometry: Geometry, inertial: Any) -> None:
        assert inertial.coordinate_names == ("shoulder", "elbow")
        self.geometry, self.inertial = geometry, inertial
        self._state = inertial.initial_state()
        self._matter = inertial.model.getMatterSubsystem()
        self._matrix = osim.Matrix()

    def _put(self, y: Array) -> Any:
        self._state.setQ(osim.Vector.createFromMat(y[:2]))
        self._state.setU(osim.Vector.createFromMat(y[2:]))
        return self._state

    def __call__(self, t: float, y: Array) -> Array:
        """dy/dt from (M + dM) udot = M udot0 + h + g_m."""
        state = self._put(y)
        self.inertial.model.realizeAcceleration(state)
        self._matter.calcM(state, self._matrix)
        rigid = self._matrix.to_numpy()
        terms = self.inertial.evaluate(state)
        force = rigid @ state.getUDot().to_numpy() + terms.bias + terms.gravity
        return np.concatenate([y[2:], np.linalg.solve(rigid + terms.mass_matrix, force)])

    def energies(self, states: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (T,) of states (T, 4), OpenSim's and the muscle's."""
        kinetic, potential = np.empty((2, len(states)))
        model = self.inertial.model
        for i, y in enumerate(states):
            state = self._put(y)
            model.realizeDynamics(state)
            terms = self.inertial.evaluate(state)
            kinetic[i] = model.calcKineticEnergy(state) + terms.kinetic_energy
            potential[i] = model.calcPotentialEnergy(state) + terms.potential_energy
        return kinetic, potential

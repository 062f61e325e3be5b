"""Contacts over the time of a simulation: forces, sliding, and the moments at which something changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...dynamics.equations.system import System
from ...opensim_model.reading.paths import PATH_LISTS
from . import replay

__all__ = ["contact_events", "contact_forces"]

#: A contact is lifted where its normal force is below this fraction of the body's weight.
LIFTED = 1e-2
#: What is said of each contact, and the unit.
COLUMNS = ("x", "y", "z", "normal", "slip")


class _Contact:
    """One sphere on one half space."""

    def __init__(self, model: osim.Model, force: Any) -> None:
        self.name, self.slipping = force.getName(), force.get_transition_velocity()
        self._force = force
        sphere = osim.ContactSphere.safeDownCast(force.getConnectee("sphere"))
        plane = osim.ContactHalfSpace.safeDownCast(force.getConnectee("half_space"))
        self._frame, self._centre, self._radius = sphere.getFrame(), sphere.get_location(), sphere.getRadius()
        self._ground, self._at = plane.getFrame(), plane.get_location()
        turn = Rotation.from_euler("XYZ", plane.get_orientation().to_numpy()).as_matrix()
        self._outward = osim.Vec3(*(-turn[:, 0]))
        labels = force.getRecordLabels()
        columns = [labels.get(i) for i in range(labels.getSize())]
        self._columns = [columns.index(f"{self.name}.Sphere.force.{axis}") for axis in "XYZ"]

    def at(self, state: osim.State) -> tuple[float, ...]:
        """Return ``COLUMNS`` at a state realized to dynamics."""
        values = self._force.getRecordValues(state)
        push = np.array([values.get(i) for i in self._columns])
        normal = self._ground.expressVectorInGround(state, self._outward).to_numpy()
        centre = self._frame.findStationLocationInGround(state, self._centre).to_numpy()
        touch = osim.Vec3(*(centre - self._radius * normal))
        ground = self._frame.getModel().getGround()
        speeds = [
            frame.findStationVelocityInGround(state, ground.findStationLocationInAnotherFrame(state, touch, frame))
            for frame in (self._frame, self._ground)
        ]
        slide = speeds[0].to_numpy() - speeds[1].to_numpy()
        return *push.tolist(), float(push @ normal), float(np.linalg.norm(slide - (slide @ normal) * normal))


def _contacts(system: System) -> list[_Contact]:
    smooth = (osim.SmoothSphereHalfSpaceForce.safeDownCast(force) for force in system.model.getForceSet())
    return [_Contact(system.model, force) for force in smooth if force is not None and force.appliesForce(system.state)]


def contact_forces(system: System, times: Array, y: Array) -> pd.DataFrame:
    """Return forces and sliding of all contacts of spheres with half spaces, at states (T, ny) at times (T,) [s]."""
    contacts = _contacts(system)
    rows = []
    for state in replay.states(system, times, y):
        with PATH_LISTS:
            system.model.realizeDynamics(state)
        rows.append([value for contact in contacts for value in contact.at(state)])
    columns = [f"{contact.name}/{what}" for contact in contacts for what in COLUMNS]
    return pd.DataFrame(rows, index=pd.Index(times, name="time", copy=True), columns=columns)


def contact_events(system: System, times: Array, y: Array) -> pd.DataFrame:
    """Return the moments at which contacts lift, land, begin to slip and stick again."""
    contacts = _contacts(system)
    if not contacts:
        raise ModelError(f"model '{system.model.getName()}' has no SmoothSphereHalfSpaceForce that acts")
    table = contact_forces(system, times, y)
    gravity = np.linalg.norm(system.model.getGravity().to_numpy())
    least = LIFTED * system.model.getTotalMass(system.state) * gravity
    rows: list[tuple[float, str, str]] = []
    for contact in contacts:
        pressed = table[f"{contact.name}/normal"].to_numpy() - least
        slides = np.where(pressed > 0, table[f"{contact.name}/slip"].to_numpy() - contact.slipping, -contact.slipping)
        for signal, up, down in ((pressed, "land", "lift"), (slides, "slip", "stick")):
            for i in np.flatnonzero((signal[1:] > 0) != (signal[:-1] > 0)):
                share = signal[i] / (signal[i] - signal[i + 1])
                when = times[i] + share * (times[i + 1] - times[i])
                rows.append((float(when), contact.name, up if signal[i + 1] > 0 else down))
    return pd.DataFrame(sorted(rows), columns=["time", "contact", "event"])

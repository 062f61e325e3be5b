"""The result of a simulation: states, files, energies, work, pictures."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.integrate import cumulative_simpson

from .._opensim import osim
from ..arrays import Array
from ..equations.system import System
from ..files import write_table
from ..inertial.mass_point_files import write_mass_points_of

#: Parts of the energy.
ENERGIES = (
    "kinetic_bones",
    "kinetic_muscles",
    "potential_bones",
    "potential_muscles",
    "elastic_muscles",
    "springs",
)


class Trajectory:
    """States of a simulation over time.

    Attributes:
        times: (T,) [s].
        y: states (T, ny): generalized coordinates, speeds, and the states of muscles and controllers.
        interrupted: whether the simulation was interrupted before its end.
        evaluations: of the right-hand side that the simulation took.
    """

    def __init__(self, system: System, times: Array, y: Array, interrupted: bool = False) -> None:
        self._system = system
        self.times, self.y = times, y
        for array in (times, y):
            array.setflags(write=False)
        self.interrupted = interrupted
        self.evaluations = system.evaluations

    def __len__(self) -> int:
        return len(self.times)

    @property
    def inertial(self) -> Any:
        """The model; with external loads or other additions, if there were any."""
        return self._system.inertial

    def states(self) -> Iterator[osim.State]:
        """The states, one after the other and realized to velocity; the same object changed in place."""
        for t, y in zip(self.times.tolist(), self.y, strict=True):
            state = self._system.place(t, y)
            self._system.model.realizeVelocity(state)
            yield state

    def final_state(self) -> osim.State:
        """The last state, to go on from."""
        return osim.State(self._system.place(float(self.times[-1]), self.y[-1]))

    # -- tables --------------------------------------------------------------------------------------------------

    def to_dataframe(self) -> pd.DataFrame:
        """All state variables: index time [s], OpenSim's paths as columns; radians and metres."""
        return self._frame(self.y[:, self._system.order], self._system.names)

    def coordinates(self) -> pd.DataFrame:
        """Coordinate values: index time [s], coordinate names as columns; what :func:`inverse_dynamics` takes."""
        table = self._frame(self.y[:, self.inertial.coordinates.slots], self.inertial.coordinate_names)
        table.attrs["inDegrees"] = False
        return table

    def speeds(self) -> pd.DataFrame:
        """Generalized speeds, as ``coordinates``."""
        start = self._system.nq
        return self._frame(self.y[:, start : start + self._system.nu], self.inertial.coordinate_names)

    def accelerations(self) -> pd.DataFrame:
        """Generalized accelerations, from the equations of motion, as ``coordinates``."""
        first = self._system.nq
        ydot = [self._system.rhs(t, y) for t, y in zip(self.times.tolist(), self.y, strict=True)]
        return self._frame(np.stack(ydot)[:, first : first + self._system.nu], self.inertial.coordinate_names)

    def energy(self) -> pd.DataFrame:
        """Energies [J], and what they are made of.

        Columns: kinetic, potential, total; kinetic_bones and kinetic_muscles (of the muscles' mass); potential_bones
        and potential_muscles (of gravity); elastic_muscles, what OpenSim says is stored in fibres and tendons that act
        (nothing in a Thelen2003Muscle's fibres); springs, the rest of OpenSim's potential energy. ``total -
        elastic_muscles`` changes by the work that muscles do on the skeleton (``work``) and by what other forces do.
        """
        model = self._system.model
        muscles = [muscle for muscle in model.getMuscles() if muscle.appliesForce(self._system.state)]
        mass, gravity = model.getTotalMass(self._system.state), model.getGravity().to_numpy().copy()
        rows = []
        for state in self.states():
            model.realizeDynamics(state)
            ours = self.inertial.evaluate(state)
            bones = -mass * float(gravity @ model.calcMassCenterPosition(state).to_numpy())
            elastic = sum(muscle.getMusclePotentialEnergy(state) for muscle in muscles)
            kinetic, potential = model.calcKineticEnergy(state), model.calcPotentialEnergy(state)
            springs = potential - bones - elastic
            rows.append((kinetic, ours.kinetic_energy, bones, ours.potential_energy, elastic, springs))
        parts = self._frame(np.array(rows), ENERGIES)
        kinetic = parts["kinetic_bones"] + parts["kinetic_muscles"]
        potential = parts[list(ENERGIES[2:])].sum(axis=1)
        sums = pd.DataFrame({"kinetic": kinetic, "potential": potential, "total": kinetic + potential})
        return pd.concat([sums, parts], axis=1)

    def work(self) -> pd.DataFrame:
        """Work done until each time [J]: by every muscle on the skeleton, and by the ``forces`` given to the
        simulation (column "forces").
        """
        muscles = list(self._system.model.getMuscles())
        power = np.zeros((len(self), len(muscles) + 1))
        for row, state in enumerate(self.states()):
            applied = self._system.drives.apply(self._system.model, state)
            self._system.model.realizeDynamics(state)
            if applied is not None:
                power[row, -1] = applied @ state.getU().to_numpy()
            for i, muscle in enumerate(muscles):
                if muscle.appliesForce(state):
                    power[row, i] = -muscle.getActuation(state) * muscle.getLengtheningSpeed(state)
        done = cumulative_simpson(power, x=self.times, axis=0, initial=0.0) if len(self) > 1 else np.zeros_like(power)
        return self._frame(done, [*(m.getName() for m in muscles), "forces"])

    # -- files and pictures --------------------------------------------------------------------------------------

    def to_sto(self, path: str | os.PathLike[str]) -> None:
        """Write the states as OpenSim does: for its GUI, ``osim.StatesTrajectory`` and tools.

        Raises:
            OutputError: the file cannot be written; nothing is left behind.
        """
        write_table(self.to_dataframe(), path, in_degrees=False, name="states")

    def to_trc(self, path: str | os.PathLike[str], muscles: Iterable[str] | None = None) -> None:
        """Write the mass points, of all muscles or of those named, as markers that OpenSim's GUI shows.

        Raises:
            UnknownNameError: a muscle has no mass. OutputError: the file cannot be written.
        """
        write_mass_points_of(self.inertial, self.states(), self.times, path, muscles)

    def plot(  # type: ignore[no-untyped-def]
        self,
        path: str | os.PathLike[str] | None = None,
        coordinates: list[str] | None = None,
        most: int = 4,
        lumped: Trajectory | None = None,
    ):
        """Draw the coordinates that move most, or ``coordinates``, and the energies.

        Args:
            path: file to write (its suffix chooses the format); None to return the figure only.
            lumped: a simulation of the same model with all mass in the segments, to draw its coordinates beside.

        Returns:
            the matplotlib figure.
        """
        from .plot import plot_trajectory

        return plot_trajectory(self, path, coordinates, most, lumped)

    def _frame(self, values: Array, columns: Any) -> pd.DataFrame:
        return pd.DataFrame(values, index=pd.Index(self.times, name="time"), columns=list(columns), copy=True)

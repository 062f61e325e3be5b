"""Results of simulations: states, files, energies, work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import warn
from ..._core.errors import InertiaError, ModelError
from ..._core.opensim import osim
from ..._core.representation import some_names
from ..._core.warnings import EnergyLeftOutWarning, PathJumpWarning
from ...dynamics.control import Control
from ...dynamics.control.system import ControlledSystem, state_paths
from ...dynamics.equations.problem import Drive, History, Problem
from ...dynamics.equations.start import Conditions, SwingingSystem, resolved
from ...dynamics.equations.swinging import Swinging
from ...dynamics.equations.system import StateLayout, System
from ...dynamics.integrators import Integrator
from ...files.tables import write_table
from ...model import InertialModel
from ...model.swings import described_wobble
from ...options.recording import Wobble, wobble_of
from ..mass_points import write_mass_points_of
from ..result import File, Result, Variable
from . import replay
from .replay import contact_events, contact_forces

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RunRecord:
    """Integrator, engine, number of evaluations, and notes of a finished simulation."""

    integrator: str  # name of the integrator; for "auto" those used, as "rk45 and bdf"
    method: Integrator  # the requested integrator with its options
    evaluations: int = 0  # evaluations of the right-hand side
    interrupted: bool = False  # whether the simulation was interrupted
    engine: str = "python"  # program that computed accelerations: "python" or "native" (OpenSim's plugin)
    notes: tuple[str, ...] = ()  # notes, such as why a loaded plugin was not used

    def provenance(self) -> dict[str, Any]:
        """Return all fields, including the integrator's options, as texts, numbers and dicts."""
        method = {"name": self.method.name} | self.method.values()
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"method": method}


class Trajectory(Result):
    """States of a simulation over time.

    A trajectory holds arrays and names. Some members also need the simulated model: ``states``, ``final_state``,
    ``accelerations``, ``energy``, ``work``, ``to_trc``, ``inertial`` and ``system``. Pickling and copying drop the
    model; :meth:`with_model` adds it again.

    Attributes:
        times: times (T,) [s].
        y: states (T, ny): generalized coordinates, speeds, and the states of muscles and controllers.
        layout: names of the state variables and their indices in y.
        conditions: locked coordinates, and active forces.
        record: integrator and engine of the simulation.
        integrator, evaluations, interrupted, engine, notes: see :class:`RunRecord`.
        history: states as the control read them, at all times; None without a control.
    """

    prefix: ClassVar[str] = "simulation_"

    def __init__(
        self,
        times: Array,
        y: Array,
        layout: StateLayout,
        conditions: Conditions,
        record: RunRecord,
        system: System | None = None,
        history: History | None = None,
        model_notes: Iterable[str] | None = None,
    ) -> None:
        self.times, self.y = times, y
        self.layout, self.conditions, self.record = layout, conditions, record
        self.integrator, self.evaluations, self.interrupted = record.integrator, record.evaluations, record.interrupted
        self.engine = record.engine
        self._system, self.history = system, history
        self._model_notes = None if model_notes is None else tuple(model_notes)
        self.__post_init__()

    @classmethod
    def of(cls, system: System, times: Array, y: Array, record: RunRecord) -> Trajectory:
        """Return the trajectory of a simulated system, given states (T, ny)."""
        conditions = Conditions.of(system.model, system.state)
        is_native = record.engine == "native"  # OpenSim's accelerations come without remarks
        noted = None if is_native else system.inertial.notes_with(system.seen)
        return cls(times, y, system.layout, conditions, record, system, system.history, noted)

    def __len__(self) -> int:
        return len(self.times)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_system": None}

    def description(self) -> Mapping[str, str]:
        """Return the time span, coordinates and integrator as text."""
        others = len(self.layout.auxiliary_states)
        return {
            "time": f"{self.times[0]:.6g} to {self.times[-1]:.6g} s" + (", interrupted" if self.interrupted else ""),
            "rows": str(len(self)),
            "coordinates": some_names(self.layout.coordinate_names),
            "state variables": f"{len(self.layout.names)}, {others} besides coordinates and speeds",
            "integrator": f"{self.integrator}, {self.evaluations} evaluations",
            "engine": self.engine,
        }

    @property
    def system(self) -> System:
        """The simulated equations of motion.

        Raises:
            ModelError: the trajectory was pickled or copied, and has no model.
        """
        if self._system is None:
            raise ModelError(
                "this trajectory has no model, because it was pickled or copied; give it the simulated model by "
                "trajectory.with_model(inertial)"
            )
        return self._system

    @property
    def model_notes(self) -> tuple[str, ...]:
        """Notes about the model and its muscles in this simulation.

        They cover all states that this package evaluated. With the engine "native" they cover the states of the
        trajectory, which are evaluated at the first use.

        Raises:
            ModelError: these states were not evaluated, and the trajectory has no model.
        """
        if self._model_notes is None:
            inertial, seen = self.inertial, self.system.seen.again()
            with suppress(InertiaError, RuntimeError):  # the simulation may have diverged
                for state in self.states():
                    inertial.evaluation.lengths(inertial.dynamics.read(state, realized=True), seen)
            seen.warn()
            self._model_notes = tuple(inertial.notes_with(seen))
        return self._model_notes

    @property
    def inertial(self) -> InertialModel:
        """The model, with any external loads or other additions. Errors: see :attr:`system`."""
        return self.system.problem.inertial

    def with_model(
        self,
        inertial: InertialModel,
        *,
        excitations: Drive | None = None,
        forces: Drive | None = None,
        external_loads: str | os.PathLike[str] | None = None,
        control: Control | None = None,
        wobble: bool | Wobble = False,
    ) -> Trajectory:
        """Return a copy of the trajectory with the simulated model, which pickling drops.

        Args:
            inertial: the model.
            excitations, forces, external_loads, control: as given to :func:`simulate`. ``work`` and ``accelerations``
                depend on these; energies and mass points do not.
            wobble: as given to :func:`simulate`.

        Raises:
            ModelError: the model, with the control, has other state variables than the trajectory.
        """
        state = inertial.initial_state()
        layout = StateLayout.read(inertial.model, state, inertial.coordinates)
        ny, swings = layout.size, wobble_of(wobble)
        if swings is not None:
            layout = layout.extended(Swinging(inertial, state, swings).paths)
        if control is not None:
            layout = layout.extended(state_paths(control))
        same = layout.names == self.layout.names and layout.coordinate_names == self.layout.coordinate_names
        if not same or layout.size != self.y.shape[1]:
            other = sorted(set(self.layout.names) ^ set(layout.names))
            hint = f", such as '{other[0]}'" if other else ""
            raise ModelError(
                f"model '{inertial.model.getName()}' has other state variables than the trajectory{hint}: expected the "
                "model that was simulated"
            )
        state.setTime(float(self.times[0]))
        state.setY(osim.Vector.createFromMat(self.y[0, :ny].copy()))
        self.conditions.put(inertial.model, state)
        end = max(float(self.times[-1]), float(np.nextafter(self.times[0], np.inf)))
        problem = resolved(Problem(inertial, state, end, excitations, forces, external_loads, False))
        system = System(problem) if swings is None else SwingingSystem(problem, swings)
        if control is not None:
            system = ControlledSystem(system, control, self.history)
        origin = self.record, system, self.history, self._model_notes
        return Trajectory(self.times, self.y, layout, self.conditions, *origin)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the run; notes on the model are :attr:`model_notes`."""
        return self.record.notes

    @cached_property
    def provenance(self) -> dict[str, Any]:  # type: ignore[override]
        """Provenance of the run and, if known, the model (see :meth:`InertialModel.provenance`)."""
        run = {"time [s]": (float(self.times[0]), float(self.times[-1]))} | self.record.provenance()
        if self._system is None:
            return {"simulation": run}
        run["rotations"] = self._system.problem.rotations
        if self._system.swings is not None:
            run["wobble"] = described_wobble(self.inertial, self._system.swings.wobble)
        return self.inertial.provenance(self.model_notes) | {"simulation": run}

    def states(self) -> Iterator[osim.State]:
        """Yield the states, realized to velocity, as one object that changes in place."""
        return replay.states(self.system, self.times, self.y)

    def final_state(self) -> osim.State:
        """Return the last state, as a start for another simulation."""
        return self.inertial.dynamics.copy_state(self.system.set_state(float(self.times[-1]), self.y[-1]))

    def final_values(self) -> Mapping[str, float]:
        """Return the last value of each state variable; keys are OpenSim's paths."""
        return dict(zip(self.layout.names, self.y[-1, self.layout.order].tolist(), strict=True))

    def to_dataframe(self) -> pd.DataFrame:
        """Return all state variables [rad, m]: index time [s], OpenSim's paths as columns."""
        return self._table(self.y[:, self.layout.order], self.layout.names)

    def coordinates(self) -> pd.DataFrame:
        """Return coordinate values, as input of :func:`inverse_dynamics`: index time [s], names as columns."""
        table = self._table(self.y[:, self.layout.coordinates.slots], self.layout.coordinate_names)
        table.attrs["inDegrees"] = False
        return table

    def speeds(self) -> pd.DataFrame:
        """Return generalized speeds: index time [s], names of coordinates as columns."""
        return self._table(self.y[:, self.layout.speeds], self.layout.coordinate_names)

    def accelerations(self) -> pd.DataFrame:
        """Return generalized accelerations: index time [s], names of coordinates as columns."""
        system, rows = self.system, zip(self.times.tolist(), self.y, strict=True)
        return self._table([system.rhs(t, y)[system.speeds] for t, y in rows], self.layout.coordinate_names)

    def displacements(self) -> pd.DataFrame:
        """Return displacements of wobbling masses in ground [m].

        The index is time [s], columns are ``name/x``, ``name/y``, ``name/z``. A belly's displacement is that of its
        middle. Without ``wobble`` the table has no columns.
        """
        swings, rows = self.system.swings, []
        for state in self.states() if swings is not None else ():
            self.system.model.realizeDynamics(state)
            rows.append(swings.displacements(state).ravel())  # type: ignore[union-attr]
        columns = [f"{name}/{axis}" for name in (swings.names if swings is not None else ()) for axis in "xyz"]
        return self._table(rows or np.zeros((len(self), 0)), columns)

    def controls(self) -> pd.DataFrame:
        """Return excitations of muscles and other actuators: index time [s], names as columns."""
        drives, model = self.system.drives, self.system.model
        return self._table([drives.controls(model, state).copy() for state in self.states()], drives.control_names)

    def variables(self) -> dict[str, Variable]:
        """Return named arrays: coordinates, speeds, and other states (under OpenSim's paths)."""
        layout, dims = self.layout, {"time": self.times, "coordinate": list(self.layout.coordinate_names)}
        others = [layout.names.index(name) for name in layout.auxiliary_states]
        of_states = {"time": self.times, "state_variable": list(layout.auxiliary_states)}
        return {
            "value": (dims, self.y[:, layout.coordinates.slots], ""),
            "speed": (dims, self.y[:, layout.speeds], "that of 'value', per second"),
            "state": (of_states, self.y[:, layout.order[others]], "OpenSim's own"),
        }

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates: "rad" or "m"."""
        return tuple(self.layout.unit(name) for name in self.layout.coordinate_names)

    def assumptions(self) -> dict[str, Any]:
        """Return the integrator and engine."""
        found = {"integrator": self.integrator, "method": repr(self.record.method)}
        return found | {"interrupted": str(self.interrupted), "engine": self.engine, "notes": " ".join(self.notes)}

    def summary(self) -> pd.DataFrame:
        """Return each coordinate's unit, and first, last, least and largest value [rad or m]."""
        table = self.coordinates()
        columns = {"unit": self.units, "first": table.iloc[0], "last": table.iloc[-1]}
        columns |= {"least": table.min(), "most": table.max()}
        return table.from_dict(columns).rename_axis("coordinate")

    def files(self) -> dict[str, File]:
        """Return the files of states and summary."""
        return {"states": ("states.sto", self.to_dataframe(), "states", {})} | super().files()

    def energy(self) -> pd.DataFrame:
        """Return the kinetic and potential energies [J], in total and by origin, over time.

        Columns: kinetic, potential, total; kinetic_bones (segments without the muscles frozen to them) and
        kinetic_muscles; potential_bones and potential_muscles (gravity); elastic_muscles, OpenSim's energy of fibres
        and tendons of enabled muscles (zero for fibres of Thelen2003Muscle); springs, the rest of OpenSim's potential
        energy. With wobble also kinetic_wobble, potential_wobble (gravity) and elastic_wobble. ``total -
        elastic_muscles`` changes by the work of muscles and dampers (``work``), of other forces, and of tension that
        stiffens displaced bellies.

        Some muscles store energy that OpenSim does not compute, such as Schutte1993Muscle_Deprecated. Their energy is
        left out with an :class:`EnergyLeftOutWarning`, see ``attrs["left out"]``. If a muscle's path jumps, energy
        jumps with its mass, with a :class:`PathJumpWarning`; ``attrs["jumps"]`` lists "time" [s], "energy" [J] and
        "muscle". Jumps are detected if the times of states are close enough, and without given generalized forces.
        """
        table = replay.energies(self.system, self.times, self.y)
        if table.attrs["left out"]:
            names = some_names(table.attrs["left out"])
            message = f"the energy stored in muscles leaves out {names}: OpenSim does not compute it for their kind"
            warn(EnergyLeftOutWarning(message))
        if jumps := table.attrs["jumps"]:
            largest = max(jumps, key=lambda jump: abs(jump["energy"]))
            warn(
                PathJumpWarning(
                    f"energy jumps with the paths of muscles {len(jumps)} time{'s' if len(jumps) > 1 else ''}, by "
                    f"{sum(jump['energy'] for jump in jumps):.3g} J in all; most by {largest['energy']:.3g} J, with "
                    f"'{largest['muscle']}' at time {largest['time']:.6g} s"
                )
            )
        return table

    def work(self) -> pd.DataFrame:
        """Return the work [J] until each time, by each muscle and by the given ``forces`` (column "forces").

        With wobble, the column "dampers" is the work of its dampers.
        """
        names, done = replay.work(self.system, self.times, self.y)
        return self._table(done, names)

    def contacts(self) -> pd.DataFrame:
        """Return forces [N] and slip [m/s] of contacts between spheres and half spaces.

        Columns for every active ``SmoothSphereHalfSpaceForce``: ``name/x``, ``name/y``, ``name/z``, the force on the
        sphere in ground; ``name/normal``, its component away from the half space; ``name/slip``.
        """
        return contact_forces(self.system, self.times, self.y)

    def contact_events(self) -> pd.DataFrame:
        """Return the times when contacts "lift", "land", "slip" and "stick": columns time [s], contact and event.

        A contact is lifted if it carries less than a hundredth of the body weight. It slips if it is not lifted and
        moves faster than its transition velocity.

        Raises:
            ModelError: there is no such contact.
        """
        return contact_events(self.system, self.times, self.y)

    def to_sto(self, path: str | os.PathLike[str]) -> None:
        """Write the states in OpenSim's format, for its GUI, ``osim.StatesTrajectory`` and tools.

        Raises:
            OutputError: the file cannot be written; no partial file remains.
        """
        write_table(self.to_dataframe(), path, in_degrees=False, name="states")

    def to_trc(self, path: str | os.PathLike[str], muscles: Iterable[str] | None = None) -> None:
        """Write the mass points of all or the given muscles as markers for OpenSim's GUI.

        Raises:
            UnknownNameError: a muscle has no mass. OutputError: the file cannot be written.
        """
        write_mass_points_of(self.inertial, self.states(), self.times, path, muscles)

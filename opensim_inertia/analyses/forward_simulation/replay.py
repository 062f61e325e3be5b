"""Energies, work, accelerations and contacts, computed from the states of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...dynamics.equations.system import System
from ...model.model import terms_at
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.paths import PATH_LISTS

if TYPE_CHECKING:
    import pandas as pd

#: Parts of the energy.
ENERGIES = ("kinetic_bones", "kinetic_muscles", "potential_bones", "potential_muscles", "elastic_muscles", "springs")

#: Parts of the energy by wobble.
SWINGING_ENERGIES = ("kinetic_wobble", "potential_wobble", "elastic_wobble")

#: Detection of energy jumps: smallest jump [J]; smallest ratio of its rate to the median rate of neighbouring steps;
#: number of neighbouring steps on either side; smallest share explained by the mass of one muscle.
LEAST_JUMP, OF_MEDIAN, NEAREST, EXPLAINED = 1e-3, 10.0, 3, 0.5


def states(system: System, times: Array, y: Array) -> Iterator[osim.State]:
    """Set one state object to each time and state y (T, ny) in turn, realize velocity, and yield the object."""
    for t, row in zip(times.tolist(), y, strict=True):
        state = system.set_state(t, row)
        system.model.realizeVelocity(state)
        yield state


def energies(system: System, times: Array, y: Array) -> pd.DataFrame:
    """Return energies [J] of states (T, ny): kinetic, potential and total; then by bones, muscles and springs."""
    import pandas as pd

    model = system.model
    muscles = [muscle for muscle in model_muscles(model).values() if muscle.appliesForce(system.state)]
    mass, gravity = model.getTotalMass(system.state), model.getGravity().to_numpy().copy()
    rows: list[list[float]] = []
    unknown: list[osim.Muscle] = []
    for state in states(system, times, y):
        with PATH_LISTS:
            model.realizeDynamics(state)
        if not rows:
            unknown = [muscle for muscle in muscles if not _knows_energy(muscle, state)]
            muscles = [muscle for muscle in muscles if muscle not in unknown]
        difference = terms_at(system.inertial, state)
        ours = terms_at(system.inertial, state, subtract_frozen=False)
        moving = difference.kinetic_energy - ours.kinetic_energy
        lying = difference.potential_energy - ours.potential_energy
        weight = -mass * float(gravity @ model.calcMassCenterPosition(state).to_numpy())
        elastic = sum(muscle.getMusclePotentialEnergy(state) for muscle in muscles)
        kinetic, potential = model.calcKineticEnergy(state), _potential_energy(model, state, unknown)
        springs = potential - weight - elastic
        row = [kinetic + moving, ours.kinetic_energy, weight + lying, ours.potential_energy, elastic, springs]
        if system.swings is not None:
            row += np.sum([(t.kinetic, t.gravity, t.elastic) for t in system.swings.terms(state)], axis=0).tolist()
        rows.append(row)
    names = [*ENERGIES, *(() if system.swings is None else SWINGING_ENERGIES)]
    parts = pd.DataFrame(np.array(rows), index=pd.Index(times, name="time", copy=True), columns=names)
    moves = [name for name in names if name.startswith("kinetic")]
    kinetic = parts[moves].sum(axis=1)
    potential = parts[[name for name in names if name not in moves]].sum(axis=1)
    sums = pd.DataFrame({"kinetic": kinetic, "potential": potential, "total": kinetic + potential})
    table = pd.concat([sums, parts], axis=1)
    table.attrs["left out"] = [muscle.getName() for muscle in unknown]
    table.attrs["jumps"] = energy_jumps(system, times, y, table["total"].to_numpy())
    return table


def energy_jumps(system: System, times: Array, y: Array, total: Array) -> list[dict[str, float | str]]:
    """Return a dict per energy jump that a jumping muscle path causes: "time" [s], "energy" [J] gained, "muscle".

    With given generalized forces none is returned, since the work of forces may be as sudden.
    """
    if not system.inertial.muscle_names or system.drives.sets_forces or not np.isfinite(total).all():
        return []
    gains, spans = np.diff(total), np.diff(times)
    rates = np.abs(np.divide(gains, spans, out=np.zeros_like(gains), where=spans > 0))
    jumps: list[dict[str, float | str]] = []
    for k in np.flatnonzero(np.abs(gains) > LEAST_JUMP).tolist():
        nearest = np.concatenate([rates[max(k - NEAREST, 0) : k], rates[k + 1 : k + 1 + NEAREST]])
        if not len(nearest) or rates[k] <= OF_MEDIAN * np.median(nearest):
            continue
        ends = y[k : k + 2].copy()
        ends[1, system.speeds] = ends[0, system.speeds]  # jumps of speeds are not jumps of paths
        sides = states(system, times[k : k + 2], ends)
        terms = (terms_at(system.inertial, state, per_muscle=True).muscles for state in sides)
        before, after = ({name: t.kinetic_energy + t.potential_energy for name, t in each.items()} for each in terms)
        by_muscle = {name: after[name] - energy for name, energy in before.items()}
        muscle = max(by_muscle, key=lambda name: abs(by_muscle[name]))
        if abs(by_muscle[muscle] - gains[k]) < (1 - EXPLAINED) * abs(gains[k]):
            jumps.append({"time": float(times[k]), "energy": float(gains[k]), "muscle": muscle})
    return jumps


def _knows_energy(muscle: osim.Muscle, state: osim.State) -> bool:
    """Return whether OpenSim computes a muscle's potential energy."""
    try:
        muscle.getMusclePotentialEnergy(state)
    except RuntimeError as error:
        if "NOT IMPLEMENTED" not in str(error):
            raise
        return False
    return True


def _potential_energy(model: osim.Model, state: osim.State, without: list[osim.Muscle]) -> float:
    """Return OpenSim's potential energy [J], excluding the muscles ``without``."""
    if without:
        state = osim.State(state)
        for muscle in without:
            muscle.setAppliesForce(state, False)
        with PATH_LISTS:
            model.realizeDynamics(state)
    return float(model.calcPotentialEnergy(state))


def work(system: System, times: Array, y: Array) -> tuple[list[str], Array]:
    """Return n names, and cumulative work (T, n) [J] by muscles, prescribed forces and dampers of wobbling masses."""
    muscles = list(model_muscles(system.model).values())
    names = [*(m.getName() for m in muscles), "forces", *(() if system.swings is None else ("dampers",))]
    power = np.zeros((len(times), len(names)))
    for row, state in enumerate(states(system, times, y)):
        applied = system.drives.apply(system.model, state)
        with PATH_LISTS:
            system.model.realizeDynamics(state)
        if applied is not None:
            power[row, len(muscles)] = applied @ state.getU().to_numpy()
        for i, muscle in enumerate(muscles):
            if muscle.appliesForce(state):
                power[row, i] = -muscle.getActuation(state) * muscle.getLengtheningSpeed(state)
        if system.swings is not None:
            power[row, -1] = -sum(terms.damping_power for terms in system.swings.terms(state))
    done = cumulative_simpson(power, x=times, axis=0, initial=0.0) if len(times) > 1 else np.zeros_like(power)
    return names, done


#: A contact is lifted if its normal force is below this share of the body weight.
LIFTED = 1e-2
#: Columns per contact: force [N], its normal component [N], and slip [m/s].
COLUMNS = ("x", "y", "z", "normal", "slip")


#: A contact's name, transition velocity [m/s], and function for ``COLUMNS`` at a state realized to dynamics.
_Contact = tuple[str, float, Callable[[osim.State], list[float]]]


def _contacts(system: System) -> list[_Contact]:
    """Return the enabled contacts, each between a sphere and a half space."""
    forces = filter(None, map(osim.SmoothSphereHalfSpaceForce.safeDownCast, system.model.getForceSet()))
    return [_contact(system.model, force) for force in forces if force.appliesForce(system.state)]


def _contact(model: osim.Model, force: Any) -> _Contact:
    sphere = osim.ContactSphere.safeDownCast(force.getConnectee("sphere"))
    plane = osim.ContactHalfSpace.safeDownCast(force.getConnectee("half_space"))
    ground, frames = model.getGround(), (sphere.getFrame(), plane.getFrame())
    centre, radius = sphere.get_location(), sphere.getRadius()
    turn = Rotation.from_euler("XYZ", plane.get_orientation().to_numpy()).as_matrix()
    outward, labels = osim.Vec3(*(-turn[:, 0])), force.getRecordLabels()
    labelled = [labels.get(i) for i in range(labels.getSize())]
    places = [labelled.index(f"{force.getName()}.Sphere.force.{axis}") for axis in "XYZ"]

    def at(state: osim.State) -> list[float]:
        values = force.getRecordValues(state)
        push = np.array([values.get(i) for i in places])
        normal = frames[1].expressVectorInGround(state, outward).to_numpy()
        touch = osim.Vec3(*(frames[0].findStationLocationInGround(state, centre).to_numpy() - radius * normal))
        stations = (ground.findStationLocationInAnotherFrame(state, touch, frame) for frame in frames)
        speeds = [f.findStationVelocityInGround(state, x).to_numpy() for f, x in zip(frames, stations, strict=True)]
        slide = speeds[0] - speeds[1]
        return [*push.tolist(), float(push @ normal), float(np.linalg.norm(slide - (slide @ normal) * normal))]

    return force.getName(), force.get_transition_velocity(), at


def contact_forces(system: System, times: Array, y: Array) -> pd.DataFrame:
    """Return forces [N] and slip speeds [m/s] of contacts at states (T, ny)."""
    import pandas as pd

    contacts, rows = _contacts(system), []
    for state in states(system, times, y):
        with PATH_LISTS:
            system.model.realizeDynamics(state)
        rows.append([value for _, _, at in contacts for value in at(state)])
    columns = [f"{name}/{what}" for name, *_ in contacts for what in COLUMNS]
    return pd.DataFrame(rows, index=pd.Index(times, name="time", copy=True), columns=columns)


def contact_events(system: System, times: Array, y: Array) -> pd.DataFrame:
    """Return the times when contacts lift, land, slip and stick."""
    import pandas as pd

    contacts = _contacts(system)
    if not contacts:
        raise ModelError(f"model '{system.model.getName()}' has no SmoothSphereHalfSpaceForce that acts")
    table = contact_forces(system, times, y)
    gravity = np.linalg.norm(system.model.getGravity().to_numpy())
    least = LIFTED * system.model.getTotalMass(system.state) * gravity
    rows: list[tuple[float, str, str]] = []
    for name, slipping, _ in contacts:
        pressed = table[f"{name}/normal"].to_numpy() - least
        slides = np.where(pressed > 0, table[f"{name}/slip"].to_numpy() - slipping, -slipping)
        for signal, up, down in ((pressed, "land", "lift"), (slides, "slip", "stick")):
            for i in np.flatnonzero((signal[1:] > 0) != (signal[:-1] > 0)):
                share = signal[i] / (signal[i] - signal[i + 1])
                when = times[i] + share * (times[i + 1] - times[i])
                rows.append((float(when), name, up if signal[i + 1] > 0 else down))
    return pd.DataFrame(sorted(rows), columns=["time", "contact", "event"])

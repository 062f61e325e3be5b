"""A pose that coordinates are given for, at rest, on the constraints."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real

import numpy as np

from ...._core.checks import warn
from ...._core.errors import Option, OptionError, SimulationError, UnknownNameError, listed
from ...._core.opensim import osim
from ...._core.warnings import InputWarning
from ....model import InertialModel
from ....model.constraints import CONSTRAINT_TOLERANCE, DEPENDENT, constraint_jacobian
from ..linearization.tangent import followers, readiness

__all__ = ["posed"]

#: Newton steps within which the constraints must be met.
STEPS = 50
#: Coordinates that were given follow the others only where nothing else can: their columns count by this much.
RELUCTANCE = 1e-6
#: A coordinate that was given may be moved by this [rad or m].
KEPT = 1e-8


def posed(inertial: InertialModel, coordinates: Mapping[str, float], state: osim.State | None) -> osim.State:
    """Return a state at rest in a pose.

    Args:
        inertial: the model.
        coordinates: values [rad or m] by name; the others are those of ``state``, moved where constraints want it.
            Locked coordinates are locked at the value given.
        state: a state of the model, which is copied; None: its default state.

    Raises:
        UnknownNameError: a coordinate is not in the model. OptionError: a value is no finite number, or an angle that
            looks like degrees; one that is beyond its range by less is warned of. SimulationError:
            the constraints cannot be met with these values.
    """
    model, table = inertial.model, inertial.coordinates
    if not isinstance(coordinates, Mapping):
        raise OptionError("coordinates", coordinates, "values by name of the coordinate")
    new = inertial.initial_state() if state is None else inertial.dynamics.copy_state(state)
    values = table.values(new)
    for name, value in coordinates.items():
        if name not in table.names:
            raise UnknownNameError("coordinate", name, table.names)
        if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
            raise OptionError(f"coordinates['{name}']", value, "a finite number [rad or m]")
        impossible, text = table.misplaced(name, float(value))
        if impossible:
            raise OptionError(f"coordinates['{name}']", value, f"an angle in radians; this is {text}")
        if text:
            warn(InputWarning(Option(f"coordinates['{name}']", value), f" is {text}"))
        values[table.index(name)] = value
    table.set_values(new, values)
    new.setU(osim.Vector(new.getNU(), 0.0))
    owned = model.getCoordinateSet()
    for name in coordinates:
        coordinate = owned.get(name)
        if coordinate.getLocked(new):  # it is locked where it was
            coordinate.setLocked(new, False)
            table.set_values(new, values)
            coordinate.setLocked(new, True)
    model.realizePosition(new)
    if new.getNQErr():
        _meet_constraints(inertial, new, [table.index(name) for name in coordinates])
        moved = table.values(new) - values
        off = [name for name in coordinates if abs(moved[table.index(name)]) > KEPT]
        if off:
            raise SimulationError(f"the constraints cannot be met with {listed(off)} as given", new.getTime())
    return new


def _meet_constraints(inertial: InertialModel, state: osim.State, posed: list[int]) -> None:
    """Move coordinates of a state onto the constraints; those in ``posed`` (indices) move last."""
    model, table = inertial.model, inertial.coordinates
    weight = readiness(inertial)
    weight[posed] = RELUCTANCE
    change = osim.Vector()
    for _ in range(STEPS):
        model.realizePosition(state)
        error = state.getQErr().to_numpy().copy()
        if np.abs(error).max() <= CONSTRAINT_TOLERANCE:
            return
        rows = constraint_jacobian(model, state)[: len(error)]
        follow = followers(rows, weight)
        step = np.zeros(len(weight))
        step[follow] = -np.linalg.lstsq(rows[:, follow], error, rcond=DEPENDENT)[0]
        model.getMatterSubsystem().multiplyByN(state, False, osim.Vector.createFromMat(step), change)
        state.setQ(osim.Vector.createFromMat(state.getQ().to_numpy() + change.to_numpy()))
    worst = [table.names[i] for i in posed] or list(table.names)
    raise SimulationError(f"the constraints cannot be met near {listed(worst)} as given", state.getTime())

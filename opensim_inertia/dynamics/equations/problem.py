"""One simulation problem: a model, where and when it starts, until when it runs, and what drives it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..._core.opensim import osim
from ...model import InertialModel
from ...model.arguments import check_state
from .drives import Drive


@dataclass(frozen=True)
class Problem:
    """A problem to be simulated; the way to do it (integrator, steps, accuracy) is not part of it.

    Attributes:
        inertial: the model.
        state: where to start, a state of ``inertial.model``, which is copied; None is the model's default state. Locks
            and forces that are switched off in it hold for the whole simulation. Coordinates and speeds that break
            constraints are moved onto them.
        t_final: the time at which the simulation ends [s].
        excitations: excitations of muscles and controls of other actuators: numbers or functions of time by name, or a
            function of the state (realized to velocity) that gives numbers by name or all of them in the order of the
            model's controls. They replace what controllers say of the actuators named.
        forces: generalized forces besides the model's own [N m or N], by coordinate name, in the same forms; arrays are
            in the order of ``inertial.coordinate_names``.
        external_loads: an external loads XML of OpenSim.
        equilibrate: whether OpenSim looks for the fibre lengths at which the muscles start in equilibrium; None: where
            no ``state`` is given.
    """

    inertial: InertialModel
    state: osim.State | None = None
    t_final: float = 1.0
    excitations: Drive | None = None
    forces: Drive | None = None
    external_loads: str | os.PathLike[str] | None = None
    equilibrate: bool | None = None

    def __post_init__(self) -> None:
        if self.state is not None:
            check_state(self.state)

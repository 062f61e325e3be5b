"""An inertial model whose accelerations OpenSim computes itself, by the plugin's component."""

from __future__ import annotations

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..reading import initialise
from .dynamics import Dynamics
from .model import InertialModel, bound_to
from .terms import AddedTerms


class NativeDynamics(Dynamics):
    """Muscles with mass in a model that has the plugin's component: its accelerations need nothing added."""

    def added_terms(self, state: osim.State) -> AddedTerms:
        """Return zeros: OpenSim has the muscles' inertia already."""
        n = len(self.coordinates.names)
        return np.zeros((n, n)), np.zeros(n)

    def accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None = None, added: AddedTerms | None = None
    ) -> Array:
        """Return OpenSim's accelerations; no ``forces`` can act besides."""
        assert forces is None, "forces besides the model's own are not for the plugin"
        return udot0


def with_plugin(inertial: InertialModel) -> InertialModel:
    """Return the same muscles, simulated by the plugin. ``.model`` has its component; what counts mass twice is wrong.

    Raises:
        PluginError: the plugin cannot be loaded. UnsupportedPathError: OpenSim leads the path of a muscle.
    """
    model = inertial.native_model()
    initialise(model)
    known = inertial.dynamics
    dynamics = NativeDynamics(known.assembly, model, strict=True, like=known.kinematics)
    return bound_to(inertial, model, dynamics)

"""An inertial model whose accelerations OpenSim computes itself, by the plugin's component."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from .._core.arrays import Array
from .._core.errors import ModelError
from .._core.opensim import osim
from ..opensim_model.reading.loading import initialise
from ..paths.kernel.remarks import MuscleRemarks
from ..paths.kernel.terms import AddedTerms
from .assembly import Assembly
from .dynamics import Dynamics
from .model import InertialModel, bound_to
from .plugin import describe, load_library, with_component


class NativeDynamics(Dynamics):
    """Muscles with mass in a model that has the plugin's component: its accelerations need nothing added."""

    def added_terms(self, state: osim.State, seen: MuscleRemarks | None = None) -> AddedTerms:
        """Return zeros: OpenSim has the muscles' inertia already."""
        n = len(self.coordinates.names)
        return np.zeros((n, n)), np.zeros(n)

    def accelerations(
        self,
        state: osim.State,
        udot0: Array,
        forces: Array | None = None,
        added: AddedTerms | None = None,
        seen: MuscleRemarks | None = None,
    ) -> Array:
        """Return OpenSim's accelerations; no ``forces`` can act besides."""
        assert forces is None, "forces besides the model's own are not for the plugin"
        return udot0


#: The last description of muscles, which holds until the component refuses the model as changed.
_DESCRIPTIONS: WeakKeyDictionary[Assembly, str] = WeakKeyDictionary()


def with_plugin(inertial: InertialModel) -> InertialModel:
    """Return the same muscles, simulated by the plugin. ``.model`` has its component; what counts mass twice is wrong.

    Raises:
        PluginError: the plugin cannot be loaded. UnsupportedPathError: OpenSim leads the path of a muscle.
    """
    load_library()
    known = inertial.dynamics
    model = _initialised(inertial.model, known)
    dynamics = NativeDynamics(known.assembly, model, strict=True, like=known.kinematics, evaluation=known.evaluation)
    return bound_to(inertial, model, dynamics)


def _initialised(model: osim.Model, known: Dynamics) -> osim.Model:
    """Return an initialised copy of a model, with the plugin's component."""
    description = _DESCRIPTIONS.get(known.assembly)
    if description is not None:
        equipped = with_component(model, description)
        try:
            initialise(equipped)
            return equipped
        except ModelError:  # what is described has been changed since
            pass
    one = known.assembly
    _DESCRIPTIONS[one] = description = describe(model, known.kinematics, one.gravity, one.muscles, one.plan)
    equipped = with_component(model, description)
    initialise(equipped)
    return equipped

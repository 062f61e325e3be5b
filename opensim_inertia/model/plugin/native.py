"""The OpenSim plugin for users: loading, self-test, and accelerations by the plugin."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from ..._core.errors import ModelError, PluginError
from ..._core.opensim import osim
from ...demo import FILES
from ...opensim_model.reading.loading import initialise
from ...options.modelling import Wrapping
from ..assembly import Assembly
from ..dynamics import Dynamics
from ..model import InertialModel, bound_to
from .library import describe, load_library, with_component

__all__ = ["load_plugin", "native_available"]


#: Latest description of muscles, valid until the component rejects the model.
_DESCRIPTIONS: WeakKeyDictionary[Assembly, str] = WeakKeyDictionary()


def with_plugin(inertial: InertialModel) -> InertialModel:
    """Return a copy of the inertial model with the plugin's component, which adds muscle mass to ``.model``.

    ``.model`` contains the plugin component; do not add muscle mass again. PluginError: the plugin cannot be loaded.
    UnsupportedPathError: a muscle uses OpenSim's own path.
    """
    load_library()
    known = inertial.dynamics
    model = _initialised(inertial.model, known)
    dynamics = Dynamics(known.assembly, model, True, known.binding.kinematics, known.evaluation, native=True)
    return bound_to(inertial, model, dynamics)


def _initialised(model: osim.Model, known: Dynamics) -> osim.Model:
    description = _DESCRIPTIONS.get(known.assembly)
    if description is not None:
        equipped = with_component(model, description)
        try:
            initialise(equipped)
            return equipped
        except ModelError:  # the model has changed since
            pass
    one = known.assembly
    _DESCRIPTIONS[one] = description = describe(model, known.binding.kinematics, one.gravity, one.muscles, one.plan)
    equipped = with_component(model, description)
    initialise(equipped)
    return equipped


#: Relative tolerance of accelerations in the self-test.
AGREEMENT = 1e-10
STATES = 3

_tested = False


def load_plugin() -> None:
    """Load the OpenSim plugin, which adds muscle inertia to OpenSim's own tools.

    Load it before reading a model written by ``InertialModel.export``. The first call compares accelerations of the
    demo model with those of :class:`InertialModel`.

    Raises:
        PluginError: the plugin was not built, is for another version of OpenSim, or fails its test.
    """
    global _tested
    if _tested:
        return
    load_library()
    error = self_test()
    if not error < AGREEMENT:
        raise PluginError(
            f"the OpenSim plugin fails its self-test with OpenSim {osim.GetVersion()}: accelerations are off by a "
            f"share of {error:.1e}; build it anew with headers of this OpenSim"
        )
    _tested = True


def native_available() -> bool:
    """Return whether the OpenSim plugin loads and passes its test."""
    try:
        load_plugin()
    except PluginError:
        return False
    return True


def self_test() -> float:
    """Return the largest relative difference of accelerations between the plugin and :class:`InertialModel`."""
    leg = osim.Model(str(FILES["model"]))
    inertial = InertialModel(leg, None, wrapping=Wrapping(plan="anew"))  # ignores the user's cache
    model = inertial.native_model()
    state = initialise(model)
    rng = np.random.default_rng(0)
    worst = 0.0
    for _ in range(STATES):
        q, u = inertial.reference + 0.2 * rng.standard_normal(state.getNQ()), rng.standard_normal(state.getNU())
        our_state = inertial.initial_state()
        for each in (state, our_state):
            each.setQ(osim.Vector.createFromMat(q))
            each.setU(osim.Vector.createFromMat(u))
        ours = inertial.udot(our_state)
        model.realizeAcceleration(state)
        worst = max(worst, float(np.abs(state.getUDot().to_numpy() - ours).max() / np.abs(ours).max()))
    return worst

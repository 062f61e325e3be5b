"""The OpenSim plugin for users: loaded, and tested on the demo's model before anything relies on it."""

from __future__ import annotations

import numpy as np

from ..._core.errors import PluginError
from ..._core.opensim import osim
from ...demo import FILES
from ...muscles.masses.estimate import estimated_masses
from ...opensim_model.reading.loading import initialise
from ...options.modelling import Wrapping
from ..model import InertialModel
from .library import load_library

__all__ = ["load_plugin", "native_available"]

#: Accelerations of the self-test agree this well, relative to the largest.
AGREEMENT = 1e-10
STATES = 3

_tested = False


def load_plugin() -> None:
    """Load the OpenSim plugin, by which OpenSim's own tools see the muscles' inertia.

    It must be loaded before a model that ``InertialModel.export`` has written is read. Accelerations of the demo's
    model are compared with those of :class:`InertialModel` first; a second call does nothing.

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
    """Return whether the OpenSim plugin can be used: it is loaded and passes its test."""
    try:
        load_plugin()
    except PluginError:
        return False
    return True


def self_test() -> float:
    """Return the largest difference between the plugin's accelerations and this package's, relative to the largest."""
    leg = osim.Model(str(FILES["model"]))
    inertial = InertialModel(leg, estimated_masses(leg), wrapping=Wrapping(plan="anew"))  # nothing in the user's cache
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

"""The notes of simulations by the plugin, which are of the states that the trajectory holds."""

import pickle

import numpy as np
import pytest
from oracles.live_states import state_at
from oracles.two_links import two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")

HELD = "became shorter than"


def test_a_simulation_by_the_plugin_notes_its_own_states() -> None:
    model = two_links([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38, fibre=0.1)
    inertial = oi.InertialModel(model, {"mus": 0.5}, "rigid_tendon")
    short = state_at(inertial, np.array([0.0, 2.4]))
    hanging = oi.simulate(oi.Problem(inertial, t_final=0.02), "rk45", progress=False, engine="native")
    folded, python = (
        oi.simulate(oi.Problem(inertial, short, 0.01), "rk45", progress=False, engine=engine)
        for engine in ("native", "python")
    )
    asked_late = pickle.loads(pickle.dumps(folded)).with_model(inertial)
    inertial.evaluate(short)
    assert hanging.engine == folded.engine == "native"
    assert hanging.model_notes == () and folded.model_notes == asked_late.model_notes == python.model_notes
    assert HELD in oi.report(folded).html and HELD not in oi.report(hanging).html and inertial.notes == []

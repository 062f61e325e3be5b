"""External loads as generalized forces, against OpenSim's own on a model that has the loads."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.demo_leg import build_leg

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics.solver import AppliedLoads
from opensim_inertia.opensim_model.reading.coordinates import read_coordinates
from opensim_inertia.opensim_model.reading.kinematics import Kinematics, stacked
from opensim_inertia.opensim_model.setups.loads import Loads

SAME = 1e-12  # Relative to the largest force: the same sums in another order
STEP = 0.01
LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>
{loads}</objects><groups /><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""
LOAD = """<ExternalForce name="{name}"><appliesForce>{acts}</appliesForce><applied_to_body>{body}</applied_to_body>
<force_expressed_in_body>{frame}</force_expressed_in_body><point_expressed_in_body>{point_frame}</point_expressed_in_body>
<force_identifier>{force}</force_identifier><point_identifier>{point}</point_identifier>
<torque_identifier>{torque}</torque_identifier></ExternalForce>"""
ALL = {"force": "force_", "point": "point_", "torque": "torque_"}
KINDS = {
    "in ground": [("calcn_r", "ground", "ground", "true", ALL)],
    "in other bodies": [("calcn_r", "tibia_r", "femur_r", "true", ALL)],
    "at the origin": [("tibia_r", "ground", "ground", "true", ALL | {"point": ""})],
    "a torque alone": [("femur_r", "tibia_r", "ground", "true", ALL | {"force": "", "point": ""})],
    "two of one name": [
        ("calcn_r", "ground", "ground", "true", ALL),
        ("tibia_r", "ground", "tibia_r", "true", ALL),
        ("ground", "ground", "ground", "true", ALL),
        ("femur_r", "ground", "ground", "false", ALL),
    ],
}


def written(folder: Path, kind: str, rows: int) -> Path:
    """Write loads with noise for data, on rows that are not evenly spaced."""
    rng = np.random.default_rng(rows)
    times = np.cumsum(rng.uniform(0.5, 1.5, rows)) * STEP
    columns = [f"{what}_{axis}" for what in ("force", "point", "torque") for axis in "xyz"]
    table = pd.DataFrame(100.0 * rng.normal(size=(rows, 9)), index=times, columns=columns)
    oi.write_table(table, folder / "grf.mot", in_degrees=False)
    each = [
        LOAD.format(name="push", body=body, frame=frame, point_frame=point_frame, acts=acts, **columns)
        for body, frame, point_frame, acts, columns in KINDS[kind]
    ]
    (folder / "loads.xml").write_text(LOADS.format(loads="\n".join(each)))
    return folder / "loads.xml"


@pytest.mark.parametrize(
    ("kind", "rows"), [(kind, 30) for kind in KINDS] + [("in other bodies", rows) for rows in (2, 3, 4, 5)]
)
def test_forces_are_those_of_a_model_that_has_the_loads(tmp_path: Path, kind: str, rows: int) -> None:
    """Also beyond the table, and of few rows, between which OpenSim leads straight lines."""
    loads = Loads(written(tmp_path, kind, rows))
    model = build_leg()
    model.initSystem()
    loaded, state = loads.added_to(model)
    first, last = loads.times[[0, -1]]
    times = np.array([first - 1.5 * STEP, first, first + 0.3 * STEP, 0.5 * (first + last), last, last + 1.1 * STEP])
    applied = AppliedLoads(loads, times)
    coordinates = read_coordinates(loaded, state)
    kinematics = Kinematics(loaded, coordinates, ["femur_r"]).also(applied.bodies)
    assert kinematics.bodies[0] == "femur_r" and {"femur_r", *applied.bodies} == set(kinematics.bodies)
    assert kinematics.also(applied.bodies) is kinematics
    solver, rng = osim.InverseDynamicsSolver(loaded), np.random.default_rng(0)
    unloaded = osim.State(state)
    for load in (osim.ExternalForce.safeDownCast(c) for c in loaded.getComponentsList()):
        if load is not None:
            load.setAppliesForce(unloaded, False)
    states, expected = [], []
    for time in times.tolist():
        q, u = rng.uniform(-0.4, 0.4, (2, state.getNU()))
        forces = []
        for each in (unloaded, state):
            each.setTime(time)
            coordinates.set_values(each, q)
            each.setU(osim.Vector.createFromMat(u))
            forces.append(solver.solve(each, osim.Vector(state.getNU(), 0.0)).to_numpy().copy())
        expected.append(forces[0] - forces[1])
        states.append(kinematics.read(state))
    all_rows = stacked(states)
    ours = applied.generalized(slice(0, len(times)), all_rows, kinematics.bodies)
    largest = np.abs(expected).max()
    assert largest > 10
    np.testing.assert_allclose(ours, expected, rtol=0, atol=SAME * max(largest, 100 * np.abs(forces).max()))
    np.testing.assert_array_equal(ours[2:4], applied.generalized(slice(2, 4), stacked(states[2:4]), kinematics.bodies))

"""External loads as generalized forces, against OpenSim's Inverse Dynamics Tool."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.demo_leg import build_leg
from oracles.trials import run_tool

import opensim_inertia as oi

SAME = 5e-9  # Relative to the largest force, which the tool writes with as many digits
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


@pytest.mark.filterwarnings("ignore::opensim_inertia.InertiaWarning")
@pytest.mark.parametrize(
    ("kind", "rows"), [(kind, 30) for kind in KINDS] + [("in other bodies", rows) for rows in (2, 3, 4, 5)]
)
def test_forces_are_those_of_opensims_tool(tmp_path: Path, kind: str, rows: int) -> None:
    """Also of few rows, between which OpenSim leads straight lines."""
    loads, model = written(tmp_path, kind, rows), build_leg()
    known = oi.read_table(tmp_path / "grf.mot").index
    times = np.linspace(known[0] - STEP, known[-1] + STEP, 41)
    state, motion = model.initSystem(), tmp_path / "motion.sto"
    columns = {
        c.getName(): c.getValue(state) + 0.2 * np.sin(5 * times + i) for i, c in enumerate(model.getCoordinateSet())
    }
    oi.write_table(pd.DataFrame(columns, index=times), motion, in_degrees=False)
    inertial = oi.InertialModel(model, {})
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, loads), implausible="warn")
    stock = run_tool(model, motion, loads, None, (times[0], times[-1]), tmp_path)
    ours, expected = (table.to_numpy()[result.answered] for table in (result.lumped, stock))
    unloaded = oi.inverse_dynamics(inertial, motion).lumped_forces[result.answered]
    assert len(ours) > 5 and np.abs(ours - unloaded).max() > 10
    np.testing.assert_allclose(ours, expected, rtol=0, atol=SAME * np.abs(expected).max())

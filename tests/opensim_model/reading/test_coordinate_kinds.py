"""Which coordinates turn bodies and which shift them, whatever motion type the model's file leads OpenSim to."""

import os
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import DATA, model_path
from oracles.trials import run_tool

import opensim_inertia as oi

COUPLED_PELVIS = "Pipelines/Gait2392_Simbody/OutputReference/subject01_simbody.osim"
COUPLED_KNEECAP = "Models/Leg6Dof9Musc/leg6dof9musc.osim"
RAJAGOPAL = "Models/Rajagopal/Rajagopal2016.osim"

STEP = 1e-4  # Coordinates are changed by this much [rad or m] ..
STILL = 1e-9  # ... and a body that turns or shifts by less than this has not moved: rounding of poses is below 1e-12.


def files() -> list[str]:
    """All models of the public repository, or those that tests name where it is absent."""
    names = {path.relative_to(DATA).as_posix() for path in DATA.rglob("*.osim")}
    named = os.environ.get("OPENSIM_MODELS")
    root = Path(named).expanduser() if named else DATA.parents[2] / "shared" / "opensim-models"
    names |= {path.relative_to(root).as_posix() for path in root.rglob("*.osim")}
    return sorted(names | {COUPLED_PELVIS, COUPLED_KNEECAP, RAJAGOPAL})


def kinds_by_differences(model: osim.Model, state: osim.State) -> dict[str, str]:
    """Of each coordinate, what its joint's frames do when it alone changes: "turns", "shifts" or "rests"."""
    rng = np.random.default_rng(5)
    kinds: dict[str, str] = {}
    for joint in model.getJointSet():
        joint_coordinates = [joint.get_coordinates(i) for i in range(joint.numCoordinates())]
        for coordinate in joint_coordinates:
            turned, shifted = [], []
            for _ in range(4):
                for moving in joint_coordinates:
                    low, high = np.clip([moving.getRangeMin(), moving.getRangeMax()], -1.0, 1.0)
                    moving.setLocked(state, False)
                    moving.setValue(state, float(rng.uniform(low, high)), False)
                before = pose(joint, model, state)
                coordinate.setValue(state, coordinate.getValue(state) + STEP, False)
                after = pose(joint, model, state)
                turned.append(np.abs(after[0] - before[0]).max())
                shifted.append(np.abs(after[1] - before[1]).max())
            kind = "turns" if max(turned) > STILL else "shifts" if max(shifted) > STILL else "rests"
            kinds[coordinate.getName()] = kind
    return kinds


def pose(joint: osim.Joint, model: osim.Model, state: osim.State) -> tuple[np.ndarray, np.ndarray]:
    """Rotation (3, 3) and origin (3,) of the joint's child frame in its parent frame."""
    model.realizePosition(state)
    transform = joint.getChildFrame().findTransformBetween(state, joint.getParentFrame())
    rotation = np.array([[transform.R().asMat33().get(i, j) for j in range(3)] for i in range(3)])
    return rotation, transform.p().to_numpy().copy()


@pytest.mark.parametrize("name", files())
def test_kinds_are_those_of_finite_differences(name: str) -> None:
    model = osim.Model(str(model_path(name)))
    state = model.initSystem()
    table = oi.InertialModel(model, {}).coordinates
    expected = kinds_by_differences(model, state)
    assert set(expected) == set(table.names)
    for i, coordinate in enumerate(table.names):
        assert table.rotational[i] == (expected[coordinate] == "turns"), coordinate
        assert table.translational[i] == (expected[coordinate] == "shifts"), coordinate


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::opensim_inertia.InertiaWarning")
def test_commands_take_a_pelvis_of_coupled_type_for_the_base() -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    path = str(model_path(COUPLED_PELVIS))
    inertial = oi.InertialModel(path, oi.estimate_masses(path))
    with pytest.raises(oi.errors.InfeasiblePostureError, match=r"N at 'pelvis_ty', .* N m at 'pelvis_tilt'"):
        oi.equilibrate(inertial, {}, hold_base=False)
    motion = str(model_path("Pipelines/Gait2392_Simbody/subject01_walk1_ik.mot"))
    loads = model_path("Pipelines/Gait2392_Simbody/subject01_walk1_grf.xml")
    result = oi.recruit(
        inertial, oi.Recording(motion, loads, cutoff=6.0, time_range=(0.5, 0.55)), actuation=oi.Actuation(free="base")
    )
    assert (result.status == "solved").all() and result.unsolved == 0


@pytest.mark.filterwarnings("ignore::opensim_inertia.InertiaWarning")
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.BrokenConstraintWarning")
@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")
def test_columns_are_named_as_by_the_tool_and_units_are_physical(tmp_path: Path) -> None:
    """The kneecap's coordinate turns it, is of the type "coupled", and the tool calls its moment a force."""
    path = model_path(COUPLED_KNEECAP)
    model = osim.Model(str(path))
    model.initSystem()
    times = np.linspace(0.0, 0.3, 13)
    motion = oi.read_table(write_motion(tmp_path / "motion.mot", times))
    tool = run_tool(model, tmp_path / "motion.mot", None, None, (0.0, 0.3), tmp_path)
    result = oi.inverse_dynamics(
        oi.InertialModel(model, oi.estimate_masses(model)), oi.Recording(motion, as_recorded=True)
    )
    assert set(result.column_names) == set(tool.columns)
    np.testing.assert_allclose(result.lumped.to_numpy(), tool[list(result.column_names)].to_numpy(), atol=1e-6)
    place = result.coordinate_names.index("knee_angle_pat_r")
    assert result.column_names[place] == "knee_angle_pat_r_force" and result.units[place] == "N m"


def write_motion(path: Path, times: np.ndarray) -> Path:
    table = pd.DataFrame({"knee_angle_r": -0.5 + 0.4 * np.sin(9 * times)}, index=times)
    oi.write_table(table, path, in_degrees=False, name="motion")
    return path

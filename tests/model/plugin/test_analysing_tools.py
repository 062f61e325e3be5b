"""What OpenSim's Induced Accelerations and RRA say of exported models, against this package's own dynamics."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import limbs, trials
from oracles.plugin import set_up_tracking, write_model

import opensim_inertia as oi
from opensim_inertia.files import read_table, write_table

#: Names under which RRA knows residuals.
RESIDUALS = {"x": "FX", "y": "FY", "z": "FZ", "rx": "MX", "ry": "MY", "rz": "MZ"}
WRITTEN = 1e-6  # Relative: OpenSim's files have eight digits
TRACKED = 0.02  # Of the largest: what the tracking leaves in a difference of two runs

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


def induced(inertial: oi.InertialModel, states: Path, folder: Path) -> dict[str, pd.Series]:
    """The accelerations of each coordinate at the first time, in total and by cause."""
    write_model(inertial.native_model(), folder / "model.osim")  # with defaults, which other models change
    osim.InducedAccelerations().printToXML(str(folder / "analysis.xml"))
    text = (folder / "analysis.xml").read_text().replace("<in_degrees>true", "<in_degrees>false")
    text = text.replace("<coordinate_names />", f"<coordinate_names> {' '.join(limbs.HINGES)}</coordinate_names>")
    (folder / "analysis.xml").write_text(text)
    analysis = osim.Analysis.safeDownCast(osim.OpenSimObject.makeObjectFromFile(str(folder / "analysis.xml")))
    analysis.setName("induced")
    trials.run_analysis(folder / "model.osim", analysis, (0.0, 0.01), "limb", states=states)
    return {name: read_table(folder / f"limb_induced_{name}.sto").iloc[0] for name in limbs.HINGES}


def test_induced_accelerations(tmp_path: Path) -> None:
    """Right in total. OpenSim switches its own gravity off for all causes but one; the weight of sliding stays."""
    inertial = oi.InertialModel(limbs.limbs(pull=True), limbs.masses())
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    state.setU(osim.Vector.createFromMat(np.array([1.0, -2.0, 1.5])))
    motion = oi.simulate(
        oi.Problem(inertial, state, 0.01, equilibrate=False), "rk45", report_step=0.005, engine="python"
    )
    write_table(motion.to_dataframe(), tmp_path / "states.sto", in_degrees=False, name="states")
    found = pd.DataFrame(induced(inertial, tmp_path / "states.sto", tmp_path))
    udot = inertial.udot(state)
    assert np.abs(found.loc["total"] - udot).max() < WRITTEN * np.abs(udot).max()

    terms = inertial.evaluate(state)
    mass_matrix = inertial.kinematics.mass_matrix(state) + terms.mass_matrix
    weight = np.linalg.solve(mass_matrix, terms.gravity)
    causes = found.drop("total")
    assert sorted(causes.index) == sorted([*limbs.MUSCLES, "gravity", "velocity"])
    excess = causes.sum() - udot
    assert np.abs(excess - (len(causes) - 1) * weight).max() < WRITTEN * np.abs(causes).to_numpy().max()
    assert np.abs(excess).max() > 0.1 * np.abs(udot).max()


def reduce_residuals(model: osim.Model, wanted: pd.DataFrame, folder: Path, adjust: bool) -> pd.Series | None:
    """The mean forces by which RRA makes a model follow a motion; None where it fails."""
    tool = osim.RRATool()
    names = {name: RESIDUALS.get(name, name) for name in wanted.columns}
    set_up_tracking(tool, model, wanted, folder, 20.0, names, 100.0)
    tool.setName("rra")
    tool.setReplaceForceSet(True)
    tool.setFinalTime(0.1)
    if adjust:
        tool.setAdjustCOMToReduceResiduals(True)
        tool.setAdjustedCOMBody("trunk")
        tool.setOutputModelFileName(str(folder / "adjusted.osim"))
    tool.printToXML(str(folder / "setup.xml"))
    done = osim.RRATool(str(folder / "setup.xml")).run()
    return read_table(folder / "rra_Actuation_force.sto").mean() if done else None


@pytest.mark.slow
def test_residual_reduction(tmp_path: Path) -> None:
    """Residuals and torques change as in inverse dynamics; a model that RRA itself changes is refused."""
    inertial = oi.InertialModel(limbs.limbs("custom"), limbs.masses())
    times = np.linspace(0.0, 0.5, 101)
    wanted = pd.DataFrame(0.0, index=pd.Index(times, name="time"), columns=list(inertial.coordinate_names))
    wanted["hip"], wanted["knee"] = 0.6 * np.sin(2 * np.pi * times) ** 2, -0.5 * np.sin(2 * np.pi * times) ** 2
    lumped = reduce_residuals(inertial.original_model(), wanted, tmp_path / "lumped", False)
    native = reduce_residuals(inertial.native_model(), wanted, tmp_path / "native", False)
    assert lumped is not None and native is not None
    known = oi.inverse_dynamics(inertial, oi.Recording(wanted, None, None, (0.0, 0.1)), band=False, per_muscle=False)
    expected = (known.inertial - known.lumped).mean().to_numpy()
    order = [RESIDUALS.get(name, name) for name in inertial.coordinate_names]
    assert np.abs((native - lumped)[order].to_numpy() - expected).max() < TRACKED * np.abs(expected).max()
    assert reduce_residuals(inertial.native_model(), wanted, tmp_path / "adjusted", True) is None

"""With what a result was made: run.json, masses.csv, headers, and warnings of one run."""

from __future__ import annotations

import hashlib
import json
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import slow_except
from oracles.real_models import original, table
from oracles.trials import gait10

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.muscles.masses import read_masses
from opensim_inertia.muscles.masses.stretches import mass_by_segment

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def swing(rows: int = 8) -> pd.DataFrame:
    times = pd.Index(np.arange(rows) * 0.05, name="time")
    angles = {"r_shoulder_elev": 0.4 * np.sin(5 * times), "r_elbow_flex": 1.2 + 0.8 * np.sin(8 * times)}
    return pd.DataFrame(angles, index=times)


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.slow
def test_run_says_with_what_it_was_made(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    result = oi.inverse_dynamics(inertial, oi.Recording(motion, loads, 6.0, (0.5, 0.6)), forces_to_exclude="muscles")
    paths = result.save(tmp_path)
    run = json.loads(paths["run"].read_text(), parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))
    assert run["versions"]["opensim_inertia"] == version("opensim_inertia")
    assert run["versions"]["opensim"] == osim.GetVersion() and run["versions"]["numpy"] == np.__version__
    assert run["options"]["strain"] == "aponeurosis"
    assert run["options"]["reference"] == "default pose"
    assert run["motion"] == {"file": motion.name, "sha256": sha(motion)}
    data = loads.parent / "subject01_walk_grf.mot"
    assert run["external loads"]["sha256"] == sha(loads)
    assert run["external loads"]["data"] == {"file": data.name, "sha256": sha(data)}
    assert run["cut-off [Hz]"] == 6.0 and run["forces excluded"] == ["muscles"]
    assert run["time range [s]"] == pytest.approx([0.5, 0.6], abs=0.01)
    assert run["muscle mass [kg]"] == pytest.approx(inertial.masses["mass"].sum(), rel=1e-12)
    unknown = {"mass_cv": 0.25, "common": 0.5, "level": 0.95, "draws": 2000, "seed": 0, "placement": True}
    places = {"aponeurosis": [0.0, 1.5], "free tendon at the origin": [0.0, 0.5], "rigid tendons": 0.1}
    assert result.band_parts is not None
    assert run["band"] == unknown | places
    assert {row["segment"] for row in run["segments"]} == set(mass_by_segment(inertial.masses)["segment"])
    file = Path(inertial.model.getInputFileName())
    assert run["model"]["file"] == file.name
    assert run["model"]["sha256 of the file"] == sha(file) != run["model"]["sha256"]
    of_file = oi.InertialModel(file, inertial.masses).provenance()["model"]
    assert of_file == {"name": run["model"]["name"], "file": file.name, "sha256": sha(file)}
    assert str(motion.parent) not in paths["run"].read_text()  # no folder of the user's


@pytest.mark.slow
def test_masses_are_read_back_as_the_same_table(opensim_models: Path, tmp_path: Path) -> None:
    inertial = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"))
    paths = oi.inverse_dynamics(inertial, swing()).save(tmp_path)
    read = read_masses(paths["masses"])
    pd.testing.assert_frame_equal(read, inertial.masses, check_dtype=False, rtol=1e-15)
    again = oi.InertialModel(original(opensim_models, "arm26"), paths["masses"])
    first, second = (oi.inverse_dynamics(m, swing()).inertial_forces for m in (inertial, again))
    np.testing.assert_allclose(second, first, rtol=0, atol=1e-12 * np.abs(first).max())


@pytest.mark.slow
def test_point_masses_and_a_reference_are_told(opensim_models: Path, tmp_path: Path) -> None:
    masses = {"BRA": oi.masses.PointMasses([0.25, 0.5], [0.1, 0.2]), "BIClong": 0.1}
    reference = {"r_elbow_flex": 0.7}
    inertial = oi.InertialModel(original(opensim_models, "arm26"), masses, reference=reference)
    paths = oi.inverse_dynamics(inertial, swing()).save(tmp_path)
    run = json.loads(paths["run"].read_text())
    assert run["point masses"] == {"BRA": {"fractions": [0.25, 0.5], "masses": [0.1, 0.2]}}
    assert run["options"]["reference"] == pytest.approx({"r_shoulder_elev": 0.0, "r_elbow_flex": 0.7})
    header = osim.TimeSeriesTable(str(paths["inertial"]))
    assert header.getTableMetaDataString("option_reference") == "given"


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_except(["inertial"], ["lumped", "inertial"]))
def test_headers_with_notes_are_read(opensim_models: Path, tmp_path: Path, kind: str) -> None:
    inertial = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"), "uniform")
    result = oi.inverse_dynamics(inertial, swing())
    path = result.save(tmp_path)[kind]
    expected = getattr(result, f"{kind}_forces")
    read = osim.TimeSeriesTable(str(path))
    assert read.getTableMetaDataString("muscle_mass") == kind
    assert read.getTableMetaDataString("option_strain") == "uniform"
    assert read.getTableMetaDataString("opensim_inertia") == version("opensim_inertia")
    np.testing.assert_array_equal(read.getMatrix().to_numpy(), expected)
    np.testing.assert_array_equal(oi.read_table(path).to_numpy(), expected)
    storage = osim.Storage(str(path))
    assert storage.getSize() == len(result.times) and storage.getColumnLabels().getSize() == 3
    values = osim.ArrayDouble()
    storage.getDataColumn("r_elbow_flex_moment", values)
    column = result.column_names.index("r_elbow_flex_moment")
    np.testing.assert_array_equal([values.get(i) for i in range(values.getSize())], expected[:, column])


def test_warnings_are_those_of_one_run(opensim_models: Path) -> None:
    """A belly that is held in one motion is told of that motion, again if it is repeated, and of no other one."""
    model = osim.Model(original(opensim_models, "arm26"))
    # Its path is 0.147 m long at the straight elbow and 0.112 m at 2 rad, its fibres 0.086 m at their optimal length.
    model.getMuscles().get("BRA").setTendonSlackLength(0.1)
    inertial = oi.InertialModel(model, {"BRA": 0.1, "BIClong": 0.1}, wrapping=oi.Wrapping(warn_wraps=False))
    times = np.arange(8) * 0.01
    bent, straight = (
        pd.DataFrame({"r_elbow_flex": angle + times, "r_shoulder_elev": 0.0 * times}, index=times)
        for angle in (2.0, 0.0)
    )
    warnings = [oi.inverse_dynamics(inertial, m).provenance["warnings"] for m in (straight, bent, straight, bent)]
    assert warnings[0] == warnings[2] == []
    assert warnings[1] == warnings[3] and "muscle 'BRA'" in warnings[1][0]
    # and what that muscle makes of the answer
    assert [text[:45] for text in warnings[1][1:]] == ["the muscle whose fibres were held (BRA) makes"]


def test_light_segments_are_told_of_every_run(opensim_models: Path) -> None:
    model = original(opensim_models, "arm26")
    inertial = oi.InertialModel(model, table(opensim_models, "arm26").assign(segment="r_humerus", mass=0.5))
    warnings = [oi.inverse_dynamics(inertial, swing()).provenance["warnings"] for _ in range(2)]
    assert warnings[0] == warnings[1]
    assert warnings[0][0].startswith("r_humerus: the model publishes 1.86 kg; muscles that lie in it weigh 3.00 kg")

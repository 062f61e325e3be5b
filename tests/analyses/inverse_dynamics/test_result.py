"""The result of inverse dynamics: its tables, its files, with what it was made, and what its notes say."""

import hashlib
import json
import pickle
import re
from importlib.metadata import version
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.real_models import WRAPPING_MODELS, arm26_swing, original, table
from oracles.trials import gait10, short_walk

import opensim_inertia as oi
from opensim_inertia import read_masses

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def test_tables_are_labelled_as_opensims_and_pickled(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    assert "pelvis_tilt_moment" in result.column_names and "pelvis_tx_force" in result.column_names
    assert result.inertial.index.name == "time"
    pd.testing.assert_frame_equal(result.difference, result.inertial - result.lumped)
    again = pickle.loads(pickle.dumps(result))
    pd.testing.assert_frame_equal(again.curves(), result.curves(), check_exact=True)
    for each in (result, again):
        for array in (each.times, each.lumped_forces, each.inertial_forces):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
    table = result.inertial
    table.iloc[0, 0] = 1e9  # a table is the user's own
    assert result.inertial.iloc[0, 0] != 1e9


def test_the_summary_is_that_of_the_tables(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    summary = result.summary()
    base = [name.startswith("pelvis_") for name in summary.index]
    assert sorted(base) == base and sum(base) == 3
    lumped, inertial = result.lumped, result.inertial
    for name, row in summary.iterrows():
        at = lumped[name].abs().idxmax()
        assert row["peak time"] == at and row["lumped peak"] == lumped.loc[at, name]
        assert row["difference at peak"] == pytest.approx((inertial - lumped).loc[at, name], abs=1e-12)
        difference = inertial[name] - lumped[name]
        assert row["difference RMS"] == pytest.approx(np.sqrt((difference**2).mean()), rel=1e-12)
        assert row["lumped RMS"] == pytest.approx(np.sqrt((lumped[name] ** 2).mean()), rel=1e-12)
        share = 100 * difference[difference.abs().idxmax()] / abs(row["lumped peak"])
        assert row["largest difference [%]"] == pytest.approx(share, rel=1e-12)
        assert row["largest difference"] == difference[difference.abs().idxmax()]
        assert row["lower at peak"] <= row["difference at peak"] <= row["upper at peak"]


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
    assert {row["segment"] for row in run["segments"]} == set(inertial.segments.index)
    file = Path(inertial.model.getInputFileName())
    assert run["model"]["file"] == file.name
    assert run["model"]["sha256 of the file"] == sha(file) != run["model"]["sha256"]
    of_file = oi.InertialModel(file, inertial.masses).provenance()["model"]
    assert of_file == {"name": run["model"]["name"], "file": file.name, "sha256": sha(file)}
    assert str(motion.parent) not in paths["run"].read_text()  # no folder of the user's


@pytest.mark.slow
def test_masses_are_read_back_as_the_same_table(opensim_models: Path, tmp_path: Path) -> None:
    inertial = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"))
    paths = oi.inverse_dynamics(inertial, arm26_swing(8)).save(tmp_path)
    read = read_masses(paths["masses"])
    pd.testing.assert_frame_equal(read, inertial.masses, check_dtype=False, rtol=1e-15)
    again = oi.InertialModel(original(opensim_models, "arm26"), paths["masses"])
    first, second = (oi.inverse_dynamics(m, arm26_swing(8)).inertial_forces for m in (inertial, again))
    np.testing.assert_allclose(second, first, rtol=0, atol=1e-12 * np.abs(first).max())


@pytest.mark.slow
def test_point_masses_and_a_reference_are_told(opensim_models: Path, tmp_path: Path) -> None:
    masses = {"BRA": oi.masses.PointMasses([0.25, 0.5], [0.1, 0.2]), "BIClong": 0.1}
    reference = {"r_elbow_flex": 0.7}
    inertial = oi.InertialModel(original(opensim_models, "arm26"), masses, reference=reference)
    paths = oi.inverse_dynamics(inertial, arm26_swing(8)).save(tmp_path)
    run = json.loads(paths["run"].read_text())
    assert run["point masses"] == {"BRA": {"fractions": [0.25, 0.5], "masses": [0.1, 0.2]}}
    assert run["options"]["reference"] == pytest.approx({"r_shoulder_elev": 0.0, "r_elbow_flex": 0.7})
    header = osim.TimeSeriesTable(str(paths["inertial"]))
    assert header.getTableMetaDataString("option_reference") == "given"


@pytest.mark.parametrize("kind", ["lumped", "inertial"])
def test_headers_with_notes_are_read(opensim_models: Path, tmp_path: Path, kind: str) -> None:
    inertial = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"), "uniform")
    result = oi.inverse_dynamics(inertial, arm26_swing(8))
    path = result.save(tmp_path)[kind]
    expected = getattr(result, f"{kind}_forces")
    read = osim.TimeSeriesTable(str(path))
    assert read.getTableMetaDataString("muscle_mass") == kind
    assert read.getTableMetaDataString("option_strain") == "uniform"
    assert read.getTableMetaDataString("opensim_inertia") == version("opensim_inertia")
    assert tuple(read.getColumnLabels()) == result.column_names
    np.testing.assert_array_equal(read.getIndependentColumn(), result.times)
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
    warnings = [oi.inverse_dynamics(inertial, arm26_swing(8)).provenance["warnings"] for _ in range(2)]
    assert warnings[0] == warnings[1]
    assert warnings[0][0].startswith("r_humerus: the model publishes 1.86 kg; muscles that lie in it weigh 3.00 kg")


def test_the_note_has_the_sum_of_their_parts_at_the_peak(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / WRAPPING_MODELS["arm26"]))
    with pytest.warns(oi.warnings.WrapDifferenceWarning):
        inertial = oi.InertialModel(model, oi.estimate_masses(model))
    named = list(inertial.wraps.different)
    assert len(named) == 2
    times = [0.01 * k for k in range(40)]
    motion = pd.DataFrame(
        {"r_shoulder_elev": [k**2 for k in times], "r_elbow_flex": [1 + k for k in times]}, index=times
    )
    result = oi.inverse_dynamics(inertial, motion, band=False)
    (note,) = (text for text in result.provenance["warnings"] if text.startswith("the 2 muscles whose paths"))
    part, total, coordinate = re.search(r"make (\S+) of the (\S+) N m by which muscles change '(\w+)'", note).groups()
    at_peak = {c: result.muscle_table(c).loc[result.summary().loc[c, "peak time"]] for c in inertial.coordinate_names}
    sums = {c: row[named].sum() for c, row in at_peak.items()}
    assert abs(sums[coordinate]) == max(map(abs, sums.values()))
    assert float(part) == pytest.approx(sums[coordinate], rel=0.06)
    assert float(total) == pytest.approx(at_peak[coordinate][list(inertial.muscle_names)].sum(), rel=0.006)
    without = oi.inverse_dynamics(inertial, motion, per_muscle=False, band=False)
    assert not [text for text in without.provenance["warnings"] if "make" in text]

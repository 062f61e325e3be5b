"""A study equals single runs bit for bit, goes on where it stopped, and its tables hold what its tasks found."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import analysed_leg

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import Uncertainty
from opensim_inertia.cli import main

for package in ("pyarrow",):
    pytest.importorskip(package)

Configured = Callable[..., dict[str, Any]]
KINDS = ("lumped", "inertial")
SETUP = """<OpenSimDocument Version="40000"><InverseDynamicsTool><model_file>{model}</model_file>
<coordinates_file>{motion}</coordinates_file><forces_to_exclude>Muscles</forces_to_exclude></InverseDynamicsTool>
</OpenSimDocument>"""


def single_run(cohort: Path, trial: str, cutoff: float | None, place: float | None, **options: Any) -> Any:
    """Inverse dynamics of a trial as a user computes it, with a model of its own."""
    subject, condition = trial.split("_", 1)
    folder = cohort / subject
    model = oi.InertialModel(folder / "leg.osim", folder / "masses.csv", **options)
    if place is not None:
        own = {"masses": model.masses} if model.options.strain_model.kind == "aponeurosis" else {}
        model = model.rebuilt(dict.fromkeys(model.muscle_names, place), **own)
    setup = oi.files.read_inverse_dynamics_setup(folder / f"setup_{condition}.xml")
    return oi.inverse_dynamics(
        model,
        oi.Recording(setup.coordinates_file, cutoff=cutoff, time_range=setup.time_range),
        band=Uncertainty(draws=128),
    )


def contents(folder: Path) -> dict[str, bytes]:
    """What the files of a folder hold, by their names."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_task_is_a_single_run_bit_for_bit(configured: Configured, cohort: Path) -> None:
    grid = {"strain": ["aponeurosis", "uniform"], "placement": ["given", 0.5, "proximal"], "cutoff": ["setup", 12]}
    result = oi.study(configured(grid=grid, trial=configured()["trial"][1:]))
    assert (len(result.tasks), result.computed, result.failed) == (24, 24, ())
    curves, peaks = result.curves(), result.peaks()
    for trial, strain, place, cutoff in (
        ("S2_slow_1", "aponeurosis", "given", None),
        ("S2_fast_1", "uniform", "proximal", 12.0),
        ("S2_fast_1", "aponeurosis", "0.5", 12.0),
    ):
        alone = single_run(cohort, trial, cutoff, {"given": None, "proximal": 0.0, "0.5": 0.5}[place], strain=strain)
        chosen = {"trial": trial, "strain": strain, "placement": place}

        def mine(table: pd.DataFrame, chosen: dict[str, str] = chosen, cutoff: float | None = cutoff) -> pd.DataFrame:
            kept = table["cutoff"].isna() if cutoff is None else table["cutoff"] == cutoff
            for name, value in chosen.items():
                kept &= table[name] == value
            return table[kept]

        for name, rows in mine(curves).groupby("name", observed=True):
            i = alone.coordinate_names.index(name)
            assert np.array_equal(rows["time"], alone.times)
            for kind in KINDS:
                assert np.array_equal(rows[kind], getattr(alone, f"{kind}_forces")[:, i])
            ends = [alone.lumped_forces[:, i] + end for end in alone.difference_band(name)]
            assert np.array_equal(rows[["lower", "upper"]], np.transpose(ends))
        summary = alone.summary().drop(columns="unit")
        own = mine(peaks).set_index("name")
        assert np.array_equal(own[list(summary.columns)], summary)
        assert list(own.index) == list(summary.index) and set(own["unit"]) == {"N", "N m"}


def test_what_is_lost_or_new_is_computed_and_nothing_else(configured: Configured) -> None:
    first = oi.study(configured())
    before = contents(first.folder)
    assert (first.computed, oi.study(configured()).computed) == (16, 0)
    assert contents(first.folder) == before
    assert before.keys() >= {"curves.parquet", "peaks.parquet", "mean_curves.parquet", "failures.csv", "index.html"}
    assert sum(name.startswith("tasks") for name in before) == 16
    lost = sorted(first.folder.glob("tasks/*/*.npz"))[3]
    lost.unlink()
    assert oi.study(configured()).computed == 1
    assert contents(first.folder) == before
    more = oi.study(configured(grid={"strain": ["aponeurosis", "uniform"], "cutoff": ["setup", 12, 6]}))
    assert (more.computed, len(more.tasks)) == (8, 24)


def test_what_an_input_holds_counts_and_not_its_name(configured: Configured, cohort: Path, tmp_path: Path) -> None:
    copy = tmp_path / "renamed"
    copy.mkdir()
    for name in ("leg.osim", "slow_1.mot", "setup_slow_1.xml"):
        (copy / name).write_bytes((cohort / "S1" / name).read_bytes())
    masses = (cohort / "S1" / "masses.csv").read_text()
    (copy / "other.csv").write_text(masses, newline="\n")
    oi.study(configured(grid={}))
    trial = {"setup": str(copy / "setup_slow_1.xml"), "id": "copy", "masses": str(copy / "other.csv")}
    trials = [*configured()["trial"], trial]
    assert oi.study(configured(grid={}, trial=trials)).computed == 0
    (copy / "other.csv").write_text(masses.replace("0.", "0.1", 1))
    assert oi.study(configured(grid={}, trial=trials)).computed == 1


def test_a_task_that_fails_is_a_row_and_the_study_goes_on(configured: Configured, cohort: Path, tmp_path: Path) -> None:
    folder = cohort / "S1"
    setup = (folder / "setup_slow_1.xml").read_text().replace("leg.osim", f"{folder}/leg.osim")
    (tmp_path / "lost.xml").write_text(setup)
    table = pd.read_csv(folder / "masses.csv").assign(mass=-2.0)
    table.to_csv(tmp_path / "negative.csv", index=False)
    trials = [
        *configured()["trial"],
        {"setup": str(tmp_path / "lost.xml"), "id": "without a motion"},
        {"setup": str(folder / "setup_slow_1.xml"), "id": "negative", "masses": str(tmp_path / "negative.csv")},
    ]
    with pytest.warns(
        oi.warnings.FailedTasksWarning, match=r"8 of 24 tasks failed: trial 'without a motion'.*slow_1\.mot"
    ):
        result = oi.study(configured(trial=trials))
    assert len(result.tasks) == 16
    failures = result.failures()
    assert failures.groupby("trial").size().to_dict() == {"without a motion": 4, "negative": 4}
    told = failures.set_index("trial")["message"]
    assert told["negative"].str.contains("-2").all()
    assert set(failures.set_index("trial")["error"]["negative"]) == {"MassError"}
    assert set(result.curves()["trial"]) == {"S1_slow_1", "S1_fast_1", "S2_slow_1", "S2_fast_1"}
    assert "negative" in result.index.read_text() and "MassError" in result.index.read_text()


def test_mean_curves_are_means_over_trials_then_subjects(configured: Configured, cohort: Path) -> None:
    events = pd.read_csv(cohort / "events.csv").set_index("trial")
    trials = [trial | {"condition": "both"} for trial in configured()["trial"]]
    curves = {"axis": "cycle", "points": 41, "events": str(cohort / "events.csv")}
    result = oi.study(configured(grid={}, trial=trials, curves=curves))
    means = result.mean_curves()
    means = means[means["name"] == "ankle_angle_r"]
    assert (set(means["subjects"]), set(means["trials"]), set(means["condition"])) == ({2}, {4}, {"both"})
    assert np.array_equal(means["percent"], np.linspace(0, 100, 41))
    every = result.curves()
    every = every[every["name"] == "ankle_angle_r"]
    for column in ("lumped", "inertial", "lower", "upper"):
        by_subject: dict[str, list[Any]] = {"S1": [], "S2": []}
        for trial, rows in every.groupby("trial", observed=True):
            at = np.linspace(events.loc[trial, "start"], events.loc[trial, "end"], 41)
            by_subject[trial[:2]].append(np.interp(at, rows["time"], rows[column]))
        each = np.array([np.mean(found, axis=0) for found in by_subject.values()])
        np.testing.assert_allclose(means[column], each.mean(axis=0), rtol=1e-12, atol=1e-12)
        if column in ("lumped", "inertial"):
            np.testing.assert_allclose(means[f"sd {column}"], each.std(axis=0, ddof=1), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(means["difference"], means["inertial"] - means["lumped"], rtol=0, atol=1e-12)
    one = every[every["trial"] == "S2_slow_1"]
    start, end = events.loc["S2_slow_1"]
    np.testing.assert_allclose(one["percent"], 100 * (one["time"] - start) / (end - start), atol=1e-9)


def test_means_over_many_subjects_are_those_of_their_curves(configured: Configured, cohort: Path) -> None:
    """Several parts of tables are joined; copies of a trial have one result."""
    trials = [
        {"setup": f"{cohort}/S{n}/setup_{speed}_1.xml", "masses": f"{cohort}/S{n}/masses.csv", "condition": "all"}
        for n, speed in ((1, "slow"), (2, "slow"), (1, "fast"))
    ]
    copies = [trials[i % 7 % 3] | {"id": f"trial {i}", "subject": f"subject {i // 2}"} for i in range(230)]
    result = oi.study(configured(grid={}, trial=copies, curves={"axis": "time", "points": 21}))
    assert len(result.tasks) == 230 and len(list(result.folder.glob("tasks/*/*.npz"))) == result.computed == 3
    means, curves = result.mean_curves(), result.curves()
    mean = means[means["name"] == "knee_angle_r"]
    assert (set(mean["subjects"]), set(mean["trials"])) == ({115}, {230})
    knees = curves[curves["name"] == "knee_angle_r"].groupby(["subject", "trial"], observed=True)
    each = knees.apply(lambda rows: pd.Series(np.interp(mean["time"], rows["time"], rows["inertial"])))
    of_subjects = each.groupby("subject", observed=True).mean()
    np.testing.assert_allclose(mean["inertial"], of_subjects.mean(), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(mean["sd inertial"], of_subjects.std(), rtol=1e-9, atol=1e-9)


def test_xarray_has_every_curve_at_its_place(configured: Configured) -> None:
    pytest.importorskip("xarray")
    result = oi.study(configured())
    view = result.to_xarray(points=21)
    assert dict(view.sizes) == {
        **{"trial": 4, "strain": 2, "placement": 1, "wrapping": 1, "cutoff": 2},
        **{"name": 11, "percent": 21},
    }
    one = view.sel(trial="S2_slow_1", strain="uniform", cutoff="12", name="knee_angle_r").squeeze()
    rows = result.curves().query("trial == 'S2_slow_1' and strain == 'uniform' and cutoff == 12")
    rows = rows[rows["name"] == "knee_angle_r"]
    np.testing.assert_allclose(one["inertial"], np.interp(one["time"], rows["time"], rows["inertial"]), rtol=1e-12)
    assert view["condition"].sel(trial="S1_fast_1") == "fast_1"
    with pytest.raises(oi.errors.UnknownNameError, match="'activations'; did you mean|unknown quantity 'activations'"):
        result.to_xarray("activations")


STATIC = """<OpenSimDocument Version="40000"><AnalyzeTool name="swing"><model_file>leg.osim</model_file>
<results_directory>.</results_directory><coordinates_file>slow_1.mot</coordinates_file>
<initial_time>0.1</initial_time><final_time>0.4</final_time><AnalysisSet><objects><StaticOptimization>
<on>true</on><step_interval>4</step_interval></StaticOptimization></objects></AnalysisSet></AnalyzeTool>
</OpenSimDocument>"""


def test_recruitment_is_a_single_run_too(configured: Configured, cohort: Path, tmp_path: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    folder = tmp_path / "subject"
    folder.mkdir()
    for name in ("leg.osim", "slow_1.mot", "masses.csv"):
        (folder / name).write_bytes((cohort / "S1" / name).read_bytes())
    (folder / "static.xml").write_text(STATIC)
    trial = {"setup": str(folder / "static.xml"), "id": "so", "masses": str(folder / "masses.csv")}
    options = {"reserves": 100.0, "joints": ["ankle_r"]}
    trials = [trial, configured()["trial"][0]]
    result = oi.study(configured(trial=trials, grid={"strain": "uniform"}, recruitment=options))
    assert len(result.tasks) == 3
    curves = result.curves()
    curves = curves[curves["trial"] == "so"]
    alone = oi.recruit(
        oi.InertialModel(folder / "leg.osim", folder / "masses.csv", strain="uniform"),
        oi.Recording(folder / "slow_1.mot", time_range=(0.1, 0.4), accelerations="speeds"),
        kind=["inertial", "lumped"],
        actuation=oi.Actuation(reserves=100.0),
        outputs=oi.options.RecruitmentOutputs(joints=["ankle_r"], every=4),
    )
    for kind in ("inertial", "lumped"):
        wide = curves[curves["quantity"] == "activation"].pivot(index="time", columns="name", values=kind)
        table = alone.of(kind).activations
        assert np.array_equal(wide[list(table.columns)], table)
        moment = curves[curves["name"] == "ankle_r mz"].set_index("time")[kind]
        assert np.array_equal(moment, alone.of(kind).reaction("ankle_r")["mz"])
    peaks = result.peaks().query("trial == 'so' and quantity == 'activation'").set_index("name")
    change = alone.summary()["largest change of control"][list(alone.muscles)]
    assert np.array_equal(peaks["largest difference"], change)
    assert set(result.to_xarray("force")["name"].to_numpy()) == set(alone.muscles)


def test_tables_of_before_are_not_taken_for_those_of_now(configured: Configured, cohort: Path) -> None:
    trial = {"setup": f"{cohort}/S1/setup_slow_1.xml", "id": "one", "masses": f"{cohort}/S1/masses.csv"}
    first = oi.study(configured(trial=[trial], grid={}))
    (first.folder / ".curves.0123456789ab.parquet").touch()
    oi.study(configured(trial=[trial], grid={}, uncertainty={"draws": 256}))
    assert not (first.folder / ".curves.0123456789ab.parquet").exists()
    with pytest.warns(oi.warnings.FailedTasksWarning, match="1 of 1 tasks failed"):
        none = oi.study(configured(trial=[trial], grid={}, masses={"muscles": "nobody"}))
    assert (none.tasks, list(none.folder.glob("*.parquet"))) == ((), [])
    assert "UnknownNameError" in set(none.failures()["error"])


def test_what_was_assumed_is_with_every_result(configured: Configured) -> None:
    result = oi.study(configured(grid={"strain": "uniform", "placement": "central"}))
    provenance = result.of(result.tasks[0]).provenance
    assert provenance["options"]["strain"] == "uniform" and provenance["share at the origin"] == 0.5
    assert provenance["versions"]["opensim_inertia"] == oi.__version__ and len(provenance["motion"]["sha256"]) == 64
    assert [row["muscle"] for row in provenance["masses"]] and provenance["mass options"]["table"] == "masses.csv"
    for table in (result.curves(), result.peaks(), result.mean_curves()):
        assert table.attrs["provenance"]["opensim_inertia"] == oi.__version__
        assert table.attrs["provenance"]["grid"]["placement"] == ["central"]
    assert set(result.peaks()["opensim_inertia"]) == {oi.__version__}


@pytest.mark.slow
def test_pages_link_what_is_there(configured: Configured, cohort: Path) -> None:
    trial = {"setup": f"{cohort}/S1/setup_slow_1.xml", "id": "one", "masses": f"{cohort}/S1/masses.csv"}
    output = {"reports": "trials", "pictures": True}
    result = oi.study(configured(trial=[trial], grid={"cutoff": [6, 12]}, output=output))
    page = result.index.read_text()
    links = [part.split('"')[0] for mark in ('href="', 'src="') for part in page.split(mark)[1:]]
    assert len([link for link in links if link.startswith("reports/")]) == 1
    assert {"curves.parquet", "peaks.parquet", "failures.csv", "mean_curves_1.png"} <= set(links)
    for link in links:
        assert (result.folder / link).is_file(), link
    assert "What was assumed" in page and '<th scope="row">uncertainty, mass_cv</th><td>0.25</td>' in page


@pytest.mark.slow
def test_names_of_files_suit_every_system(configured: Configured, cohort: Path) -> None:
    trial = {"setup": f"{cohort}/S1/setup_slow_1.xml", "id": 'CON: a/b "c"? *', "masses": f"{cohort}/S1/masses.csv"}
    result = oi.study(configured(grid={}, trial=[trial], output={"reports": "tasks", "pictures": False}))
    assert set(result.curves()["trial"]) == {'CON: a/b "c"? *'}
    for path in result.folder.rglob("*"):
        assert not set(path.name) & set('<>:"|?*\\') and path.name.split(".")[0].upper() != "CON"
    assert json.loads((result.folder / "study.json").read_text())["trials"] == ['CON: a/b "c"? *']


@pytest.mark.parametrize(("pattern", "speed"), [("S?/setup_*.xml", 2), ("s?/[R-T]ETUP_*.XML", 3)])
def test_wildcards_are_found_in_folders_of_any_name(cohort: Path, tmp_path: Path, pattern: str, speed: int) -> None:
    """And files in either case, where the study's folder has its name in either case."""
    folder, in_capitals = tmp_path / "a [1] study", tmp_path / "A [1] STUDY"
    folder.mkdir()
    shutil.copytree(cohort / "S1", folder / "S1")
    text = f'[[trial]]\nsetup = "{pattern}"\nid = "{{{speed}}} of {{1}}, {{stem}}, {{folder}}"\n'
    (folder / "study.toml").write_text(text + '[output]\nreports = "none"\npictures = false\n')
    if pattern[0] == "s" and not in_capitals.exists():
        with pytest.raises(oi.errors.StudyError, match="no setup file matches"):
            oi.study(folder / "study.toml")
        in_capitals.symlink_to(folder)
    result = oi.study(folder / "study.toml", cluster={"workers": 0})
    assert result.folder == folder / "study_results"
    assert {task.trial.id for task in result.tasks} == {
        f"{each}_1 of 1, setup_{each}_1, S1" for each in ("slow", "fast")
    }


@pytest.mark.filterwarnings("ignore:.*is taken, which has its name:opensim_inertia.warnings.InputWarning")
@pytest.mark.parametrize("has_setups", [True, False])
def test_trials_of_folders_are_those_of_their_files(
    configured: Configured, cohort: Path, tmp_path: Path, has_setups: bool
) -> None:
    """As AddBiomechanics, or OpenCap, writes them; the answer is that of a setup with the same model and motion."""
    setup = oi.files.read_inverse_dynamics_setup(sorted((cohort / "S1").glob("setup_*.xml"))[0])
    assert setup.model_file is not None and setup.coordinates_file is not None
    folder = tmp_path / "exports" / "S1"
    for name in ("Models", "IK", "ID"):
        (folder / name).mkdir(parents=True)
    shutil.copy(setup.model_file, folder / "Models" / "final.osim")
    for trial in ("swing", "kick"):
        shutil.copy(setup.coordinates_file, folder / "IK" / f"{trial}_ik.mot")
        text = SETUP.format(model="Models/final.osim", motion=f"../IK/{trial}_ik.mot")
        if has_setups:
            (folder / "ID" / f"{trial}_id_setup.xml").write_text(text)
    alone = tmp_path / "setup.xml"
    alone.write_text(SETUP.format(model=setup.model_file, motion=setup.coordinates_file))
    sections = {"grid": {"cutoff": ["none"]}}
    pattern = f"{tmp_path}/exports/*" if has_setups else str(folder)
    names = {"subject": "{1}"} if has_setups else {"trials": ["swing", "kick"]}
    studied = oi.study(configured(trial=[{"setup": pattern} | names], **sections))
    assert sorted(task.trial.id for task in studied.tasks) == ["S1_kick", "S1_swing"] and not studied.failed
    expected = oi.study(configured(trial=[{"setup": str(alone)}], out=str(tmp_path / "alone"), **sections)).curves()
    curves = studied.curves()
    for name in ("S1_kick", "S1_swing"):
        np.testing.assert_array_equal(curves[curves["trial"] == name]["inertial"], expected["inertial"])


def test_states_of_a_setup_are_its_motion(configured: Configured, tmp_path: Path) -> None:
    """The study's activations are those of the command, which the Analyze Tool's own hold in its tests."""
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    setup = analysed_leg.write_setup(
        tmp_path, coordinates_file="none.sto", states_file="s.sto", lowpass_cutoff_frequency_for_coordinates="6"
    )
    oi.write_table(analysed_leg.states(1.1), tmp_path / "s.sto", in_degrees=False)
    assert main(["recruit", str(setup), "--out", str(tmp_path / "alone"), "--kind", "lumped"]) == 0
    alone = oi.read_table(tmp_path / "alone" / "leg_StaticOptimization_activation.sto")
    result = oi.study(configured(trial=[{"setup": str(setup), "id": "states"}], grid={}))
    curves = result.curves().query("quantity == 'activation'")
    wide = curves.pivot(index="time", columns="name", values="lumped")
    assert np.array_equal(wide, alone[list(wide.columns)])

"""``opensim-inertia study``: what it writes and says, and what it refuses, by name."""

import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import opensim as osim
import pytest

import opensim_inertia as oi
from opensim_inertia.cli import main

for package in ("distributed", "pyarrow"):
    pytest.importorskip(package)

TRIALS = '[[trial]]\nsetup = "S1/setup_*.xml"\nid = "{1}"\nmasses = "S1/masses.csv"\n'
REST = '[cluster]\nworkers = 0\n[output]\nreports = "none"\npictures = false\n[uncertainty]\ndraws = 100\n'
Run = Callable[..., str]


@pytest.fixture
def study(cohort: Path, tmp_path: Path) -> Callable[..., Path]:
    """Write ``study.toml`` beside copies of the cohort's subjects."""
    for folder in cohort.iterdir():
        if folder.is_dir():
            shutil.copytree(folder, tmp_path / folder.name)

    def write(text: str = TRIALS + REST) -> Path:
        path = tmp_path / "study.toml"
        path.write_text(text)
        return path

    return write


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str], study: Callable[..., Path]) -> Run:
    """The one line that the command says when it refuses a text, with options; nothing is left behind."""

    def run(text: str, *options: str) -> str:
        file = study(text)
        before = sorted(os.listdir(file.parent))
        assert main(["study", str(file), *options]) == 2
        said = capfd.readouterr().err
        assert said.startswith("opensim-inertia: error: ") and said.count("\n") == 1
        assert sorted(os.listdir(file.parent)) == before
        return said

    return run


def test_results_and_where_they_are(study: Callable[..., Path], capfd: pytest.CaptureFixture[str]) -> None:
    file = study()
    assert main(["study", str(file)]) == 0
    said = capfd.readouterr()
    assert said.out.startswith("Muscle inertia changes joint moments by at most ") and said.err == ""
    assert "2 tasks of 2 trials have results\n" in said.out
    names = re.findall(r"(\S+\.(?:parquet|csv|html))", said.out)
    assert {Path(name).name for name in names} == {
        *("index.html", "curves.parquet", "peaks.parquet", "mean_curves.parquet", "contrasts.parquet", "failures.csv")
    }
    assert all((file.parent / "study_results" / Path(name).name).is_file() for name in names)
    assert main(["study", str(file), "--workers", "0"]) == 0
    assert "2 tasks of 2 trials have results, all from before\n" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TRIALS + "[grids]\n", "unknown key 'grids' in study.toml; did you mean 'grid'?"),
        (TRIALS + '[grid]\nstrian = "uniform"\n', "unknown key 'strian' in study.toml, [grid]; did you mean 'strain'"),
        (TRIALS + 'conditon = "a"\n', "unknown key 'conditon' in study.toml, [[trial]] number 1; did you mean 'condit"),
        (TRIALS + '[grid]\nstrain = ["unifrom"]\n', "study.toml, [grid], strain is 'unifrom'; did you mean 'uniform'?"),
        (TRIALS + "[grid]\ncutoff = [6, 6]\n", "study.toml, [grid], cutoff has 6.0 twice"),
        (TRIALS + "events = [0.5, 0.1]\n", "events is [0.5, 0.1]; expected two times in seconds"),
        (TRIALS + '[masses]\nmethod = "handsfield"\n', "method has no effect here: masses is given"),
        (
            TRIALS.replace("masses", "# masses") + '[masses]\nmethod = "handsfield"\n',
            "needs height, the person's height",
        ),
        (
            TRIALS.replace("masses", "# masses") + '[masses]\nspecific_tension = "0.6 Pa"\n',
            "specific_tension is '0.6 Pa'; expected a stress from 0.01 to 10 MPa",
        ),
        (TRIALS.replace("masses", "# masses") + "[masses]\nheight = 1.8\n", "height has no effect here: it needs"),
        (TRIALS.replace("S1/", "S9/"), "no setup file matches 'S9/setup_*.xml' in "),
        (TRIALS.replace("setup_*", "setup_x"), "setup file of study.toml, [[trial]] number 1 does not exist"),
        (TRIALS.replace("masses.csv", "masse.csv"), "mass table of study.toml, [[trial]] number 1 does not exist"),
        (TRIALS.replace('"{1}"', '"one"'), "a trial called 'one' is there already"),
        (TRIALS.replace("{1}", "{2}"), "unknown field '{2}' in study.toml, [[trial]] number 1; did you mean '{1}'"),
        (
            TRIALS + 'trials = ["walk"]\n',
            f"[[trial]] number 1, trials has no effect here: '{Path('S1/setup_fast_1.xml')}' is no folder",
        ),
        (
            TRIALS + '[cluster]\nscheduler = "tcp://a:1"\nworkers = 2\n',
            "workers has no effect where scheduler is given",
        ),
        ("[grid]\n", "study.toml, [[trial]] is missing"),
        ("[[trial]\n", "is not a TOML file: "),
    ],
)
def test_what_is_wrong_with_a_file_is_named(refused: Run, text: str, told: str) -> None:
    assert told in refused(text)


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"options": {"implausible": "believe"}}, "[options], implausible is 'believe'; expected one of"),
        ({"options": {"wobble": True, "wobble_frequency": 0.0}}, "wobble_frequency is 0.0; expected a number above 0"),
        ({"options": {"wobble_damping": 0.4}}, "wobble_damping is 0.4; expected only where wobble is true"),
        ({"options": {"wobble": True, "wobble_tension": 50.0}}, "unknown key 'wobble_tension' in study, [options]"),
        ({"options": {"points": 0}}, "[options], points is 0; expected a whole number from 1"),
        ({"options": {"smoothing": -1.0}}, "[options], smoothing is -1.0; expected a length in metres"),
        ({"options": {"assemble": True, "as_recorded": True}}, "as_recorded is true; expected False"),
        ({"recruitment": {"power": 0.5}}, "[recruitment], power is 0.5; expected a finite number of at least 1"),
        ({"recruitment": {"reserves": -1.0}}, "[recruitment], reserves is -1.0; expected positive strengths"),
        ({"recruitment": {"secondary": "quadratics"}}, "did you mean 'quadratic'?"),
        ({"recruitment": {"actuators": "residuals.xml"}}, "'actuators'"),
        ({"recruitment": {"stride": 2}}, "unknown key 'stride' in study, [recruitment]; did you mean 'every'?"),
        ({"grid": {"lowpass": [6.0, 15.0]}}, "unknown key 'lowpass' in study, [grid]; did you mean 'cutoff'?"),
    ],
)
def test_wrong_values_are_named(sections: dict[str, Any], told: str) -> None:
    with pytest.raises(oi.InertiaError) as caught:
        oi.study({"trial": [{"setup": "setup.xml"}], **sections})
    assert told in str(caught.value)


def test_files_that_are_no_studies(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["study", str(tmp_path / "none.toml")]) == 2
    assert "study file does not exist" in capfd.readouterr().err
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    assert main(["study", str(tmp_path / "bytes.toml")]) == 2
    assert "is not a TOML file" in capfd.readouterr().err


def test_an_unreachable_scheduler_is_given_up_in_time(
    study: Callable[..., Path], capfd: pytest.CaptureFixture[str]
) -> None:
    file = study(TRIALS + '[cluster]\nscheduler = "tcp://127.0.0.1:9"\nwait = 0.5\n')
    assert main(["study", str(file)]) == 2
    assert "the scheduler 'tcp://127.0.0.1:9' cannot be reached within 0.5 s" in capfd.readouterr().err
    assert main(["study", str(file), "--scheduler", "no address"]) == 2
    assert "the scheduler 'no address' cannot be reached" in capfd.readouterr().err


def test_folders_of_others_are_left_alone(study: Callable[..., Path], capfd: pytest.CaptureFixture[str]) -> None:
    file = study()
    mine = file.parent / "mine"
    assert main(["study", str(file), "--out", str(mine)]) == 0
    kept = sorted(str(path) for path in mine.rglob("*"))
    capfd.readouterr()
    for text, told in (
        ('name = "other"\n' + TRIALS + REST, "it holds the results of study 'study', not of 'other'"),
        (TRIALS.replace('"{1}"', '"a {1}"') + REST, "it holds the results of another study 'study', with trials "),
    ):
        assert main(["study", str(study(text)), "--out", str(mine)]) == 2
        assert told in capfd.readouterr().err
    assert sorted(str(path) for path in mine.rglob("*")) == kept
    strange = file.parent / "strange"
    strange.mkdir()
    (strange / "thesis.txt").write_text("mine")
    assert main(["study", str(study()), "--out", str(strange)]) == 2
    assert "it holds 'thesis.txt' and no study; choose another folder" in capfd.readouterr().err
    assert os.listdir(strange) == ["thesis.txt"]
    (mine / "study.json").write_text("{")
    assert main(["study", str(study()), "--out", str(mine)]) == 2
    assert "'study.json' in it is damaged" in capfd.readouterr().err


@pytest.mark.parametrize("name", ["curves.csv", "peaks.parquet", "index.html", "mean_curves_1.png"])
def test_a_file_that_cannot_be_written_is_named_before_anything_is_computed(
    study: Callable[..., Path], capfd: pytest.CaptureFixture[str], name: str
) -> None:
    """A folder, which no system replaces by a file, or on Windows a file that is open."""
    file, results = study(), study().parent / "study_results"
    results.mkdir()
    (results / "study.json").write_text('{"name": "study", "trials": ["slow_1"]}')
    with ExitStack() as held:
        if sys.platform == "win32":
            held.enter_context((results / name).open("w"))
        else:
            (results / name).mkdir()
        assert main(["study", str(file)]) == 2
    said = capfd.readouterr().err
    assert f"{name}: it is a folder" in said or f"{name}: another program has it open; close it there" in said
    assert sorted(os.listdir(results)) == sorted([name, "study.json"])


def test_a_damaged_result_is_named(study: Callable[..., Path], capfd: pytest.CaptureFixture[str]) -> None:
    file = study()
    assert main(["study", str(file)]) == 0
    (first, *_) = sorted((file.parent / "study_results" / "tasks").rglob("*.npz"))
    whole = first.read_bytes()
    first.write_bytes(whole[: len(whole) // 2])
    assert main(["study", str(file)]) == 2
    said = capfd.readouterr().err
    assert first.name in said and "the result is damaged" in said and "remove it, and run the study again" in said
    first.unlink()
    assert main(["study", str(file)]) == 0
    assert first.read_bytes() == whole


def test_a_model_that_cannot_carry_mass_is_a_failure(
    study: Callable[..., Path], capfd: pytest.CaptureFixture[str], cohort: Path, tmp_path: Path
) -> None:
    model = osim.Model(str(cohort / "S1" / "leg.osim"))
    model.updForceSet().clearAndDestroy()
    model.finalizeConnections()
    model.printToXML(str(tmp_path / "bare.osim"))
    table = (cohort / "S1" / "masses.csv").read_text()
    (tmp_path / "unknown.csv").write_text(table.replace("soleus_r", "solus_r"))
    more = (
        '[[trial]]\nsetup = "S1/setup_slow_1.xml"\nid = "bare"\nmodel = "bare.osim"\n'
        '[[trial]]\nsetup = "S1/setup_slow_1.xml"\nid = "unknown"\nmasses = "unknown.csv"\n'
    )
    assert main(["study", str(study(TRIALS + more + REST))]) == 1
    said = capfd.readouterr()
    assert "warning: 2 of 4 tasks failed: trial 'bare': " in said.err and "did you mean 'soleus_r'" in said.err
    assert said.out.endswith("\n2 of 4 tasks FAILED: see failures.csv\n")
    failures = (tmp_path / "study_results" / "failures.csv").read_text()
    assert "no muscle" in failures and "UnknownNameError" in failures
    assert main(["study", str(study(more + REST)), "--out", str(tmp_path / "all_failed")]) == 2
    assert capfd.readouterr().out.endswith("\n2 of 2 tasks FAILED: see failures.csv\n")

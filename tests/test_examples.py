"""Every example runs headless, by itself, in a clean folder, and writes only into the folder that it is given."""

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

import numpy as np
import pytest
import segmented_hip
from conftest import slow_except
from oracles.docs_scripts import load_script
from oracles.plugin import need_plugin

import opensim_inertia

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
numbers = load_script("stated_numbers")
HELPERS = {"atlas_page", "common", "motions"}
#: Run in the process of the tests of what they simulate, see tests/features/; the atlas takes minutes.
ELSEWHERE = {
    "atlas",
    "finger_flick",
    "jump",
    "landing_with_wobble",
    "liu_nigg",
    "reaching_with_excitations",
    "spline_knee",
    "wrapped_pendulums",
}

#: What each example must leave behind; those in REAL need the real models.
WRITES = {
    "ankle_inertia": {"ankle_inertia.png", "ankle_inertia.csv"},
    "balanced_arm": {"balanced_arm.png", "modes.png"},
    "compare_lumped_and_inertial": {
        "compare.png",
        "id_curves.csv",
        "id_curves.sto",
        "id_inertial.sto",
        "id_lumped.sto",
        "id_summary.csv",
    },
    "energy_with_and_without_qvv": {"energy_with_and_without_qvv.png"},
    "evaluate_terms": {"leg.osim"},
    "fibre_mass": {"fibre_mass.csv"},
    "gimbal_lock": {"gimbal_lock.png", "gimbal_lock.csv"},
    "lumped_or_inertial_controls": {"lumped_or_inertial_controls.png", "lumped_or_inertial_controls.csv"},
    "native_forward_tool": {"forward.png", "inertial.osim", "inertial_states.sto", "lumped_states.sto"},
    "native_moco_inverse": {"walking.png", "walking.csv"},
    "native_moco_reach": {"reach.png", "lumped.csv", "inertial.csv"},
    "mujoco_armature": {"mujoco_armature.csv", "mujoco_armature.png"},
    "length_polynomials": {"length_polynomials.csv", "jumps.csv", "serratus_anterior.png", "terms.png"},
    "reaching": {"reaching.png", "reaching.csv"},
    "public_trials": {"public_trials.png"},
    "rat_knee": {"rat_knee.csv"},
    "recruited_swing": {"criteria.png", "swing_plot.png", "swing_bounds.png"},
    "recruited_walking": {"walking_criteria.png", "walking_plot.png", "running_plot.png"},
    "running_swing": {"running_swing.png", "strain_models.csv", "stock.sto"},
    "muscle_models": {"muscle_models.png"},
    "segmented_hip": {"segmented_hip.png"},
    "touch_energy": {"touch_energy.png"},
    "shank_muscles_apart": {"shank_muscles_apart.png", "shank_muscles_apart.csv"},
    "small_study": {"ankle.png"},
    "standing": {"standing.png", "stability_map.png", "standing_roots.csv", "standing_events.csv"},
    "straightening": {"straightening.png"},
    "stability_of_a_leg": {"share.csv", "share.png", "modes.png"},
    "strain_models": {"strain_models.csv"},
    "what_decides_the_answer": {"placements.png", "placements.csv"},
    "which_muscles_matter": {"ranking.png", "shares.csv"},
    "wobble_frequencies": {"wobble_frequencies.png", "wobble_frequencies.csv"},
    "wobble_in_running": {"wobble_in_running.png", "wobble_in_running.csv"},
}
SHORT = {"compare_lumped_and_inertial"}  # Run as scripts by the quick tests
TORCH = {"jump", "lumped_or_inertial_controls", "reaching", "reaching_with_excitations"}
STUDY = ("distributed", "pyarrow", "xarray")
NEEDS = {
    "mujoco_armature": ("mujoco",),
    "public_trials": STUDY,
    "recruited_swing": ("daqp",),
    "small_study": STUDY,
}
#: Environment variables that name the folders of public data.
DATA = {"public_trials": "PUBLIC_TRIALS", "segmented_hip": "MUSCLES_3D"}
PLUGIN = {"native_forward_tool", "native_moco_inverse", "native_moco_reach"}
REAL = {
    "ankle_inertia",
    "wobble_frequencies",
    "wobble_in_running",
    "balanced_arm",
    "native_moco_inverse",
    "length_polynomials",
    "recruited_walking",
    "running_swing",
    "shank_muscles_apart",
    "stability_of_a_leg",
    "what_decides_the_answer",
    "which_muscles_matter",
}


def run(
    name: str, cwd: Path, models: Path | None, timeout: float = 300, before: Path | None = None, data: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run an example in ``cwd``, writing to ``cwd/out``; modules in the folder ``before`` hide those installed."""
    words = [EXAMPLES / f"{name}.py", "out", *([data] if data else [])]
    if name in numbers.PAGES:
        (cwd / "out").mkdir()
        words += ["--page", shutil.copy(ROOT / numbers.PAGES[name], cwd / "out")]
    return in_new_process(words, cwd, before, models, timeout)


def in_new_process(
    words: list[str | Path], cwd: Path, before: Path | None, models: Path | None = None, timeout: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run Python with some arguments as users do, who have no copy of the real models unless it is given."""
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENSIM_MODELS", "DISPLAY")}
    folders = [before] if before else []
    folders.append(Path(opensim_inertia.__file__).parents[1])
    environment |= {"PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONDONTWRITEBYTECODE": "1"}
    if models is not None:
        environment["OPENSIM_MODELS"] = str(models)
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def check(name: str, folder: Path, done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert {p.name for p in folder.iterdir()} == {"out"}, "an example writes into its own folder only"
    written = {p.name for p in (folder / "out").iterdir()}
    assert WRITES[name] <= written
    assert all((folder / "out" / file).stat().st_size > 0 for file in WRITES[name])
    assert numbers.differing(name, done.stdout) == []
    if name in numbers.PAGES:
        page = ROOT / numbers.PAGES[name]
        assert (folder / "out" / page.name).read_text() == page.read_text(), "the page has other numbers"


def test_every_example_is_tested() -> None:
    assert {p.stem for p in EXAMPLES.glob("*.py")} == set(WRITES) | ELSEWHERE | HELPERS


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_except(SHORT, sorted(set(WRITES) - REAL - DATA.keys())))
def test_example_on_the_demo(name: str, tmp_path: Path) -> None:
    for package in ("torch",) if name in TORCH else NEEDS.get(name, ()):
        pytest.importorskip(package, reason=f"{name}.py needs it")
    if name in PLUGIN:
        need_plugin()
    done = run(name, tmp_path, None)
    check(name, tmp_path, done)
    assert "skipped" not in done.stdout


@pytest.mark.slow
def test_walking_by_moco(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    """Muscles with mass change the moments of walking by less than 2 N m here, and not by nothing."""
    need_plugin()
    done = run("native_moco_inverse", tmp_path, copy_of_opensim_models)
    check("native_moco_inverse", tmp_path, done)
    changes = [float(line.split()[-4]) for line in done.stdout.splitlines() if line.endswith(" N m apart")]
    assert len(changes) == 3
    assert all(0.1 < change < 2.0 for change in changes)


@pytest.mark.slow
def test_ranking_on_real_models(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    done = run("which_muscles_matter", tmp_path, copy_of_opensim_models)
    check("which_muscles_matter", tmp_path, done)
    assert "skipped" not in done.stdout


@pytest.mark.slow
def test_polynomials_follow_paths_that_do_not_jump(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    """Errors are small but where OpenSim's path jumps; the lengths of smooth paths fit better there."""
    import pandas as pd

    done = run("length_polynomials", tmp_path, copy_of_opensim_models)
    check("length_polynomials", tmp_path, done)
    table = pd.read_csv(tmp_path / "out" / "length_polynomials.csv", index_col="muscle")
    assert len(table) == 13
    assert (table["euler: arm RMSE [mm]"] < 2).all() and (table["quaternion: arm RMSE [mm]"] < 7).all()
    jumps = pd.read_csv(tmp_path / "out" / "jumps.csv").pivot(index="muscle", columns="path")
    leaping = jumps["jump [mm]"]["opensim"] > 10
    assert leaping.sum() == 2 and (jumps["jump [mm]"]["analytic"] == 0).all()
    lengths = jumps["length RMSE [mm]"][leaping]
    assert (lengths["analytic"] < 0.8 * lengths["opensim"]).all()


@pytest.mark.slow
def test_stability_over_stiffness(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    """Bunderson et al. 2012, figure 2b: a share that rises from none to nearly all."""
    import pandas as pd

    pytest.importorskip("daqp", reason="stability_of_a_leg.py needs DAQP")
    done = run("stability_of_a_leg", tmp_path, copy_of_opensim_models)
    check("stability_of_a_leg", tmp_path, done)
    share = pd.read_csv(tmp_path / "out" / "share.csv")["stable_share"]
    assert share.is_monotonic_increasing and share.iloc[0] == 0 and 0.95 < share.iloc[-1] < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ankle_inertia", "recruited_walking"])
def test_pages_have_what_examples_write(name: str, tmp_path: Path, copy_of_opensim_models: Path) -> None:
    check(name, tmp_path, run(name, tmp_path, copy_of_opensim_models))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["shank_muscles_apart", "wobble_in_running"])
def test_pages_have_what_examples_of_a_run_write(name: str, tmp_path: Path, copy_of_opensim_models: Path) -> None:
    folder = os.environ.get("RAJAGOPAL_RUNNING") or copy_of_opensim_models.parent / "rajagopal-running"
    if not Path(folder).is_dir():
        pytest.skip("needs a run on Rajagopal2016: RAJAGOPAL_RUNNING names its folder")
    check(name, tmp_path, run(name, tmp_path, copy_of_opensim_models))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(DATA))
def test_pages_have_what_examples_on_public_data_write(name: str, tmp_path: Path, copy_of_opensim_models: Path) -> None:
    for package in NEEDS.get(name, ()):
        pytest.importorskip(package, reason=f"{name}.py needs it")
    if not (folder := os.environ.get(DATA[name])):
        pytest.skip(f"needs public data, see {name}.py: {DATA[name]} names their folder")
    check(name, tmp_path, run(name, tmp_path, copy_of_opensim_models, data=folder))


def test_integrals_over_a_tetrahedron() -> None:
    """Volume, centroid and second moments, the latter two to the square of the step of the rule of midpoints."""
    sides = np.array([0.3, 0.1, 0.2])
    corners = np.vstack([np.zeros(3), np.diag(sides)])
    points, weights = segmented_hip.filling(corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]])
    step = 1 / segmented_hip.PARTS**2
    np.testing.assert_allclose(weights.sum(), sides.prod() / 6, rtol=1e-12)
    np.testing.assert_allclose(weights @ points / weights.sum(), sides / 4, rtol=step)
    np.testing.assert_allclose(weights @ points**2 / weights.sum(), sides**2 / 10, rtol=step)


@pytest.mark.slow
def test_feedback_holds_the_arm(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    if not list(distributions(name="control")):  # the folder of tests has the same name
        pytest.skip("balanced_arm.py needs python-control")
    done = run("balanced_arm", tmp_path, copy_of_opensim_models)
    check("balanced_arm", tmp_path, done)
    assert "feedback: the elbow ends -0.00 degrees off" in done.stdout


@pytest.fixture
def without_torch(tmp_path: Path) -> Path:
    """A folder before which there is no PyTorch: what is imported fails as a missing module does."""
    (tmp_path / "before").mkdir()
    missing = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
    (tmp_path / "before" / "torch.py").write_text(missing)
    return tmp_path / "before"


#: Runs scripts one after another, as if each were the program, and prints with what each ended and what it said.
ONE_AFTER_ANOTHER = """
import contextlib, io, json, os, runpy, sys
files = sys.argv[1:]
sys.path.insert(0, os.path.dirname(files[0]))
ends = {}
for file in files:
    sys.argv = [file, "out"]
    code, told = 0, io.StringIO()
    with contextlib.redirect_stdout(told):
        try:
            runpy.run_path(file, run_name="__main__")
        except SystemExit as end:
            code = end.code
    ends[os.path.basename(file).removesuffix(".py")] = [code, told.getvalue()]
print(json.dumps(ends))
"""
NO_TORCH = "this example needs PyTorch, which is not installed: pip install torch"


@pytest.mark.slow
def test_examples_say_what_they_need(tmp_path: Path, without_torch: Path) -> None:
    """All of them in two processes, of those that a test runs by itself."""
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    for names, before in ((REAL, None), (TORCH, without_torch)):
        words = ["-c", ONE_AFTER_ANOTHER, *(EXAMPLES / f"{name}.py" for name in sorted(names))]
        ends = json.loads(in_new_process(words, cwd, before).stdout)
        assert ends.keys() == names
        for name, (code, said) in ends.items():
            if before is None:
                assert code == 0 and said.startswith("skipped: set OPENSIM_MODELS"), name
            else:
                assert (code, said) == (NO_TORCH, ""), name
        assert list(cwd.iterdir()) == []


@pytest.mark.slow
def test_running_meets_the_published_change(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    """Wang et al. 2022, section 4.5: up to 40 %; on Hamner's public data 31-38 % on average over the swings."""
    import pandas as pd

    done = run("running_swing", tmp_path, copy_of_opensim_models)
    check("running_swing", tmp_path, done)
    assert "skipped" not in done.stdout
    table = pd.read_csv(tmp_path / "out" / "strain_models.csv").set_index(["strain model", "cut-off [Hz]", "leg"])
    change = table["largest change"]
    assert change["uniform strain, belly central"].between(31, 38).all()
    assert change["uniform strain, belly proximal"].between(1, 5).all(), "the belly's place decides"
    assert change["rigid tendon, all distal"].between(15, 22).all()
    assert change["rigid tendon, all proximal"].between(70, 95).all()
    swing = table.xs(15.0, level="cut-off [Hz]")["largest change"]
    paper, subtracted = (swing.loc[f"uniform strain, belly central{name}"] for name in ("", ", subtracted"))
    assert subtracted.to_numpy() == pytest.approx(paper.to_numpy(), abs=1e-6), "the ankle does not see the shank"
    assert swing["aponeuroses"].between(25, 35).all()
    assert swing["aponeuroses, estimated masses"].between(6, 10).all()


@pytest.mark.slow
def test_differences_by_placement(tmp_path: Path, copy_of_opensim_models: Path) -> None:
    """The numbers of docs/placements.md."""
    import pandas as pd

    done = run("what_decides_the_answer", tmp_path, copy_of_opensim_models)
    check("what_decides_the_answer", tmp_path, done)
    table = pd.read_csv(tmp_path / "out" / "placements.csv")
    assert len(table.groupby(["strain", "placement"])) == 16
    table = table[table["strain"] == "rigid tendon"].set_index(["motion", "coordinate"])["difference"]
    assert table["Hamner, running", "hip flexion"].to_numpy() == pytest.approx([0.02, 0.19, 0.51, 1.20, 2.63], abs=0.01)
    if "Rajagopal2016, running" in table.index:
        hip = table["Rajagopal2016, running", "hip flexion"].to_numpy()
        assert hip == pytest.approx([-0.58, -1.02, -2.01, -3.98, -8.58], abs=0.01)

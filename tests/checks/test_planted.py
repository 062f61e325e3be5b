"""Planted defects are found, and good trials have none."""

from pathlib import Path

import pytest
from conftest import model_path, slow_except

import opensim_inertia as oi
from checks.planted import VARIANTS, kinds, new_findings
from checks.trials import run, walk, wrapped

KINDS = list(kinds())


@pytest.mark.parametrize("kind", slow_except(KINDS[::20], KINDS))
def test_a_planted_defect_is_found(kind: str, tmp_path: Path) -> None:
    assert new_findings(kind, 0, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_further_variants_of_a_planted_defect_are_found(kind: str, tmp_path: Path) -> None:
    """The script ``planted.py`` plants all ten of each kind."""
    missed = []
    for seed in (1, VARIANTS - 1):
        (tmp_path / str(seed)).mkdir()
        if not new_findings(kind, seed, tmp_path / str(seed)):
            missed.append(seed)
    assert missed == []


@pytest.mark.parametrize("trial", [walk, wrapped, pytest.param(run, marks=pytest.mark.slow)])
def test_good_trials_have_nothing_above_a_note(trial, tmp_path: Path) -> None:
    """Wrap objects are planted with quick tests: thorough ones find a path of Arm26 that jumps by 3 mm."""
    result = trial(tmp_path).check(thorough=trial is not wrapped)
    assert [str(finding) for finding in result.findings if finding.severity != "note"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "motion", "loads", "cutoff"),
    [
        (
            "Pipelines/Gait2392_Simbody/OutputReference/subject01_simbody.osim",
            "Pipelines/Gait2392_Simbody/subject01_walk1_ik.mot",
            "Pipelines/Gait2392_Simbody/subject01_walk1_grf.xml",
            6.0,
        ),
        (
            "Pipelines/Hamner/outputReference/subject02_scaled.osim",
            "Pipelines/Hamner/outputReference/ResultsIK/subject02_running_ik.mot",
            "Pipelines/Hamner/External_Loads.xml",
            15.0,
        ),
        ("Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim", None, None, None),
        ("Models/Gait10dof18musc/gait10dof18musc.osim", None, None, None),
        ("Models/Rajagopal/Rajagopal2016.osim", None, None, None),
    ],
)
def test_published_trials_have_nothing_above_a_note(
    model: str, motion: str | None, loads: str | None, cutoff: float | None
) -> None:
    files = [None if name is None else model_path(name) for name in (motion, loads)]
    result = oi.check(model_path(model), *files, cutoff=cutoff)
    assert [str(finding) for finding in result.findings if finding.severity != "note"] == []
    assert len(result.table().splitlines()) <= 12


@pytest.mark.parametrize(
    ("model", "bodies"),
    [
        ("Models/Leg6Dof9Musc/leg6dof9musc.osim", ["toes_r"]),
        pytest.param(
            "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim",
            ["clavicle", "scapula", "radius"],
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "Tutorials/Estimating_Joint_Reaction_Loads/subject01_simbody_adjusted_StaticOp.osim",
            ["toes_r", "toes_l"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_small_published_bodies_that_cannot_exist_are_noted(model: str, bodies: list[str]) -> None:
    """Noted, as they change no answer: commands go on working with these models."""
    findings = oi.check(model_path(model), thorough=False).findings
    of_bodies = [f for f in findings if f.check in ("inertia", "triangle inequality")]
    assert {f.subject.split("'")[1] for f in of_bodies} == set(bodies)
    assert {f.severity for f in of_bodies} == {"note"}

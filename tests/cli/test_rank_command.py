"""``opensim-inertia rank``."""

from pathlib import Path

import pandas as pd
import pytest

from opensim_inertia import InertialModel, estimate_masses, rank_muscles


def test_table_and_csv(demo, cli) -> None:
    outcome = cli(
        "rank", demo.model, "--motion", demo.motion, "--masses", demo.masses, "--fraction", "0.6", "-o", "shares.csv"
    )
    assert (outcome.code, outcome.err) == (0, "")
    ranking = rank_muscles(InertialModel(demo.model, demo.masses), demo.motion, 0.6)
    written = pd.read_csv("shares.csv", index_col="muscle")
    pd.testing.assert_frame_equal(written, ranking.shares, rtol=1e-12)
    assert "average over 50 poses of swing.mot" in outcome.out
    assert "for 60 %" in outcome.out
    (row,) = (line.split(maxsplit=8) for line in outcome.out.splitlines() if line.startswith("ankle_angle_r "))
    needed, shares = ranking.needed["ankle_angle_r"], 100 * ranking.shares["ankle_angle_r"]
    named = ", ".join(f"{name} {shares[name]:.2g}" for name in needed[:3])
    slides = 100 * ranking.sliding.loc["ankle_angle_r", ["share", "lower", "upper", "largest"]]
    assert [row[i] for i in (1, 2, 4, 5)] == [f"{value:.2f}" for value in slides] and row[3] == "to"
    assert row[6:] == [f"{shares.sum():.2f}", str(len(needed)), named]
    assert str(ranking.summary()) in outcome.out
    assert " ".join(ranking.sentences(["ankle_angle_r"])[0].split()) in " ".join(outcome.out.split())


def test_sentences_say_what_changes_where_loads_are_given(opensim_models: Path, cli) -> None:
    folder = opensim_models / "Pipelines/Gait10dof18musc"
    outcome = cli(
        *("rank", folder / "OutputReference/subject01.osim"),
        *("--motion", folder / "OutputReference/IK/subject01_walk_IK.mot"),
        *("--cutoff", "6", "--time-range", "0.6", "0.8"),
        *("--external-loads", folder / "ExperimentalData/subject01_walk_grf.xml", "--sliding", "slides.csv"),
    )
    text = " ".join(outcome.out.split())
    assert outcome.code == 0 and "in this motion the moment changes by at most" in text
    assert "of its peak: may be neglected where 1 % matters" in text
    written = pd.read_csv("slides.csv", index_col="coordinate")
    assert written.loc["ankle_angle_r", "lower"] < written.loc["ankle_angle_r", "share"]


@pytest.mark.slow
def test_how_many_are_named_and_the_picture(cli, opensim_models: Path) -> None:
    model = opensim_models / "Models" / "Arm26" / "arm26.osim"
    told = cli("rank", model, "--most", "2").err
    assert told.startswith("opensim-inertia: warning: 2 of 5 wrapping muscles are up to ") and told.count("\n") == 1
    assert "`opensim-inertia wraps MODEL.osim` lists them" in told and len(told) < 250
    outcome = cli("rank", model, "--most", "2", "--plot", "new/shares.pdf", "--no-warn-wraps")
    assert (outcome.code, outcome.err) == (0, "")
    assert Path("new/shares.pdf").read_bytes().startswith(b"%PDF")
    assert "written to new/shares.pdf" in outcome.out
    (row,) = (line for line in outcome.out.splitlines() if line.startswith("r_shoulder_elev "))
    needed = rank_muscles(InertialModel(model, estimate_masses(model))).needed["r_shoulder_elev"]
    assert row.count(",") == 1 and row.endswith(f"and {len(needed) - 2} more")
    assert needed[1] in row and needed[2] not in row


def test_no_muscles(cli, opensim_models: Path) -> None:
    outcome = cli("rank", opensim_models / "Models" / "DoublePendulum" / "double_pendulum.osim")
    assert outcome.code == 0
    assert "no muscle adds inertia" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["MODEL", "--fraction", "0"], "--fraction 0.0: expected"),
        (["MODEL", "--fraction", "nan"], "--fraction nan: expected"),
        (["MODEL", "--motion", "nothing.mot"], "coordinates file does not exist"),
        (["MODEL", "--motion", "MODEL"], "not an OpenSim table"),
        (["MODEL", "--as-recorded"], "--as-recorded has no effect here: it needs --motion"),
        (["MODEL", "--external-loads", "MODEL"], "--external-loads has no effect here: it needs --motion"),
        (["MODEL", "--cutoff", "6"], "--cutoff has no effect here: it needs --motion"),
        (["MODEL", "--plot", "x.tiff"], "--plot x.tiff: expected the name of a picture"),
        (["MODEL", "--most", "0"], "--most 0: expected a finite number of at least 1"),
        (["MODEL", "-o", "MODEL"], "it is an input"),
    ],
)
def test_errors(demo, refused, arguments: list[str], message: str) -> None:
    assert message in refused("rank", *(a.replace("MODEL", str(demo.model)) for a in arguments))

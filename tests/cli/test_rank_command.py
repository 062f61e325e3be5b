"""``opensim-inertia rank``."""

from pathlib import Path

import pandas as pd
import pytest

from opensim_inertia import InertialModel, rank_muscles


def test_table_and_csv(demo, cli) -> None:
    outcome = cli(
        "rank", demo.model, "--motion", demo.motion, "--masses", demo.masses, "--fraction", "0.6", "-o", "shares.csv"
    )
    assert (outcome.code, outcome.err) == (0, "")
    ranking = rank_muscles(InertialModel(demo.model, demo.masses), demo.motion, 0.6)
    written = pd.read_csv("shares.csv", index_col="muscle")
    pd.testing.assert_frame_equal(written, ranking.shares, rtol=1e-12)
    assert "average over 50 poses of swing.mot" in outcome.out
    assert "muscles for 60 %" in outcome.out
    assert f"  ankle_angle_r: {', '.join(ranking.needed['ankle_angle_r'])}" in outcome.out
    (row,) = (line.split() for line in outcome.out.splitlines() if line.startswith("ankle_angle_r"))
    share = 100 * ranking.shares["ankle_angle_r"].sum()
    assert row[1:] == [f"{share:.2f}", str(len(ranking.needed["ankle_angle_r"]))]


def test_default_pose_and_estimates(demo, cli) -> None:
    outcome = cli("rank", demo.model, "--muscles", "soleus_r", "--strain", "uniform")
    assert "at the default pose" in outcome.out
    assert "1 muscle with mass" in outcome.out
    assert "uniform strain" in outcome.out
    assert list(Path.cwd().iterdir()) == []


def test_no_muscles(cli, opensim_models: Path) -> None:
    outcome = cli("rank", opensim_models / "Models" / "DoublePendulum" / "double_pendulum.osim")
    assert outcome.code == 0
    assert "no muscle adds inertia" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.osim"], "does not exist"),
        (["MODEL", "--fraction", "0"], "--fraction=0.0"),
        (["MODEL", "--fraction", "nan"], "--fraction=nan"),
        (["MODEL", "--motion", "nothing.mot"], "motion file does not exist"),
        (["MODEL", "--motion", "MODEL"], "not an OpenSim table"),
        (["MODEL", "-o", "MODEL/x.csv"], "cannot write"),
        (["MODEL", "-o", "MODEL"], "it is an input"),
    ],
)
def test_errors(demo, refused, arguments: list[str], message: str) -> None:
    assert message in refused("rank", *(a.replace("MODEL", str(demo.model)) for a in arguments))

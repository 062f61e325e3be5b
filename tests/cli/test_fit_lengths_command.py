"""``opensim-inertia fit-lengths``."""

from pathlib import Path

import pandas as pd
import pytest

import opensim_inertia as oi


def test_motion_to_polynomials_and_function_based_paths(cli, demo) -> None:
    outcome = cli(
        "fit-lengths",
        demo.model,
        "--motion",
        demo.motion,
        "--muscles",
        "soleus_r",
        "--function-based",
        "set.xml",
        "--csv",
        "t.csv",
    )
    assert (outcome.code, outcome.err) == (0, "")
    assert "1 muscle, euler" in outcome.out
    file = f"{demo.model.stem}.length_polynomials.json"
    assert sorted(p.name for p in Path.cwd().iterdir()) == [file, "set.xml", "t.csv"]
    polynomials = oi.length_polynomials.load_length_polynomials(file, demo.model)
    table = pd.read_csv("t.csv", index_col="muscle")
    pd.testing.assert_frame_equal(table, polynomials.summary())
    assert polynomials.options["motion"]["file"] == demo.motion.name
    (row,) = (line.split() for line in outcome.out.splitlines() if line.startswith("soleus_r "))
    assert row[3] == str(table.loc["soleus_r", "terms"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--motion", "MODEL", "--poses", "5"], "--poses has no effect here: the poses are those of --motion"),
        (["--rotations", "quaternion", "--function-based", "a.xml"], "it needs --rotations euler"),
        (["--stop", "1"], "--stop 1.0: expected a number from 0 to below 1"),
        (["--poses", "2", "--muscles", "gasmed_r"], "muscle 'gasmed_r': 2 poses cannot determine 3 terms"),
    ],
)
def test_refusals(refused, demo, arguments: list[str], message: str) -> None:
    assert message in refused("fit-lengths", demo.model, *(a.replace("MODEL", str(demo.model)) for a in arguments))
    assert not list(Path.cwd().glob("*.json"))

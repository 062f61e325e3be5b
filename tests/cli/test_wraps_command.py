"""``opensim-inertia wraps``."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from opensim_inertia import compare_wraps


@pytest.fixture
def arm(opensim_models: Path) -> Path:
    return opensim_models / "Models" / "Arm26" / "arm26.osim"


@pytest.mark.slow
def test_table_and_csv(cli, arm: Path) -> None:
    outcome = cli("wraps", arm, "--muscles", "TRI*", "BRA", "--poses", 10, "-o", "wraps.csv")
    assert (outcome.code, outcome.err) == (0, "")
    table = compare_wraps(arm, 10, muscles=["TRI*", "BRA"], progress=False)
    written = pd.read_csv("wraps.csv", index_col="muscle", keep_default_na=False)
    assert list(written.index) == ["TRIlong", "TRIlat", "TRImed", "BRA"]
    np.testing.assert_allclose(written["length max [mm]"].astype(float), table["length max [mm]"], rtol=1e-9)
    assert list(written["reason"]) == list(table["reason"])
    (row,) = (line.split() for line in outcome.out.splitlines() if line.startswith("TRIlong "))
    assert row[1] == "analytic" and float(row[6]) == pytest.approx(table.loc["TRIlong", "length max [mm]"], abs=1e-3)
    assert "4 wrapping muscles among those asked for, 10 poses" in outcome.out
    assert "where most apart:\n  TRIlong, at r_shoulder_elev " in outcome.out
    assert list(written["verdict"]) == ["look at", "as OpenSim", "as OpenSim", "as OpenSim"]
    last = outcome.out.splitlines()[-1]
    assert last == "3 muscles as OpenSim within 1 mm, 0 geodesic where OpenSim is not (fine), 1 to look at: TRIlong"


def test_no_wraps(cli, opensim_models: Path) -> None:
    outcome = cli("wraps", opensim_models / "Models" / "DoublePendulum" / "double_pendulum.osim")
    assert outcome.code == 0 and "no muscle of model 'double_pendulum' has wrap objects" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--poses", "0"], "--poses 0: expected"),
        (["--seed", "-1"], "--seed -1: expected"),
        (["--smoothing", "nan"], "--smoothing nan: expected"),
        (["--wrapping", "opensim", "--strict"], "--strict has no effect"),
        (["--muscles", "BRO"], "did you mean 'BRA'"),
        (["-o", "MODEL"], "it is an input"),
        (["-o", "MODEL/x.csv"], "cannot write"),
    ],
)
def test_errors(refused, arm: Path, arguments: list[str], message: str) -> None:
    assert message in refused("wraps", arm, *(a.replace("MODEL", str(arm)) for a in arguments))

"""The atlas: rows of a small model, twice the same, and what its page says of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
from conftest import ROOT

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning")

STUDY = {
    "options": {"unsupported": "massless", "draws": 200},
    "model": [{"name": "Arm26", "file": "opensim-models:Models/Arm26/arm26.osim"}],
}


@pytest.mark.slow
def test_rows_are_those_of_the_ranking_and_twice_the_same(
    example: Callable[[str], ModuleType], opensim_models: Path, tmp_path: Path
) -> None:
    atlas = example("atlas")
    files = atlas.Files({"opensim-models": opensim_models})
    first, again = (atlas.at_poses(STUDY, files, atlas.Uncertainty(draws=200)) for _ in range(2))
    pd.testing.assert_frame_equal(first, again, check_exact=True)
    assert list(first["joint"]) == ["shoulder", "elbow"] and list(files.hashes) == [STUDY["model"][0]["file"]]
    inertial = atlas.inertial_model(files(STUDY["model"][0]["file"]), STUDY["options"])
    expected = oi.rank_muscles(inertial, band=False).sliding.loc["r_elbow_flex"]
    elbow = first.set_index("coordinate").loc["r_elbow_flex"]
    for column in ("share", "largest", "at", "estimate"):
        assert elbow[column] == expected[column]
    with pytest.raises(SystemExit, match="--opensim-models names another folder"):
        atlas.Files({"opensim-models": tmp_path})("opensim-models:Models/none.osim")


def test_what_the_page_says_of_the_law(example: Callable[[str], ModuleType]) -> None:
    rows = {"of": ["a", "a", "b"], "joint": "knee", "coordinate": ["k", "l", "k"]}
    numbers = {
        "share": [0.02, 0.001, 0.03],
        "estimate": [0.03, 0.004, -0.01],
        "length rates": [0.02, 0.1, 0.1],
        "size": [0.02, 0.01, 0.04],
    }
    wide, out = example("atlas_page").law(pd.DataFrame(rows | numbers))
    assert wide["count"] == 3 and wide["within [%]"] == pytest.approx(100 / 3)
    assert (wide["large"], wide["large within [%]"]) == (2, 50.0)
    assert wide["within or small [%]"] == pytest.approx(200 / 3)
    assert list(out["coordinate"]) == ["l", "k"] and out["reason"].iloc[0].startswith("muscles of both signs cancel")


def test_the_front_page_has_its_numbers() -> None:
    """Changes and bands of both sides, two digits: the table of README.md against docs/atlas.csv."""
    atlas = pd.read_csv(ROOT / "docs/atlas.csv")
    rows = atlas[atlas["what"] == "motion"].assign(
        joint=atlas["coordinate"].str.replace(r"(_angle)?_[lr]$", "", regex=True)
    )
    rows["band"] = 100 * rows[["change lower", "change upper"]].abs().max(axis=1) / rows["peak"].abs()
    table = re.findall(
        r"^\| ([a-z, ]+) \| ([\d.]+) %.* \| up to ([\d.]+) % \|$", (ROOT / "README.md").read_text(), re.MULTILINE
    )
    names = {
        "hip, flexion and adduction": ["hip_flexion", "hip_adduction"],
        "hip, rotation": ["hip_rotation"],
        "knee": ["knee"],
        "ankle": ["ankle"],
        "toes": ["mtp"],
    }
    assert [joint for joint, _, _ in table] == list(names)
    for joint, change, band in table:
        of_joint = rows[rows["joint"].isin(names[joint])]
        assert float(change) == float(f"{of_joint['of peak [%]'].abs().max():.2g}")
        assert float(band) == float(f"{of_joint['band'].max():.2g}")

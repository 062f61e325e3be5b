"""The atlas: rows of a small model, twice the same, and what its page says of them."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
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
    counted = example("atlas_page").law(pd.DataFrame(rows | numbers))
    assert counted["coordinates"] == 3 and counted["within a factor of two [%]"] == pytest.approx(100 / 3)
    assert counted["of those where 1 % or more slides [%]"] == 50.0
    assert counted["within a factor of two, or both below 0.5 % [%]"] == pytest.approx(200 / 3)


def test_the_pages_have_the_numbers_of_the_table(example: Callable[[str], ModuleType]) -> None:
    """Tables of docs/atlas.md, and the front page's, of docs/atlas.csv; and these of both sides at all times."""
    atlas = pd.read_csv(ROOT / "docs/atlas.csv")
    sections = example("atlas_page").pages(atlas)
    for page, names in (("docs/atlas.md", sections), ("README.md", ["joints"])):
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in names:
            assert f"<!-- {name} -->\n\n{sections[name]}\n\n<!-- /{name} -->" in text
    assert atlas.loc[atlas["joint"] == "elbow", "largest"].abs().max() < 0.01, "the page says less than 1 %"
    motions = atlas[atlas["what"] == "motion"]
    knees = motions[motions["joint"] == "knee"]
    assert {name[-1] for name in knees["coordinate"]} == {"l", "r"}
    ends = 100 * knees[["change lower", "change upper"]].abs().max(axis=1) / knees["peak"].abs()
    assert (knees["band [%]"] > (1 - 1e-5) * ends).all()
    assert f"{knees['of peak [%]'].max():.2g} (" in re.search(r"\| knee .*", sections["joints"])[0]  # type: ignore[index]


def test_pages_state_the_wobble_of_both_legs(example: Callable[[str], ModuleType]) -> None:
    """Ranges of the front page are the ends of rows of the table of wobble; guides repeat the multiples of sliding."""
    atlas = pd.read_csv(ROOT / "docs/atlas.csv")
    sections = example("atlas_page").pages(atlas)
    hips = re.findall(r"\| hip flexion \| .* \| (\S+) to (\S+) \| .* \| (\S+) to (\S+) \|", sections["wobble"])
    low, high, least, most = np.array(hips, dtype=float).T
    front = " ".join(sections["joints"].split())
    assert f"by {low.min():g} to {high.max():g} % of its peak" in front
    assert f"wobble changes this moment by {least.min():g} to {most.max():g} %" in front
    (times,) = re.findall(r"\d+ to \d+ times as much as", front)
    for page in ("guides/choosing.md", "limits.md"):
        assert times in " ".join((ROOT / "docs" / page).read_text(encoding="utf-8").split())
    runs = atlas[atlas["wobble [%]"].notna()]
    assert set(runs.loc[runs["wobble, last filter [%]"].isna(), "of"]) == {"Hamner, running"}, "filtered only once"


@pytest.mark.slow
def test_published_numbers_are_those_of_the_page(example: Callable[[str], ModuleType], opensim_models: Path) -> None:
    atlas = example("atlas")
    table = example("atlas_page").published_table(atlas.published(atlas.Files({"opensim-models": opensim_models})))
    assert table in (ROOT / "docs/atlas.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_walk_has_the_changes_of_the_table(example: Callable[[str], ModuleType], opensim_models: Path) -> None:
    """Each time and coordinate of a public walk, anew from the forces that inverse dynamics gives."""
    atlas, table = example("atlas"), pd.read_csv(ROOT / "docs/atlas.csv")
    study = tomllib.loads((atlas.HERE / "atlas.toml").read_text(encoding="utf-8"))
    (entry,) = (entry for entry in study["motion"] if entry["name"] == "Gait10dof18musc, walking")
    files = atlas.Files({"opensim-models": opensim_models})
    inertial = atlas.inertial_model(files(entry["model"]), study["options"])
    recording = oi.Recording(files(entry["file"]), files(entry["loads"]), entry["cutoff"])
    result = oi.inverse_dynamics(inertial, recording, band=atlas.Uncertainty(draws=2000))
    rows = table[(table["what"] == "motion") & (table["of"] == entry["name"])].set_index("coordinate")
    assert len(rows) == 6
    for name, row in rows.iterrows():
        peak = result.lumped[name].abs().max()
        assert row["of peak [%]"] == pytest.approx(100 * result.difference[name].abs().max() / peak, rel=1e-5)
        ends = [np.nanmax(np.abs(end)) for end in result.difference_band(str(name))]
        assert row["band [%]"] == pytest.approx(100 * max(ends) / peak, rel=1e-5)

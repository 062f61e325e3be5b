"""``opensim-inertia masses``."""

from pathlib import Path

import pandas as pd
import pytest

from opensim_inertia import estimate_masses, read_masses, write_masses
from opensim_inertia.opensim_model.reading.loading import load_model
from opensim_inertia.options import SpecificTension


def test_prints_muscles_segments_and_total(demo, cli) -> None:
    outcome = cli("masses", demo.model)
    assert (outcome.code, outcome.err) == (0, "")
    model = load_model(demo.model)
    table = estimate_masses(model)
    lines = outcome.out.splitlines()
    assert lines[1].split() == ["muscle", "mass", "[kg]", "donor", "segment", "[cm]", "[cm]", "[cm]"]
    cells = {line.split()[0]: line.split()[1:] for line in lines if line.strip()}
    for row in table.itertuples(index=False):
        lengths = (row.belly, row.free_tendon_proximal, row.free_tendon_distal)
        assert cells[row.muscle] == [f"{row.mass:.4f}", row.segment, *(f"{100 * x:.1f}" for x in lengths)]
    assert max(map(len, lines)) <= 100
    (tibia,) = (line.split() for line in lines if line.startswith("tibia_r"))
    assert float(tibia[2]) == pytest.approx(table["mass"].sum(), abs=1e-4)
    assert float(tibia[3]) == pytest.approx(100 * float(tibia[2]) / float(tibia[1]), abs=0.06)
    assert float(tibia[1]) == pytest.approx(model.getBodySet().get("tibia_r").getMass(), abs=1e-4)  # four decimals
    assert f"total: {table['mass'].sum():.4f} kg in 4 muscles" in outcome.out
    assert list(Path.cwd().iterdir()) == []


def test_csv_reads_back(demo, cli) -> None:
    outcome = cli("masses", demo.model, "-o", "masses.csv", "--specific-tension", "0.5MPa", "--muscles", "gas*")
    assert "written to masses.csv" in outcome.out and "total: " in outcome.out and "gaslat_r" not in outcome.out
    table = estimate_masses(load_model(demo.model), SpecificTension(0.5e6), muscles="gas*")
    pd.testing.assert_frame_equal(read_masses("masses.csv"), table)
    outcome = cli("masses", demo.model, "--masses", "masses.csv", "-o", "masses.csv")
    assert outcome.code == 0
    pd.testing.assert_frame_equal(read_masses("masses.csv"), table)


def test_handsfield_lists_muscles_that_it_does_not_cover(cli, opensim_models: Path) -> None:
    model = opensim_models / "Models" / "Gait2392_Simbody" / "gait2392_thelen2003muscle.osim"
    outcome = cli("masses", model, "--method", "handsfield", "--height", "1.8")
    assert (outcome.code, outcome.err) == (0, "")
    assert "not covered, massless: ercspn_r, ercspn_l" in outcome.out
    assert "in 86 muscles" in outcome.out


def test_muscles_without_a_donor_are_listed(demo, cli) -> None:
    table = estimate_masses(demo.model)
    write_masses(table.assign(segment=["", *table["segment"][1:]]), "masses.csv")
    outcome = cli("masses", demo.model, "--masses", "masses.csv")
    assert f"added to the model, subtracted from no segment: {table['muscle'][0]}\n" in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["--plot"], {"masses.png"}),
        (["--plot", "-o", "new/table.csv"], {"new/table.csv", "new/masses.png"}),
        (["--plot", "leg.pdf", "-o", "new/table.csv"], {"new/table.csv", "leg.pdf"}),
    ],
)
def test_pictures(demo, cli, arguments: list[str], written: set[str]) -> None:
    outcome = cli("masses", demo.model, *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    here = Path.cwd()
    assert {p.relative_to(here).as_posix() for p in here.rglob("*") if p.is_file()} == written
    for name in written:
        assert f"written to {name}" in outcome.out
        start = {".png": b"\x89PNG", ".pdf": b"%PDF", ".csv": b"muscle"}[Path(name).suffix]
        assert Path(name).read_bytes().startswith(start)


def test_a_model_without_muscles(cli, opensim_models: Path) -> None:
    outcome = cli("masses", opensim_models / "Models" / "DoublePendulum" / "double_pendulum.osim")
    assert outcome.code == 0
    assert "total: 0.0000 kg in 0 muscles" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.osim"], "model file 'nothing.osim' does not exist"),
        (["MODEL", "--muscles", "soleus"], "did you mean 'soleus_r'?"),
        (["MODEL", "-o", "MODEL"], "it is an input"),
        (["MODEL", "-o", "new/masses.csv", "--masses", "no.csv"], "no.csv"),
        (["MODEL", "--method", "handsfield", "--height", "1.8"], "the whole person's mass"),
        (["MODEL", "--plot", "picture.tiff"], "the name of a picture"),
        (["MODEL", "--plot", "MODEL/picture.png"], "cannot write"),
        (["MODEL", "--reference", "no.mot"], "no.mot"),
    ],
)
def test_errors(demo, refused, arguments: list[str], message: str) -> None:
    before = demo.model.read_bytes()
    assert message in refused("masses", *(a.replace("MODEL", str(demo.model)) for a in arguments))
    assert demo.model.read_bytes() == before

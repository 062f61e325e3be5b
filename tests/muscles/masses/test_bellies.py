"""The belly columns of the mass table: what follows from what is given, what is refused, exact round trips."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.mass_tables import LENGTHS, new_table

from opensim_inertia import InertialModel, estimate_masses, read_masses, write_masses
from opensim_inertia.errors import FileFormatError, MassError, UnknownNameError
from opensim_inertia.muscles.masses.table import follow_muscles

Rods = Callable[..., Any]
ALONG = 0.12 * math.cos(0.3)  # m; fibre of the muscle of `pennate` along its path
SLACK = 0.2


@pytest.fixture
def pennate(rods: Rods) -> Any:
    """A muscle that no table covers: 0.2 m of slack, of which the default has half as aponeurosis."""
    model = rods(slack=SLACK)
    model.getMuscles().get("mus").setPennationAngleAtOptimalFiberLength(0.3)
    return model


def one(model: Any, **lengths: object) -> pd.Series:
    table = pd.DataFrame(
        {"muscle": ["mus"], "mass": [0.1], **{k: pd.Series([v], dtype=object) for k, v in lengths.items()}}
    )
    return estimate_masses(model, table=table).loc[0]


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ({}, (0.1 + ALONG, 0.0, 0.1)),
        ({"belly": 0.05 + ALONG}, (0.05 + ALONG, 0.0, 0.15)),
        ({"belly": SLACK + ALONG}, (SLACK + ALONG, 0.0, 0.0)),
        ({"free_tendon_proximal": 0.04}, (0.1 + ALONG, 0.04, 0.06)),
        ({"free_tendon_proximal": 0.15}, (0.05 + ALONG, 0.15, 0.0)),
        ({"free_tendon_distal": 0.04}, (0.1 + ALONG, 0.06, 0.04)),
        ({"free_tendon_distal": 0.2}, (ALONG, 0.0, 0.2)),
        ({"belly": 0.05 + ALONG, "free_tendon_proximal": 0.04}, (0.05 + ALONG, 0.04, 0.11)),
        ({"belly": 0.05 + ALONG, "free_tendon_distal": 0.04}, (0.05 + ALONG, 0.11, 0.04)),
        ({"free_tendon_proximal": 0.03, "free_tendon_distal": 0.04}, (0.13 + ALONG, 0.03, 0.04)),
    ],
)
def test_what_is_empty_is_what_is_left(lengths: dict[str, float], expected: tuple[float, ...], pennate: Any) -> None:
    row = one(pennate, **lengths)
    np.testing.assert_allclose([row[c] for c in LENGTHS], expected, atol=1e-15)
    for column, value in lengths.items():
        assert row[column] == value, "what is given stays"
    assert row["belly_source"].startswith("given by the user; " if lengths else "not in the table")


@pytest.mark.parametrize("empty", ["", "  ", None, math.nan, pd.NA])
def test_every_kind_of_empty_cell(empty: object, pennate: Any) -> None:
    assert one(pennate, belly=empty)["belly"] == pytest.approx(0.1 + ALONG)
    assert one(pennate, belly=0.2, free_tendon_proximal=empty)["free_tendon_distal"] == pytest.approx(ALONG)


@pytest.mark.parametrize("bad", [-1e-9, math.inf, -math.inf, "nan", "0.1", "long", True, 1j, [0.1]])
@pytest.mark.parametrize("column", LENGTHS)
def test_impossible_lengths_are_refused_by_name(column: str, bad: object, pennate: Any) -> None:
    with pytest.raises(MassError, match=f"'mus': '{column}' is .*; expected a (number of metres|finite number)"):
        one(pennate, **{column: bad})


@pytest.mark.parametrize(
    "lengths",
    [
        {"belly": SLACK + ALONG + 0.01},
        {"belly": ALONG - 0.01},
        {"free_tendon_proximal": 0.21},
        {"free_tendon_distal": 0.21},
        {"free_tendon_proximal": 0.11, "free_tendon_distal": 0.11},
        {"belly": 0.3, "free_tendon_proximal": 0.1},
    ],
)
def test_lengths_that_do_not_fit_the_muscle_are_named(lengths: dict[str, float], pennate: Any) -> None:
    with pytest.raises(MassError, match=r"'mus'.*do not fit.*slack length is 0\.2 m"):
        one(pennate, **lengths)


def test_three_lengths_must_add_up(pennate: Any) -> None:
    total = SLACK + ALONG
    fine = {"belly": 0.1 + ALONG, "free_tendon_proximal": 0.05, "free_tendon_distal": 0.05}
    for slip in (0.0, 0.9e-3 * total, -0.9e-3 * total):
        row = one(pennate, **{**fine, "belly": fine["belly"] + slip})
        assert [row[c] for c in LENGTHS] == [fine["belly"] + slip, 0.05, 0.05]
    with pytest.raises(MassError, match=f"'mus'.*add up to {total + 0.01:.6g} m; expected {total:.6g} m"):
        one(pennate, **{**fine, "free_tendon_distal": 0.06})


def test_what_the_kernel_gets_is_exact(pennate: Any) -> None:
    table = new_table(["mus"], [0.1], ["rod0"], ["x"], [[0.1 + ALONG + 1e-4], [0.05], [0.05]], ["mine"]).frame()
    before = table.copy(deep=True)
    parts = InertialModel(pennate, table).architecture["mus"]
    assert (parts.free_tendon_proximal, parts.free_tendon_distal, parts.source) == (0.05, 0.05, "mine")
    assert parts.slack_length == pytest.approx(SLACK, rel=1e-15) and parts.fibre == pytest.approx(ALONG, rel=1e-15)
    pd.testing.assert_frame_equal(table, before)
    # free tendons that are longer than the slack length by rounding
    table = new_table(["mus"], [0.1], ["rod0"], ["x"], [[ALONG], [0.1501], [0.05]]).frame()
    parts = InertialModel(pennate, table).architecture["mus"]
    assert (parts.aponeurosis, parts.free_tendon_distal) == (0.0, 0.05)
    assert parts.slack_length == pytest.approx(SLACK, rel=1e-15)


def test_old_tables_and_dicts_get_the_defaults(real: tuple[str, Any], tmp_path: Path) -> None:
    _, model = real
    table = estimate_masses(model)
    old = tmp_path / "old.csv"
    table[["muscle", "mass", "segment", "source"]].to_csv(old, index=False)
    assert read_masses(old)[list(LENGTHS)].isna().all().all()
    assert (read_masses(old)["belly_source"] == "").all()
    masses = dict(zip(table["muscle"], table["mass"], strict=True))
    for restored in (read_masses(old, model), estimate_masses(model, table=masses)):
        pd.testing.assert_frame_equal(restored[[*LENGTHS, "belly_source"]], table[[*LENGTHS, "belly_source"]])
        assert list(restored["segment"]) == list(table["segment"])


def test_a_written_table_comes_back_bit_by_bit(real: tuple[str, Any], tmp_path: Path) -> None:
    _, model = real
    table = estimate_masses(model)
    write_masses(table, tmp_path / "m.csv")
    table.attrs = {}
    for restored in (read_masses(tmp_path / "m.csv"), read_masses(tmp_path / "m.csv", model)):
        pd.testing.assert_frame_equal(restored, table, check_exact=True)


def test_lengths_in_a_file_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "masses.csv"

    def read(cell: str) -> pd.DataFrame:
        path.write_text(f"muscle,mass,belly\na,1,0.2\nb,1,{cell}\n")
        return read_masses(path)

    assert read("").loc[1, "belly_source"] == "" and read("").loc[0, "belly_source"] == "read from masses.csv"
    for cell in ("20 cm", "1_0"):
        with pytest.raises(FileFormatError, match=f"line 3: belly '{cell}' is not a number of metres"):
            read(cell)
    for cell in ("-1", "inf", "1e999"):
        with pytest.raises(MassError, match=r"masses.csv: muscle 'b': 'belly' is .* \(line 3\)"):
            read(cell)
    path.write_text("muscle,mass,bely\na,1,0.2\n")
    with pytest.raises(FileFormatError, match="did you mean 'belly'"):
        read_masses(path)
    with pytest.raises(UnknownNameError, match="free_tendon_distal"):
        write_masses(pd.DataFrame({"muscle": ["a"], "mass": [1.0], "free_tendon_dist": [0.1]}), path)


def test_a_table_follows_a_model_whose_muscles_change(pennate: Any) -> None:
    default = estimate_masses(pennate, table={"mus": 0.1})
    given = default.assign(belly=0.15, free_tendon_proximal=0.02, free_tendon_distal=math.nan)
    original = estimate_masses(pennate, table=given)
    longer = osim.Model(pennate)
    longer.getMuscles().get("mus").setTendonSlackLength(2 * SLACK)
    with pytest.raises(MassError, match="add up"):
        estimate_masses(longer, table=default)
    followed = estimate_masses(longer, table=follow_muscles(default, pennate))
    assert followed.loc[0, list(LENGTHS)].tolist() == pytest.approx([0.2 + ALONG, 0.0, 0.2])
    followed = estimate_masses(longer, table=follow_muscles(original, pennate))
    distal = SLACK + ALONG - 0.15 - 0.02
    assert followed.loc[0, list(LENGTHS)].tolist() == pytest.approx([0.15 + SLACK, 0.02, distal])
    assert followed.loc[0, "segment"] == original.loc[0, "segment"]

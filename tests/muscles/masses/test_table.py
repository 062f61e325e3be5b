"""The mass table: what is accepted, what is refused and how clearly, and exact round trips through CSV."""

import math
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fuzz.draws import Draw
from oracles.mass_tables import COLUMNS, new_table

from opensim_inertia import estimate_masses, read_masses, write_masses
from opensim_inertia.errors import FileFormatError, InertiaError, MassError, OptionError, UnknownNameError
from opensim_inertia.warnings import FurtherColumnsWarning

Rods = Callable[..., Any]


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "masses.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("kind", ["frame", "dict", "path", "path as text"])
def test_every_form_of_a_table_gives_the_same(kind: str, rods: Rods, tmp_path: Path) -> None:
    path = written(tmp_path, "mass,muscle\n0.1,mus\n")
    table = {
        "frame": pd.DataFrame({"muscle": ["mus"], "mass": [0.1]}),
        "dict": {"mus": 0.1},
        "path": path,
        "path as text": str(path),
    }[kind]
    checked = estimate_masses(rods(), table=table)
    assert tuple(checked.columns) == COLUMNS
    assert checked.loc[0, ["muscle", "mass", "segment"]].tolist() == ["mus", 0.1, "0.938 rod0 + 0.062 rod1"]
    assert checked.loc[0, "source"] == ("read from masses.csv" if kind.startswith("path") else "given by the user")


def test_a_given_segment_is_kept_and_the_input_is_not_changed(rods: Rods) -> None:
    table = pd.DataFrame({"muscle": ["mus"], "mass": [1], "segment": ["rod2"], "source": [None]}, index=[7])
    before = table.copy(deep=True)
    checked = estimate_masses(rods(), table=table)
    assert checked.loc[0, "segment"] == "rod2"
    assert isinstance(checked.loc[0, "mass"], float)
    checked.loc[0, "mass"] = 5.0
    pd.testing.assert_frame_equal(table, before)


@pytest.mark.parametrize("empty", ["", None, math.nan, pd.NA])
def test_an_empty_segment_means_that_nothing_is_subtracted(empty: object, rods: Rods, tmp_path: Path) -> None:
    table = pd.DataFrame({"muscle": ["mus"], "mass": [1.0], "segment": pd.Series([empty], dtype=object)})
    assert estimate_masses(rods(), table=table).loc[0, "segment"] == ""
    write_masses(table, tmp_path / "masses.csv")
    assert read_masses(tmp_path / "masses.csv", rods()).loc[0, "segment"] == ""


@pytest.mark.parametrize("mass", [-1e-9, math.nan, math.inf, -math.inf, "heavy", "1", None, True, 1j, [1.0]])
def test_impossible_masses_are_refused_by_name(mass: object, rods: Rods) -> None:
    with pytest.raises(MassError, match="'mus'"):
        estimate_masses(rods(), table={"mus": mass})  # type: ignore[dict-item]


def test_unknown_names_come_with_near_matches(rods: Rods) -> None:
    with pytest.raises(UnknownNameError, match=r"unknown muscle 'mus_r'.*'mus'") as muscle:
        estimate_masses(rods(), table={"mus_r": 1.0})
    assert muscle.value.near_matches == ["mus"]
    with pytest.raises(UnknownNameError, match="'rod1'") as segment:
        estimate_masses(rods(), table=new_table(["mus"], [1.0], ["Rod_1"], [""]))
    assert "rod1" in segment.value.near_matches
    with pytest.raises(UnknownNameError, match="did you mean 'segment'"):
        estimate_masses(rods(), table=pd.DataFrame({"muscle": ["mus"], "mass": [1.0], "segmnet": ["rod1"]}))


def test_malformed_tables_are_refused(rods: Rods) -> None:
    with pytest.raises(MassError, match="'mus' is listed twice"):
        estimate_masses(rods(), table=new_table(["mus", "mus"], [1.0, 2.0], ["", ""], ["", ""]))
    with pytest.raises(MassError, match="no column 'mass'"):
        estimate_masses(rods(), table=pd.DataFrame({"muscle": ["mus"]}))
    with pytest.raises(MassError, match="two columns"):
        estimate_masses(rods(), table=pd.DataFrame([["mus", 1.0, 2.0]], columns=["muscle", "mass", "mass"]))
    with pytest.raises(OptionError, match="list"):
        estimate_masses(rods(), table=[("mus", 1.0)])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("muscle|mass\nmus|1\n", "line 1 has an unknown column 'muscle|mass'; did you mean 'muscle'?"),
        ("name,kg\nmus,1\n", "line 1 has no column 'muscle', but 'name', 'kg'; the columns are muscle, mass, "),
        ("muscle;mass\nmus;1,2,3\n", "line 2: mass '1,2,3' is not a number"),
        ("muscle,mass,\nmus,1,2\n", "line 2 has '2' in a column without a name"),
        ("muscle,mas\nmus,1\n", "did you mean 'mass'"),
        ("muscle,segment\nmus,rod1\n", "line 1 has no column 'mass'"),
        ("muscle,mass,mass\nmus,1,2\n", "line 1 has the column 'mass' twice"),
        ("muscle,mass\nmus,1\n\nmus2\n", "line 4 has 1 cells, the header has 2"),
        ("muscle,mass\nmus,1,rod1\n", "line 2 has 3 cells, the header has 2"),
        ("muscle,mass\nmus,1 kg\n", "line 2: mass '1 kg' is not a number"),
        ("muscle,mass\nmus,1_0\n", "line 2: mass '1_0' is not a number"),
        ("muscle,mass\nmus,\n", "line 2: mass '' is not a number"),
        ("muscle,mass\n ,1\n", "line 2 names no muscle"),
        ('muscle,mass\nmus,1\n"mus2,2\n', "line 3: unexpected end of data"),
        (b"muscle,mass\nm\xff,1\n", "is not UTF-8"),
    ],
)
def test_malformed_files_name_the_file_and_the_line(text: str | bytes, complaint: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(FileFormatError) as error:
        read_masses(path)
    assert complaint in str(error.value)
    assert str(path) in str(error.value)


def test_impossible_masses_in_a_file_name_the_line(tmp_path: Path) -> None:
    for cell in ("-1", "nan", "inf", "1e999"):
        with pytest.raises(MassError, match=r"masses.csv: muscle 'b': 'mass' is .*\(line 3\)"):
            read_masses(written(tmp_path, f"muscle,mass\na,1\nb,{cell}\n"))
    with pytest.raises(MassError, match=r"'a' is listed twice \(line 3\)"):
        read_masses(written(tmp_path, "muscle,mass\na,1\na,1\n"))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_apart_as_the_country_has_it(separator: str, tmp_path: Path) -> None:
    number = "0.5" if separator == "," else "0,5"
    lines = [["muscle", "mass", "segment"], ["mus", number, "rod1"], ["mus2", "1.25e-1", "rod1"]]
    table = read_masses(written(tmp_path, "\n".join(separator.join(cells) for cells in lines)))
    assert table["mass"].tolist() == [0.5, 0.125]


def test_further_columns_are_kept_with_a_warning(tmp_path: Path) -> None:
    path = written(tmp_path, "muscle,measured by,mass,\nmus,MRI,0.5,\nmus2,,1,\n")
    with pytest.warns(FurtherColumnsWarning, match="'measured by' are kept, but have no effect"):
        table = read_masses(path)
    assert list(table.columns) == [name for name in COLUMNS if name != "segment"]
    write_masses(table, tmp_path / "again.csv")
    with pytest.warns(FurtherColumnsWarning):
        restored = read_masses(tmp_path / "again.csv")
    assert restored.attrs == table.attrs == {"further_columns": {"measured by": {"mus": "MRI", "mus2": ""}}}


def workbook(path: Path, *sheets: list[list[object]]) -> Path:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for sheet in [book.active, *(book.create_sheet() for _ in range(len(sheets) - 1))]:
        for row in sheets[book.worksheets.index(sheet)]:
            sheet.append(row)
    book.save(path)
    return path


def test_workbooks_give_what_text_gives(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Muscle", "mass", "segment"], ["mus", 0.1, "rod1"], [None, None], ["mus2", 2, None]]
    table = read_masses(workbook(tmp_path / "masses.xlsx", rows, []))
    text = read_masses(written(tmp_path, "Muscle,mass,segment\nmus,0.1,rod1\nmus2,2,\n"))
    assert table.drop(columns="source").equals(text.drop(columns="source"))


def test_workbooks_that_are_not_plain_are_refused(tmp_path: Path) -> None:
    rows: list[list[object]] = [["muscle", "mass"], ["mus", "=1+1"]]
    with pytest.raises(FileFormatError, match="cell B2 is a formula"):
        read_masses(workbook(tmp_path / "masses.xlsx", rows))
    with pytest.raises(FileFormatError, match="has 2 sheets with something in them, 'Sheet', 'Sheet1'"):
        read_masses(workbook(tmp_path / "masses.xlsx", rows, rows))
    with pytest.raises(FileFormatError, match="line 3: mass 'much' is not a number"):
        read_masses(workbook(tmp_path / "masses.xlsx", [["muscle", "mass"], [], ["mus", "much"]]))
    whole = workbook(tmp_path / "masses.xlsx", rows).read_bytes()
    middle = len(whole) // 2
    for damaged in (b"PK nothing", whole[:900], whole[:middle] + b"x" * 40 + whole[middle + 40 :]):
        (tmp_path / "masses.xlsx").write_bytes(damaged)
        with pytest.raises(FileFormatError, match="cannot be read as a workbook") as error:
            read_masses(tmp_path / "masses.xlsx")
        if sys.platform == "linux":
            assert "masses.xlsx" not in {Path("/dev/fd", name).resolve().name for name in os.listdir("/dev/fd")}, error
        (tmp_path / "masses.xlsx").unlink()  # Windows refuses it while a file is open
    (tmp_path / "masses.ods").touch()
    with pytest.raises(FileFormatError, match="is a workbook of a kind that is not read: save it as .xlsx"):
        read_masses(tmp_path / "masses.ods")


def test_spreadsheets_leave_marks_that_do_no_harm(tmp_path: Path) -> None:
    table = read_masses(written(tmp_path, b"\xef\xbb\xbfMuscle , Mass,Segment\r\n mus ,0.5, rod1 \r\n,,\r\n"))
    assert table.loc[:, ["muscle", "mass", "segment"]].to_numpy().tolist() == [["mus", 0.5, "rod1"]]


GOOD = b'muscle,mass,segment,source\nsoleus_r,0.313,tibia_r,a\ntib_ant_r,0.157,tibia_r,"b, c"\nper_tert_r,0,calcn_r,d\n'


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.FurtherColumnsWarning")
def test_damaged_files_give_a_named_error_or_a_valid_table(tmp_path: Path) -> None:
    read = 0
    for seed in range(100):
        draw, data = Draw(seed), GOOD
        for _ in range(draw.randint(1, 3)):
            data = draw.spoiled(data, [b'"', b",", b"\n"], 12)
        path = written(tmp_path, data)
        try:
            table = read_masses(path)
        except InertiaError as error:
            assert path.name in str(error), data
        else:
            assert tuple(table.columns) in (COLUMNS, tuple(name for name in COLUMNS if name != "segment"))
            assert np.all(np.isfinite(table["mass"])) and np.all(table["mass"] >= 0), data
            assert table["muscle"].is_unique and (table["muscle"] != "").all(), data
            read += 1
    assert 0 < read < 100


def test_columns_of_swinging_are_read_and_written(rods: Rods, tmp_path: Path) -> None:
    """Names in any case; tables without them stay as they are; what no belly can have is refused by name and line."""
    path = written(tmp_path, "muscle,mass,wobble frequency [hz],Wobble Damping\nmus,0.1234567890123456,14,\n")
    table = read_masses(path, rods())
    assert tuple(table.columns) == (*COLUMNS, "wobble frequency [Hz]", "wobble damping")
    assert table.loc[0, "wobble frequency [Hz]"] == 14.0 and math.isnan(table.loc[0, "wobble damping"])
    write_masses(table, path)
    pd.testing.assert_frame_equal(read_masses(path, rods()), table, check_exact=True)
    for header, cell, why in (
        ("wobble frequency [Hz]", "0", "'wobble frequency [Hz]' is 0 (line 2); expected a finite number above 0"),
        ("wobble frequency [Hz]", "-3", "'wobble frequency [Hz]' is -3 (line 2)"),
        ("wobble damping", "-0.1", "'wobble damping' is -0.1 (line 2); expected a finite number, 0 or more"),
    ):
        with pytest.raises(MassError, match=re.escape(why)):
            read_masses(written(tmp_path, f"muscle,mass,{header}\nmus,0.1,{cell}\n"))
    with pytest.raises(FileFormatError, match="line 2: wobble damping 'much' is not a number"):
        read_masses(written(tmp_path, "muscle,mass,wobble damping\nmus,0.1,much\n"))
    with pytest.raises(FileFormatError, match=re.escape("did you mean 'wobble frequency [Hz]'")):
        read_masses(written(tmp_path, "muscle,mass,wobble frequency\nmus,0.1,14\n"))
    frame = pd.DataFrame({"muscle": ["mus"], "mass": [0.1]})
    with pytest.raises(MassError, match="'mus': 'wobble damping' is 'much'"):
        estimate_masses(rods(), table=frame.assign(**{"wobble damping": ["much"]}))
    with pytest.raises(UnknownNameError, match="did you mean 'wobble damping'"):
        estimate_masses(rods(), table=frame.assign(**{"wobble dampng": [0.1]}))

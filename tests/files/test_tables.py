"""Tables against OpenSim's own readers and writers, and against damage."""

import re
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from fuzz.draws import Draw

from opensim_inertia._kernel import rows_as_text
from opensim_inertia.errors import FileFormatError, InertiaError, OutputError
from opensim_inertia.files import read_motion_table, read_table, write_table
from opensim_inertia.files.tables import ROWS_AT_ONCE

WALK = "Pipelines/Gait2392_Simbody/subject01_walk1_ik.mot"
TABLES = [
    WALK,
    "Pipelines/Gait2392_Simbody/subject01_walk1_grf.mot",
    "Pipelines/Gait2392_Simbody/OutputReference/ResultsInverseDynamics/InverseDynamicsOutput.sto",
    "Pipelines/Gait10dof18musc/OutputReference/IK/subject01_walk_IK.mot",
    "Pipelines/Hamner/outputReference/ResultsIK/subject02_running_ik.mot",
    "Pipelines/Hamner/subject02_running_grf.mot",  # 601 rows, 901 in the header
]
SOUND = "motion\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\ta\tb\n0.0\t1.5\t-2e-3\n0.5\t3\t4\n"


def opensim_storage(path: Path) -> tuple[list[str], np.ndarray, bool]:
    """Labels, cells (time first) and inDegrees as OpenSim's tools read them."""
    storage = osim.Storage(str(path))
    labels = [storage.getColumnLabels().get(i) for i in range(storage.getColumnLabels().getSize())]
    times = osim.ArrayDouble(0.0, storage.getSize())
    storage.getTimeColumn(times)
    columns = [times.getAsVector().to_numpy()]
    for index in range(len(labels) - 1):
        column = osim.ArrayDouble()
        storage.getDataColumn(index, column)
        columns.append(column.getAsVector().to_numpy())
    return labels, np.column_stack(columns), storage.isInDegrees()


def text_file(folder: Path, text: str, name: str = "table.sto") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("file", TABLES)
def test_real_tables_read_as_opensim_reads_them(opensim_models: Path, file: str) -> None:
    path = opensim_models / file
    labels, cells, in_degrees = opensim_storage(path)
    table = read_table(path)
    assert ["time", *table.columns] == labels and table.index.name == "time"
    np.testing.assert_array_equal(table.reset_index().to_numpy(), cells)
    assert table.attrs["inDegrees"] == in_degrees
    assert np.ptp(table.to_numpy()) > 0


@pytest.mark.parametrize("name", ["old.mot", "old.sto"])
@pytest.mark.parametrize(
    "header",
    [
        "motion\nnRows=2\nnColumns=3\nendheader\n",
        "name motion\ndatacolumns 3\ndatarows 2\notherdata 1\nrange 0 1\nendheader\n",
        "motion\nnr=2\nnc=3\nAngles are in degrees.\n\nendheader\n\n",
        "motion\nnr=2\nnc=3\ninDegrees=y\nAngles are in radians.\nendheader\n",
        "motion\nversion=1\nnRows=2\nnColumns=3\nAngles are in degrees.\nendheader\n",
        "motion\r\nversion=1\r\nnRows=2\r\nnColumns=3\r\ninDegrees=Yes\r\nendheader\r\n",
        "motion\nversion=1\nnRows=2\nnColumns=3\nendheader  \n\n",
        "name motion\ndatacolumns 3\ndatarows 2\notherdata 1\nrange 0 1\nevent 0 heel_strike\nendheader\n",
    ],
)
def test_headers_mean_what_opensim_takes_them_to_mean(tmp_path: Path, header: str, name: str) -> None:
    path = text_file(tmp_path, header + "time  a\tb \n 0 1 2\n\n1 2.5 .5e1", name)
    labels, cells, in_degrees = opensim_storage(path)
    table = read_table(path)
    assert ["time", *table.columns] == labels
    np.testing.assert_array_equal(table.reset_index().to_numpy(), cells)
    assert table.attrs["inDegrees"] == in_degrees


def test_tables_that_opensim_writes_now(tmp_path: Path) -> None:
    opensim_table = osim.TimeSeriesTable(
        osim.StdVectorDouble([0.0, 0.1, 0.3]),
        osim.Matrix.createFromMat(np.array([[1.0, np.nan], [3.0, 4.0], [1 / 3, 5.0]])),
        osim.StdVectorString(["/a/value", "b"]),
    )
    opensim_table.addTableMetaDataString("inDegrees", "no")
    opensim_table.addTableMetaDataString("nRows", "7")
    path = tmp_path / "now.sto"
    osim.STOFileAdapter.write(opensim_table, str(path))
    table = read_table(path)
    read_back = osim.TimeSeriesTable(str(path))
    np.testing.assert_array_equal(table.to_numpy(), read_back.getMatrix().to_numpy())
    assert list(table.columns) == ["/a/value", "b"] and not table.attrs["inDegrees"]


def test_rotations_become_radians_where_opensim_converts_them(opensim_models: Path, tmp_path: Path) -> None:
    model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    model.initSystem()
    coordinates = [model.getCoordinateSet().get(i) for i in range(model.getCoordinateSet().getSize())]
    kinds = {coordinate.getName(): coordinate.getMotionType() for coordinate in coordinates}
    assert len(set(kinds.values())) == 3, "rotational, translational and coupled"
    labels = [coordinate.getName() for coordinate in coordinates]
    labels += [coordinate.getAbsolutePathString() + end for coordinate in coordinates for end in ("/value", "/speed")]
    labels += ["soleus_r/activation", "unknown"]
    path = tmp_path / "all.sto"
    write_table(pd.DataFrame(np.full((2, len(labels)), 90.0), index=[0.0, 1.0], columns=labels), path, in_degrees=True)
    storage = osim.Storage(str(path))
    model.getSimbodyEngine().convertDegreesToRadians(storage)
    table = read_motion_table(path, model)
    for index, label in enumerate(labels):
        column = osim.ArrayDouble()
        storage.getDataColumn(index, column)
        assert table[label].iloc[0] == column.get(0), label
    assert set(np.unique(table)) == {90.0, np.pi / 2}
    assert not table.attrs["inDegrees"]
    write_table(table, path)
    pd.testing.assert_frame_equal(read_motion_table(path, model), table)


@pytest.mark.parametrize("name", ["written.sto", "written.mot"])
def test_opensim_reads_what_is_written(opensim_models: Path, tmp_path: Path, name: str) -> None:
    table = read_table(opensim_models / WALK) / 3
    table.attrs["inDegrees"] = True
    path = tmp_path / name
    write_table(table, path)
    labels, cells, in_degrees = opensim_storage(path)
    assert labels == ["time", *table.columns] and in_degrees
    np.testing.assert_array_equal(cells, table.reset_index().to_numpy())
    opensim_table = osim.TimeSeriesTable(str(path))
    np.testing.assert_array_equal(opensim_table.getMatrix().to_numpy(), table.to_numpy())
    np.testing.assert_array_equal(opensim_table.getIndependentColumn(), table.index)
    assert opensim_table.getTableMetaDataString("inDegrees") == "yes"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("  \n\n", "empty"),
        ("a,b\n1,2\n", "is not an OpenSim table"),
        (SOUND.replace("endheader\n", ""), "is not an OpenSim table"),
        (SOUND[: SOUND.index("time")], "no line of column labels"),
        (SOUND[: SOUND.index("0.0")], "there are no rows"),
        (SOUND.replace("time", "t"), "'t', expected 'time'"),
        (SOUND.replace("\tb", "\ttime"), "'time' is there more than once"),
        (SOUND.replace("-2e-3", "two"), "line 8: 'two' is not a number"),
        (SOUND.replace("-2e-3", "1_0"), "line 8: '1_0' is not a number"),
        (SOUND.replace("-2e-3", "\u0661"), "line 8: '\u0661' is not a number"),
        (SOUND.replace("\t-2e-3", ""), "line 8 has 2 cells, expected 3"),
        (SOUND.replace("-2e-3", "-0,002"), "line 8: '-0,002' is not a number.* decimal commas; write decimal points"),
        (SOUND.replace("version=1", "version=one"), "line 2: version is 'one'"),
        (SOUND.replace("version=1", "version=3\nDataType=Vec3").replace("1.5", "1,2,3"), "holds Vec3"),
    ],
)
def test_damage_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = text_file(tmp_path, text)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_table(path)
    assert caught.value.path == str(path) and str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ("nRows=2", "nRows=5000", "the header says 5000 rows, the file has 2, .* not cut off"),
        ("nRows=2", "nRows=1", "the header says 1 rows, the file has 2, and all are read$"),
        ("nColumns=3", "nColumns=4", "the header says 4 columns, the file has 3"),
        ("nColumns=3", "nColumns=many", "the header says many columns, the file has 3"),
    ],
)
def test_wrong_counts_are_said_and_the_rows_stand(tmp_path: Path, old: str, new: str, note: str) -> None:
    table, sound = (read_table(text_file(tmp_path, text)) for text in (SOUND.replace(old, new), SOUND))
    np.testing.assert_array_equal(table.reset_index().to_numpy(), sound.reset_index().to_numpy())
    assert len(table.attrs["notes"]) == 1 and re.search(note, table.attrs["notes"][0])
    assert "notes" not in sound.attrs


@pytest.mark.parametrize("encode", [str.encode, lambda text: ("\ufeff" + text).encode(), lambda t: t.encode("latin-1")])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("pad", ["", "   "])
def test_padding_encodings_and_line_ends_change_nothing(tmp_path: Path, encode, end: str, pad: str) -> None:
    text = SOUND.replace("motion", "Übung").replace("endheader\n", "endheader \n\n").replace("\t", pad + "\t")
    path = tmp_path / "table.mot"
    path.write_bytes(encode(text.replace("\n", pad + end)))
    table, sound = read_table(path), read_table(text_file(tmp_path, SOUND))
    pd.testing.assert_frame_equal(table, sound, check_exact=True)
    assert table.attrs == {"inDegrees": True, "name": "Übung"}


@pytest.mark.parametrize("in_degrees", [True, False])
def test_files_without_a_header_need_the_unit(tmp_path: Path, in_degrees: bool) -> None:
    bare = text_file(tmp_path, SOUND[SOUND.index("time") :].replace("time", "Time"), "bare.mot")
    with pytest.raises(FileFormatError, match="no header.*--in-degrees or --in-radians"):
        read_table(bare)
    table, sound = read_table(bare, in_degrees), read_table(text_file(tmp_path, SOUND))
    pd.testing.assert_frame_equal(table, sound, check_exact=True)
    assert table.attrs["inDegrees"] == in_degrees
    assert read_table(text_file(tmp_path, SOUND), in_degrees).attrs["inDegrees"] == in_degrees


def test_columns_of_one_label_are_all_there(tmp_path: Path) -> None:
    table, other = (read_table(text_file(tmp_path, text)) for text in (SOUND.replace("\tb", "\ta"), SOUND))
    assert list(table.columns) == ["a", "a"]
    np.testing.assert_array_equal(table.to_numpy(), other.to_numpy())


#: Contents that random search has found.
FOUND = (SOUND.replace("nRows=2", "nRows=2147483648").encode(), SOUND.replace("nColumns=3", "nColumns=0").encode())


def test_no_damage_gets_through_as_another_error(tmp_path: Path) -> None:
    pieces = [b"\0", b"\n", b"\t", b"nan", b"-", b"endheader\n"]
    path = tmp_path / "damaged.mot"
    read = 0
    for content in (*FOUND, *(Draw(seed).spoiled(SOUND.encode(), pieces, 12) for seed in range(150))):
        path.write_bytes(content)
        try:
            table = read_table(path)
        except InertiaError as error:
            assert str(path) in str(error), content
        else:
            assert table.to_numpy().dtype == float, content
            read += 1
    assert 0 < read < 150


def sound_frame() -> pd.DataFrame:
    return pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=[0.0, 0.5])


@pytest.mark.parametrize(
    ("table", "name", "message"),
    [
        (sound_frame(), "x.csv", "ends in .sto or .mot"),
        (sound_frame().rename(columns={"b": "a"}), "x.sto", "'a' is there more than once"),
        (sound_frame().rename(columns={"b": "time"}), "x.sto", "'time' is there more than once"),
        (sound_frame().rename(columns={"b": "b c"}), "x.sto", "blanks"),
        (sound_frame().rename(columns={"b": ""}), "x.sto", "empty"),
        (sound_frame().iloc[:0], "x.sto", "0 rows"),
        (sound_frame().set_index(pd.Index([0.5, 0.5])), "x.sto", "increase"),
        (sound_frame().set_index(pd.Index([0.0, np.nan])), "x.sto", "not finite"),
        (sound_frame().assign(b=[0.0, np.nan]), "x.sto", "'b' is nan at time 0.5"),
        (sound_frame().assign(b="x"), "x.sto", "not a number"),
    ],
)
def test_tables_that_opensim_would_misread_are_refused(
    tmp_path: Path, table: pd.DataFrame, name: str, message: str
) -> None:
    with pytest.raises(OutputError, match=message):
        write_table(table, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_text_is_what_python_writes() -> None:
    """Every kind of number: random bits, powers of ten, whole numbers, and where exponents begin and end."""
    rng = np.random.default_rng(0)
    values = [5e-324, 1.7976931348623157e308, 1e16, 9999999999999998.0, 1e15, 0.0001, 0.00012345, 1e-5, 9.5e-5, -0.0]
    values += [np.nan, np.inf, -np.inf, 100.0, -2.5, 1 / 3, 123456789012345680.0, 1e22, 1e23]
    values += rng.integers(0, 2**64, 20_000, dtype=np.uint64).view(float).tolist()
    values += [*(10.0 ** np.arange(-320, 309)).tolist(), *rng.integers(-(10**17), 10**17, 5000).astype(float).tolist()]
    text = rows_as_text(np.array(values)[:, None]).decode()
    assert text == "".join(f"{value!r}\n" for value in values)
    assert rows_as_text(np.array([[1.0, 2.0], [3.0, 4.0]])) == b"1.0\t2.0\n3.0\t4.0\n"
    assert rows_as_text(np.zeros((0, 3))) == b""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_long_tables_come_back_to_the_last_bit(tmp_path: Path, end: str) -> None:
    rng = np.random.default_rng(0)
    rows = 2 * ROWS_AT_ONCE + 3
    cells = rng.normal(size=(rows, 3)) * 10.0 ** rng.integers(-30, 30, (rows, 3))
    table = pd.DataFrame(cells, index=pd.Index(np.arange(rows) / 64, name="time"), columns=["a", "b", "c"])
    path = tmp_path / "long.sto"
    write_table(table, path, in_degrees=False, name="long", notes={"note": "\u00b0 and others"})
    path.write_bytes(path.read_bytes().replace(b"\n", end.encode()))
    pd.testing.assert_frame_equal(read_table(path), table, check_exact=True)


def test_numbers_are_read_to_the_last_bit(tmp_path: Path) -> None:
    """Against Python's own ``float``: extremes, many digits, and decimals half way between two doubles."""
    rng = np.random.default_rng(0)
    words = ["5e-324", "1.7976931348623157e308", "-0.0", "9007199254740993", "0.1", "+3.", ".5", "1E5", "1e-05"]
    words += [f"{x:.25f}" for x in rng.random(500)] + [f"{x:.17e}" for x in rng.normal(size=500) * 1e30]
    words += [repr(x) for x in (rng.normal(size=500) * 10.0 ** rng.integers(-300, 300, 500)).tolist()]
    lines = [f"{row}\t{word}" for row, word in enumerate(words)]
    file = tmp_path / "numbers.sto"
    for blanks in ("\t", "  \t "):
        text = "\n".join(line.replace("\t", blanks) for line in lines)
        file.write_text(
            f"numbers\nversion=1\nnRows={len(words)}\nnColumns=2\ninDegrees=no\nendheader\ntime\ta\n{text}\n"
        )
        assert read_table(file)["a"].tolist() == [float(word) for word in words]

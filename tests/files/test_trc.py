"""Marker files against OpenSim's readers of them."""

import sys
from pathlib import Path

import numpy as np
import opensim as osim
import pytest

from opensim_inertia._core.checks import narrow_name
from opensim_inertia.errors import FileFormatError, OutputError
from opensim_inertia.files import read_trc, write_trc

TIMES = np.array([0.0, 0.01, 0.02, 0.035])
POSITIONS = np.random.default_rng(1).normal(size=(4, 2, 3))
WITH_NAN = POSITIONS.copy()
WITH_NAN[2, 1, 0] = np.nan
LABELS = ["soleus_r.1", "vas_int_l"]


@pytest.mark.parametrize(("units", "per_metre"), [("m", 1.0), ("mm", 1000.0)])
def test_opensim_reads_the_points_back(tmp_path: Path, units: str, per_metre: float) -> None:
    path = tmp_path / "points.trc"
    write_trc(path, TIMES, POSITIONS, LABELS, units)
    table = osim.TimeSeriesTableVec3(str(path))
    assert list(table.getColumnLabels()) == LABELS
    assert table.getTableMetaDataString("Units") == units
    np.testing.assert_array_equal(table.getIndependentColumn(), TIMES)
    for column, label in enumerate(LABELS):
        points = table.getDependentColumn(label)
        for row in range(len(TIMES)):
            np.testing.assert_array_equal(points[row].to_numpy(), POSITIONS[row, column] * per_metre)


def test_names_of_files_and_folders_have_letters_of_any_language(tmp_path: Path) -> None:
    for path in (tmp_path / "Müller" / "points.trc", tmp_path / "größe.trc", tmp_path / "Ωμέγα" / "ł.trc"):
        write_trc(path, TIMES, POSITIONS, LABELS)
        np.testing.assert_array_equal(read_trc(path)[2], POSITIONS)


@pytest.mark.skipif(sys.platform != "win32", reason="OpenSim opens every name of UTF-8 here")
def test_letters_that_opensim_cannot_open_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="the letter 'Ω' on Windows; use a folder without it"):
        narrow_name(tmp_path / "Ω" / "absent.osim")  # as where Windows keeps no short names


@pytest.mark.parametrize("units", ["m", "mm"])
def test_markers_are_read_in_metres_with_their_gaps(tmp_path: Path, units: str) -> None:
    path = tmp_path / "points.trc"
    write_trc(path, TIMES, POSITIONS, LABELS, units)
    lines = path.read_text().splitlines()
    cells = lines[-1].split("\t")
    lines[-1] = "\t".join([*cells[:2], "", "", "", *cells[5:]])
    path.write_text("\n".join([*lines, ""]))
    times, labels, positions = read_trc(path)
    assert labels == LABELS and np.array_equal(times, TIMES) and np.isnan(positions[-1, 0]).all()
    np.testing.assert_allclose(positions[:-1], POSITIONS[:-1], rtol=1e-15)
    np.testing.assert_allclose(positions[-1, 1], POSITIONS[-1, 1], rtol=1e-15)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("\tmm\t", "\tfurlong\t", "its unit is 'furlong', expected 'm' or 'mm'"),
        ("\n2\t0.01\t", "\n2\t-1.0\t", "cannot read it as markers"),
        ("PathFileType", "Nonsense", "cannot read it as markers"),
    ],
)
def test_what_is_no_file_of_markers_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    path = tmp_path / "points.trc"
    write_trc(path, TIMES, POSITIONS, LABELS, "mm")
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(FileFormatError, match=rf"points\.trc: .*{reason}"):
        read_trc(path)
    with pytest.raises(FileFormatError, match=r"absent\.trc: .*does not exist"):
        read_trc(tmp_path / "absent.trc")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TIMES[:3], POSITIONS, LABELS), "3 times for 4 rows"),
        ((TIMES[::-1], POSITIONS, LABELS), "increase"),
        ((TIMES, POSITIONS, LABELS[:1]), "expected \\(T, 1, 3\\)"),
        ((TIMES, POSITIONS, ["a", "a"]), "'a' is there more than once"),
        ((TIMES, POSITIONS, ["a", "b c"]), "blanks"),
        ((TIMES, WITH_NAN, LABELS), "'vas_int_l' is nan"),
        ((TIMES, {}), "one shape"),
        ((TIMES, {"a": POSITIONS[:, 0], "b": POSITIONS[:2, 1]}), "one shape"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path: Path, arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(OutputError, match=message):
        write_trc(tmp_path / "x.trc", *arguments)
    assert not list(tmp_path.iterdir())

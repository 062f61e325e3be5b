"""OpenSim's tables over time, ``.sto`` and ``.mot``.

The header follows ``OpenSim::Storage``. A file without an ``inDegrees`` line is in radians, as OpenSim's page "Storage
(.sto) Files" states (https://opensimconfluence.atlassian.net/wiki/spaces/OpenSim/pages/53089996); a ``.mot`` without a
version is in degrees (``Storage``'s constructor). Unlike in OpenSim, the counts of the header are ignored, and a cell
that is not a number raises an error with its line.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .._core.arrays import Array
from .._core.checks import TABLE, file_content
from .._core.diagnostics import Diagnostic, raise_or_warn
from .._core.errors import (
    OPENSIM_ERRORS,
    FileFormatError,
    ModelError,
    MotionError,
    OutputError,
    nearest_file,
    opensim_reason,
    system_reason,
)
from .._core.opensim import osim
from .._kernel import rows_as_text
from .atomic import writing

if TYPE_CHECKING:
    import pandas as pd

SUFFIXES = (".sto", ".mot")
END_OF_HEADER = "endheader"
#: Rows that are written at once, to limit memory.
ROWS_AT_ONCE = 4096
#: Header keys, by field.
KEYS = {"name": "name", "DataType": "data_type"} | dict.fromkeys(("nr", "nRows", "datarows"), "rows")
KEYS |= dict.fromkeys(("nc", "nColumns", "datacolumns"), "columns")
LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, eq=False)
class Table:
    """A table over time; cells that come from a user's DataFrame may be non-numeric."""

    times: Array  # (rows,) [s]
    labels: tuple[str, ...]  # of columns; may repeat
    values: Array  # (rows, columns)
    in_degrees: bool = False  # whether rotations are in degrees
    origin: str = ""  # name in messages
    name: str = ""  # first line of the header
    findings: tuple[Diagnostic, ...] = ()  # on the header and on repeated times

    def __len__(self) -> int:
        return len(self.times)

    def columns(self, places: Sequence[int], labels: Iterable[str] | None = None) -> Table:
        """Return a table of the columns at indices ``places``, relabelled if ``labels`` are given."""
        labels = [self.labels[i] for i in places] if labels is None else labels
        return replace(self, labels=tuple(labels), values=self.values[:, list(places)])

    def frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame in the form of :func:`read_table`."""
        import pandas as pd

        frame = pd.DataFrame(self.values, index=pd.Index(self.times, name="time"), columns=list(self.labels))
        notes = {"notes": [finding.text for finding in self.findings]} if self.findings else {}
        frame.attrs.update({"inDegrees": self.in_degrees, "name": self.name} | notes)
        return frame


def read_table(path: str | os.PathLike[str], in_degrees: bool | None = None) -> pd.DataFrame:
    """Read a ``.sto`` or ``.mot`` file without converting units.

    Args:
        path: the file.
        in_degrees: whether rotations are in degrees, overriding the header; required for files that start with labels
            instead of a header.

    Returns:
        a DataFrame with one row per time and one float column per label; the index, named ``"time"``, is the time [s].
        ``attrs["inDegrees"]`` is True if rotations are in degrees, ``attrs["name"]`` is the header's name.
        ``attrs["notes"]``, if present, lists wrong counts in the header.
        Repeated columns are kept, as in OpenSim; functions that use a repeated column raise an error.
        ``nan`` and ``inf`` cells are kept.

    Raises:
        FileFormatError: the file is missing, empty or malformed: no header and no ``in_degrees``, no ``time`` column or
            two of them, a cell that is not a number, a row of the wrong length.
    """
    return load_table(path, in_degrees=in_degrees).frame()


def load_table(
    source: str | os.PathLike[str] | pd.DataFrame | Table, origin: str = "", in_degrees: bool | None = None
) -> Table:
    """Return a file or DataFrame as a :class:`Table`; ``origin`` names a DataFrame in messages."""
    if isinstance(source, Table):
        return source
    if isinstance(source, str | os.PathLike) or not hasattr(source, "to_numpy"):
        return _read(source, in_degrees)
    try:
        values = source.to_numpy(dtype=float)
    except (TypeError, ValueError):  # reported by `checked_numbers`
        values = source.to_numpy(dtype=object)
    attrs = source.attrs
    findings = tuple(Diagnostic("note", "header", origin, text) for text in attrs.get("notes", ()))
    labels, degrees = tuple(map(str, source.columns)), bool(attrs.get("inDegrees", False))
    return Table(np.asarray(source.index), labels, values, degrees, origin, str(attrs.get("name") or ""), findings)


def _read(path: str | os.PathLike[str], in_degrees: bool | None) -> Table:
    text = text_of(path)
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    if not text or text.isspace():
        raise FileFormatError(path, "the file is empty")
    header, degrees, lines = _parse_header(path, text, in_degrees)
    number, label_row = next(((number, line) for number, line in lines if line[0].strip()), (0, None))
    if label_row is None:
        raise FileFormatError(path, f"there is no line of column labels after '{END_OF_HEADER}'")
    labels = label_row[0].split()
    if labels[0].lower() != "time":
        raise FileFormatError(path, f"line {number}: the first column is '{labels[0]}', expected 'time'")
    labels[0] = "time"
    if labels.count("time") > 1:
        raise FileFormatError(path, "column 'time' is there more than once")
    cells = _parse_cells(path, text[label_row.end() :], number + 1, labels, header.get("data_type", "double"))
    if not len(cells):
        raise FileFormatError(path, "there are no rows")
    notes = []
    for what, there in (("rows", len(cells)), ("columns", len(labels))):
        said = header.get(what, str(there))
        if int(header.get("version", 0)) <= 1 and said != str(there):  # newer files copy wrong counts from other tables
            cut_off = said.isdigit() and int(said) > there and what == "rows"
            note = f"the header says {said} {what}, the file has {there}, and all are read"
            note += "; see that the file was not cut off" if cut_off else ""
            notes.append(Diagnostic("note", "header", os.fspath(path), note))
    values, name = np.ascontiguousarray(cells[:, 1:]), header.get("name", "")
    return Table(cells[:, 0].copy(), tuple(labels[1:]), values, degrees, os.fspath(path), name, tuple(notes))


def check_unique(path: str | os.PathLike[str], labels: Iterable[str], used: Iterable[str]) -> None:
    """Raise :class:`FileFormatError` if one of the ``used`` labels occurs more than once in ``labels``."""
    counts = Counter(labels)
    for label in used:
        if counts[label] > 1:
            raise FileFormatError(path, f"column '{label}' is there more than once")


def read_motion_table(path: str | os.PathLike[str], model: osim.Model) -> pd.DataFrame:
    """Read a table of coordinates or states, with rotations converted to radians.

    Args:
        path: the file.
        model: the model that determines rotational columns.

    Returns:
        as :func:`read_table`; ``attrs["inDegrees"]`` is False.

    Raises:
        FileFormatError: as :func:`read_table`; a cell or time is not a finite number, or times do not increase.

    Rows that repeat a time are removed, with an :class:`InputWarning` if they differ.
    """
    return load_motion_table(path, model).frame()


def load_motion_table(path: str | os.PathLike[str], model: osim.Model) -> Table:
    """Return the result of :func:`read_motion_table` as a :class:`Table`."""
    table = without_repeats(load_table(path))
    raise_or_warn(table.findings, MotionError)
    checked_numbers(table, partial(FileFormatError, path))
    return rotations_to_radians(table, model)


def rotations_to_radians(table: Table, model: osim.Model) -> Table:
    """Return the table with independent rotational coordinates in radians, converted if ``table.in_degrees``."""
    if not (table.in_degrees and table.labels):
        return replace(table, in_degrees=False)
    storage = osim.TimeSeriesTable(
        osim.StdVectorDouble([float(row) for row in range(len(table))]),
        osim.Matrix.createFromMat(np.array(table.values, dtype=float, order="C")),
        osim.StdVectorString(list(table.labels)),
    )
    storage.addTableMetaDataString("inDegrees", "yes")
    owner = model if model.hasSystem() else osim.Model(model)  # must outlive its engine
    if not model.hasSystem():  # OpenSim's engine crashes without a system
        try:
            owner.initSystem()
        except OPENSIM_ERRORS as error:
            raise ModelError(f"model '{model.getName()}' cannot be initialised: {opensim_reason(error)}") from None
    owner.getSimbodyEngine().convertDegreesToRadians(storage)
    return replace(table, values=storage.getMatrix().to_numpy().copy(), in_degrees=False)


def write_table(
    table: pd.DataFrame | Table,
    path: str | os.PathLike[str],
    in_degrees: bool | None = None,
    name: str | None = None,
    notes: Mapping[str, object] | None = None,
    gaps: bool = False,
) -> None:
    """Write a ``.sto`` or ``.mot`` file for OpenSim's tools and :func:`read_table`, without rounding.

    Numbers are not converted; ``in_degrees`` only describes them.

    Args:
        table: one row per time; the index is the time [s], strictly increasing; all cells finite, or NaN with ``gaps``.
        path: file name that ends in ``.sto`` or ``.mot``; missing folders are created, writing is atomic.
        in_degrees: the header's entry about rotations; by default ``table.attrs["inDegrees"]``, or False.
        name: first line of the header; by default ``table.attrs["name"]``, or the file's name without its suffix.
        notes: more header lines ``key=value``, which OpenSim keeps as metadata.
        gaps: allow NaN cells, written as ``nan``. OpenSim's ``TimeSeriesTable`` reads such a file; its ``Storage``
            stops at the first NaN.

    Raises:
        OutputError: another suffix, a label that OpenSim cannot read, a cell that is not finite, times that do not
            increase, no rows, or a path that cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise OutputError(path, "expected a name that ends in .sto or .mot")
    table = load_table(table)
    check_labels(path, ["time", *table.labels])
    times, cells = checked_numbers(table, partial(OutputError, path), gaps=gaps)
    name = " ".join(str(table.name or path.stem if name is None else name).split())
    in_degrees = table.in_degrees if in_degrees is None else in_degrees
    header = [
        name if name and name != END_OF_HEADER else "table",
        "version=1",
        f"nRows={len(times)}",
        f"nColumns={len(table.labels) + 1}",
        f"inDegrees={'yes' if in_degrees else 'no'}",
        *(f"{key}={' '.join(str(value).split())}" for key, value in (notes or {}).items()),
        END_OF_HEADER,
        "\t".join(["time", *table.labels]),
    ]
    with writing(path) as temporary, open(temporary, "wb") as file:
        file.write("\n".join([*header, ""]).encode())
        file.writelines(lines_of(times, cells))


def lines_of(times: Array, cells: Array) -> Iterator[bytes]:
    """Yield tab-separated lines of times (T,) and cells (T, columns), in blocks of many lines."""
    for start in range(0, len(times), ROWS_AT_ONCE):
        rows = slice(start, start + ROWS_AT_ONCE)
        yield rows_as_text(np.column_stack([times[rows], cells[rows]]))


def text_of(path: str | os.PathLike[str], encodings: tuple[str, ...] = ("utf-8-sig", "latin-1")) -> str:
    """Return a file's text; raise :class:`FileFormatError` if the file cannot be read or decoded."""
    try:
        raw = Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileFormatError(path, f"there is no such file{nearest_file(path)}") from error
    except (OSError, ValueError) as error:
        raise FileFormatError(path, f"cannot be read: {system_reason(error)}") from error
    for encoding in encodings:
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError as error:
            reason = f"is not UTF-8 text ({error.reason} at byte {error.start})"
    raise FileFormatError(path, reason)


def _parse_header(
    path: str | os.PathLike[str], text: str, in_degrees: bool | None
) -> tuple[dict[str, str], bool, Iterator[tuple[int, re.Match[str]]]]:
    """Return header entries by key, whether rotations are in degrees, and the numbered lines after the header."""
    header: dict[str, str] = {}
    degrees, lines = False, enumerate(LINE.finditer(text), 1)
    for number, match in lines:
        line = match[0].strip()
        if not line:
            continue
        key, value = [*re.split(r"[ \t=]+", line, maxsplit=1), ""][:2]
        if key == END_OF_HEADER:
            is_old = int(header.get("version", 0)) < 1
            degrees |= is_old and Path(path).suffix.lower() == ".mot"
            return header, degrees if in_degrees is None else in_degrees, lines
        if key in KEYS:
            header[KEYS[key]] = value
        elif key == "version":
            header[key] = value.split(maxsplit=1)[0] if value else ""
            if not (header[key].isascii() and header[key].isdigit() and len(header[key]) < 10):
                raise FileFormatError(path, f"line {number}: {key} is '{value}', expected a whole number")
        elif key == "inDegrees":
            degrees = value.lower() in ("yes", "y")
        elif key == "Angles" and not int(header.get("version", 0)):
            degrees = line == "Angles are in degrees." or (degrees and line != "Angles are in radians.")
        elif not header:
            header["name"] = line
        header.setdefault("name", "")
    _, words = file_content(path)
    if words not in ("", TABLE):
        raise FileFormatError(path, f"is {words}, not an OpenSim table (.mot or .sto)")
    if text.split(None, 1)[0].lower() != "time":
        raise FileFormatError(path, f"is not an OpenSim table: its header does not end with a line '{END_OF_HEADER}'")
    if in_degrees is None:
        raise FileFormatError(
            path,
            "it has no header, so that nothing says whether angles are in degrees; say it by --in-degrees or "
            "--in-radians (in Python read_table's in_degrees), or write a header",
        )
    return {}, in_degrees, enumerate(LINE.finditer(text), 1)


def _parse_cells(path: str | os.PathLike[str], text: str, first: int, labels: list[str], data_type: str) -> Array:
    """Return the numbers (rows, columns) in a table's text, time first; the text starts at line ``first`` of a file."""
    numbers = array("d")
    is_plain = text.isascii() and "_" not in text
    for number, line in enumerate(text.split("\n"), first):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != len(labels):
            raise FileFormatError(path, f"line {number} has {len(cells)} cells, expected {len(labels)}")
        try:
            if not is_plain and not all(map(_is_number, cells)):
                raise ValueError
            numbers.extend(map(float, cells))
        except ValueError:
            place = next((i for i, cell in enumerate(cells) if not _is_number(cell)), 0)
            kind = f" (the file holds {data_type}, not plain numbers)" if data_type != "double" else ""
            if not kind and _is_number(cells[place].replace(",", ".")):
                kind = ": the file has decimal commas; write decimal points"
            reason = f"line {number}: '{cells[place]}' is not a number, in column '{labels[place]}'{kind}"
            raise FileFormatError(path, reason) from None
    return np.array(numbers).reshape(-1, len(labels))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and "_" not in cell


def check_labels(path: Path, labels: Iterable[str]) -> None:
    """Raise :class:`OutputError` for labels that OpenSim cannot read."""
    for label, count in Counter(labels).items():
        if count > 1:
            raise OutputError(path, f"column '{label}' is there more than once")
        if label.split() != [label]:
            raise OutputError(path, f"the label '{label}' is empty or has blanks in it")


#: Relative differences below which times are equal: of the time, and of the median step. RRA repeats its last time.
SAME, OF_STEP = 1e-12, 1e-6
#: Relative difference, of the column's largest value, up to which cells agree.
AGREE = 1e-6


def without_repeats(table: Table) -> Table:
    """Return a table without rows that repeat a time; keep all rows if at least half repeat a time."""
    try:
        times, values = np.asarray(table.times, dtype=float), np.asarray(table.values, dtype=float)
    except (TypeError, ValueError):  # reported by `checked_numbers`
        return table
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(times))
        same = np.minimum(SAME * np.abs(times[1:]), OF_STEP * np.median(steps)) if len(steps) else steps
        repeats = np.pad(steps <= same, (1, 0))[: len(times)]
    rows = np.flatnonzero(repeats)
    if not len(rows) or 2 * len(rows) >= len(times):
        return table
    kept = np.maximum.accumulate(np.where(repeats, 0, np.arange(len(times))))[rows]
    with np.errstate(invalid="ignore"):
        off = np.abs(values[rows] - values[kept])
        differs = ~(off <= AGREE * np.abs(values).max(axis=0, initial=0.0))
    more = f" ({len(rows)} rows do so)" if len(rows) > 1 else ""
    text = f"row {rows[0] + 1} repeats the time of the row before, {times[kept[0]]:.9g} s{more}"
    if not differs.any():
        finding = Diagnostic("note", "times", table.origin, f"{text}, and its values: they are one row")
    else:
        row, column = np.unravel_index(int(np.argmax(np.where(differs, off, -1.0))), off.shape)
        text += f", and differs: by {off[row, column]:.4g} in column '{table.labels[column]}' (row {rows[row] + 1})"
        cure = ("see which row is right; the first stands",)
        finding = Diagnostic("warning", "times", table.origin, text, cure)
    findings = (*table.findings, finding)
    return replace(table, times=times[~repeats], values=values[~repeats], findings=findings)


def checked_numbers(
    table: Table, refuse: Callable[[str], Exception], fewest: int = 1, why: str = "", gaps: bool = False
) -> tuple[Array, Array]:
    """Return increasing times (rows,) and finite values (rows, columns) of a table, or raise ``refuse(reason)``."""
    try:
        times = np.array(table.times, dtype=float)
    except (TypeError, ValueError) as error:
        raise refuse(f"the index is not a time in seconds ({error})") from error
    if len(times) < fewest:
        raise refuse(f"{len(times)} rows; at least {fewest} are needed{why}")
    if not np.isfinite(times).all():
        raise refuse(f"the time of row {np.flatnonzero(~np.isfinite(times))[0] + 1} is not finite")
    steps = np.flatnonzero(~(np.diff(times) > np.finfo(float).eps))
    if len(steps):
        row = int(steps[0])
        raise refuse(
            f"times must increase; {times[row]:.9g} s is followed by {times[row + 1]:.9g} s (rows {row + 1} and "
            f"{row + 2})"
        )
    is_numbers = table.values.dtype == float
    values = table.values if is_numbers else np.empty(table.values.shape)
    for i, label in enumerate(() if is_numbers else table.labels):
        try:
            values[:, i] = table.values[:, i]
        except (TypeError, ValueError) as error:
            raise refuse(f"column '{label}' holds something that is not a number ({error})") from error
    bad = np.argwhere(~(np.isfinite(values) | (gaps & np.isnan(values))))
    if len(bad):
        row, column = bad[0].tolist()
        raise refuse(
            f"column '{table.labels[column]}' is {values[row, column]} at time {times[row]:.6g} s (row {row + 1})"
        )
    return times, values

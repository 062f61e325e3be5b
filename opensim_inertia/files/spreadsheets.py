"""Spreadsheet files: reading of ``.csv`` and ``.xlsx``, writing of ``.csv``."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.errors import FileFormatError, MissingPackageError, nearest_file
from .atomic import write_text, writing
from .tables import Table, lines_of, text_of

if TYPE_CHECKING:
    import pandas as pd

#: Cell separators; unless it is a comma, the decimal sign may be one.
SEPARATORS = (",", ";", "\t")
OTHER_WORKBOOKS = (".xls", ".xlsb", ".xlsm", ".ods", ".numbers")


@dataclass(frozen=True)
class Cells:
    """Non-blank rows of a spreadsheet, each with a row number and cell texts."""

    rows: tuple[tuple[int, list[str]], ...]
    decimal_comma: bool = False

    def number(self, cell: str) -> float:
        """Return a cell's number; raise :class:`ValueError` if it is not a number."""
        if "_" in cell:
            raise ValueError(cell)
        return float(cell.replace(",", ".") if self.decimal_comma and "." not in cell else cell)


def read_cells(path: str | os.PathLike[str], label: str) -> Cells:
    """Return the cells of a .xlsx or .csv file; a .csv file is split by the separator beside the header ``label``."""
    path = Path(path)
    if path.suffix.lower() in OTHER_WORKBOOKS and path.is_file():
        raise FileFormatError(path, "is a workbook of a kind that is not read: save it as .xlsx, or its sheet as .csv")
    if path.suffix.lower() == ".xlsx":
        return Cells(tuple(_workbook(path)))
    text = text_of(path, ("utf-8-sig",))
    header = next((line for line in text.splitlines() if line.strip()), "")
    known = (each for each in SEPARATORS if label in [c.strip().strip('"').lower() for c in header.split(each)])
    separator = next(known, SEPARATORS[0])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except csv.Error as error:
        raise FileFormatError(path, f"line {reader.line_num}: {error}") from error
    return Cells(tuple(rows), separator != ",")


def _workbook(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield row number and cell texts of each non-blank row of a workbook."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise MissingPackageError(
            f"'{path}': workbooks need the package", "openpyxl", "spreadsheets", "or save the sheet as .csv"
        ) from error
    try:
        with path.open("rb") as file:  # openpyxl does not close damaged files, which locks them on Windows
            book = load_workbook(file)
    except FileNotFoundError as error:
        raise FileFormatError(path, f"there is no such file{nearest_file(path)}") from error
    except Exception as error:  # openpyxl's exceptions have no common class
        raise FileFormatError(path, f"cannot be read as a workbook: {error}") from error
    filled = [sheet for sheet in book.worksheets if any(cell is not None for row in sheet.values for cell in row)]
    if len(filled) > 1:
        names = ", ".join(f"'{sheet.title}'" for sheet in filled)
        raise FileFormatError(path, f"has {len(filled)} sheets with something in them, {names}; expected one")
    for number, row in enumerate(filled[0].iter_rows() if filled else (), start=1):
        for cell in row:
            if cell.data_type == "f":
                reason = f"cell {cell.coordinate} is a formula; expected its value (paste values only)"
                raise FileFormatError(path, reason)
        cells = ["" if cell.value is None else str(cell.value) for cell in row]
        if any(cells):
            yield number, cells


def write_csv(table: pd.DataFrame | Table | Sequence[Mapping[str, Any]], path: Path | None) -> None:
    """Write a table, or rows that map columns to cells, as CSV; do nothing if ``path`` is None."""
    if path is None:
        return
    if isinstance(table, Table):
        with writing(path) as temporary, open(temporary, "wb") as binary:
            binary.write((",".join(["time", *table.labels]) + "\n").encode())
            lines = lines_of(table.times, table.values)
            binary.writelines(some.replace(b"\t", b",").replace(b"nan", b"") for some in lines)
    elif not isinstance(table, Sequence):
        write_text(path, table.to_csv(lineterminator="\n"))
    else:
        with writing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
            columns = dict.fromkeys(name for row in table for name in row)
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows({name: "" if cell != cell else cell for name, cell in row.items()} for row in table)

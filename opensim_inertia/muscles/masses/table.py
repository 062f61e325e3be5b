"""The mass table: one row per muscle with its mass, the donor segment it is frozen to, and where the belly lies.

A mass table is a :class:`pandas.DataFrame` with the columns :data:`COLUMNS`, in this order:

========================  =============================================================================
``muscle``                name of a muscle of the model
``mass``                  its mass [kg], finite and not negative
``segment``               the donor segment: the body, or ground, that this mass is frozen to; or several with their
                          shares (:mod:`~opensim_inertia.muscles.masses.stretches`); empty: nothing is subtracted
``source``                where the mass comes from, for people to read
``belly``                 length of the belly [m] while the fibres have their optimal length
``free_tendon_proximal``  length of free tendon at the origin [m]
``free_tendon_distal``    length of free tendon at the insertion [m]
``belly_source``          where these lengths come from, for people to read
========================  =============================================================================

Columns that say how bellies swing may follow (:mod:`~opensim_inertia.muscles.masses.swings`); a table without them does
not get them.

It is made by :func:`~opensim_inertia.estimate_masses`, by hand, or by a CSV file or a workbook
with the same columns.
Only ``muscle`` and ``mass`` must be there. Without the column ``segment`` each muscle has its default donors
(:mod:`~opensim_inertia.muscles.masses.donors`). What an empty length means:
:mod:`~opensim_inertia.muscles.masses.bellies`.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from ..._core.checks import warn
from ..._core.errors import FileFormatError, MassError, OptionError, OutputError, UnknownNameError, near_matches
from ..._core.warnings import FurtherColumnsWarning
from ...files.atomic import writing
from ...files.spreadsheets import Cells, read_cells
from ...opensim_model.reading import InitialisedModel, model_muscles
from .architecture import MuscleArchitecture, architectures_by_rule
from .bellies import LENGTHS, TEXT, as_length, as_number, check_lengths, complete_bellies
from .donors import default_donors
from .reference import Reference, model_at_reference
from .stretches import GROUND, read_stretches
from .swings import COLUMNS as SWING_COLUMNS
from .swings import check_swings, swing_cell

__all__ = [
    "COLUMNS",
    "CheckedMasses",
    "MassTable",
    "check_masses",
    "check_mass_table",
    "new_table",
    "read_masses",
    "write_masses",
]

COLUMNS = ("muscle", "mass", "segment", "source", *LENGTHS, "belly_source")

#: Key of a table's ``attrs``: columns of its file that are none of these, ``{column: {muscle: text}}``.
FURTHER = "further_columns"

MassTable: TypeAlias = pd.DataFrame | Mapping[str, float] | str | os.PathLike[str]
"""Types of a mass table: a table, ``{muscle: kg}``, or the path of a CSV file."""


class CheckedMasses(NamedTuple):
    """A complete mass table that was checked against a model, for whoever is handed both: it is not checked again.

    Attributes:
        table: the table, which nobody has changed since.
        architecture: the architecture that its lengths mean, by muscle.
    """

    table: pd.DataFrame
    architecture: dict[str, MuscleArchitecture]


class _Cells(NamedTuple):
    """The cells of a mass table by column, all of them valid; what is absent is ``""`` or NaN.

    Attributes:
        muscles, sources, belly_sources: texts.
        masses: [kg].
        segments: texts; None where there is no such column.
        lengths: the columns :data:`LENGTHS` [m].
        swings: the columns that say how bellies swing, those that there are.
        attrs: of the table.
    """

    muscles: list[str]
    masses: list[float]
    segments: list[str] | None
    sources: list[str]
    lengths: list[list[float]]
    belly_sources: list[str]
    swings: dict[str, list[float]]
    attrs: dict[Any, Any]

    def table(self) -> pd.DataFrame:
        """Return the mass table."""
        table = new_table(*self[:-1])
        table.attrs = self.attrs
        return table


def check_mass_table(table: MassTable, model: Any, reference: Reference = None) -> pd.DataFrame:
    """Return a complete, valid mass table of ``model`` from whatever may stand for one; the input is left as it is.

    Args:
        table: a DataFrame with at least ``muscle`` and ``mass``, a dict ``{muscle: kg}``, or the path of a CSV file.
            Default donors fill in a missing column ``segment``; where a cell of it is empty, nothing is subtracted.
            Empty lengths follow from the others or the default (:mod:`~opensim_inertia.muscles.masses.bellies`).
        model: ``osim.Model`` that the names refer to; not modified. An initialised one that is handed on is not copied.
        reference: the pose at which the default donor is looked for; the default pose if omitted. A dict of coordinate
            values, an array, a static trial or a state, see
            :func:`~opensim_inertia.masses.reference_pose`.

    Returns:
        DataFrame with exactly :data:`COLUMNS`, and the columns of swinging that were given; rows in the order given,
        ``attrs`` kept.

    Raises:
        UnknownNameError: a column, muscle, segment or coordinate does not exist; near matches are in the message.
        MassError: a mass is negative, not finite or not a number, a muscle is listed twice, the lengths given for a
            muscle do not fit each other or its slack length and optimal fibre length in the model, or no belly swings
            as a muscle's is said to.
        FileFormatError: the file is missing or malformed.
        OptionError: ``reference`` is not a pose of the model.
        ModelError: the default donor of a muscle cannot be found.
    """
    return check_masses(table, model, reference).table


def check_masses(table: MassTable, model: Any, reference: Reference = None) -> CheckedMasses:
    """Return the mass table that :func:`check_mass_table` does, with what was found on the way."""
    cells = _cells(read_masses(table) if isinstance(table, str | os.PathLike) else table)
    given, model = model, model.model if isinstance(model, InitialisedModel) else model
    owned = given.muscles if isinstance(given, InitialisedModel) else model_muscles(model)
    where = f"model '{model.getName()}'"
    known_segments = [*_names(model.getBodySet()), GROUND]
    segments = [""] * len(cells.muscles) if cells.segments is None else cells.segments
    for muscle, segment in zip(cells.muscles, segments, strict=True):
        if muscle not in owned:
            raise UnknownNameError("muscle", muscle, list(owned), where)
        for name in {stretch.segment for stretch in read_stretches(segment, muscle)}.difference(known_segments):
            raise UnknownNameError("segment", name, known_segments, f"{where} (for muscle '{muscle}')")
    defaults = architectures_by_rule(owned, cells.muscles)
    bellies = complete_bellies(cells.muscles, cells.lengths, cells.belly_sources, defaults)
    missing = []
    if cells.segments is None:  # a muscle without mass needs no donor, and perhaps has no path to find one by
        missing = [muscle for muscle, mass in zip(cells.muscles, cells.masses, strict=True) if mass > 0]
    if missing or reference is not None:
        ready, state = model_at_reference(given, reference)
        donors = default_donors(ready, state, missing, bellies.architecture)
        segments = [donors.get(muscle, segment) for muscle, segment in zip(cells.muscles, segments, strict=True)]
    checked = cells._replace(segments=segments, lengths=bellies.lengths, belly_sources=bellies.sources)
    return CheckedMasses(checked.table(), bellies.architecture)


def new_table(
    muscles: Iterable[str],
    masses: Iterable[float],
    segments: Iterable[str] | None,
    sources: Iterable[str],
    lengths: Iterable[Iterable[float]] | None = None,
    belly_sources: Iterable[str] | None = None,
    swings: Mapping[str, Iterable[float]] | None = None,
) -> pd.DataFrame:
    """Return a mass table made of its columns, not checked against any model.

    Args:
        muscles, sources: texts.
        masses: [kg].
        segments: texts; None for a table without this column.
        lengths: the three columns of lengths [m], NaN where empty; all empty if omitted.
        belly_sources: texts; all empty if omitted.
        swings: columns that say how bellies swing, NaN where empty; none if omitted.
    """
    names = list(muscles)
    empty = [math.nan] * len(names)
    texts = {"muscle": names, "source": list(sources)} | ({} if segments is None else {"segment": list(segments)})
    texts["belly_source"] = [""] * len(names) if belly_sources is None else list(belly_sources)
    numbers = {"mass": list(masses), **dict(zip(LENGTHS, [empty] * 3 if lengths is None else lengths, strict=True))}
    numbers |= {column: list(cells) for column, cells in (swings or {}).items()}
    columns: dict[str, Any] = {name: pd.array(cells, dtype=TEXT) for name, cells in texts.items()}
    columns |= {name: np.array(list(cells), dtype=float) for name, cells in numbers.items()}
    return pd.DataFrame({name: columns[name] for name in (*COLUMNS, *(swings or {})) if name in columns})


def read_masses(path: str | os.PathLike[str], model: Any = None) -> pd.DataFrame:
    """Read a mass table from a file of a spreadsheet program, with a header line that names the columns.

    Args:
        path: text (UTF-8) with commas, or with semicolons or tabs and perhaps decimal commas, or a workbook with one
            sheet (``.xlsx``). ``muscle`` and ``mass`` [kg] must be there; others may be absent, or empty. Columns
            of other names are kept in ``attrs["further_columns"]`` with a warning; :func:`write_masses` writes them.
        model: if given, the table is checked against it and what is missing is filled in, see
            :func:`check_mass_table`; otherwise a missing length is NaN, and the table has no column ``segment`` if the
            file has none.

    Raises:
        FileFormatError: missing, unreadable or malformed; the message names the line.
        MassError: a mass or a length is negative or not finite, or a muscle is listed twice.
        UnknownNameError: with ``model``, an unknown muscle or segment.
    """
    path = Path(path)
    file = read_cells(path, "muscle")
    rows: dict[str, list[str]] = {}
    lines: list[int] = []
    names: list[str] = []
    for line, cells in file.rows:
        if not names:
            names = _header(path, cells)
            rows = {name: [] for name in names if name}
            continue
        if len(cells) != len(names):
            raise FileFormatError(path, f"line {line} has {len(cells)} cells, the header has {len(names)}")
        for name, cell in zip(names, cells, strict=True):
            if name:
                rows[name].append(cell)
            elif cell.strip():
                raise FileFormatError(path, f"line {line} has '{cell.strip()}' in a column without a name")
        lines.append(line)
    if not rows:
        raise FileFormatError(path, "is empty; expected a header line with the columns " + ", ".join(COLUMNS))
    muscles = [name.strip() for name in rows["muscle"]]
    masses = [_number(file, path, line, "mass", cell, "of kg") for line, cell in zip(lines, rows["mass"], strict=True)]
    for line, muscle in zip(lines, muscles, strict=True):
        if not muscle:
            raise FileFormatError(path, f"line {line} names no muscle")
    _check_masses(muscles, masses, f"{path}: ", [f" (line {line})" for line in lines])
    empty_cells = [""] * len(lines)
    segments = [name.strip() for name in rows["segment"]] if "segment" in rows else None
    sources = [text or f"read from {path.name}" for text in rows.get("source", empty_cells)]
    lengths = [
        [
            _optional(file, path, n, c, cell, "of metres")
            for n, cell in zip(lines, rows.get(c, empty_cells), strict=True)
        ]
        for c in LENGTHS
    ]
    check_lengths(muscles, lengths, f"{path}: ", [f" (line {line})" for line in lines])
    belly_sources = _belly_sources(lengths, rows.get("belly_source", empty_cells), f"read from {path.name}")
    swings = {
        c: [_optional(file, path, n, c, cell, "") for n, cell in zip(lines, rows[c], strict=True)]
        for c in SWING_COLUMNS
        if c in rows
    }
    _check_swings(muscles, swings, f"{path}: ", [f" (line {line})" for line in lines])
    table = new_table(muscles, masses, segments, sources, lengths, belly_sources, swings)
    if extra_columns := _extra_columns(path, muscles, rows):
        table.attrs[FURTHER] = extra_columns
    return table if model is None else check_mass_table(table, model)


def write_masses(table: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a mass table as CSV; :func:`read_masses` gives back the same numbers and names, bit by bit.

    The file appears complete or not at all.

    Raises:
        OutputError: the file cannot be written.
        UnknownNameError, MassError: the table is not a mass table.
    """
    cells = _cells(table)
    written = cells.table()
    try:
        with writing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
            # the csv module of Python 3.11 does not quote a lone carriage return by itself
            returns = any("\r" in text for text in written.select_dtypes("string").to_numpy().ravel())
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
            extra_columns = table.attrs.get(FURTHER, {}) if isinstance(table, pd.DataFrame) else {}
            writer.writerow([*written.columns, *extra_columns])
            for muscle, *row in written.itertuples(index=False, name=None):
                extra_cells = [by_muscle.get(muscle, "") for by_muscle in extra_columns.values()]
                writer.writerow([muscle, *(_written(cell) for cell in row), *extra_cells])
    except (OSError, UnicodeError, csv.Error) as error:
        raise OutputError(path, str(error)) from error


def _written(cell: str | float) -> str:
    """Return a cell as it is written; numbers so that they are read as the same."""
    return cell if isinstance(cell, str) else "" if math.isnan(cell) else repr(float(cell))


def _cells(table: pd.DataFrame | Mapping[str, float]) -> _Cells:
    """Return the cells of a table with the right columns, unique muscles and valid numbers."""
    swings: dict[str, list[float]] = {}
    if isinstance(table, pd.DataFrame):
        for column in table.columns:
            if column not in (*COLUMNS, *SWING_COLUMNS):
                raise UnknownNameError("column", str(column), (*COLUMNS, *SWING_COLUMNS), "the mass table")
        if table.columns.has_duplicates:
            raise MassError("the mass table has two columns of the same name")
        for column in ("muscle", "mass"):
            if column not in table.columns:
                raise MassError(f"the mass table has no column '{column}'; it needs at least 'muscle' and 'mass' [kg]")
        muscles, raw_masses = [_text(m) for m in table["muscle"]], list(table["mass"])
        sources, belly_sources = _texts(table, "source"), _texts(table, "belly_source")
        segments = _texts(table, "segment") if "segment" in table.columns else None
        raw_lengths = [list(table[c]) if c in table.columns else [math.nan] * len(muscles) for c in LENGTHS]
        for column in SWING_COLUMNS:
            if column in table.columns:
                swings[column] = [swing_cell(m, column, v) for m, v in zip(muscles, table[column], strict=True)]
        attrs = dict(table.attrs)
    elif isinstance(table, Mapping):
        muscles, raw_masses = [str(m) for m in table], list(table.values())
        segments, sources, belly_sources, attrs = None, [""] * len(muscles), [""] * len(muscles), {}
        raw_lengths = [[math.nan] * len(muscles)] * 3
    else:
        raise OptionError("table", type(table).__name__, "a DataFrame, a dict {muscle: kg} or the path of a CSV file")
    masses = [_as_mass(muscle, value) for muscle, value in zip(muscles, raw_masses, strict=True)]
    _check_masses(muscles, masses)
    lengths = [
        [as_length(m, c, v) for m, v in zip(muscles, column, strict=True)]
        for c, column in zip(LENGTHS, raw_lengths, strict=True)
    ]
    check_lengths(muscles, lengths)
    _check_swings(muscles, swings, "", [""] * len(muscles))
    mass_sources = [text or "given by the user" for text in sources]
    belly_sources = _belly_sources(lengths, belly_sources, "given by the user")
    return _Cells(muscles, masses, segments, mass_sources, lengths, belly_sources, swings, attrs)


def _check_masses(muscles: list[str], masses: list[float], prefix: str = "", places: list[str] | None = None) -> None:
    listed_muscles: set[str] = set()
    for muscle, mass, place in zip(muscles, masses, places or [""] * len(muscles), strict=True):
        if muscle in listed_muscles:
            raise MassError(f"{prefix}muscle '{muscle}' is listed twice{place}")
        listed_muscles.add(muscle)
        if not math.isfinite(mass) or mass < 0.0:
            raise MassError(
                f"{prefix}muscle '{muscle}' has a mass of {mass} kg{place}; expected a finite number, 0 or more"
            )


def _check_swings(muscles: list[str], swings: Mapping[str, list[float]], prefix: str, places: list[str]) -> None:
    for row, (muscle, place) in enumerate(zip(muscles, places, strict=True)):
        check_swings(muscle, {column: cells[row] for column, cells in swings.items()}, prefix, place)


def _as_mass(muscle: str, value: Any) -> float:
    number = as_number(value)
    if number is not None:
        return number
    raise MassError(f"muscle '{muscle}' has a mass of {value!r}; expected a number of kg")


def _header(path: Path, cells: list[str]) -> list[str]:
    """Return the names of the columns, in lower case; raise an error where one is missing, twice, or misspelt."""
    known = {name.lower(): name for name in (*COLUMNS, *SWING_COLUMNS)}
    names = [known.get(cell.strip().lower(), cell.strip().lower()) for cell in cells]
    missing = [name for name in known.values() if name not in names]
    for name in names:
        if name not in known.values() and (matches := near_matches(name, missing)):
            raise FileFormatError(path, f"line 1 has an unknown column '{name}'; did you mean '{matches[0]}'?")
        if name and names.count(name) > 1:
            raise FileFormatError(path, f"line 1 has the column '{name}' twice")
    for name in ("muscle", "mass"):
        if name in missing:
            listing = ", ".join(f"'{name}'" for name in names)
            raise FileFormatError(
                path, f"line 1 has no column '{name}', but {listing}; the columns are " + ", ".join(COLUMNS)
            )
    return names


def _extra_columns(path: Path, muscles: list[str], rows: Mapping[str, list[str]]) -> dict[str, dict[str, str]]:
    """Return the columns that a mass table does not have, each by muscle, and warn that they have no effect."""
    extra_columns = {
        name: dict(zip(muscles, cells, strict=True))
        for name, cells in rows.items()
        if name not in (*COLUMNS, *SWING_COLUMNS)
    }
    if extra_columns:
        names = ", ".join(f"'{name}'" for name in extra_columns)
        warn(FurtherColumnsWarning(f"{path}: {names} are kept, but have no effect"))
    return extra_columns


def _number(file: Cells, path: Path, line: int, column: str, cell: str, unit: str) -> float:
    try:
        return file.number(cell)
    except ValueError:
        raise FileFormatError(path, f"line {line}: {column} '{cell}' is not a number {unit}".rstrip()) from None


def _optional(file: Cells, path: Path, line: int, column: str, cell: str, unit: str) -> float:
    """Return a number that need not be there; NaN only where the cell is empty."""
    if not cell.strip():
        return math.nan
    number = _number(file, path, line, column, cell, unit)
    if math.isnan(number):
        what = f"a number {unit}".rstrip()
        raise FileFormatError(path, f"line {line}: {column} '{cell}' is not {what}; leave the cell empty")
    return number


def _belly_sources(lengths: list[list[float]], texts: list[str], otherwise: str) -> list[str]:
    """Return sources of lengths; where a length is given without one, ``otherwise``."""
    rows = zip(zip(*lengths, strict=True), texts, strict=True)
    return [text or ("" if all(math.isnan(x) for x in row_lengths) else otherwise) for row_lengths, text in rows]


def _texts(table: pd.DataFrame, column: str) -> list[str]:
    return [_text(v) for v in table[column]] if column in table.columns else [""] * len(table)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None or pd.isna(value) else str(value)


def _names(component_set: Any) -> list[str]:
    return [component_set.get(i).getName() for i in range(component_set.getSize())]

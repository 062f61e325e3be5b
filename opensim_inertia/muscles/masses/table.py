"""The mass table: one row per muscle with its mass, donor segment and belly.

Public functions return a :class:`pandas.DataFrame` with the columns :data:`COLUMNS`, in this order:

========================  =============================================================================
``muscle``                name of a muscle of the model
``mass``                  its mass [kg], finite and not negative
``segment``               the donor segment, a body or ground; or several with their shares
                          (:mod:`~opensim_inertia.muscles.masses.donors`); empty: nothing is subtracted
``source``                source of the mass, as text
``belly``                 length of the belly [m] at optimal fibre length
``free_tendon_proximal``  length of free tendon at the origin [m]
``free_tendon_distal``    length of free tendon at the insertion [m]
``belly_source``          source of these lengths, as text
========================  =============================================================================

Two more columns are optional: ``wobble frequency [Hz]`` and ``wobble damping``, a fraction of critical damping. Empty
cells take the values of :class:`~opensim_inertia.options.Wobble`.

:func:`~opensim_inertia.estimate_masses` makes a table; CSV files and workbooks have the same columns. Only ``muscle``
and ``mass`` are required. Without the column ``segment`` each muscle has its default donors
(:mod:`~opensim_inertia.muscles.masses.donors`); empty lengths: :mod:`~opensim_inertia.muscles.masses.architecture`.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names, warn
from ..._core.errors import FileFormatError, MassError, OptionError, OutputError, listed, near_matches
from ..._core.warnings import FurtherColumnsWarning
from ...files.atomic import writing
from ...files.spreadsheets import read_cells
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.loading import InitialisedModel
from .architecture import LENGTHS, MuscleArchitecture, complete_belly, default_architecture
from .donors import GROUND, Reference, default_donors, model_at_reference, read_stretches

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("muscle", "mass", "segment", "source", *LENGTHS, "belly_source")
FREQUENCY, DAMPING = "wobble frequency [Hz]", "wobble damping"
#: Columns of swinging bellies, in output order.
SWING_COLUMNS = (FREQUENCY, DAMPING)

#: Units of numeric columns.
UNITS = {"mass": " of kg", **dict.fromkeys(LENGTHS, " of metres"), **dict.fromkeys(SWING_COLUMNS, "")}

#: Text of a missing value in pandas.
MISSING = "<NA>"

#: Key in ``attrs`` for unknown columns of a file, ``{column: {muscle: text}}``.
FURTHER = "further_columns"


class MassTable(dict[str, Any]):
    """Columns of a mass table by name, with ``attrs`` like a DataFrame."""

    def __init__(self, columns: Mapping[str, Iterable[Any]], attrs: Mapping[str, Any] | None = None) -> None:
        cells = {name: list(columns[name]) for name in (*COLUMNS, *SWING_COLUMNS) if name in columns}
        super().__init__({name: np.array(c, dtype=float) if name in UNITS else c for name, c in cells.items()})
        self.attrs = dict(attrs or {})

    def of_muscles(self, muscles: Collection[str]) -> MassTable:
        """Return a mass table with the rows of these muscles only."""
        rows = [row for row, muscle in enumerate(self["muscle"]) if muscle in muscles]
        return MassTable({name: [column[row] for row in rows] for name, column in self.items()}, self.attrs)

    def frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame; text columns have pandas' string type."""
        import pandas as pd

        text = pd.StringDtype("python", na_value=math.nan)
        frame = pd.DataFrame({name: c if name in UNITS else pd.array(c, dtype=text) for name, c in self.items()})
        frame.attrs = dict(self.attrs)
        return frame


@dataclass(frozen=True, eq=False)
class PointMasses:
    """Point masses at given fractions of a muscle's belly or path.

    Under ``strain="uniform"`` a fraction is relative to the whole path; under the other strain models it is relative to
    the belly (with aponeuroses it is both chi and xi).

    Raises:
        MassError: lengths differ, a fraction is outside [0, 1], or a mass is negative or not finite.
    """

    fractions: Array  # positions (n,) in [0, 1], in any order
    masses: Array  # (n,) [kg], not negative

    def __post_init__(self) -> None:
        try:
            fractions = np.array(self.fractions, dtype=float).reshape(-1)
            masses = np.array(self.masses, dtype=float).reshape(-1)
        except (TypeError, ValueError) as error:
            raise MassError(f"PointMasses: fractions and masses must be numbers ({error})") from None
        if fractions.size != masses.size or fractions.size == 0:
            raise MassError(
                f"PointMasses: {fractions.size} fractions and {masses.size} masses; "
                "as many of each, at least one, are needed"
            )
        if not np.all((fractions >= 0) & (fractions <= 1)):
            raise MassError(f"PointMasses: fractions must lie in [0, 1], got {fractions}")
        if not np.all(np.isfinite(masses) & (masses >= 0)):
            raise MassError(f"PointMasses: masses must be finite and not negative, got {masses}")
        order = np.argsort(fractions, kind="stable")
        for name, values in (("fractions", fractions[order]), ("masses", masses[order])):
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    @property
    def total(self) -> float:
        """Sum of the masses [kg]."""
        return float(self.masses.sum())


GivenMasses: TypeAlias = "MassTable | pd.DataFrame | Mapping[str, float] | str | os.PathLike[str]"
"""Types of a mass table: a table, ``{muscle: kg}``, or the path of a CSV file."""


def kept_masses(masses: Any) -> Any:
    """Return a copy of given masses that later changes of files or of the caller's objects do not affect."""
    if isinstance(masses, str | os.PathLike):
        return load_masses(masses)
    if isinstance(masses, MassTable) or hasattr(masses, "columns"):
        return _checked(masses)
    return dict(masses) if isinstance(masses, Mapping) else masses


def check_masses(
    table: GivenMasses, model: Any, reference: Reference = None
) -> tuple[MassTable, dict[str, MuscleArchitecture]]:
    """Return a complete mass table, and the architecture by muscle; default donors are found at ``reference``."""
    checked = load_masses(table) if isinstance(table, str | os.PathLike) else _checked(table)
    known = InitialisedModel.of(model)
    owned, where = known.muscles, f"model '{known.model.getName()}'"
    known_segments = [*(body.getName() for body in known.model.getBodySet()), GROUND]
    has_segments, muscles = "segment" in checked, checked["muscle"]
    segments = checked["segment"] if has_segments else [""] * len(muscles)
    for muscle, segment in zip(muscles, segments, strict=True):
        check_names("muscle", [muscle], owned, where)
        named = [stretch.segment for stretch in read_stretches(segment, muscle)]
        check_names("segment", named, known_segments, f"{where} (for muscle '{muscle}')")
    defaults = default_architecture(owned, muscles)
    lengths = zip(*(checked[column].tolist() for column in LENGTHS), strict=True)
    given_lengths = zip(muscles, lengths, checked["belly_source"], strict=True)
    bellies = [complete_belly(muscle, row, source, defaults[muscle]) for muscle, row, source in given_lengths]
    architecture = dict(zip(muscles, (belly[2] for belly in bellies), strict=True))
    # a massless muscle needs no donor and may lack a path
    missing = [] if has_segments else [m for m, mass in zip(muscles, checked["mass"], strict=True) if mass > 0]
    if missing or reference is not None:
        ready, state = model_at_reference(known, reference)
        donors = default_donors(ready, state, missing, architecture)
        segments = [donors.get(muscle, segment) for muscle, segment in zip(muscles, segments, strict=True)]
    filled = dict(zip(LENGTHS, np.reshape([row for row, *_ in bellies], (-1, 3)).T, strict=True))
    sources = [source for _, source, _ in bellies]
    complete = checked | filled | {"segment": segments, "belly_source": sources}
    return MassTable(complete, checked.attrs), architecture


def read_masses(path: str | os.PathLike[str], model: Any = None) -> pd.DataFrame:
    """Read a mass table from a spreadsheet file with a header line.

    Args:
        path: UTF-8 text with commas, semicolons or tabs (the last two allow decimal commas), or a workbook with one
            sheet (``.xlsx``). ``muscle`` and ``mass`` [kg] are required; other columns may be absent, or empty. Unknown
            columns are kept in ``attrs["further_columns"]`` with a warning; :func:`write_masses` writes them.
        model: if given, the table is checked against it and missing cells are completed, see
            :func:`check_masses`; otherwise a missing length is NaN, and the column ``segment`` stays absent if the
            file has none.

    Raises:
        FileFormatError: missing, unreadable or malformed; the message names the line.
        MassError: a mass or a length is negative or not finite, or a muscle is listed twice.
        UnknownNameError: with ``model``, an unknown muscle or segment.
    """
    table = load_masses(path)
    return (table if model is None else check_masses(table, model)[0]).frame()


def load_masses(path: str | os.PathLike[str]) -> MassTable:
    """Read a mass table as :func:`read_masses` does, but without checks against a model."""
    path = Path(path)
    file = read_cells(path, "muscle")
    if not file.rows:
        raise FileFormatError(path, "is empty; expected a header line with the columns " + ", ".join(COLUMNS))
    names, lines = _header(path, file.rows[0][1]), [line for line, _ in file.rows[1:]]
    rows: dict[str, list[str]] = {name: [] for name in names if name}
    for line, cells in file.rows[1:]:
        if len(cells) != len(names):
            raise FileFormatError(path, f"line {line} has {len(cells)} cells, the header has {len(names)}")
        for name, cell in zip(names, cells, strict=True):
            if name:
                rows[name].append(cell if name in ("source", "belly_source") else cell.strip())
            elif cell.strip():
                raise FileFormatError(path, f"line {line} has '{cell.strip()}' in a column without a name")

    def number(column: str, line: int, cell: str) -> float:
        try:
            return math.nan if not cell and column != "mass" else file.number(cell)
        except ValueError:
            raise FileFormatError(path, f"line {line}: {column} '{cell}' is not a number{UNITS[column]}") from None

    if "" in rows["muscle"]:
        raise FileFormatError(path, f"line {lines[rows['muscle'].index('')]} names no muscle")
    columns: dict[str, list[Any]] = {name: cells for name, cells in rows.items() if name in (*COLUMNS, *SWING_COLUMNS)}
    for name in filter(columns.__contains__, UNITS):
        columns[name] = [number(name, *cell) for cell in zip(lines, columns[name], strict=True)]
    places = [f" (line {line})" for line in lines]
    table = _checked(MassTable(columns), f"{path}: ", places, f"read from {path.name}")
    if further := {n: dict(zip(rows["muscle"], c, strict=True)) for n, c in rows.items() if n not in columns}:
        warn(FurtherColumnsWarning(f"{path}: {listed(further)} are kept, but have no effect"))
        table.attrs[FURTHER] = further
    return table


def write_masses(table: pd.DataFrame | MassTable, path: str | os.PathLike[str]) -> None:
    """Write a mass table as CSV, so that :func:`read_masses` returns the same numbers and names, without rounding.

    Raises:
        OutputError: the file cannot be written.
        UnknownNameError, MassError: the table is invalid.
    """
    written = _checked(table)
    try:
        with writing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
            # Python 3.11's csv module does not quote a lone carriage return
            returns = any("\r" in text for name in written.keys() - UNITS for text in written[name])
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL if returns else csv.QUOTE_MINIMAL)
            extra_columns = written.attrs.get(FURTHER, {})
            writer.writerow([*written, *extra_columns])
            for muscle, *row in zip(*written.values(), strict=True):
                extra_cells = [by_muscle.get(muscle, "") for by_muscle in extra_columns.values()]
                cells = [c if isinstance(c, str) else "" if math.isnan(c) else repr(float(c)) for c in row]
                writer.writerow([muscle, *cells, *extra_cells])
    except (OSError, UnicodeError, csv.Error) as error:
        raise OutputError(path, str(error)) from error


def follow_muscles(table: GivenMasses, model: Any) -> MassTable:
    """Return the mass table without belly lengths (if defaults, without any lengths), for changed muscles."""
    followed = _checked(table)
    defaults = default_architecture(model_muscles(model), followed["muscle"])
    for row, muscle in enumerate(followed["muscle"]):
        default, lengths = defaults[muscle], [followed[column][row] for column in LENGTHS]
        is_default = lengths == [default.belly, default.free_tendon_proximal, default.free_tendon_distal]
        for column in LENGTHS if is_default else ("belly",):
            followed[column][row] = math.nan
    return followed


def place_bellies(
    table: GivenMasses,
    architecture: Mapping[str, MuscleArchitecture],
    proximal_shares: Mapping[str, float],
    aponeuroses: Mapping[str, float],
) -> MassTable:
    """Return the mass table with free tendon lengths for given aponeurosis lengths [m] and proximal tendon shares."""
    placed = _checked(table)
    placed["belly"][:] = math.nan
    for row, muscle in enumerate(placed["muscle"]):
        if muscle in proximal_shares or muscle in aponeuroses:
            current = architecture[muscle]
            free = current.slack_length - aponeuroses.get(muscle, current.aponeurosis)
            default_share = current.free_tendon_proximal / current.free_tendon if current.free_tendon > 0 else 0.0
            share = proximal_shares.get(muscle, default_share)
            placed["free_tendon_proximal"][row], placed["free_tendon_distal"][row] = share * free, (1 - share) * free
    return placed


def swing_values(table: MassTable) -> dict[str, dict[str, float]]:
    """Return the mass table's frequencies and dampings of swinging bellies, by muscle and column."""
    values: dict[str, dict[str, float]] = {}
    for column in filter(table.__contains__, SWING_COLUMNS):
        for muscle, value in zip(table["muscle"], table[column].tolist(), strict=True):
            if not math.isnan(value):
                values.setdefault(muscle, {})[column] = value
    return values


def _checked(table: Any, prefix: str = "", places: Sequence[str] = (), given: str = "given by the user") -> MassTable:
    """Return a validated table with unique muscles and all columns except ``segment``."""
    if isinstance(table, Mapping) and not isinstance(table, MassTable):
        table = {"muscle": list(map(str, table)), "mass": list(table.values())}
    elif not isinstance(table, MassTable) and not hasattr(table, "columns"):
        raise OptionError("table", type(table).__name__, "a DataFrame, a dict {muscle: kg} or the path of a CSV file")
    known = (*COLUMNS, *SWING_COLUMNS)
    names = list(getattr(table, "columns", table))
    check_names("column", names, known, "the mass table")
    if len(set(names)) < len(names):
        raise MassError("the mass table has two columns of the same name")
    for column in ("muscle", "mass"):
        if column not in names:
            raise MassError(f"the mass table has no column '{column}'; it needs at least 'muscle' and 'mass' [kg]")
    columns: dict[str, list[Any]] = {name: list(table[name]) for name in known if name in names}
    count = len(columns["muscle"])
    columns = {name: list(map(_text, c)) if name not in UNITS else c for name, c in columns.items()}
    muscles, places = columns["muscle"], places or [""] * count
    for row, (muscle, place) in enumerate(zip(muscles, places, strict=True)):
        whose = f"{prefix}muscle '{muscle}'"
        if muscle in muscles[:row]:
            raise MassError(f"{whose} is listed twice{place}")
        for column in filter(columns.__contains__, UNITS):
            columns[column][row] = _number(whose, column, columns[column][row], place)
    empty = [math.nan] * count
    lengths = np.array([columns.setdefault(column, empty) for column in LENGTHS], dtype=float)
    columns["source"] = [text or given for text in columns.get("source", [""] * count)]
    has_length = (~np.isnan(lengths)).any(axis=0)
    texts = zip(columns.get("belly_source", [""] * count), has_length, strict=True)
    columns["belly_source"] = [text or (given if is_given else "") for text, is_given in texts]
    return MassTable(columns, getattr(table, "attrs", None))


def _number(whose: str, column: str, cell: Any, place: str) -> float:
    """Return a cell's number, NaN if empty; raise :class:`MassError` if invalid."""
    is_empty = cell is None or str(cell).strip() in ("", MISSING)
    optional = "" if column == "mass" else ", or an empty cell"
    try:
        number = math.nan if is_empty else float("no number" if isinstance(cell, bool | str | bytes) else cell)
    except (TypeError, ValueError, OverflowError):
        raise MassError(f"{whose}: '{column}' is {cell!r}; expected a number{UNITS[column]}{optional}") from None
    least = " above 0" if column == FREQUENCY else ", 0 or more"
    is_zero = number == 0.0 and column == FREQUENCY
    if math.isinf(number) or number < 0.0 or is_zero or (column == "mass" and math.isnan(number)):
        raise MassError(f"{whose}: '{column}' is {number:g}{place}; expected a finite number{least}{optional}")
    return number


def _header(path: Path, cells: list[str]) -> list[str]:
    """Return a file's column names in lower case; raise FileFormatError for misspelt, repeated or missing columns."""
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


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if str(value) in ("None", "nan", "NaT", MISSING) else str(value)

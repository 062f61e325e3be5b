"""Base classes of results: named arrays with units and provenance, tables and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array, ReadOnly, large_zeros
from .._core.checks import check_choice
from .._core.provenance import run_record, stated_options
from .._core.representation import Described, TextTable
from ..files.atomic import write_text
from ..files.spreadsheets import write_csv
from ..files.tables import Table, write_table
from ..muscles.masses import write_masses
from ..opensim_model.reading.motion import Motion

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MotionResult", "Result", "over_all_rows"]

#: Key of the mass by which forces are divided, in the provenance.
DIVIDED = "forces divided by [kg]"
T = TypeVar("T")
#: A named array: axes with labels, values or a function that returns them, unit ("" where coordinates have their own).
Variable = tuple[Mapping[str, Any], Any, str]
#: A file: name, table or rows, and for ``.sto`` files the title and notes of the header.
File = tuple[str, "pd.DataFrame | Table | Sequence[Mapping[str, Any]]", str, Mapping[str, Any]]


class Result(ReadOnly, Described):
    """Results as named arrays with axes and units, and as tables and files; subclasses add attributes.

    Attributes:
        provenance: versions, options and inputs, as JSON types; "masses" is the mass table.
        times: of results over time, (T,) [s].
    """

    provenance: Mapping[str, Any]
    times: Array
    #: Default prefix of file names.
    prefix: ClassVar[str] = ""

    def __init__(self, arrays: Mapping[str, Variable], provenance: Mapping[str, Any]) -> None:
        self._arrays, self.provenance = dict(arrays), provenance

    def variables(self) -> dict[str, Variable]:
        """Return each named array: axes with labels, values (or a function that returns them), unit."""
        return self._arrays

    def description(self) -> Mapping[str, str]:
        """Return the shape and unit of each named array as text."""
        found = self.variables()
        return {
            n: f"{', '.join(f'{len(of)} {axis}' for axis, of in axes.items())} [{u}]"
            for n, (axes, _, u) in found.items()
        }

    def summary(self) -> pd.DataFrame:
        """Return the main results as a table; by default the first named array."""
        return self.table(next(iter(self.variables())))

    def files(self) -> dict[str, File]:
        """Return the files that :meth:`save` writes, besides masses and provenance."""
        return {"summary": ("summary.csv", self.summary(), "", {})}

    def assumptions(self) -> dict[str, Any]:
        """Return assumptions by name; datasets and files store them in addition to the provenance."""
        return {}

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the values that belong to coordinates, one per coordinate; () by default."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """All notes and warnings about the model, the input and the result."""
        return tuple(self.provenance.get("warnings", ()))

    def table(self, name: str) -> pd.DataFrame:
        """Return a named array of :meth:`variables` as a table.

        The index is time [s], or the first axis if there is no time; the other axes are columns.

        Raises:
            OptionError: no array has this name.
        """
        import pandas as pd

        found = self.variables()
        axes, values, _ = found[check_choice("name", name, found)]
        first = "time" if "time" in axes else next(iter(axes))
        values = np.moveaxis(np.asarray(values() if callable(values) else values), list(axes).index(first), 0)
        others = [list(labels) for axis, labels in axes.items() if axis != first]
        columns = pd.Index(others[0]) if len(others) == 1 else pd.MultiIndex.from_product(others) if others else [name]
        index = pd.Index(axes[first], name=first)
        values = values.reshape(len(index), len(columns))
        return pd.DataFrame(values, index=index, columns=columns, copy=True)

    def to_xarray(self) -> Any:
        """Return all named arrays as an ``xarray.Dataset`` with units; attributes are assumptions.

        Raises:
            MissingPackageError: xarray is not installed.
        """
        from .._core.xarray import labelled

        found = self.variables()
        labels = {axis: each for axes, _, _ in found.values() for axis, each in axes.items()}
        variables = {
            n: ([*axes], values() if callable(values) else values, u) for n, (axes, values, u) in found.items()
        }
        return labelled(variables, labels, self.provenance, self.units, **self.assumptions())

    def save(self, folder: str | os.PathLike[str], prefix: str | None = None) -> dict[str, Path]:
        """Write the result (``.sto``), its summary (``.csv``), masses (``.csv``) and provenance (``.json``).

        Args:
            folder: the folder of the files.
            prefix: prefix of the file names; default: as the command line.

        Returns:
            paths by content.

        Raises:
            OutputError: a file cannot be written.
        """
        return self._save(folder, self.prefix if prefix is None else prefix, self.files())

    def summary_text(self) -> str:
        """Return the summary as text, as commands print it."""
        return str(self.summary())

    def _save(self, folder: str | os.PathLike[str], prefix: str, files: Mapping[str, File]) -> dict[str, Path]:
        paths = {}
        for content, (name, table, title, notes) in files.items():
            paths[content] = Path(folder) / f"{prefix}{name}"
            if isinstance(table, Sequence) or not title:
                write_csv(table, paths[content])
            else:
                write_table(table, paths[content], in_degrees=False, name=title, notes=notes, gaps=True)
        if "masses" in self.provenance:
            paths["masses"] = Path(folder) / f"{prefix}masses.csv"
            write_masses(self.provenance["masses"], paths["masses"])
        paths["run"] = Path(folder) / f"{prefix}run.json"
        write_text(paths["run"], run_record(self.provenance))
        return paths

    def _table(self, values: Any, columns: Any) -> pd.DataFrame:
        """Return values (T, columns) as a table over time."""
        import pandas as pd

        columns = columns if isinstance(columns, pd.Index) else list(columns)
        return pd.DataFrame(values, index=pd.Index(self.times, name="time"), columns=columns, copy=True)


@dataclass(frozen=True, eq=False, repr=False)
class MotionResult(Result):
    """Results over the rows of a recorded motion.

    Attributes:
        times: (T,) [s].
        coordinate_names: names of the coordinates with an equation of motion.
        rotational: per coordinate, whether its force is a moment.
        provenance: see :class:`Result`.
        motion: the solved motion.
        answered: (T,), whether a row is solved. Rows without data of the external loads are not: they hold NaN, and
            peaks, means and bands leave them out.
    """

    times: Array
    coordinate_names: tuple[str, ...]
    rotational: tuple[bool, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    motion: Motion | None = field(default=None, kw_only=True)
    answered: NDArray[np.bool_] = field(default=None, kw_only=True)  # type: ignore[arg-type]  # all rows

    def __post_init__(self) -> None:
        if self.answered is None:
            object.__setattr__(self, "answered", np.ones(len(self.times), dtype=bool))
        super().__post_init__()

    def description(self) -> Mapping[str, str]:
        """Return texts about the model, the motion and the solved rows, by name."""
        facts, origin, times = {}, self.provenance, self.times[self.answered]
        if origin:
            mass = f"{origin['muscles with mass']} muscles with {origin['muscle mass [kg]']:.3g} kg"
            facts["model"] = f"{origin['model']['name']}, {mass}"
            facts["motion"] = origin["motion"].get("file", "from a table")
            facts |= {"loads": loads["file"]} if (loads := origin.get("external loads")) else {}
            options = stated_options(origin)
            facts |= {name: str(options[name]) for name in ("strain", "wrapping") if name in options}
        facts["rows"] = f"{len(times)} from {times[0]:.6g} to {times[-1]:.6g} s" if len(times) else "none"
        if more := len(self.times) - len(times):
            facts["rows"] += f", {more} more without an answer"
        return facts | {"coordinates": str(len(self.coordinate_names))}

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the coordinates' forces: "N m" or "N", or these per kilogram."""
        per = "/kg" if DIVIDED in self.provenance else ""
        return tuple(f"{'N m' if turns else 'N'}{per}" for turns in self.rotational)


def printed(
    rows: Sequence[Mapping[str, Any]],
    as_text: Callable[[Sequence[Mapping[str, Any]]], TextTable],
    columns: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Return rows as a table that prints as the text of ``as_text``."""
    import pandas as pd

    from .._core.tables import PrintedFrame

    table = pd.DataFrame(rows, columns=columns)
    return PrintedFrame(table.set_index(table.columns[0]), partial(_rows_as_text, as_text))


def _rows_as_text(as_text: Callable[[Sequence[Mapping[str, Any]]], TextTable], table: pd.DataFrame) -> TextTable:
    return as_text(table.reset_index().to_dict("records"))


def over_all_rows(value: T, answered: NDArray[np.bool_]) -> T:
    """Expand arrays over solved rows (R, ...), also in containers, to all rows (T, ...).

    Rows that are not solved hold NaN, False or -1. Containers are tuples, dicts and dataclasses.
    """
    if answered.all():
        return value
    found: Any = value
    if isinstance(value, np.ndarray):
        shape, kind = (len(answered), *value.shape[1:]), value.dtype.kind
        found = large_zeros(shape) if kind == "f" else np.zeros(shape, value.dtype)
        found[~answered], found[answered] = {"f": np.nan, "b": False, "i": -1}[kind], value
    elif is_dataclass(value) and not isinstance(value, type):
        found = replace(value, **{f.name: over_all_rows(getattr(value, f.name), answered) for f in fields(value)})
    elif isinstance(value, dict):
        found = {name: over_all_rows(each, answered) for name, each in value.items()}
    elif isinstance(value, tuple):
        found = tuple(over_all_rows(each, answered) for each in value)
    return found  # type: ignore[no-any-return]

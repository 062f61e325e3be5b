"""Results of recorded motions: named arrays with axes, units and provenance; their tables, files and texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._core.arrays import Array, ReadOnly, large_zeros
from .._core.checks import check_choice
from .._core.diagnostics import notes_among
from .._core.provenance import run_record, stated_options
from .._core.representation import Summarised
from ..files.atomic import writing
from ..files.tables import write_table
from ..muscles.masses import write_masses
from ..opensim_model.reading.motion import Motion

__all__ = ["Result", "over_all_rows"]

T = TypeVar("T")
#: A named array: its axes, its numbers, and their unit; "" where each coordinate has its own.
Variable = tuple[Sequence[str], Any, str]


@dataclass(frozen=True, repr=False)
class Result(ReadOnly, Summarised):
    """An answer over the rows of a motion. Subclasses say which arrays and tables there are.

    Attributes:
        times: (T,) [s].
        coordinate_names: of the coordinates that have an equation.
        rotational: per coordinate, whether its force is a moment.
        provenance: versions, options and inputs, as JSON knows them; "masses" is the mass table.
        motion: the motion that was solved.
        answered: (T,), which rows have an answer; the others, for which external loads are not known, hold NaN. Peaks,
            means and bands are those of rows with an answer.
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
        """Return the model, the trial and the rows."""
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
        """The unit of each coordinate's force: "N m" or "N"."""
        return tuple("N m" if turns else "N" for turns in self.rotational)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about changes of the motion after reading it."""
        return notes_among(() if self.motion is None else self.motion.findings)

    def variables(self) -> dict[str, Variable]:
        """Return the axes, numbers and unit of each named array; numbers may be a function that returns them."""
        raise NotImplementedError

    def labels(self) -> dict[str, Any]:
        """Return the labels along each axis."""
        return {"time": self.times, "coordinate": list(self.coordinate_names)}

    def assumptions(self) -> dict[str, Any]:
        """Return what a dataset and files of this result state, by name, besides its provenance."""
        return {}

    def table(self, name: str) -> pd.DataFrame:
        """Return one of :meth:`variables` as a table: index time [s]; of arrays with more axes one level for each.

        Raises:
            OptionError: there is no array of that name.
        """
        found = self.variables()
        axes, values, _ = found[check_choice("name", name, found)]
        values = np.moveaxis(np.asarray(values() if callable(values) else values), list(axes).index("time"), 0)
        others = [list(self.labels()[axis]) for axis in axes if axis != "time"]
        columns = others[0] if len(others) == 1 else pd.MultiIndex.from_product(others) if others else [name]
        return self._table(values.reshape(len(self.times), -1), columns)

    def to_xarray(self) -> Any:
        """Return all named arrays as an ``xarray.Dataset`` with units, whose attributes say what was assumed.

        Raises:
            MissingPackageError: xarray is not installed.
        """
        from .._core.xarray import labelled

        variables = {
            name: (axes, values() if callable(values) else values, unit)
            for name, (axes, values, unit) in self.variables().items()
        }
        return labelled(variables, self.labels(), self.provenance, self.units, **self.assumptions())

    def _table(self, values: Any, columns: Any) -> pd.DataFrame:
        columns = columns if isinstance(columns, pd.Index) else list(columns)
        return pd.DataFrame(values, index=pd.Index(self.times, name="time"), columns=columns, copy=True)

    def _file_notes(self, kind: str) -> dict[str, Any]:
        """Return what the header of a ``.sto`` file of one kind of answer says."""
        raise NotImplementedError

    def _to_sto(self, table: pd.DataFrame, path: str | os.PathLike[str], title: str, kind: str) -> None:
        write_table(table, path, in_degrees=False, name=title, notes=self._file_notes(kind), gaps=True)

    def _save(
        self, folder: str | os.PathLike[str], prefix: str, files: Mapping[str, tuple[str, pd.DataFrame, str, str]]
    ) -> dict[str, Path]:
        """Write tables by content (file, table, and of ``.sto`` files title and kind), masses and provenance."""
        paths = {}
        for content, (name, table, title, kind) in files.items():
            paths[content] = Path(folder) / f"{prefix}{name}"
            if title:
                self._to_sto(table, paths[content], title, kind)
                continue
            with writing(paths[content]) as temporary:
                table.to_csv(temporary)
        if "masses" in self.provenance:
            paths["masses"] = Path(folder) / f"{prefix}masses.csv"
            write_masses(self.provenance["masses"], paths["masses"])
        paths["run"] = Path(folder) / f"{prefix}run.json"
        with writing(paths["run"]) as temporary:
            temporary.write_text(run_record(self.provenance), encoding="utf-8")
        return paths


def over_all_rows(value: T, answered: NDArray[np.bool_]) -> T:
    """Return arrays of answered rows (R, ...), alone or in tuples, dicts and dataclasses, over all rows (T, ...).

    Rows without an answer hold NaN, False, or -1.
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

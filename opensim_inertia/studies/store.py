"""The folder of a study: one file for each result, written whole or not at all, and what tells whose folder it is."""

from __future__ import annotations

import json
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import OutputError, listed
from .._core.provenance import plain
from ..files.atomic import writing

__all__ = ["CURVES", "FAILURES", "INDEX", "KINDS", "MEAN_CURVES", "PEAKS", "Store", "TaskResult"]

#: Names of what a folder holds.
RECORD, TASKS, REPORTS, INDEX = "study.json", "tasks", "reports", "index.html"
CURVES, PEAKS, MEAN_CURVES = "curves.parquet", "peaks.parquet", "mean_curves.parquet"
FAILURES = "failures.csv"
#: Names of temporary files.
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{12}\.\w+")
#: The curves of a result, all (T, n); NaN where there is none.
KINDS = ("lumped", "inertial", "lower", "upper")
#: The names in a result.
TEXTS = ("quantities", "names", "units", "peak_columns")


@dataclass(frozen=True)
class TaskResult:
    """The numbers of one task; its n curves are named by quantity, name and unit."""

    times: Array  # (T,) [s]
    quantities: Sequence[str]  # "generalized force", "activation", "force" or "reaction"
    names: Sequence[str]
    units: Sequence[str]
    on_base: Sequence[bool]  # whether a coordinate moves the whole model in ground
    curves: Mapping[str, Array]  # by KINDS, (T, n); NaN also in rows without an answer
    doubtful: NDArray[np.bool_]  # (T, n), values that jumps of the recording change
    peaks: Array  # (n, columns)
    peak_columns: Sequence[str]
    provenance: Mapping[str, Any]  # versions, options, inputs, warnings, mass table

    @property
    def sure(self) -> dict[str, Array]:
        """The curves, NaN where they are doubtful."""
        return {kind: np.where(self.doubtful, np.nan, curve) for kind, curve in self.curves.items()}

    def curves_of(self, quantity: str) -> list[tuple[str, int]]:
        """Return names and numbers of the curves of a quantity."""
        return [(self.names[i], i) for i, each in enumerate(self.quantities) if each == quantity]

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which rows have an answer, (T,)."""
        return np.asarray(np.isfinite(self.curves["lumped"]).all(axis=1))

    @property
    def span(self) -> tuple[float, float]:
        """The first and last time [s] of the rows with an answer."""
        times = self.times[self.answered]
        return float(times[0]), float(times[-1])


class Store:
    """The folder of a study's results."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    def path(self, key: str) -> Path:
        """Return the file of a task's result."""
        return self.folder / TASKS / key[:2] / f"{key}.npz"

    def report(self, key: str) -> Path:
        """Return the page about a task's result."""
        return self.folder / REPORTS / key[:2] / f"{key}.html"

    def has(self, key: str, report: bool) -> bool:
        """Return whether a task is done, its report among it if there shall be one."""
        return self.path(key).is_file() and (not report or self.report(key).is_file())

    def present(self) -> set[str]:
        """Return the keys of all results that are there; one look at the folders, not one for each task."""
        return {path.stem for path in (self.folder / TASKS).glob("??/*.npz") if not path.name.startswith(".")}

    def remove_temporary_files(self) -> None:
        """Remove the temporary files of processes that were killed. Nobody else must be writing."""
        for folder in (self.folder, *self.folder.glob(f"{TASKS}/??"), *self.folder.glob(f"{REPORTS}/??")):
            for file in folder.glob(".*"):
                if TEMPORARY.fullmatch(file.name):
                    file.unlink(missing_ok=True)

    def write(self, key: str, result: TaskResult) -> None:
        """Write a result under a temporary name, and rename it."""
        arrays: dict[str, Any] = {name: np.array(getattr(result, name), dtype=str) for name in TEXTS}
        arrays |= {"times": result.times, "span": result.span, "doubtful": result.doubtful, "peaks": result.peaks}
        arrays["on_base"] = np.array(result.on_base, dtype=bool)
        arrays |= {name: result.curves[name] for name in KINDS}
        arrays["made"] = np.array(json.dumps(plain(dict(result.provenance)), allow_nan=False))
        with writing(self.path(key)) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def read(self, key: str) -> TaskResult:
        """Return a result that was written."""
        with self._damaged(key):
            with self.path(key).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            return TaskResult(
                times=arrays["times"],
                curves={name: arrays[name] for name in KINDS},
                doubtful=arrays.get("doubtful", np.zeros(arrays["lumped"].shape, dtype=bool)),
                peaks=arrays["peaks"],
                provenance=json.loads(str(arrays["made"])),
                **{name: arrays[name].tolist() for name in ("on_base", *TEXTS)},
            )

    def span(self, key: str) -> tuple[float, float]:
        """Return the first and last time [s] of a result with an answer, without reading the rest."""
        with self._damaged(key), self.path(key).open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            first, last = file["span"].tolist()
            return first, last

    @contextmanager
    def _damaged(self, key: str) -> Iterator[None]:
        path = self.path(key)
        try:
            yield
        except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise OutputError(path, f"the result is damaged ({error}); remove it, and run the study again") from error

    def claim(self, name: str, trials: Sequence[str]) -> None:
        """Make the folder that of a study, or check that it is, and keep the names of the study and its trials."""
        record = self.folder / RECORD
        if record.is_file():
            try:
                content = json.loads(record.read_text(encoding="utf-8"))
                other, known = str(content["name"]), set(content["trials"])
            except (OSError, ValueError, KeyError, TypeError) as error:
                why = f"'{RECORD}' in it is damaged ({error}); choose another folder"
                raise OutputError(self.folder, why) from error
            if other != name:
                raise OutputError(self.folder, f"it holds the results of study '{other}', not of '{name}'")
            if known.isdisjoint(trials):
                some = listed(sorted(known)[:3])
                raise OutputError(self.folder, f"it holds the results of another study '{name}', with trials {some}")
        elif self.folder.is_dir() and (others := sorted(os.listdir(self.folder))):
            raise OutputError(self.folder, f"it holds '{others[0]}' and no study; choose another folder")
        with writing(record) as temporary:
            temporary.write_text(json.dumps({"name": name, "trials": trials}, indent=0), encoding="utf-8")

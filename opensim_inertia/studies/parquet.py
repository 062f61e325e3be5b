"""The one module that imports PyArrow: tables that grow row group by row group, and are there whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._core.errors import MissingPackageError
from ..files.atomic import writing

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise MissingPackageError("studies need", "pyarrow", "study") from error

__all__ = ["GrowingTable", "growing", "read_parquet"]

#: Rows that are written at once, and how many additions wait for that at most.
GROUP, WAITING = 100_000, 256
#: Key of the assumptions among a file's metadata.
KEY = b"opensim_inertia"

TEXT, NUMBER, COUNT = pa.dictionary(pa.int32(), pa.string()), pa.float64(), pa.int64()
TYPES = {"text": TEXT, "number": NUMBER, "count": COUNT}


class GrowingTable:
    """A table that is written while it grows.

    Args:
        file: where to.
        columns: "text", "number" or "count" by name.
        made: assumptions, kept with the file.
    """

    def __init__(self, file: Path, columns: Mapping[str, str], assumptions: Mapping[str, Any]) -> None:
        fields = [pa.field(name, TYPES[kind]) for name, kind in columns.items()]
        self._schema = pa.schema(fields, metadata={KEY: json.dumps(assumptions, sort_keys=True)})
        self._writer = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._waiting: list[pa.RecordBatch] = []
        self._rows = 0

    def add(self, columns: Mapping[str, Any], rows: int) -> None:
        """Add rows: by column an array, one value for all rows, or None for empty cells."""
        arrays = [_array(columns.get(field.name), field.type, rows) for field in self._schema]
        self._waiting.append(pa.record_batch(arrays, schema=self._schema))
        self._rows += rows
        if self._rows >= GROUP or len(self._waiting) >= WAITING:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            table = pa.Table.from_batches(self._waiting).unify_dictionaries().combine_chunks()
            self._writer.write_table(table, row_group_size=max(1, len(table)))
        self._waiting, self._rows = [], 0

    def close(self) -> None:
        """Write what waits, and the end of the file."""
        self._flush()
        self._writer.close()


def _array(values: Any, kind: Any, rows: int) -> Any:
    """Return a column of rows; NaN is an empty cell."""
    if pa.types.is_dictionary(kind):
        if values is None or isinstance(values, str):
            return pa.DictionaryArray.from_arrays(pa.array([0 if values else None] * rows, pa.int32()), [values or ""])
        return pa.array(values, pa.string()).dictionary_encode()
    if values is None or np.ndim(values) == 0:
        values = np.full(rows, np.nan if values is None else values)
    return pa.array(values, kind, from_pandas=True)


@contextmanager
def growing(path: Path, columns: Mapping[str, str], assumptions: Mapping[str, Any]) -> Iterator[GrowingTable]:
    """Yield a table to add rows to; it becomes ``path`` when the block ends without an exception.

    Raises:
        OutputError: it cannot be written.
    """
    with writing(path) as temporary:
        table = GrowingTable(temporary, columns, assumptions)
        try:
            yield table
        finally:
            table.close()


def read_parquet(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Return a table that a study has written; ``attrs["provenance"]`` has its assumptions."""
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.attrs["provenance"] = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    return frame

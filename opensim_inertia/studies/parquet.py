"""The one module that imports PyArrow: tables that grow row group by row group."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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
TYPES = {"text": pa.dictionary(pa.int32(), pa.string()), "number": pa.float64(), "count": pa.int64()}


class GrowingTable:
    """A table that is written while it grows; ``schema`` has its columns and metadata."""

    def __init__(self, file: Path, schema: pa.Schema) -> None:
        self._schema = schema
        self._writer = pq.ParquetWriter(file, schema, compression="zstd")
        self._waiting: list[pd.DataFrame] = []

    def add(self, columns: Mapping[str, Any]) -> None:
        """Add rows: by column an array or one value for all rows; columns that are left out are empty."""
        self._waiting.append(pd.DataFrame(columns))
        if len(self._waiting) >= WAITING or sum(map(len, self._waiting)) >= GROUP:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        if self._waiting:
            frame = pd.concat(self._waiting, ignore_index=True).reindex(columns=self._schema.names)
            self._writer.write_table(pa.Table.from_pandas(frame, self._schema, preserve_index=False))
        self._waiting = []

    def close(self) -> None:
        """Write the rows that wait and the end of the file."""
        try:
            self.flush()
        finally:
            self._writer.close()


@contextmanager
def growing(path: Path, columns: Mapping[str, str], assumptions: Mapping[str, Any]) -> Iterator[GrowingTable]:
    """Yield a table to add rows to; it becomes ``path`` when the block ends without an exception."""
    metadata = {KEY: json.dumps(assumptions, sort_keys=True)}
    schema = pa.schema([(name, TYPES[kind]) for name, kind in columns.items()], metadata)
    with writing(path) as temporary:
        table = GrowingTable(temporary, schema)
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

"""Marker trajectories as ``.trc`` files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from .._core.arrays import Array
from .._core.checks import check_choice, check_file, narrow_name
from .._core.errors import OPENSIM_ERRORS, FileFormatError, OutputError, opensim_reason
from .._core.opensim import osim, quiet
from .atomic import writing
from .tables import Table, check_labels, checked_numbers

PER_METRE = {"m": 1.0, "mm": 1000.0}


def read_trc(path: str | os.PathLike[str]) -> tuple[Array, list[str], Array]:
    """Return times (T,) [s], labels of M markers, and positions (T, M, 3) [m], NaN while a marker is occluded.

    OpenSim reads the file; positions are in the axes of the file, which OpenSim takes for ground.

    Raises:
        FileFormatError: the file is missing or malformed, its unit is neither "m" nor "mm", or times do not increase.
    """
    path = check_file(path, "the file of markers")
    try:
        with quiet():
            table = osim.TimeSeriesTableVec3(narrow_name(path))
            units = table.getTableMetaDataAsString("Units").strip()
            flat = table.flatten()  # the table owns the matrix
            numbers = flat.getMatrix().to_numpy().copy()
    except OPENSIM_ERRORS as error:
        raise FileFormatError(path, f"OpenSim cannot read it as markers: {opensim_reason(error)}") from None
    if units not in PER_METRE:
        raise FileFormatError(path, f"its unit is '{units}', expected 'm' or 'mm'")
    times, labels = np.array(table.getIndependentColumn(), dtype=float), [str(x) for x in table.getColumnLabels()]
    if not len(times) or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise FileFormatError(path, "its times must be finite and increase")
    return times, labels, numbers.reshape(len(times), len(labels), 3) / PER_METRE[units]


def write_trc(
    path: str | os.PathLike[str],
    times: ArrayLike,
    positions: Mapping[str, ArrayLike] | ArrayLike,
    labels: Sequence[str] | None = None,
    units: str = "m",
) -> None:
    """Write positions of points over time, without rounding if ``units`` is ``"m"``.

    Args:
        path: file name that ends in ``.trc``; missing folders are created, writing is atomic.
        times: (T,), strictly increasing [s].
        positions: in the ground frame [m]: a mapping from each point's label to (T, 3), or an array (T, M, 3).
        labels: the M labels, if ``positions`` is an array; those of a mapping are its keys.
        units: unit of length in the file, ``"m"`` or ``"mm"``; OpenSim reads either.

    Raises:
        OptionError: an unknown unit.
        OutputError: another suffix, inconsistent shapes, a label with blanks or a repeated one, a position or time
            that is not finite, times that do not increase, or a path that cannot be written.
    """
    path = Path(path)
    check_choice("units", units, PER_METRE)
    if path.suffix.lower() != ".trc":
        raise OutputError(path, "expected a name that ends in .trc")
    try:
        if isinstance(positions, Mapping):
            labels = list(positions)
            positions = np.stack([np.asarray(each, dtype=float) for each in positions.values()], axis=1)
        points = np.asarray(positions, dtype=float)
    except (TypeError, ValueError) as error:
        raise OutputError(path, f"the positions are not numbers of one shape ({error})") from error
    names = [str(label) for label in labels or ()]
    check_labels(path, names)
    if points.ndim != 3 or points.shape[1:] != (len(names), 3) or not names:
        raise OutputError(path, f"positions have shape {points.shape}, expected (T, {len(names) or 'M'}, 3)")
    if np.shape(times) != points.shape[:1]:
        raise OutputError(path, f"{np.size(times)} times for {len(points)} rows of positions")
    columns = tuple(name for name in names for _ in range(3))
    table = Table(np.asarray(times), columns, points.reshape(len(points), -1))
    moments, cells = checked_numbers(table, partial(OutputError, path))
    rate = repr(float((len(moments) - 1) / (moments[-1] - moments[0]))) if len(moments) > 1 else "1.0"
    header = [
        f"PathFileType\t4\t(X/Y/Z)\t{path.name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate}\t{rate}\t{len(moments)}\t{len(names)}\t{units}\t{rate}\t1\t{len(moments)}",
        "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(names) + 1)),
        "",
    ]
    numbers = np.column_stack([moments, cells * PER_METRE[units]])
    rows = (f"{frame}\t" + "\t".join(map(repr, row)) for frame, row in enumerate(numbers.tolist(), start=1))
    with writing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([*header, *rows, ""]))

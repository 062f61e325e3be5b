"""Points in space over time as ``.trc`` files: those that OpenSim's GUI shows next to a model, and measured markers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from .._core.arrays import Array
from .._core.checks import check_choice, check_file
from .._core.errors import OPENSIM_ERRORS, FileFormatError, OutputError, opensim_reason
from .._core.opensim import osim, quiet
from .atomic import writing

__all__ = ["read_trc", "write_trc"]

PER_METRE = {"m": 1.0, "mm": 1000.0}


def read_trc(path: str | os.PathLike[str]) -> tuple[Array, list[str], Array]:
    """Return times (T,) [s], labels of the M markers, and their positions (T, M, 3) [m], NaN where one was not seen.

    OpenSim reads the file; positions are in the axes of the file, which in OpenSim are those of ground.

    Raises:
        FileFormatError: the file is missing or malformed, its unit is neither "m" nor "mm", or times do not increase.
    """
    path = check_file(path, "the file of markers")
    try:
        with quiet():
            table = osim.TimeSeriesTableVec3(str(path))
            units = table.getTableMetaDataAsString("Units").strip()
            flat = table.flatten()  # it owns the matrix
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
    """Write the positions of points over time, to the last bit if ``units`` is ``"m"``.

    Args:
        path: ends in ``.trc``; missing folders are made; written completely or not at all.
        times: (T,), strictly increasing [s].
        positions: in the ground frame [m]: a mapping from each point's label to (T, 3), or an array (T, M, 3).
        labels: the M labels, if ``positions`` is an array.
        units: unit of length in the file, ``"m"`` or ``"mm"``; OpenSim reads either.

    Raises:
        OptionError: an unknown unit.
        OutputError: another suffix, shapes that disagree, a label with blanks or a repeated one, a position or time
            that is not finite, times that do not increase, or a place where nothing can be written.
    """
    path = Path(path)
    check_choice("units", units, PER_METRE)
    if path.suffix.lower() != ".trc":
        raise OutputError(path, "expected a name that ends in .trc")
    names, points = _names_and_points(path, positions, labels)
    moments = _checked_times(path, times, len(points))
    _check_points(path, names, points)
    rate = repr(float((len(moments) - 1) / (moments[-1] - moments[0]))) if len(moments) > 1 else "1.0"
    header = [
        f"PathFileType\t4\t(X/Y/Z)\t{path.name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate}\t{rate}\t{len(moments)}\t{len(names)}\t{units}\t{rate}\t1\t{len(moments)}",
        "Frame#\tTime\t" + "\t\t\t".join(names) + "\t\t",
        "\t\t" + "\t".join(f"X{k}\tY{k}\tZ{k}" for k in range(1, len(names) + 1)),
        "",
    ]
    numbers = np.column_stack([moments, points.reshape(len(points), -1) * PER_METRE[units]])
    rows = (f"{frame}\t" + "\t".join(map(repr, row)) for frame, row in enumerate(numbers.tolist(), start=1))
    with writing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join([*header, *rows, ""]))


def _names_and_points(
    path: Path, positions: Mapping[str, ArrayLike] | ArrayLike, labels: Sequence[str] | None
) -> tuple[list[str], np.ndarray]:
    """Return the M labels and the points as an array (T, M, 3)."""
    try:
        if isinstance(positions, Mapping):
            if labels is not None:
                raise OutputError(path, "the labels are given twice, as 'labels' and by the mapping")
            names = [str(name) for name in positions]
            points = np.stack([np.asarray(p, dtype=float) for p in positions.values()], axis=1) if names else None
        else:
            names = [str(name) for name in labels or ()]
            points = np.asarray(positions, dtype=float)
    except (TypeError, ValueError) as error:
        raise OutputError(path, f"the positions are not numbers of one shape ({error})") from error
    if points is None or not names:
        raise OutputError(path, "there is no point, or no label, to write")
    if points.ndim != 3 or points.shape[1:] != (len(names), 3):
        raise OutputError(path, f"positions have shape {points.shape}, expected (T, {len(names)}, 3)")
    return names, points


def _checked_times(path: Path, times: ArrayLike, rows: int) -> np.ndarray:
    """Return the times (T,); raise an error unless they are finite and increase."""
    try:
        moments = np.asarray(times, dtype=float)
    except (TypeError, ValueError) as error:
        raise OutputError(path, f"the times are not numbers ({error})") from error
    if moments.shape != (rows,) or rows == 0:
        raise OutputError(path, f"{moments.size} times for {rows} rows of positions")
    if not (np.isfinite(moments).all() and (np.diff(moments) > 0).all()):
        raise OutputError(path, "the times must be finite and increase")
    return moments


def _check_points(path: Path, names: list[str], points: np.ndarray) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise OutputError(path, f"point '{name}' is there more than once")
        if name.split() != [name]:
            raise OutputError(path, f"the label '{name}' is empty or has blanks in it")
    bad = np.argwhere(~np.isfinite(points))
    if len(bad):
        raise OutputError(path, f"point '{names[bad[0][1]]}' is not finite in row {bad[0][0] + 1}")

"""Pictures as files: the suffix says the format, and several are written together or not at all."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .._core.checks import check_picture
from ..files.atomic import writing

__all__ = ["save_picture", "save_pictures"]


#: Pixels per inch.
DPI = 160
#: How hard zlib tries: the next level makes files 5 % smaller, in a quarter more time.
EFFORT = 2


def save_pictures(figures: Mapping[Path, Figure]) -> None:
    """Write figures to files, in the formats that their suffixes say.

    Raises:
        OptionError: a suffix is not that of a picture.
        OutputError: one cannot be written; then none is.
    """
    for path in figures:
        check_picture(path)
    with ExitStack() as together:
        for path, figure in figures.items():
            temporary = together.enter_context(writing(path))
            kind = path.suffix.lower().lstrip(".")
            if kind == "png":
                temporary.write_bytes(_png(figure))
            else:
                figure.savefig(temporary, format=kind, dpi=DPI)


def save_picture(figure: Figure, path: str | os.PathLike[str] | None) -> Figure:
    """Return a figure, written to a file if one is named; errors are those of :func:`save_pictures`."""
    if path is not None:
        save_pictures({Path(path): figure})
    return figure


def _png(figure: Figure) -> bytes:
    """Return a figure as a PNG file.

    Each row of pixels is stored as what it differs by from the row above. Libraries try five such filters at each row,
    which takes as long as all else that they do.
    """
    own_dpi = figure.get_dpi()
    canvas: Any = FigureCanvasAgg(figure)
    figure.set_dpi(DPI)
    try:
        canvas.draw()
    finally:
        figure.set_dpi(own_dpi)
    pixels = np.asarray(canvas.buffer_rgba())
    height, width, _ = pixels.shape
    channels = 3 if pixels[..., 3].min() == 255 else 4
    rows = pixels[..., :channels].reshape(height, -1)
    filtered = np.full((height, 1 + rows.shape[1]), 2, dtype=np.uint8)  # 2: less the row above
    filtered[0, 1:] = rows[0]
    np.subtract(rows[1:], rows[:-1], out=filtered[1:, 1:])
    per_metre = round(DPI / 0.0254)
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0),
        b"pHYs": struct.pack(">IIB", per_metre, per_metre, 1),
        b"IDAT": zlib.compress(filtered.data, EFFORT),
        b"IEND": b"",
    }
    parts = [b"\x89PNG\r\n\x1a\n"]
    for name, data in chunks.items():
        parts += [struct.pack(">I", len(data)), name, data, struct.pack(">I", zlib.crc32(name + data))]
    return b"".join(parts)

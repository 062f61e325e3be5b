"""Meshes of bones (``.vtp``, ``.stl``, ``.obj``) as points and triangles."""

from __future__ import annotations

import base64
import os
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import FileFormatError, system_reason

Surface = tuple[Array, NDArray[Any]]
#: NumPy types, by VTK type.
TYPES = {f"{name}{8 * size}": f"{name[0].lower()}{size}" for name in ("Int", "UInt", "Float") for size in (1, 2, 4, 8)}
#: Facet of a binary .stl file.
FACET = np.dtype([("normal", "<f4", 3), ("points", "<f4", (3, 3)), ("attributes", "<u2")])


def read_mesh(path: str | os.PathLike[str]) -> Surface:
    """Return a mesh's points (n, 3) and triangles (m, 3); FileFormatError if the file is unreadable or empty."""
    path = Path(path)
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise FileFormatError(path, f"is no mesh that is read: expected {', '.join(SUFFIXES)}")
    try:
        points, triangles = reader(path.read_bytes())
    except OSError as error:
        raise FileFormatError(path, system_reason(error)) from None
    except (ValueError, LookupError, TypeError, AttributeError, SyntaxError, zlib.error) as error:
        raise FileFormatError(path, f"the mesh is malformed ({error})") from None
    if not len(triangles):
        raise FileFormatError(path, "the mesh holds no polygon")
    if not np.isfinite(points).all() or triangles.min() < 0 or triangles.max() >= len(points):
        raise FileFormatError(path, "the mesh is malformed: a point is not finite, or a polygon has a point too many")
    return points, triangles


def _fans(corners: NDArray[Any], ends: NDArray[Any], strips: bool = False) -> NDArray[Any]:
    """Split polygons or strips into triangles (m, 3); polygon i has the points ``corners[ends[i - 1]:ends[i]]``."""
    starts = np.concatenate([[0], ends])[:-1].astype(int)
    if (ends < starts).any() or ends[-1:].sum() > len(corners):
        raise ValueError("the offsets of its polygons do not match their corners")
    counts = np.maximum(ends.astype(int) - starts - 2, 0)
    first = np.repeat(starts, counts)
    step = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    if not strips:
        return corners[np.stack([first, first + step + 1, first + step + 2], axis=1)]
    odd = step % 2
    return corners[np.stack([first + step, first + step + 1 + odd, first + step + 2 - odd], axis=1)]


def _vtp(raw: bytes) -> Surface:
    head, _, appended = raw.partition(b"<AppendedData")
    root = ElementTree.fromstring(head + b"</VTKFile>" if appended else head)
    if root.get("type") != "PolyData":
        raise ValueError(f"it is of type {root.get('type')}, not PolyData")
    if root.get("compressor", "vtkZLibDataCompressor") != "vtkZLibDataCompressor":
        raise ValueError(f"it is compressed by {root.get('compressor')}, not by zlib")
    start = appended.find(b"_") + 1
    is_raw = b'encoding="raw"' in appended[:start]
    order = ">" if root.get("byte_order") == "BigEndian" else "<"  # of NumPy types, as in "<f4"
    header = np.dtype(order + TYPES[root.get("header_type", "UInt32")])

    def numbers(array: ElementTree.Element) -> NDArray[Any]:
        kind = np.dtype(order + TYPES[array.attrib["type"]])
        data = "".join([array.text or "", *(child.tail or "" for child in array)]).strip().encode()
        if array.get("format") == "ascii":
            return np.array(data.split()).astype(float if kind.kind == "f" else np.int64)
        is_appended = array.get("format") == "appended"
        if is_appended:
            data = appended[start + int(array.attrib["offset"]) :]
        return np.frombuffer(_data(data, is_raw and is_appended, header, root.get("compressor") is not None), kind)

    points, triangles, count = [np.empty((0, 3))], [np.empty((0, 3), dtype=np.int64)], 0
    for piece in root.iterfind("PolyData/Piece"):
        place = piece.find("Points/DataArray")
        if place is None or piece.get("NumberOfPoints") == "0":
            continue
        points.append(numbers(place).astype(float).reshape(-1, 3))
        for kind in ("Polys", "Strips"):
            lists = {each.get("Name"): each for each in piece.iterfind(f"{kind}/DataArray")}
            if lists and piece.get(f"NumberOf{kind}") != "0":
                corners, ends = (numbers(lists[name]).astype(np.int64) for name in ("connectivity", "offsets"))
                triangles.append(count + _fans(corners, ends, kind == "Strips"))
        count += len(points[-1])
    return np.concatenate(points), np.concatenate(triangles)


def _data(data: bytes, is_raw: bool, header: np.dtype[Any], compressed: bool) -> bytes:
    """Return the decoded and decompressed bytes of a VTK array, without the header of block sizes."""
    size = header.itemsize

    def at_byte(data: bytes, first: int, count: int) -> tuple[bytes, int]:
        """Return ``count`` bytes from ``first``, decoded from base64 if needed, and the index of the next byte."""
        end = first + (count if is_raw else 4 * -(-count // 3))
        return (data[first:end] if is_raw else base64.b64decode(data[first:end])[:count]), end

    if not compressed:
        count = int(np.frombuffer(at_byte(data, 0, size)[0], header)[0])
        return at_byte(data, 0, size + count)[0][size:]
    blocks = int(np.frombuffer(at_byte(data, 0, size)[0], header)[0])
    sizes, place = at_byte(data, 0, (3 + blocks) * size)
    lengths = np.frombuffer(sizes, header)[3:].astype(int)
    block_bytes, _ = at_byte(data, place, int(lengths.sum()))
    ends = np.cumsum(lengths)
    return b"".join(zlib.decompress(block_bytes[end - n : end]) for n, end in zip(lengths, ends, strict=True))


def _stl(raw: bytes) -> Surface:
    count = int.from_bytes(raw[80:84], "little")
    if len(raw) == 84 + count * FACET.itemsize:
        corners = np.frombuffer(raw, FACET, offset=84)["points"].reshape(-1, 3).astype(float)
    else:
        lines = (line.split() for line in raw.decode().splitlines())
        corners = np.array([line[1:] for line in lines if line[:1] == ["vertex"]], dtype=float).reshape(-1, 3)
    points, numbers = np.unique(corners, axis=0, return_inverse=True)
    return points, numbers.reshape(-1, 3)


def _obj(raw: bytes) -> Surface:
    """Return the surface in an .obj file; the file counts points from 1, or backwards from -1."""
    points: list[list[float]] = []
    corners: list[int] = []
    ends: list[int] = []
    for line in raw.decode(errors="replace").splitlines():
        word, *cells = line.split() or [""]
        if word == "v":
            points.append([float(cell) for cell in cells[:3]])
        elif word == "f":
            numbers = [int(cell.split("/")[0]) for cell in cells]
            corners += [number - 1 if number > 0 else len(points) + number for number in numbers]
            ends.append(len(corners))
    return np.array(points).reshape(-1, 3), _fans(np.array(corners, dtype=int), np.array(ends, dtype=int))


READERS: dict[str, Callable[[bytes], Surface]] = {".vtp": _vtp, ".stl": _stl, ".obj": _obj}
SUFFIXES = tuple(READERS)

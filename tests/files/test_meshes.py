"""Meshes are read as they were written, in every way in which vtk writes them; damaged ones are refused by name."""

import base64
import struct
import zlib
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opensim_inertia.errors import FileFormatError
from opensim_inertia.files.meshes import read_mesh

#: A pyramid of the height 1 over the unit square; seen from outside its corners go round against the clock.
POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
FACES = [[3, 2, 1, 0], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]


def volume(points: Any, triangles: Any) -> float:
    """Of what a closed surface of triangles encloses; positive if they are seen from outside."""
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def block(values: Any, way: str) -> str:
    """Numbers as VTK writes them inline in base64: after their size, or in two blocks compressed by zlib."""
    data = np.asarray(values).tobytes()
    if way == "plain":
        return base64.b64encode(struct.pack("<I", len(data)) + data).decode()
    half = -(-len(data) // 2)
    parts = [zlib.compress(data[:half]), zlib.compress(data[half:])]
    head = struct.pack("<5I", 2, half, len(data) - half, *map(len, parts))
    return base64.b64encode(head).decode() + base64.b64encode(b"".join(parts)).decode()


def vtp(way: str) -> str:
    """The pyramid as .vtp: "ascii", "plain" or "zlib" in base64."""
    ends = np.cumsum([len(face) for face in FACES])
    arrays = {
        "": POINTS.astype("<f4"),
        "connectivity": np.concatenate(FACES).astype("<i4"),
        "offsets": ends.astype("<i4"),
    }
    text = {k: " ".join(map(str, v.ravel().tolist())) if way == "ascii" else block(v, way) for k, v in arrays.items()}
    form, kinds = "ascii" if way == "ascii" else "binary", dict.fromkeys(arrays, "Int32") | {"": "Float32"}
    data = {k: f'<DataArray type="{kinds[k]}" Name="{k}" format="{form}">\n{text[k]}\n</DataArray>' for k in arrays}
    packed = ' compressor="vtkZLibDataCompressor"' if way == "zlib" else ""
    return (
        f'<?xml version="1.0"?>\n<VTKFile type="PolyData" version="0.1" byte_order="LittleEndian"{packed}><PolyData>'
        f'<Piece NumberOfPoints="5" NumberOfPolys="5"><Points>{data[""]}</Points>'
        f"<Polys>{data['connectivity']}{data['offsets']}</Polys></Piece></PolyData></VTKFile>"
    )


def stl(binary: bool) -> bytes:
    corners = POINTS[[[3, 2, 1], [3, 1, 0], *FACES[1:]]]
    if binary:
        return (
            bytes(80) + struct.pack("<I", 6) + b"".join(struct.pack("<12fH", 0, 0, 0, *c.ravel(), 0) for c in corners)
        )
    loops = ["\n".join("vertex {} {} {}".format(*point) for point in triangle) for triangle in corners]
    return "\n".join(["solid a", *(f"facet normal 0 0 0\nouter loop\n{t}\nendloop\nendfacet" for t in loops)]).encode()


OBJ = "\n".join(
    ["# a comment", *("v {} {} {}".format(*p) for p in POINTS), "vn 0 0 1", "f 4//1 3//1 2//1 1//1"]
    + ["f " + " ".join(str(k - 5) for k in face) for face in FACES[1:]]
)
FILES = {f"{way}.vtp": vtp(way).encode() for way in ("ascii", "plain", "zlib")}
FILES |= {"binary.stl": stl(True), "text.stl": stl(False), "pyramid.obj": OBJ.encode()}


@pytest.mark.parametrize("name", FILES)
def test_a_pyramid_is_closed_and_has_its_volume(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    points, triangles = read_mesh(tmp_path / name)
    assert points.shape == (5, 3) and triangles.shape == (6, 3)
    assert {tuple(point) for point in points} == {tuple(point) for point in POINTS}
    assert volume(points, triangles) == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", FILES)
def test_damaged_meshes_are_refused_by_name(tmp_path: Path, name: str) -> None:
    """A file cut off anywhere is refused; one of lines, which has no end, may be a surface of the points it has."""
    file, whole = tmp_path / name, FILES[name]
    for length in range(0, len(whole), 7):
        file.write_bytes(whole[:length])
        try:
            points, triangles = read_mesh(file)
        except FileFormatError as error:
            assert error.path == str(file)
        else:
            assert name in ("text.stl", "pyramid.obj") and triangles.max() < len(points)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.ply", "ply", r"expected \.vtp, \.stl, \.obj"),
        ("a.obj", "no mesh", "no polygon"),
        ("a.obj", "v 0 0 0\nf 1 2 3", "a point too many"),
        ("a.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3", "not finite"),
        ("a.vtp", vtp("ascii").replace("PolyData", "UnstructuredGrid"), "of type UnstructuredGrid, not PolyData"),
        ("a.vtp", vtp("zlib").replace("ZLib", "LZ4"), "compressed by vtkLZ4DataCompressor"),
        ("a.vtp", vtp("ascii").replace("4 7 10 13 16", "4 7 10 13 99"), "offsets of its polygons do not match"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, name: str, text: str, reason: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FileFormatError, match=reason):
        read_mesh(tmp_path / name)
    with pytest.raises(FileFormatError, match=r"nowhere\.stl"):
        read_mesh(tmp_path / "nowhere.stl")


def test_all_ways_of_vtk_are_read_as_vtk_does(tmp_path: Path) -> None:
    """Polygons and strips; text, base64 and raw data; with and without zlib; both orders and widths of integers."""
    sources = pytest.importorskip("vtkmodules.vtkFiltersSources", reason="vtk is not installed")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkMassProperties, vtkStripper
    from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

    sphere, strips = sources.vtkSphereSource(), vtkStripper()
    strips.SetInputConnection(sphere.GetOutputPort())
    sphere_volume = vtkMassProperties()
    sphere_volume.SetInputConnection(sphere.GetOutputPort())
    file = tmp_path / "sphere.vtp"
    for source, mode, *(zipped, wide, encoded, big) in product(
        (sphere, strips), ("Ascii", "Binary", "Appended"), *[(False, True)] * 4
    ):
        writer = vtkXMLPolyDataWriter()
        writer.SetFileName(str(file))
        writer.SetInputConnection(source.GetOutputPort())
        getattr(writer, f"SetDataModeTo{mode}")()
        writer.SetEncodeAppendedData(encoded)
        writer.SetBlockSize(512)  # several blocks
        getattr(writer, f"SetCompressorTypeTo{'ZLib' if zipped else 'None'}")()
        getattr(writer, f"SetHeaderTypeToUInt{64 if wide else 32}")()
        getattr(writer, f"SetByteOrderTo{'Big' if big else 'Little'}Endian")()
        writer.Write()
        points, triangles = read_mesh(file)
        assert np.array_equal(points.astype("f4"), vtk_to_numpy(source.GetOutput().GetPoints().GetData()))
        assert len(triangles) == 96 and volume(points, triangles) == pytest.approx(sphere_volume.GetVolume())

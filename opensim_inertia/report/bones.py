"""Bones of a report's view: the model's meshes, where they are found and vtk reads them, else lines between joints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import Option
from .._core.opensim import osim
from .._core.representation import some_names
from .._core.warnings import MissingGeometryWarning
from ..model import InertialModel
from ..muscles.masses.donors import Skeleton
from .packing import Packer

__all__ = ["Bone", "read_bones"]

#: Triangles of all bones together, at most; finer meshes are simplified.
MOST_TRIANGLES = 60_000
READERS = {".vtp": "vtkXMLPolyDataReader", ".stl": "vtkSTLReader", ".obj": "vtkOBJReader"}
EXTRA = 'pip install "opensim_inertia[report]"'


@dataclass(frozen=True)
class Bone:
    """What is drawn of a body, in its frame.

    Attributes:
        body: its name; may be "ground".
        points: (n, 3) [m].
        parts: numbers of points, of triangles (m, 3) or of lines (m, 2).
    """

    body: str
    points: Array
    parts: NDArray[Any]

    def packed(self, packer: Packer, number: Mapping[str, int]) -> dict[str, Any]:
        """Return the bone as the page takes it; ``number`` is that of each body."""
        points, parts = packer.numbers(self.points), packer.integers(self.parts)
        return {"body": number[self.body], "points": points, "parts": parts}


def read_bones(
    inertial: InertialModel, geometry: Iterable[str | os.PathLike[str]] = ()
) -> tuple[list[Bone], tuple[str, ...]]:
    """Return meshes or lines for the bodies, and the text of the warning about missing meshes, if there is one.

    Meshes are looked for beside the model's file, in the folder ``Geometry`` there, in those of the environment
    variable ``OPENSIM_HOME``, and in ``geometry``. A body none of whose meshes is read is drawn as lines.
    """
    model, extra_folders = inertial.model, list(geometry)
    meshes = list(_meshes(model))
    folders = _folders(model, extra_folders)
    places = {file: _find(file, folders) for file, *_ in meshes}
    missing_files = sorted(file for file, place in places.items() if place is None)
    readers = _readers()
    note: tuple[object, ...] = ()
    if meshes and readers is None and len(missing_files) < len(places):
        note = (f"bones are drawn as lines between joint centres: vtk, which reads meshes, is not installed ({EXTRA})",)
        meshes = []
    elif missing_files:
        note = (
            f"{len(missing_files)} of {len(places)} files of bones' meshes are not found ({some_names(missing_files)}),"
            " so that bones without mesh are drawn as lines between joint centres: say where they are, as ",
            Option("geometry", "Geometry"),
        )
    bones, unread = _read_meshes(meshes, places, readers)
    if unread:
        note = (*note, *(("; ",) if note else ()), f"meshes that cannot be read: {some_names(unread)}")
    if absent := [str(folder) for folder in extra_folders if not os.path.isdir(folder)]:
        note = (*note, *(("; ",) if note else ()), f"no folder of meshes: {some_names(absent)}")
    bones += _lines(inertial, {bone.body for bone in bones})
    if not note:
        return bones, ()
    warn(warning := MissingGeometryWarning(*note))
    return bones, (str(warning),)


def _lines(inertial: InertialModel, bodies_with_mesh: set[str]) -> list[Bone]:
    """Return lines between joint centres of bodies that are not drawn, at the reference pose in their frames."""
    model, state = inertial.model, inertial.reference_state()
    skeleton = Skeleton.of(model, state)
    lines = []
    for body in model.getBodySet():
        name = body.getName()
        if name in bodies_with_mesh or name not in skeleton.lines:
            continue
        ends = skeleton.lines[name].reshape(-1, 3)
        if np.ptp(ends, axis=0).max() > 0:
            ground = model.getGround()
            local = [ground.findStationLocationInAnotherFrame(state, osim.Vec3(*end), body).to_numpy() for end in ends]
            lines.append(Bone(name, np.array(local), np.arange(len(ends)).reshape(-1, 2)))
    return lines


def _meshes(model: osim.Model) -> Iterator[tuple[str, str, Array, Array]]:
    """Yield file, body, transform (3, 4) to the body and scale factors (3,) of every mesh on the ground or a body."""
    bodies = {body.getName() for body in model.getBodySet()} | {"ground"}
    for component in model.getComponentsList():
        mesh = osim.Mesh.safeDownCast(component)
        if mesh is None:
            continue
        frame = mesh.getFrame()
        body = frame.findBaseFrame().getName()
        if body in bodies:
            frame_transform = frame.findTransformInBaseFrame()
            rotation = np.array([[frame_transform.R().get(i, j) for j in range(3)] for i in range(3)])
            transform = np.column_stack([rotation, frame_transform.p().to_numpy()])
            yield str(mesh.get_mesh_file()), body, transform, mesh.get_scale_factors().to_numpy().copy()


def _folders(model: osim.Model, extra_folders: Iterable[str | os.PathLike[str]]) -> list[Path]:
    folders = [Path(folder) for folder in extra_folders]
    file = model.getInputFileName()
    if file:
        folders += [Path(file).parent, Path(file).parent / "Geometry"]
    home = os.environ.get("OPENSIM_HOME")
    return folders + ([Path(home) / "Geometry"] if home else [])


def _find(file: str, folders: Sequence[Path]) -> Path | None:
    """Return the first file of that name, which may be a whole path."""
    places = [Path(file)] if os.path.isabs(file) else [folder / file for folder in folders]
    return next((place for place in places if os.path.isfile(place)), None)


def _readers() -> dict[str, Any] | None:
    """Return vtk's readers by suffix, and its filters by name; None where vtk is not installed."""
    try:
        from vtkmodules import vtkFiltersCore, vtkIOGeometry, vtkIOXML
    except ImportError:
        return None
    modules = (vtkIOXML, vtkIOGeometry, vtkFiltersCore)
    names = [*READERS.values(), "vtkTriangleFilter", "vtkQuadricDecimation"]
    return {name: getattr(module, name) for name in names for module in modules if hasattr(module, name)}


def _read_meshes(
    meshes: Sequence[tuple[str, str, Array, Array]], places: Mapping[str, Path | None], vtk: Any
) -> tuple[list[Bone], list[str]]:
    """Return the meshes that are found, simplified where they are many triangles, and files that cannot be read."""
    triangulated, unread = [], []
    for file, body, transform, scale in meshes:
        place = places[file]
        if place is None or vtk is None:
            continue
        surface = _triangles(place, vtk)
        if surface is None:
            unread.append(file)
        else:
            triangulated.append((surface, body, transform, scale))
    total = sum(surface.GetNumberOfCells() for surface, *_ in triangulated)
    bones = []
    for surface, body, transform, scale in triangulated:
        if total > MOST_TRIANGLES:
            simpler = vtk["vtkQuadricDecimation"]()
            simpler.SetInputData(surface)
            simpler.SetTargetReduction(1 - MOST_TRIANGLES / total)
            simpler.Update()
            surface = simpler.GetOutput()
        points, triangles = _arrays(surface)
        bones.append(Bone(body, (points * scale) @ transform[:, :3].T + transform[:, 3], triangles))
    return bones, sorted(set(unread))


def _triangles(place: Path, vtk: Any) -> Any:
    """Return a mesh file's surface as triangles; None if it has none."""
    reader_name = READERS.get(place.suffix.lower())
    if reader_name is None:
        return None
    reader = vtk[reader_name]()
    reader.SetFileName(str(place))
    triangles = vtk["vtkTriangleFilter"]()
    triangles.PassVertsOff()
    triangles.PassLinesOff()
    triangles.SetInputConnection(reader.GetOutputPort())
    triangles.Update()
    surface = triangles.GetOutput()
    return surface if surface.GetNumberOfCells() and surface.GetNumberOfPoints() else None


def _arrays(surface: Any) -> tuple[Array, NDArray[Any]]:
    from vtkmodules.util.numpy_support import vtk_to_numpy

    to_numpy: Callable[[Any], NDArray[Any]] = vtk_to_numpy
    points = to_numpy(surface.GetPoints().GetData()).astype(float)
    return points, to_numpy(surface.GetPolys().GetConnectivityArray()).reshape(-1, 3)

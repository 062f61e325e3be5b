"""Bones of a report's view: the model's meshes where there are such files, else lines between joints."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import FileFormatError, Option
from .._core.opensim import osim
from .._core.representation import some_names
from .._core.warnings import MissingGeometryWarning
from ..files.datasets import dataset_folder
from ..files.meshes import read_mesh
from ..model import InertialModel
from ..muscles.masses.donors import Skeleton
from .packing import Packer

__all__ = ["Bone", "missing_meshes", "read_bones"]

#: Triangles of all bones together; finer meshes are simplified, though none to fewer than the second number.
MOST_TRIANGLES, FEWEST_TRIANGLES = 60_000, 12
#: Steps by which the grid is found that simplifies a mesh.
BISECTIONS = 10
#: Where the installers of OpenSim's application put it, with its folder of meshes.
INSTALLATIONS = ("C:/OpenSim 4.*", "/Applications/OpenSim 4.*", "/opt/opensim*", "/usr/local/opensim*")


@dataclass(frozen=True)
class Bone:
    """The drawing of a body, in its frame.

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


def missing_meshes(model: osim.Model, geometry: Iterable[str | os.PathLike[str]] = ()) -> MissingGeometryWarning | None:
    """Return the warning about a model's meshes that are missing or cannot be read, None where all are read.

    It can be asked for before anything is computed; where meshes are looked for :func:`read_bones` says.
    """
    _, note = _meshes_and_note(model, list(geometry))
    return MissingGeometryWarning(*note) if note else None


def read_bones(
    inertial: InertialModel, geometry: Iterable[str | os.PathLike[str]] = ()
) -> tuple[list[Bone], tuple[str, ...]]:
    """Return meshes or lines for the bodies, and the text of the warning about missing meshes, if there is one.

    Meshes are looked for in ``geometry``, beside the model's file, in the folder ``Geometry`` there, in ``Geometry`` of
    OpenSim's installation (the environment variable ``OPENSIM_HOME``, or the places where its installers put it), of a
    copy of opensim-models (``OPENSIM_MODELS``), and of the folder of datasets. A body none of whose meshes is read is
    drawn as lines.
    """
    bones, note = _meshes_and_note(inertial.model, list(geometry))
    bones += _lines(inertial, {bone.body for bone in bones})
    if not note:
        return bones, ()
    warn(warning := MissingGeometryWarning(*note))
    return bones, (str(warning),)


def _meshes_and_note(
    model: osim.Model, geometry: Sequence[str | os.PathLike[str]]
) -> tuple[list[Bone], tuple[str | Option, ...]]:
    """Return the meshes that are read, and parts of a sentence about others and about folders; empty for none."""
    meshes, folders = list(_meshes(model)), _folders(model, geometry)
    places = {file: _find(file, folders) for file, *_ in meshes}
    bones, unread = _read_meshes(meshes, places)
    missing = sorted(file for file, place in places.items() if place is None)
    absent = [str(folder) for folder in geometry if not os.path.isdir(folder)]
    parts: list[tuple[str | Option, ...]] = []
    if missing:
        text = (
            f"{len(missing)} of {len(places)} files of bones' meshes are not found ({some_names(missing)}), so that "
            "bones without mesh are drawn as lines between joint centres: say where they are, as "
        )
        parts.append((text, Option("geometry", "Geometry")))
    parts += [(f"meshes that cannot be read: {some_names(unread)}",)] if unread else []
    parts += [(f"no folder of meshes: {some_names(absent)}",)] if absent else []
    return bones, tuple(chain.from_iterable((("; ",) if k else ()) + part for k, part in enumerate(parts)))


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


def _folders(model: osim.Model, geometry: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """Return the folders where meshes may be, those that the user gave first."""
    file = model.getInputFileName()
    beside = [Path(file).parent, Path(file).parent / "Geometry"] if file else []
    roots = [os.environ.get(name) for name in ("OPENSIM_HOME", "OPENSIM_MODELS")]
    installed = sorted(chain.from_iterable(map(glob, INSTALLATIONS)), reverse=True)
    further = [Path(root) / "Geometry" for root in (*roots, *installed, dataset_folder()) if root]
    return [*map(Path, geometry), *beside, *further]


def _find(file: str, folders: Sequence[Path]) -> Path | None:
    """Return the first file of that name, which may be a whole path."""
    places = [Path(file)] if os.path.isabs(file) else [folder / file for folder in folders]
    return next((place for place in places if os.path.isfile(place)), None)


def _read_meshes(
    meshes: Sequence[tuple[str, str, Array, Array]], places: Mapping[str, Path | None]
) -> tuple[list[Bone], list[str]]:
    """Return the meshes that are there, simplified where they are many triangles, and why files cannot be read."""
    surfaces: dict[str, tuple[Array, NDArray[Any]]] = {}
    unread = []
    for file, place in places.items():
        try:
            surfaces |= {} if place is None else {file: read_mesh(place)}
        except FileFormatError as error:
            unread.append(f"{file} ({str(error).removeprefix(f'{place}: ')})")
    drawn = [mesh for mesh in meshes if mesh[0] in surfaces]
    share = MOST_TRIANGLES / max(sum(len(surfaces[file][1]) for file, *_ in drawn), MOST_TRIANGLES)
    bones = []
    for file, body, transform, scale in drawn:
        points, triangles = _simplified(*surfaces[file], share)
        bones.append(Bone(body, (points * scale) @ transform[:, :3].T + transform[:, 3], triangles))
    return bones, unread


def _simplified(points: Array, triangles: NDArray[Any], share: float) -> tuple[Array, NDArray[Any]]:
    """Return a surface with at most a share of its triangles: points (n, 3), and triangles (m, 3) as their numbers.

    Points in one cell of a grid become their mean, and triangles with two corners in one cell go; the finest grid that
    leaves few enough is found by bisection.
    """
    if share >= 1:
        return points, triangles
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max()) or 1.0
    finer, coarser = 0.0, 1.0  # cells, as a share of the surface's size; one cell leaves no triangle
    most = max(share * len(triangles), FEWEST_TRIANGLES)
    best = np.empty((0, 3)), triangles[:0]
    for _ in range(BISECTIONS):
        middle = np.sqrt(finer * coarser) if finer else coarser / 8
        cells = np.floor((points - low) / (middle * size)).astype(np.int64)
        _, owner, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        corners = owner.reshape(-1)[triangles]
        kept = (corners != np.roll(corners, 1, axis=1)).all(axis=1)
        if kept.sum() > most:
            finer = middle
        else:
            sums = [np.bincount(owner.reshape(-1), points[:, axis]) for axis in range(3)]
            coarser, best = middle, (np.stack(sums, axis=1) / counts[:, None], corners[kept])
    return best

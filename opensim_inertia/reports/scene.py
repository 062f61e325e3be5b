"""Three-dimensional view of a report as arrays: bodies, paths, bellies and wrap surfaces.

Paths are polylines. The page computes radii of bellies from path and fibre lengths: mass per length
(``plotting.masses``) over muscle density is the area of a circular cross-section.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import glob
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import FileFormatError, ModelError, Option
from .._core.opensim import osim
from .._core.representation import some_names
from .._core.warnings import MissingGeometryWarning
from ..files.datasets import dataset_folder
from ..files.meshes import read_mesh
from ..model import InertialModel
from ..model.model import with_mass_along_whole_path
from ..muscles.masses.donors import Skeleton, stretches_text
from ..muscles.material import MaterialPoints
from ..opensim_model.reading.components import FrameTransforms, model_muscles
from ..opensim_model.reading.kinematics import StateKinematics
from ..options.masses import DENSITY
from ..paths.wrapping.surfaces import read_surfaces

#: Largest number of triangles of all bones, and smallest number per simplified mesh.
MOST_TRIANGLES, FEWEST_TRIANGLES = 60_000, 12
#: Bisections for the grid that simplifies a mesh.
BISECTIONS = 10
#: Folders of OpenSim's installers, with meshes.
INSTALLATIONS = ("C:/OpenSim 4.*", "/Applications/OpenSim 4.*", "/opt/opensim*", "/usr/local/opensim*")
#: Largest number of frames, evenly spaced over the rows.
MOST_FRAMES = 300
#: Tolerance [m] of the drawn polyline against the path, at :data:`FINE` even shares of the length. A sharp bend between
#: two
#: shares may add half their distance.
DEVIATION = 5e-4
#: Number of even points on a path; the polyline has some of them.
FINE = 129


def frame_rows(rows: int) -> NDArray[np.intp]:
    """Return indices of time steps, evenly spread over a run of ``rows`` steps, for the animation."""
    return np.unique(np.linspace(0, rows - 1, min(rows, MOST_FRAMES)).round().astype(np.intp))


def build_scene(
    inertial: InertialModel,
    states: Iterable[osim.State],
    rows: NDArray[np.intp],
    activations: Mapping[str, Array] | None = None,
    geometry: Sequence[str | os.PathLike[str]] = (),
) -> dict[str, Any]:
    """Return the three-dimensional view of a model at F states; ``rows`` (F,) are the states' indices in the run.

    In ground, metres and seconds: ``origins`` (F, B, 3) and ``rotations`` (F, B, 3, 3), body to ground; ``paths`` (F,
    P, 3), points of all M muscles in order, at ``shares`` of their paths; ``lengths`` (F, M, 2) of paths and of fibres
    along them; ``speeds`` (F, M), root mean square over a muscle's mass; activations (F,) by muscle. ModelError if a
    state is not finite or has no path.
    """
    model, names = inertial.model, inertial.muscle_names
    whole_paths = with_mass_along_whole_path(inertial).evaluation if names else inertial.evaluation
    frames = [model.getGround(), *model.getBodySet()]
    number = {frame.getName(): i for i, frame in enumerate(frames)}
    transforms = FrameTransforms(frames)
    fine = np.linspace(0.0, 1.0, FINE)
    path_points = [(0.0, share) for share in fine.tolist()]
    points_by_muscle = [inertial.muscles.shown_points(name) for name in names]
    frame_arrays: list[tuple[Array, ...]] = []
    for state in states:
        kinematics = inertial.dynamics.read(state)
        rotation, origin = transforms.read(state)
        courses = [whole_paths.material_points(kinematics, i, path_points, False)[0] for i in range(len(names))]
        lengths = inertial.evaluation.lengths(kinematics)[:, [0, 2]]
        speeds = [_speed(inertial, kinematics, i, points) for i, points in enumerate(points_by_muscle)]
        frame_arrays.append((origin, rotation, np.reshape(courses, (-1, FINE, 3)), lengths, np.array(speeds)))
    if len(frame_arrays) != len(rows):
        raise ModelError(f"a view of {len(rows)} frames needs as many states, not {len(frame_arrays)}")
    origins, rotations, courses_, lengths_, speeds_ = (np.stack(part) for part in zip(*frame_arrays, strict=True))
    needed_points = [_needed(courses_[:, i], fine) for i in range(len(names))]
    lines = [courses_[:, i, numbers] for i, numbers in enumerate(needed_points)]
    unknown = np.full(len(rows), np.nan)
    active = np.stack([activations.get(n, unknown) for n in names], axis=1) if activations and names else None
    bones, notes = read_bones(inertial, geometry)
    muscles = model_muscles(model)
    surfaces = [surface for name in names for surface in read_surfaces(muscles[name]).values() if surface.active]
    gravity = model.getGravity().to_numpy()
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 1.0, 0.0])
    return {
        "rows": rows,
        "bodies": list(number),
        "origins": origins,
        "rotations": rotations,
        "bones": [{**bone, "body": number[bone["body"]]} for bone in bones],
        "surfaces": [
            {
                "name": surface.name,
                "body": number[surface.body],
                "kind": surface.opensim_class,
                "size": [float(v) for v in surface.shown_size],
                "rotation": surface.in_body[0].ravel().tolist(),
                "origin": surface.in_body[1].tolist(),
            }
            for surface in {(surface.body, surface.name): surface for surface in surfaces}.values()
        ],
        "muscles": [
            _drawn_path(inertial, name, points, fine[numbers])
            for name, points, numbers in zip(names, points_by_muscle, needed_points, strict=True)
        ],
        "paths": np.concatenate([np.empty((len(rows), 0, 3)), *lines], axis=1),
        "lengths": lengths_,
        "speeds": speeds_,
        "activations": active,
        "markers": None,  # (F, K, 3), NaN if not seen
        "markerNames": (),
        "swings": None,
        "up": up.tolist(),
        "density": DENSITY,
        "notes": notes,  # deviations of the drawing
    }


def swings(scene: Mapping[str, Any], swinging: Sequence[str], displacements: Array) -> dict[str, Any]:
    """Return the view's data for S bellies, displaced from their paths by (F, S, 3) [m] in F frames."""
    numbers = {muscle["name"]: i for i, muscle in enumerate(scene["muscles"])}
    which = [k for k, name in enumerate(swinging) if name in numbers]
    modes = [(numbers[swinging[k]], 1) for k in which]
    return {"swings": {"modes": modes, "displacements": displacements[:, which]} if modes else None}


def _speed(inertial: InertialModel, kinematics: StateKinematics, muscle: int, points: MaterialPoints) -> float:
    velocities = inertial.evaluation.material_points(kinematics, muscle, points.pairs, False)[1]
    squares = np.einsum("ij,ij->i", velocities, velocities)
    return float(np.sqrt(points.masses @ squares / points.masses.sum()))


def _drawn_path(inertial: InertialModel, name: str, points: MaterialPoints, shares: Array) -> dict[str, Any]:
    """Return a muscle's data for the view; ``shares`` are the drawn points' positions as fractions of path length."""
    material, muscles = inertial.material_map(name), inertial.muscles
    donors = [(stretch.segment, stretch.share) for stretch in muscles.donors[name]]
    return {
        "name": name,
        "donor": stretches_text(donors) if donors else "no segment",
        "mass": muscles.masses[name],
        "proximal": material.proximal,  # proximal share of the length outside fibres
        "aponeurosis": material.aponeurosis,  # share of the same length
        "belly": name not in muscles.explicit,  # False for point masses of the user
        "points": np.stack([points.chi, points.xi, points.masses], axis=1).tolist(),
        "shares": shares.tolist(),
    }


def _needed(courses: Array, shares: Array) -> list[int]:
    """Return the indices of points that a polyline needs to stay close to a path of n points in F frames (F, n, 3)."""
    numbers, open_spans = {0, len(shares) - 1}, [(0, len(shares) - 1)]
    while open_spans:
        first, last = open_spans.pop()
        t = ((shares[first : last + 1] - shares[first]) / (shares[last] - shares[first]))[:, None]
        line = (1 - t) * courses[:, first, None] + t * courses[:, last, None]
        deviations = np.linalg.norm(courses[:, first : last + 1] - line, axis=2).max(axis=0)
        worst = first + int(deviations.argmax())
        if deviations.max() > DEVIATION and first < worst < last:
            numbers.add(worst)
            open_spans += [(first, worst), (worst, last)]
    return sorted(numbers)


def missing_meshes(model: osim.Model, geometry: Iterable[str | os.PathLike[str]] = ()) -> MissingGeometryWarning | None:
    """Return a warning about a model's missing or unreadable meshes; None if all can be read."""
    return _meshes_and_warning(model, list(geometry))[1]


def read_bones(
    inertial: InertialModel, geometry: Iterable[str | os.PathLike[str]] = ()
) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return meshes of bodies, lines for bodies without a mesh, and the text of a warning about missing meshes.

    Entries are a body, points (n, 3) [m] in its frame, and parts: indices of triangles (m, 3) or lines (m, 2).
    """
    bones, warning = _meshes_and_warning(inertial.model, list(geometry))
    bones += _lines(inertial, {bone["body"] for bone in bones})
    if warning is None:
        return bones, ()
    warn(warning)
    return bones, (str(warning),)


def _meshes_and_warning(
    model: osim.Model, geometry: Sequence[str | os.PathLike[str]]
) -> tuple[list[dict[str, Any]], MissingGeometryWarning | None]:
    """Return a model's meshes, and a warning about missing or unreadable meshes (None if all are read)."""
    meshes, folders = list(_meshes(model)), _folders(model, geometry)
    surfaces: dict[str, tuple[Array, NDArray[Any]]] = {}
    files, missing, unread = sorted({file for file, *_ in meshes}), [], []
    for file in files:
        place = next((place for folder in folders if (place := folder / file).is_file()), None)
        if place is None:
            missing.append(file)
            continue
        try:
            surfaces[file] = read_mesh(place)
        except FileFormatError as error:
            unread.append(f"{file} ({str(error).removeprefix(f'{place}: ')})")
    drawn = [mesh for mesh in meshes if mesh[0] in surfaces]
    share = MOST_TRIANGLES / max(sum(len(surfaces[file][1]) for file, *_ in drawn), MOST_TRIANGLES)
    bones = []
    for file, body, transform, scale in drawn:
        points, triangles = _simplified(*surfaces[file], share)
        points = (points * scale) @ transform[:, :3].T + transform[:, 3]
        bones.append({"body": body, "points": points, "parts": triangles})
    absent = [str(folder) for folder in geometry if not os.path.isdir(folder)]
    parts: list[tuple[str | Option, ...]] = []
    if missing:
        text = (
            f"{len(missing)} of {len(files)} files of bones' meshes are not found ({some_names(missing)}), so that "
            "bones without mesh are drawn as lines between joint centres: say where they are, as "
        )
        parts.append((text, Option("geometry", "Geometry")))
    parts += [(f"meshes that cannot be read: {some_names(unread)}",)] if unread else []
    parts += [(f"no folder of meshes: {some_names(absent)}",)] if absent else []
    note = chain.from_iterable((("; ",) if k else ()) + part for k, part in enumerate(parts))
    return bones, MissingGeometryWarning(*note) if parts else None


def _lines(inertial: InertialModel, bodies_with_mesh: set[str]) -> list[dict[str, Any]]:
    """Return lines between joint centres for bodies without a mesh."""
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
            parts = np.arange(len(ends)).reshape(-1, 2)
            lines.append({"body": name, "points": np.array(local), "parts": parts})
    return lines


def _meshes(model: osim.Model) -> Iterator[tuple[str, str, Array, Array]]:
    """Yield each mesh of a model: file, body, transform from mesh to body (3, 4) and scale factors (3,)."""
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
    """Return the folders to search for meshes: ``geometry``, then the folders of model, OpenSim and datasets."""
    file = model.getInputFileName()
    beside = [Path(file).parent, Path(file).parent / "Geometry"] if file else []
    roots = [os.environ.get(name) for name in ("OPENSIM_HOME", "OPENSIM_MODELS")]
    installed = sorted(chain.from_iterable(map(glob, INSTALLATIONS)), reverse=True)
    further = [Path(root) / "Geometry" for root in (*roots, *installed, dataset_folder()) if root]
    return [*map(Path, geometry), *beside, *further]


def _simplified(points: Array, triangles: NDArray[Any], share: float) -> tuple[Array, NDArray[Any]]:
    """Simplify a surface to about the fraction ``share`` of its triangles; return points (n, 3), triangles (m, 3)."""
    if share >= 1:
        return points, triangles
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max()) or 1.0
    finer, coarser = 0.0, 1.0  # cells relative to the surface's size; one cell leaves no triangle
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

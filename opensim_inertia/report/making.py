"""Reports of recorded motions, with a view where the model is given."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from .._core.arrays import Array
from .._core.errors import ModelError
from ..model import InertialModel
from ..model.recorded_motion import motion_states
from ..opensim_model.reading import Motion
from .content import Content
from .page import Report
from .scene import Scene, build_scene, frame_rows

__all__ = ["Folders", "as_folders", "motion_report"]

NO_MOTION = "There is no three-dimensional view: this result does not know the motion that was solved."

Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""One folder, or several."""


def as_folders(folders: Folders) -> Sequence[str | os.PathLike[str]]:
    """Return folders as a sequence."""
    return [folders] if isinstance(folders, str | os.PathLike) else folders


def motion_report(
    content: Content,
    path: str | os.PathLike[str] | None,
    inertial: InertialModel | None,
    motion: Motion | None,
    geometry: Folders = (),
    activations: Mapping[str, Array] | None = None,
) -> Report:
    """Return the report of a recorded motion, written to ``path`` if there is one.

    Args:
        content: what it says.
        path: file to write; None for none.
        inertial: the model of the view; None for no view.
        motion: the motion of the view.
        geometry: folders with bones' meshes.
        activations: (T,) by muscle, where they are known.

    Raises:
        ModelError: the model has other coordinates than the motion. OutputError: the file cannot be written.
    """
    if inertial is None:
        return Report.of(content).written(path)
    if motion is None:
        return Report.of(content, None, NO_MOTION).written(path)
    return Report.of(content, _scene(inertial, motion, geometry, activations or {})).written(path)


def _scene(inertial: InertialModel, motion: Motion, geometry: Folders, activations: Mapping[str, Array]) -> Scene:
    if inertial.coordinate_names != motion.coordinate_names:
        differing = sorted(set(inertial.coordinate_names) ^ set(motion.coordinate_names))
        hint = f", such as '{differing[0]}'" if differing else ", in another order"
        raise ModelError(
            f"model '{inertial.model.getName()}' has other coordinates than the run{hint}: expected the model that was "
            "solved"
        )
    rows = frame_rows(len(motion))
    shown_motion = motion.at(rows)
    active = {name: values[rows] for name, values in activations.items()}
    return build_scene(inertial, motion_states(inertial, shown_motion), rows, active, as_folders(geometry))

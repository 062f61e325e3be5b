"""Reports of recorded motions, with a view where the model is given."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.errors import ModelError, MotionError
from ..files import read_trc
from ..model import InertialModel
from ..model.recorded_motion import motion_states
from ..opensim_model.reading import Motion
from ..opensim_model.setups.gait import read_gait_events
from .content import Content, Gait
from .page import Report
from .scene import DrawnSwings, Scene, build_scene, frame_rows

__all__ = ["Folders", "Recorded", "as_folders", "motion_report"]

NO_MOTION = "There is no three-dimensional view: this result does not know the motion that was solved."

Folders = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]
"""One folder, or several."""


def as_folders(folders: Folders) -> Sequence[str | os.PathLike[str]]:
    """Return folders as a sequence."""
    return [folders] if isinstance(folders, str | os.PathLike) else folders


@dataclass(frozen=True)
class Recorded:
    """Recordings besides the motion, for its report.

    Attributes:
        markers: a ``.trc`` file of measured markers, which the view shows over the model.
        events: gait events, as a table or its file (``.csv``, ``.xlsx``) with the columns time [s], side ("r", "l") and
            event ("contact", "off"); without them those of the measured ground forces are taken.
    """

    markers: str | os.PathLike[str] | None = None
    events: str | os.PathLike[str] | pd.DataFrame | None = None

    def check(self, times: Array) -> None:
        """Refuse markers and events that do not fit a motion with these times (T,) [s]; errors as motion_report's."""
        if self.markers is not None:
            _markers(self.markers, times)
        if self.events is not None:
            _gait(self.events, times)


def motion_report(
    content: Content,
    path: str | os.PathLike[str] | None,
    inertial: InertialModel | None,
    motion: Motion | None,
    geometry: Folders = (),
    activations: Mapping[str, Array] | None = None,
    recorded: Recorded | None = None,
    swings: DrawnSwings | None = None,
) -> Report:
    """Return the report of a recorded motion, written to ``path`` if there is one.

    Args:
        content: what it says.
        path: file to write; None for none.
        inertial: the model of the view; None for no view.
        motion: the motion of the view.
        geometry: folders with bones' meshes.
        activations: (T,) by muscle, where they are known.
        recorded: markers and gait events.
        swings: bellies that swing, which the view draws off their paths.

    Raises:
        ModelError: the model has other coordinates than the motion. MotionError: markers or gait events are of other
            times. FileFormatError: their files are missing or malformed. OutputError: the file cannot be written.
    """
    recorded = recorded or Recorded()
    if recorded.events is not None:
        content = replace(content, gait=_gait(recorded.events, content.times))
    if inertial is None:
        return Report.of(content).written(path)
    if motion is None:
        return Report.of(content, None, NO_MOTION).written(path)
    scene = _scene(inertial, motion, geometry, activations or {}, recorded.markers)
    return Report.of(content, scene if swings is None else scene.swinging(swings)).written(path)


def _gait(events: str | os.PathLike[str] | pd.DataFrame, times: Array) -> Gait:
    """Return the gait cycles of a table of events within the times (T,) [s] of a run."""
    name = "the table of gait events" if isinstance(events, pd.DataFrame) else os.path.basename(events)
    span = float(times[0]), float(times[-1])
    source = f"Gait cycles go from a foot\u2019s contact to its next one, as {name} has them."
    gait = Gait.of(rows := read_gait_events(events), span, source)
    if gait is None:
        moments = [row["time"] for row in rows] or [np.nan]
        raise MotionError(
            f"{name}: its {len(rows)} events, from {min(moments):g} to {max(moments):g} s, hold no gait cycle between "
            f"{span[0]:g} and {span[1]:g} s: expected two contacts of one foot at least"
        )
    return gait


def _markers(path: str | os.PathLike[str], times: Array) -> tuple[Array, tuple[str, ...]]:
    """Return places (F, K, 3) [m] of a file's markers at times (F,) [s], NaN beyond its own; and their names."""
    moments, names, positions = read_trc(path)
    if moments[0] > times[-1] or moments[-1] < times[0]:
        raise MotionError(
            f"{path}: the markers go from {moments[0]:g} to {moments[-1]:g} s, the run from {times[0]:g} to "
            f"{times[-1]:g} s: their times do not overlap"
        )
    flat = positions.reshape(len(moments), -1).T
    places = np.stack([np.interp(times, moments, values, np.nan, np.nan) for values in flat], axis=1)
    return places.reshape(len(times), -1, 3), tuple(names)


def _scene(
    inertial: InertialModel,
    motion: Motion,
    geometry: Folders,
    activations: Mapping[str, Array],
    markers: str | os.PathLike[str] | None,
) -> Scene:
    """Return the view of a motion, of at most so many frames, with its markers."""
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
    places = None if markers is None else _markers(markers, shown_motion.times)
    scene = build_scene(inertial, motion_states(inertial, shown_motion), rows, active, as_folders(geometry))
    return scene if places is None else replace(scene, markers=places[0], marker_names=places[1])

"""Export of muscles' mass points as marker files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .._core.arrays import Array
from .._core.diagnostics import raise_or_warn
from .._core.errors import MotionError, OptionError
from .._core.opensim import osim
from ..files.trc import write_trc
from ..model.model import InertialModel, check_inertial
from ..model.recorded_motion import motion_states, recorded_motion
from ..options.recording import Recording, recording_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["write_mass_points"]


def write_mass_points(
    inertial: InertialModel,
    recording: Recording | str | os.PathLike[str] | pd.DataFrame,
    path: str | os.PathLike[str],
    muscles: Iterable[str] | None = None,
) -> None:
    """Write the trajectories of mass points in ground as a ``.trc`` file.

    Markers are named ``<muscle>_<number>``, from origin to insertion. OpenSim's GUI shows the file under File > Preview
    Experimental Data. External loads of the recording are ignored.

    Raises:
        MotionError, FileFormatError: the motion cannot be used. OutputError: the file cannot be written.
    """
    check_inertial(inertial)
    recorded = recorded_motion(inertial, recording_of(recording))
    raise_or_warn(recorded.findings, MotionError)
    write_mass_points_of(inertial, motion_states(inertial, recorded), recorded.times, path, muscles)


def write_mass_points_of(
    inertial: InertialModel,
    states: Iterable[osim.State],
    times: Array,
    path: str | os.PathLike[str],
    muscles: Iterable[str] | None = None,
) -> None:
    """Write mass points at states of ``inertial.model`` and times [s]; see :func:`write_mass_points`."""
    names = inertial.muscle_names if muscles is None else tuple(muscles)
    if not names:
        raise OptionError("muscles", list(names), "at least one muscle with mass")
    rows: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for state in states:
        for name, points in inertial.mass_points(state, names, jacobians=False).items():
            rows[name].append(points.positions)
    markers = {name: np.stack(positions) for name, positions in rows.items()}
    labels = [f"{name}_{i + 1}" for name, x in markers.items() for i in range(x.shape[1])]
    write_trc(path, times, np.concatenate(list(markers.values()), axis=1), labels)

"""Mass points over a motion, as markers that OpenSim's GUI can show over the model."""

from __future__ import annotations

import os
from collections.abc import Iterable

import numpy as np
import pandas as pd

from ._opensim import osim
from .errors import OptionError
from .files import write_trc
from .inertial_model import InertialModel
from .inverse.motion import load_motion


def write_mass_points(
    inertial: InertialModel,
    motion: str | os.PathLike[str] | pd.DataFrame,
    path: str | os.PathLike[str],
    muscles: Iterable[str] | None = None,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
) -> None:
    """Write the mass points' trajectories over a motion as a ``.trc`` file, in ground.

    Markers are named ``<muscle>_<number>``, from origin to insertion. In OpenSim's GUI: File > Preview Experimental
    Data.

    Raises:
        MotionError, FileFormatError: the motion cannot be used. OutputError: the file cannot be written.
    """
    recorded = load_motion(motion, inertial.model, inertial.coordinate_names, cutoff, time_range)
    names = inertial.muscle_names if muscles is None else tuple(muscles)
    if not names:
        raise OptionError("muscles", list(names), "at least one muscle with mass")
    state = inertial.initial_state()
    rows: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for row in range(len(recorded)):
        state.setTime(float(recorded.times[row]))
        state.setQ(osim.Vector.createFromMat(recorded.q[row]))
        state.setU(osim.Vector.createFromMat(recorded.u[row]))
        for name, points in inertial.mass_points(state, names, jacobians=False).items():
            rows[name].append(points.positions)
    markers = {name: np.stack(positions) for name, positions in rows.items()}
    labels = [f"{name}_{i + 1}" for name, x in markers.items() for i in range(x.shape[1])]
    write_trc(path, recorded.times, np.concatenate(list(markers.values()), axis=1), labels)

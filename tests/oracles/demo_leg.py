"""The demo's leg and its swing, as objects."""

import numpy as np
import pandas as pd
from scipy.interpolate import make_interp_spline

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.demo import FILES


def build_leg() -> osim.Model:
    with quiet():
        model = osim.Model(str(FILES["model"]))
    model.setInputFileName("")
    return model


def swing_motion(rate: float = 120.0) -> pd.DataFrame:
    """The demo's motion [rad, m] at a rate [Hz], by quintic splines."""
    motion = oi.read_table(FILES["motion"])
    angles = [name for name in motion.columns if name not in ("pelvis_tx", "pelvis_ty", "pelvis_tz")]
    motion[angles] = np.deg2rad(motion[angles])
    times = np.arange(round(motion.index[-1] * rate) + 1) / rate
    if rate != 120.0:
        values = make_interp_spline(motion.index, motion, k=5)(times)
        motion = pd.DataFrame(values, pd.Index(times, name="time"), motion.columns)
    motion.attrs["inDegrees"] = False
    return motion

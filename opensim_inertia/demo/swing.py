"""The demo's motion: the swing of a right leg in running at about 5 m/s on a treadmill, without measured data.

Hip, knee and ankle follow periodic quintic splines (C^4) through key poses over one stride; the pelvis, which moves
little, follows one cosine per coordinate. The key poses are our own, shaped after textbook curves of running
(Novacheck TF 1998, The biomechanics of running, Gait Posture 7:77-95) with the stride of Wang et al. 2022, section 4.5:
half a second from take-off to touch-down.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.errors import OptionError
from .leg import COORDINATES, ROTATIONAL

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

__all__ = ["DURATION", "STRIDE", "TAKE_OFF", "TOUCH_DOWN", "swing_motion"]

STRIDE = 0.70
"""Period of the stride [s]."""

TAKE_OFF = 0.05
"""Time at which the foot leaves the ground [s]."""

TOUCH_DOWN = 0.55
"""Time at which the foot meets the ground again [s]."""

DURATION = 0.60
"""End of the motion [s]; it starts at 0. What lies outside the swing only keeps splines and filters from its ends."""

# Key poses [deg], evenly spaced over the stride from time 0; the pose at STRIDE is the first one again.
_KEYS = {
    #                  0    .07   .14   .21   .28    .35    .42   .49   .56   .63 s
    "hip_flexion_r": (-10, -20, -14, 6, 30, 49, 55, 48, 35, 14),
    "knee_angle_r": (-24, -18, -44, -88, -112, -108, -67, -19, -15, -36),
    "ankle_angle_r": (-6, -20, -19, -12, -4, 3, 7, 8, 6, 12),
}

# Mean, amplitude [deg or m], cycles per stride, time of the maximum [s].
_COSINES = {
    "pelvis_tilt": (-10.0, 2.5, 2, 0.15),
    "pelvis_list": (0.0, 4.0, 1, 0.27),
    "pelvis_rotation": (0.0, 5.0, 1, 0.52),
    "pelvis_tx": (0.0, 0.012, 2, 0.08),
    "pelvis_ty": (0.878, 0.030, 2, 0.125),
    "pelvis_tz": (0.0, 0.010, 1, 0.65),
    "hip_adduction_r": (1.0, 6.0, 1, 0.66),
    "hip_rotation_r": (-1.0, 4.0, 1, 0.62),
}


def swing_motion(rate: float = 120.0) -> pd.DataFrame:
    """Return the coordinates of :func:`.build_leg` over time.

    Args:
        rate: samples per second [Hz], 20 to 10 000.

    Returns:
        One column per coordinate [rad, m], index ``time`` [s] from 0 to ``DURATION``, ``attrs["inDegrees"]`` False.

    Raises:
        OptionError: the rate is out of range.
    """
    if not (math.isfinite(rate) and 20.0 <= rate <= 10_000.0):
        raise OptionError("rate", rate, "20 to 10000 samples per second")
    time = np.arange(math.floor(DURATION * rate + 1e-9) + 1) / rate
    columns = {name: _coordinate(name, time) for name in COORDINATES}
    table = pd.DataFrame(columns, index=pd.Index(time, name="time"))
    table.attrs["inDegrees"] = False
    return table


def _coordinate(name: str, time: Array) -> Array:
    """Return the values of one coordinate [rad, m] at times [s]."""
    if name in _KEYS:
        values = _spline(_KEYS[name])(np.mod(time, STRIDE))
    else:
        mean, amplitude, cycles, peak = _COSINES[name]
        values = mean + amplitude * np.cos(2.0 * math.pi * cycles * (time - peak) / STRIDE)
    return np.asarray(np.deg2rad(values) if name in ROTATIONAL else values)


def _spline(keys: tuple[float, ...]) -> BSpline:
    """Return the periodic quintic spline through evenly spaced keys; its knots are the keys' times."""
    from scipy.interpolate import make_interp_spline  # only now: the leg alone does without it

    closed = np.append(np.asarray(keys, dtype=float), keys[0])
    return make_interp_spline(np.linspace(0.0, STRIDE, closed.size), closed, k=5, bc_type="periodic")

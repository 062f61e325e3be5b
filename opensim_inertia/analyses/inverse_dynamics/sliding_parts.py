"""Parts of the difference by sliding: armature, coupling, velocity and gravity.

Mass that slides has more kinetic energy than the same mass frozen to its donor segments, by T_s = u^T dM u / 2. Of it
T_a = sum m kappa L'^2 / 2 is that of the rates of the muscles' lengths alone, which a tendon armature stands for
(docs/theory/sliding.md). Its force, sum m kappa L_q^T L'', is the *armature*. The rest of T_s couples the lengths'
rates with the motion of the segments: its force is in accelerations the *coupling*, and in velocities the *velocity*.
The fourth is *gravity*. They add up to inertial - lumped; where bellies swing, to that less the wobble.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ...model import InertialModel
from ...opensim_model.reading.kinematics import StateKinematics
from ...paths.kernel.remarks import MuscleRemarks

__all__ = ["PARTS", "about_parts", "armature_explains", "parts_of_rows"]

#: The parts, in the order of arrays.
PARTS = ("armature", "coupling", "velocity", "gravity")


def parts_of_rows(
    inertial: InertialModel, states: Sequence[StateKinematics], udot: Array, seen: MuscleRemarks | None
) -> tuple[Array, Array]:
    """Return each muscle's change (R, muscles, nu), and the parts (4, R, nu) of their sum.

    Args:
        inertial: the model.
        states: R states.
        udot: (R, nu).
        seen: collects remarks about muscles, if they are wanted.
    """
    muscles = inertial.muscles
    weights = [muscles.masses[name] * muscles.length_rates(name).kappa for name in inertial.muscle_names]
    each, parts = inertial.evaluation.inverse_parts(states, udot, weights, seen)
    armature, of_rates, velocity, weight = np.moveaxis(parts, 1, 0)
    velocity = velocity - of_rates
    return each, np.stack([armature, each.sum(axis=1) - armature - velocity - weight, velocity, weight])


def armature_explains(sliding: Array, armature: Array) -> float:
    """Return how much of what slides (T,) an armature (T,) explains: 1 - RMS(sliding - armature) / RMS(sliding).

    It is 1 where the armature is all of it, negative where leaving it out would be nearer, NaN where nothing slides.
    """
    largest = float(np.abs(sliding).max(initial=0.0))
    if not largest > 0:
        return float("nan")
    left = np.sqrt((((sliding - armature) / largest) ** 2).mean())  # squares of small forces could vanish
    return float(1.0 - left / np.sqrt(((sliding / largest) ** 2).mean()))


def about_parts(summary: pd.DataFrame) -> str:
    """Return a sentence about the coordinate at which most slides of its lumped peak; empty if there is none.

    Coordinates that change no muscle's length, as those of a pelvis in ground, are left out.

    Args:
        summary: as :func:`~.summary.summarise` makes it, with the parts of sliding.
    """
    crossed = summary["armature RMS"] > 1e-9 * summary["sliding RMS"]
    sizes = (summary["sliding RMS"][crossed] / summary["lumped peak"].abs()).replace(np.inf, np.nan).dropna()
    if sizes.empty or not sizes.max() > 0:
        return ""
    name = sizes.idxmax()
    row = summary.loc[name]
    parts = ", ".join(f"{part} {row[f'{part} RMS']:.2g}" for part in PARTS[1:])
    return (
        f"Of the sliding part at {name}, RMS {row['sliding RMS']:.2g} {row['unit']}, the muscles' length rates alone "
        f"(an armature) explain {100 * row['armature explains']:.2g} %; RMS of its parts: armature "
        f"{row['armature RMS']:.2g}, {parts}."
    )

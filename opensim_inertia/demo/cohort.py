"""Write a cohort: the demo's leg at several sizes, each of which swings several times at two speeds of running.

It stands for a study's data where there are none. Every swing is the demo's, with joint angles and times that differ a
little at random; the same seed gives the same files.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..files import write_table
from ..opensim_model.reading.loading import printed
from .files import SETUP, in_degrees, masses_text, write_text
from .leg import build_leg
from .swing import TAKE_OFF, TOUCH_DOWN, swing_motion

__all__ = ["SUBJECTS", "write_cohort"]

#: Stature [m] and body mass [kg] of subjects.
SUBJECTS = ((1.62, 56.0), (1.75, 75.0), (1.88, 92.0))
#: The size of the demo's leg.
DEMO_SIZE = (1.75, 75.0)
#: Conditions, and how many times as fast as the demo's a swing is.
SPEEDS = {"slow": 0.8, "fast": 1.0}
#: Standard deviations of a swing's angles, as a share of themselves, and of its speed.
ANGLES, SPEED = 0.05, 0.03


def write_cohort(
    folder: str | os.PathLike[str],
    subjects: Sequence[tuple[float, float]] = SUBJECTS,
    trials: int = 1,
    conditions: Sequence[str] = tuple(SPEEDS),
    seed: int = 0,
) -> Path:
    """Write ``S<subject>/leg.osim`` and ``masses.csv``, and of each trial ``<condition>_<trial>.mot`` and a setup.

    Setups, ``S<subject>/setup_<condition>_<trial>.xml``, are of inverse dynamics from take-off to touch-down; these two
    times are in ``events.csv``, by trial as ``S<subject>_<condition>_<trial>``.

    Args:
        folder: where to; made if it does not exist.
        subjects: stature [m] and body mass [kg] of each.
        trials: of each subject under each condition.
        conditions: "slow", "fast" or both.
        seed: of the random numbers.

    Returns:
        the folder, absolute.

    Raises:
        OutputError: the folder cannot be written. OptionError: height or mass is not that of a human.
    """
    place = Path(folder).absolute()
    rng = np.random.default_rng(seed)
    events = ["trial,start,end"]
    for number, (height, mass) in enumerate(subjects, 1):
        home = place / f"S{number}"
        write_text(home / "leg.osim", printed(build_leg(height, mass)))
        write_text(home / "masses.csv", masses_text(mass / DEMO_SIZE[1]))
        for condition in conditions:
            for trial in range(1, trials + 1):
                name = f"{condition}_{trial}"
                motion, pace = _varied(rng, SPEEDS[condition], height / DEMO_SIZE[0])
                start, end = round(TAKE_OFF / pace, 4), round(TOUCH_DOWN / pace, 4)
                write_table(in_degrees(motion), home / f"{name}.mot", in_degrees=True, name=name)
                setup = SETUP.format(model="leg.osim", motion=f"{name}.mot", start=start, end=end)
                write_text(home / f"setup_{name}.xml", setup)
                events.append(f"S{number}_{name},{start},{end}")
    write_text(place / "events.csv", "\n".join(events) + "\n")
    return place


def _varied(rng: np.random.Generator, speed: float, size: float) -> tuple[pd.DataFrame, float]:
    """Return a random variation of the demo's swing, and its speed as a multiple of the demo's."""
    motion = swing_motion()
    pace = speed * (1.0 + SPEED * rng.standard_normal())
    joints = [name for name in motion.columns if not name.startswith("pelvis")]
    motion[joints] *= 1.0 + ANGLES * rng.standard_normal(len(joints))
    motion["pelvis_ty"] *= size
    motion.index = pd.Index(np.round(motion.index.to_numpy() / pace, 6), name="time")
    return motion, pace

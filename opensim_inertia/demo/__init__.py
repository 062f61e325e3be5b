"""The demo: one leg with four muscles in the swing phase of running, and such legs of three sizes for studies.

OpenSim's InverseDynamicsTool runs the setups from their folders (it looks for models in the working directory). Written
files are reproducible byte by byte. Sources:

* Segments: de Leva P (1996), J Biomech 29:1223-1230, table 4, males; height of the ankle: Winter DA (2009); hip joint:
  Bell AL et al. (1990), J Biomech 23:617-621.
* Muscles: Ward SR et al. (2009), Clin Orthop Relat Res 467:1074-1082; masses and cross-sections doubled for living
  young adults (Fukunaga T et al. 1992, J Orthop Res 10:926-934). Attachments are estimates of our own.
* Motion: key poses of our own, after textbook curves of running (Novacheck TF 1998, Gait Posture 7:77-95), half a
  second from take-off to touch-down as in Wang et al. 2022, section 4.5. Hip, knee and ankle follow quintic splines.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from .._core.errors import OptionError
from ..files.atomic import writing
from ..files.tables import Table, load_table, write_table

__all__ = ["FILES", "write_cohort", "write_demo"]

_HERE = Path(__file__).parent
#: Files of the demo.
FILES = {
    "model": _HERE / "leg.osim",
    "motion": _HERE / "swing.mot",
    "setup": _HERE / "setup_id.xml",
    "masses": _HERE / "masses.csv",
}
#: Stature [m] and body mass [kg] of the demo's leg.
DEMO_SIZE = (1.75, 75.0)
#: Models of the leg by stature [m] and body mass [kg].
LEGS = {(1.62, 56.0): _HERE / "leg_1.62m.osim", DEMO_SIZE: FILES["model"], (1.88, 92.0): _HERE / "leg_1.88m.osim"}
#: Take-off and touch-down [s].
SWING = (0.05, 0.55)
#: Speed of swings by condition, relative to the demo's.
SPEEDS = {"slow": 0.8, "fast": 1.0}
#: Standard deviations of angles and of speed, as shares of their values.
ANGLES, SPEED = 0.05, 0.03


def write_demo(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """Write the demo's files ``leg.osim``, ``swing.mot``, ``setup_id.xml`` and ``masses.csv``; replace existing files.

    * ``leg.osim``: a right leg on a driven pelvis, 11 coordinates, four muscles, 1.75 m and 75 kg; no meshes.
    * ``swing.mot``: the swing of a run at about 5 m/s in degrees, 0 to 0.6 s.
    * ``setup_id.xml``: inverse dynamics from take-off to touch-down, without external loads (the foot is in the air),
      muscle forces and filter. OpenSim's tool writes ``id_swing.sto`` beside it.
    * ``masses.csv``: columns muscle, mass [kg], segment (the donor segment), source. The bellies lie beside the tibia:
      1.06 kg of the shank's 3.25 kg.

    Args:
        folder: folder of the files; created if missing.

    Returns:
        absolute paths by "model", "motion", "setup" and "masses".

    Raises:
        OutputError: the folder cannot be written.
    """
    return {kind: _write(Path(folder).absolute() / file.name, file.read_bytes()) for kind, file in FILES.items()}


def write_cohort(
    folder: str | os.PathLike[str],
    subjects: Sequence[tuple[float, float]] = tuple(LEGS),
    trials: int = 1,
    conditions: Sequence[str] = tuple(SPEEDS),
) -> Path:
    """Write inputs of a study: the demo's leg in several sizes, and ``trials`` swing-phase motions per leg and speed.

    Swings are random variations of the demo's joint angles and times, equal in each call. For each subject the function
    writes ``S<subject>/leg.osim`` and ``masses.csv``; for each trial ``<condition>_<trial>.mot`` and
    ``setup_<condition>_<trial>.xml``, inverse dynamics from take-off to touch-down. ``events.csv`` has these two times
    by trial, as ``S<subject>_<condition>_<trial>``.

    Args:
        folder: folder of the files; created if missing.
        subjects: stature [m] and body mass [kg] of each subject, sizes in :data:`LEGS`.
        trials: number of trials per subject and condition.
        conditions: "slow", "fast" or both.

    Returns:
        the folder, absolute.

    Raises:
        OutputError: the folder cannot be written. OptionError: a size is not in :data:`LEGS`.
    """
    import pandas as pd

    place = Path(folder).absolute()
    rng = np.random.default_rng(0)
    events = ["trial,start,end"]
    for number, (height, mass) in enumerate(subjects, 1):
        if (height, mass) not in LEGS:
            raise OptionError("subjects", (height, mass), f"sizes among {tuple(LEGS)}")
        home = place / f"S{number}"
        _write(home / "leg.osim", LEGS[height, mass].read_bytes())
        masses = pd.read_csv(FILES["masses"])
        masses["mass"] *= mass / DEMO_SIZE[1]
        table = masses.to_csv(index=False, float_format="%.4f", lineterminator="\n")
        _write(home / "masses.csv", table.encode())
        for condition in conditions:
            for trial in range(1, trials + 1):
                name = f"{condition}_{trial}"
                motion, pace = _varied(rng, SPEEDS[condition], height / DEMO_SIZE[0])
                start, end = (round(time / pace, 4) for time in SWING)
                write_table(motion, home / f"{name}.mot", name=name)
                setup = FILES["setup"].read_text(encoding="utf-8").replace(FILES["motion"].name, f"{name}.mot")
                _write(home / f"setup_{name}.xml", setup.replace("0.05 0.55", f"{start!r} {end!r}").encode())
                events.append(f"S{number}_{name},{start},{end}")
    _write(place / "events.csv", ("\n".join(events) + "\n").encode())
    return place


def _varied(rng: np.random.Generator, speed: float, size: float) -> tuple[Table, float]:
    """Return a randomly varied copy of the demo's swing [deg, m], and the copy's speed divided by the demo's."""
    motion = load_table(FILES["motion"])
    values = motion.values.copy()
    pace = speed * (1.0 + SPEED * rng.standard_normal())
    joints = [i for i, name in enumerate(motion.labels) if not name.startswith("pelvis")]
    values[:, joints] *= 1.0 + ANGLES * rng.standard_normal(len(joints))
    values[:, motion.labels.index("pelvis_ty")] *= size
    return replace(motion, times=np.round(motion.times / pace, 6), values=np.round(values, 10)), pace


def _write(path: Path, content: bytes) -> Path:
    with writing(path) as temporary:
        temporary.write_bytes(content)
    return path

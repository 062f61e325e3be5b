"""Write the demo to a folder: a model, a motion, an inverse dynamics setup and a table of muscle masses.

OpenSim's own InverseDynamicsTool runs the setup as it is, from that folder (it looks for models in the working
directory). All files are the same bytes each time.
"""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import numpy as np
import pandas as pd

from ..files import write_table
from ..files.atomic import writing
from ..opensim_model.reading.loading import printed
from .leg import ROTATIONAL, build_leg
from .muscles import IN_VIVO, MUSCLES
from .swing import TAKE_OFF, TOUCH_DOWN, swing_motion

__all__ = ["SETUP", "in_degrees", "masses_text", "write_demo", "write_text"]

NAMES = {"model": "leg.osim", "motion": "swing.mot", "setup": "setup_id.xml", "masses": "masses.csv"}

SETUP = """\
<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
\t<InverseDynamicsTool name="swing">
\t\t<results_directory>.</results_directory>
\t\t<model_file>{model}</model_file>
\t\t<time_range>{start!r} {end!r}</time_range>
\t\t<forces_to_exclude>Muscles</forces_to_exclude>
\t\t<external_loads_file></external_loads_file>
\t\t<coordinates_file>{motion}</coordinates_file>
\t\t<lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>
\t\t<output_gen_force_file>id_swing.sto</output_gen_force_file>
\t</InverseDynamicsTool>
</OpenSimDocument>
"""


def write_demo(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """Write ``leg.osim``, ``swing.mot``, ``setup_id.xml`` and ``masses.csv``; existing files are replaced.

    * ``leg.osim``: :func:`.build_leg` at its default size; no meshes.
    * ``swing.mot``: :func:`.swing_motion` in degrees, 0 to 0.6 s.
    * ``setup_id.xml``: inverse dynamics of the swing, from take-off to touch-down: the foot is in the air, so there are
      no external loads; muscle forces excluded; no filter. OpenSim's tool writes ``id_swing.sto`` beside it.
    * ``masses.csv``: columns muscle, mass [kg], segment (the donor segment), source.

    Args:
        folder: where to; made if it does not exist.

    Returns:
        Absolute paths by "model", "motion", "setup" and "masses".

    Raises:
        OutputError: the folder cannot be written.
    """
    place = Path(folder).absolute()
    paths = {what: place / name for what, name in NAMES.items()}
    write_text(paths["model"], printed(build_leg()))
    write_table(in_degrees(swing_motion()), paths["motion"], in_degrees=True, name="swing")
    setup = SETUP.format(model=NAMES["model"], motion=NAMES["motion"], start=TAKE_OFF, end=TOUCH_DOWN)
    write_text(paths["setup"], setup)
    write_text(paths["masses"], masses_text())
    return paths


def write_text(path: Path, text: str) -> None:
    """Write a file of text, with the same bytes on every platform."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def in_degrees(motion: pd.DataFrame) -> pd.DataFrame:
    """Return a motion [rad, m] with its angles in degrees, rounded to 10 decimals: the last bits do not matter."""
    angles = [name for name in motion.columns if name in ROTATIONAL]
    table = motion.copy()
    table[angles] = np.rad2deg(table[angles])
    return table.round(10)


def masses_text(factor: float = 1.0) -> str:
    """Return the table of masses, each times a factor, as text.

    The shank is the donor segment of all four, as their bellies lie beside the tibia: 1.06 kg of its 3.25 kg.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["muscle", "mass", "segment", "source"])
    for muscle in MUSCLES:
        source = (
            f"Ward et al. 2009 cadaver mass {muscle.cadaver_mass:.4f} kg times {IN_VIVO:g} for a living young adult "
            "(MRI volumes of Fukunaga et al. 1992)"
        )
        table.writerow([muscle.name, f"{factor * muscle.in_vivo_mass():.4f}", "tibia_r", source])
    return text.getvalue()

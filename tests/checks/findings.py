"""All findings of a motion, and of loads: those of units and times, and doubts."""

import os

import opensim as osim
import pandas as pd

from opensim_inertia.checks import Diagnostic
from opensim_inertia.checks.recordings import doubts_of_loads, doubts_of_motion
from opensim_inertia.opensim_model.reading.motion import Motion
from opensim_inertia.opensim_model.reading.recorded_table import recorded_units
from opensim_inertia.opensim_model.setups.loads import Loads, unit_findings


def motion_findings(model: osim.Model, motion: pd.DataFrame | str | os.PathLike[str]) -> list[Diagnostic]:
    table, of_units = recorded_units(model, motion)
    return [*of_units, *doubts_of_motion(table, of_units)]


def loads_findings(
    model: osim.Model, loads: Loads, motion: Motion | None = None, thorough: bool = False
) -> list[Diagnostic]:
    of_units = unit_findings(loads, model, None if motion is None else motion.span)
    return [*of_units, *doubts_of_loads(model, loads, of_units, motion, thorough)]

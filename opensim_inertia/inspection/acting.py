"""Refuse meaningless motions and loads, warn of doubtful ones, and keep notes."""

from __future__ import annotations

from .._core.errors import MotionError
from .._core.findings import act_on
from ..model import InertialModel
from ..opensim_model.reading import Motion, MotionSource
from ..opensim_model.setups.loads import Loads
from .loads import loads_findings
from .motion import motion_findings

__all__ = ["loads_notes", "motion_notes"]


def motion_notes(inertial: InertialModel, source: MotionSource, strict: bool = False) -> list[str]:
    """Refuse a meaningless motion, warn of a doubtful one, and return the warnings and notes.

    Args:
        inertial: the model.
        source: as :func:`~opensim_inertia.inspection.motion.motion_findings` takes it.
        strict: refuse doubtful ones as well.

    Raises:
        MotionError: the motion is refused; FileFormatError: the file is missing or malformed; ModelError: the model has
            been changed and not been initialised since.
    """
    model = inertial.kinematics.model  # of a system that is current
    return act_on(motion_findings(model, source, inertial.coordinates), MotionError, strict)


def loads_notes(inertial: InertialModel, loads: Loads, motion: Motion, strict: bool = False) -> list[str]:
    """Refuse meaningless external loads during a motion, warn of doubtful ones, and return the warnings and notes.

    Raises:
        MotionError: the loads are refused; UnknownNameError: a body of theirs is not in the model.
    """
    return act_on(loads_findings(inertial.model, loads, motion, like=inertial.kinematics), MotionError, strict)

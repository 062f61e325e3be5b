"""Wrap objects, obstacles of cables, and the ways in which paths are led over them: one interface, three ways.

``analytic``: the kernel's own smooth formula, on the sides that OpenSim takes (:mod:`.survey`). ``neural``: networks in
the formula's place (:mod:`.networks`). ``opensim``: OpenSim's own current path, differentiated numerically
(:mod:`.opensim_path`); for every wrap object, slow, with a kink at touch. :mod:`.plan` chooses the way of each muscle.
"""

from ..choices import WRAPPINGS
from .between_poses import halved, neighbours
from .current_cable import CORNER, CurrentCable, current_path
from .fitted import CLOSE, FittedPath, FittedPaths, FittedSection, PathFitWarning, PathJump
from .interface import Arc, WrappedPath, Wrapping
from .muscle_surfaces import check_wraps, has_wraps, read_surfaces, wrap_bodies
from .observed import SeenPaths, observe
from .opensim_path import LatePaths, OpenSimPaths, PathsOnDemand
from .plan import (
    DIFFERENT,
    PathDifference,
    WrapDifferenceWarning,
    WrappingFallbackWarning,
    WrapPlan,
    all_by_opensim,
    plan_wraps,
)
from .poses import Poses, can_be_laid, look_at_poses
from .surfaces import Surface
from .survey import WrapSite, survey, survey_poses
from .touch_width import SMOOTHING, TouchWidths

__all__ = [
    "CLOSE",
    "CORNER",
    "DIFFERENT",
    "SMOOTHING",
    "WRAPPINGS",
    "Arc",
    "CurrentCable",
    "FittedPath",
    "FittedPaths",
    "FittedSection",
    "LatePaths",
    "OpenSimPaths",
    "PathDifference",
    "PathFitWarning",
    "PathJump",
    "PathsOnDemand",
    "Poses",
    "SeenPaths",
    "Surface",
    "TouchWidths",
    "WrapDifferenceWarning",
    "WrapPlan",
    "WrapSite",
    "WrappedPath",
    "Wrapping",
    "WrappingFallbackWarning",
    "all_by_opensim",
    "can_be_laid",
    "check_wraps",
    "current_path",
    "halved",
    "has_wraps",
    "look_at_poses",
    "neighbours",
    "observe",
    "plan_wraps",
    "read_surfaces",
    "survey",
    "survey_poses",
    "wrap_bodies",
]

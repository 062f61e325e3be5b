"""Wrap objects and the ways in which paths are led over them: one interface, three ways.

``analytic``: the kernel's own smooth formula, on the sides that OpenSim takes (:mod:`.survey`). ``neural``: networks in
the formula's place (:mod:`.networks`). ``opensim``: OpenSim's own current path, differentiated numerically
(:mod:`.opensim_path`); for every wrap object, slow, with a kink at touch. :mod:`.plan` chooses the way of each muscle.
"""

from ..choices import WRAPPINGS
from .fitted import CLOSE, FittedPath, FittedPaths, FittedSection, PathFitWarning, PathJump
from .interface import Arc, WrappedPath, Wrapping
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
from .poses import Poses, look_at_poses
from .surfaces import Surface, check_wraps, read_surfaces, wrap_bodies
from .survey import SMOOTHING, WrapSite, survey, survey_poses

__all__ = [
    "CLOSE",
    "DIFFERENT",
    "SMOOTHING",
    "WRAPPINGS",
    "Arc",
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
    "WrapDifferenceWarning",
    "WrapPlan",
    "WrapSite",
    "WrappedPath",
    "Wrapping",
    "WrappingFallbackWarning",
    "all_by_opensim",
    "check_wraps",
    "look_at_poses",
    "observe",
    "plan_wraps",
    "read_surfaces",
    "survey",
    "survey_poses",
    "wrap_bodies",
]

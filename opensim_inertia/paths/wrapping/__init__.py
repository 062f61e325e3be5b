"""Wrap objects, obstacles of cables, and the ways in which paths are led over them: one interface, three ways.

``analytic``: the kernel's own smooth formula, on the sides that OpenSim takes (:mod:`.survey`). ``neural``: over
cylinders and spheres a network in the formula's place. ``opensim``: OpenSim's own current path, differentiated
numerically (:mod:`.opensim_path`); for every wrap object, slow, with a kink at touch. :mod:`.plan` chooses the way of
each muscle.
"""

from ..._core.choices import WRAPPINGS
from .current_cable import CORNER, CurrentCable, current_path
from .current_path import FAR
from .opensim_path import FallbackPaths, FallbackPathSource, OpenSimPaths
from .path_jumps import PathJump, bisect_jumps, find_jump
from .path_samples import OpenSimPathSamples, sample_opensim_paths
from .plan import DIFFERENT, PathDifference, WrapPlan, all_by_opensim, fall_back, plan_wraps
from .poses import can_be_laid, read_body_poses
from .surfaces import Surface, has_wraps, read_surfaces, wrap_bodies
from .survey import TouchWidths, WrapSite, survey, survey_poses

__all__ = [
    "CORNER",
    "DIFFERENT",
    "FAR",
    "WRAPPINGS",
    "CurrentCable",
    "FallbackPathSource",
    "FallbackPaths",
    "OpenSimPaths",
    "PathDifference",
    "PathJump",
    "OpenSimPathSamples",
    "Surface",
    "TouchWidths",
    "WrapPlan",
    "WrapSite",
    "all_by_opensim",
    "bisect_jumps",
    "can_be_laid",
    "current_path",
    "fall_back",
    "find_jump",
    "has_wraps",
    "read_body_poses",
    "sample_opensim_paths",
    "plan_wraps",
    "read_surfaces",
    "survey",
    "survey_poses",
    "wrap_bodies",
]

"""Wrap objects and the ways in which paths are led over them: one interface, three ways.

``analytic``: the kernel's own smooth formula, on the sides that OpenSim takes (:mod:`.survey`). ``neural``: networks in
the formula's place (:mod:`.networks`). ``opensim``: OpenSim's own current path, differentiated numerically
(:mod:`.opensim_path`); for every wrap object, slow, with a kink at touch. :mod:`.plan` chooses the way of each muscle.
"""

from ..choices import WRAPPINGS
from .interface import Arc, WrappedPath, Wrapping
from .opensim_path import OpenSimPaths
from .plan import WrappingFallbackWarning, WrapPlan, plan_wraps
from .surfaces import Surface, check_wraps, wrap_bodies
from .survey import SMOOTHING, WrapSite, survey_poses

__all__ = [
    "SMOOTHING",
    "WRAPPINGS",
    "Arc",
    "OpenSimPaths",
    "Surface",
    "WrapPlan",
    "WrapSite",
    "WrappedPath",
    "Wrapping",
    "WrappingFallbackWarning",
    "check_wraps",
    "plan_wraps",
    "survey_poses",
    "wrap_bodies",
]

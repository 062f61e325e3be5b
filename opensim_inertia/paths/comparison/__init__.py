"""Paths over wrap objects compared with OpenSim's own: how far apart they are, why, and where smooth paths jump.

:func:`compare_paths` takes OpenSim's paths as sampled at the survey's poses, once for each model that is made, and its
result decides which paths a plan keeps.
:class:`PathComparison` asks OpenSim at any pose, and :func:`find_reasons` says more closely what separates two paths:
that is what ``opensim-inertia wraps`` shows.
"""

from .path_comparison import PathComparison, PosedComparison, Way
from .reasons import LIMIT, Reason, find_reasons
from .smooth_jumps import find_jumps
from .survey_comparison import compare_paths

__all__ = [
    "LIMIT",
    "PathComparison",
    "PosedComparison",
    "Reason",
    "Way",
    "compare_paths",
    "find_jumps",
    "find_reasons",
]

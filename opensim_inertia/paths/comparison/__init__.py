"""Paths over wrap objects compared with OpenSim's own: how far apart they are, why, and where smooth paths jump.

Two comparisons share their measures (:mod:`.measures`). :func:`compare_paths` takes OpenSim's paths as they were
sampled at the survey's poses, once for each model that is made, and its result decides which paths a plan keeps.
:class:`PathComparison` calls OpenSim at any pose, for ``opensim-inertia wraps``.
"""

from .measures import Difference
from .path_comparison import WAYS, PathComparison, PosedComparison, Way
from .smooth_jumps import find_jumps
from .survey_comparison import compare_paths

__all__ = [
    "WAYS",
    "Difference",
    "PathComparison",
    "PosedComparison",
    "Way",
    "compare_paths",
    "find_jumps",
]

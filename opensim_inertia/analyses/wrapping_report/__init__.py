"""The wrap report: distances of paths over wrap objects from OpenSim's own, with reasons.

Three paths of a muscle are compared at a pose: the one that OpenSim shows, ours, and ours without smoothing (the exact
geodesic). What separates the first from the last is looked up in the paths: which surfaces each lies on and where.
"""

from ...paths.comparison import LIMIT
from .table import AS_OPENSIM, COLUMNS, VERDICTS, compare_wraps

__all__ = ["AS_OPENSIM", "COLUMNS", "LIMIT", "VERDICTS", "compare_wraps"]

"""The wrap report: distances of paths over wrap objects from OpenSim's own.

Three paths of a muscle are compared at a pose: the one that OpenSim shows, ours, and ours without smoothing (the exact
geodesic).
"""

from .table import AS_OPENSIM, COLUMNS, VERDICTS, compare_wraps

__all__ = ["AS_OPENSIM", "COLUMNS", "VERDICTS", "compare_wraps"]

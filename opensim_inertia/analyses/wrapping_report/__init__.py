"""The wrap report: distances of paths over wrap objects from OpenSim's own, and a picture of a touch.

Three paths of a muscle are compared at a pose: the one that OpenSim shows, ours, and ours without smoothing (the exact
geodesic).
"""

from .picture import plot_touch
from .table import AS_OPENSIM, COLUMNS, VERDICTS, compare_wraps

__all__ = ["AS_OPENSIM", "COLUMNS", "VERDICTS", "compare_wraps", "plot_touch"]

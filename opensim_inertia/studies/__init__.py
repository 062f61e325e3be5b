"""Studies: many trials under many assumptions, on one machine or a cluster, to tidy tables."""

from .errors import ClusterError, FailedTasksWarning, StudyError
from .result import StudyResult
from .run import study

__all__ = ["ClusterError", "FailedTasksWarning", "StudyError", "StudyResult", "study"]

"""Studies: many trials under many assumptions, on one machine or a cluster, to tidy tables."""

from .result import StudyResult
from .run import study

__all__ = ["StudyResult", "study"]

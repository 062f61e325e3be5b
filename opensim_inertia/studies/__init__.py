"""Studies: many trials under many assumptions, on one machine or a cluster, collected in tidy tables."""

from .run import StudyResult, study

__all__ = ["StudyResult", "study"]

"""What can go wrong with a study as a whole; a task that fails is a row of its table of failures."""

from __future__ import annotations

from .._core.errors import InertiaError, InertiaWarning

__all__ = ["ClusterError", "FailedTasksWarning", "StudyError"]


class StudyError(InertiaError):
    """A study's configuration says what cannot be done; the message names the file, the section and the key."""


class ClusterError(InertiaError):
    """The scheduler cannot be reached, or it and its workers cannot do the tasks."""


class FailedTasksWarning(InertiaWarning):
    """Tasks of a study failed; the others are done."""

"""The one place that imports DAQP, the solver of quadratic programs, which muscle recruitment and postures need."""

from __future__ import annotations

from .errors import InertiaError

__all__ = ["MissingSolverError", "daqp"]


class MissingSolverError(InertiaError, ImportError):
    """The solver of muscle recruitment and of postures is not installed."""


try:
    import daqp
except ImportError as error:
    raise MissingSolverError(
        "muscle recruitment, and postures, need the solver DAQP, which is not installed: "
        "`pip install daqp`, or with this package `pip install opensim_inertia[recruitment]`"
    ) from error

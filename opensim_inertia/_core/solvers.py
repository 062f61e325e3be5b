"""The one place that imports DAQP, the solver of quadratic programs, which muscle recruitment and postures need."""

from __future__ import annotations

from .errors import MissingPackageError

__all__ = ["daqp"]

try:
    import daqp
except ImportError as error:
    raise MissingPackageError("muscle recruitment, and postures, need the solver", "DAQP", "recruitment") from error

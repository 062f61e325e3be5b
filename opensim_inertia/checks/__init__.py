"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.diagnostics import Diagnostic
from .checking import CheckResult, check, grouped, model_errors
from .document import Repair, nearest_inertia, repair_model

__all__ = [
    "CheckResult",
    "Diagnostic",
    "Repair",
    "check",
    "grouped",
    "model_errors",
    "nearest_inertia",
    "repair_model",
]

"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.diagnostics import Diagnostic
from .checking import CheckResult, check, grouped, model_errors
from .document import Repair, nearest_inertia, repair_model
from .recordings import input_notes, solve_checked

__all__ = [
    "CheckResult",
    "Diagnostic",
    "Repair",
    "check",
    "grouped",
    "input_notes",
    "model_errors",
    "solve_checked",
    "nearest_inertia",
    "repair_model",
]

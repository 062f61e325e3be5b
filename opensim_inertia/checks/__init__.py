"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.diagnostics import Diagnostic
from .checking import CheckResult, check, grouped, model_findings
from .document import Repair, nearest_inertia, repair_model
from .recordings import input_notes, solve_checked

__all__ = [
    "CheckResult",
    "Diagnostic",
    "Repair",
    "check",
    "grouped",
    "input_notes",
    "solve_checked",
    "model_findings",
    "nearest_inertia",
    "repair_model",
]

"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.diagnostics import Diagnostic
from .checking import CheckResult, check, check_as_used, grouped, model_findings
from .document import Repair, nearest_inertia, repair_model
from .recordings import input_notes

__all__ = [
    "CheckResult",
    "Diagnostic",
    "Repair",
    "check",
    "check_as_used",
    "grouped",
    "input_notes",
    "model_findings",
    "nearest_inertia",
    "repair_model",
]

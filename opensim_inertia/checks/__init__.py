"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.diagnostics import Diagnostic
from .check_result import CheckResult, grouped
from .checking import check, check_as_used, model_findings
from .recordings import input_notes
from .repair import Repair, nearest_inertia, repair_model

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

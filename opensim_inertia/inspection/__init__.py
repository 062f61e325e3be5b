"""Errors in a model, a motion and external loads, found before anything is solved: see ``findings``."""

from .._core.findings import Finding
from .check_result import CheckResult, grouped
from .checking import check, model_findings
from .repair import Repair, nearest_inertia, repair_model

__all__ = ["Finding", "CheckResult", "Repair", "check", "grouped", "model_findings", "nearest_inertia", "repair_model"]

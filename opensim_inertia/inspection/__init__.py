"""Errors in a model, a motion and external loads, found before anything is solved."""

from .._core.findings import Finding
from .check_result import CheckResult, grouped
from .repair import Repair, nearest_inertia, repair_model

__all__ = ["Finding", "CheckResult", "Repair", "grouped", "nearest_inertia", "repair_model"]

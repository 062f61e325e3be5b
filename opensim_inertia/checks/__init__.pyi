"""Names of the package, each with the module that has it; ``__init__.py`` reads the same lines."""

from .._core.diagnostics import Diagnostic as Diagnostic
from .checking import CheckResult as CheckResult, check as check, grouped as grouped, model_errors as model_errors
from .document import Repair as Repair, nearest_inertia as nearest_inertia, repair_model as repair_model
from .recordings import input_notes as input_notes, solve_checked as solve_checked

__all__: list[str]

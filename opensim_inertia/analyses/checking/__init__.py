"""What is wrong with a model, a motion and external loads: all tests at once."""

from .checks import check, check_as_used, model_findings

__all__ = ["check", "check_as_used", "model_findings"]

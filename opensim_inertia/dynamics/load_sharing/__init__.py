"""How muscles and other actuators share generalized forces: what acts at a state, and activations that make a row."""

from .actuation import LoadSharing, SharedRow
from .solve import RecruitmentSolution, solve_recruitment

__all__ = ["LoadSharing", "RecruitmentSolution", "SharedRow", "solve_recruitment"]

"""How muscles and other actuators share generalized forces: the forces at a state, and activations that make a row."""

from .actuation import LoadSharing
from .programs import RecruitmentSolution, solve_recruitment

__all__ = ["LoadSharing", "RecruitmentSolution", "solve_recruitment"]

"""Distribution of generalized forces over muscles and other actuators."""

from .actuation import LoadSharing
from .programs import RecruitmentSolution, solve_recruitment

__all__ = ["LoadSharing", "RecruitmentSolution", "solve_recruitment"]

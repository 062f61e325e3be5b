"""Muscle recruitment: activations and joint reactions for the moments of inverse dynamics."""

from ...dynamics.load_sharing import RecruitmentSolution, solve_recruitment
from .recruit import recruit
from .recruitment_result import RecruitmentResult

__all__ = ["RecruitmentResult", "RecruitmentSolution", "recruit", "solve_recruitment"]

"""Muscle recruitment: which muscles carry the moments of inverse dynamics, and the joint reactions."""

from ...dynamics.load_sharing import RecruitmentSolution, solve_recruitment
from .recruit import recruit
from .recruitment_result import RecruitmentResult

__all__ = ["RecruitmentResult", "RecruitmentSolution", "recruit", "solve_recruitment"]

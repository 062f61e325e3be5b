"""Muscle recruitment: which muscles carry the moments of inverse dynamics, and what the joints bear."""

from .recruit import recruit
from .recruitment_result import RecruitmentResult
from .solve import RecruitmentSolution, solve_recruitment

__all__ = [
    "RecruitmentResult",
    "RecruitmentSolution",
    "recruit",
    "solve_recruitment",
]

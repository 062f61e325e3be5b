"""Muscle recruitment: which muscles carry the moments of inverse dynamics, and what the joints bear."""

from .solve import RecruitmentSolution, solve_recruitment

__all__ = ["RecruitmentSolution", "solve_recruitment"]

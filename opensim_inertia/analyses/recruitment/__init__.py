"""Muscle recruitment: which muscles carry the moments of inverse dynamics, and what the joints bear."""

from .recruit import AccelerationWarning, IdleMuscleWarning, InfeasibleWarning, recruit
from .recruitment_result import RecruitmentResult
from .saving import result_files
from .solve import RecruitmentSolution, solve_recruitment

__all__ = [
    "AccelerationWarning",
    "IdleMuscleWarning",
    "InfeasibleWarning",
    "RecruitmentResult",
    "RecruitmentSolution",
    "recruit",
    "result_files",
    "solve_recruitment",
]

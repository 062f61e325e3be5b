"""Ranking of muscles by their part of the mass matrix."""

from .ranking import MuscleRanking, rank_muscles

__all__ = ["MuscleRanking", "rank_muscles"]

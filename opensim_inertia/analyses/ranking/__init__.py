"""Ranking of muscles by their share of each coordinate's effective inertia."""

from .ranking import MuscleRanking, rank_muscles

__all__ = ["MuscleRanking", "rank_muscles"]

"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from .held import ShortBellyWarning
from .lost_paths import LostPathWarning
from .mass_pictures import plot_bellies, plot_masses
from .mass_point_files import write_mass_points
from .model import InertialModel
from .options import Options
from .placement import RemainderWarning
from .ranking import MuscleRanking, rank_muscles
from .recorded_motion import BrokenConstraintWarning
from .terms import InertialTerms, MassPointKinematics

__all__ = [
    "BrokenConstraintWarning",
    "InertialModel",
    "InertialTerms",
    "LostPathWarning",
    "MassPointKinematics",
    "MuscleRanking",
    "Options",
    "RemainderWarning",
    "ShortBellyWarning",
    "plot_bellies",
    "plot_masses",
    "rank_muscles",
    "write_mass_points",
]

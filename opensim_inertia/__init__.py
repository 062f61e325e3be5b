"""opensim_inertia: muscle mass where it belongs, for OpenSim models.

OpenSim lumps muscle mass into the bones. This package puts it back along the musculotendon paths, sliding as the
joints move (Wang et al. 2022), and computes what changes.
"""

from typing import Any

from .errors import (
    DivergenceError,
    FileFormatError,
    InertiaError,
    MassError,
    ModelError,
    MotionError,
    OptionError,
    OutputError,
    SegmentMassError,
    SimulationError,
    UnknownNameError,
    UnsupportedPathError,
)
from .files import read_inverse_dynamics_setup, read_motion_table, read_table, write_table
from .forward import InterruptedWarning, Trajectory, simulate
from .gradient import (
    AponeurosisLength,
    BellyPlacement,
    DifferentiableSimulation,
    Excitations,
    Forces,
    InitialCoordinates,
    InitialSpeeds,
    MuscleMasses,
    Optimum,
    Properties,
    minimise,
)
from .inertial import InertialModel, InertialTerms, MassPointKinematics, RemainderWarning, ShortBellyWarning
from .inertial.mass_pictures import plot_bellies, plot_masses
from .inertial.mass_point_files import write_mass_points
from .inertial.ranking import MuscleRanking, rank_muscles
from .inverse import InverseDynamicsResult, LongMotionWarning, Uncertainty, inverse_dynamics
from .masses import estimate_masses, read_masses, write_masses
from .material import PointMasses
from .setups.loads import LoadsRangeWarning
from .wrap_report import compare_wraps, plot_touch
from .wrapping import WrappingFallbackWarning

__version__ = "0.1.0"

__all__ = [
    "AponeurosisLength",
    "BellyPlacement",
    "DifferentiableSimulation",
    "DivergenceError",
    "Excitations",
    "FileFormatError",
    "Forces",
    "InertiaError",
    "InertialModel",
    "InertialTerms",
    "InitialCoordinates",
    "InitialSpeeds",
    "InterruptedWarning",
    "InverseDynamicsResult",
    "LoadsRangeWarning",
    "LongMotionWarning",
    "MassError",
    "MassPointKinematics",
    "ModelError",
    "MotionError",
    "MuscleMasses",
    "MuscleRanking",
    "Optimum",
    "OptionError",
    "OutputError",
    "PointMasses",
    "Properties",
    "RemainderWarning",
    "SegmentMassError",
    "ShortBellyWarning",
    "SimulationError",
    "Trajectory",
    "Uncertainty",
    "UnknownNameError",
    "UnsupportedPathError",
    "WrappingFallbackWarning",
    "compare_wraps",
    "estimate_masses",
    "inverse_dynamics",
    "minimise",
    "plot_bellies",
    "plot_masses",
    "plot_touch",
    "rank_muscles",
    "read_inverse_dynamics_setup",
    "read_masses",
    "read_motion_table",
    "read_table",
    "simulate",
    "write_mass_points",
    "write_masses",
    "write_table",
]


def __getattr__(name: str) -> Any:
    if name == "MassPoints":
        import warnings

        warnings.warn("opensim_inertia.MassPoints is now called MassPointKinematics", DeprecationWarning, stacklevel=2)
        return MassPointKinematics
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

"""Files: tables over time, marker trajectories, setups of OpenSim's tools; all files are written atomically."""

from .setups import (
    ControllerSetup,
    ForwardSetup,
    InverseDynamicsSetup,
    MotionSetup,
    StaticOptimizationSetup,
    read_forward_setup,
    read_inverse_dynamics_setup,
    read_static_optimization_setup,
)
from .tables import read_motion_table, read_table, write_table
from .trc import read_trc, write_trc

__all__ = [
    "ControllerSetup",
    "ForwardSetup",
    "InverseDynamicsSetup",
    "MotionSetup",
    "StaticOptimizationSetup",
    "read_forward_setup",
    "read_inverse_dynamics_setup",
    "read_motion_table",
    "read_static_optimization_setup",
    "read_table",
    "read_trc",
    "write_table",
    "write_trc",
]

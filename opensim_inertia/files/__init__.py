"""Files: tables over time, marker trajectories, setups of OpenSim's tools; all files are written atomically."""

from .atomic import writing
from .documents import LENGTH_POLYNOMIALS, POLYNOMIAL_PATHS, checksum, read_document, write_document
from .forward_setup import ControllerSetup, ForwardSetup, read_forward_setup
from .inverse_setup import InverseDynamicsSetup, read_inverse_dynamics_setup
from .numbers import checked_numbers
from .static_setup import StaticOptimizationSetup, read_static_optimization_setup
from .tables import read_motion_table, read_table, rotations_to_radians, write_table
from .tool_setup import MotionSetup
from .trc import write_trc

__all__ = [
    "LENGTH_POLYNOMIALS",
    "POLYNOMIAL_PATHS",
    "ControllerSetup",
    "ForwardSetup",
    "InverseDynamicsSetup",
    "MotionSetup",
    "StaticOptimizationSetup",
    "checked_numbers",
    "checksum",
    "read_document",
    "read_forward_setup",
    "read_inverse_dynamics_setup",
    "read_motion_table",
    "read_static_optimization_setup",
    "read_table",
    "rotations_to_radians",
    "write_document",
    "write_table",
    "write_trc",
    "writing",
]

"""Muscle masses: estimates and tables, positions of bellies along paths, and donor segments."""

from .donors import default_donors, reference_pose
from .estimate import estimate_masses
from .table import PointMasses, read_masses, write_masses

__all__ = ["PointMasses", "default_donors", "estimate_masses", "read_masses", "reference_pose", "write_masses"]

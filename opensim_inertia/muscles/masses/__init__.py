"""Muscle masses: the source of each number, the place of bellies, and the mass that donor segments give up."""

from .architecture import MuscleArchitecture, default_architecture
from .bellies import table_architecture
from .donors import default_donor, default_donors, reference_pose
from .estimate import estimate_masses, half_thickness
from .table import FurtherColumnsWarning, check_mass_table, read_masses, write_masses

__all__ = [
    "FurtherColumnsWarning",
    "MuscleArchitecture",
    "check_mass_table",
    "default_architecture",
    "default_donor",
    "default_donors",
    "estimate_masses",
    "half_thickness",
    "read_masses",
    "reference_pose",
    "table_architecture",
    "write_masses",
]

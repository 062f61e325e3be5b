"""Muscle masses: where each number comes from, which segment pays for it, and what the segments give up."""

from .estimate import estimate_masses
from .payers import default_payer, default_payers
from .segments import give_up
from .table import check_mass_table, read_masses, write_masses

__all__ = [
    "check_mass_table",
    "default_payer",
    "default_payers",
    "estimate_masses",
    "give_up",
    "read_masses",
    "write_masses",
]

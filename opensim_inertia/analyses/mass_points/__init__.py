"""Where muscles' mass lies over a motion: pictures, and files of markers."""

from .pictures import plot_bellies, plot_masses
from .trc_files import write_mass_points

__all__ = ["plot_bellies", "plot_masses", "write_mass_points"]

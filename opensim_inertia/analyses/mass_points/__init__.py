"""Muscles' mass points over a motion, as files of markers."""

from .trc_files import write_mass_points

__all__ = ["write_mass_points"]

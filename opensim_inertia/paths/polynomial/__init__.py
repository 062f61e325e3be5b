"""Polynomial paths: paths over wrap objects fitted by polynomials of the coordinates (``wrapping="polynomial"``).

OpenSim's own path is looked at over many poses (:mod:`.sampling`). Each part of it that wraps becomes a polyline whose
points are polynomials, in the frame of one body, of the coordinates that move the part (:mod:`.sections`); everything
else stays as the model has it. What was fitted is kept by :class:`~opensim_inertia.paths.wrapping.PolynomialPaths`.
"""

from .fit import fit_polynomial_paths, load_polynomial_paths

__all__ = ["fit_polynomial_paths", "load_polynomial_paths"]

"""Polynomials of several variables: evaluated, fitted to values and derivatives, and their terms selected.

This folder knows arrays only, no model.
"""

from .polynomials import Polynomials, all_terms
from .regression import Regression, Selection

__all__ = [
    "Polynomials",
    "Regression",
    "Selection",
    "all_terms",
]

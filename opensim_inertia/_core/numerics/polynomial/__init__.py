"""Polynomials of several variables: evaluated, fitted to values and derivatives, and their terms selected.

This folder knows arrays only, no model.
"""

from .polynomials import Polynomials
from .regression import Regression, Selection
from .terms import all_terms, monomials, monomials_and_jacobian

__all__ = [
    "Polynomials",
    "Regression",
    "Selection",
    "all_terms",
    "monomials",
    "monomials_and_jacobian",
]

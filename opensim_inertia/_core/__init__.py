"""Foundations: errors, argument checks, provenance, optional packages, numerics."""

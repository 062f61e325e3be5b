"""Foundations for all other folders: errors, checks of arguments, provenance, optional packages, numerics."""

"""Analyses of an inertial model."""

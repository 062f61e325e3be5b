"""Analyses of an inertial model, one folder each."""

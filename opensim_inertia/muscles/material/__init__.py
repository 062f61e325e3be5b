"""Strain models and point masses, which say where along its path a muscle's mass lies."""

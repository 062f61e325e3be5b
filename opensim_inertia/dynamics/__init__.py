"""Equations of motion with inertial muscles, and what controls the muscles."""

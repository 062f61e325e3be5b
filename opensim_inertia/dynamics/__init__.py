"""Equations of motion with inertial muscles, and control of muscles."""

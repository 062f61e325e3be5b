"""Equations of motion of a model with inertial muscles: right-hand side, projections and their derivatives."""

"""Lengths of smooth paths that polynomials are fitted to: their derivatives against differences."""

import numpy as np
import pytest
from models.pendulums import Cylinder, build_pendulum

import opensim_inertia as oi
from opensim_inertia.analyses.length_polynomials.samples import SmoothLengths
from opensim_inertia.options import ModelOptions, Wrapping


def test_slopes_are_those_of_lengths():
    path = [("rod1", (0.06, -0.1, 0.0)), ("rod2", (0.06, -0.2, 0.0))]
    inertial = oi.InertialModel(*build_pendulum(path, cylinder=Cylinder(0.05), muscle=0.02), "uniform")
    poses = np.random.default_rng(6).uniform(-1.2, 1.2, (4, 2))
    options = ModelOptions(wrapping=Wrapping(warn_wraps=False))
    paths = SmoothLengths(inertial.model, inertial.coordinates, ["muscle"], options)
    _, slopes = paths.measure(poses, np.tile(np.eye(2), (4, 1, 1)), False)
    for k in range(2):
        step = 1e-6 * np.eye(2)[k]
        ahead, behind = paths.lengths(poses + step), paths.lengths(poses - step)
        assert slopes[:, :, k] == pytest.approx((ahead - behind) / 2e-6, abs=1e-8)

"""Jdot u of CustomJoints whose rotations share coordinates, against second derivatives of places along the motion."""

import numpy as np
import opensim as osim
import pytest
from oracles.custom_joints import RIGHT, SHARED, UNKNOWN, build_chain, spatial_transform
from oracles.finite_differences import derivative

import opensim_inertia as oi

BODIES = ("third", "ground", "first", "second", "other")
STEP = 5e-4  # s, |u| about 1: the differences of the Jacobian leave 1e-10 of the bias by truncation, 1e-11 by rounding
BIAS = 1e-9  # Relative to the largest bias
WRONG = 1e-5  # The least that Simbody's bias misses, relative to the largest


class Chain:
    def __init__(self, model: osim.Model, bodies: tuple[str, ...] = BODIES) -> None:
        inertial = oi.InertialModel(model, {})
        self.model, self.state, self.coordinates = inertial.model, inertial.initial_state(), inertial.coordinates
        self.kinematics = inertial.kinematics.also(bodies)
        assert self.kinematics.bodies == bodies
        rng = np.random.default_rng(3)
        n = len(self.coordinates.names)
        self.q, self.u = rng.uniform(0.2, 0.8, n) * rng.choice([-1, 1], n), rng.normal(size=n)

    def at(self, t: float = 0.0) -> osim.State:
        self.coordinates.set_values(self.state, self.q + t * self.u)
        self.state.setU(osim.Vector.createFromMat(self.u))
        self.model.realizeVelocity(self.state)
        return self.state

    def exact(self) -> np.ndarray:
        bias: np.ndarray = derivative(lambda t: self.kinematics.jacobian(self.at(t)) @ self.u, STEP)
        return bias.reshape(-1, 6)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", SHARED)
def test_shared_coordinates(name: str, reverse: bool) -> None:
    chain = Chain(build_chain(SHARED[name], reverse))
    exact, read = chain.exact(), chain.kinematics.read(chain.at())
    size = np.abs(exact).max()
    assert chain.kinematics.knows_bias
    np.testing.assert_allclose(read.bias, exact, rtol=0, atol=BIAS * size)
    wrong = np.abs(read.simbody_bias - exact).max(axis=1)
    assert wrong[BODIES.index("second")] > WRONG * size and wrong[BODIES.index("third")] > WRONG * size
    np.testing.assert_array_equal(read.bias[1:3], read.simbody_bias[1:3])  # ground and "first" are inboard
    np.testing.assert_array_equal(read.bias[-1], read.simbody_bias[-1])


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", RIGHT)
def test_simbody_is_right(name: str, reverse: bool) -> None:
    chain = Chain(build_chain(RIGHT[name], reverse))
    exact, read = chain.exact(), chain.kinematics.read(chain.at())
    np.testing.assert_allclose(read.simbody_bias, exact, rtol=0, atol=BIAS * np.abs(exact).max())
    np.testing.assert_array_equal(read.bias, read.simbody_bias)


def test_two_joints_on_one_branch() -> None:
    """What is lacking adds up outwards: both knees of a chain of two."""
    model = build_chain(SHARED["all of one"])
    tail = osim.Body("tail", 1.0, osim.Vec3(0.0), osim.Inertia(0.1))
    model.addBody(tail)
    frame, zero, at = model.getBodySet().get("third"), osim.Vec3(0.0), osim.Vec3(0.1, 0.2, 0.0)
    transform = spatial_transform({i: (function, "z") for i, (function, _) in SHARED["last two of one"].items()})
    model.addJoint(osim.CustomJoint("shared_too", frame, at, zero, tail, zero, at, transform))
    model.finalizeConnections()
    chain = Chain(model, (*BODIES, "tail"))
    exact, read = chain.exact(), chain.kinematics.read(chain.at())
    assert chain.kinematics.knows_bias
    np.testing.assert_allclose(read.bias, exact, rtol=0, atol=BIAS * np.abs(exact).max())


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_defects_are_differenced(name: str) -> None:
    chain = Chain(build_chain(UNKNOWN[name]))
    exact, read = chain.exact(), chain.kinematics.read(chain.at())
    assert not chain.kinematics.knows_bias and not chain.kinematics.is_direct
    assert np.abs(read.simbody_bias - exact).max() > 0.1
    np.testing.assert_array_equal(read.bias, chain.kinematics.differenced_bias(chain.at()))
    np.testing.assert_allclose(read.bias, exact, rtol=0, atol=1e-8 * np.abs(exact).max())

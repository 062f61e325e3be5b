"""State → arrays, against OpenSim's frames and differences; and where Simbody's own bias is not to be trusted."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.finite_differences import derivative
from oracles.real_models import MODELS
from oracles.two_links import BENT, two_links

import opensim_inertia as oi
from opensim_inertia.errors import ModelError

ROTATION = 1e-14  # Rotations by way of quaternions: rounding
JACOBIAN = 1e-9  # Per unit of speed: fourth-order differences of positions with steps of 1e-3
BIAS = 1e-6  # m/s^2 or rad/s^2, |u| about 1: differences of the system Jacobian
EXACT = 1e-9  # Relative to the largest bias: fourth-order differences of the system Jacobian with steps of 1 ms
SIMBODYS_ERROR = 1e-3  # Measured on Rajagopal2016's knees


class Live:
    """A real model at a random pose that lies within its ranges."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        inertial = oi.InertialModel(path, {})
        self.model, self.state, self.coordinates = inertial.model, inertial.initial_state(), inertial.coordinates
        self.kinematics = inertial.kinematics.also(["ground", *(b.getName() for b in self.model.getBodySet())])
        self.bodies = self.kinematics.bodies
        rng = np.random.default_rng(seed)
        low, high = np.clip(self.coordinates.ranges.T, -1.2, 1.2)
        self.q, self.u = low + (high - low) * rng.uniform(0.25, 0.75, low.size), rng.normal(size=low.size)

    def at(self, q: np.ndarray, u: np.ndarray | None = None) -> osim.State:
        self.state.setQ(osim.Vector.createFromMat(q))
        self.state.setU(osim.Vector.createFromMat(np.zeros(q.size) if u is None else u))
        self.model.realizeVelocity(self.state)
        return self.state

    def frame(self, name: str) -> osim.PhysicalFrame:
        return self.model.getGround() if name == "ground" else self.model.getBodySet().get(name)

    def twist(self, t: float) -> np.ndarray:
        """Of the bodies along the motion at constant speeds, after a time [s]."""
        return (self.kinematics.jacobian(self.at(self.q + t * self.u, self.u)) @ self.u).reshape(-1, 6)


@pytest.fixture(params=MODELS)
def live(request: pytest.FixtureRequest, opensim_models: Path) -> Live:
    return Live(opensim_models / MODELS[request.param])


def test_transforms_are_opensims(live: Live) -> None:
    read = live.kinematics.read(live.at(live.q, live.u))
    np.testing.assert_array_equal(read.q, live.q)
    np.testing.assert_array_equal(read.u, live.u)
    turned = 0.0
    for b, name in enumerate(live.bodies):
        transform = live.frame(name).getTransformInGround(live.state)
        exact = np.array([[transform.R().get(i, j) for j in range(3)] for i in range(3)])
        np.testing.assert_allclose(read.rotation[b], exact, rtol=0, atol=ROTATION)
        np.testing.assert_array_equal(read.position[b], transform.p().to_numpy())
        turned = max(turned, np.abs(exact - np.eye(3)).max())
    assert turned > 0.1


def test_jacobian_is_the_derivative_of_transforms(live: Live) -> None:
    read = live.kinematics.read(live.at(live.q, live.u))
    n = len(live.coordinates.names)
    jacobian = read.jacobian.reshape(len(live.bodies), 6, n)
    np.testing.assert_array_equal(jacobian[live.bodies.index("ground")], 0.0)

    def transforms(t: float) -> np.ndarray:
        rotation, position = live.kinematics.transforms(live.at(live.q + t * live.u))
        return np.concatenate([rotation.reshape(-1, 9), position], axis=1)

    rate = derivative(transforms, 1e-3)
    spin = rate[:, :9].reshape(-1, 3, 3) @ np.swapaxes(read.rotation, 1, 2)
    omega = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=1)
    twist = jacobian @ live.u
    assert np.abs(twist).max() > 0.5
    np.testing.assert_allclose(twist[:, :3], omega, rtol=0, atol=JACOBIAN * 100)
    np.testing.assert_allclose(twist[:, 3:], rate[:, 9:], rtol=0, atol=JACOBIAN * 100)


def test_bias_is_the_derivative_of_the_jacobian(live: Live) -> None:
    read, exact = live.kinematics.read(live.at(live.q, live.u)), derivative(live.twist, 1e-4)
    assert np.abs(exact).max() > 0.05
    np.testing.assert_allclose(read.bias, exact, rtol=0, atol=BIAS * max(1.0, np.abs(exact).max()))


def test_simbodys_bias_is_corrected_where_it_is_wrong(live: Live, request: pytest.FixtureRequest) -> None:
    """Rotations of Rajagopal2016's knee share a coordinate; in the other models Simbody's own is used, as it is."""
    wrong = "rajagopal" in request.node.name
    assert live.kinematics.knows_bias and live.kinematics.is_direct
    state = live.at(live.q, live.u)
    read, differenced = live.kinematics.read(state), live.kinematics.differenced_bias(state)
    size = np.abs(differenced).max()
    difference = np.abs(read.simbody_bias - differenced).max()
    assert np.abs(read.bias - differenced).max() < BIAS * max(1.0, size)
    if wrong:
        assert difference > SIMBODYS_ERROR / 10
        above = [live.bodies.index(name) for name in ("pelvis", "femur_r")]
        np.testing.assert_array_equal(read.bias[above], read.simbody_bias[above])
    else:
        np.testing.assert_array_equal(read.bias, read.simbody_bias)


def test_rajagopals_bias_is_exact(opensim_models: Path) -> None:
    live = Live(opensim_models / MODELS["rajagopal2016"])
    read, exact = live.kinematics.read(live.at(live.q, live.u)), derivative(live.twist, 1e-3)
    np.testing.assert_allclose(read.bias, exact, rtol=0, atol=EXACT * np.abs(exact).max())


@pytest.mark.slow
@pytest.mark.parametrize("changed", [False, True])
def test_every_new_system_is_noticed(changed: bool) -> None:
    inertial = oi.InertialModel(two_links(BENT), {})
    model = inertial.model
    for _ in range(300):
        state = inertial.initial_state()
        model.realizeAcceleration(state)
        model.realizeReport(model.updWorkingState())
        inertial.evaluate(state)
        if changed:
            model.finalizeFromProperties()  # as addForce and the like do: the system goes first
            with pytest.raises(ModelError, match="call its initSystem"):
                inertial.evaluate(state)
        model.initSystem()
        with pytest.raises(ModelError, match="initialised again"):
            inertial.evaluate(state)

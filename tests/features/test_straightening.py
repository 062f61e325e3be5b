"""Wang et al. 2022, figure 6: two bones and a muscle straighten at 0.3 s, against Lagrange's equations by hand.

Two uniform rods of length L on pins; a muscle of uniform mass m, straight from the first pin to the point at distance r
along the second rod. With c = cos q2 the muscle's mass matrix is (m/3) [[L^2 + r^2 + 2 L r c, r^2 + L r c], [., r^2]],
and its centre is the middle between its ends.
"""

from types import ModuleType

import numpy as np
import pytest
from models.pendulums import build_pendulum
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import opensim_inertia as oi

EXAMPLE = "straightening"

Trajectory = oi.forward_simulation.Trajectory

GRAVITY = 9.80665  # m/s^2
SAME_MATRIX = 1e-12  # relative; the same closed form, by the kernel
SAME_MOTION = 1e-7  # rad; both integrated at 1e-10 per step, whose errors grow over some 25 steps (measured: 3e-10)
AT_ZERO = 0.02  # degrees; rounding length and angle to four digits moves the angles by 0.011
ON_TIME = 1e-4  # s (measured: 8e-6)
MISS = 5.0  # degrees: the lumped shoulder's least (measured: 5.9)

Array = NDArray[np.float64]


class TwoRods:
    """Lagrange's equations of two rods of masses ``rods`` [kg] and a muscle of ``muscle`` [kg], q1 and q2 from -y."""

    def __init__(self, length: float, insertion: float, rods: tuple[float, float], muscle: float) -> None:
        self.length, self.r, self.rods, self.m = length, insertion, rods, muscle

    def muscle_matrix(self, q2: float) -> Array:
        """dM (2, 2)."""
        L, r, c = self.length, self.r, np.cos(q2)
        return self.m / 3 * np.array([[L * L + r * r + 2 * L * r * c, r * r + L * r * c], [r * r + L * r * c, r * r]])

    def matrix(self, q2: float) -> Array:
        """M + dM (2, 2)."""
        L, (m1, m2), c = self.length, self.rods, np.cos(q2)
        own, turned = m2 * L * L / 3, m2 * L * L * c / 2
        first = m1 * L * L / 3 + m2 * L * L + own + 2 * turned
        return np.array([[first, own + turned], [own + turned, own]]) + self.muscle_matrix(q2)

    def matrix_rate(self, q2: float) -> Array:
        """d(M + dM)/dq2 (2, 2)."""
        L, s = self.length, np.sin(q2)
        return -s * (self.rods[1] * L * L / 2 + self.m * L * self.r / 3) * np.array([[2.0, 1.0], [1.0, 0.0]])

    def __call__(self, t: float, y: Array) -> Array:
        """dy/dt."""
        q, u = y[:2], y[2:]
        L, (m1, m2) = self.length, self.rods
        upper = (m1 * L / 2 + m2 * L + self.m * L / 2) * np.sin(q[0])
        lower = (m2 * L / 2 + self.m * self.r / 2) * np.sin(q[0] + q[1])
        rate = self.matrix_rate(q[1])
        force = -GRAVITY * np.array([upper + lower, lower]) - rate @ u * u[1]
        force[1] += 0.5 * u @ rate @ u
        return np.concatenate([u, np.linalg.solve(self.matrix(q[1]), force)])

    def motion(self, degrees: tuple[float, float], end: float):  # type: ignore[no-untyped-def]
        start = np.concatenate([np.radians(degrees), [0.0, 0.0]])
        return solve_ivp(self, (0.0, end), start, "DOP853", rtol=1e-11, atol=1e-13, dense_output=True)


@pytest.fixture(scope="module")
def with_muscle(scene: ModuleType) -> Trajectory:
    return scene.with_muscle(0.001)


def at(motion: Trajectory, time: float) -> Array:
    """Angles [deg] at a time that is among the motion's."""
    return np.degrees(motion.coordinates().to_numpy()[np.argmin(np.abs(motion.times - time))])


def crossings(motion: Trajectory) -> Array:
    """When each angle passes zero [s], between states 1 ms apart."""
    angles = motion.coordinates()
    return np.array([brentq(lambda t, a=a: np.interp(t, motion.times, a), 0.2, 0.399) for _, a in angles.items()])


def test_muscle_matrix_is_the_closed_form(scene: ModuleType) -> None:
    path = [("ground", (0.0, 0.0, 0.0)), ("rod2", (0.0, -scene.INSERTION, 0.0))]
    strain = oi.StrainModel("uniform", belly=(0.0, 1.0))
    inertial = oi.InertialModel(*build_pendulum(path, length=scene.LENGTH), strain)
    rods = TwoRods(scene.LENGTH, scene.INSERTION, (1.0, 1.0), scene.MASS)
    state, elbow = inertial.initial_state(), inertial.model.getCoordinateSet().get("elbow")
    for q2 in np.random.default_rng(0).uniform(-2.5, 2.5, 20):
        elbow.setValue(state, q2)
        expected = rods.muscle_matrix(q2)
        assert np.abs(inertial.evaluate(state).mass_matrix - expected).max() < SAME_MATRIX * expected.max()


def test_motion_is_lagranges(scene: ModuleType, with_muscle: Trajectory) -> None:
    rods = TwoRods(scene.LENGTH, scene.INSERTION, (scene.MASS, scene.MASS), scene.MASS)
    expected = rods.motion(scene.START, scene.TIME).sol(with_muscle.times)[:2].T
    assert np.abs(with_muscle.coordinates().to_numpy() - expected).max() < SAME_MOTION


def test_both_angles_reach_zero_at_300_ms(scene: ModuleType, with_muscle: Trajectory) -> None:
    assert np.abs(at(with_muscle, 0.3)).max() < AT_ZERO
    assert np.abs(crossings(with_muscle) - 0.3).max() < ON_TIME


@pytest.mark.parametrize(("rods", "angles"), [((1.5, 1.5), (8.21, -32.15)), ((2.0, 1.0), (5.90, -31.96))])
def test_lumped_mass_misses(scene: ModuleType, rods: tuple[float, float], angles: tuple[float, float]) -> None:
    """Half to each bone, and all to the first: neither angle is near zero; the motion is Lagrange's all the same."""
    assert rods in scene.LUMPED.values()
    motion = scene.without_muscle(rods, 0.001)
    expected = TwoRods(scene.LENGTH, 0.0, rods, 0.0).motion(scene.START, scene.TIME).sol(motion.times)[:2].T
    assert np.abs(motion.coordinates().to_numpy() - expected).max() < SAME_MOTION
    assert np.abs(at(motion, 0.3)).min() > MISS
    assert at(motion, 0.3) == pytest.approx(angles, abs=0.01)
    assert (crossings(motion) > 0.315).all()  # 15 to 30 ms late

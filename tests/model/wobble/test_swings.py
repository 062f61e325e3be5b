"""Mass that swings: against Lagrange's equations by SymPy, the axioms of mechanics, and closed forms."""

from functools import cache

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles import swinging_pendulum as pendulum
from oracles.finite_differences import Array, christoffel_bias, gradient
from oracles.limbs import limbs
from oracles.limbs import masses as limb_masses
from oracles.live_states import state_at
from oracles.swinging import extended, rates
from scipy.integrate import solve_ivp

import opensim_inertia as oi
from opensim_inertia.errors import OptionError, UnknownNameError
from opensim_inertia.model.swings import SwingingMuscles, Swings, swings_of
from opensim_inertia.options import StrainModel, Wobble, WobblingMass

SAME = 1e-12  # Relative: the same equations, written by SymPy and summed by Gauss points; measured 1e-14
CHRISTOFFEL = 1e-9  # Relative: fourth-order stencils with steps of 1e-3; measured 2e-11
CONSERVED = 1e-11  # Relative: momentum of a free model over 20 ms, integrated to 1e-13

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@cache
def swinging_pendulum(stiffness: float, damping: float = 0.0) -> tuple[oi.InertialModel, SwingingMuscles]:
    table = pd.DataFrame({"muscle": ["mus"], "mass": [pendulum.MUSCLE], "segment": ["rod2"]})
    inertial = oi.InertialModel(pendulum.model(), table, strain=StrainModel("uniform", belly=(0.0, 1.0)))
    modal = pendulum.MUSCLE / 2
    frequency = float(np.sqrt(stiffness / modal) / (2 * np.pi))
    (swings,) = swings_of(inertial, Wobble(frequency=frequency, damping=damping))
    assert isinstance(swings, SwingingMuscles)
    return inertial, swings


def as_ours(swings: SwingingMuscles, y: Array) -> Array:
    """The oracle's q1, q2, d and their rates as q, z, u and rates of z."""
    chord = np.subtract(pendulum.SECOND, (pendulum.FIRST[0] + pendulum.LENGTH, pendulum.FIRST[1]))[::-1]
    sideways = np.array([-chord[1], chord[0], 0.0]) / np.linalg.norm(chord)
    in_plane = swings.axes[0, :2] @ sideways  # one of the two is 1 or -1
    q, d, u, v = y[:2], y[2], y[3:5], y[5]
    return np.concatenate([q, d * in_plane, u, v * in_plane])


@pytest.mark.parametrize("stiffness", [800.0, 8e4])
def test_accelerations_of_a_double_pendulum(stiffness: float) -> None:
    inertial, swings = swinging_pendulum(stiffness)
    exact, _ = pendulum.equations(stiffness)
    rng = np.random.default_rng(1)
    for _ in range(3):
        y = rng.normal(size=6) * [1.0, 1.0, 0.02, 3.0, 3.0, 0.5]
        expected = as_ours(swings, exact(y))
        found = rates(inertial, [swings], as_ours(swings, y))
        np.testing.assert_allclose(found, expected, rtol=0, atol=SAME * np.abs(expected).max())


MASS_ON_SHANK = WobblingMass("shank", 0.6, (0.02, -0.12, 0.01), 4000.0, 0.0)


def soft_limbs(
    base: str, gravity: float = 9.81, strain: str = "aponeurosis"
) -> tuple[oi.InertialModel, tuple[Swings, ...]]:
    inertial = oi.InertialModel(limbs(base, gravity), limb_masses(), strain=strain)
    return inertial, swings_of(inertial, Wobble(frequency=12.0, damping=0.0, masses=(MASS_ON_SHANK,)))


@pytest.mark.parametrize("strain", slow_except({"aponeurosis"}, ["aponeurosis", "uniform"]))
def test_the_forces_are_those_of_the_kinetic_energy(strain: str) -> None:
    """Over (q, z) the quadratic forces are Christoffel's of the mass matrix, and the others the slope of energies."""
    inertial, groups = soft_limbs("fixed", strain=strain)
    count = sum(len(g.names) * g.coordinates for g in groups)
    rng = np.random.default_rng(3)
    x, v = rng.normal(size=(2, 3 + count))
    x, v = x * np.r_[[0.4] * 3, [0.03] * count], v * np.r_[[2.0] * 3, [0.6] * count]
    mass, force, energies = extended(inertial, groups, x[:3], x[3:], v[:3], v[3:])

    def at(place: Array) -> tuple[Array, Array, list[float]]:
        return extended(inertial, groups, place[:3], place[3:], np.zeros(3), np.zeros(count))

    bias = christoffel_bias(lambda place: at(place)[0], x, v)
    slope = gradient(lambda place: np.array(sum(at(place)[2][1:])), x)
    expected = bias - slope
    for part in (slice(0, 3), slice(3, None)):
        np.testing.assert_allclose(force[part], expected[part], rtol=0, atol=CHRISTOFFEL * np.abs(expected[part]).max())
    assert energies[0] == pytest.approx(0.5 * v @ mass @ v, rel=1e-12)


@pytest.mark.slow
def test_momentum_of_a_free_model() -> None:
    """Without gravity linear momentum, and angular momentum about the origin, stay."""
    inertial, groups = soft_limbs("custom", gravity=0.0)
    names = inertial.coordinate_names
    count = sum(len(g.names) * g.coordinates for g in groups)
    n = len(names)
    rng = np.random.default_rng(5)
    start = rng.normal(size=2 * (n + count)) * np.r_[[0.3] * n, [0.01] * count, [1.0] * n, [0.3] * count]

    def momentum(y: Array) -> Array:
        q, z, u, rate = np.split(y, np.cumsum([n, count, n]))
        state = state_at(inertial, q, u)
        inertial.model.realizeVelocity(state)
        mass, _, _ = extended(inertial, groups, q, z, u, rate)
        mass[:n, :n] += inertial.kinematics.mass_matrix(state)
        p = (mass @ np.concatenate([u, rate]))[:n]
        # rates of the coordinates at which the whole model moves as a rigid body along or about the axes of ground
        turns = np.zeros((6, n))
        trunk = inertial.model.getBodySet().get("trunk")
        J = osim.Matrix()
        inertial.model.getMatterSubsystem().calcSystemJacobian(state, J)
        rows = J.to_numpy()[6 * trunk.getMobilizedBodyIndex() :][:6, :6]
        place = trunk.getPositionInGround(state).to_numpy()
        for i, e in enumerate(np.eye(3)):
            turns[i, :6] = np.linalg.solve(rows, np.concatenate([np.zeros(3), e]))
            turns[3 + i, :6] = np.linalg.solve(rows, np.concatenate([e, np.cross(e, place)]))
        return turns @ p

    answer = solve_ivp(
        lambda _, y: rates(inertial, groups, y), (0, 0.02), start, method="DOP853", rtol=1e-13, atol=1e-14
    )
    before, after = momentum(start), momentum(answer.y[:, -1])
    assert np.abs(before).min() > 1e-3
    np.testing.assert_allclose(after, before, rtol=0, atol=CONSERVED * np.abs(before).max())


def test_a_belly_sags_by_its_weight() -> None:
    """At rest d is s g / k, across the chord, s being 2 m / pi of an even belly."""
    inertial, swings = swinging_pendulum(800.0)
    q = np.array([0.9, 0.4])
    still = [inertial.dynamics.read(state_at(inertial, q))], np.zeros((1, 2))
    pull = swings.coefficients(*still)[0, 0, -1] * pendulum.MUSCLE / 2 / 800.0
    zero = np.zeros((1, 1, 1))
    d = swings.answers(*still, np.r_[pull, 0.0, 0.0].reshape(1, 1, 1, 4), zero, zero).displacements[0, 0]
    ends = inertial.mass_points(state_at(inertial, q))["mus"].positions[[0, -1]]
    chord = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    weight = 2 * pendulum.MUSCLE / np.pi * np.array([0.0, -pendulum.GRAVITY, 0.0])
    np.testing.assert_allclose(d, (weight - chord * (chord @ weight)) / 800.0, rtol=0, atol=1e-12)


def test_the_mass_table_wins_over_the_options() -> None:
    """A tension F stiffens a belly as a string, ``f^2 = f0^2 + F / (8 B mu)``."""
    plain = pd.DataFrame({"muscle": ["mus"], "mass": [pendulum.MUSCLE], "segment": ["rod2"]})
    options = Wobble(frequency=11.0, damping=0.3)

    def swung(**columns: float) -> tuple[float, float, float]:
        """Frequency [Hz] without tension and at 60 N, and damping."""
        table = plain.assign(**{name: [value] for name, value in columns.items()})
        inertial = oi.InertialModel(pendulum.model(), table, strain=StrainModel("uniform", belly=(0.0, 1.0)))
        (swings,) = swings_of(inertial, options)
        return float(swings.values.frequency()[0]), float(swings.values.frequency(60.0)[0]), swings.values.damping[0]

    inertial, _ = swinging_pendulum(8e4)
    belly = float(inertial.path_lengths(inertial.reference_state())["belly"].iloc[0])
    tense = (7.0**2 + 60.0 / (8 * belly * pendulum.MUSCLE / 2)) ** 0.5
    assert swung()[::2] == pytest.approx((11.0, 0.3))
    assert swung(**{"wobble damping": 0.0})[::2] == pytest.approx((11.0, 0.0))
    assert swung(**{"wobble frequency [Hz]": 7.0}) == pytest.approx((7.0, tense, 0.3))


def test_what_cannot_swing_is_refused_by_name() -> None:
    inertial, _ = swinging_pendulum(800.0)
    for values in ({"frequency": 0.0}, {"frequency": -1.0}, {"damping": -0.1}, {"frequency_factor": (2, 1)}):
        with pytest.raises(OptionError, match="number"):
            Wobble(**values)
    with pytest.raises(OptionError, match="stiffness of the wobbling mass on 'rod1'"):
        WobblingMass("rod1", 0.1, (0, 0, 0), -5.0, 0.0)
    with pytest.raises(UnknownNameError, match="did you mean 'rod1'"):
        swings_of(inertial, Wobble(masses=(WobblingMass("rod_1", 0.1, (0, 0, 0), 5.0, 0.0),)))
    (heavy,) = swings_of(inertial, Wobble(bellies=False, masses=(WobblingMass("rod1", 2.0, (0, 0, 0), 5.0, 0.0),)))
    assert heavy.values.modal_mass == 2.0 > pendulum.ROD  # more than its segment has: nothing is taken from it
    points = oi.InertialModel(pendulum.model(), {"mus": 0.1}, distribution="points")
    with pytest.raises(OptionError, match="continuous"):
        swings_of(points, Wobble())

"""Frozen mass, which the kernel subtracts: against mass points that are fixed to bodies, and Lagrange's equations."""

import numpy as np
import pytest
from oracles import kernel_records
from oracles.finite_differences import Array
from oracles.kernel_records import Record
from oracles.kernel_scenes import (
    BODIES,
    GRAVITY,
    MAPS,
    MASS,
    SAME,
    SHAPES,
    SPEEDS,
    SURFACES,
    UNIFORM,
    Scene,
    every_kind,
    kernel_of,
    scene,
    wrapped,
)

from opensim_inertia import _kernel

DIFFERENCED = 1e-8  # Relative to the largest entry: differences of fourth order with steps of 1e-3, twice over
NUMBERS = 10


class FixedPoints:
    """Mass points fixed to a body: masses (n,) and stations (n, 3)."""

    def __init__(self, body: int, seed: int, mass: float = MASS) -> None:
        rng = np.random.default_rng(seed)
        self.body, self.stations = body, rng.uniform(-0.2, 0.2, (5, 3))
        self.masses = mass * rng.dirichlet(np.ones(5))

    @property
    def record(self) -> Record:
        return kernel_records.frozen(self.body, self.stations, self.masses)

    def motion(self, at: Scene) -> tuple[Array, Array, Array]:
        """Positions (n, 3), Jacobians (n, 3, nu) and Jdot u (n, 3), which is Simbody's."""
        _, u, R, p, J, _, bias = at.arrays
        r, rows = self.stations @ R[self.body].T, 6 * self.body
        angular, linear = J[rows : rows + 3], J[rows + 3 : rows + 6]
        jacobians = linear + np.cross(angular.T, r[:, None]).swapaxes(1, 2)
        (alpha, a), w = bias[self.body].reshape(2, 3), angular @ u
        return p[self.body] + r, jacobians, a + np.cross(alpha, r) + np.cross(w, np.cross(w, r))

    def forces(self, at: Scene, udot: Array, gravity: Array = GRAVITY) -> Array:
        """Generalized forces (nu,) that they need."""
        _, J, bias = self.motion(at)
        return np.einsum("k,kci,kc->i", self.masses, J, J @ udot + bias - gravity)


def muscles_of(at: Scene) -> list[tuple[Record, list[FixedPoints]]]:
    """Muscles with nothing frozen, and points by which they are then frozen; body 0 carries no path of the second."""
    return [
        (every_kind(at), [FixedPoints(1, 1), FixedPoints(3, 2), FixedPoints(1, 3)]),
        (wrapped(at, SURFACES["ellipsoid"], 0.03, UNIFORM, True), [FixedPoints(0, 4)]),
        (every_kind(at, MAPS["rigid tendon"], False), []),
    ]


def kernels(at: Scene) -> tuple[_kernel.Kernel, _kernel.Kernel, list[list[FixedPoints]]]:
    """A kernel that subtracts frozen mass, one that does not, and the frozen points of each muscle."""
    alone, points = zip(*muscles_of(at), strict=True)
    subtracting = [{**m, "frozen": [p.record for p in each]} for m, each in zip(alone, points, strict=True)]
    return kernel_of(*subtracting), kernel_of(*alone), list(points)


def close(value: Array, expected: Array, scale: Array, tolerance: float = SAME) -> None:
    np.testing.assert_allclose(value, expected, rtol=0, atol=tolerance * np.abs(scale).max())


@pytest.mark.parametrize("seed", range(3))
def test_forces_are_less_by_those_of_fixed_points(seed: int) -> None:
    """Of every muscle, of all, and with other maps; states are made up, in which Simbody's bias is its own."""
    at, other = scene(seed), scene(seed + 10)
    kernel, alone, points = kernels(at)
    states, udot = [at.state, other.state], np.stack([at.udot, other.udot])
    each = np.array([[sum((p.forces(s, s.udot) for p in of), np.zeros(SPEEDS)) for of in points] for s in (at, other)])
    sliding, which = alone.inverse_each(states, udot)[0], [1, 2, 0]
    close(kernel.inverse_each(states, udot)[0], sliding - each, sliding)
    close(kernel.inverse(states, udot)[0], (sliding - each).sum(axis=1), sliding)
    close(kernel.inverse(states, udot, which[:2])[0], (sliding - each)[:, which[:2]].sum(axis=1), sliding)
    close(kernel.inverse_each(states, udot, which)[0], (sliding - each)[:, which], sliding)

    given = [p.record for of in (points[1], points[2], points[0]) for p in of]
    bodies, numbers = [r["body"] for r in given], np.stack([r["numbers"] for r in given])
    frozen = [0, 2, 2, 2], bodies, np.stack([numbers, -2.0 * numbers])
    sets = [[kernel_records.material(*numbers) for numbers in MAPS.values()][:3]] * 2
    nothing = [], [], np.zeros((2, 0, NUMBERS))
    of_maps = [kernel.inverse_of_maps(states, udot, which, sets, x)[0] for x in (frozen, nothing)]
    close(of_maps[0], of_maps[1] - np.stack([each[:, which], -2.0 * each[:, which]]), of_maps[1])

    by_map = [0, 2, 2, 2], bodies, np.stack([numbers, -2.0 * numbers, 0.5 * numbers])
    slopes = [kernel.inverse_by_map(at.state, at.udot, x, which) for x in (by_map, ([], [], np.zeros((3, 0, NUMBERS))))]
    close(slopes[0], slopes[1] - each[0, which, None] * np.array([1.0, -2.0, 0.5])[:, None], slopes[1])


@pytest.mark.parametrize("seed", range(3))
def test_terms_and_parts_are_less_by_those_of_fixed_points(seed: int) -> None:
    at = scene(seed)
    kernel, alone, points = kernels(at)
    mass, bias, gravity, kinetic, potential = np.zeros((SPEEDS, SPEEDS)), *np.zeros((2, SPEEDS)), 0.0, 0.0
    for p in (p for of in points for p in of):
        x, J, a = p.motion(at)
        mass += np.einsum("k,kci,kcj->ij", p.masses, J, J)
        bias -= np.einsum("k,kci,kc->i", p.masses, J, a)
        gravity += np.einsum("k,kci,c->i", p.masses, J, GRAVITY)
        kinetic += 0.5 * p.masses @ ((J @ at.arrays[1]) ** 2).sum(axis=1)
        potential -= p.masses @ x @ GRAVITY
    ours, muscles = kernel.evaluate(at.state), alone.evaluate(at.state)
    close(ours.mass_matrix, muscles.mass_matrix - mass, muscles.mass_matrix)
    close(ours.bias, muscles.bias - bias, muscles.bias)
    close(ours.gravity, muscles.gravity - gravity, muscles.gravity)
    assert ours.kinetic == pytest.approx(muscles.kinetic - kinetic, abs=SAME * muscles.kinetic)
    assert ours.potential == pytest.approx(muscles.potential - potential, abs=SAME * abs(muscles.potential))
    whole = kernel.evaluate(at.state, subtract_frozen=False)
    for name in ("mass_matrix", "bias", "gravity", "kinetic", "potential"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(muscles, name))

    each, parts, _ = kernel.inverse_parts([at.state], at.udot[None], [0.1, 0.2, 0.3])
    of_lengths = alone.inverse_parts([at.state], at.udot[None], [0.1, 0.2, 0.3])[1][0, :2]
    close(each[0], at.inverse_each(kernel, range(3)), each)
    assert np.abs(parts).max(axis=2).min() > 1e-3
    close(parts[0], np.stack([*of_lengths, -ours.bias, -ours.gravity]), parts)

    carriers = kernel.inverse_on_carriers([at.state], at.udot[None], None)[0][0]
    tau = at.arrays[4].T @ carriers[: 6 * BODIES] + carriers[6 * BODIES :]
    close(tau, at.inverse(kernel, range(3)), tau)
    given_mass = np.eye(SPEEDS)
    M, force, _ = kernel.equations(at.state, given_mass, at.udot)
    close(M, given_mass + ours.mass_matrix, M)
    close(force, at.udot + ours.bias + ours.gravity, force)


@pytest.mark.parametrize("seed", range(3))
def test_derivatives_are_those_of_the_difference(seed: int) -> None:
    """Every array of a state changes on its own, and all of them together."""
    at, rng = scene(seed), np.random.default_rng(seed)
    kernel, alone, _ = kernels(at)
    directions = tuple(rng.standard_normal((7, *shape)) for shape in SHAPES)
    for i, array in enumerate(directions):
        array[[j for j in range(6) if j != i]] = 0.0
    for which in ([0, 1, 2], [1]):
        ours, exact = at.along(kernel, directions, which), at.differences(kernel, directions, which)
        close(ours, exact, exact, DIFFERENCED)
        by_fixed_points = np.abs(ours - at.along(alone, directions, which)).max(axis=1) > 1e-3
        assert by_fixed_points.tolist() == [False, True, True, True, False, True, True]  # not by q, nor by Jdot u

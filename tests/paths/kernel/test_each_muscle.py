"""Muscles one by one: the kernel's inverse dynamics and rigid mass of each, and how they depend on its material map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from oracles.finite_differences import Array, derivative
from oracles.kernel_scenes import (
    EXACT,
    MAPS,
    MASS,
    MATERIAL,
    SAME,
    SPEEDS,
    STEP,
    SURFACES,
    UNIFORM,
    Scene,
    every_kind,
    kernel_of,
    scene,
    wrapped,
)

from opensim_inertia import _kernel

MIDPOINTS = 2e-7
"""kg m^2, kg m or kg: 400 by 400 points that stand for a belly of 0.3 kg, in a path with corners; measured 4e-8."""

MUSCLES = [
    (UNIFORM, True),
    ((0.95, 0.09, 0.4, 0.0, 0.0), False),
    ((0.95, 0.09, 0.3, 0.0, 0.0, 0.4), True),
    ((0.2, 0.0, 0.1, 0.0, 0.0, 0.6), False),
]
"""Maps, and whether the mass is continuous; a fifth muscle's fibres are on the way to being held, a sixth wraps."""
CONSTANTS = ("proximal", "phi", "aponeurosis")


def rebuilt(at: Scene, phi: float = 0.0, proximal: float = 0.0, aponeurosis: float = 0.0) -> _kernel.Kernel:
    """Six muscles, their maps' numbers changed by so much."""

    def changed(a: float, b: float, c: float, shortest: float, width: float, e: float = 0.0) -> tuple[float, ...]:
        return a + phi, b, c + proximal, shortest, width, e + aponeurosis

    length = kernel_of(every_kind(at)).lengths(at.state)[0, 0]
    held = ((0.95, 0.95 * length - 0.04, 0.4, 0.04, 0.01, 0.3), True)
    muscles = [every_kind(at, changed(*numbers), spread) for numbers, spread in [*MUSCLES, held]]
    over = wrapped(at, SURFACES["cylinder"], 0.03, changed(0.6, 0.0, 0.3, 0.0, 0.0, 0.4), True)
    return kernel_of(*muscles, over)


def test_each_muscle_on_its_own() -> None:
    at = scene()
    kernel = rebuilt(at)
    by_muscle = at.inverse_each(kernel, [3, 0, 2, 1, 5, 4])
    assert by_muscle.shape == (6, SPEEDS)
    np.testing.assert_allclose(by_muscle[1], at.inverse(kernel, [0]), rtol=0, atol=SAME * np.abs(by_muscle[1]).max())
    whole = at.inverse(kernel, range(6))
    np.testing.assert_allclose(by_muscle.sum(axis=0), whole, rtol=0, atol=SAME * np.abs(by_muscle).max())


def test_each_muscle_at_several_states() -> None:
    """Stacked states do not know of each other."""
    scenes, which = [scene(seed) for seed in range(3)], [0, 2, 1]
    maps = [UNIFORM, *list(MAPS.values())[2:]]
    kernel = kernel_of(*(every_kind(scenes[0], numbers) for numbers in maps))
    tau, _ = kernel.inverse_each([s.state for s in scenes], np.stack([s.udot for s in scenes]), which)
    assert tau.shape == (3, 3, SPEEDS)
    for one, at in zip(tau, scenes, strict=True):
        np.testing.assert_allclose(one, at.inverse_each(kernel, which), rtol=0, atol=SAME * np.abs(one).max())


def test_each_muscle_with_other_maps() -> None:
    """Muscles whose paths are laid once are those of kernels that were made with the other maps, to the last bit."""
    scenes, which = [scene(seed) for seed in range(3)], [3, 5, 0, 4]
    states, udot = [at.state for at in scenes], np.stack([at.udot for at in scenes])
    length = kernel_of(every_kind(scenes[0])).lengths(scenes[0].state)[0, 0]
    held = (0.95, 0.95 * length - 0.04, 0.4, 0.04, 0.01, 0.3)
    every = [*(numbers for numbers, _ in MUSCLES), held, (0.6, 0.0, 0.3, 0.0, 0.0, 0.4)]
    changes = [{}, {"proximal": 0.11, "aponeurosis": -0.05}, {"proximal": -0.03, "phi": -0.1}]
    sets = [
        [
            {
                "phi": numbers[0] + change.get("phi", 0.0),
                "slack": numbers[1],
                "proximal": numbers[2] + change.get("proximal", 0.0),
                "shortest": numbers[3],
                "hold_width": numbers[4],
                "aponeurosis": (numbers[5] if len(numbers) > 5 else 0.0) + change.get("aponeurosis", 0.0),
            }
            for numbers in (every[i] for i in which)
        ]
        for change in changes
    ]
    kernel = rebuilt(scenes[0])
    no_frozen_mass = [], [], np.zeros((3, 0, 10))
    tau, _ = kernel.inverse_of_maps(states, udot, which, sets, no_frozen_mass)
    masses, _ = kernel.pseudo_inertia_of_maps(states[0], which, sets)
    assert tau.shape == (3, 3, 4, SPEEDS) and masses.shape == (3, 4, 4, 4)
    for k, change in enumerate(changes):
        other = rebuilt(scenes[0], **change)
        np.testing.assert_array_equal(tau[k], other.inverse_each(states, udot, which)[0])
        np.testing.assert_array_equal(masses[k], other.pseudo_inertia(states[0], which)[0])
    assert np.abs(tau[1] - tau[0]).max() > 1e-3
    with pytest.raises(ValueError, match="a set has 3 maps, expected 4"):
        kernel.inverse_of_maps(states, udot, which, [sets[0][:3]], no_frozen_mass)


def test_each_muscle_by_its_map() -> None:
    """Two of the maps have no aponeurosis: what one that begins would change is there too."""
    at, which = scene(), [2, 0, 3, 1, 5, 4]
    ours = rebuilt(at).inverse_by_map(at.state, at.udot, ([], [], np.zeros((3, 0, 10))), which)
    assert ours.shape == (6, 3, SPEEDS)
    for k, name in enumerate(CONSTANTS):
        exact = by_constant(lambda kernel: at.inverse_each(kernel, which), name, at)
        for one, other in zip(ours[:, k], exact, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=EXACT * np.abs(other).max())


def by_constant(of: Callable[[_kernel.Kernel], Array], name: str, at: Scene) -> Array:
    """Derivative over one constant of all maps; forwards where an aponeurosis begins, which cannot be negative."""
    both = derivative(lambda t: of(rebuilt(at, **{name: abs(t) if name == "aponeurosis" else t})), STEP)
    if name != "aponeurosis":
        return both
    h = 10 * STEP
    values = [of(rebuilt(at, aponeurosis=k * h)) for k in range(5)]
    return sum(c * v for c, v in zip((-25 / 12, 4, -3, 4 / 3, -1 / 4), values, strict=True)) / h


@pytest.mark.parametrize("seed", range(3))
def test_mass_as_a_rigid_body(seed: int) -> None:
    """Pseudo-inertias are sums over the mass points, exactly those of point masses; and many stand for a belly."""
    at = scene(seed)
    kernel, n = rebuilt(at), 400
    ours = kernel.pseudo_inertia(at.state)[0]
    middles = (np.arange(n) + 0.5) / n
    square = [(float(chi), float(xi)) for chi in middles for xi in middles]
    for i, (_, spread) in enumerate([*MUSCLES, (None, True), (None, True)]):
        x = kernel.mass_points(at.state, i, square if spread else MATERIAL, False)[0]
        place = np.column_stack([x, np.ones(len(x))])
        exact = MASS / len(x) * place.T @ place
        np.testing.assert_allclose(ours[i], exact, rtol=0, atol=SAME if not spread else MIDPOINTS)
        np.testing.assert_allclose(ours[i], ours[i].T, rtol=0, atol=SAME)
        assert ours[i, 3, 3] == pytest.approx(MASS, rel=SAME)


def test_mass_as_a_rigid_body_by_its_map() -> None:
    at, which = scene(), [2, 0, 3, 1, 5, 4]
    ours = rebuilt(at).pseudo_inertia_by_map(at.state, which)
    assert ours.shape == (6, 3, 4, 4)
    for k, name in enumerate(CONSTANTS):
        exact = by_constant(lambda kernel: kernel.pseudo_inertia(at.state, which)[0], name, at)
        assert (np.abs(exact).max(axis=(1, 2)) > 1e-4).all()
        np.testing.assert_allclose(ours[:, k], exact, rtol=0, atol=EXACT * np.abs(exact).max())
        np.testing.assert_allclose(ours[:, k, 3, 3], 0, atol=SAME)  # no mass is made

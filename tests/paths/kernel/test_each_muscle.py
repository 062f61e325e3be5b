"""Muscles one by one: the kernel's inverse dynamics and rigid mass of each, and how they depend on its material map."""

from collections.abc import Callable

import numpy as np
import pytest
from oracles.finite_differences import Array, derivative
from oracles.kernel_records import Record, fixed
from oracles.kernel_scenes import (
    EXACT,
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
    muscle,
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


def over_two(at: Scene, kind: str, shift: float) -> Record:
    """A muscle over two surfaces side by side, which a bridge joins."""
    passing = SURFACES[kind]
    ends = [
        fixed(body, at.station(body, np.add(x, [0, -shift, 0]))) for body, x in zip((1, 2), passing.ends, strict=True)
    ]
    sites = [at.surface(body, kind, passing.size, [x, 0, 0], -1.0, 0.002) for body, x in ((3, -0.03), (0, 0.05))]
    return muscle("over two", ends, UNIFORM, True, sites)


@pytest.mark.parametrize("shift", [0.027, 0.035, 0.051])
@pytest.mark.parametrize("kind", ["cylinder", "sphere", "ellipsoid", "torus"])
def test_parts_of_bent_muscles_are_those_of_their_terms(kind: str, shift: float) -> None:
    """In touch, firm, and near the middle, where mass over the sphere is divided; over two surfaces, too."""
    at, weight = scene(1), 0.2
    muscles = [wrapped(at, SURFACES[kind], shift, numbers, spread) for numbers, spread in MUSCLES]
    if kind != "torus":
        muscles.append(over_two(at, kind, shift))
    kernel = kernel_of(*muscles)
    each, parts, _ = kernel.inverse_parts([at.state], at.udot[None], [weight] * len(muscles))
    terms = kernel.evaluate(at.state)
    gradients = kernel.length_gradients(at.state) @ np.vstack([at.arrays[4], np.eye(SPEEDS)])
    for part, expected in (
        (each[0].sum(axis=0), terms.mass_matrix @ at.udot - terms.bias - terms.gravity),
        (parts[0, 0] - parts[0, 1], weight * gradients.T @ gradients @ at.udot),
        (parts[0, 2], -terms.bias),
        (parts[0, 3], -terms.gravity),
    ):
        np.testing.assert_allclose(part, expected, rtol=0, atol=SAME * max(np.abs(part).max(), np.abs(each).max()))


def test_each_muscle_on_its_own() -> None:
    at = scene()
    kernel = rebuilt(at)
    by_muscle = at.inverse_each(kernel, [3, 0, 2, 1, 5, 4])
    assert by_muscle.shape == (6, SPEEDS)
    np.testing.assert_allclose(by_muscle[1], at.inverse(kernel, [0]), rtol=0, atol=SAME * np.abs(by_muscle[1]).max())
    whole = at.inverse(kernel, range(6))
    np.testing.assert_allclose(by_muscle.sum(axis=0), whole, rtol=0, atol=SAME * np.abs(by_muscle).max())


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

"""The kernel's states: what they keep, what they refuse, and that a kernel remembers none of them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from oracles.finite_differences import Array
from oracles.kernel_records import frozen, muscle
from oracles.kernel_scenes import (
    BODIES,
    MASS,
    SPEEDS,
    SURFACES,
    UNIFORM,
    Scene,
    every_kind,
    kernel_of,
    path_of_every_kind,
    scene,
    wrapped,
)

from opensim_inertia import _kernel

CONTROLS = 9
VISIBLE = ("q", "u", "rotation", "position", "jacobian", "bias")
NO_FROZEN_MASS = [], [], np.zeros((3, 0, 10))


def given_path(seed: int) -> _kernel.GivenPath:
    """From the first path point over an arc on body 3 to the last."""
    rng = np.random.default_rng(seed)
    tau = (1 - np.cos(np.pi * np.arange(CONTROLS) / (CONTROLS - 1))) / 2
    x = 0.05 * np.stack([np.cos(2 * tau), np.sin(2 * tau), 0.3 * tau], axis=1)
    dx, ddx = 0.01 * rng.standard_normal((CONTROLS, 3, SPEEDS)), 0.01 * rng.standard_normal((CONTROLS, 3))
    return _kernel.GivenPath([0, -1, 4], [(3, x, dx, ddx)])


def with_given_path(seed: int = 0) -> tuple[Scene, _kernel.Kernel]:
    """A muscle with path points of every kind, one over an ellipsoid, and one whose path comes with the state."""
    at = replace(scene(seed), paths={2: given_path(seed)})
    soleus = muscle("soleus_r", path_of_every_kind(at), UNIFORM, MASS, path_is_given=True)
    return at, kernel_of(every_kind(at), wrapped(at, SURFACES["ellipsoid"], 0.03, UNIFORM, True), soleus)


def answers(kernel: _kernel.Kernel, at: Scene) -> list[Array]:
    terms = kernel.evaluate(at.state)
    rows = [terms.mass_matrix, terms.bias, terms.gravity, np.array([terms.kinetic, terms.potential])]
    rows += [at.inverse(kernel, [0, 1, 2]), at.inverse_each(kernel, [2, 0, 1]), kernel.lengths(at.state)]
    return rows + [kernel.pseudo_inertia(at.state)[0], kernel.inverse_by_map(at.state, at.udot, NO_FROZEN_MASS, [0, 1])]


def same(arrays: list[Array], others: list[Array]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(arrays, others, strict=True))


def test_a_path_that_is_given_belongs_to_its_state() -> None:
    """Two states of one kernel, asked in turns; the given path counts."""
    at, kernel = with_given_path()
    other = replace(at, paths={2: given_path(1)})
    first, second = answers(kernel, at), answers(kernel, other)
    assert not same(first, second)
    for one, expected in ((other, second), (at, first), (at, first), (other, second)):
        assert same(answers(kernel, one), expected)
    both, _ = kernel.inverse([at.state, other.state], np.stack([at.udot, other.udot]))
    assert np.array_equal(both, np.stack([one.inverse(kernel, [0, 1, 2]) for one in (at, other)]))


def test_a_state_of_a_system_is_picked_from_its_arrays() -> None:
    """Mobilized bodies 2, 1, 5, 3 of six; transforms as Simbody keeps them."""
    at, rng, mobods = scene(), np.random.default_rng(1), [2, 1, 5, 3]
    q, u, R, p, J, bias, simbody_bias = at.arrays
    jacobian, biases, simbody = rng.standard_normal((36, SPEEDS)), *rng.standard_normal((2, 36))
    transforms = np.concatenate([R.transpose(0, 2, 1).reshape(BODIES, 9), p], axis=1)
    for b, m in enumerate(mobods):
        rows = slice(6 * m, 6 * m + 6)
        jacobian[rows], biases[rows], simbody[rows] = J[6 * b : 6 * b + 6], bias[b], simbody_bias[b]
    places = [transforms[b].ctypes.data for b in range(BODIES)]
    picked = _kernel.State.of_system(q, u, places, mobods, jacobian, biases, simbody)
    for name, array in zip(VISIBLE, at.arrays[:-1], strict=True):
        np.testing.assert_array_equal(getattr(picked, name), array)
    fixed_points = frozen(3, rng.normal(size=(4, 3)), np.full(4, 0.1))
    kernel, M = kernel_of(every_kind(at, frozen=[fixed_points])), np.eye(SPEEDS) + 0.1
    mass, force, remarks = kernel.equations(picked, M, at.udot)
    terms = kernel.evaluate(at.state)
    np.testing.assert_array_equal(mass, terms.mass_matrix + M)
    np.testing.assert_allclose(force, M @ at.udot + terms.bias + terms.gravity, rtol=1e-14)
    assert remarks == ([], [])


def refused(error: type[Exception], match: str, call: Callable[[], object]) -> None:
    with pytest.raises(error, match=match):
        call()


def test_what_does_not_fit_is_named() -> None:
    at, kernel = with_given_path()
    arrays, state = at.arrays, at.state
    for i, name in enumerate(("u", "rotation", "position", "jacobian", "bias", "bias"), 1):
        short = [x[:-1] if j == i else x for j, x in enumerate(arrays)]
        refused(
            ValueError,
            "rotation|position|jacobian|bias" if name == "rotation" else name,
            lambda s=short: _kernel.State(*s),
        )
    refused(RuntimeError, "'soleus_r': OpenSim leads its path", lambda: kernel.evaluate(_kernel.State(*arrays)))
    kernel.evaluate(_kernel.State(*arrays), [0, 1])
    elsewhere = _kernel.State(*arrays, {2: _kernel.GivenPath([0, 7])})
    refused(RuntimeError, "'soleus_r'.*path point 7", lambda: kernel.evaluate(elsewhere))
    refused(IndexError, "arc 0", lambda: _kernel.GivenPath([0, -1, 4]))
    line = np.zeros((2, 3))
    refused(ValueError, "control points", lambda: _kernel.GivenPath([-1], [(0, line, np.zeros((2, 3, 6)), line)]))
    line = np.zeros((5, 3))
    for body, speeds, what in ((BODIES, SPEEDS, "body 4"), (0, SPEEDS + 1, "7 speeds")):
        path = _kernel.GivenPath([-1], [(body, line, np.zeros((5, 3, speeds)), line)])
        refused(ValueError, f"muscle 2.*{what}", lambda p=path: _kernel.State(*arrays, {2: p}))
    refused(IndexError, "no muscle 3", lambda: kernel.lengths(state, [3]))
    refused(ValueError, "bodies", lambda: _kernel.Kernel(3, SPEEDS, np.zeros(3), []).evaluate(state))
    refused(ValueError, "udot", lambda: kernel.inverse([state], at.udot[None, 1:]))


def test_muscles_that_cannot_be_are_named() -> None:
    at = scene()
    points, over = path_of_every_kind(at), at.surface(3, "sphere", (0.03,), [0, 0, 0], 1.0, 0.0)
    vas, rec = muscle("vas", points, UNIFORM, 1.0), muscle("rec", points[::4], UNIFORM, 1.0, sites=[over])
    gas = muscle("gas", points, UNIFORM, 1.0, frozen=[frozen(BODIES, np.zeros((1, 3)), np.ones(1))])
    for match, (bodies, speeds), record in (
        ("'vas'.*body 3", (2, SPEEDS), vas),
        ("'vas'.*coordinate 2", (BODIES, 2), vas),
        ("'rec'.*body 3", (3, SPEEDS), rec),
        ("'gas'.*frozen to body 4", (BODIES, SPEEDS), gas),
    ):
        refused(ValueError, match, lambda b=bodies, s=speeds, r=record: _kernel.Kernel(b, s, np.zeros(3), [r]))


#: What is changed in the record of a muscle over a sphere, by the places at which it stands, and how that is refused.
IMPOSSIBLE = [
    (["mass"], -1.0, "mass, a number of at least 0 is expected, not -1"),
    (["lumps"], {"chi": [0.0], "xi": [0.0], "masses": [1, 2]}, "lumps, 1 and 1 fractions do not go with 2 masses"),
    (["map", "phi"], None, "map, there is no 'phi'"),
    (["points"], [], "points, a path has at least two points"),
    (["points", 0, "kind"], "loose", r"points\[0\], kind, a point is fixed, .* not 'loose'"),
    (["points", 1, "functions", 0, "breaks"], [2.0, 1.0], r"functions\[0\], breaks, .* must increase"),
    (["points", 1, "rotation"], 2 * np.eye(3), r"points\[1\], rotation, a rotation matrix is expected"),
    (["path_is_given"], True, "sites, a path that is given cannot be led over surfaces"),
    (["frozen"], [{"body": 0, "numbers": [1.0]}], r"frozen\[0\], numbers, 10 numbers are expected, not 1"),
    (["sites", 0, "last"], 5, r"sites\[0\], last, a whole number from 0 to 4 is expected, not 5"),
    (["sites", 0, "surface", "kind"], "cone", "surface, kind, there is no surface 'cone'"),
    (["sites", 0, "surface", "size"], [0.0], "surface, size, a sphere has no such size"),
]


@pytest.mark.parametrize(("places", "value", "message"), IMPOSSIBLE)
def test_impossible_entries_are_named(places: list, value: object, message: str) -> None:
    at = scene()
    over = at.surface(3, "sphere", (0.03,), [0, 0, 0], 1.0, 0.0)
    record = muscle("vas", path_of_every_kind(at), UNIFORM, 1.0, sites=[over])
    _kernel.Kernel(BODIES, SPEEDS, np.zeros(3), [record])
    *way, last = places
    entry = record
    for place in way:
        entry = entry[place]
    if value is None:
        del entry[last]
    else:
        entry[last] = value
    if last == "lumps":
        del record["mass"]
    refused(ValueError, f"muscle 'vas'.*{message}", lambda: _kernel.Kernel(BODIES, SPEEDS, np.zeros(3), [record]))

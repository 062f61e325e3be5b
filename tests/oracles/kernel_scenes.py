"""Made-up states of the kernel, and muscles in them: it takes a state's arrays as they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from opensim_inertia import _kernel

from . import kernel_records, pendulum
from .finite_differences import Array, derivative
from .kernel_records import Record, conditional, fixed, function, moving, site, surface
from .wrap_model import KINDS

STEP, EXACT = 2e-6, 1e-8
"""Of differences of fourth order, and relative to the largest entry; truncation is (2e-6 / 2e-3)^4 times some thousands
in touches 2 mm wide, rounding 1e-16 / 2e-6 times what cancels in a sum. Measured 2e-9 at worst."""
SAME = 1e-12  # Relative: the same sum in another order

BODIES, SPEEDS, MASS = 4, 6, 0.3
GRAVITY = np.array([0.5, -9.80665, 0.3])


@dataclass(frozen=True)
class Scene:
    """One state's arrays in the kernel's order, and udot."""

    arrays: tuple[Array, ...]
    udot: Array
    paths: Mapping[int, _kernel.GivenPath] = field(default_factory=dict)

    @property
    def state(self) -> _kernel.State:
        return _kernel.State(*self.arrays, self.paths)

    def station(self, body: int, place: Sequence[float]) -> Array:
        """A place in ground, in the body's frame."""
        R, p = self.arrays[2:4]
        return np.ascontiguousarray(R[body].T @ (np.asarray(place, float) - p[body]))

    def surface(
        self, body: int, kind: str, size: Sequence[float], centre: Sequence[float], turn: float, smoothing: float,
        network: Record | None = None,
    ) -> Record:  # fmt: skip
        """A surface between the first two path points, whose axes are ground's."""
        rotation = np.ascontiguousarray(self.arrays[2][body].T)
        origin = self.station(body, centre)
        return site(surface(kind, size, smoothing, turn, network=network), body, rotation, origin)

    def inverse(self, kernel: _kernel.Kernel, which: Sequence[int]) -> Array:
        return kernel.inverse([self.state], self.udot[None], which)[0][0]

    def inverse_each(self, kernel: _kernel.Kernel, which: Sequence[int]) -> Array:
        return kernel.inverse_each([self.state], self.udot[None], which)[0][0]

    def along(self, kernel: _kernel.Kernel, directions: Directions, which: Sequence[int]) -> Array:
        return kernel.inverse_along(self.state, self.udot, _kernel.Directions(*directions), which)

    def nudged(self, direction: Sequence[Array], t: float) -> Scene:
        q, u, R, p, *rest = self.arrays
        dq, du, twist, *changes = direction
        turned = np.stack([turn(t * w) @ r for w, r in zip(twist[:, :3], R, strict=True)])
        moved = (x + t * dx for x, dx in zip(rest, changes, strict=True))
        return Scene((q + t * dq, u + t * du, turned, p + t * twist[:, 3:], *moved), self.udot)

    def differences(self, kernel: _kernel.Kernel, directions: Directions, which: Sequence[int]) -> Array:
        rows = zip(*directions, strict=True)
        return np.stack([derivative(lambda t, d=d: self.nudged(d, t).inverse(kernel, which), STEP) for d in rows])


#: Changes of q and u, twists, changes of the Jacobian, of Jdot u and of Simbody's Jdot u, (directions, ...).
Directions = tuple[Array, ...]
SHAPES = [(SPEEDS,), (SPEEDS,), (BODIES, 6), (6 * BODIES, SPEEDS), (BODIES, 6), (BODIES, 6)]


def turn(v: Array) -> Array:
    """Rotation by a vector, which is small."""
    w = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    angle = max(float(np.linalg.norm(v)), 1e-30)
    return np.eye(3) + np.sin(angle) / angle * w + 0.5 * (np.sin(angle / 2) / (angle / 2)) ** 2 * w @ w


def scene(seed: int = 0) -> Scene:
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.standard_normal((BODIES, 3, 3)))
    rotation = np.ascontiguousarray(q * np.sign(np.linalg.det(q))[:, None, None])
    arrays = (
        rng.uniform(-0.5, 0.5, SPEEDS),
        rng.standard_normal(SPEEDS),
        rotation,
        rng.uniform(-0.05, 0.05, (BODIES, 3)),
        rng.standard_normal((6 * BODIES, SPEEDS)) * 0.5,
        rng.standard_normal((BODIES, 6)),
    )
    udot = rng.standard_normal(SPEEDS)
    return Scene((*arrays, rng.standard_normal((BODIES, 6))), udot)


UNIFORM = (0.6, 0.0, 0.3, 0.0, 0.0)  # phi, slack, proximal, shortest, hold_width, aponeurosis
MAPS = {
    "uniform": UNIFORM,
    "rigid tendon": (1.0, 0.09, 0.4, 0.0, 0.0),
    "aponeurosis shorter than fibres": (1.0, 0.09, 0.2, 0.0, 0.0, 0.5),
    "aponeurosis longer than fibres": (0.2, 0.0, 0.1, 0.0, 0.0, 0.6),
}
#: Fractions of the aponeurosis and of the fibres.
MATERIAL = list(zip([0.4, 0.9, 0.0, 0.6, 0.1, 1.0, 0.3], np.linspace(0.03, 0.96, 7).tolist(), strict=True))


def muscle(
    name: str,
    points: Sequence[Record],
    numbers: Sequence[float],
    spread: bool,
    sites: Sequence[Record] = (),
    frozen: Sequence[Record] = (),
) -> Record:
    """One whose mass is continuous (``spread``) or in seven points."""
    lumps = None if spread else (MATERIAL, [MASS / 7] * 7)
    return kernel_records.muscle(name, points, numbers, MASS, lumps, sites, frozen=frozen)


def kernel_of(*muscles: Record) -> _kernel.Kernel:
    return _kernel.Kernel(BODIES, SPEEDS, GRAVITY, muscles)


def path_of_every_kind(at: Scene) -> list[Record]:
    """Fixed, moving with two coordinates, present by a condition, absent by another."""
    cubics = np.array([[0.0, 0.02, -0.03, 0.05], [0.01, 0.04, 0.02, -0.03]])
    functions = [
        function(1, [0.0], cubics, -2.0, 2.0),
        function(-1, [], np.array([[0.02, 0, 0, 0]]), -np.inf, np.inf),
        function(2, [-0.7], cubics[::-1].copy(), -2.0, 2.0),
    ]
    frame = np.ascontiguousarray(at.arrays[2][1])
    return [
        fixed(0, at.station(0, [0.1, 0.2, 0.0])),
        moving(1, frame, at.station(1, [0.15, 0.1, 0.03]), functions),
        conditional(1, at.station(1, [0.12, 0.05, 0.0]), 3, -1.0, 1.0),
        conditional(3, at.station(3, [0.5, 0.0, 0.0]), 3, 1.0, 2.0),
        fixed(2, at.station(2, [0.05, -0.1, 0.02])),
    ]


def every_kind(
    at: Scene, numbers: Sequence[float] = UNIFORM, spread: bool = True, frozen: Sequence[Record] = ()
) -> Record:
    return muscle("every kind", path_of_every_kind(at), numbers, spread, frozen=frozen)


H = 2e-3  # m


@dataclass(frozen=True)
class Passing:
    """A straight line beside a surface at the origin, and the way in which it comes nearer."""

    kind: str
    size: tuple[float, ...]
    ends: tuple[tuple[float, float, float], tuple[float, float, float]]
    way: tuple[float, float, float]
    turn: float = -1.0


SURFACES = {name: Passing(name, kind.size, kind.ends, kind.way) for name, kind in KINDS.items()}
SURFACES["cylinder's end"] = replace(SURFACES["cylinder"], size=(0.03, 0.012))


def over(
    at: Scene, passing: Passing, shift: float, numbers: Sequence[float], spread: bool,
    network: Record | None = None,
) -> _kernel.Kernel:  # fmt: skip
    return kernel_of(wrapped(at, passing, shift, numbers, spread, network))


def wrapped(
    at: Scene, passing: Passing, shift: float, numbers: Sequence[float], spread: bool,
    network: Record | None = None,
) -> Record:  # fmt: skip
    p, q = (np.add(end, shift * np.array(passing.way)) for end in passing.ends)
    ends = [fixed(body, at.station(body, x)) for body, x in ((1, p), (2, q))]
    return muscle(
        passing.kind, ends, numbers, spread,
        [at.surface(3, passing.kind, passing.size, [0, 0, 0], passing.turn, H, network)],
    )  # fmt: skip


def pendulum_terms(g: pendulum.Geometry, smoothing: float) -> Callable[..., pendulum.Terms]:
    """Terms of a double pendulum's muscle from the package's kernel."""
    return pendulum.kernel_terms(_kernel, g, smoothing)

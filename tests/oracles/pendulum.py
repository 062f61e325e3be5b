"""A double pendulum with a muscle over a cylinder: planar closed forms, the same as an OpenSim model, and refraction.

Rods hang from pins about z, along -y at q = 0; everything lies in one plane. Rods are closed forms in plain numbers, so
that long motions cost little. The muscle's terms come from outside, as a function; those of the package's kernel are
reached through ``kernel_terms``, which is given the kernel to ask.

Refraction is the exact string's motion as the limit of ever quicker smooth touches has it. Where a taut string touches
a surface, its mass changes its velocity at once, and with it the mass matrix jumps from M to M'. In the limit nothing
but the string's contact acts in that moment, along grad d, so momentum jumps only along it, and energy stays:

    M' u' = M u + lambda grad d,    u'.M' u' = u.M u,    ddot' of the sign of ddot.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, sin
from typing import Any

import numpy as np
import pandas as pd
from scipy.integrate import DOP853, solve_ivp

from opensim_inertia._core.opensim import osim

from .finite_differences import Array, gradient
from .kernel_records import fixed, muscle, site, surface

BODIES = ("ground", "rod1", "rod2")

Place = tuple[int, tuple[float, float, float]]  # Index of the body in ``BODIES``, and station [m]


@dataclass(frozen=True)
class Geometry:
    """A pendulum and its muscle; lengths [m], stations (x, y, z) in their bodies."""

    lengths: tuple[float, float] = (0.4, 0.4)
    masses: tuple[float, float] = (1.0, 1.0)
    centres: tuple[tuple[float, float], tuple[float, float]] = ((0.0, -0.2), (0.0, -0.2))
    inertias: tuple[float, float] = (0.0133, 0.0133)
    muscle: float = 0.8
    origin: Place = (0, (0.05, 0.06, 0.01))
    insertion: Place = (2, (0.03, -0.12, -0.02))
    cylinder: int = 1
    centre: tuple[float, float] = (0.0, -0.4)
    radius: float = 0.04
    turn: float = -1.0
    start: tuple[float, float, float, float] = (0.3, -0.6, 0.0, 0.0)
    ranges: tuple[tuple[float, float], tuple[float, float]] = ((-0.6, 0.6), (-1.2, 0.9))


def place(g: Geometry, q: Array, body: int, station: Sequence[float]) -> Array:
    """Place (..., 2) of a station in ground's plane at q (..., 2)."""
    x, y = station[:2]
    angle = (0 * q[..., 0], q[..., 0], q[..., 0] + q[..., 1])[body]
    position = np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=-1)
    if body == 2:
        position += g.lengths[0] * np.stack([np.sin(q[..., 0]), -np.cos(q[..., 0])], axis=-1)
    return position


def ends(g: Geometry, q: Array) -> tuple[Array, Array]:
    """Origin and insertion (..., 2) as seen from the cylinder's axis, in ground's plane."""
    q = np.asarray(q, float)
    centre = place(g, q, g.cylinder, g.centre)
    return place(g, q, *g.origin) - centre, place(g, q, *g.insertion) - centre


def chord_distance(g: Geometry, q: Array) -> Array:
    """Signed distance d (...,) of the chord from the cylinder's axis [m]: the string is straight where d > radius."""
    a, b = ends(g, q)
    chord = b - a
    return g.turn * (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]) / np.hypot(chord[..., 0], chord[..., 1])


def distance_gradient(g: Geometry, q: Array) -> Array:
    """grad d (2,) [m/rad]."""
    return gradient(lambda x: chord_distance(g, x), q)


def keeps_its_side(g: Geometry, q: Array, margin: float = 0.01) -> bool:
    """Whether both ends keep ``margin`` [m] off the surface along q (T, 2), and the string never meets its seam."""
    a, b = ends(g, q)
    off = min(np.hypot(*a.T).min(), np.hypot(*b.T).min()) - g.radius
    chord = b - a
    foot = -np.sum(a * chord, axis=1) / np.sum(chord * chord, axis=1)
    beside = (chord_distance(g, q) < g.radius + margin) & ((foot < 0.02) | (foot > 0.98))
    return bool(off > margin and not beside.any())


def random_geometry(rng: np.random.Generator) -> Geometry:
    """A pendulum whose muscle passes the elbow, from ground or from the first rod, or the shoulder; on either side."""
    lengths = rng.uniform(0.3, 0.5, 2)
    masses = rng.uniform(0.7, 1.5, 2)
    radius = rng.uniform(0.025, 0.05)
    kind = rng.integers(3)
    side = rng.choice([-1.0, 1.0])
    # ends beside the cylinder, so that the string touches near the straight pose
    front = side * radius * rng.uniform(0.7, 1.2, 2)
    depth = rng.uniform(-0.03, 0.03, 2)
    above, below = rng.uniform(0.08, 0.16), -rng.uniform(0.09, 0.16)
    body, pin = (0, 0.0) if kind == 2 else (1, -lengths[0])
    if kind == 1:
        origin = (1, (front[0], pin + above, depth[0]))
    else:
        origin = (0, (front[0], above, depth[0]))
    off = rng.uniform(-0.01, 0.01, 2)
    return Geometry(
        lengths=tuple(lengths),
        masses=tuple(masses),
        centres=tuple((rng.uniform(-0.02, 0.02), -x * rng.uniform(0.4, 0.6)) for x in lengths),
        inertias=tuple(masses * lengths**2 / 12 * rng.uniform(0.8, 1.2, 2)),
        muscle=rng.uniform(0.5, 1.0),
        origin=origin,
        insertion=(2, (front[1], below, depth[1])),
        cylinder=body,
        centre=(off[0], pin + off[1]),
        radius=radius,
        turn=-side,
        start=(*rng.uniform(-0.6, 0.6, 2), *rng.uniform(-1.0, 1.0, 2)),
    )


GRAVITY = 9.80665  # m/s^2

Terms = tuple[Array, Array, float, float]  # dM (2, 2), h + g_m (2,), kinetic and potential energy of the muscle at q, u


@dataclass
class Frames:
    """Arrays of one state as the kernel takes them; written in place."""

    q: Array = field(default_factory=lambda: np.zeros(2))
    u: Array = field(default_factory=lambda: np.zeros(2))
    rotation: Array = field(default_factory=lambda: np.stack([np.eye(3)] * 3))
    position: Array = field(default_factory=lambda: np.zeros((3, 3)))
    jacobian: Array = field(default_factory=lambda: np.zeros((18, 2)))
    bias: Array = field(default_factory=lambda: np.zeros((3, 6)))

    def put(self, length: float, q1: float, q2: float, u1: float, u2: float) -> tuple[Array, ...]:
        for b, angle in ((1, q1), (2, q1 + q2)):
            c, s = cos(angle), sin(angle)
            R = self.rotation[b]
            R[0, 0] = R[1, 1] = c
            R[0, 1], R[1, 0] = -s, s
        x, y = length * sin(q1), -length * cos(q1)  # the second pin
        J = self.jacobian
        J[8, 0] = J[14, 0] = J[14, 1] = 1.0
        J[15, 0], J[16, 0] = -y, x
        self.q[0], self.q[1], self.u[0], self.u[1] = q1, q2, u1, u2
        self.position[2, 0], self.position[2, 1] = x, y
        self.bias[2, 3], self.bias[2, 4] = -u1 * u1 * x, -u1 * u1 * y
        return self.q, self.u, self.rotation, self.position, self.jacobian, self.bias, self.bias


def rigid_terms(g: Geometry, q1: float, q2: float, u1: float, u2: float) -> tuple[float, ...]:
    """M11, M12, M22, all forces f1, f2 at udot = 0, kinetic and potential energy of the rods."""
    c1, s1, c2, s2 = cos(q1), sin(q1), cos(q1 + q2), sin(q1 + q2)
    (m1, m2), (i1, i2) = g.masses, g.inertias
    (ax, ay), (bx, by) = g.centres
    x1, y1 = c1 * ax - s1 * ay, s1 * ax + c1 * ay
    rx, ry = c2 * bx - s2 * by, s2 * bx + c2 * by  # from the second pin
    px, py = g.lengths[0] * s1, -g.lengths[0] * c1
    x2, y2 = px + rx, py + ry
    m11 = i1 + m1 * (x1 * x1 + y1 * y1) + i2 + m2 * (x2 * x2 + y2 * y2)
    m12 = i2 + m2 * (x2 * rx + y2 * ry)
    m22 = i2 + m2 * (rx * rx + ry * ry)
    # acceleration of the second centre at udot = 0; the first's is along its arm
    ax2, ay2 = -u1 * u1 * px - (u1 + u2) ** 2 * rx, -u1 * u1 * py - (u1 + u2) ** 2 * ry
    f1 = -m1 * GRAVITY * x1 - m2 * (GRAVITY * x2 + x2 * ay2 - y2 * ax2)
    f2 = -m2 * (GRAVITY * rx + rx * ay2 - ry * ax2)
    kinetic = 0.5 * (m11 * u1 * u1 + 2 * m12 * u1 * u2 + m22 * u2 * u2)
    return m11, m12, m22, f1, f2, kinetic, GRAVITY * (m1 * y1 + m2 * y2)


def kernel_terms(
    kernel: Any, g: Geometry, smoothing: float, wraps: bool = True, network: Any = None, rotation: Array | None = None
) -> Callable[..., Terms]:
    """The muscle's terms from the kernel module given: continuous mass, uniform strain over the whole path."""
    cylinder = surface("cylinder", (g.radius, 1.0), smoothing, g.turn, network=network)
    sites = [site(cylinder, g.cylinder, rotation, [*g.centre, 0.0])] if wraps else []
    points = [fixed(b, x) for b, x in (g.origin, g.insertion)]
    record = muscle("muscle", points, (1.0, 0.0, 0.0, 0.0, 0.0), g.muscle, sites=sites)
    muscle_kernel = kernel.Kernel(3, 2, np.array([0.0, -GRAVITY, 0.0]), [record])
    frames = Frames()

    def terms(q1: float, q2: float, u1: float, u2: float) -> Terms:
        evaluated = muscle_kernel.evaluate(kernel.State(*frames.put(g.lengths[0], q1, q2, u1, u2)))
        return evaluated.mass_matrix, evaluated.bias + evaluated.gravity, evaluated.kinetic, evaluated.potential

    return terms


@dataclass
class Machine:
    """Rods and muscle together; a state ``y`` is (q1, q2, u1, u2)."""

    geometry: Geometry
    muscle: Callable[..., Terms]

    def mass_matrix(self, q: Array) -> Array:
        """M + dM (2, 2)."""
        a, b, c = rigid_terms(self.geometry, *q, 0.0, 0.0)[:3]
        return np.array([[a, b], [b, c]]) + self.muscle(*q, 0.0, 0.0)[0]

    def __call__(self, t: float, y: Array) -> Array:
        """dy/dt: (M + dM) udot = f + h + g_m."""
        state = y.tolist()
        a, b, c, f1, f2, _, _ = rigid_terms(self.geometry, *state)
        dM, bias, _, _ = self.muscle(*state)
        (da, db), (_, dc) = dM.tolist()
        h1, h2 = bias.tolist()
        a, b, c, f1, f2 = a + da, b + db, c + dc, f1 + h1, f2 + h2
        det = a * c - b * b
        return np.array([state[2], state[3], (c * f1 - b * f2) / det, (a * f2 - b * f1) / det])

    def energies(self, states: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (T,) of states (T, 4)."""
        rods = np.array([rigid_terms(self.geometry, *y)[5:] for y in states.tolist()])
        muscle = np.array([self.muscle(*y)[2:] for y in states.tolist()])
        return tuple((rods + muscle).T)


def opensim_model(g: Geometry) -> osim.Model:
    """The pendulum as an OpenSim model, its muscle without force or mass; not initialised."""
    model = osim.Model()
    model.setName("touching_pendulum")
    model.setGravity(osim.Vec3(0.0, -GRAVITY, 0.0))
    parent, at = model.getGround(), osim.Vec3(0)
    for i, name in enumerate(("shoulder", "elbow")):
        inertia = g.inertias[i]
        inertias = osim.Inertia(inertia, 0.1 * inertia, inertia)
        body = osim.Body(BODIES[i + 1], g.masses[i], osim.Vec3(*g.centres[i], 0.0), inertias)
        model.addBody(body)
        pin = osim.PinJoint("pin_" + name, parent, at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0))
        pin.updCoordinate().setName(name)
        pin.updCoordinate().setRangeMin(g.ranges[i][0])
        pin.updCoordinate().setRangeMax(g.ranges[i][1])
        pin.updCoordinate().setDefaultValue(g.start[i])
        model.addJoint(pin)
        parent, at = body, osim.Vec3(0, -g.lengths[i], 0)
    frames = [model.getGround(), model.getBodySet().get("rod1"), model.getBodySet().get("rod2")]
    wrap = osim.WrapCylinder()
    wrap.setName("wrap")
    wrap.set_radius(g.radius)
    wrap.set_length(1.0)
    wrap.set_quadrant("+x" if g.turn < 0 else "-x")  # else OpenSim takes the short way round
    wrap.set_translation(osim.Vec3(*g.centre, 0.0))
    wrap.thisown = False  # the body takes it
    frames[g.cylinder].addWrapObject(wrap)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.3, 0.3, 0.0)
    muscle.set_appliesForce(False)
    for i, (body, station) in enumerate((g.origin, g.insertion)):
        muscle.addNewPathPoint(f"muscle-P{i + 1}", frames[body], osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    return model


def mass_table(g: Geometry) -> pd.DataFrame:
    return pd.DataFrame([("muscle", g.muscle, "", "given")], columns=["muscle", "mass", "segment", "source"])


class LiveMachine:
    """Forward dynamics of an inertial model, OpenSim's part asked live."""

    def __init__(self, geometry: Geometry, inertial: Any) -> None:
        assert inertial.coordinate_names == ("shoulder", "elbow")
        self.geometry, self.inertial = geometry, inertial
        self._state = inertial.initial_state()
        self._matter = inertial.model.getMatterSubsystem()
        self._matrix = osim.Matrix()

    def _put(self, y: Array) -> Any:
        self._state.setQ(osim.Vector.createFromMat(y[:2]))
        self._state.setU(osim.Vector.createFromMat(y[2:]))
        return self._state

    def __call__(self, t: float, y: Array) -> Array:
        """dy/dt from (M + dM) udot = M udot0 + h + g_m."""
        state = self._put(y)
        self.inertial.model.realizeAcceleration(state)
        self._matter.calcM(state, self._matrix)
        rigid = self._matrix.to_numpy()
        terms = self.inertial.evaluate(state)
        force = rigid @ state.getUDot().to_numpy() + terms.bias + terms.gravity
        return np.concatenate([y[2:], np.linalg.solve(rigid + terms.mass_matrix, force)])

    def energies(self, states: Array) -> tuple[Array, Array]:
        """Kinetic and potential energy (T,) of states (T, 4), OpenSim's and the muscle's."""
        kinetic, potential = np.empty((2, len(states)))
        model = self.inertial.model
        for i, y in enumerate(states):
            state = self._put(y)
            model.realizeDynamics(state)
            terms = self.inertial.evaluate(state)
            kinetic[i] = model.calcKineticEnergy(state) + terms.kinetic_energy
            potential[i] = model.calcPotentialEnergy(state) + terms.potential_energy
        return kinetic, potential


@dataclass(frozen=True)
class Motion:
    """A motion at the integrator's own steps."""

    times: Array
    states: Array
    kinetic: Array
    potential: Array
    touches: int

    @property
    def drift(self) -> float:
        """Largest change of the total energy, relative to the largest kinetic energy."""
        total = self.kinetic + self.potential
        return float(np.abs(total - total[0]).max() / self.kinetic.max())


def simulate(
    machine: Machine | LiveMachine,
    end: float,
    touches: int | None = None,
    rtol: float = 1e-10,
) -> Motion:
    """The motion from the start to ``end`` [s], or until a fifth of the radius after so many touches."""
    g = machine.geometry
    solver = DOP853(machine, 0.0, np.array(g.start), end, rtol=rtol, atol=1e-2 * rtol, max_step=0.01)
    times, states, count = [0.0], [solver.y.copy()], 0
    level = chord_distance(g, solver.y[:2]) / g.radius
    while solver.status == "running" and (touches is None or count < touches or abs(level - 1) < 0.2):
        message = solver.step()
        assert solver.status != "failed", message
        times.append(solver.t)
        states.append(solver.y.copy())
        before, level = level, chord_distance(g, solver.y[:2]) / g.radius
        count += bool(before > 1 >= level)
    return Motion(np.array(times), np.array(states), *machine.energies(np.array(states)), count)


def touching_motions(
    machine: Callable[[Geometry], Machine], count: int, touches: int = 10, end: float = 20.0
) -> Iterator[tuple[int, Motion, Geometry]]:
    """Motions of random geometries through so many touches, with the seed of each."""
    seed = 0
    while count > 0:
        g = random_geometry(np.random.default_rng(seed))
        motion = simulate(machine(g), end, touches)
        if motion.touches >= touches and keeps_its_side(g, motion.states[:, :2]):
            yield seed, motion, g
            count -= 1
        seed += 1


def refract(before: Array, after: Array, n: Array, u: Array) -> tuple[Array, bool]:
    """Speeds (2,) after the mass matrix jumps, momentum jumping along ``n`` = grad d only; False if thrown back."""
    p = before @ u
    inverse = np.linalg.inv(after)
    a, b, rate = n @ inverse @ n, n @ inverse @ p, n @ u
    square = b * b - a * (p @ inverse @ p - p @ u)  # of ddot afterwards
    if square < 0:
        back = np.linalg.inv(before) @ n
        return u - 2 * rate / (n @ back) * back, False
    return inverse @ (p + n * (np.copysign(np.sqrt(square), rate) - b) / a), True


@dataclass(frozen=True)
class Refracted:
    """The exact string's motion with refraction at every touch."""

    end: Array
    times: Array
    rates: Array
    jumps: Array
    drift: float


def refracted_motion(straight: Machine, wrapped: Machine, end: float, rtol: float = 1e-11) -> Refracted:
    """The motion as the limit of smooth touches has it: one side's machine between touches, refraction at them."""
    g = straight.geometry
    t, y = 0.0, np.array(g.start)
    clear = bool(chord_distance(g, y[:2]) > g.radius)
    times: list[float] = []
    rates: list[float] = []
    jumps: list[float] = []
    totals: list[float] = []
    kinetics: list[float] = []

    def note(machine: Machine, state: Array) -> None:
        kinetic, potential = machine.energies(state[None])
        kinetics.append(kinetic[0])
        totals.append(kinetic[0] + potential[0])

    note(straight if clear else wrapped, y)
    while True:
        machine = straight if clear else wrapped
        sign = 1.0 if clear else -1.0

        def leaves(_: float, y: Array, sign: float = sign) -> float:
            return sign * (float(chord_distance(g, y[:2])) - g.radius)

        leaves.terminal, leaves.direction = True, -1.0  # type: ignore[attr-defined]
        done = solve_ivp(machine, (t, end), y, "DOP853", rtol=rtol, atol=1e-2 * rtol, max_step=0.01, events=leaves)
        t, y = float(done.t[-1]), done.y[:, -1]
        if done.status == 0:
            note(machine, y)
            total = np.array(totals)
            drift = float(np.abs(total - total[0]).max() / max(kinetics))
            return Refracted(y, np.array(times), np.array(rates), np.array(jumps), drift)
        n = distance_gradient(g, y[:2])
        into = -sign * n / (n @ n) * 1e-11  # a step past the touch, so that each side is taken on its own ground
        matrices = straight.mass_matrix(y[:2]), wrapped.mass_matrix(y[:2] - n / (n @ n) * 1e-11)
        u, passed = refract(*(matrices if clear else matrices[::-1]), n, y[2:])
        times.append(t)
        rates.append(float(n @ y[2:]))
        jumps.append(float(np.linalg.norm(u - y[2:]) / np.linalg.norm(y[2:])))
        clear ^= passed
        y = np.concatenate([y[:2] + (into if passed else -into), u])
        note(straight if clear else wrapped, y)

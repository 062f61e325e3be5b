"""Mass that swings: bellies across their paths, and masses on springs on segments.

A belly's displacement d lies across the chord from one of its ends to the other. It is ``d = R E z``: R turns the frame
of the body in which the belly swings to ground, and the columns of E (3, 2) span what lies across the chord. E at the
reference pose is any orthonormal pair a; elsewhere it is turned along by the smallest rotation that takes the chord's
direction there, e0, to its present direction e, ``E_i = a_i - (a_i . e) / (1 + e0 . e) (e0 + e)``. So E is a smooth
function of the pose, but where the chord has turned by half a circle in its body. (docs/theory/wobble.md)

All arrays here are in the axes of the bodies.

Displacements d = E z add to the kinetic energy of what does not swing ``xdot . ddot + 1/2 mu |ddot|^2``, x being the
sum of m phi X and mu that of m phi^2, and to the potential energy ``- s g . d + 1/2 k |z|^2``, s being the sum of
m phi. Lagrange's equations of that are, with w = xddot + mu dddot - s g (docs/theory/wobble.md):

* of z: ``E^T w + k z + c zdot = 0``, a linear equation whose coefficients follow from the motion;
* of q: ``(dx/dq)^T dddot + (dd/dq)^T w`` is added to the generalized forces that the motion needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.numerics.rotations import cross_matrices
from ...opensim_model.reading.kinematics import StateKinematics, stacked
from ...paths.kernel.swinging import SwingAnswers, SwingingBellies


class BodyMotion(NamedTuple):
    """The rotation R of bodies to ground (..., 3, 3), and angular velocity and acceleration in their axes (..., 3)."""

    rotation: Array
    omega: Array
    alpha: Array


class Frame(NamedTuple):
    """The columns of E (..., 3, n), and their first and second derivatives by time in ground, in the body's axes."""

    basis: Array
    rate: Array
    acceleration: Array


class Chord(NamedTuple):
    """A chord's direction e (..., 3) and length (...), and its direction at the reference pose (..., 3)."""

    direction: Array
    length: Array
    reference: Array


def across(direction: Array) -> Array:
    """Return an orthonormal pair (S, 2, 3) of vectors across directions (S, 3)."""
    other = np.eye(3)[np.abs(direction).argmin(axis=-1)]
    first = np.cross(direction, other)
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    return np.stack([first, np.cross(direction, first)], axis=-2)


def applied(matrices: Array, vectors: Array) -> Array:
    """Return products (..., m) of matrices (..., m, n) and vectors (..., n) of few numbers.

    One component is computed at a time: for many matrices that takes a tenth of the time of ``numpy.einsum``.
    """
    products = []
    for i in range(matrices.shape[-2]):
        product = matrices[..., i, 0] * vectors[..., 0]
        for j in range(1, vectors.shape[-1]):
            product += matrices[..., i, j] * vectors[..., j]
        products.append(product)
    return _of_components(products)


def cross(a: Array, b: Array) -> Array:
    """Return a x b (..., 3), one component at a time, as :func:`applied`."""
    products = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        product = a[..., j] * b[..., k]
        product -= a[..., k] * b[..., j]
        products.append(product)
    return _of_components(products)


def _of_components(components: Sequence[Array]) -> Array:
    """Return an array (..., n) of n components (...), each of which stays in one piece of memory."""
    return np.moveaxis(np.stack(components), 0, -1)


def in_body(body: BodyMotion, x: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return a vector (..., 3) of ground, its rate and its acceleration, as a body sees them, in its axes."""
    rotation, w, dw = body
    x, v, a = (applied(np.swapaxes(rotation, -1, -2), y) for y in (x, v, a))
    turning = cross(w, x)
    seen = v - turning
    return x, seen, a - cross(dw, x) - 2.0 * cross(w, v) + cross(w, turning)


def turned(body: BodyMotion, basis: Array, rate: Array, acceleration: Array) -> Frame:
    """Return a frame of vectors (..., 3, n) with the rates and accelerations that its body sees."""
    _, w, dw = (x[..., None, :] for x in body)
    e, v, a = (np.swapaxes(x, -1, -2) for x in (basis, rate, acceleration))
    first = cross(w, e)
    second = a + 2.0 * cross(w, v) + cross(dw, e) + cross(w, first)
    return Frame(basis, np.swapaxes(v + first, -1, -2), np.swapaxes(second, -1, -2))


def chord_frame(
    body: BodyMotion, chord: tuple[Array, Array, Array], reference: Array, pair: Array
) -> tuple[Frame, Chord]:
    """Return the frame across a chord.

    Args:
        body: in which the belly swings.
        chord: (..., S, 3) in ground, its rate and its acceleration.
        reference: direction of the chord at the reference pose, (S, 3), in the body's axes.
        pair: E at the reference pose, (S, 2, 3).
    """
    c, dc, ddc = in_body(body, *chord)
    length = np.linalg.norm(c, axis=-1)
    per = 1.0 / length[..., None]
    e = c * per
    stretch = _dot(e, dc)
    de = (dc - stretch * e) * per
    dde = (ddc - (_dot(de, dc) + _dot(e, ddc)) * e - 2.0 * stretch * de) * per
    h = 1.0 / (1.0 + _dot(reference, e))
    dh = -_dot(reference, de) * h**2
    ddh = -_dot(reference, dde) * h**2 - 2.0 * _dot(reference, de) * h * dh
    both = reference + e
    columns = []
    for i in range(2):
        a = pair[..., i, :]
        g, dg, ddg = (_dot(a, x) for x in (e, de, dde))
        r, dr, ddr = g * h, dg * h + g * dh, ddg * h + 2.0 * dg * dh + g * ddh
        columns.append((a - r * both, -dr * both - r * de, -ddr * both - 2.0 * dr * de - r * dde))
    basis, rate, acceleration = (_of_components(x) for x in zip(*columns, strict=True))
    return turned(body, basis, rate, acceleration), Chord(e, length, np.broadcast_to(reference, e.shape))


def pulled_chord(chord: Chord, pair: Array, z: Array, force: Array) -> Array:
    """Return what a force (..., 3) on d exerts on the chord (..., 3) where d = E z turns with it, in the body's axes.

    It is the transpose of the derivative of E z by the chord, times the force.
    """
    e, e0 = chord.direction, chord.reference
    a = applied(np.swapaxes(pair, -1, -2), z)
    both, h, g = e0 + e, 1.0 / (1.0 + _dot(e0, e)), _dot(a, e)
    along = _dot(both, force)
    pulls = -h * (along * a - g * h * along * e0 + g * force)
    return np.asarray((pulls - _dot(pulls, e) * e) / chord.length[..., None])


def _dot(a: Array, b: Array) -> Array:
    return (a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])[..., None]


#: Where e0 . e is below this, the chord has turned by nearly half a circle, and its frame jumps.
LEAST_COSINE = -0.99


class Values(NamedTuple):
    """The constants of swinging masses, (S,) each.

    Attributes:
        modal_mass: mu, sum of m phi^2 [kg].
        moment: s, sum of m phi [kg].
        stiffness: k at no tension [N/m].
        by_tension: what k grows by with a muscle's tension [1/m].
        damping: share of the critical damping.
    """

    modal_mass: Array
    moment: Array
    stiffness: Array
    by_tension: Array
    damping: Array

    def oscillator(self, tension: Array | float = 0.0) -> tuple[Array, Array]:
        """Return k / mu [1/s^2] and c / mu [1/s] at tensions (..., S) [N]."""
        k = (self.stiffness + self.by_tension * tension) / self.modal_mass
        return k, 2.0 * self.damping * np.sqrt(k)

    def frequency(self, tension: Array | float = 0.0) -> Array:
        """Return the undamped frequency [Hz] at tensions (..., S) [N]."""
        return np.asarray(np.sqrt(self.oscillator(tension)[0]) / (2.0 * np.pi))


class Places(NamedTuple):
    """Where S masses swing, as the kernel takes it.

    Attributes:
        muscles: number of the muscle whose belly each one is, (S,); -1 for a mass on a spring.
        aponeuroses: share of the belly's length that is aponeurosis at the reference pose, (S,).
        centres: of a belly the direction of its chord at the reference pose, of a mass where it rests, (S, 3).
        axes: rows of a frame in which it swings, (S, 3, 3): a belly along the first two, a mass along all three.
    """

    muscles: NDArray[np.intp]
    aponeuroses: Array
    centres: Array
    axes: Array


class Drive(NamedTuple):
    """Quantities that drive swinging masses at T states, (T, S, ...)."""

    body: BodyMotion
    pull: Array
    frame: Frame
    chord: Chord | None

    def coefficients(self, modal_mass: Array) -> Array:
        """Return K, C (n, n) and b (n,) of ``z'' = -(K + k) z - (C + c) z' + b``, (T, S, 2 n + 1, n)."""
        across = np.swapaxes(self.frame.basis, -1, -2)
        K, C = across @ self.frame.acceleration, 2.0 * across @ self.frame.rate
        b = -(across @ self.pull[..., None])[..., 0] / modal_mass[:, None]
        return np.concatenate([K, C, b[..., None, :]], axis=-2)


class Displacement(NamedTuple):
    """A displacement's coordinates z and their derivatives by time, (..., T, S, n)."""

    z: Array
    rate: Array
    acceleration: Array

    @classmethod
    def of(cls, state: Array, coefficients: Array, k: Array, c: Array) -> Displacement:
        """Return those of states (..., T, S, 2 n), with k and c (..., T, S) by the equation of motion."""
        n = state.shape[-1] // 2
        z, rate = state[..., :n], state[..., n:]
        K, C, b = coefficients[..., :n, :], coefficients[..., n : 2 * n, :], coefficients[..., 2 * n, :]
        pulled = applied(K, z) + applied(C, rate)
        return cls(z, rate, b - pulled - k[..., None] * z - c[..., None] * rate)


@dataclass(frozen=True, eq=False)
class SwingingMuscles:
    """Bellies that swing across their paths, with two coordinates each.

    Attributes:
        names: of their muscles.
        muscles: numbers of their muscles, (S,).
        bodies: number of the body in which each swings, (S,).
        values: their constants.
        bellies: length of their bellies at the reference pose [m], (S,).
        reference: directions of their chords there, (S, 3), in the bodies' axes.
        pair: orthonormal pairs across these, (S, 2, 3).
        kernel: evaluates them.
        gravity: (3,) [m/s^2].
    """

    names: tuple[str, ...]
    muscles: NDArray[np.intp]
    bodies: NDArray[np.intp]
    values: Values
    bellies: Array
    reference: Array
    pair: Array
    kernel: SwingingBellies
    gravity: Array

    @property
    def coordinates(self) -> int:
        """How many coordinates each displacement has."""
        return 2

    @property
    def places(self) -> Places:
        """Where the bellies swing."""
        shares = np.array([shape.aponeurosis for shape in self.kernel.shapes])
        across = np.cross(self.pair[:, 0], self.pair[:, 1])[:, None]
        axes = np.concatenate([self.pair, across], axis=1)
        return Places(self.muscles, shares, self.reference, axes)

    def drive(self, states: Sequence[StateKinematics], udot: Array) -> Drive:
        """Return the quantities that drive the bellies at T states with accelerations ``udot`` (T, nu)."""
        motion = self.kernel.motion(states, udot)
        body = body_motion(states, udot, self.bodies)
        frame, chord = chord_frame(body, motion.chord, self.reference, self.pair)
        cosine = np.einsum("tsi,si->ts", chord.direction, self.reference)
        if (cosine < LEAST_COSINE).any():
            name = self.names[int(np.argwhere(cosine < LEAST_COSINE)[0, 1])]
            raise ModelError(
                f"muscle '{name}': its belly has turned by half a circle in its segment, where no frame can follow it; "
                "choose a reference pose nearer to the motion"
            )
        weight = self.values.moment[:, None] * self.gravity
        pull = applied(np.swapaxes(body.rotation, -1, -2), motion.moment[2] - weight)
        return Drive(body, pull, frame, chord)

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return those of :meth:`Drive.coefficients` at T states with accelerations ``udot`` (T, nu), (T, S, 5, 2)."""
        return self.kernel.equations(states, udot)

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements along a motion, see :meth:`.SwingingBellies.answers`."""
        return self.kernel.answers(states, udot, y, k, c)

    def loads(self, drive: Drive, displacement: Displacement) -> Array:
        """Return the loads on the bellies for :meth:`.SwingingBellies.forces`, (..., T, S, 9)."""
        assert drive.chord is not None
        d, accelerated, w = _moved(drive, displacement, self.values.modal_mass)
        on_chord = pulled_chord(drive.chord, self.pair, displacement.z, w)
        chord = drive.chord.direction * drive.chord.length[..., None]
        moment = cross(d, w) - cross(chord, on_chord)
        in_ground = (applied(drive.body.rotation, x) for x in (accelerated, on_chord, moment))
        return np.concatenate(list(in_ground), axis=-1)

    def forces(self, states: Sequence[StateKinematics], drive: Drive, displacement: Displacement) -> Array:
        """Return the generalized forces (sets, T, S, nu) that displacements (sets, T, S, 2) make a motion need."""
        return self.kernel.forces(states, self.loads(drive, displacement))

    def jacobians(self, kinematics: StateKinematics, drive: Drive, z: Array) -> tuple[Array, Array]:
        """Return dx/dq and dd/dq (S, 3, nu) in ground at one state, whose displacements have coordinates z (S, 2)."""
        assert drive.chord is not None
        count = len(self.names)
        units = np.zeros((6, 1, count, 9))
        for i in range(6):
            units[i, :, :, i] = 1.0
        rows = np.swapaxes(self.kernel.forces([kinematics], units)[:, 0], 0, 1)
        rotation = drive.body.rotation[0]
        by_chord = np.stack([pulled_chord(drive.chord, self.pair, z[None], e)[0] for e in np.eye(3)], axis=1)
        by_chord = rotation @ by_chord @ np.swapaxes(rotation, 1, 2)
        chord = np.einsum("sij,sj->si", rotation, drive.chord.direction[0] * drive.chord.length[0][:, None])
        turning = _angular(kinematics, self.bodies)
        seen = rows[:, 3:] + cross_matrices(chord) @ turning
        return rows[:, :3], by_chord @ seen - cross_matrices(_in_ground(drive, z)) @ turning


@dataclass(frozen=True, eq=False)
class SwingingMasses:
    """Masses on springs on segments, with three coordinates each along the segment's axes.

    Attributes:
        names: what they are called.
        bodies: number of the body of each, (S,).
        centres: where they rest, (S, 3), in the bodies' axes [m].
        values: their constants.
        gravity: (3,) [m/s^2].
    """

    names: tuple[str, ...]
    bodies: NDArray[np.intp]
    centres: Array
    values: Values
    gravity: Array

    @property
    def coordinates(self) -> int:
        """How many coordinates each displacement has."""
        return 3

    @property
    def places(self) -> Places:
        """Where the masses swing."""
        count = len(self.names)
        return Places(np.full(count, -1), np.zeros(count), self.centres, np.tile(np.eye(3), (count, 1, 1)))

    def drive(self, states: Sequence[StateKinematics], udot: Array) -> Drive:
        """Return the quantities that drive the masses at T states with accelerations ``udot`` (T, nu)."""
        body = body_motion(states, udot, self.bodies)
        kinematics = stacked(states)
        origin = np.stack([_acceleration(kinematics, udot, b)[:, 3:] for b in self.bodies], axis=1) - self.gravity
        r, w = np.broadcast_to(self.centres, body.omega.shape), body.omega
        falls = applied(np.swapaxes(body.rotation, -1, -2), origin)
        pull = self.values.moment[:, None] * (falls + cross(body.alpha, r) + cross(w, cross(w, r)))
        basis = np.broadcast_to(np.eye(3), (*r.shape, 3))
        still = np.zeros_like(basis)
        return Drive(body, pull, turned(body, basis, still, still), None)

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return those of :meth:`Drive.coefficients` at T states with accelerations ``udot`` (T, nu), (T, S, 7, 3)."""
        return self.drive(states, udot).coefficients(self.values.modal_mass)

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements along a motion, as :meth:`SwingingMuscles.answers`, with y (..., 6)."""
        drive = self.drive(states, udot)
        displacement = Displacement.of(y, drive.coefficients(self.values.modal_mass), k, c)
        forces = self.forces(states, drive, displacement)
        turned = drive.body.rotation @ drive.frame.basis
        return SwingAnswers(forces[0], forces.sum(axis=2), applied(turned, displacement.z[0]))

    def forces(self, states: Sequence[StateKinematics], drive: Drive, displacement: Displacement) -> Array:
        """Return the generalized forces (sets, T, S, nu) that displacements (sets, T, S, 3) make a motion need."""
        d, accelerated, w = _moved(drive, displacement, self.values.modal_mass)
        force = self.values.moment[:, None] * accelerated
        moment = cross(self.centres, force) + cross(d, w)
        wrench = np.concatenate([applied(drive.body.rotation, x) for x in (moment, force)], axis=-1)
        jacobian = np.stack([k.jacobian.reshape(-1, 6, k.jacobian.shape[1])[self.bodies] for k in states])
        return np.einsum("tsin,...tsi->...tsn", jacobian, wrench)

    def jacobians(self, kinematics: StateKinematics, drive: Drive, z: Array) -> tuple[Array, Array]:
        """Return dx/dq and dd/dq (S, 3, nu) in ground at one state, whose displacements have coordinates z (S, 3)."""
        turning = _angular(kinematics, self.bodies)
        linear = kinematics.jacobian.reshape(-1, 6, kinematics.jacobian.shape[1])[self.bodies, 3:]
        arm = np.einsum("sij,sj->si", drive.body.rotation[0], self.centres)
        of_mass = self.values.moment[:, None, None] * (linear - cross_matrices(arm) @ turning)
        return of_mass, -cross_matrices(_in_ground(drive, z)) @ turning


#: Masses that swing with n coordinates each.
Swings: TypeAlias = SwingingMuscles | SwingingMasses


def _angular(kinematics: StateKinematics, bodies: NDArray[np.intp]) -> Array:
    """Return the angular rows (S, 3, nu) of bodies' Jacobians."""
    return kinematics.jacobian.reshape(-1, 6, kinematics.jacobian.shape[1])[bodies, :3]


def _in_ground(drive: Drive, z: Array) -> Array:
    """Return displacements (S, 3) in ground at the one state of a drive."""
    return np.einsum("sij,sjk,sk->si", drive.body.rotation[0], drive.frame.basis[0], z)


def _moved(drive: Drive, displacement: Displacement, modal_mass: Array) -> tuple[Array, Array, Array]:
    """Return d, dddot and w = xddot + mu dddot - s g (..., T, S, 3) in the bodies' axes."""
    z, rate, acceleration = displacement
    basis, turning, centripetal = drive.frame
    d = applied(basis, z)
    accelerated = applied(basis, acceleration) + 2.0 * applied(turning, rate) + applied(centripetal, z)
    return d, accelerated, drive.pull + modal_mass[:, None] * accelerated


def body_motion(states: Sequence[StateKinematics], udot: Array, bodies: NDArray[np.intp]) -> BodyMotion:
    """Return the motion (T, S, ...) of bodies (S,) at T states with accelerations ``udot`` (T, nu)."""
    kinematics = stacked(states)
    few, place = np.unique(bodies, return_inverse=True)
    rotation = kinematics.rotation[:, few]
    omega = np.stack([np.einsum("tin,tn->ti", kinematics.jacobian[:, 6 * b : 6 * b + 3], kinematics.u) for b in few], 1)
    alpha = np.stack([_acceleration(kinematics, udot, b)[:, :3] for b in few], axis=1)
    omega, alpha = (applied(np.swapaxes(rotation, -1, -2), x) for x in (omega, alpha))
    return BodyMotion(rotation[:, place], omega[:, place], alpha[:, place])


def _acceleration(kinematics: StateKinematics, udot: Array, body: int) -> Array:
    """Return the spatial accelerations (T, 6) of a body at stacked states."""
    rows = kinematics.jacobian[:, 6 * body : 6 * body + 6]
    return np.asarray(np.einsum("tin,tn->ti", rows, udot) + kinematics.bias[:, body])

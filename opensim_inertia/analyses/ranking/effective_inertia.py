"""The effective inertia of coordinates at a pose, and the part that muscles add by sliding.

A coordinate's *effective inertia* is twice the kinetic energy of the whole model where this coordinate moves with unit
speed and the others rest (Pai 2010), but for what the model's constraints move with it. So it is t^T M t, t being the
*direction* of the coordinate: 1 for itself, for others the slopes of couplers, and what other constraints ask, by as
little as can be, each weighed with its own entry of the diagonal of M. Without constraints it is the diagonal of M. A
coordinate that constraints hold, such as a locked one, and one that follows another by a coupler, has no direction of
its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array, product
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.constraints import bordered_solve, constraint_jacobian
from ...muscles.masses.rigid import spatial_inertias
from ...opensim_model.reading.coordinates import dependent_coordinates
from ...opensim_model.reading.kinematics import StateKinematics
from ...paths.kernel.remarks import MuscleRemarks
from ..inverse_dynamics.band import Bellies

#: A direction must meet the constraints this well, relative to a speed of 1.
MET = 1e-6
#: Effective inertias up to this [kg m^2 or kg] are none: rounding of bodies without mass.
NO_INERTIA = 1e-12
#: Directions that the kernel is asked about at once: it answers for all speeds.
AT_ONCE = 32
#: Stretches of a smaller share of a muscle's mass are rounding.
NO_STRETCH = 1e-9
#: Into how many rods the law cuts a stretch of a belly: one is too few where a belly bends.
RODS = 2


class EffectiveInertia(NamedTuple):
    """Effective inertias of n coordinates at a pose, in kg m^2 or kg."""

    directions: Array  # how all coordinates move with each, (n, nu); zeros for a coordinate that cannot move by itself
    lumped: Array  # of the published model, (n,)
    sliding: Array  # added by each muscle because it slides along its path, (muscles, n)

    @property
    def whole(self) -> Array:
        """The effective inertias with muscles along their paths, (n,)."""
        return self.lumped + self.sliding.sum(axis=0)

    def share(self, values: Array, of: Array) -> Array:
        """Return values (..., n) as shares of effective inertias (n,); zero where there are none."""
        has = of > NO_INERTIA
        return np.where(has, values / np.where(has, of, 1.0), 0.0)


class Frozen(NamedTuple):
    """Rigid masses on segments, each of a muscle."""

    muscles: Sequence[int]  # number of the muscle, (parts,)
    bodies: Sequence[int]  # number of the body along the kinematics' body axis, (parts,)
    matrices: Array  # pseudo-inertias (parts, 4, 4) in the bodies' frames

    @classmethod
    def of(cls, inertial: InertialModel) -> Frozen:
        """Return a model's muscles frozen to their donor segments at the reference pose."""
        frozen = inertial.frozen
        return cls(frozen.parts.which, _numbers_of(inertial, frozen.donors), frozen.matrices)

    def effective(self, kinematics: StateKinematics, directions: Array, muscles: int) -> Array:
        """Return their effective inertias by muscle, (muscles, n), in directions (n, nu)."""
        bodies = list(self.bodies)
        inertias = spatial_inertias(self.matrices, kinematics.rotation[bodies])
        twists = (kinematics.jacobian @ directions.T).reshape(-1, 6, len(directions))[bodies]
        sums = np.zeros((muscles, len(directions)))
        np.add.at(sums, list(self.muscles), (twists * (inertias @ twists)).sum(axis=-2))
        return sums


def effective_inertia(
    inertial: InertialModel, state: osim.State, which: Sequence[int] | None = None, seen: MuscleRemarks | None = None
) -> EffectiveInertia:
    """Return effective inertias of coordinates at a state, which is realized to velocity; ``which`` None: of all."""
    kinematics = inertial.dynamics.read(state)
    lumped = inertial.kinematics.mass_matrix(state)
    which = range(len(lumped)) if which is None else which
    directions = _directions(inertial, state, kinematics.q, lumped, which)
    return EffectiveInertia(
        directions,
        np.einsum("nk,kl,nl->n", directions, lumped, directions),
        _sliding(kinematics, directions, partial(inertial.evaluation.inverse_each, seen=seen)),
    )


class Rods(NamedTuple):
    """The law's picture of muscles: each stretch of a belly is two thin straight rods.

    Attributes:
        muscles: number of the muscle of each stretch, (stretches,); stretches that are not frozen to a body come last.
    """

    muscles: Sequence[int]
    places: Array  # shares of the muscle's mass at the rods' ends, (stretches, 3), from the stretch's start to its end
    masses: Array  # of each rod [kg], (stretches,)
    frozen: Frozen  # the rods frozen to their donor segments at the reference pose

    @classmethod
    def of(cls, inertial: InertialModel) -> Rods:
        """Return the rods of a model."""
        parts, at = inertial.frozen.parts, inertial.frozen.reference
        which, windows = list(parts.which), list(parts.windows)
        for muscle in range(len(inertial.muscle_names)):
            held = [window for i, window in zip(parts.which, parts.windows, strict=True) if i == muscle]
            bounds = [0.0, *(bound for window in sorted(held) for bound in window), 1.0]
            gaps = [gap for gap in zip(bounds[::2], bounds[1::2], strict=True) if gap[1] - gap[0] > NO_STRETCH]
            which, windows = which + [muscle] * len(gaps), windows + gaps
        places = np.array([np.linspace(start, end, RODS + 1) for start, end in windows]).reshape(-1, RODS + 1)
        masses = np.array([inertial.muscles.masses[inertial.muscle_names[i]] for i in which])
        masses = masses * np.ptp(places, axis=1) / RODS
        bodies = _numbers_of(inertial, inertial.frozen.donors)
        matrices = np.zeros((len(bodies), 4, 4))
        evaluation = inertial.assembly.evaluation
        for k, body in enumerate(bodies):
            ends = evaluation.material_points(at, which[k], [(p, p) for p in places[k]], jacobians=False)[0]
            local = np.column_stack([(ends - at.position[body]) @ at.rotation[body], np.ones(len(ends))])
            first, last = local[:-1, :, None], local[1:, :, None]
            squares = [a @ b.swapaxes(1, 2) for a, b in ((first, first), (last, last), (first, last), (last, first))]
            matrices[k] = masses[k] * (2 * squares[0] + 2 * squares[1] + squares[2] + squares[3]).sum(axis=0) / 6
        return cls(which, places, masses, Frozen(parts.which, bodies, matrices))

    def effective(self, inertial: InertialModel, kinematics: StateKinematics, directions: Array) -> Array:
        """Return their effective inertias by muscle, (muscles, n), in directions (n, nu), the ends on the paths."""
        sums = np.zeros((len(inertial.muscle_names), len(directions)))
        for muscle, places, mass in zip(self.muscles, self.places, self.masses, strict=True):
            jacobians = inertial.evaluation.material_points(kinematics, muscle, [(p, p) for p in places])[2]
            speeds = jacobians @ directions.T
            first, last = speeds[:-1], speeds[1:]
            sums[muscle] += mass * (first**2 + first * last + last**2).sum(axis=(0, 1)) / 3
        return sums


def estimates(inertial: InertialModel, state: osim.State, directions: Array, rods: Rods) -> tuple[Array, Array]:
    """Return two estimates of the inertia that slides, in directions (n, nu), each (muscles, n) [kg m^2 or kg].

    They are the inertia of length rates alone, kappa m r^2, and the law of docs/theory/sliding.md: two rods of each
    stretch of a belly with their ends on the path, less these rods frozen to the donor segment.
    """
    kinematics, names = inertial.dynamics.read(state), inertial.muscle_names
    if not names:
        return np.zeros((0, len(directions))), np.zeros((0, len(directions)))
    by_twist, by_speed = inertial.evaluation.length_gradients(kinematics)
    gradients = product(by_twist.reshape(len(names), -1), kinematics.jacobian) + by_speed
    arms = product(gradients, np.ascontiguousarray(directions.T))
    weights = np.array([inertial.muscles.masses[name] * inertial.muscles.length_rates(name).kappa for name in names])
    frozen = rods.frozen.effective(kinematics, directions, len(names))
    return weights[:, None] * arms**2, rods.effective(inertial, kinematics, directions) - frozen


def as_strands(
    inertial: InertialModel, state: osim.State, directions: Array, bellies: Bellies, seen: MuscleRemarks
) -> Array:
    """Return the inertia that muscles add by sliding as strands, (strands, V, n), in directions (n, nu)."""
    assert bellies.strands is not None and bellies.frozen is not None
    which, sets, frozen = bellies.varied.tolist(), bellies.strands.maps_by_node, bellies.frozen

    def forces(states: Sequence[StateKinematics], udot: Array) -> Array:
        return np.moveaxis(inertial.evaluation.inverse_of_maps(states, udot, which, sets, frozen, seen), 0, 1)

    return _sliding(inertial.dynamics.read(state), directions, forces)


def _sliding(
    kinematics: StateKinematics, directions: Array, forces_of: Callable[[Sequence[StateKinematics], Array], Array]
) -> Array:
    """Return inertias (..., n) in directions (n, nu), of forces (T, ..., nu) that are linear in accelerations."""
    inertias = []
    for start in range(0, len(directions), AT_ONCE):
        some = directions[start : start + AT_ONCE]
        udot = np.vstack([np.zeros(some.shape[1]), some])
        forces = forces_of([kinematics] * len(udot), udot)
        inertias.append(np.einsum("n...k,nk->...n", forces[1:] - forces[:1], some))
    return np.concatenate(inertias, axis=-1)


def _numbers_of(inertial: InertialModel, bodies: Iterable[str]) -> list[int]:
    """Return the numbers of bodies along the kinematics' body axis."""
    number = {name: b for b, name in enumerate(inertial.kinematics.bodies)}
    return [number[name] for name in bodies]


def _directions(inertial: InertialModel, state: osim.State, q: Array, lumped: Array, which: Sequence[int]) -> Array:
    """Return the directions (n, nu) of coordinates; zeros for those that cannot move, or follow others by couplers."""
    rows = constraint_jacobian(inertial.model, state)
    unit = np.eye(len(lumped))[list(which)]
    if not len(rows):
        return unit
    followers = dependent_coordinates(inertial.model, inertial.coordinates)
    directions, weights = np.zeros_like(unit), np.diag(np.maximum(np.diag(lumped), NO_INERTIA))
    for k, i in enumerate(which):
        if i in followers:
            continue
        bound = np.vstack([rows, unit[k]])
        wanted = np.append(np.zeros(len(rows)), 1.0)
        along = unit[k] + bordered_solve(weights, bound, np.zeros(len(lumped)), wanted - bound @ unit[k])
        if np.abs(bound @ along - wanted).max() < MET:
            directions[k] = along
    return directions

"""Which segment gives up the mass of a muscle: the one along which the muscle's belly lies.

Most of a muscle's mass sits in its belly, so the segment whose published mass contains it is the one that the belly
lies along, which need not be the one that the muscle moves: the calf's bellies belong to the tibia, not to the foot.
:func:`default_payers` answers that from the model's own geometry; a mass table may say otherwise for any muscle.

The rule. A muscle's slack length counts all of its tendon, and much of that is aponeurosis, which lies inside the
belly: in pennate muscles the fibres are a fraction of the belly's length. So half of the slack length
(:data:`APONEUROSIS`, a round number) is taken as belly; the rest is free tendon of constant length, all of it distal.
The middle of the belly is then at arc length ``s = (L - free tendon) / 2`` on OpenSim's current path at the default
pose. The candidates are the bodies on the kinematic chain that joins the bodies of the path's two ends, less ground
and less small bones (:data:`SMALLEST_PAYER` of the model's mass; patella, talus and toes fall out here). Each
candidate is represented by lines from its parent joint to its child joints; the line nearest to the middle of the
belly decides, and between equals the heavier body. Beyond the end of a chain of bones, above the hip say, all lines
that meet at the joint are equally near.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..errors import ModelError, OptionError, UnknownNameError, UnsupportedPathError

__all__ = [
    "APONEUROSIS",
    "SMALLEST_PAYER",
    "Skeleton",
    "belly_midpoint",
    "default_payer",
    "default_payers",
    "default_pose",
]

Array = NDArray[np.float64]

SMALLEST_PAYER = 0.005
"""Bodies lighter than this fraction of the model's mass never pay by default: patella, talus, toes."""

APONEUROSIS = 0.5
"""Fraction of the tendon slack length that runs inside the belly."""

_TIE = 1e-6
"""Distances [m] that differ by less are equal: both sides of a joint are equally near to what lies beyond it."""


@dataclass(frozen=True)
class Skeleton:
    """A model's bodies at one pose, as far as the choice of a payer needs them.

    Attributes:
        mass: mass of each body [kg].
        parent: the body that each body's joint hangs on; absent for bodies without a joint. May be ``"ground"``.
        lines: per body, line segments in ground [m], shape (n, 2, 3): from its parent joint's centre to each child
            joint's centre; for the last body of a chain to its centre of mass and as far again.
    """

    mass: dict[str, float]
    parent: dict[str, str]
    lines: dict[str, Array]

    @classmethod
    def of(cls, model: Any, state: Any) -> Skeleton:
        """Read ``model`` (an ``osim.Model``) at ``state``, which is realized to position here."""
        model.realizePosition(state)
        mass: dict[str, float] = {}
        ends: dict[str, Array] = {}
        bodies = model.getBodySet()
        for i in range(bodies.getSize()):
            body = bodies.get(i)
            mass[body.getName()] = float(body.getMass())
            ends[body.getName()] = _vector(body.findStationLocationInGround(state, body.getMassCenter()))
        parent: dict[str, str] = {}
        start: dict[str, Array] = {}
        children: dict[str, list[Array]] = {name: [] for name in mass}
        joints = model.getJointSet()
        for i in range(joints.getSize()):
            joint = joints.get(i)
            above = joint.getParentFrame().findBaseFrame().getName()
            below = joint.getChildFrame().findBaseFrame().getName()
            if below not in mass or below in parent:  # a second joint to the same body closes a loop
                continue
            parent[below] = above
            start[below] = _vector(joint.getChildFrame().getPositionInGround(state))
            if above in children:
                children[above].append(start[below])
        lines = {}
        for name in mass:
            centre = ends[name]
            origin = start.get(name, centre)
            far = children[name] or [2 * centre - origin]
            lines[name] = np.array([[origin, end] for end in far])
        return cls(mass, parent, lines)

    def chain(self, first: str, last: str) -> list[str]:
        """Bodies on the way from ``first`` to ``last`` through the tree, both included, ground excluded."""
        up, down = self._ancestors(first), self._ancestors(last)
        common = next((name for name in up if name in down), None)
        if common is None:
            return list(dict.fromkeys(n for n in up + down if n in self.mass))
        way = up[: up.index(common) + 1] + down[: down.index(common)][::-1]
        return [name for name in way if name in self.mass]

    def distance(self, body: str, point: Array) -> float:
        """Distance [m] of ``point`` (3,) in ground from the nearest line of ``body``."""
        a, b = self.lines[body][:, 0], self.lines[body][:, 1]
        along = b - a
        squared = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
        t = np.clip(np.einsum("ij,ij->i", point - a, along) / squared, 0.0, 1.0)
        return float(np.min(np.linalg.norm(a + t[:, None] * along - point, axis=1)))

    def _ancestors(self, name: str) -> list[str]:
        found = [name]
        while name in self.parent and self.parent[name] not in found:
            name = self.parent[name]
            found.append(name)
        return found


def default_payers(
    model: Any,
    state: Any,
    muscles: Iterable[str] | None = None,
    proximal: float = 0.0,
    aponeurosis: float = APONEUROSIS,
) -> dict[str, str]:
    """Name of the body that pays for each muscle; the rule is at the top of this module.

    Args:
        model: ``osim.Model`` whose system exists; not modified.
        state: its state at the pose where the bellies are looked at, usually the default pose.
        muscles: names of muscles; all of the model's if omitted.
        proximal: fraction of the free tendon that is at the origin's end, from 0 to 1.
        aponeurosis: fraction of the slack length that belongs to the belly, from 0 to 1.

    Raises:
        UnknownNameError: the model has no such muscle.
        UnsupportedPathError: a muscle's path has no points (``FunctionBasedPath``, for example).
        ModelError: no body on the way from origin to insertion is heavy enough to pay.
    """
    skeleton = Skeleton.of(model, state)
    owned = model.getMuscles()
    names = [owned.get(i).getName() for i in range(owned.getSize())]
    payers = {}
    for name in names if muscles is None else muscles:
        if name not in names:
            raise UnknownNameError("muscle", name, names, f"model '{model.getName()}'")
        payers[name] = _payer(skeleton, state, owned.get(names.index(name)), proximal, aponeurosis)
    return payers


def default_payer(model: Any, state: Any, muscle: str, proximal: float = 0.0, aponeurosis: float = APONEUROSIS) -> str:
    """Name of the body that pays for one muscle; see :func:`default_payers`, which is faster for several."""
    return default_payers(model, state, [muscle], proximal, aponeurosis)[muscle]


def default_pose(model: Any) -> tuple[Any, Any]:
    """A copy of ``model`` and its state at the default pose; ``model`` and its states stay as they are.

    Keep both: a state that outlives its model is not safe to use.
    """
    try:
        copy = osim.Model(model)
        return copy, copy.initSystem()
    except RuntimeError as error:
        raise ModelError(f"model '{model.getName()}' cannot be initialised: {_first_line(error)}") from error


def belly_midpoint(
    muscle: Any, state: Any, proximal: float = 0.0, aponeurosis: float = APONEUROSIS
) -> tuple[Array, str, str]:
    """Middle of a muscle's belly in ground [m], shape (3,), and the bodies of its path's origin and insertion.

    ``1 - aponeurosis`` of the slack length is free tendon, ``proximal`` of that at the origin's end. Arcs on wrap
    objects count as chords. ``state`` must be realized to position.

    Raises:
        UnsupportedPathError: the path has no points.
        OptionError: ``proximal`` or ``aponeurosis`` is not between 0 and 1.
    """
    for option, value in (("proximal", proximal), ("aponeurosis", aponeurosis)):
        if not 0.0 <= value <= 1.0:
            raise OptionError(option, value, "a fraction from 0 to 1")
    path = osim.GeometryPath.safeDownCast(muscle.getPath())
    if path is None:
        kind = muscle.getPath().getConcreteClassName()
        raise UnsupportedPathError(
            muscle.getName(),
            kind,
            "has no points to find the belly on; say in the mass table which segment pays for it",
        )
    current = path.getCurrentPath(state)
    points, frames = [], []
    for i in range(current.getSize()):
        point = current.get(i)
        frame = point.getParentFrame()
        points.append(_vector(frame.findStationLocationInGround(state, point.getLocation(state))))
        frames.append(frame.findBaseFrame().getName())
    if len(points) < 2:
        raise ModelError(f"muscle '{muscle.getName()}' has a path of fewer than two points")
    free = (1.0 - aponeurosis) * float(muscle.getTendonSlackLength())
    return _along(np.array(points), free, proximal), frames[0], frames[-1]


def _payer(skeleton: Skeleton, state: Any, muscle: Any, proximal: float, aponeurosis: float) -> str:
    middle, origin, insertion = belly_midpoint(muscle, state, proximal, aponeurosis)
    least = SMALLEST_PAYER * sum(skeleton.mass.values())
    candidates = [b for b in skeleton.chain(origin, insertion) if skeleton.mass[b] > 0 and skeleton.mass[b] >= least]
    if not candidates:
        raise ModelError(
            f"muscle '{muscle.getName()}': no body between its origin ('{origin}') and its insertion ('{insertion}') "
            "is heavy enough to give up its mass; say in the mass table which segment pays"
        )
    distance = {body: skeleton.distance(body, middle) for body in candidates}
    nearest = min(distance.values())
    return max((b for b in candidates if distance[b] <= nearest + _TIE), key=lambda b: skeleton.mass[b])


def _along(points: Array, tendon: float, proximal: float) -> Array:
    """Point of the polyline ``points`` (n, 3) at the belly's middle, for tendons of length ``tendon`` [m] together."""
    at = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    length = at[-1]
    s = np.clip(proximal * tendon + 0.5 * (length - tendon), 0.0, length)
    return np.array([np.interp(s, at, points[:, axis]) for axis in range(3)])


def _vector(v: Any) -> Array:
    return np.array([v.get(0), v.get(1), v.get(2)])


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__

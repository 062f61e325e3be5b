"""OpenSim's paths over wrap objects; numerical derivatives compare only paths with the same points and arcs.

Only tangent points, in frames of wrap bodies, are differenced with respect to coordinates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, listed
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.kinematics import Arc, ThreadStorage, WrappedPath
from ...opensim_model.reading.paths import MovingPoint, MusclePath
from .current_path import FAR, CurrentPath, PathShape
from .surfaces import CONTROLS

#: Step of central differences [rad or m], with truncation about 1e-10 and round-off 1e-11 of the derivative.
STEP = 2e-5
#: Step of second differences along the motion, divided by max |u|; small to avoid jumps.
BIAS_STEP = 1.5e-4

#: OpenSim's iteration over several wraps ends 0.5 mm off, so its path jumps. Derivatives on both sides that differ by
#: more than KINK (second ones: by the share DISAGREEMENT) are computed again with a step FINER times smaller. If they
#: still differ, a coarse step is used.
KINK = 2e-3
DISAGREEMENT = 0.2
SMALL_CURVATURE = 0.01
FINER = 5
COARSE_STEP = 3e-3
#: A path that jumps by more than this [m] has a one-sided derivative with a coarse step.
LEAP = 1e-3
SIDE_STEP = 3e-4
#: A path almost jumps where a point of it moves as if about an axis further away than this [m]: no limb is as long.
#: A coordinate in metres counts as an angle about an axis this near [m].
FURTHEST_AXIS, NEAREST_AXIS = 3.0, 0.01

#: Remarks about doubtful OpenSim paths.
FAR_FROM_LENGTH = f"it follows OpenSim's own path, which is more than {1e3 * FAR:.0f} mm off OpenSim's getLength"
LEAPS = "it follows OpenSim's own path, which jumps next to the state; its mass moves there as on one side of the jump"
SLIPS = "it follows OpenSim's own path, which almost jumps at the state; forces of its mass are in doubt"


class OpenSimPaths:
    """OpenSim's paths of muscles, with numerical derivatives; ``strict``: doubtful paths raise errors."""

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath], strict: bool = False
    ) -> None:
        self.model, self._strict = model, strict
        self._matter = model.getMatterSubsystem()
        self._nu = len(coordinates.names)
        of_model = model_muscles(model)
        self._muscles = [CurrentPath(model, path, of_model) for path in muscles]
        self._storage = ThreadStorage(model)
        self._moved_by = self._find_moving_speeds(coordinates)
        self._axes = np.where(coordinates.rotational, 1.0, NEAREST_AXIS)
        self._groups = _independent_groups(self._moved_by, self._nu)

    def paths(self, state: osim.State) -> dict[str, WrappedPath]:
        """Return all paths at a state realized to velocity; raise ModelError for doubtful paths if ``strict``."""
        q, qdot = state.getQ().to_numpy().copy(), state.getQDot().to_numpy().copy()
        u = state.getU().to_numpy().copy()
        self._storage.state.setTime(state.getTime())
        numbers = range(len(self._muscles))
        base = self._shapes(q, numbers)
        remarks = [self._remarks(muscle, shape) for muscle, shape in zip(self._muscles, base, strict=True)]
        jacobians = [[np.zeros((CONTROLS, 3, self._nu)) for _ in shape.controls] for shape in base]
        for group in self._groups:
            affected = [i for i in numbers if base[i].controls and self._moved_by[i] & set(group)]
            if not affected:
                continue
            unit = np.isin(np.arange(self._nu), group).astype(float)
            direction = self._product(state, unit, "multiplyByN")
            ahead = self._shapes(q + STEP * direction, affected)
            behind = self._shapes(q - STEP * direction, affected)
            for i, plus, minus in zip(affected, ahead, behind, strict=True):
                (speed,) = self._moved_by[i] & set(group)
                columns, kink = _differences(plus, base[i], minus, STEP)
                if kink > KINK:
                    columns, leaps = self._differences_at_kink(q, direction, i, base[i], kink)
                    if leaps and LEAPS not in remarks[i]:
                        remarks[i].append(LEAPS)
                for arc, column in enumerate(columns):
                    jacobians[i][arc][:, :, speed] = column
        rates = [[jacobian @ u for jacobian in of_arcs] for of_arcs in jacobians]
        biases = self._biases(state, q, qdot, u, base, rates)
        turns = np.abs(u) / self._axes
        for of_muscle, of_arcs, speeds in zip(remarks, biases, self._moved_by, strict=True):
            if _largest(of_arcs) > FURTHEST_AXIS * turns[list(speeds)].max(initial=0.0) ** 2:
                of_muscle.append(SLIPS)
        if self._strict:
            for muscle, of_muscle in zip(self._muscles, remarks, strict=True):
                if of_muscle:
                    raise ModelError(f"at time {state.getTime():.6g} s: muscle '{muscle.path.muscle}': {of_muscle[0]}")
        return {
            muscle.path.muscle: WrappedPath(
                shape.sequence,
                tuple(
                    Arc(muscle.surfaces[name].body, controls, jacobian, bias)
                    for name, controls, jacobian, bias in zip(
                        shape.surfaces, shape.controls, jacobians[i], biases[i], strict=True
                    )
                ),
                tuple(remarks[i]),
            )
            for i, (muscle, shape) in enumerate(zip(self._muscles, base, strict=True))
        }

    def _remarks(self, muscle: CurrentPath, shape: PathShape) -> list[str]:
        if shape.broken:
            broken = f"it follows OpenSim's own path, which is broken on {listed(shape.broken)}"
            return [f"{broken}: OpenSim shows no path over the surface there, and it goes straight past it"]
        state = self._storage.state
        if len(shape.surfaces) < 2 or abs(muscle.reported_length(state) - muscle.length(state)) < FAR:
            return []
        return [FAR_FROM_LENGTH]

    def _biases(
        self, state: osim.State, q: Array, qdot: Array, u: Array, base: list[PathShape], rates: list[list[Array]]
    ) -> list[list[Array]]:
        """Return accelerations of the arcs' control points at udot = 0, by second differences along the motion."""
        affected = [i for i, shape in enumerate(base) if shape.controls]
        result = [[np.zeros((CONTROLS, 3)) for _ in shape.controls] for shape in base]
        fastest = float(np.abs(qdot).max(initial=0.0))
        if fastest == 0 or not affected:
            return result
        curve = 0.5 * self._product(state, u, "multiplyByNDot")

        def along(
            step: float, which: list[int], places: tuple[int, ...] = (-2, -1, 1, 2)
        ) -> dict[int, list[PathShape]]:
            return {k: self._shapes(q + k * step * qdot + (k * step) ** 2 * curve, which) for k in places}

        step = BIAS_STEP / fastest
        sides = along(step, affected, (-1, 1))
        doubtful = []
        for n, i in enumerate(affected):
            central = _smooth_difference(sides[-1][n], base[i], sides[1][n], rates[i], step, fastest)
            if central is None:
                doubtful.append(i)
            else:
                result[i] = central
        if not doubtful:
            return result
        places = [affected.index(i) for i in doubtful]
        shapes = along(step, doubtful, (-2, 2)) | {k: [s[n] for n in places] for k, s in sides.items()}
        for n, i in enumerate(doubtful):
            value, spread = _second_differences({k: s[n] for k, s in shapes.items()}, base[i], step, fastest)
            if spread > DISAGREEMENT:
                finer = step / FINER
                finer_shapes = {k: s[0] for k, s in along(finer, [i]).items()}
                value, finer_spread = _second_differences(finer_shapes, base[i], finer, fastest)
                if finer_spread > max(DISAGREEMENT, 0.5 * spread):  # a jump
                    coarse = COARSE_STEP / fastest
                    finer_shapes = {k: s[0] for k, s in along(coarse, [i]).items()}
                    value, _ = _second_differences(finer_shapes, base[i], coarse, fastest)
            result[i] = value
        return result

    def _differences_at_kink(
        self, q: Array, direction: Array, i: int, base: PathShape, kink: float
    ) -> tuple[list[Array], bool]:
        """Return the derivative of control points along a direction at a kink, and whether the path jumps there."""
        for step in (STEP / FINER, COARSE_STEP):
            (plus,), (minus,) = (self._shapes(q + k * step * direction, [i]) for k in (1, -1))
            columns, finer_kink = _differences(plus, base, minus, step)
            if finer_kink <= max(KINK, 0.5 * kink):
                break
        (plus,), (minus,) = (self._shapes(q + k * SIDE_STEP * direction, [i]) for k in (1, -1))
        sides = [
            [(a - b) / (k * SIDE_STEP) for a, b in zip(shape.controls, base.controls, strict=True)]
            for k, shape in ((1, plus), (-1, minus))
            if shape.same_structure(base)
        ]
        one_side = min(sides, key=_largest, default=columns)
        leaps = step * _largest([a - b for a, b in zip(columns, one_side, strict=True)]) > LEAP
        return one_side if leaps else columns, leaps

    def _product(self, state: osim.State, vector: Array, name: str) -> Array:
        out = osim.Vector()
        getattr(self._matter, name)(state, False, osim.Vector.createFromMat(vector), out)
        return np.array(out.to_numpy())

    def _shapes(self, q: Array, which: Sequence[int] | range) -> list[PathShape]:
        state = self._storage.state
        state.setQ(osim.Vector.createFromMat(q))
        self.model.realizePosition(state)
        return [self._muscles[i].shape(state) for i in which]

    def _find_moving_speeds(self, coordinates: CoordinateTable) -> list[set[int]]:
        """Return, per muscle, the set of speeds that move the bodies of the path relative to each other."""
        rng = np.random.default_rng(1)
        moving: list[set[int]] = [set() for _ in self._muscles]
        lo, hi = np.maximum(coordinates.ranges[:, 0], -1.5), np.minimum(coordinates.ranges[:, 1], 1.5)
        J, state = osim.Matrix(), self._storage.state
        for _ in range(3):
            coordinates.set_values(state, lo + (hi - lo) * rng.uniform(0.1, 0.9, self._nu))
            self.model.realizePosition(state)
            self._matter.calcSystemJacobian(state, J)
            jacobian = J.to_numpy().reshape(-1, 6, self._nu)
            for i, muscle in enumerate(self._muscles):
                moving[i] |= set(np.flatnonzero(muscle.moved_apart(jacobian, state) > 1e-10).tolist())
        for muscle, speeds in zip(self._muscles, moving, strict=True):
            functions = [f for p in muscle.path.points if isinstance(p, MovingPoint) for f in p.functions]
            speeds |= {coordinates.index(f.coordinate) for f in functions if f.coordinate}
        return moving


class FallbackPaths(dict[str, WrappedPath]):
    """OpenSim's paths by muscle at one ``time`` [s]; the function ``find`` computes the path of a missing muscle."""

    time: float
    reported: Mapping[str, float]
    find: Callable[[str], WrappedPath | None]

    def with_path(self, muscle: str) -> FallbackPaths | None:
        """Return a copy that also has the path of ``muscle``; None if it has this path already or ``find`` has none."""
        path = None if muscle in self else self.find(muscle)
        if path is None:
            return None
        paths = FallbackPaths({**self, muscle: path})
        vars(paths).update(vars(self))
        return paths


def _differences(plus: PathShape, base: PathShape, minus: PathShape, step: float) -> tuple[list[Array], float]:
    """Return central-difference derivatives of control points, and the largest gap between one-sided derivatives."""
    left, right = minus.same_structure(base), plus.same_structure(base)
    forward = [(a - c) / step for a, c in zip(plus.controls, base.controls, strict=True)] if right else None
    backward = [(c - b) / step for c, b in zip(base.controls, minus.controls, strict=True)] if left else None
    if forward is None and backward is None:
        return [np.zeros_like(c) for c in base.controls], 0.0
    if forward is None or backward is None:
        return forward or backward or [], 0.0
    kink = max(float(np.abs(f - b).max()) for f, b in zip(forward, backward, strict=True))
    return [0.5 * (f + b) for f, b in zip(forward, backward, strict=True)], kink


def _largest(arrays: Sequence[Array]) -> float:
    return max((float(np.abs(array).max()) for array in arrays), default=0.0)


def _smooth_difference(
    before: PathShape, base: PathShape, after: PathShape, rates: list[Array], step: float, fastest: float
) -> list[Array] | None:
    """Return central second differences of control points; None if one-sided differences disagree."""
    if not (before.same_structure(base) and after.same_structure(base)):
        return None
    ahead = [x - y for x, y in zip(after.controls, base.controls, strict=True)]
    behind = [x - y for x, y in zip(before.controls, base.controls, strict=True)]
    central = [(x + y) / step**2 for x, y in zip(ahead, behind, strict=True)]
    spread = _largest([(x - y) / step**2 - 2 * v / step for x, y, v in zip(ahead, behind, rates, strict=True)])
    return central if spread <= DISAGREEMENT * max(_largest(central), SMALL_CURVATURE * fastest**2) else None


def _second_differences(
    along: dict[int, PathShape], base: PathShape, step: float, fastest: float
) -> tuple[list[Array], float]:
    """Return second derivatives of control points (smallest estimate if estimates disagree), and estimates' spread."""
    usable = {k for k, shape in along.items() if shape.same_structure(base)}
    shapes = {0: base, **along}
    candidates = []
    for stencil in ((-1, 0, 1), (0, 1, 2), (-2, -1, 0)):
        if set(stencil) - {0} <= usable:
            a, b, c = (shapes[k].controls for k in stencil)
            candidates.append([(x - 2 * y + z) / step**2 for x, y, z in zip(a, b, c, strict=True)])
    if not candidates:
        return [np.zeros_like(c) for c in base.controls], 0.0
    sizes = [_largest(c) for c in candidates]
    smallest = int(np.argmin(sizes))
    spread = (max(sizes) - sizes[smallest]) / max(sizes[smallest], SMALL_CURVATURE * fastest**2)
    return candidates[0 if spread <= DISAGREEMENT else smallest], spread


def _independent_groups(moved_by: Sequence[set[int]], nu: int) -> list[list[int]]:
    """Return groups of speeds, so that no muscle's path depends on two speeds of one group."""
    groups: list[list[int]] = []
    for speed in range(nu):
        if not any(speed in m for m in moved_by):
            continue
        rivals = set().union(*(m for m in moved_by if speed in m))
        for group in groups:
            if not rivals & set(group):
                group.append(speed)
                break
        else:
            groups.append([speed])
    return groups

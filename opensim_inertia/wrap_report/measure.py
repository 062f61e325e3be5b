"""A model's wrapping muscles at a pose: OpenSim's paths, ours and the exact ones, their lengths and distances."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..checks import silenced
from ..errors import OPENSIM_ERRORS, MassError, ModelError, UnsupportedPathError, opensim_reason
from ..inertial.assembly import assemble
from ..inertial.evaluation import Evaluation
from ..inertial.options import Options
from ..inertial.path_source import PathSource
from ..inertial.wrap_comparison import BENT
from ..kernel import KernelMuscle
from ..masses import half_thickness, table_architecture
from ..masses.estimate import estimate_supported, select_muscles
from ..material.whole_path import MIDDLE, POINTS, WHOLE
from ..reading import (
    Kinematics,
    StateKinematics,
    follow_couplers,
    initialise,
    model_muscles,
    own_copy,
    random_poses,
    read_coordinates,
    read_path,
)
from ..wrapping import (
    Arc,
    OpenSimPaths,
    Surface,
    WrappedPath,
    WrappingFallbackWarning,
    all_by_opensim,
    can_be_laid,
    current_path,
    has_wraps,
)
from ..wrapping.arcs import CONTROLS
from ..wrapping.current_path import CurrentPath, PathShape, moved_apart

#: Motions of bodies against each other below this [rad or m per unit of a coordinate] are rounding.
STILL = 1e-8

#: Step [rad or m] of central differences along coordinates.
STEP = 1e-5

#: "exact": ours without smoothing, over surfaces themselves where networks stand for them.
Way = Literal["opensim", "ours", "exact"]
WAYS: tuple[Way, ...] = ("opensim", "ours", "exact")


@dataclass(frozen=True)
class Difference:
    """The difference of two paths; NaN where one of them is missing.

    Attributes:
        length: difference of their lengths, signed [m].
        points: largest distance of their mass points [m].
    """

    length: float
    points: float

    @property
    def size(self) -> float:
        """The larger of both, in size [m]."""
        return float(np.maximum(abs(self.length), self.points))


@dataclass(frozen=True)
class Comparison:
    """A muscle's paths at one pose.

    Attributes:
        ours, exact: each less OpenSim's.
        smoothing: ours less the exact one.
        apart: what separates both but for the smooth touch, which is meant: the exact one less OpenSim's; ours, where
            networks lead it or there is no exact one.
        stale: ``getLength`` less the length of the path that OpenSim shows [m].
        touched: whether OpenSim's path touches a surface, and ours.
    """

    ours: Difference
    exact: Difference
    smoothing: Difference
    apart: Difference
    stale: float
    touched: tuple[bool, bool]


class Bench:
    """A model's wrapping muscles, each with OpenSim's path, ours and the exact one at a pose.

    Attributes:
        names: all muscles with wrap objects.
        live: OpenSim's path of each that can be compared.
        unsupported: the reason why another one cannot be compared, by name.
        state, kinematics, shapes: the present pose, and OpenSim's paths at it.
    """

    def __init__(
        self,
        model: osim.Model | str | os.PathLike[str],
        muscles: str | Iterable[str] | None,
        wrapping: str,
        smoothing: float | None,
        strict: bool = False,
    ) -> None:
        options = Options(wrapping=wrapping, smoothing=smoothing, strict=strict, warn_wraps=False)
        self.model = own_copy(model)
        state = initialise(self.model)
        self.coordinates = read_coordinates(self.model, state)
        self.names: list[str] = []
        self.live: dict[str, CurrentPath] = {}
        self.unsupported: dict[str, str] = {}
        self._muscles = model_muscles(self.model)
        for name in select_muscles(list(self._muscles), muscles):
            self._read(name)
        paths = [live.path for live in self.live.values()]
        carriers = [s.body for live in self.live.values() for s in live.surfaces.values()]
        self.bodies = tuple(dict.fromkeys([*(b for p in paths for b in p.bodies), *carriers]))
        self._number = {name: i for i, name in enumerate(self.live)}
        self._kinematics = Kinematics(self.model, self.coordinates, self.bodies)
        self.state = osim.State(self.model.getWorkingState())
        self.kinematics = self._kinematics.read(state)
        self.shapes: dict[str, PathShape] = {}
        laid = [KernelMuscle(path, WHOLE, 1.0, MIDDLE) for path in paths]
        with silenced(WrappingFallbackWarning):  # the table tells
            source = PathSource(self.model, self.coordinates)
            ours = assemble(source, self.coordinates, self.bodies, laid, np.zeros(3), options, self._half_thickness())
        self.plan = ours.plan
        self._evaluations: dict[Way, Evaluation] = {
            "opensim": replace(ours, plan=all_by_opensim(self.live)).evaluation,
            "ours": ours.evaluation,
            "exact": replace(ours, plan=self.plan.exact(keep_networks=False)).evaluation,
        }

    def _read(self, name: str) -> None:
        muscle = self._muscles[name]
        if not has_wraps(muscle):
            return
        self.names.append(name)
        try:
            self.live[name] = current_path(self.model, read_path(muscle, self.coordinates))
        except UnsupportedPathError as error:
            self.unsupported[name] = str(error)

    def _half_thickness(self) -> dict[str, float]:
        """Return the half thickness of the bellies [m] by the default estimate of masses; none where there is none."""
        try:
            table = estimate_supported(self.model, "massless", muscles=list(self.live))
        except (MassError, UnsupportedPathError):
            return {}
        masses = dict(zip(table["muscle"], table["mass"].to_numpy(float).tolist(), strict=True))
        return half_thickness(masses, table_architecture(table, self.model))

    def way(self, name: str) -> str:
        """Return the way of wrapping that a muscle goes."""
        if name in self.plan.opensim:
            return "opensim"
        if name in self.plan.fitted:
            return "polynomial"
        return "neural" if any(site.network is not None for site in self.plan.sites.get(name, ())) else "analytic"

    # -- poses -----------------------------------------------------------------------------------------------------

    def place(self, q: Array, muscles: Iterable[str] | None = None) -> None:
        """Go to a pose, at rest, and read OpenSim's paths of these muscles (None: all)."""
        if any(live.path.is_cable for live in self.live.values()):
            self.state = osim.State(self.model.getWorkingState())  # cables depend on where a state was before
        self.coordinates.set_values(self.state, q)
        try:
            self.kinematics = self._kinematics.read(self.state)
        except OPENSIM_ERRORS as error:
            raise ModelError(f"OpenSim cannot take this pose: {opensim_reason(error)}") from None
        self.shapes = {}
        still = np.zeros((CONTROLS, 3, len(q))), np.zeros((CONTROLS, 3))
        paths = {}
        for name in self.live if muscles is None else muscles:
            shape = self.shapes[name] = self.live[name].shape(self.state)
            surfaces = [self.live[name].surfaces[s] for s in shape.surfaces]
            arcs = [Arc(s.body, controls, *still) for s, controls in zip(surfaces, shape.controls, strict=True)]
            paths[name] = WrappedPath(shape.sequence, tuple(arcs))
        self.kinematics = self.kinematics._replace(paths=paths)

    def possible(self, q: Array) -> Array:
        """Return those of the poses q (poses, nu) that OpenSim can take: no end of a cable lies inside an obstacle."""
        has_cables = any(live.path.is_cable for live in self.live.values())
        return q[can_be_laid(self.model, self.coordinates, q)] if has_cables else q

    def set_derivatives(self, name: str, opensim: OpenSimPaths) -> None:
        """Give OpenSim's arcs at the present pose their derivatives."""
        paths = {**self.kinematics.paths, name: opensim.paths(self.state)[name]}
        self.kinematics = self.kinematics._replace(paths=paths)

    def moved_by(self, name: str, locked: bool = False) -> list[str]:
        """Return coordinates that move a muscle's bodies against each other.

        Those that follow others or are locked are left out.

        Args:
            name: the muscle.
            locked: keep those that are locked.
        """
        live = self.live[name]
        bodies = [*map(self.bodies.index, dict.fromkeys([*live.path.bodies, *(s.body for s in self.surfaces(name))]))]
        moved = np.zeros(len(self.coordinates.names), dtype=bool)
        for kinematics, motions in self._motions:
            twists = [kinematics.jacobian[6 * b : 6 * b + 6] @ motions for b in bodies]
            moved |= moved_apart(twists, kinematics.position[bodies]) > STILL
        names = np.array(self.coordinates.names)[moved].tolist()
        return [n for n in names if locked or not self.model.getCoordinateSet().get(n).get_locked()]

    @cached_property
    def _motions(self) -> list[tuple[StateKinematics, Array]]:
        """States at some poses, and each coordinate's motion there (nu, nu), with those that follow it.

        A follower's own motion is 0.
        """
        result = []
        for q in self.possible(random_poses(self.model, self.coordinates, 3, margin=0.1)):
            self.place(q, ())
            sides = q + STEP * np.stack([np.eye(len(q)), -np.eye(len(q))])
            ahead, behind = (follow_couplers(self.model, self.coordinates, side) for side in sides)
            result.append((self.kinematics, (ahead - behind).T / (2 * STEP)))
        return result

    # -- paths at the present pose ---------------------------------------------------------------------------------

    def positions(self, name: str, way: Way, fractions: Array) -> Array:
        """Return places (n, 3) [m] in ground at these fractions of a path; NaN where there is no path."""
        try:
            return self._material_points(name, way, fractions, False)[0]
        except ModelError:
            return np.full((len(fractions), 3), np.nan)

    def jacobians(self, name: str, way: Way, fractions: Array) -> Array:
        """Return derivatives (n, 3, nu) of these places.

        OpenSim's are right only after :meth:`set_derivatives`.
        """
        return self._material_points(name, way, fractions, True)[2]

    def _material_points(self, name: str, way: Way, fractions: Array, jacobians: bool) -> tuple[Array, ...]:
        pairs = [(fraction, fraction) for fraction in fractions.tolist()]
        return self._evaluations[way].material_points(self._seen_by(name, way), self._number[name], pairs, jacobians)

    def length(self, name: str, way: Way) -> float:
        """Return the length of a path [m]; NaN where there is none."""
        return self._evaluations[way].path_length(self._seen_by(name, way), self._number[name])

    def _seen_by(self, name: str, way: Way) -> StateKinematics:
        """Return the present pose, with OpenSim's paths only where a muscle is led by them."""
        by_opensim = way == "opensim" or name in self.plan.opensim
        return self.kinematics if by_opensim else self.kinematics._replace(paths={})

    def compare(self, name: str) -> Comparison:
        """Compare a muscle's three paths."""
        live = self.live[name]
        lengths = {way: self.length(name, way) for way in ("ours", "exact")}
        lengths["opensim"] = live.length(self.state)
        places = {way: self.positions(name, way, POINTS) for way in WAYS}

        def less(a: Way, b: Way) -> Difference:
            apart = np.linalg.norm(places[a] - places[b], axis=1)
            return Difference(lengths[a] - lengths[b], float(apart.max()))

        ours, exact = less("ours", "opensim"), less("exact", "opensim")
        is_exact = self.way(name) != "neural" and np.isfinite([ours.length, exact.length]).all()
        points = np.array(list(self.points(name).values()))
        straight = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        return Comparison(
            ours=ours,
            exact=exact,
            smoothing=less("ours", "exact"),
            apart=exact if is_exact else ours,
            stale=live.told_length(self.state) - lengths["opensim"],
            touched=(bool(self.shapes[name].surfaces), lengths["exact"] - straight > BENT),
        )

    # -- surfaces --------------------------------------------------------------------------------------------------

    def surfaces(self, name: str) -> list[Surface]:
        """Return a muscle's active surfaces."""
        return [s for s in self.live[name].surfaces.values() if s.active]

    def points(self, name: str) -> dict[int, Array]:
        """Return the places in ground of the path points that are there, by index and in their order."""
        return dict(sorted(self.live[name].active_points(self.state).items()))

    def points_beside(self, name: str, surface: Surface) -> Array:
        """Return the path points (n, 3) between which a surface may be wrapped, in its frame."""
        first, last = self.live[name].wrap_ranges()[surface.name]
        points = [x for i, x in self.points(name).items() if first <= i <= last]
        return self.local(surface, np.reshape(points, (-1, 3)))

    def chord_gap(self, name: str, surface: Surface) -> float:
        """Return the distance [m] by which the straight lines between these points pass outside a surface."""
        points, t = self.points_beside(name, surface), np.linspace(0.0, 1.0, 101)[:, None]
        chords = [a + t * (b - a) for a, b in zip(points[:-1], points[1:], strict=True)]
        return min((float(surface.gap(chord).min()) for chord in chords), default=0.0)

    def clearance(self, name: str, way: Way, surface: Surface, samples: int = 1600) -> float:
        """Return the distance [m] by which a path passes outside a surface; negative if it passes inside."""
        return float(surface.gap(self.local(surface, self.positions(name, way, np.linspace(0, 1, samples)))).min())

    def local(self, surface: Surface, x: Array) -> Array:
        """Return points (n, 3), given in ground, in a surface's frame."""
        b = self.bodies.index(surface.body)
        return surface.from_body((x - self.kinematics.position[b]) @ self.kinematics.rotation[b])

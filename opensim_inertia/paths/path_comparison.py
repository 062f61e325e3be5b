"""A model's wrapping muscles at a pose: OpenSim's paths, ours and the exact ones, their lengths and distances."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from .._core.arrays import Array
from .._core.errors import OPENSIM_ERRORS, ModelError, opensim_reason
from .._core.opensim import osim
from ..muscles.material import POINTS
from ..opensim_model.reading.coordinates import CoordinateTable, follow_couplers, random_poses
from ..opensim_model.reading.kinematics import Arc, Kinematics, StateKinematics, WrappedPath
from .kernel.evaluation import Evaluation
from .survey_comparison import BENT, largest_distance, places_on_path
from .wrapping.current_path import CurrentPath, PathShape, moved_apart, polyline_length
from .wrapping.path_samples import can_be_laid
from .wrapping.plan import WrapPlan
from .wrapping.surfaces import CONTROLS, Surface

#: Motions of bodies against each other below this [rad or m per unit of a coordinate] are rounding.
STILL = 1e-8

#: Step [rad or m] of central differences along coordinates.
STEP = 1e-5

#: "exact": ours without smoothing, over surfaces themselves where networks stand for them.
Way = Literal["opensim", "ours", "exact"]
WAYS: tuple[Way, ...] = ("opensim", "ours", "exact")


class Comparison(NamedTuple):
    """A muscle's path compared with OpenSim's at one pose, less the smooth touch; NaN where one of them is missing."""

    length: float  # difference of their lengths, signed [m]
    points: float  # largest distance of their mass points [m]
    smoothing: float  # the larger of both by which the smooth touch changes ours [m]
    stale: float  # ``getLength`` minus the length of the path that OpenSim shows [m]
    touched: tuple[bool, bool]  # whether OpenSim's path touches a surface, and ours


class PathComparison:
    """A model's wrapping muscles, each with OpenSim's path, ours and the exact one at a pose."""

    def __init__(
        self,
        model: osim.Model,
        coordinates: CoordinateTable,
        live: Mapping[str, CurrentPath],
        plan: WrapPlan,
        evaluations: Mapping[Way, Evaluation],
    ) -> None:
        """Read the default pose; :meth:`set_pose` sets others."""
        self.model, self.coordinates, self.live, self.plan = model, coordinates, dict(live), plan
        self.evaluations = dict(evaluations)
        self.bodies = self.evaluations["ours"].bodies
        self._number = {name: i for i, name in enumerate(self.live)}
        self._kinematics = Kinematics(model, coordinates, self.bodies)
        self.state = osim.State(model.getWorkingState())
        self.kinematics = self._kinematics.read(self.state)
        self.shapes: dict[str, PathShape] = {}

    def way(self, name: str) -> str:
        """Return the way of wrapping that a muscle goes."""
        if name in self.plan.opensim:
            return "opensim"
        return "neural" if any(site.network for site in self.plan.sites.get(name, ())) else "analytic"

    # -- poses -----------------------------------------------------------------------------------------------------

    def set_pose(self, q: Array, muscles: Iterable[str] | None = None) -> None:
        """Set the pose to coordinate values q (nu,) at rest, and read OpenSim's paths of these muscles (None: all)."""
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

    def moved_by(self, name: str, locked: bool = False) -> list[str]:
        """Return coordinates, not coupled and not ``locked``, that move a muscle's bodies relative to each other."""
        live = self.live[name]
        bodies = [*map(self.bodies.index, dict.fromkeys([*live.path.bodies, *(s.body for s in self.surfaces(name))]))]
        is_moving = np.zeros(len(self.coordinates.names), dtype=bool)
        for kinematics, motions in self._motions:
            twists = [kinematics.jacobian[6 * b : 6 * b + 6] @ motions for b in bodies]
            is_moving |= moved_apart(twists, kinematics.position[bodies]) > STILL
        names = np.array(self.coordinates.names)[is_moving].tolist()
        return [n for n in names if locked or not self.model.getCoordinateSet().get(n).get_locked()]

    @cached_property
    def _motions(self) -> list[tuple[StateKinematics, Array]]:
        """States at some poses, and each coordinate's motion there (nu, nu) with those that follow it."""
        result = []
        for q in self.possible(random_poses(self.model, self.coordinates, 3, margin=0.1)):
            self.set_pose(q, ())
            sides = q + STEP * np.stack([np.eye(len(q)), -np.eye(len(q))])
            ahead, behind = (follow_couplers(self.model, self.coordinates, side) for side in sides)
            result.append((self.kinematics, (ahead - behind).T / (2 * STEP)))
        return result

    # -- paths at the present pose ---------------------------------------------------------------------------------

    def positions(self, name: str, way: Way, fractions: Array) -> Array:
        """Return places (n, 3) [m] in ground at these fractions of a path; NaN where there is no path."""
        try:
            return places_on_path(self.evaluations[way], self.state_of(name, way), self._number[name], fractions)
        except ModelError:
            return np.full((len(fractions), 3), np.nan)

    def length(self, name: str, way: Way) -> float:
        """Return the length of a path [m]; NaN where there is none."""
        return float(self.evaluations[way].path_lengths(self.state_of(name, way), [self._number[name]])[0])

    def state_of(self, name: str, way: Way) -> StateKinematics:
        """Return the present pose, with OpenSim's paths only where a muscle is led by them."""
        by_opensim = way == "opensim" or name in self.plan.opensim
        return self.kinematics if by_opensim else self.kinematics._replace(paths={})

    def compare(self, name: str) -> Comparison:
        """Return the comparison of a muscle's paths at the current pose."""
        live = self.live[name]
        lengths = {way: self.length(name, way) for way in ("ours", "exact")}
        lengths["opensim"] = live.length(self.state)
        places = {way: self.positions(name, way, POINTS) for way in WAYS}

        def difference(a: Way, b: Way) -> tuple[float, float]:
            return lengths[a] - lengths[b], largest_distance(places[a], places[b])

        is_exact = self.way(name) != "neural" and np.isfinite([*lengths.values()]).all()
        straight = polyline_length(np.array(list(self.points(name).values())))
        return Comparison(
            *difference("exact" if is_exact else "ours", "opensim"),
            smoothing=float(np.max(np.abs(difference("ours", "exact")))),
            stale=live.reported_length(self.state) - lengths["opensim"],
            touched=(bool(self.shapes[name].surfaces), lengths["exact"] - straight > BENT),
        )

    # -- surfaces --------------------------------------------------------------------------------------------------

    def surfaces(self, name: str) -> list[Surface]:
        """Return a muscle's active surfaces."""
        return [s for s in self.live[name].surfaces.values() if s.active]

    def points(self, name: str) -> dict[int, Array]:
        """Return the places in ground of the path points that are there, by index and in their order."""
        return dict(sorted(self.live[name].active_points(self.state).items()))

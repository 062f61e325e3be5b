"""Donor segments of a muscle: the segments that contain parts of the belly at the reference pose.

A path crosses the joints between the bodies of its points at the points nearest to the joint centres. Bodies lighter
than :data:`SMALLEST_DONOR` of the model's mass pass their parts of the path to their parent, but not to ground. The
belly follows the architecture (:mod:`~opensim_inertia.muscles.masses.architecture`), with trapezoidal mass. Parts with
less than :data:`SMALLEST_SHARE` of the mass join the larger neighbour.

The cell ``segment`` of a mass table names one segment, or shares of mass from origin to insertion:
``0.62 pelvis + 0.38 femur_r``. A segment may occur twice, and may be ``ground``.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import (
    FileFormatError,
    MassError,
    ModelError,
    OptionError,
    UnknownNameError,
    UnsupportedPathError,
)
from ..._core.opensim import osim
from ..._core.options import finite
from ...files.tables import load_motion_table
from ...opensim_model.reading.coordinates import CoordinateTable, coordinate_of_path, follow_couplers
from ...opensim_model.reading.loading import InitialisedModel
from ...opensim_model.reading.paths import PlacedPoint, path_on_bodies
from .architecture import MuscleArchitecture, default_architecture

SMALLEST_DONOR = 0.005
"""Lighter bodies, relative to the model's mass, are not donors by default: patella, talus, toes."""

SMALLEST_SHARE = 0.05
"""Least share of a muscle's mass that has its own donor segment."""


Reference: TypeAlias = osim.State | Mapping[str, float] | ArrayLike | str | os.PathLike[str] | None
"""Types of a reference pose, see :func:`reference_pose`."""


def reference_pose(model: Any, reference: Reference = None) -> tuple[Any, Any]:
    """Return a copy of ``model`` and the copy's state at a reference pose; ``model`` and its states are unchanged.

    Keep both: a state must not outlive its model.

    Args:
        model: ``osim.Model``, or an initialised model, which is returned without a copy.
        reference: one of

            * ``None``: the default pose;
            * a dict ``{coordinate: value}`` in rad or m; other coordinates keep their defaults;
            * an array (nu,) of all coordinates in rad or m, in the order of the model's speeds
              (``InertialModel.coordinates.names``);
            * the path of a motion file of a static trial (``.mot`` or ``.sto``): the mean over time. Other columns are
              ignored, as in inverse dynamics;
            * an ``osim.State`` of a model with the same coordinates, which must still exist: its coordinate values.

            Locked coordinates take the given values. Enforced couplers determine coupled coordinates; other constraints
            are not enforced.

    Raises:
        UnknownNameError: the model has no such coordinate, or none of the file's columns is one.
        OptionError: a value is not a finite number, or there are too many or too few of them.
        FileFormatError: the file is missing or malformed, or a coordinate in it is not a number.
        ModelError: the model cannot be initialised.
    """
    ready, state = model_at_reference(model, reference)
    return ready.model, state


def model_at_reference(
    model: osim.Model | InitialisedModel, reference: Reference = None
) -> tuple[InitialisedModel, osim.State]:
    """Return the initialised model and its state at a reference pose."""
    model = InitialisedModel.of(model)
    if reference is None:
        return model, model.state
    copy, state = model.model, osim.State(model.state)
    table = model.coordinates
    if isinstance(reference, osim.State):
        if reference.getNQ() != state.getNQ():
            raise OptionError(
                "reference",
                f"a state of {reference.getNQ()} generalized coordinates",
                f"one of {state.getNQ()}, as model '{copy.getName()}' has",
            )
        state.setQ(reference.getQ())
        return model, state
    values = _pose(copy, table, table.values(state), reference)
    table.set_values(state, follow_couplers(copy, table, values[None])[0])
    return model, state


def _pose(model: Any, table: CoordinateTable, default: Array, reference: Any) -> Array:
    """Return coordinate values (nu,) [rad or m] of a reference pose given as dict, array or file."""
    where = f"model '{model.getName()}'"
    if isinstance(reference, str | os.PathLike):
        reference = _mean_of_rows(reference, model, table)
    if isinstance(reference, Mapping):
        values = default.copy()
        check_names("coordinate", reference, table.names, where)
        for name, value in reference.items():
            values[table.index(name)] = finite(f" in rad or m for coordinate '{name}'")("reference", value)
        return values
    expected = f"one number in rad or m for each of the {len(table.names)} coordinates of {where}"
    try:
        values = np.array(reference, dtype=float)
    except (TypeError, ValueError):
        raise OptionError("reference", reference, expected) from None
    if values.shape != default.shape:
        raise OptionError("reference", f"an array of shape {values.shape}", expected)
    for name, value in zip(table.names, values, strict=True):
        finite(f" in rad or m for coordinate '{name}'")("reference", value)
    return values


def _mean_of_rows(path: str | os.PathLike[str], model: Any, table: CoordinateTable) -> dict[str, float]:
    motion = load_motion_table(path, model)
    means: dict[str, float] = {}
    for label, column in zip(motion.labels, motion.values.T, strict=True):
        name = coordinate_of_path(label, table.names) or label
        if name in means:
            raise FileFormatError(path, f"coordinate '{name}' has more than one column")
        if name in table.names:
            means[name] = float(column.mean())
    if not means:
        first_label = next(iter(motion.labels), "")
        raise UnknownNameError("coordinate", first_label, table.names, f"{path}, whose columns are none of the model's")
    return means


@dataclass(frozen=True, eq=False)
class Skeleton:
    """Bodies at one pose as lines in ground, from parent joints to child joints or through mass centres."""

    mass: dict[str, float]  # [kg], by body
    parent: dict[str, str]  # parent body by body
    moving: frozenset[str]  # bodies with a mobile parent joint
    lines: dict[str, Array]  # (n, 2, 3) [m]

    @classmethod
    def of(cls, model: Any, state: Any) -> Skeleton:
        """Return the skeleton at a state; raise ModelError if a body's position is not finite."""
        model.realizePosition(state)
        mass: dict[str, float] = {}
        ends: dict[str, Array] = {}
        for body in model.getBodySet():
            mass[body.getName()] = float(body.getMass())
            ends[body.getName()] = body.findStationLocationInGround(state, body.getMassCenter()).to_numpy().copy()
            if not np.isfinite(ends[body.getName()]).all():
                raise ModelError(
                    f"model '{model.getName()}': the place of body '{body.getName()}' is not finite at the reference "
                    "pose; check its centre of mass, its joint and the joint's functions"
                )
        parent: dict[str, str] = {}
        start: dict[str, Array] = {}
        moving: list[str] = []
        children: dict[str, list[Array]] = {name: [] for name in mass}
        for joint in model.getJointSet():
            parent_name = joint.getParentFrame().findBaseFrame().getName()
            child_name = joint.getChildFrame().findBaseFrame().getName()
            if child_name not in mass or child_name in parent:  # a second parent joint closes a loop
                continue
            parent[child_name] = parent_name
            if joint.numCoordinates():
                moving.append(child_name)
            start[child_name] = joint.getChildFrame().getPositionInGround(state).to_numpy().copy()
            if parent_name in children:
                children[parent_name].append(start[child_name])
        lines = {}
        for name, centre in ends.items():
            origin = start.get(name, centre)
            lines[name] = np.array([[origin, end] for end in children[name] or [2 * centre - origin]])
        return cls(mass, parent, frozenset(moving), lines)

    def chain(self, first: str, last: str) -> tuple[list[str], list[str]]:
        """Return the bodies along the joints from ``first`` to ``last``, and the child bodies of these joints."""
        from_first, from_last = self.ancestors(first), self.ancestors(last)
        common = next((name for name in from_first if name in from_last), None)
        if common is None:
            return [first, last], []
        up, down = from_first[: from_first.index(common)], from_last[: from_last.index(common)][::-1]
        return [*up, common, *down], [*up, *down]

    def holder(self, body: str, least: float) -> str:
        """Return the first of a body and its ancestors with >= ``least`` [kg]; else the first with a mobile joint."""
        names = self.ancestors(body)
        heavy = [name for name in names if self.mass.get(name, 0.0) >= least]
        return next(iter(heavy + [name for name in names if name in self.moving]), GROUND)

    def ancestors(self, name: str) -> list[str]:
        """Return a body and its ancestors up to the root."""
        names = [name]
        while name in self.parent and self.parent[name] not in names:
            name = self.parent[name]
            names.append(name)
        return names


def default_donors(
    model: Any,
    state: Any,
    muscles: Iterable[str] | None = None,
    architectures: Mapping[str, MuscleArchitecture] | None = None,
) -> dict[str, str]:
    """Return, by muscle, the donor segments as text for the column ``segment`` of a mass table.

    Args:
        model: ``osim.Model`` with a system; not modified.
        state: its state at the reference pose (:func:`reference_pose`).
        muscles: names of muscles; default: all.
        architectures: places of bellies by muscle; missing ones have the default architecture.

    Raises: UnknownNameError, UnsupportedPathError (a path has no points), MassError, ModelError.
    """
    ready = model if isinstance(model, InitialisedModel) else InitialisedModel(model)
    model, muscles_by_name, points = ready.model, ready.muscles, ready.path_points
    skeleton = Skeleton.of(model, state)
    requested = list(muscles_by_name if muscles is None else muscles)
    check_names("muscle", requested, muscles_by_name, f"model '{model.getName()}'")
    bellies = dict(architectures or {})
    others = [name for name in requested if name not in bellies]
    if others:
        bellies |= default_architecture(muscles_by_name, others)
    least = max(SMALLEST_DONOR * sum(skeleton.mass.values()), np.finfo(float).tiny)
    paths = {name: _read_path(muscles_by_name[name], state, points[name]) for name in requested}
    return {name: _donor(*_lain_in(skeleton, *path, least), bellies[name]) for name, path in paths.items()}


def _read_path(muscle: Any, state: Any, path_points: Sequence[PlacedPoint]) -> tuple[Array, list[tuple[int, str]]]:
    """Return all points (n, 3) [m] of a muscle's path in ground, and (index, body) of each path point."""
    try:
        points, own = path_on_bodies(muscle, state, path_points)
    except UnsupportedPathError as error:
        problem = "has no points to find the belly on; say in the mass table which segment is its donor"
        raise UnsupportedPathError(muscle.getName(), error.element, problem) from None
    if len(points) < 2:
        raise ModelError(f"muscle '{muscle.getName()}' has a path of fewer than two points")
    if not np.isfinite(points).all():
        raise ModelError(f"muscle '{muscle.getName()}' has a path that is not finite at the reference pose")
    return points, own


def _lain_in(
    skeleton: Skeleton, points: Array, own: Sequence[tuple[int, str]], least: float
) -> tuple[float, list[tuple[float, str]]]:
    """Divide a path by segment; return path length [m] and (arc length at end [m], segment) of each part in order."""
    along = np.cumsum([0.0, *np.linalg.norm(np.diff(points, axis=0), axis=1)]).tolist()
    ends = []
    for (i, first), (j, last) in pairwise(own):
        bodies, joints = skeleton.chain(first, last)
        places = [_nearest(points[i : j + 1], along[i : j + 1], skeleton.lines[joint][0, 0]) for joint in joints]
        if not joints and len(bodies) > 1:
            places = [0.5 * (along[i] + along[j])]
        lower = along[i]
        for body, place in zip(bodies, [*places, along[j]], strict=True):
            lower = max(lower, min(place, along[j]))
            ends.append((lower, skeleton.holder(body, least)))
    return along[-1], ends


def _nearest(points: Array, along: Sequence[float], centre: Array) -> float:
    """Return the arc length [m] at the point of a path that is nearest to a joint centre (3,)."""
    if len(points) < 2:
        return along[0]
    steps = np.diff(points, axis=0)
    squared = np.maximum((steps**2).sum(axis=1), np.finfo(float).tiny)
    shares = np.clip(((centre - points[:-1]) * steps).sum(axis=1) / squared, 0.0, 1.0)
    k = int(np.argmin(np.linalg.norm(points[:-1] + shares[:, None] * steps - centre, axis=1)))
    return along[k] + float(shares[k]) * (along[k + 1] - along[k])


def _donor(length: float, ends: Sequence[tuple[float, str]], architecture: MuscleArchitecture) -> str:
    """Return donor segments as text, from the path length [m] and the path parts that :func:`_lain_in` returns."""
    before = _share_before(length, architecture)
    shares: list[tuple[str, float]] = []
    for end, body in ends:
        share = before(end) - sum(share for _, share in shares)
        if shares and shares[-1][0] == body:
            shares[-1] = body, shares[-1][1] + share
        elif share > 0.0:
            shares.append((body, share))
    return stretches_text(_without_small(shares))


def _share_before(length: float, architecture: MuscleArchitecture) -> Callable[[float], float]:
    """Return a function from a distance [m] along the path to the share of muscle mass before this distance."""
    fibre = max(length - architecture.slack_length, 0.0)
    p, b = sorted((architecture.aponeurosis, fibre))

    def share(distance: float) -> float:
        c = distance - architecture.free_tendon_proximal
        if distance >= length or c >= p + b:
            return 1.0
        if c <= 0.0:
            return 0.0
        if c < p:
            return c * c / (2 * p * b)
        return 1.0 - (p + b - c) ** 2 / (2 * p * b) if c > b else (c - 0.5 * p) / b

    return share


def _without_small(shares: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return (segment, share) pairs, with shares below :data:`SMALLEST_SHARE` merged into the larger neighbour."""
    shares = list(shares)
    while len(shares) > 1:
        k = min(range(len(shares)), key=lambda i: shares[i][1])
        if shares[k][1] >= SMALLEST_SHARE:
            break
        beside = max((i for i in (k - 1, k + 1) if 0 <= i < len(shares)), key=lambda i: shares[i][1])
        shares[beside] = shares[beside][0], shares[beside][1] + shares[k][1]
        del shares[k]
        shares = [(name, sum(share for _, share in group)) for name, group in groupby(shares, key=lambda pair: pair[0])]
    return shares


GROUND = "ground"
"""Segment name of mass frozen to ground, where nothing is subtracted."""

TOLERANCE = 1e-3
"""Tolerance of the sum of shares in a table."""

DECIMALS = 3
"""Decimals of written shares."""

_TERM = re.compile(r"\s*([-+]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?)\s+(\S.*?)\s*")


class Stretch(NamedTuple):
    """A part of a muscle's mass in one donor segment."""

    segment: str
    first: float  # ``first`` to ``last``: range of the muscle's mass from its origin, 0 to 1
    last: float

    @property
    def share(self) -> float:
        """Share of the muscle's mass in this part."""
        return self.last - self.first


def read_stretches(text: str, muscle: str = "") -> tuple[Stretch, ...]:
    """Return the parts of a muscle's mass, by donor segment, from a ``segment`` cell; () for an empty cell."""
    terms = [_TERM.fullmatch(term) for term in re.split(r"\s\+\s", text)]
    if not all(terms) or not terms:
        return (Stretch(text.strip(), 0.0, 1.0),) if text.strip() else ()
    pairs = [(term[2], float(term[1].replace(",", "."))) for term in terms if term]
    total = math.fsum(share for _, share in pairs)
    if min(share for _, share in pairs) <= 0.0 or not abs(total - 1.0) <= TOLERANCE:
        raise MassError(
            f"muscle '{muscle}': the shares of its segments '{text}' add up to {total:.6g}; expected positive shares "
            "that add up to 1, such as '0.6 pelvis + 0.4 femur_r'"
        )
    stretches, first = [], 0.0
    for k, (segment, share) in enumerate(pairs):
        last = 1.0 if k == len(pairs) - 1 else first + share / total
        stretches.append(Stretch(segment, first, last))
        first = last
    return tuple(stretches)


def stretches_text(pairs: Sequence[tuple[str, float]]) -> str:
    """Return (segment, share) pairs as rounded text for :func:`read_stretches`; adjacent equal segments are merged."""
    pairs = [(name, sum(p[1] for p in same)) for name, same in groupby(pairs, key=lambda pair: pair[0])]
    if len(pairs) == 1:
        return pairs[0][0]
    units = 10**DECIMALS
    counts = [round(units * share) for _, share in pairs]
    counts[counts.index(max(counts))] += units - sum(counts)
    return " + ".join(f"{count / units:.{DECIMALS}g} {name}" for (name, _), count in zip(pairs, counts, strict=True))


def main_segment(stretches: Sequence[Stretch]) -> str:
    """Return the segment with the largest share of a muscle's mass."""
    shares: dict[str, float] = {}
    for stretch in stretches:
        shares[stretch.segment] = shares.get(stretch.segment, 0.0) + stretch.share
    return max(shares, key=lambda name: shares[name])


def mass_by_segment(table: Mapping[str, Any]) -> dict[str, float]:
    """Return the total muscle mass [kg] in each donor segment of a mass table."""
    masses: dict[str, float] = {}
    for muscle, mass, text in zip(table["muscle"], table["mass"], table["segment"], strict=True):
        for stretch in read_stretches(text, muscle):
            masses[stretch.segment] = masses.get(stretch.segment, 0.0) + float(mass) * stretch.share
    return masses


def light_segments(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each segment that is lighter than its muscles."""
    return [
        f"{row['segment']}: the model publishes {_kilograms(row['mass'])}; muscles that lie in it weigh "
        f"{_kilograms(row['muscles'])}: it was published without them, or the masses are too large"
        for row in rows
        if row["muscles"] > row["mass"]
    ]


def _kilograms(mass: float) -> str:
    return f"{mass:.2f} kg" if mass >= 0.1 else f"{mass:.2g} kg"

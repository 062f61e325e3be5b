"""Muscles as input of the C++ kernel: dictionaries of numbers, arrays and text, in m and rad.

``plugin_cpp/include/opensim_inertia/description/muscles.hpp`` reads and checks them, also from the plugin's JSON
(:mod:`opensim_inertia.model.plugin.library`).
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._kernel import Kernel
from ...muscles.masses.rigid import parameters
from ...muscles.material import MaterialMap, MaterialPoints
from ...opensim_model.reading.paths import ConditionalPoint, MovingFunction, MovingPoint, MusclePath, PathPoint
from ..wrapping.plan import WrapPlan
from ..wrapping.survey import WrapSite

MapRecord = dict[str, Any]
"""A material map: s = (f + chi e) (L - B) + xi B, with B = phi L - slack limited to ``shortest``.

f is ``proximal`` and e ``aponeurosis``; see :class:`~opensim_inertia.muscles.material.MaterialMap`.
"""

SurfaceRecord = dict[str, Any]
"""A wrap surface of a kind in ``_kernel.surface_kinds()``, and the side and smoothing of its path.

``size`` and ``quadrant`` belong to :class:`~opensim_inertia.paths.wrapping.Surface`, other entries to
:class:`~opensim_inertia.paths.wrapping.WrapSite`. Without a ``network`` the path follows the formula.
"""

MuscleRecord = dict[str, Any]
"""A muscle with continuous ``mass`` [kg], or with ``lumps``: ``masses`` (n,) [kg] at ``chi`` and ``xi``.

``points`` are path points from origin to insertion, ``sites`` wrap surfaces in path order. ``frozen`` mass is
subtracted: ``numbers`` (10,) are mass, first moment, second moments xx, yy, zz, xy, xz, yz. Bodies and coordinates are
indices; -1 means none. If ``path_is_given``, each state has the path, and there are no sites.
"""


@dataclass(frozen=True, eq=False)
class KernelMuscle:
    """A muscle as input of the kernel; ``frozen`` holds pseudo-inertias (4, 4) to subtract, by donor segment."""

    path: MusclePath
    map: MaterialMap
    mass: float  # [kg]
    points: MaterialPoints | None = None  # point masses; None: continuous mass
    frozen: Mapping[str, Array] = field(default_factory=dict)


def build_kernel(
    bodies: Sequence[str],
    coordinate_names: Sequence[str],
    gravity: Array,
    muscles: Sequence[KernelMuscle],
    plan: WrapPlan,
) -> Kernel:
    """Return the kernel for muscles with paths over wrap objects as in ``plan``; ``gravity`` (3,) in ground [m/s^2]."""
    describer = Describer(bodies, coordinate_names)
    records = [describer.muscle(muscle, plan) for muscle in muscles]
    return Kernel(len(bodies), len(coordinate_names), gravity, records)


class Describer:
    """Converter of muscles to dictionaries for the kernel; bodies and coordinates become indices."""

    def __init__(self, bodies: Sequence[str], coordinates: Sequence[str]) -> None:
        self._body = {name: i for i, name in enumerate(bodies)}
        self._coordinate = {name: i for i, name in enumerate(coordinates)}

    def muscle(self, muscle: KernelMuscle, plan: WrapPlan) -> MuscleRecord:
        """Return a muscle as a dictionary for the kernel, with paths over wrap objects as in ``plan``."""
        name, lumps = muscle.path.muscle, muscle.points
        record: MuscleRecord = {
            "name": name,
            "map": vars(muscle.map),
            "points": [self._point(point) for point in muscle.path.points],
            "sites": [self._site(site) for site in plan.sites.get(name, ())],
            "frozen": [
                {"body": self._body[body], "numbers": parameters(matrix)} for body, matrix in muscle.frozen.items()
            ],
            "path_is_given": name in plan.opensim,
        }
        if lumps is None:
            record["mass"] = muscle.mass
        else:
            record["lumps"] = {"chi": lumps.chi, "xi": lumps.xi, "masses": lumps.masses}
        return record

    def function(self, function: MovingFunction) -> dict[str, Any]:
        """Return a function of one coordinate as a dictionary for the kernel."""
        return {
            "coordinate": -1 if function.coordinate is None else self._coordinate[function.coordinate],
            "range": function.range,
            "breaks": function.polynomial.breaks,
            "pieces": function.polynomial.pieces,
        }

    def _point(self, point: PathPoint) -> dict[str, Any]:
        body = self._body[point.body]
        if isinstance(point, MovingPoint):
            functions = [self.function(function) for function in point.functions]
            frame = {"rotation": point.rotation, "origin": point.origin}
            return {"kind": "moving", "body": body, **frame, "functions": functions}
        fixed = {"kind": "fixed", "body": body, "station": point.station}
        if not isinstance(point, ConditionalPoint):
            return fixed
        return fixed | {
            "kind": "conditional",
            "coordinate": self._coordinate[point.coordinate],
            "range": point.range,
        }

    def _site(self, site: WrapSite) -> dict[str, Any]:
        rotation, origin = site.surface.in_body
        place = {"body": self._body[site.surface.body], "rotation": rotation, "origin": origin}
        record: SurfaceRecord = {name: getattr(site.surface, name) for name in ("kind", "size", "quadrant")}
        record |= {name: getattr(site, name) for name in ("smoothing", "turn", "long_way")}
        record |= {"network": planar_network()} if site.network else {}
        return {"surface": record, **place, "first": site.first, "last": site.last}


@cache
def planar_network() -> dict[str, list[dict[str, Array]]]:
    """Return the layers of the neural networks ``position`` and ``length`` for paths over cylinders and spheres.

    d is the chord's distance from the centre (positive on the side of the path); f1 and f2 are distances of its nearest
    point from origin and insertion (negative beyond them); r is the radius, a the fraction of length. Network
    ``position`` maps d/r, asinh(f1/r), asinh(f2/r), a to N: x = chord(a) + 4 a (1 - a) r N. Network ``length`` maps the
    first three to E: length = planar chord + r E. The file describes training and errors.
    """
    file = Path(__file__).with_name("planar_network.json")
    networks = json.loads(file.read_text(encoding="utf-8"))["networks"]
    return {name: [*map(_layer, networks[name])] for name in ("position", "length")}


def _layer(entry: dict[str, Any]) -> dict[str, Array]:
    """Return ``weight`` (outputs, inputs) and ``bias`` (outputs,) of a network layer, decoded from base64."""
    outputs, inputs = entry["shape"]
    numbers = np.frombuffer(b64decode(entry["float32"]), dtype="<f4").astype(np.float64)
    return {"weight": numbers[: outputs * inputs].reshape(outputs, inputs), "bias": numbers[outputs * inputs :]}

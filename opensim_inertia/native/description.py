"""The muscles as a text of words and numbers, from which the plugin makes the kernel that this package uses.

The plugin reads it strictly (``plugin_cpp/opensim_plugin/description.cpp``); each is written to fit the other, and
``VERSION`` changes with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import ModelError, UnsupportedPathError
from ..kernel import KernelMuscle
from ..neural import NeuralWeights
from ..polynomial import Polynomials
from ..reading import (
    ConditionalPoint,
    Kinematics,
    MovingFunction,
    MovingPoint,
    PathPoint,
    PolynomialPoint,
    SharedRotations,
    read_function,
)
from ..wrapping import WrapPlan, WrapSite
from . import fingerprint

#: The version of the text.
VERSION = 3

#: By how many widths of its range a coordinate may be beyond it where a rotation's function has to be sampled.
MARGIN = 1.0

Words = list[str]


def describe(
    model: osim.Model,
    kinematics: Kinematics,
    gravity: Array,
    muscles: Sequence[KernelMuscle],
    plan: WrapPlan,
    given_up: Mapping[str, Array] | None = None,
) -> str:
    """Return the text that describes the muscles to the plugin.

    Args:
        model: the initialised model. Its segments have given up the muscles' mass, but for ``given_up``.
        kinematics: reads its states; says which bodies and coordinates there are.
        gravity: (3,) in ground [m/s^2].
        muscles: the muscles.
        plan: how each path passes its wrap objects.
        given_up: pseudo-inertias (4, 4) that the model's segments still have and are to give up, by segment; the
            component takes them off.

    Raises:
        UnsupportedPathError: OpenSim leads the path of a muscle.
        ModelError: an acceleration of the model is known by differences only, or a name has spaces.
    """
    for muscle in muscles:
        name = muscle.path.muscle
        if name in plan.opensim:
            raise UnsupportedPathError(
                name, "its path", f"is OpenSim's own ({plan.opensim[name]}), which the OpenSim plugin does not follow"
            )
    if not kinematics.knows_bias:
        raise ModelError(
            f"model '{model.getName()}' has joints whose accelerations at constant speeds OpenSim does not know, such "
            "as a CustomJoint with an angle that depends on several coordinates, or by a function of which OpenSim "
            "knows no second derivative (MultivariatePolynomialFunction, ExpressionBasedFunction); the OpenSim plugin "
            "cannot serve it"
        )
    return _Writer(model, kinematics).text(gravity, muscles, plan, given_up or {})


def checksum(words: Iterable[str]) -> str:
    """Return the FNV-1a checksum of words, each followed by a space, in hexadecimal."""
    total = 14695981039346656037
    for byte in "".join(f"{word} " for word in words).encode():
        total = ((total ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return f"{total:016x}"


class _Writer:
    def __init__(self, model: osim.Model, kinematics: Kinematics) -> None:
        self._model, self._kinematics = model, kinematics
        self._body = {name: i for i, name in enumerate(kinematics.bodies)}
        self._coordinate = {name: i for i, name in enumerate(kinematics.coordinates.names)}

    def text(
        self, gravity: Array, muscles: Sequence[KernelMuscle], plan: WrapPlan, given_up: Mapping[str, Array]
    ) -> str:
        names = [muscle.path.muscle for muscle in muscles]
        words = ["gravity", *_numbers(gravity), "bodies", *_counted(map(_word, self._body))]
        words += ["coordinates", *_counted(map(_word, self._coordinate))]
        words += ["rotations", *_each(self._rotation(joint) for joint in self._kinematics.shared_rotations)]
        words += ["segments", *_each(self._given_up(name, matrix) for name, matrix in given_up.items())]
        words += ["muscles", *_each(self._muscle(muscle, plan) for muscle in muscles)]
        words += ["properties"]
        words += _each(
            [_word(path), name, *_counted(_numbers(values))]
            for path, name, values in fingerprint.properties(self._model, names)
        )
        words += ["parts", *_each([_word(path), str(n)] for path, n in fingerprint.parts(self._model, names)), "end"]
        return " ".join(["inertial-muscles", str(VERSION), checksum(words), *words])

    def _given_up(self, segment: str, matrix: Array) -> Words:
        second = matrix[:3, :3]
        inertia = np.trace(second) * np.eye(3) - second
        products = inertia[[0, 0, 1], [1, 2, 2]]
        return [str(self._body[segment]), *_numbers(matrix[3, 3], matrix[:3, 3], np.diag(inertia), products)]

    def _rotation(self, joint: SharedRotations) -> Words:
        base = joint.frame.findBaseFrame()
        transform = joint.frame.findTransformInBaseFrame()
        R = np.array([[transform.R().get(i, j) for j in range(3)] for i in range(3)])
        return [
            _word(base.getName()),
            *_numbers(R, transform.p().to_numpy()),
            *self._angle(joint.second, joint.by_second),
            *self._angle(joint.third, joint.by_third),
            *_numbers(joint.cosine, joint.sine),
            *(str(int(sign)) for sign in joint.carries),
        ]

    def _angle(self, function: osim.Function, coordinate: int) -> Words:
        table = self._kinematics.coordinates
        low, high = table.ranges[coordinate]
        polynomial = read_function(function, low, high, MARGIN)
        if polynomial is None:
            raise ModelError(
                f"model '{self._model.getName()}': a rotation by coordinate '{table.names[coordinate]}', a "
                f"{function.getConcreteClassName()}, is not smooth between {low:.6g} and {high:.6g}, the coordinate's "
                "range, or cannot be sampled there, as the OpenSim plugin needs in joints whose rotations share a "
                "coordinate"
            )
        return self._function(MovingFunction(table.names[coordinate], polynomial, polynomial.reach))

    def _function(self, f: MovingFunction) -> Words:
        coordinate = -1 if f.coordinate is None else self._coordinate[f.coordinate]
        breaks, pieces = f.polynomial.breaks, f.polynomial.pieces
        words = [str(coordinate), *_numbers(f.range), *_counted(_numbers(breaks))]
        return [*words, str(pieces.shape[1]), *_numbers(pieces)]

    def _muscle(self, muscle: KernelMuscle, plan: WrapPlan) -> Words:
        m, points = muscle.map, muscle.points
        lumps = [] if points is None else zip(points.chi, points.xi, points.masses, strict=True)
        sites, path = plan.sites.get(muscle.path.muscle, ()), plan.path_of(muscle.path)
        fitted = {id(p.polynomials): p for p in path.points if isinstance(p, PolynomialPoint)}
        number = {key: i for i, key in enumerate(fitted)}
        return [
            _word(muscle.path.muscle),
            *_numbers(muscle.mass),
            *_each(_numbers(lump) for lump in lumps),
            *_numbers((m.phi, m.slack, m.proximal, m.shortest, m.hold_width, m.aponeurosis)),
            *_each(self._basis(point.polynomials, point.coordinates) for point in fitted.values()),
            *_each(self._point(point, number) for point in path.points),
            *_each(map(self._site, sites)),
        ]

    def _basis(self, terms: Polynomials, coordinates: Sequence[str]) -> Words:
        places = _counted(str(self._coordinate[name]) for name in coordinates)
        exponents = _each([str(e) for e in row] for row in terms.exponents.tolist())
        return [*places, *_numbers(terms.centre, terms.scale), *exponents]

    def _point(self, point: PathPoint, number: Mapping[int, int]) -> Words:
        body = str(self._body[point.body])
        if isinstance(point, PolynomialPoint):
            basis = str(number[id(point.polynomials)])
            return ["polynomial", body, basis, *_numbers(point.coefficients)]
        if isinstance(point, MovingPoint):
            functions = [word for f in point.functions for word in self._function(f)]
            return ["moving", body, *_numbers(point.rotation, point.origin), *functions]
        if isinstance(point, ConditionalPoint):
            coordinate = str(self._coordinate[point.coordinate])
            return ["conditional", body, *_numbers(point.station), coordinate, *_numbers(point.range)]
        return ["fixed", body, *_numbers(point.station)]

    def _site(self, site: WrapSite) -> Words:
        surface = site.surface
        return [
            surface.kind,
            *_counted(_numbers(surface.size)),
            *_numbers(site.smoothing),
            str(int(site.turn)),
            *_numbers(surface.quadrant),
            str(int(site.long_way)),
            str(self._body[surface.body]),
            *_numbers(*surface.in_body),
            str(site.first),
            str(site.last),
            *(["0"] if site.network is None else ["1", *_networks(site.network)]),
        ]


def _networks(weights: NeuralWeights) -> Words:
    words = [str(int(weights.form == "planar"))]
    for name in ("position", "length"):
        layers = weights.networks[name]
        words += _each([str(len(layer.weight)), *_numbers(layer.weight, layer.bias)] for layer in layers)
    return words


def _numbers(*values: object) -> Words:
    return [repr(float(x)) for value in values for x in np.ravel(np.asarray(value, dtype=float))]


def _counted(words: Iterable[str]) -> Words:
    words = list(words)
    return [str(len(words)), *words]


def _each(entries: Iterable[Words]) -> Words:
    entries = list(entries)
    return [str(len(entries)), *(word for entry in entries for word in entry)]


def _word(name: str) -> str:
    if not name or any(c.isspace() for c in name):
        raise ModelError(f"'{name}': the OpenSim plugin takes no name that is empty or has spaces")
    return name

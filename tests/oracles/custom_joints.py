"""Chains with a CustomJoint whose rotations share coordinates, built of what OpenSim offers."""

from collections.abc import Mapping, Sequence

import numpy as np

from opensim_inertia._core.opensim import osim

#: Axes of the rotations, neither orthogonal nor of unit length, and of the translations.
AXES = ((1.0, 0.2, 0.0), (0.1, -0.3, 1.0), (0.0, 2.0, 0.5), (1.0, 0.0, 0.0), (0.0, 1.0, 0.3), (0.2, 0.0, 1.0))
START, END, TILT = osim.Vec3(0.02, -0.3, 0.01), osim.Vec3(0.01, 0.1, -0.02), osim.Vec3(0.2, -0.4, 0.3)
Axis = tuple[osim.Function, Sequence[str]]  # An axis' function and the coordinates that are its arguments


def six_coordinates() -> osim.SpatialTransform:
    """A transform with the coordinates rx, ry, rz, x, y and z, each about or along its own axis."""
    transform = osim.SpatialTransform()
    axes = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
    for axis, name in zip(axes, ("rx", "ry", "rz", "x", "y", "z"), strict=True):
        one = getattr(transform, "upd_" + axis)()
        one.setCoordinateNames(osim.ArrayStr(name, 1))
        one.set_function(osim.LinearFunction(1.0, 0.0))
    return transform


def linear(slope: float = 1.0) -> osim.Function:
    return osim.LinearFunction(slope, 0.1)


def square(*coefficients: float) -> osim.Function:
    return osim.PolynomialFunction(osim.Vector.createFromMat(np.array(coefficients)))


def spline(scale: float = 1.0) -> osim.Function:
    function = osim.SimmSpline()
    for x in np.linspace(-3, 3, 7):
        function.addPoint(float(x), float(scale * np.sin(x)))
    return function


def of_two() -> osim.Function:
    """0.1 + 0.3 y + 0.2 y^2 + 0.5 x + 0.4 x y + 0.1 x^2."""
    coefficients = osim.Vector.createFromMat(np.array([0.1, 0.3, 0.2, 0.5, 0.4, 0.1]))
    return osim.MultivariatePolynomialFunction(coefficients, 2, 2)


#: Joints by name: their axes' functions, rotations 0 to 2, translations 3 to 5. Those in which Simbody's bias is wrong.
SHARED: Mapping[str, Mapping[int, Axis]] = {
    "all of one": {0: (linear(), "a"), 1: (square(0.3, 0.2, 0.1), "a"), 2: (spline(), "a")},
    "all of one, with translations": {
        **{i: (linear(0.5), "a") for i in range(3)},
        **{3: (spline(0.2), "a"), 5: (linear(), "b")},
    },
    "last two of one": {1: (linear(), "a"), 2: (square(0.4, 0.5, 0.0), "a"), 3: (linear(), "b")},
    "around another": {0: (spline(), "a"), 1: (linear(), "b"), 2: (square(0.7, -0.2, 0.3), "a")},
    "a quintic and a sine": {
        **{0: (linear(), "a"), 1: (square(0.02, -0.1, 0.0, 0.2, 0.4, 0.1), "a"), 2: (osim.Sine(0.6, 1.7, 0.3), "a")},
        4: (square(0.05, 0.0, 0.1, 0.0, 0.02), "a"),
    },
    "of four coordinates": {
        **{0: (linear(), "a"), 1: (linear(), "b"), 2: (square(0.7, -0.2, 0.3), "a")},
        **{3: (linear(), "c"), 4: (spline(), "b"), 5: (linear(), "d")},
    },
}
#: Those in which it is right: the first two rotations may share a coordinate, and the last two if it is not the first.
RIGHT: Mapping[str, Mapping[int, Axis]] = {
    "own": {0: (linear(), "a"), 1: (spline(), "b"), 2: (linear(-1.0), "c"), 3: (linear(), "d"), 4: (linear(), "e")},
    "first two of one": {0: (linear(), "a"), 1: (spline(), "a"), 5: (square(0.3, 0.0, 0.1), "a")},
    "last two of the second": {0: (linear(), "a"), 1: (spline(), "b"), 2: (linear(), "b"), 3: (linear(), "c")},
    "first and third": {0: (linear(), "a"), 2: (spline(), "a")},
    "translations of one": {2: (linear(), "a"), 3: (spline(), "a"), 4: (square(0.3, 0.0, 0.1), "a")},
}
#: Those that OpenSim gets wrong in other ways: an angle or a translation that is a function of several coordinates,
#: whose second derivatives are wrong; a constant angle, which is zero to the Jacobian but not to its rate.
UNKNOWN: Mapping[str, Mapping[int, Axis]] = {
    "angle of two": {0: (of_two(), "ab"), 1: (linear(), "a"), 2: (linear(), "a")},
    "third angle of two": {0: (linear(), "a"), 1: (linear(), "b"), 2: (of_two(), "ab")},
    "translation of two": {0: (linear(), "a"), 1: (linear(), "b"), 5: (of_two(), "ba")},
    "constant angle": {0: (osim.Constant(0.7), ""), 1: (linear(), "a"), 2: (spline(), "b")},
}


def build_chain(axes: Mapping[int, Axis], reverse: bool = False) -> osim.Model:
    """Build ground - pin - ``first`` - the joint - ``second`` - pin - ``third``, and ``other``, a pin on ``first``."""
    model, zero = osim.Model(), osim.Vec3(0.0)
    bodies = {name: osim.Body(name, 1.0, zero, osim.Inertia(0.1)) for name in ("first", "second", "third", "other")}
    for body in bodies.values():
        model.addBody(body)

    def pin(name: str, parent: osim.PhysicalFrame, child: str) -> None:
        joint = osim.PinJoint(name, parent, START, TILT, bodies[child], END, zero)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)

    pin("root", model.getGround(), "first")
    pair = (bodies["first"], START, TILT, bodies["second"], END, osim.Vec3(-0.3, 0.1, 0.5))
    model.addJoint(osim.CustomJoint("shared", *(pair[3:] + pair[:3] if reverse else pair), spatial_transform(axes)))
    pin("tip", bodies["second"], "third")
    pin("side", bodies["first"], "other")
    model.finalizeConnections()
    for coordinate in model.getCoordinateSet():
        coordinate.setRangeMin(-1.5)
        coordinate.setRangeMax(1.5)
    model.finalizeConnections()
    return model


def spatial_transform(axes: Mapping[int, Axis]) -> osim.SpatialTransform:
    transform = osim.SpatialTransform()
    for i, direction in enumerate(AXES):
        axis = transform.updTransformAxis(i)
        axis.setAxis(osim.Vec3(*direction))
        function, coordinates = axes.get(i, (osim.Constant(0.0), ""))
        names = osim.ArrayStr()
        for name in coordinates:
            names.append(name)
        axis.setCoordinateNames(names)
        axis.set_function(function)
    return transform

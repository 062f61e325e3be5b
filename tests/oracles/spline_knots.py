"""Where splines in a model's joints and moving points change from one polynomial to the next."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from opensim_inertia._core.opensim import osim

from .finite_differences import Array


def spline_knots(model: osim.Model, order: list[str]) -> list[tuple[int, Array]]:
    """(index of the coordinate, knots) for every spline in joints and moving points, and ends of their ranges."""
    arrays: dict[tuple[int, bytes], Array] = {}

    def note(coordinate: str, knots: Iterable[float]) -> None:
        array = np.array(sorted(knots))
        index = order.index(coordinate)
        arrays[index, array.tobytes()] = array

    joints = model.getJointSet()
    for j in range(joints.getSize()):
        custom = osim.CustomJoint.safeDownCast(joints.get(j))
        if custom is None:
            continue
        transform = custom.getSpatialTransform()
        for k in range(6):
            axis = transform.getTransformAxis(k)
            names = axis.getCoordinateNamesInArray()
            knots = _knots(axis.getFunction())
            if knots is not None and names.getSize() == 1:
                note(names.get(0), knots)
    for muscle in model.getMuscles():
        geometry = osim.GeometryPath.safeDownCast(muscle.getPath())
        if geometry is None:
            continue
        points = geometry.getPathPointSet()
        for i in range(points.getSize()):
            moving = osim.MovingPathPoint.safeDownCast(points.get(i))
            if moving is None:
                continue
            for axis in "xyz":
                if not getattr(moving, f"has{axis.upper()}Coordinate")():
                    continue
                coordinate = getattr(moving, f"get{axis.upper()}Coordinate")()
                ends = [coordinate.getRangeMin(), coordinate.getRangeMax()]
                knots = _knots(getattr(moving, f"get_{axis}_location")())
                note(coordinate.getName(), ends + (knots or []))
    return [(index, array) for (index, _), array in arrays.items()]


def _knots(function: osim.Function) -> list[float] | None:
    scaled = osim.MultiplierFunction.safeDownCast(function)
    if scaled is not None:
        return _knots(scaled.getFunction())
    for kind in (osim.SimmSpline, osim.PiecewiseLinearFunction):
        spline = kind.safeDownCast(function)
        if spline is not None:
            return [
                spline.getX(i)
                for i in range(spline.getNumberOfPoints() if kind is osim.SimmSpline else spline.getSize())
            ]
    return None

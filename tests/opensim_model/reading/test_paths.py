"""Path points, read once, against the live points: places, frames, ranges, and the clamping of moving points."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pytest

from opensim_inertia.errors import UnsupportedPathError
from opensim_inertia.opensim_model.reading.coordinates import CoordinateTable, read_coordinates
from opensim_inertia.opensim_model.reading.functions import evaluate
from opensim_inertia.opensim_model.reading.paths import (
    ConditionalPoint,
    FixedPoint,
    MovingPoint,
    read_path,
)

SAMPLED = 1e-12  # Of functions that are read by samples, a tenth of a metre in size [m]
PLACE = 1e-13  # m; rounding of the same cubics

MODELS = {
    "arm26": "Models/Arm26/arm26.osim",
    "gait10dof18musc": "Models/Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "leg6dof9musc": "Models/Leg6Dof9Musc/leg6dof9musc.osim",
    "rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
}


def load(path: Path) -> tuple[osim.Model, osim.State, CoordinateTable]:
    model = osim.Model(str(path))
    state = osim.State(model.initSystem())
    return model, state, read_coordinates(model, state)


def place(point: MovingPoint, values: dict[str, float]) -> np.ndarray:
    """Where a moving point is in its body, by the data that was read."""
    local = np.array(
        [
            evaluate(f.polynomial, np.clip(values[f.coordinate], *f.range) if f.coordinate else 0.0)
            for f in point.functions
        ]
    )
    return point.origin + point.rotation @ local


@pytest.mark.parametrize("name", MODELS)
def test_every_point_is_where_opensim_has_it(opensim_models: Path, name: str) -> None:
    """Also where coordinates are beyond their range: OpenSim holds moving points there, and so must what was read."""
    model, state, coordinates = load(opensim_models / MODELS[name])
    rng, kinds, clamped = np.random.default_rng(0), set(), 0
    low, high = np.clip(coordinates.ranges.T, -1.5, 1.5)
    for _ in range(6):
        q = low + (high - low) * rng.uniform(-0.4, 1.4, low.size)
        coordinates.set_values(state, q)
        model.realizePosition(state)
        values = dict(zip(coordinates.names, q, strict=True))
        for muscle in model.getMuscles():
            path, live_path = read_path(muscle, coordinates), osim.GeometryPath.safeDownCast(muscle.getPath())
            assert path.muscle == muscle.getName()
            assert path.optimal_fiber_length == muscle.getOptimalFiberLength()
            assert path.tendon_slack_length == muscle.getTendonSlackLength()
            assert len(path.points) == live_path.getPathPointSet().getSize() >= 2
            for point, live in zip(path.points, live_path.getPathPointSet(), strict=True):
                base = live.getParentFrame().findBaseFrame()
                assert (point.name, point.body) == (live.getName(), base.getName())
                ground = live.getParentFrame().findStationLocationInGround(state, live.getLocation(state))
                exact = model.getGround().findStationLocationInAnotherFrame(state, ground, base).to_numpy()
                ours = place(point, values) if isinstance(point, MovingPoint) else point.station
                np.testing.assert_allclose(ours, exact, rtol=0, atol=PLACE * 10)
                kinds.add(type(point))
                if isinstance(point, ConditionalPoint):
                    conditional = osim.ConditionalPathPoint.safeDownCast(live)
                    assert point.range == (conditional.get_range(0), conditional.get_range(1))
                elif isinstance(point, MovingPoint):
                    moved = [f for f in point.functions if f.coordinate]
                    clamped += any(not f.range[0] < values[f.coordinate] < f.range[1] for f in moved)
            wraps = live_path.getWrapSet()
            assert path.wraps == tuple(wraps.get(i).getWrapObject().getName() for i in range(wraps.getSize()))
    assert FixedPoint in kinds
    if name in ("gait2392", "gait10dof18musc"):
        assert kinds == {FixedPoint, MovingPoint, ConditionalPoint} and clamped >= 4


def offset_model(moving: osim.Function | None = None) -> osim.Model:
    """A pendulum with a muscle whose last point hangs on a turned and shifted frame of the link, or moves in it."""
    model = osim.Model()
    link = osim.Body("link", 1.0, osim.Vec3(0, -0.25, 0), osim.Inertia(0.1, 0.1, 0.1))
    model.addBody(link)
    model.addJoint(
        osim.PinJoint("pin", model.getGround(), osim.Vec3(0), osim.Vec3(0), link, osim.Vec3(0), osim.Vec3(0))
    )
    turned = osim.Transform(osim.Rotation(0.7, osim.CoordinateAxis(1)), osim.Vec3(0.1, -0.2, 0.05))
    offset = osim.PhysicalOffsetFrame("offset", link, turned)
    link.addComponent(offset)
    muscle = osim.Thelen2003Muscle("mus", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("P1", model.getGround(), osim.Vec3(0.1, 0.1, 0))
    muscle.addNewPathPoint("P2", offset, osim.Vec3(0.03, 0.01, -0.02))
    model.addForce(muscle)
    model.finalizeConnections()
    if moving is not None:
        point = osim.MovingPathPoint()
        point.setName("P3")
        point.set_x_location(moving)
        point.set_y_location(osim.Constant(0.02))
        point.set_z_location(osim.Constant(-0.01))
        points = osim.GeometryPath.safeDownCast(model.getMuscles().get("mus").updPath()).updPathPointSet()
        points.cloneAndAppend(point)
        point = osim.MovingPathPoint.safeDownCast(points.get(2))
        point.setParentFrame(offset)
        for axis in "xyz":
            point.updSocket(f"{axis}_coordinate").connect(model.getCoordinateSet().get(0))
        model.finalizeConnections()
    return model


def quintic() -> osim.Function:
    return osim.PolynomialFunction(osim.Vector.createFromMat(np.array([0.01, -0.02, 0.0, 0.03, 0.02, 0.01])))


@pytest.mark.parametrize(
    "make", [None, lambda: osim.LinearFunction(0.02, 0.01), quintic, lambda: osim.Sine(0.1, 2.0, 0.3)]
)
def test_points_on_offset_frames(make: Callable[[], osim.Function] | None) -> None:
    """Also where they move by a function of any smooth kind."""
    moving = None if make is None else make()
    model = offset_model(moving)
    state = osim.State(model.initSystem())
    coordinates = read_coordinates(model, state)
    path = read_path(model.getMuscles().get("mus"), coordinates)
    assert [p.body for p in path.points] == ["ground", "link", *([] if moving is None else ["link"])]
    state.setQ(osim.Vector(1, 0.6))
    model.realizePosition(state)
    link = model.getBodySet().get("link")
    for i, point in enumerate(path.points[1:], 1):
        live = osim.GeometryPath.safeDownCast(model.getMuscles().get("mus").getPath()).getPathPointSet().get(i)
        exact = live.getParentFrame().findStationLocationInAnotherFrame(state, live.getLocation(state), link).to_numpy()
        ours = place(point, {coordinates.names[0]: 0.6}) if isinstance(point, MovingPoint) else point.station
        np.testing.assert_allclose(ours, exact, rtol=0, atol=SAMPLED if isinstance(moving, osim.Sine) else PLACE)
        assert np.abs(exact - live.getLocation(state).to_numpy()).max() > 0.05


def test_moving_point_that_jumps_is_named() -> None:
    steps = osim.PiecewiseConstantFunction()
    steps.addPoint(-1.0, 0.01)
    steps.addPoint(0.3, 0.02)
    model = offset_model(steps)
    coordinates = read_coordinates(model, model.initSystem())
    with pytest.raises(
        UnsupportedPathError, match="'mus'.*'P3'.*x location, a PiecewiseConstantFunction, is not smooth"
    ):
        read_path(model.getMuscles().get("mus"), coordinates)

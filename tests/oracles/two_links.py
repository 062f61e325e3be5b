"""Two links on pins and a muscle through path points on them, built by code."""

from opensim_inertia._core.opensim import osim

#: Bodies (0: ground) and stations [m] of a muscle's path points, on every body.
BENT = [(0, (0.05, 0.1, 0.0)), (1, (0.06, -0.2, 0.02)), (1, (0.05, -0.45, 0.0)), (2, (0.04, -0.2, -0.01))]


def two_links(
    points: list[tuple[int, tuple[float, float, float]]], slack: float = 0.05, fibre: float = 0.1
) -> osim.Model:
    """Two links of 0.5 m that hang from ground on pins, and muscle "mus" through ``points`` (body or 0, station)."""
    model = osim.Model()
    model.setName("pendulum")
    frames = [model.getGround()]
    for i in range(2):
        body = osim.Body(f"link{i + 1}", 4.0, osim.Vec3(0, -0.25, 0), osim.Inertia(0.1, 0.01, 0.1))
        model.addBody(body)
        at = osim.Vec3(0, -0.5 * i, 0)
        model.addJoint(osim.PinJoint(f"pin{i + 1}", frames[-1], at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0)))
        frames.append(body)
    muscle = osim.Thelen2003Muscle("mus", 100.0, fibre, slack, 0.0)
    for i, (body, station) in enumerate(points):
        muscle.addNewPathPoint(f"mus-P{i + 1}", frames[body], osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    return model

"""OpenSim's path over two wrap objects: getLength() against the path that getCurrentPath() shows and the exact one.

A string in the plane from a fixed point over two cylinders, both on ground, to a point on a hinged body. Needs
opensim and numpy only. What it shows is explained in opensim-multi-wrap.md.
"""

import numpy as np
import opensim as osim

START, HINGE, ARM = (-0.20, -0.02), (0.06, 0.0), 0.15  # m; the muscle ends ARM metres from the hinge
CYLINDERS = {"first": ((-0.06, 0.0), 0.03), "second": (HINGE, 0.04)}  # centre and radius [m], axes along z


def make_model(tilt: float = 0.0, on_body: bool = False) -> osim.Model:
    """One hinge, one muscle from ground over both cylinders to the body.

    ``tilt`` [rad] turns the cylinders' axes out of parallel; ``on_body`` puts the second one, which is centred on the
    hinge, on the body: the path stays the same.
    """
    model = osim.Model()
    ground, zero = model.getGround(), osim.Vec3(0)
    body = osim.Body("body", 1.0, zero, osim.Inertia(1))
    model.addBody(body)
    hinge = osim.PinJoint("hinge", ground, osim.Vec3(*HINGE, 0), zero, body, zero, zero)
    hinge.updCoordinate().setName("angle")
    model.addJoint(hinge)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("start", ground, osim.Vec3(*START, 0))
    muscle.addNewPathPoint("end", body, osim.Vec3(ARM, 0, 0))
    model.addForce(muscle)
    for name, (centre, radius) in CYLINDERS.items():
        wrap = osim.WrapCylinder()
        wrap.setName(name)
        wrap.set_radius(radius)
        wrap.set_length(1.0)
        moving = on_body and name == "second"
        wrap.set_translation(zero if moving else osim.Vec3(*centre, 0))
        wrap.set_xyz_body_rotation(osim.Vec3(tilt if name == "first" else -tilt, 0, 0))
        wrap.set_quadrant("+y")
        wrap.thisown = False  # the frame takes it
        (body if moving else model.updGround()).addWrapObject(wrap)
        model.finalizeConnections()
        osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    return model


def shown_length(path: osim.GeometryPath, state: osim.State) -> tuple[float, float]:
    """Length [m] of the path that ``getCurrentPath`` shows, from every point's ``getLocation`` in its frame and
    ``getWrapLength``; and how far [m] ``getLocationInGround`` is from the same points.
    """
    points, total, stale = path.getCurrentPath(state), 0.0, 0.0
    here, wrap = np.zeros(3), ""
    for i in range(points.getSize()):
        point = points.get(i)
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy()
        stale = max(stale, float(np.linalg.norm(place - point.getLocationInGround(state).to_numpy())))
        on = osim.PathWrapPoint.safeDownCast(point)
        name = on.getWrapObject().getName() if on else ""
        if i:
            total += on.getWrapLength(state) if on and name == wrap else float(np.linalg.norm(place - here))
        here, wrap = place, name
    return total, stale


def exact_length(angle: float) -> float:
    """Length [m] of the taut string over the tops of both circles: tangent, arc, common tangent, arc, tangent."""
    (c1, r1), (c2, r2) = ((np.array(c), r) for c, r in CYLINDERS.values())
    between, start = c2 - c1, np.array(START) - c1
    gap, reach = np.linalg.norm(between), np.linalg.norm(start)
    common = np.arctan2(between[1], between[0]) + np.arccos((r1 - r2) / gap)  # where both circles meet the tangent
    first = np.arctan2(start[1], start[0]) - np.arccos(r1 / reach)
    last = angle + np.arccos(r2 / ARM)  # the end is ARM from c2, which is the hinge
    arcs = r1 * ((first - common) % (2 * np.pi)) + r2 * ((common - last) % (2 * np.pi))
    return float(np.sqrt(reach**2 - r1**2) + np.sqrt(gap**2 - (r1 - r2) ** 2) + np.sqrt(ARM**2 - r2**2) + arcs)


def sweep(angles: np.ndarray, tilt: float = 0.0, on_body: bool = False) -> np.ndarray:
    """Rows (n, 6): getLength, shown, exact, staleness of the points [m]; computeMomentArm, getLengtheningSpeed at
    1 rad/s [m/rad]. The exact moment arm is the second radius, and the speed minus that.
    """
    model = make_model(tilt, on_body)
    state = model.initSystem()
    coordinate = model.getCoordinateSet().get("angle")
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath())
    rows = []
    for angle in angles:
        coordinate.setValue(state, float(angle))
        coordinate.setSpeedValue(state, 1.0)
        model.realizeVelocity(state)
        shown, stale = shown_length(path, state)
        arm, speed = path.computeMomentArm(state, coordinate), path.getLengtheningSpeed(state)
        rows.append((path.getLength(state), shown, exact_length(angle), stale, arm, speed))
    del state  # before its model
    return np.array(rows)


if __name__ == "__main__":
    osim.Logger.setLevelString("error")
    print("OpenSim", osim.GetVersion())
    print("angle[rad] getLength   shown     exact[mm] stale[mm] moment arm  speed  d getLength[mm/rad]")
    angles = np.linspace(-0.6, 0.3, 10)
    table = sweep(angles) * 1e3
    for angle, row, slope in zip(angles, table, np.gradient(table[:, 0], angles), strict=True):
        print(f"{angle:7.2f} " + " ".join(f"{x:9.3f}" for x in (*row, slope)))

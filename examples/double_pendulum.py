"""Two rods on pins and a muscle over a cylinder at the second pin, built by code, and its motion.

Forward dynamics is OpenSim's own, with the muscle's inertia added: (M + dM) udot = M udot0 + h + g_m, where udot0 are
OpenSim's accelerations.
"""

import opensim_inertia  # noqa: F401 - first: it imports OpenSim quietly

# isort: split
import numpy as np
import opensim as osim
from scipy.integrate import solve_ivp

LENGTH = 0.4  # of the rods [m]


def make_pendulum(masses, ranges, origin, insertion, radius, width, turned=0.0):
    """The model.

    masses [kg] and ranges [rad] are those of the rods and of their pins; over the ranges the muscle is watched to learn
    how it wraps. origin is on ground, insertion on the second rod [m]; the cylinder of this radius and width [m] is
    turned about the vertical [rad].
    """
    model = osim.Model()
    parent, at = model.getGround(), osim.Vec3(0)
    for i, (mass, (low, high)) in enumerate(zip(masses, ranges, strict=True), start=1):
        inertia = mass * LENGTH**2 / 12
        rod = osim.Body(f"rod{i}", mass, osim.Vec3(0, -LENGTH / 2, 0), osim.Inertia(inertia, inertia / 10, inertia))
        pin = osim.PinJoint(f"pin{i}", parent, at, osim.Vec3(0), rod, osim.Vec3(0), osim.Vec3(0))
        pin.updCoordinate().setRangeMin(low)
        pin.updCoordinate().setRangeMax(high)
        model.addBody(rod)
        model.addJoint(pin)
        parent, at = rod, osim.Vec3(0, -LENGTH, 0)
    rods = model.getBodySet()
    cylinder = osim.WrapCylinder()
    cylinder.set_radius(radius)
    cylinder.set_length(width)
    cylinder.set_quadrant("+x")  # the muscle stays in front
    cylinder.set_translation(osim.Vec3(0, -LENGTH, 0))
    cylinder.set_xyz_body_rotation(osim.Vec3(0, turned, 0))
    cylinder.thisown = False  # the rod takes it
    rods.get("rod1").addWrapObject(cylinder)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.3, 0.3, 0.0)
    muscle.set_appliesForce(False)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(*origin))
    muscle.addNewPathPoint("insertion", rods.get("rod2"), osim.Vec3(*insertion))
    model.addForce(muscle)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(cylinder)
    model.finalizeConnections()
    return model


def put(state, y):
    """Set both angles and their speeds."""
    state.setQ(osim.Vector.createFromMat(y[:2]))
    state.setU(osim.Vector.createFromMat(y[2:]))
    return state


def simulate(model, start, end, inertial=None, **options):
    """The motion of an initialised model until end [s], with the muscle's inertia if an inertial model is given."""
    state, matrix = osim.State(model.getWorkingState()), osim.Matrix()

    def rate(_, y):
        model.realizeAcceleration(put(state, y))
        udot = state.getUDot().to_numpy()
        if inertial is not None:
            model.getMatterSubsystem().calcM(state, matrix)
            M, muscle = matrix.to_numpy(), inertial.evaluate(state)
            udot = np.linalg.solve(M + muscle.mass_matrix, M @ udot + muscle.bias + muscle.gravity)
        return np.concatenate([y[2:], udot])

    return solve_ivp(rate, (0, end), start, "DOP853", **options)


def energies(inertial, states):
    """Kinetic and potential energy [J] of rods and muscle, (2, T)."""
    model, state, rows = inertial.model, inertial.initial_state(), []
    for y in states:
        model.realizeDynamics(put(state, y))
        muscle = inertial.evaluate(state)
        kinetic = model.calcKineticEnergy(state) + muscle.kinetic_energy
        rows.append((kinetic, model.calcPotentialEnergy(state) + muscle.potential_energy))
    return np.array(rows).T


def drift(kinetic, potential):
    """Largest change of the total energy, of the largest kinetic energy."""
    total = kinetic + potential
    return np.abs(total - total[0]).max() / kinetic.max()

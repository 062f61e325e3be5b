"""OpenSim's accelerations of a CustomJoint whose three rotations follow one coordinate, against closed forms.

A ball turns about axes x, y and z by the same angle. No force acts. Needs opensim and numpy only. What it shows is
explained in opensim-joint-bias.md.
"""

import numpy as np
import opensim as osim

INERTIA = 1.0  # kg m^2, about every axis through the ball's centre, which is the joint's


def make_model(constant: float | None = None) -> osim.Model:
    """A ball on ground by a CustomJoint with one coordinate, ``q``, which is each of its angles.

    With ``constant`` [rad], the angle about x is this constant instead.
    """
    model = osim.Model()
    model.setGravity(osim.Vec3(0))
    ball, zero = osim.Body("ball", 1.0, osim.Vec3(0), osim.Inertia(INERTIA)), osim.Vec3(0)
    model.addBody(ball)
    transform = osim.SpatialTransform()
    for i, direction in enumerate(2 * [(1, 0, 0), (0, 1, 0), (0, 0, 1)]):
        axis, names = transform.updTransformAxis(i), osim.ArrayStr()
        axis.setAxis(osim.Vec3(*direction))
        if i < 3 and (i > 0 or constant is None):
            names.append("q")
            axis.setCoordinateNames(names)
            axis.set_function(osim.LinearFunction(1.0, 0.0))
        else:
            axis.set_function(osim.Constant(constant if i == 0 else 0.0))
    model.addJoint(osim.CustomJoint("joint", model.getGround(), zero, zero, ball, zero, zero, transform))
    model.finalizeConnections()
    return model


class Ball:
    """The ball at q [rad] with speed u [rad/s]."""

    def __init__(self, constant: float | None = None) -> None:
        self.model = make_model(constant)
        self.state = self.model.initSystem()
        self.matter = self.model.getMatterSubsystem()

    def place(self, q: float, u: float = 1.0) -> osim.State:
        """The state at q and u, realized to velocity."""
        self.state.setQ(osim.Vector(1, q))
        self.state.setU(osim.Vector(1, u))
        self.model.realizeVelocity(self.state)
        return self.state

    def angular_velocity(self, q: float) -> np.ndarray:
        """J u (3,) at u = 1 [rad/s], by ``calcSystemJacobian``."""
        J = osim.Matrix()
        self.matter.calcSystemJacobian(self.place(q), J)
        return J.to_numpy()[6:9, 0]

    def bias(self, q: float) -> np.ndarray:
        """Jdot u (3,) at u = 1 [rad/s^2], by ``calcBiasForSystemJacobian``."""
        b = osim.Vector()
        self.matter.calcBiasForSystemJacobian(self.place(q), b)
        return b.to_numpy()[6:9]

    def moment(self, q: float) -> float:
        """The moment [N m] that keeps u = 1 constant, by the InverseDynamicsSolver."""
        solver = osim.InverseDynamicsSolver(self.model)
        return float(solver.solve(self.place(q), osim.Vector(1, 0.0)).get(0))

    def turning(self, q: float, step: float = 1e-4) -> np.ndarray:
        """The angular velocity (3,) at u = 1 [rad/s] by differences of the ball's rotation."""
        here, *ends = (self.rotation(q + d) for d in (0.0, step, -step))
        spin = (ends[0] - ends[1]) / (2 * step) @ here.T
        return np.array([spin[2, 1], spin[0, 2], spin[1, 0]])

    def rotation(self, q: float) -> np.ndarray:
        """The ball's rotation matrix (3, 3), ball to ground."""
        R = self.model.getBodySet().get("ball").getTransformInGround(self.place(q)).R()
        return np.array([[R.get(i, j) for j in range(3)] for i in range(3)])

    def simulate(self, end: float) -> tuple[float, float, float]:
        """q, u and kinetic energy [J] at a time [s], from q = 0 and u = 1, by OpenSim's Manager."""
        manager = osim.Manager(self.model)
        manager.setIntegratorAccuracy(1e-9)
        manager.initialize(self.place(0.0))
        state = manager.integrate(end)
        self.model.realizeVelocity(state)
        return state.getQ().get(0), state.getU().get(0), self.model.calcKineticEnergy(state)


def exact_velocity(q: float) -> np.ndarray:
    """w_1 + w_2 + w_3 with w_1 = x, w_2 = R_x y and w_3 = R_x R_y z."""
    s, c = np.sin(q), np.cos(q)
    return np.array([1.0, 0.0, 0.0]) + [0.0, c, s] + np.array([s, -s * c, c * c])


def exact_bias(q: float) -> np.ndarray:
    """Its derivative."""
    s, c = np.sin(q), np.cos(q)
    return np.array([c, -s - c * c + s * s, c - 2 * s * c])


def lacking(q: float) -> np.ndarray:
    """w_2 x w_3, which is R_x R_y x."""
    s, c = np.sin(q), np.cos(q)
    return np.array([c, s * s, -s * c])


def second_derivatives() -> tuple[float, float]:
    """d2f/dx2 and d2f/dxdy of f = x^2 + x y at (1, 1), by a MultivariatePolynomialFunction. Exact: 2 and 1."""
    coefficients = osim.Vector.createFromMat(np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0]))  # 1, y, y^2, x, x y, x^2
    function, x = osim.MultivariatePolynomialFunction(coefficients, 2, 2), osim.Vector(2, 1.0)
    return function.calcDerivative([0, 0], x), function.calcDerivative([0, 1], x)


if __name__ == "__main__":
    osim.Logger.setLevelString("error")
    print("OpenSim", osim.GetVersion())
    ball = Ball()
    print("q[rad]  Jdot u: OpenSim          exact                     OpenSim + w_2 x w_3       moment: OpenSim, exact")
    for q in (0.0, 0.5, 1.0, 1.5):
        vectors = (ball.bias(q), exact_bias(q), ball.bias(q) + lacking(q))
        told = "  ".join(" ".join(f"{x:7.4f}" for x in vector) for vector in vectors)
        print(f"{q:5.1f}  {told}  {ball.moment(q):8.4f} {INERTIA * np.cos(q):8.4f}")
    print("simulated, t[s]       q       u  energy[J]; exact: 1.5 J at any time")
    for t in (0.0, 0.5, 1.0, 1.5):
        print("         {:10.1f} {:7.4f} {:7.4f} {:10.4f}".format(t, *(ball.simulate(t) if t else (0.0, 1.0, 1.5))))
    tilted = Ball(constant=0.5)
    print(
        "first angle constant, q = 1: J u", tilted.angular_velocity(1.0).round(4), "turns", tilted.turning(1.0).round(4)
    )
    print("x^2 + x y, second derivatives by x, x and x, y at (1, 1):", second_derivatives(), "exact: (2, 1)")

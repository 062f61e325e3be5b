"""Motion of a live model's bodies, for the NumPy kernel: poses and Jacobians from OpenSim, accelerations differenced.

Simbody's own acceleration bias is not used: it is wrong for joints in which several rotations share a coordinate.
"""

from __future__ import annotations

import numpy as np

from opensim_inertia._core.opensim import osim

from .chain import Body, ground
from .finite_differences import Array, derivative


def live_bodies(model: osim.Model, state: osim.State, u: Array, step: float = 1e-3) -> tuple[list[Body], list[str]]:
    """Ground and all bodies at the state's coordinates and speeds ``u`` (udot = 0), and their names in the same order.

    ``step``: of the fastest coordinate, for the differences along the flow. The state's coordinates are put back
    and its speeds are ``u`` afterwards.
    """
    u = np.asarray(u, float)
    q = state.getQ().to_numpy().copy()
    scale = max(float(np.max(np.abs(u))), 1e-30)
    bodies = [model.getBodySet().get(i) for i in range(model.getBodySet().getSize())]
    index = [int(b.getMobilizedBodyIndex()) for b in bodies]
    matter = model.getMatterSubsystem()
    matrix = osim.Matrix()

    def system_jacobian(t: float) -> Array:
        state.setQ(osim.Vector.createFromMat(q + t * u / scale))
        model.realizePosition(state)
        matter.calcSystemJacobian(state, matrix)
        return matrix.to_numpy().copy()

    bias = derivative(system_jacobian, step) @ u * scale
    jacobian = system_jacobian(0.0)
    state.setU(osim.Vector.createFromMat(u))
    model.realizeVelocity(state)
    result, names = [ground(u.size)], ["ground"]
    for body, k in zip(bodies, index, strict=True):
        x = body.getTransformInGround(state)
        rotation = np.array([[x.R().get(i, j) for j in range(3)] for i in range(3)])
        rows, bias_rows = jacobian[6 * k : 6 * k + 6], bias[6 * k : 6 * k + 6]
        twist = rows @ u
        result.append(Body(rotation, x.p().to_numpy(), twist[:3], twist[3:], bias_rows[:3], bias_rows[3:], rows))
        names.append(body.getName())
    return result, names

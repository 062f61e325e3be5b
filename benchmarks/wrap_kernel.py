"""Kernel time per muscle and state for a path over one wrap surface, smooth touch: value, Jacobian, second derivative.

Everything that the equations of motion need of a muscle: dM, h and g_m (``evaluate``), or the generalized forces of
inverse dynamics (``inverse``). Call overhead and what a state needs once are removed by a difference: one call with 256
muscles less one with 128. Made-up muscles from one body to another over a surface on a third, wrapped by about 60
degrees, mass over all of the path; CPU times, the least of 15.
"""

import time

import numpy as np
from common import alternate, report

from opensim_inertia import _kernel

BODIES, SPEEDS, STATES, FEW, MANY = 20, 40, 32, 128, 256
SURFACES = {
    "cylinder": [0.03, 0.0],
    "sphere": [0.03],
    "torus": [0.10, 0.03],
    "ellipsoid": [0.03, 0.035, 0.025],
}


def make_kernel(kind: str | None, points: int | None) -> "_kernel.Kernel":
    rng = np.random.default_rng(1)
    kernel = _kernel.Kernel(BODIES, SPEEDS, np.array([0.0, -9.80665, 0.0]))
    material = _kernel.MaterialMap(0.9, 0.0, 0.5, 0.0, 0.0)
    for i in range(MANY):
        a = int(rng.integers(BODIES - 2))
        ends = np.array([[-0.15, 0.015, 0.03], [0.15, 0.015, -0.02]]) + rng.uniform(-0.004, 0.004, (2, 3))
        path = [_kernel.PathPoint.fixed(b, x) for b, x in zip((a, a + 2), ends, strict=True)]
        lumps = (
            (None, None)
            if points is None
            else (((np.arange(points) + 0.5) / points).tolist(), [0.3 / points] * points)
        )
        kernel.add_muscle(f"m{i}", path, material, 0.3, *lumps, False)
        if kind is not None:
            # a ring's tube passes through the origin, its axis along z there
            turned = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
            rotation, origin = (turned, [0.0, -0.10, 0.0]) if kind == "torus" else (np.eye(3), [0.0, 0.0, 0.0])
            size = np.array(SURFACES[kind])
            surface = _kernel.WrapSurface(
                kind, size, 0.1 * 0.03, -1.0, np.zeros(3), True, a + 1, rotation, np.array(origin)
            )
            kernel.add_wrap(i, surface, 0, 1)
    return kernel


def main() -> None:
    rng = np.random.default_rng(0)
    q, u, udot = rng.standard_normal((3, STATES, SPEEDS))
    R = np.tile(np.eye(3), (STATES, BODIES, 1, 1))
    p = np.zeros((STATES, BODIES, 3))
    J = rng.standard_normal((STATES, 6 * BODIES, SPEEDS)) * (rng.random((6 * BODIES, SPEEDS)) < 0.3)
    bias = rng.standard_normal((STATES, BODIES, 6))
    per_state = list(zip(q, u, R, p, J, bias, strict=True))

    kernels = {"straight": make_kernel(None, None), "straight_20_points": make_kernel(None, 20)}
    for kind in SURFACES:
        kernels[kind] = make_kernel(kind, None)
        kernels[f"{kind}_20_points"] = make_kernel(kind, 20)
    tasks = {}
    for name, kernel in kernels.items():
        for size, n in (("few", FEW), ("many", MANY)):
            which = list(range(n))
            tasks[f"evaluate {name} {size}"] = lambda k=kernel, w=which: [k.evaluate(*s, w) for s in per_state]
            tasks[f"inverse {name} {size}"] = lambda k=kernel, w=which: k.inverse(q, u, udot, R, p, J, bias, w)
    times = {name: min(taken) for name, taken in alternate(tasks, 5, time.process_time).items()}
    values = {}
    for kind in ("evaluate", "inverse"):
        for name in kernels:
            each = (times[f"{kind} {name} many"] - times[f"{kind} {name} few"]) / (STATES * (MANY - FEW))
            print(f"{kind:8s} {name:20s} {1e6 * each:.3f} us")
            values[f"{kind}_{name}_us"] = 1e6 * each
    report(**values)


if __name__ == "__main__":
    main()

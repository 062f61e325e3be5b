"""Kernel time per muscle and state for a path over one wrap surface, smooth touch: value, Jacobian, second derivative.

Everything that the equations of motion need of a muscle: dM, h and g_m (``evaluate``), or the generalized forces of
inverse dynamics (``inverse``). Call overhead and what a state needs once are removed by a difference: one call with 256
muscles less one with 128. Made-up muscles from one body to another over a surface on a third, wrapped by about 60
degrees, mass over all of the path; CPU times, the least of 5. Cylinder and sphere also as the shipped network leads
them: many times slower, so fewer muscles, states and repetitions.
"""

import numpy as np
from common import alternate, report
from oracles.kernel_records import fixed, muscle, site, surface

from opensim_inertia import _kernel
from opensim_inertia.paths.kernel.description import planar_network

BODIES, SPEEDS, STATES, FEW, MANY = 20, 40, 32, 128, 256
NEURAL = ("cylinder", "sphere")
NEURAL_STATES, NEURAL_FEW, NEURAL_MANY = 4, 8, 24
SURFACES = {
    "cylinder": [0.03, 0.0],
    "sphere": [0.03],
    "torus": [0.10, 0.03],
    "ellipsoid": [0.03, 0.035, 0.025],
}


#: Constants of material maps whose bellies take 0.9 of the path: stretching alike, and fibres between aponeuroses.
UNIFORM = (0.9, 0.0, 0.5, 0.0, 0.0, 0.0)
FIBRES = (0.5, 0.0, 0.1, 0.0, 0.0, 0.8)


def make_kernel(
    kind: str | None, points: int | None, neural: bool = False, constants: tuple[float, ...] = UNIFORM
) -> "_kernel.Kernel":
    network = planar_network() if neural else None
    rng = np.random.default_rng(1)
    muscles = []
    for i in range(MANY):
        a = int(rng.integers(BODIES - 2))
        ends = np.array([[-0.06, 0.005, 0.015], [0.06, 0.005, -0.01]]) + rng.uniform(-0.004, 0.004, (2, 3))
        path = [fixed(b, x) for b, x in zip((a, a + 2), ends, strict=True)]
        lumps = None
        if points is not None:
            middles = ((np.arange(points) + 0.5) / points).tolist()
            lumps = [(x, x) for x in middles], [0.3 / points] * points
        sites = []
        if kind is not None:
            # a ring's tube passes through the origin, its axis along z there
            turned = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
            rotation, origin = (turned, [0.0, -0.10, 0.0]) if kind == "torus" else (np.eye(3), [0.0, 0.0, 0.0])
            over = surface(kind, SURFACES[kind], 0.1 * 0.03, -1.0, network=network)
            sites.append(site(over, a + 1, rotation, origin))
        muscles.append(muscle(f"m{i}", path, constants, 0.3, lumps, sites))
    return _kernel.Kernel(BODIES, SPEEDS, np.array([0.0, -9.80665, 0.0]), muscles)


def main() -> None:
    rng = np.random.default_rng(0)
    q, u, udot = rng.standard_normal((3, STATES, SPEEDS))
    R = np.tile(np.eye(3), (STATES, BODIES, 1, 1))
    p = np.zeros((STATES, BODIES, 3))
    J = rng.standard_normal((STATES, 6 * BODIES, SPEEDS)) * (rng.random((6 * BODIES, SPEEDS)) < 0.3)
    bias = rng.standard_normal((STATES, BODIES, 6))
    every = [_kernel.State(*arrays) for arrays in zip(q, u, R, p, J, bias, bias, strict=True)]

    kernels = {"straight": make_kernel(None, None), "straight_20_points": make_kernel(None, 20)}
    for kind in SURFACES:
        kernels[kind] = make_kernel(kind, None)
        kernels[f"{kind}_20_points"] = make_kernel(kind, 20)
        kernels[f"{kind}_aponeurosis"] = make_kernel(kind, None, constants=FIBRES)
    led = {}
    for kind in NEURAL:
        led[f"neural_{kind}"] = make_kernel(kind, None, True)
        led[f"neural_{kind}_20_points"] = make_kernel(kind, 20, True)

    values = {}
    for some, count, few, many, repetitions in (
        (kernels, STATES, FEW, MANY, 5),
        (led, NEURAL_STATES, NEURAL_FEW, NEURAL_MANY, 3),
    ):
        states = every[:count]
        tasks = {}
        for name, kernel in some.items():
            for n in (few, many):
                which = list(range(n))
                tasks[f"evaluate {name} {n}"] = lambda k=kernel, w=which, s=states: [k.evaluate(one, w) for one in s]
                tasks[f"inverse {name} {n}"] = lambda k=kernel, w=which, s=states: k.inverse(s, udot[: len(s)], w)
        times = {name: min(taken) for name, taken in alternate(tasks, repetitions).items()}
        for kind in ("evaluate", "inverse"):
            for name in some:
                each = (times[f"{kind} {name} {many}"] - times[f"{kind} {name} {few}"]) / (count * (many - few))
                print(f"{kind:8s} {name:25s} {1e6 * each:.3f} us")
                values[f"{kind}_{name}_us"] = 1e6 * each
    report(**values)


if __name__ == "__main__":
    main()

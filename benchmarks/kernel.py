"""Kernel time per muscle and state for a path of four points, and what doubling the number of mass points costs.

Call overhead, and the work that a state needs once whatever the number of muscles (twists, projection to the speeds),
are removed by a difference: one kernel call with 256 muscles less one with 128, over the same states. The muscles are
made up: four points on three bodies (or two), mass over 0.6 of the path, 40 speeds, continuous mass or N point masses;
or fibres between aponeuroses, whose belly is as long. CPU times, the least of 25. Beside them, the running model's own
muscles of four fixed points, as the package lays them: continuous mass, with each strain model. Their paths are tendons
of MuJoCo 4, too, with armature and on as many bodies and joints: mj_inverse stands beside inverse dynamics of many
states, mj_forward beside dM, h and g at one state.
"""

from collections.abc import Callable

import numpy as np
from common import alternate, opensim_models, report
from oracles.kernel_records import fixed, muscle

import opensim_inertia as oi
from opensim_inertia import _kernel
from opensim_inertia._core.opensim import osim

BODIES, SPEEDS, STATES, FEW, MANY = 20, 40, 64, 128, 256
POINTS = (20, 40, 320, 640)


def rotations(rng: np.random.Generator, n: int) -> np.ndarray:
    q, _ = np.linalg.qr(rng.standard_normal((n, 3, 3)))
    return q * np.sign(np.linalg.det(q))[:, None, None]


#: Constants of material maps: belly of 0.6 of the path, with and without aponeuroses (of slack length 0.28 m).
UNIFORM = (0.6, 0.0, 0.5, 0.0, 0.0, 0.0)
FIBRES = (0.8, 0.0, 0.0, 0.0, 0.0, 0.7)


def make_kernel(
    points: int | None, steps: tuple[int, ...] = (0, 1, 1, 2), constants: tuple[float, ...] = UNIFORM
) -> "_kernel.Kernel":
    """Four-point muscles; ``steps`` says on which bodies of a chain the points are."""
    rng = np.random.default_rng(1)
    muscles = []
    for i in range(MANY):
        a = int(rng.integers(BODIES - 2))
        path = [
            fixed(b, rng.uniform(-0.1, 0.1, 3) + [0.0, -0.12 * k, 0.0])
            for k, b in enumerate(a + step for step in steps)
        ]
        lumps = None
        if points is not None:
            lumps = [(x, x) for x in ((np.arange(points) + 0.5) / points).tolist()], [0.3 / points] * points
        muscles.append(muscle(f"m{i}", path, constants, 0.3, lumps))
    return _kernel.Kernel(BODIES, SPEEDS, np.array([0.0, -9.80665, 0.0]), muscles)


def real_muscles(strain: str, repeats: int = 20) -> dict[str, float]:
    """CPU times [s] of the kernel per four-point muscle of the running model and state, by difference."""
    model = osim.Model(str(opensim_models() / "Pipelines/Hamner/outputReference/subject02_scaled.osim"))
    inertial = oi.InertialModel(model, oi.estimate_masses(model), strain=strain)
    four = [
        i
        for i, path in enumerate(inertial.muscles.paths.values())
        if len(path.points) == 4 and all(hasattr(p, "station") and not hasattr(p, "range") for p in path.points)
    ]
    tasks = {} if strain != "aponeurosis" else mujoco_tendons(inertial, four, repeats)
    state = inertial.initial_state()
    state.setU(osim.Vector(state.getNU(), 1.0))
    kinematics = inertial.dynamics.read(state)
    udot = np.ones((STATES, state.getNU()))

    def evaluate(which):
        return lambda: [inertial.evaluation.terms(kinematics, which) for _ in range(STATES)]

    def inverse(which):
        return lambda: inertial.evaluation.inverse([kinematics] * STATES, udot, which)

    for kind, task in (("evaluate", evaluate), ("inverse", inverse)):
        tasks |= {f"{kind} few": task(four), f"{kind} many": task(four * repeats)}
    times = {name: min(taken) for name, taken in alternate(tasks, 25).items()}
    per = STATES * len(four) * (repeats - 1)
    kinds = [name.removesuffix(" few") for name in times if name.endswith(" few")]
    return {kind: (times[f"{kind} many"] - times[f"{kind} few"]) / per for kind in kinds}


def mujoco_tendons(inertial: oi.InertialModel, four: list[int], repeats: int) -> dict[str, Callable[[], object]]:
    """Tasks of MuJoCo with the same paths as tendons; none where it is missing."""
    try:
        import mujoco
    except ModuleNotFoundError:
        return {}

    def repeat(call, model, data):
        return lambda: [call(model, data) for _ in range(STATES)]

    tasks = {}
    for size, which in (("few", four), ("many", four * repeats)):
        spec = mujoco.MjSpec()
        bodies = {"ground": spec.worldbody}
        for joint in inertial.model.getJointSet():
            frame, name = joint.getParentFrame(), joint.getChildFrame().findBaseFrame().getName()
            place = frame.findTransformInBaseFrame().p().to_numpy()
            bodies[name] = body = bodies[frame.findBaseFrame().getName()].add_body(name=name, pos=place)
            body.mass, body.inertia, body.explicitinertial = 1.0, [0.1, 0.1, 0.1], True  # no matter for the time
            for i in range(joint.numCoordinates()):
                kind = mujoco.mjtJoint.mjJNT_HINGE if i < 3 else mujoco.mjtJoint.mjJNT_SLIDE
                body.add_joint(type=kind, axis=np.eye(3)[i % 3])
        paths = list(inertial.muscles.paths.values())
        for n, i in enumerate(which):
            tendon = spec.add_tendon(name=f"{n}", armature=0.1)
            for k, point in enumerate(paths[i].points):
                bodies[point.body].add_site(name=f"{n} {k}", pos=point.station)
                tendon.wrap_site(f"{n} {k}")
        model = spec.compile()
        data = mujoco.MjData(model)
        data.qvel[:] = 1.0
        for call in (mujoco.mj_forward, mujoco.mj_inverse):
            tasks[f"{call.__name__} {size}"] = repeat(call, model, data)
    return tasks


def main() -> None:
    rng = np.random.default_rng(0)
    q, u, udot = rng.standard_normal((3, STATES, SPEEDS))
    R = np.stack([rotations(rng, BODIES) for _ in range(STATES)])
    p = rng.uniform(-0.05, 0.05, (STATES, BODIES, 3))
    J = rng.standard_normal((STATES, 6 * BODIES, SPEEDS)) * (rng.random((6 * BODIES, SPEEDS)) < 0.3)
    bias = rng.standard_normal((STATES, BODIES, 6))
    states = [_kernel.State(*arrays) for arrays in zip(q, u, R, p, J, bias, bias, strict=True)]
    few, many = list(range(FEW)), list(range(MANY))

    def evaluate(kernel, which):
        return lambda: [kernel.evaluate(state, which) for state in states]

    def inverse(kernel, which):
        return lambda: kernel.inverse(states, udot, which)

    kernels = {"continuous": make_kernel(None), "two_bodies": make_kernel(None, (0, 0, 1, 1))}
    kernels["aponeurosis"] = make_kernel(None, constants=FIBRES)
    kernels |= {f"{n}_points": make_kernel(n) for n in POINTS}
    tasks = {}
    for name, kernel in kernels.items():
        for size, which in (("few", few), ("many", many)):
            tasks[f"evaluate {name} {size}"] = evaluate(kernel, which)
            tasks[f"inverse {name} {size}"] = inverse(kernel, which)
    times = {name: min(taken) for name, taken in alternate(tasks, 25).items()}

    values: dict[str, float] = {}
    for strain in ("rigid_tendon", "uniform", "aponeurosis"):
        for kind, seconds in real_muscles(strain).items():
            values[f"{kind}_running_model_{strain}_us"] = 1e6 * seconds
            print(f"{kind} running model's four-point muscles, {strain}: {1e6 * seconds:.3f} us")
    if "mj_inverse_running_model_aponeurosis_us" in values:
        for ours, theirs in (("inverse", "mj_inverse"), ("evaluate", "mj_forward")):
            pair = (values[f"{kind}_running_model_aponeurosis_us"] for kind in (ours, theirs))
            values[f"{ours}_over_mujoco"] = next(pair) / next(pair)
            print(f"{ours} over MuJoCo's {theirs}: {values[f'{ours}_over_mujoco']:.2f}")
    for kind in ("evaluate", "inverse"):
        least = min(values[f"{kind}_running_model_{other}_us"] for other in ("rigid_tendon", "uniform"))
        values[f"{kind}_aponeurosis_over_rigid_tendon"] = (
            values[f"{kind}_running_model_aponeurosis_us"] / values[f"{kind}_running_model_rigid_tendon_us"]
        )
        print(f"{kind}: aponeuroses cost {values[f'{kind}_running_model_aponeurosis_us'] / least:.2f} of the cheapest")
    for kind in ("evaluate", "inverse"):
        for name in kernels:
            few_s, many_s = times[f"{kind} {name} few"], times[f"{kind} {name} many"]
            each = 1e6 * (many_s - few_s) / (STATES * (MANY - FEW))
            whole = 1e6 * many_s / (STATES * MANY)
            print(f"{kind:8s} {name:11s} {each:.3f} us; with what a state needs once {whole:.3f} us")
            values[f"{kind}_{name}_us"] = each
        for low, high in ((20, 40), (320, 640)):
            doubled = times[f"{kind} {high}_points many"] / times[f"{kind} {low}_points many"]
            values[f"{kind}_{high}_over_{low}_points"] = doubled
    report(**values)


if __name__ == "__main__":
    main()

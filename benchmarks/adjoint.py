"""Cost of a gradient by the adjoint, in simulations' worth, against difference quotients in the same run.

Per model and integrator, with 10, 100 and 1000 parameters (signals in time, so that all simulations are alike): the
time of a gradient over that of the simulation, and the same by difference quotients, which need one more simulation per
parameter: those are run for 10 parameters and follow from that beyond. CPU times, medians of ratios taken in turns.

    python benchmarks/adjoint.py [--cases arm gait10dof18musc ...] [--steps 40]
"""

import argparse
import statistics
import time

import numpy as np
from common import opensim_models, osim, report
from models.reaching_arm import arm_masses, reaching_arm

import opensim_inertia as oi

COUNTS = (10, 100, 1000)
REPETITIONS = 7
STEP = 1e-3


def real(path: str) -> oi.InertialModel:
    """All muscles of a real model."""
    model = osim.Model(str(opensim_models() / "Models" / path))
    return oi.InertialModel(model, oi.estimate_masses(model))


CASES = {
    "arm": (lambda: oi.InertialModel(reaching_arm(acting=False), arm_masses()), "forward_euler", "torques"),
    "arm_sdirk2": (lambda: oi.InertialModel(reaching_arm(acting=False), arm_masses()), "sdirk2", "torques"),
    "arm26": (lambda: real("Arm26/arm26.osim"), "sdirk2", "excitations"),
    "gait10dof18musc": (lambda: real("Gait10dof18musc/gait10dof18musc.osim"), "sdirk2", "excitations"),
    "gait10dof18musc_bdf1": (lambda: real("Gait10dof18musc/gait10dof18musc.osim"), "bdf1", "excitations"),
}


def signals(
    inertial: oi.InertialModel, kind: str, count: int, end: float
) -> oi.gradients.Forces | oi.gradients.Excitations:
    """``count`` numbers that drive a simulation until ``end`` [s]."""
    if kind == "torques":
        return oi.gradients.Forces(list(inertial.coordinate_names[:2]), times=np.linspace(0, end, count // 2))
    return oi.gradients.Excitations(list(inertial.muscle_names[:5]), times=np.linspace(0, end, count // 5))


def measure(case: str, steps: int) -> dict[str, float]:
    """Costs of one case, in simulations."""
    make, integrator, kind = CASES[case]
    inertial = make()
    end = steps * STEP
    simulations, starts = {}, {}
    for count in COUNTS:
        parameter = signals(inertial, kind, count, end)
        simulations[count] = oi.DifferentiableSimulation(
            oi.Problem(inertial, t_final=end),
            {"p": parameter},
            oi.integrators.named(integrator, step=STEP),
            progress=False,
        )
        starts[count] = np.full(parameter.shape, 0.3)
    ratios: dict[str, list[float]] = {str(count): [] for count in COUNTS} | {"quotients": []}
    for repetition in range(-1, REPETITIONS):
        for count, simulation in simulations.items():
            begun = time.process_time()
            run = simulation.run({"p": starts[count]})
            between = time.process_time()
            cotangents = np.zeros_like(run.trajectory.y)
            cotangents[-1] = 1.0
            simulation.gradient(run, cotangents)
            if repetition >= 0:
                ratios[str(count)].append((time.process_time() - between) / (between - begun))
        if repetition == 0:
            one = between - begun
            for i in range(COUNTS[0]):
                moved = starts[COUNTS[0]].copy()
                moved.flat[i] += 1e-5
                begun = time.process_time()
                simulations[COUNTS[0]].run({"p": moved})
                ratios["quotients"].append((time.process_time() - begun) / one)
    return {name: statistics.median(found) for name, found in ratios.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()
    values: dict[str, object] = {}
    print(
        f"{'simulations per gradient':24}" + "".join(f"{f'{n} par.':>12}" for n in COUNTS) + "   difference quotients"
    )
    for case in args.cases:
        found = measure(case, args.steps)
        quotients = "".join(f"{n * found['quotients'] + 1:12.0f}" for n in COUNTS)
        print(f"{case:24}" + "".join(f"{found[str(n)]:12.2f}" for n in COUNTS) + quotients, flush=True)
        costs = [found[str(n)] for n in COUNTS]
        values |= {f"{case}_{n}": cost for n, cost in zip(COUNTS, costs, strict=True)}
        values[f"{case}_flat"] = max(costs) / min(costs) - 1
        values[f"{case}_quotients_100"] = 100 * found["quotients"] + 1
    report(**values)


if __name__ == "__main__":
    main()

"""Cost of simulating a shoulder whose wrapped elements have no mass, against OpenSim's Manager in the same run.

The ThoracoscapularShoulder, three of whose muscles have mass; they pass no wrap object. The others are as shipped, or
PathSprings with the same paths. OpenSim's paths over wrap objects are most of the cost, and at their kinks steps are
rejected. Ratios of CPU times: ``rhs``, of one right-hand side (as benchmarks/simulation.py); ``simulation``, of a
simulation with the default integrator against the Manager; ours is asked for 0.3 of the Manager's accuracy, at which
both err about alike. Beside them how often the right-hand side is evaluated, in the Manager by its time over that of
one evaluation; and the errors relative to 1 + |y|, against runs of far higher accuracy (the largest of all states,
geometric mean over ten times).

    python benchmarks/massless_wraps.py [--seconds 0.05] [--accuracy 1e-6]
"""

import argparse
import statistics
import time

import numpy as np
from common import alternate, opensim_models, osim, ratio, report
from simulation import Driven, rhs_ratio

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

MODEL = "ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
#: The muscles that have mass [kg].
MASSES = {"Coracobrachialis": 0.2, "TRIlong": 0.3, "BIC_brevis": 0.2}
#: Of the springs [N/m, s/m].
STIFFNESS, DISSIPATION = 3000.0, 0.01
#: Accuracies, relative to the Manager's, of ours and of the runs that tell errors.
OURS, REFERENCE = 0.3, 1e-2
TIMES, SIMULATIONS, EVALUATIONS = 10, 3, 100


def shoulder(with_springs: bool) -> osim.Model:
    """The model; ``with_springs``: muscles without mass are PathSprings that rest at slack length and optimal fibre."""
    with quiet():
        model = osim.Model(str(opensim_models() / "Models" / MODEL))
    forces = model.updForceSet()
    for muscle in list(model.getMuscles()) if with_springs else []:
        name = muscle.getName()
        if name not in MASSES:
            rest = muscle.getTendonSlackLength() + muscle.getOptimalFiberLength()
            spring = osim.PathSpring(f"{name}_spring", rest, STIFFNESS, DISSIPATION)
            spring.set_path(muscle.get_path())
            forces.remove(forces.getIndex(name))
            model.addForce(spring)
    model.finalizeConnections()
    return model


def manager_seconds(driven: Driven) -> float:
    """CPU time of one evaluation in the Manager [s]."""
    manager, step = driven.manager("ExplicitEuler"), 1e-5
    manager.setIntegratorFixedStepSize(step)
    manager.initialize(osim.State(driven.start))
    manager.integrate(step)
    start = time.process_time()
    manager.integrate(step * (1 + EVALUATIONS))
    return (time.process_time() - start) / EVALUATIONS


def error(y: np.ndarray, exact: np.ndarray) -> float:
    """Of states (T, ny)."""
    largest = np.abs((y - exact) / (1 + np.abs(exact))).max(axis=1)
    return float(np.exp(np.log(largest).mean()))


def measured(with_springs: bool, seconds: float, accuracy: float) -> dict[str, float]:
    """Ratios, evaluations and errors of one of the two models."""
    driven = Driven(shoulder(with_springs))
    inertial = oi.InertialModel(driven.model, MASSES)
    start = inertial.initial_state()
    inertial.model.equilibrateMuscles(start)

    def ours(accuracy: float = OURS * accuracy, **options: object) -> oi.forward_simulation.Trajectory:
        return oi.simulate(
            oi.Problem(inertial, start, seconds), oi.integrators.Automatic(accuracy=accuracy), progress=False, **options
        )

    def at_times(accuracy: float) -> np.ndarray:
        return ours(accuracy, report_step=seconds / TIMES).y[1:]

    def managers_at_times(accuracy: float) -> np.ndarray:
        manager = driven.manager("RungeKuttaMerson")
        manager.setIntegratorAccuracy(accuracy)
        manager.setIntegratorInternalStepLimit(-1)
        manager.initialize(osim.State(driven.start))
        times = seconds / TIMES * np.arange(1, TIMES + 1)
        return np.stack([manager.integrate(t).getY().to_numpy().copy() for t in times.tolist()])

    tasks = {"ours": ours, "manager": lambda: driven.simulate(seconds, accuracy)}
    times = alternate(tasks, SIMULATIONS)
    motion = ours()
    print(f"  {motion.integrator}, {len(motion) - 1} steps", flush=True)
    return {
        "rhs": rhs_ratio(driven, inertial, start),
        "simulation": ratio(times, "ours", "manager"),
        "evaluations": motion.evaluations,
        "manager_evaluations": round(statistics.median(times["manager"]) / manager_seconds(driven)),
        "error": error(at_times(OURS * accuracy), at_times(REFERENCE * accuracy)),
        "manager_error": error(managers_at_times(accuracy), managers_at_times(REFERENCE * accuracy)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--accuracy", type=float, default=1e-6)
    args = parser.parse_args()
    values: dict[str, float] = {}
    for name, with_springs in (("springs", True), ("shipped", False)):
        print(name, flush=True)
        found = measured(with_springs, args.seconds, args.accuracy)
        values |= {f"{name}_{key}": value for key, value in found.items()}
    report(**values)


if __name__ == "__main__":
    main()

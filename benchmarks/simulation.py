"""Cost of forward simulation with every muscle inertial, against OpenSim's Manager in the same run.

Two ratios per model. ``rhs``: one right-hand side along a motion, with the muscles' mass, against OpenSim's own per
evaluation inside the Manager (explicit Euler with fixed steps: one evaluation each, at the same states).
``simulation``: a whole simulation with muscle mass against the Manager's of the lumped model at equal accuracy: the
error of the last state, relative to 1 + |y|, against a far more accurate run of the same. Muscles are driven gently,
since strong excitations lead Arm26 over a jump of OpenSim's wrapped paths, where no accuracy is reached. CPU times.

    python benchmarks/simulation.py [--seconds 1.0] [--models arm26 gait10dof18musc ...]
"""

import argparse
import statistics
import time

import numpy as np
from common import alternate, opensim_models, osim, ratio, report

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import Problem, System

MODELS = {
    "arm26": "Arm26/arm26.osim",
    "gait10dof18musc": "Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "rajagopal2016": "Rajagopal/Rajagopal2016.osim",
}
EXCITATION = 0.05
STATES, REPETITIONS, SIMULATIONS = 100, 15, 3
#: Of the Manager whose error is to be met, and of the runs that tell errors.
ACCURACY, REFERENCE = 1e-5, 1e-8
#: Accuracies of ours, from loose to tight, of which the first one is taken that errs no more than the Manager.
INTEGRATORS = ("auto", "bdf", "rk45")
LADDER = (1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 3e-6, 1e-6, 3e-7, 1e-7)


class Driven:
    """A model, or one read from a file, whose muscles are excited by a controller of its own, and its start."""

    def __init__(self, model: str | osim.Model) -> None:
        self.model = osim.Model(model)
        self.model.finalizeFromProperties()
        controller = osim.PrescribedController()
        controller.setName("constant")
        for muscle in self.model.getMuscles():
            controller.addActuator(muscle)
            controller.prescribeControlForActuator(muscle.getAbsolutePathString(), osim.Constant(EXCITATION))
        self.model.addController(controller)
        self.start = osim.State(self.model.initSystem())
        self.model.equilibrateMuscles(self.start)

    def manager(self, method: str) -> osim.Manager:
        """A manager that does nothing but integrate."""
        manager = osim.Manager(self.model)
        manager.setIntegratorMethod(getattr(osim.Manager, f"IntegratorMethod_{method}"))
        manager.setWriteToStorage(False)
        manager.setPerformAnalyses(False)
        return manager

    def simulate(self, seconds: float, accuracy: float) -> tuple[float, np.ndarray]:
        """Time taken [s] and the last state."""
        manager = self.manager("RungeKuttaMerson")
        manager.setIntegratorAccuracy(accuracy)
        manager.setIntegratorInternalStepLimit(-1)
        start = time.process_time()
        manager.initialize(osim.State(self.start))
        end = manager.integrate(seconds)
        return time.process_time() - start, end.getY().to_numpy().copy()


def rhs_ratio(driven: Driven, inertial: oi.InertialModel, start: osim.State) -> float:
    """Ours against the Manager's, at states of the Manager's motion."""
    step = 1e-5
    system = System(Problem(inertial, start))
    manager = driven.manager("ExplicitEuler")
    manager.setIntegratorFixedStepSize(step)
    manager.initialize(osim.State(driven.start))
    done = [0]
    ys = [start.getY().to_numpy().copy()]
    for _ in range(STATES - 1):
        ys.append(ys[-1] + step * system.rhs(step * len(ys), ys[-1]))

    def ours() -> None:
        for i, y in enumerate(ys):
            system.rhs(step * i, y)

    def theirs() -> None:
        done[0] += STATES
        manager.integrate(step * done[0])

    return ratio(alternate({"ours": ours, "manager": theirs}, REPETITIONS), "ours", "manager")


def simulation_ratio(
    driven: Driven,
    inertial: oi.InertialModel,
    start: osim.State,
    seconds: float,
    integrators: tuple[str, ...] = INTEGRATORS,
    reference: tuple[str, float] = ("bdf", REFERENCE),
) -> dict[str, float | str]:
    """Ours against the Manager at equal accuracy, and what was needed for it.

    ``reference``: the integrator, and its accuracy, that tells our errors.
    """

    def error(y: np.ndarray, exact: np.ndarray) -> float:
        return float(np.abs((y - exact) / (1 + np.abs(exact))).max())

    wanted = error(driven.simulate(seconds, ACCURACY)[1], driven.simulate(seconds, REFERENCE)[1])
    tight, accuracy = reference
    exact = oi.simulate(
        oi.Problem(inertial, start, seconds), oi.integrators.named(tight, accuracy=accuracy), progress=False
    ).y[-1]
    best: tuple[float, str, float, float] | None = None
    for integrator in integrators:
        for accuracy in LADDER:
            begun = time.process_time()
            y = oi.simulate(
                oi.Problem(inertial, start, seconds),
                oi.integrators.named(integrator, accuracy=accuracy),
                progress=False,
            ).y[-1]
            taken = time.process_time() - begun
            if best is not None and taken > best[0]:
                break
            if error(y, exact) <= wanted:
                best = taken, integrator, accuracy, error(y, exact)
                break
    assert best is not None, "no accuracy reaches the Manager's"
    _, integrator, accuracy, reached = best
    times = alternate(
        {
            "ours": lambda: oi.simulate(
                oi.Problem(inertial, start, seconds),
                oi.integrators.named(integrator, accuracy=accuracy),
                progress=False,
            ),
            "manager": lambda: driven.simulate(seconds, ACCURACY),
        },
        SIMULATIONS,
    )
    return {
        "simulation": ratio(times, "ours", "manager"),
        "manager_seconds": statistics.median(times["manager"]),
        "manager_error": wanted,
        "error": reached,
        "integrator": f"{integrator} at {accuracy:g}",
    }


def read(name: str) -> tuple[Driven, oi.InertialModel, osim.State]:
    """A model as OpenSim simulates it, the same with all muscles inertial, and the latter's state in equilibrium."""
    driven = Driven(str(opensim_models() / "Models" / MODELS[name]))
    inertial = oi.InertialModel(driven.model, oi.estimate_masses(driven.model))
    start = inertial.initial_state()
    inertial.model.equilibrateMuscles(start)
    return driven, inertial, start


def arguments(description: str, models: list[str], moco: bool = False) -> argparse.Namespace:
    """What to simulate, ``models`` if nothing is said; ``moco``: whether there is such an option."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--models", nargs="*", choices=MODELS, default=models)
    parser.add_argument("--rhs-only", action="store_true")
    if moco:
        parser.add_argument("--moco", action="store_true")
    return parser.parse_args()


def main() -> None:
    args = arguments(__doc__, list(MODELS)[:3])
    values: dict[str, object] = {}
    for name in args.models:
        driven, inertial, start = read(name)
        values[f"{name}_rhs"] = rhs_ratio(driven, inertial, start)
        print(f"{name}: {len(inertial.muscle_names)} muscles, right-hand side {values[f'{name}_rhs']:.3f}", flush=True)
        if args.rhs_only:
            continue
        found = simulation_ratio(driven, inertial, start, args.seconds)
        print(f"{name}: {args.seconds:g} s simulated: {found}", flush=True)
        values[f"{name}_simulation"] = found["simulation"]
    report(**values)


if __name__ == "__main__":
    main()

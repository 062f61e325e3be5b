"""Cost of OpenSim's muscle models in inertial simulations, as Millard et al. 2013 compare equilibrium and damping.

A muscle is stretched and shortened once a second by a quarter of its fibres' optimal length, at constant activation,
for 0.25 s. For each form of Millard2012EquilibriumMuscle and each integrator at the same tolerance: evaluations of the
equations, time, and the error of the tendon's force against a run at 1e-9, in maximum isometric forces. OpenSim's own
Manager runs the same at the same accuracy (its motion is the same: the block's motion is prescribed); its steps are
those that it records. Last the zero activation that only the damped form has, and all muscle models in one swing on a
hinge. Times are of one run each, or the median of the ratios of three. About two minutes.
"""

import time

import numpy as np
from common import alternate, ratio, report
from oracles.muscle_machines import (
    DAMPING,
    FORCE,
    KINDS,
    along,
    excitation,
    hinge,
    inertial_model,
    millard,
    muscle_of,
    stretch,
    stretched,
    stretcher,
)

import opensim_inertia as oi
from opensim_inertia._core.opensim import quiet

# isort: split
import opensim as osim

ACTIVATIONS = (0.01, 0.03, 0.1, 0.3, 1.0)
INTEGRATORS = {"rk45": oi.integrators.RungeKutta45, "bdf": oi.integrators.BDF}
FORMS = {"equilibrium": 0.0, "damped": DAMPING}
TIME, ACCURACY, TIGHT = 0.25, 1e-6, 1e-9


def run(
    damping: float, activation: float, integrator: str, accuracy: float = ACCURACY
) -> oi.forward_simulation.Trajectory:
    problem = stretch(millard(damping), activation, t_final=TIME)
    return stretched(problem, INTEGRATORS[integrator](accuracy=accuracy))


def manager_run(damping: float, activation: float, cpodes: bool = False) -> tuple[int, float]:
    """Steps, and time [s], of OpenSim's Manager."""
    model = stretcher(millard(damping), 0.25)
    controller = osim.PrescribedController()
    controller.addActuator(muscle_of(model))
    controller.prescribeControlForActuator("muscle", osim.Constant(activation))
    model.addController(controller)
    model.finalizeConnections()
    state = model.initSystem()
    model.realizeDynamics(state)
    muscle_of(model).setActivation(state, activation)
    model.equilibrateMuscles(state)
    manager = osim.Manager(model)
    if cpodes:
        manager.setIntegratorMethod(osim.Manager.IntegratorMethod_CPodes)
    manager.setIntegratorAccuracy(ACCURACY)
    with quiet():
        manager.initialize(state)
        start = time.process_time()
        manager.integrate(TIME)
    return manager.getStatesTable().getNumRows() - 1, time.process_time() - start


def main() -> None:
    values: dict[str, object] = {}
    counts: dict[tuple[str, str, float], int] = {}
    apart = 0.0
    for activation in ACTIVATIONS:
        references = {}
        for form, damping in FORMS.items():
            (references[form],) = along(run(damping, activation, "bdf", TIGHT), "TendonForce")
            for integrator in INTEGRATORS:
                start = time.process_time()
                done = run(damping, activation, integrator)
                elapsed = time.process_time() - start
                counts[form, integrator, activation] = done.evaluations
                error = np.abs(along(done, "TendonForce")[0] - references[form]).max() / FORCE
                print(
                    f"a = {activation:g}, {form}, {integrator}: {done.evaluations} evaluations, {elapsed:.2f} s, "
                    f"error {error:.1e}",
                    flush=True,
                )
            for cpodes in (False, True):
                steps, elapsed = manager_run(damping, activation, cpodes)
                name = "CPodes" if cpodes else "Runge-Kutta-Merson"
                print(f"a = {activation:g}, {form}, Manager, {name}: {steps} steps, {elapsed:.3f} s", flush=True)
        apart = max(apart, np.abs(references["damped"] - references["equilibrium"]).max() / FORCE)
    for integrator in INTEGRATORS:
        for activation in (0.01, 0.1, 1.0):
            more = counts["equilibrium", integrator, activation] / counts["damped", integrator, activation]
            values[f"{integrator}_evaluations_over_damped_{activation:g}"] = more
    values["force_apart_worst"] = apart

    tasks = {form: lambda d=damping: run(d, 0.03, "rk45") for form, damping in FORMS.items()}
    values["rk45_time_over_damped_0.03"] = ratio(alternate(tasks, 3), "equilibrium", "damped")
    ours: dict[str, list[float]] = {form: [] for form in FORMS}
    for _ in range(3):
        for form, damping in FORMS.items():
            ours[form].append(manager_run(damping, 0.03)[1])
    values["manager_time_over_damped_0.03"] = ratio(ours, "equilibrium", "damped")

    silent_muscle = stretched(stretch(millard(least=0.0), 0.0, t_final=TIME), "rk45")
    values["evaluations_at_zero_damped"] = silent_muscle.evaluations
    for kind, make in KINDS.items():
        inertial = inertial_model(hinge(make()))
        for integrator in ("rk45", "bdf"):
            start = time.process_time()
            done = oi.simulate(
                oi.Problem(inertial, t_final=0.35, excitations={"muscle": excitation}, equilibrate=True), integrator
            )
            elapsed = time.process_time() - start
            print(f"hinge, {kind}, {integrator}: {done.evaluations} evaluations, {elapsed:.2f} s", flush=True)
    report(**values)


if __name__ == "__main__":
    main()

"""Simulations with delayed neural control against the same control without delays, in processor time, in turns.

Arm26 with muscle mass, 0.5 s from rest, six neurons that hold excitations near 0.1: each is fed by its muscle's fibre
length 20 ms before, which is a state (``ratio_fibre``); by its path's length, for which OpenSim lays the paths of the
past state (``ratio_path``); by the elbow's angle (``ratio_coordinate``). Standing on pins for 2 s after a shove, hips
on angle and rate 120 ms before (``ratio_standing``; without delays it comes to rest sooner, by longer steps).
``evaluations_*`` are those of the right-hand side, with and without delays. ``ms_roots``: rightmost roots of the
linearization of the first.
"""

import argparse

import numpy as np
from common import alternate, opensim_models, ratio, report
from models.hip_feedback import hip_feedback, shove
from models.standing import standing

import opensim_inertia as oi
from opensim_inertia._core.checks import silenced


def reflex(inertial: oi.InertialModel, signal: str, delay: float) -> oi.control.NeuralControl:
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    neurons = []
    for muscle in inertial.model.getMuscles():
        name, length = muscle.getName(), muscle.getOptimalFiberLength()
        rest = {"fiber_length": muscle.getFiberLength(state), "path_length": muscle.getLength(state)}
        source = "r_elbow_flex/value" if signal == "coordinate" else f"{name}/{signal}"
        gain = 0.2 if signal == "coordinate" else 0.3 / length
        inputs = [oi.control.Synapse(source, gain, rest.get(signal, 0.0), delay), oi.control.Synapse(lambda t: 0.1)]
        neurons.append(oi.control.Neuron(name, inputs, bounds=(0.02, 1.0)))
    return oi.control.NeuralControl(neurons)


def main(repetitions: int) -> None:
    file = str(opensim_models() / "Models" / "Arm26" / "arm26.osim")
    inertial = oi.InertialModel(file, oi.estimate_masses(file), wrapping=oi.Wrapping(warn_wraps=False))
    pinned = oi.InertialModel(standing(0.45, "pinned"), {})
    values: dict[str, object] = {}

    def arm(signal: str, delay: float) -> oi.forward_simulation.Trajectory:
        return oi.simulate(oi.Problem(inertial, t_final=0.5, control=reflex(inertial, signal, delay)), "rk45")

    def body(delay: float) -> oi.forward_simulation.Trajectory:
        control = hip_feedback(0.45, delay=delay)
        return oi.simulate(
            oi.Problem(pinned, pinned.initial_state(), 2.0, excitations=shove(0.1, 0.13), control=control)
        )

    for name, run, delay in (
        ("fibre", lambda delay: arm("fiber_length", delay), 0.020),
        ("path", lambda delay: arm("path_length", delay), 0.020),
        ("coordinate", lambda delay: arm("coordinate", delay), 0.020),
        ("standing", body, 0.120),
    ):
        tasks = {"late": lambda run=run, delay=delay: run(delay), "now": lambda run=run: run(0.0)}
        values[f"ratio_{name}"] = ratio(alternate(tasks, repetitions), "late", "now")
        values[f"evaluations_{name}"] = "/".join(str(task().evaluations) for task in tasks.values())
    state = inertial.initial_state()
    inertial.model.equilibrateMuscles(state)
    with silenced(oi.warnings.OffEquilibriumWarning):
        linear = oi.linearize(inertial, state, control=reflex(inertial, "fiber_length", 0.020))
    values["ms_roots"] = 1e3 * float(np.median(alternate({"": linear.eigenvalues}, 5)[""]))
    report(**values)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    main(parser.parse_args().repetitions)

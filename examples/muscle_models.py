"""Millard's muscle in its three modes: the force is much the same, the cost is not.

Millard et al. 2013 (J Biomech Eng 135:021005) say so of equilibrium, damped equilibrium and a rigid tendon; here
OpenSim's Millard2012EquilibriumMuscle shows it. In the left picture a muscle of 0.4 kg swings a rod of 1 kg up from
hanging. In the right one the muscle is stretched by a quarter of its fibres' optimal length, at constant activation,
and the numbers say how often integrators evaluate the equations.
"""

import numpy as np
import opensim as osim
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure

import opensim_inertia as oi

FORCE, FIBRE, TENDON, PENNATION = 200.0, 0.12, 0.17, 0.25  # N, m, m, rad
ROD, MASS, LENGTH = 1.0, 0.4, 0.4  # of the rod and of the muscle [kg], of the rod [m]
SWING, STRETCH = 0.35, 0.25  # durations [s]
ACTIVATIONS = (0.01, 0.03, 0.1, 0.3, 1.0)
INTEGRATORS = {"rk45": "-", "bdf": "--"}
#: Fibre damping, whether the tendon is rigid, colour.
MODES = {
    "equilibrium": (0.0, False, "#D55E00"),
    "damped equilibrium": (0.1, False, "#0072B2"),
    "rigid tendon": (0.1, True, "#009E73"),
}


def add_muscle(model, mode, body, origin, insertion):
    """Return the inertial model with a muscle from ground to ``body``, without the muscle's mass."""
    muscle = osim.Millard2012EquilibriumMuscle("muscle", FORCE, FIBRE, TENDON, PENNATION)
    damping, rigid, _ = MODES[mode]
    muscle.set_fiber_damping(damping)
    muscle.set_ignore_tendon_compliance(rigid)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(*origin, 0))
    muscle.addNewPathPoint("insertion", body, osim.Vec3(*insertion, 0))
    model.addForce(muscle)
    model.finalizeConnections()
    masses = pd.DataFrame({"muscle": ["muscle"], "mass": MASS, "segment": ""})  # nothing is subtracted from the body
    return oi.InertialModel(model, masses, strain="rigid_tendon")


def hinge(mode):
    """Return a rod that hangs from a hinge."""
    model, across = osim.Model(), ROD * LENGTH**2 / 12
    rod = osim.Body("rod", ROD, osim.Vec3(0, -LENGTH / 2, 0), osim.Inertia(across, across / 10, across))
    pin = osim.PinJoint("pin", model.getGround(), osim.Vec3(0), osim.Vec3(0), rod, osim.Vec3(0), osim.Vec3(0))
    pin.updCoordinate().setRangeMin(-1.5)
    pin.updCoordinate().setRangeMax(2.5)
    model.addBody(rod)
    model.addJoint(pin)
    return add_muscle(model, mode, rod, (0.03, 0.25), (0.03, -0.06))


def stretcher(mode):
    """Return a block on a slider that is moved by a quarter of a sine."""
    model = osim.Model()
    block = osim.Body("block", 10.0, osim.Vec3(0), osim.Inertia(0.1))
    slider = osim.SliderJoint("slider", model.getGround(), block)
    x = slider.updCoordinate()
    x.setRangeMin(0.2)
    x.setRangeMax(0.5)
    x.setPrescribedFunction(osim.Sine(FIBRE / 4, np.pi / (2 * STRETCH), 0.0, TENDON + FIBRE * np.cos(PENNATION)))
    x.setDefaultIsPrescribed(True)
    model.addBody(block)
    model.addJoint(slider)
    return add_muscle(model, mode, block, (0, 0), (0, 0))


def millard(inertial):
    return osim.Millard2012EquilibriumMuscle.safeDownCast(inertial.model.getMuscles().get("muscle"))


def swing(mode):
    """Return times [s] and tendon forces [N] of the swing."""
    inertial = hinge(mode)
    excitations = {"muscle": lambda t: 0.05 + 0.45 * np.sin(8 * t) ** 2}
    done = oi.simulate(
        oi.Problem(inertial, t_final=SWING, excitations=excitations, equilibrate=True), report_step=0.002
    )
    forces = []
    for state in done.states():
        inertial.model.realizeDynamics(state)
        forces.append(millard(inertial).getTendonForce(state))
    return done.times, np.array(forces)


def evaluations(inertial, activation, integrator):
    """Return the numbers of evaluations of the equations."""
    state = inertial.initial_state()
    inertial.model.realizeDynamics(state)
    millard(inertial).setActivation(state, activation)
    excitations = {"muscle": activation}
    return oi.simulate(
        oi.Problem(inertial, state, STRETCH, excitations=excitations, equilibrate=True), integrator
    ).evaluations


def main():
    folder = output_folder("muscle_models")
    figure = Figure(figsize=(10.5, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    forces = {}
    for mode, (_, rigid, colour) in MODES.items():
        times, forces[mode] = swing(mode)
        left.plot(times, forces[mode], color=colour, lw=1.8, label=mode)
        if rigid:
            continue
        inertial = stretcher(mode)
        for integrator, line in INTEGRATORS.items():
            counts = [evaluations(inertial, a, integrator) for a in ACTIVATIONS]
            right.loglog(
                ACTIVATIONS, counts, line, marker="o", ms=4, color=colour, lw=1.8, label=f"{mode}, {integrator}"
            )
            print(f"{mode}, {integrator}: evaluations", dict(zip(ACTIVATIONS, counts, strict=True)))
    reference = forces["damped equilibrium"]
    for mode in ("equilibrium", "rigid tendon"):
        apart = np.abs(forces[mode] - reference).max() / FORCE
        print(f"{mode}: at most {100 * apart:.1f} % of the maximum isometric force from damped equilibrium")
    left.set_title("tendon force in a swing", fontsize=10)
    left.set_xlabel("time [s]")
    left.set_ylabel("force [N]")
    left.set_xlim(0, SWING)
    left.set_ylim(0, None)
    right.set_title(f"evaluations for {STRETCH:g} s of stretch", fontsize=10)
    right.set_xlabel("activation")
    right.set_ylabel("evaluations of the equations")
    right.set_ylim(100, None)
    right.set_xticks(ACTIVATIONS, [f"{a:g}" for a in ACTIVATIONS])
    right.minorticks_off()
    for axis in (left, right):
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=8)
    figure.savefig(folder / "muscle_models.png", dpi=120)
    print("wrote", folder / "muscle_models.png")


if __name__ == "__main__":
    main()

"""Reaching by muscles: excitations over time that bring an arm's hand, and a leg's foot, to rest at a target.

This goes beyond section 4.7 of Wang et al. 2022, where torques vary and the adjoint does not see the muscles' forces.
Here excitations vary from 0.01 to 1, linear between five times, and the gradient goes through the muscles' own states:
activations, and fibre lengths where tendons give way. There are three models:

* arm: the demo's shoulder and elbow; seven muscles with rigid tendons.
* leg: the demo's seated leg whose knee follows splines; six muscles with elastic tendons.
* Arm26: OpenSim's own, Thelen's six muscles; if the environment variable OPENSIM_MODELS names a copy of opensim-models.

The objective is the squared distance to the target at the end, the squares of joint speeds there, joints beyond
their range (the arm has no limits), and the mean square of excitations, with weights that let the hand miss by a few
millimetres if that saves effort.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
from common import output_folder, pytorch
from matplotlib.figure import Figure
from models import muscles_apart
from models.reaching_arm import START, arm_masses, reaching_arm
from models.spline_knee import build_seated_leg, knee_masses

import opensim_inertia as oi

torch = pytorch()
NODES = 5
BOUNDS, SCALE = (0.01, 1.0), 0.1  # excitations; how far they go at first
DISTANCE, REST = 0.01, 0.1  # m, rad/s: each counts as much as a mean square excitation of 1 / EFFORT
RANGE = 0.02  # rad
EFFORT = 5.0
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7", "0.35")


@dataclass(frozen=True, eq=False)
class Reach:
    """A model and its task.

    Attributes:
        name: of the model.
        inertial: the model.
        point: gives the places (..., 3) of hand or foot, from a trajectory and rows.
        start, target: angles [deg].
        time: of the reach [s].
        step: of the simulation [s].
        first: excitations to start with; those of other muscles are 0.05.
        iterations: of the optimisation.
    """

    name: str
    inertial: oi.InertialModel
    point: Any
    start: tuple[float, ...]
    target: tuple[float, ...]
    time: float
    step: float
    first: dict[str, float]
    iterations: int

    @property
    def muscles(self):
        return tuple(muscle.getName() for muscle in self.inertial.model.getMuscles())

    def state(self, angles):
        """Return the state at rest at angles [deg]."""
        state = self.inertial.initial_state()
        self.inertial.coordinates.set_values(state, np.radians(angles))
        return state

    def simulation(self, inertial=None):
        """Return the reach as a differentiable function of excitations (muscles, NODES)."""
        excitations = oi.gradients.Excitations(self.muscles, np.linspace(0.0, self.time, NODES))
        return oi.DifferentiableSimulation(
            oi.Problem(inertial or self.inertial, self.state(self.start), self.time, equilibrate=True),
            {"excitations": excitations},
            oi.integrators.SDIRK2(step=self.step),
            progress=False,
        )

    def place(self, angles):
        """Return the place of hand or foot at angles [deg] (3,)."""
        no_force = oi.gradients.Forces(self.inertial.coordinate_names[:1])
        short = oi.DifferentiableSimulation(
            oi.Problem(self.inertial, self.state(angles), 1e-6, equilibrate=True), {"none": no_force}, progress=False
        )
        return self.point(short(), 0).detach()

    def objective(self):
        """Return the objective to minimise."""
        target = self.place(self.target)
        coordinates = [self.inertial.model.getCoordinateSet().get(name) for name in self.inertial.coordinate_names]
        low, high = torch.tensor([[c.getRangeMin(), c.getRangeMax()] for c in coordinates], dtype=torch.float64).T

        def of(trajectory):
            miss = ((self.point(trajectory, -1) - target) ** 2).sum()
            speed = (trajectory.speeds()[-1] ** 2).mean()
            angles = trajectory.coordinates()
            beyond = ((torch.relu(low - angles) + torch.relu(angles - high)) ** 2).mean()
            effort = (trajectory.parameters["excitations"] ** 2).mean()
            return miss / DISTANCE**2 + speed / REST**2 + beyond / RANGE**2 + EFFORT * effort

        return of

    def start_values(self):
        """Return the excitations (muscles, NODES) to start with."""
        return np.repeat([[self.first.get(name, 0.05)] for name in self.muscles], NODES, axis=1)

    def optimise(self):
        simulation = self.simulation()
        start = {"excitations": self.start_values()}
        return oi.minimise(
            simulation,
            self.objective(),
            start,
            {"excitations": BOUNDS},
            iterations=self.iterations,
            scale={"excitations": SCALE},
            progress=False,
        )


def arm():
    """Return the arm's reach with shoulder and elbow; damping holds the upper arm's rotation, which no muscle does."""
    inertial = oi.InertialModel(*muscles_apart(reaching_arm(damping=0.5), arm_masses()), "rigid_tendon")
    start, target = tuple(np.degrees(START)), (45.0, -5.0, 10.0, 80.0)
    first = {"BIC": 0.2, "DELT1": 0.1}  # bends the elbow; straight the wrong way is a minimum, too
    return Reach("arm", inertial, lambda t, rows: t.marker("hand", rows), start, target, 0.5, 0.02, first, 12)


def leg():
    """Return the seated leg's reach with knee and ankle."""
    inertial = oi.InertialModel(*muscles_apart(build_seated_leg("spline", 1.75, 75.0), knee_masses()), "uniform")
    toes = (0.15, -0.06, 0.0)
    start, target = (-80.0, -15.0), (-20.0, -20.0)
    return Reach("leg", inertial, lambda t, rows: t.point("calcn_r", toes, rows), start, target, 0.4, 0.01, {}, 12)


def arm26(folder):
    """Return Arm26's reach; none of its muscles lifts the arm forward, so that the shoulder goes back."""
    model = osim.Model(str(folder / "Models" / "Arm26" / "arm26.osim"))
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    wrist, start, target = "r_radius_styloid", (0.0, 20.0), (-20.0, 90.0)
    return Reach("Arm26", inertial, lambda t, rows: t.marker(wrist, rows), start, target, 0.5, 0.01, {}, 8)


def main():
    folder = output_folder("reaching_with_excitations")
    reaches = [arm(), leg()]
    if os.environ.get("OPENSIM_MODELS"):
        reaches.append(arm26(Path(os.environ["OPENSIM_MODELS"])))
    else:
        print("without Arm26: OPENSIM_MODELS names no copy of opensim-models")
    figure = Figure(figsize=(11, 3.1 * len(reaches)), layout="constrained")
    rows = []
    for reach, axes in zip(reaches, figure.subplots(len(reaches), 3, width_ratios=[1, 1.25, 1]), strict=True):
        way, excitations, search = axes
        found = reach.optimise()
        simulation, target = reach.simulation(), reach.place(reach.target)
        before = reach.point(simulation(excitations=torch.from_numpy(reach.start_values())), slice(None))
        after = reach.point(simulation(excitations=torch.from_numpy(found.values["excitations"])), slice(None))
        speed = np.degrees(np.abs(found.trajectory.speeds().iloc[-1]).max())
        miss = 1e3 * torch.linalg.vector_norm(after[-1] - target).item()
        rows.append((reach.name, found.iterations, found.simulations, found.gradients, found.seconds, miss, speed))

        way.plot(*before[:, :2].T, ":", color="0.5", lw=1.8, label="first simulation")
        way.plot(*after[:, :2].T, "-o", color="#0072B2", lw=2, ms=3, markevery=5, label="optimised")
        way.plot(*target[:2], "x", color="black", ms=9, mew=2, label="target")
        way.set_aspect("equal", adjustable="datalim")
        way.set(xlabel="x, forward [m]", ylabel="y, up [m]")
        way.set_title(f"{reach.name}: {'foot' if reach.name == 'leg' else 'hand'}", fontsize=10)
        way.legend(frameon=False, fontsize=8)
        times = np.linspace(0.0, reach.time, NODES)
        for i, (name, values) in enumerate(zip(reach.muscles, found.values["excitations"], strict=True)):
            excitations.plot(times, values, "o-", color=COLOURS[i], lw=1.8, ms=3.5, label=name)
        excitations.set(xlabel="time [s]", ylim=(0, None))
        excitations.set_title(f"excitations, {reach.time:g} s", fontsize=10)
        excitations.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
        best = found.history["objective"].cummin()
        search.semilogy(best.index + 1, best, color="0.2", lw=2)
        search.set(xlabel="simulations")
        search.set_title("objective", fontsize=10)
        for axis in axes:
            axis.spines[["top", "right"]].set_visible(False)
    columns = ["model", "iterations", "simulations", "gradients", "seconds", "miss [mm]", "speed [deg/s]"]
    table = pd.DataFrame(rows, columns=columns)
    table.to_csv(folder / "reaching_with_excitations.csv", index=False)
    print(table.round({"seconds": 1, "miss [mm]": 2, "speed [deg/s]": 2}).to_string(index=False))
    figure.savefig(folder / "reaching_with_excitations.png", dpi=120)
    print("wrote", folder / "reaching_with_excitations.png")


if __name__ == "__main__":
    main()

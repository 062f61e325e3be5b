"""Reaching by joint torques: how many simulations an optimiser needs with the adjoint's gradients, and without.

As Wang et al. 2022, section 4.7: three torques at the shoulder and one at the elbow bring the hand of an arm, whose
muscles have mass and do not pull, to a target. The paper's torques are constant; it names rest at the target and paths
as what could be added, which is done here. All three tasks start from torques of zero:

* target: constant torques (4 numbers); the hand is at the target at 0.4 s.
* rest: torques linear between five times (20 numbers), for constant ones cannot brake; the arm is at rest there, too.
* path: the same 20 numbers; the hand follows a bow, at the pace of a minimum-jerk motion.

Objectives are squares of distances and speeds over tolerances, so that a task is solved where its objective falls below
1, whatever the method. Two things are needed so that any method gets there. Torques are scaled by what turns each joint
by 1 rad: the arm's inertia about its long axis is a hundredth of that across it, and so is the torque that matters. And
joints have a little damping, as living ones have, without which that axis spins off before the others move. A small
effort decides among torques that do the same.

A second argument "full" adds methods, simulations and the path.
"""

import sys
import time

import numpy as np
import pandas as pd
import torch
from common import output_folder
from matplotlib.figure import Figure
from scipy import optimize

import opensim_inertia as oi
from opensim_inertia.demo.reaching_arm import COORDINATES, START, TARGET, arm_masses, reaching_arm

TIME, STEP = 0.4, 0.01  # s
NODES = np.linspace(0.0, TIME, 5)  # s
DAMPING = 0.1  # N m s/rad
DISTANCE, REST, FOLLOWING = 1e-3, 0.05, 5e-3  # tolerances: m, rad/s, m
EFFORT = 1e-3  # weight of the mean square of scaled torques
BOW = (0.0, 0.0, 0.10)  # by which the path bends to the side in its middle [m]
ROWS = np.arange(5, round(TIME / STEP) + 1, 5)  # of a trajectory, compared with the path
TASKS = ("target", "rest", "path")
METHODS = {  # and their colours
    "adjoint, L-BFGS-B": "#0072B2",
    "differences, L-BFGS-B": "#009E73",
    "COBYQA": "#E69F00",
    "Powell": "#CC79A7",
    "Nelder-Mead": "#D55E00",
}


def arm(lumped=False):
    """The arm with its muscles' mass along them, or in the upper arm."""
    return oi.InertialModel(reaching_arm(acting=False, damping=DAMPING), {} if lumped else arm_masses())


def hand_at(inertial, angles):
    """The hand's place [m] at angles [rad]."""
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.array(angles))
    inertial.model.realizePosition(state)
    return inertial.model.getMarkerSet().get("hand").getLocationInGround(state).to_numpy().copy()


def torque_scale(inertial):
    """Torques [N m] that turn the joints by 1 rad from rest (4,)."""
    state = inertial.initial_state()
    inertial.model.realizePosition(state)
    bones = inertial.kinematics.mass_matrix(state)
    muscles = inertial.evaluate(state).mass_matrix if inertial.muscle_names else 0.0
    return 2.0 * np.diag(bones + muscles) / TIME**2


def path(inertial, times):
    """Where the hand should be at times [s] (n, 3)."""
    share = np.asarray(times) / TIME
    way = (share**3 * (10 - 15 * share + 6 * share**2))[:, None]
    start, end = hand_at(inertial, START), hand_at(inertial, TARGET)
    return start + way * (end - start) + 4 * way * (1 - way) * np.array(BOW)


class Solved(Exception):
    """The objective is below 1."""


class Spent(Exception):
    """No more simulations are allowed."""


class Task:
    """What the arm should do, and a record of all attempts.

    Attributes:
        simulation: a function of the torques (names,) or (names, nodes) [N m].
        scale: typical torques, of the same shape.
        objectives, misses: of every simulation; misses are distances [m]: at the end, or along the path (RMS).
        hands: the hand's path (T, 3) in every simulation [m].
    """

    def __init__(self, kind, inertial=None, step=STEP):
        self.kind = kind
        inertial = inertial or arm()
        forces = oi.Forces(COORDINATES, None if kind == "target" else NODES)
        self.simulation = oi.DifferentiableSimulation(
            inertial, {"torque": forces}, t_final=TIME, step=step, progress=False
        )
        scale = torque_scale(inertial)
        self.scale = scale if kind == "target" else np.repeat(scale[:, None], len(NODES), axis=1)
        self._target = torch.from_numpy(hand_at(inertial, TARGET))
        self._rows = (ROWS * round(STEP / step)).tolist()
        self._path = torch.from_numpy(path(inertial, self.simulation.times[self._rows]))
        self.forget()

    def forget(self):
        """Start a new record."""
        self.objectives, self.misses, self.hands, self.began = [], [], [], time.perf_counter()

    def objective(self, trajectory):
        """Squares over tolerances, and a little effort."""
        if self.kind == "path":
            apart = ((trajectory.marker("hand", self._rows) - self._path) ** 2).sum(dim=1).mean()
            found = apart / FOLLOWING**2
        else:
            apart = ((trajectory.marker("hand", -1) - self._target) ** 2).sum()
            found = apart / DISTANCE**2
        if self.kind == "rest":
            found = found + (trajectory.speeds()[-1] ** 2).mean() / REST**2
        effort = ((trajectory.parameters["torque"] / torch.from_numpy(self.scale)) ** 2).mean()
        found = found + EFFORT * effort
        self.objectives.append(float(found))
        self.misses.append(float(apart.sqrt()))
        self.hands.append(trajectory.marker("hand", slice(None, None, 2)).detach().numpy())
        return found

    def without_gradient(self, scaled, most=None):
        """The objective at scaled torques (n,), as minimise() has it; for methods that know no more."""
        if most is not None and len(self.objectives) >= most:
            raise Spent
        torques = torch.from_numpy(scaled.reshape(self.scale.shape) * self.scale)
        try:
            with torch.no_grad():
                found = float(self.objective(self.simulation(torque=torques)))
        except (oi.DivergenceError, oi.SimulationError):  # such as torques that whirl the arm around
            found = 10 * max(self.objectives)
            self.objectives.append(found)
            self.misses.append(np.nan)
            self.hands.append(None)
        if found <= 1 and most is not None:
            raise Solved
        return found


def solve(task, method, most=400):
    """Solve a task with one of METHODS; the optimum, or None without gradients, and a row of the table."""
    task.forget()
    counts = task.simulation.simulations, task.simulation.gradients
    start, optimum = np.zeros(task.scale.size), None
    if method.startswith("adjoint"):
        scale = {"torque": task.scale}
        optimum = oi.minimise(task.simulation, task.objective, iterations=most, scale=scale, progress=False)
    else:
        name = method.split(", ")[-1]
        options = {"rhobeg": 1.0} if name == "COBYQA" else {"maxiter": 10 * most}
        try:
            optimize.minimize(task.without_gradient, start, args=(most,), method=name, options=options)
        except (Solved, Spent):
            pass
    seconds = time.perf_counter() - task.began
    objectives = np.array(task.objectives)
    done = np.flatnonzero(objectives <= 1)
    best = int(np.argmin(objectives))
    row = {
        "task": task.kind,
        "method": method,
        "parameters": task.scale.size,
        "simulations until solved": done[0] + 1 if len(done) else np.nan,
        "simulations": len(objectives),
        "gradients": task.simulation.gradients - counts[1],
        "seconds": seconds,
        "objective": objectives[best],
        "miss [mm]": 1e3 * task.misses[best],
    }
    return optimum, row

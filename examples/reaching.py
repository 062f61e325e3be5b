"""Reaching by joint torques: the number of simulations that optimisers need with the adjoint's gradients, and without.

This is section 4.7 of Wang et al. 2022: three torques at the shoulder and one at the elbow bring the hand of an arm,
whose muscles have mass and do not pull, to a target. The paper's torques are constant; rest at the target and paths,
which it names as extensions, are added here. All tasks start from torques of zero:

* target: constant torques (4 numbers); the hand is at the target at 0.4 s.
* rest: torques linear between five times (20 numbers), for constant ones cannot brake; the arm is at rest there, too.
* path: the same 20 numbers; the hand moves straight to the target, at the pace of a minimum-jerk motion.

Objectives are squares of distances and speeds over tolerances, so that a task is solved where its objective falls below
1, whatever the method; there every method is stopped. "differences" is what the paper compares with: the same method,
its gradients by differences. Four things make the tasks well posed for any method. Torques are scaled by what turns
each joint by 1 rad: the arm's inertia about its long axis is a thirtieth of that across it, and so is the torque that
matters. Joints have a little damping, as living ones have, without which that axis spins off before the others move. An
elbow that bends the wrong way counts against the objective, for the model has no limits. A small effort decides among
torques that do the same.

To be quick, steps are 40 ms, and methods without gradients may make 40 or 64 simulations. With a second argument "full"
steps are 20 ms, it is 1000, there are more methods, and the path is solved, too. Found so: constant torques take 36
simulations with the adjoint, 149 with COBYQA, 176 with differences, 524 with Nelder and Mead's method and 907 with
Powell's. Rest takes 63; no other method is there after 1000, 16 times as many. The path takes 47, and 831 with COBYQA,
the only other one that is there. Steps of 20 ms leave the hand within 1 mm of where exact simulation has it.
"""

import sys
import time

import numpy as np
import pandas as pd
from common import output_folder, pytorch
from matplotlib import colormaps
from matplotlib.figure import Figure
from models import muscles_apart
from models.reaching_arm import COORDINATES, START, TARGET, arm_masses, reaching_arm
from scipy import optimize

import opensim_inertia as oi

torch = pytorch()
TIME, STEP, COARSE = 0.4, 0.02, 0.04  # s
NODES = np.linspace(0.0, TIME, 5)  # s
DAMPING = 0.2  # N m s/rad
DISTANCE, REST, FOLLOWING = 1e-3, 0.05, 10e-3  # tolerances: m, rad/s, m
BENT = 0.02  # rad, tolerance of an elbow that bends the wrong way
EFFORT = 1e-3  # weight of the mean square of scaled torques
SEEN = 0.04  # s, from one comparison with the path to the next
ADJOINT = "L-BFGS-B, adjoint"
METHODS = {  # and their colours
    ADJOINT: "#0072B2",
    "L-BFGS-B, differences": "#009E73",
    "COBYQA": "#E69F00",
    "Powell": "#CC79A7",
    "Nelder-Mead": "#D55E00",
}
#: Task: methods, and how many simulations those without gradients may make; with steps of COARSE, and of STEP.
QUICK = {"target": ([ADJOINT, "COBYQA"], 40), "rest": ([ADJOINT, "L-BFGS-B, differences"], 64)}
FULL = {"target": (list(METHODS), 1000)} | {task: (list(METHODS)[:4], 1000) for task in ("rest", "path")}


def arm(lumped=False):
    """Return the arm with its muscles' mass along them or in the upper arm."""
    model = reaching_arm(acting=False, damping=DAMPING)
    return oi.InertialModel(*((model, {}) if lumped else muscles_apart(model, arm_masses())), "rigid_tendon")


def at_rest(inertial, angles=START):
    """Return the arm's state at rest at angles [rad]."""
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.array(angles))
    inertial.model.realizePosition(state)
    return state


def joints_at(inertial, angles):
    """Return the places of shoulder, elbow and hand (3, 3) [m] at angles [rad]."""
    state = at_rest(inertial, angles)
    bodies = [inertial.model.getBodySet().get(name) for name in ("upper_arm", "forearm")]
    hand = inertial.model.getMarkerSet().get("hand").getLocationInGround(state)
    return np.array([*(body.getPositionInGround(state).to_numpy() for body in bodies), hand.to_numpy()])


def torque_scale(inertial):
    """Return the torques [N m] that turn the joints by 1 rad from rest (4,)."""
    state = at_rest(inertial)
    bones = inertial.kinematics.mass_matrix(state)
    muscles = inertial.evaluate(state).added_mass_matrix if inertial.muscle_names else 0.0
    return 2.0 * np.diag(bones + muscles) / TIME**2


def straight(inertial, times):
    """Return the places where the hand should be at times [s] (n, 3)."""
    share = np.asarray(times)[:, None] / TIME
    start, end = (joints_at(inertial, angles)[-1] for angles in (START, TARGET))
    return start + share**3 * (10 - 15 * share + 6 * share**2) * (end - start)


class Solved(Exception):
    """Raised when the objective is below 1."""


class Spent(Exception):
    """Raised when the number of simulations is spent."""


class Task:
    """A task of the arm, and a record of all attempts.

    Args:
        kind: "target", "rest" or "path".
        inertial: the arm.
        step: of the simulation [s].
        distance, rest: tolerances of where the hand is [m] and of speeds [rad/s] at the end.
        effort: weight of the mean square of scaled torques.

    Attributes:
        simulation: a function of the torques, (4,) or (4, nodes) [N m].
        scale: typical torques, of the same shape.
        objectives, misses, torques: of every simulation; misses are distances [m]: at the end, or along the path (RMS).
        goal, most: Solved is raised where the objective is not above ``goal``, Spent after so many simulations without;
            None: neither is.
    """

    def __init__(self, kind, inertial=None, step=STEP, distance=DISTANCE, rest=REST, effort=EFFORT):
        self.kind, self._distance, self._rest, self._effort = kind, distance, rest, effort
        inertial = inertial or arm()
        forces = oi.gradients.Forces(COORDINATES, None if kind == "target" else NODES)
        self.simulation = oi.DifferentiableSimulation(
            oi.Problem(inertial, t_final=TIME), {"torque": forces}, oi.integrators.SDIRK2(step=step), progress=False
        )
        scale = torque_scale(inertial)
        self.scale = scale if kind == "target" else np.repeat(scale[:, None], len(NODES), axis=1)
        self._target = torch.from_numpy(joints_at(inertial, TARGET)[-1])
        every = round(SEEN / step)
        self._rows = list(range(every, len(self.simulation.times), every))
        self._path = torch.from_numpy(straight(inertial, self.simulation.times[self._rows]))
        self.forget()

    def forget(self, most=None, goal=1.0):
        """Start a new record."""
        self.most, self.goal = most, goal
        self.objectives, self.misses, self.torques = [], [], []

    def objective(self, trajectory):
        """Return the sum of squares over tolerances, and a little effort."""
        torque = trajectory.parameters["torque"]
        if self.kind == "path":
            apart = ((trajectory.marker("hand", self._rows) - self._path) ** 2).sum(dim=1).mean()
            found = apart / FOLLOWING**2
        else:
            apart = ((trajectory.marker("hand", -1) - self._target) ** 2).sum()
            found = apart / self._distance**2
        if self.kind == "rest":
            found = found + (trajectory.speeds()[-1] ** 2).mean() / self._rest**2
        found = found + (torch.relu(-trajectory.coordinate("elbow_flexion")) ** 2).mean() / BENT**2
        found = found + self._effort * ((torque / torch.from_numpy(self.scale)) ** 2).mean()
        self._note(found.item(), apart.sqrt().item(), torque)
        return found

    def value(self, scaled):
        """Return the objective at scaled torques (n,), for methods without gradients."""
        torque = torch.from_numpy(scaled.reshape(self.scale.shape) * self.scale)
        try:
            with torch.no_grad():
                return self.objective(self.simulation(torque=torque)).item()
        except (oi.errors.DivergenceError, oi.errors.SimulationError):  # such as torques that whirl the arm around
            found = 10 * max(self.objectives)
            self._note(found, np.nan, torque)
            return found

    def _note(self, objective, miss, torque):
        self.objectives.append(objective)
        self.misses.append(miss)
        self.torques.append(torque.detach().numpy().copy())
        if self.most is not None and objective <= self.goal:
            raise Solved
        if self.most is not None and len(self.objectives) >= self.most:
            raise Spent


def optimum(task, iterations=200, start=None):
    """Minimise beyond 1 until the method converges; start from torques of zero unless others are given."""
    task.forget()
    values, scale = None if start is None else {"torque": start}, {"torque": task.scale}
    return oi.minimise(task.simulation, task.objective, values, iterations=iterations, scale=scale, progress=False)


def solve(task, method, most=1000, goal=1.0):
    """Solve a task with one of METHODS and return its cost as a row of the table; the task keeps the record."""
    task.forget(most, goal)
    gradients, began = task.simulation.gradients, time.perf_counter()
    try:
        if method == ADJOINT:
            scale = {"torque": task.scale}
            oi.minimise(task.simulation, task.objective, iterations=most, scale=scale, progress=False)
        else:
            options = {"initial_tr_radius": 1.0} if method == "COBYQA" else {"maxiter": most}
            optimize.minimize(task.value, np.zeros(task.scale.size), method=method.split(",")[0], options=options)
    except (Solved, Spent):
        pass
    best = int(np.argmin(task.objectives))
    return {
        "task": task.kind,
        "numbers": task.scale.size,
        "method": method,
        "solved": task.objectives[best] <= goal,
        "simulations": len(task.objectives),
        "gradients": task.simulation.gradients - gradients,
        "seconds": time.perf_counter() - began,
        "objective": task.objectives[best],
        "miss [mm]": 1e3 * task.misses[best],
    }


def draw_arm(axis, inertial, angles, **style):
    x, y, _ = joints_at(inertial, angles).T
    axis.plot(x, y, "-o", lw=6, ms=8, solid_capstyle="round", zorder=1, **style)


def draw_reaches(axis, task):
    """Draw the hand's paths from the side at some of the improvements that a method made."""
    values = np.array(task.objectives)
    better = np.flatnonzero(values <= np.minimum.accumulate(values))
    shown = better[np.unique(np.geomspace(1, len(better), 7).round().astype(int) - 1)]
    inertial = task.simulation.inertial
    smooth = Task(task.kind, inertial).simulation
    draw_arm(axis, inertial, START, color="0.85")
    for i, simulation in enumerate(shown):
        trajectory = smooth(torque=torch.from_numpy(task.torques[simulation]))
        hand, share = trajectory.marker("hand"), i / (len(shown) - 1)
        colour = colormaps["viridis_r"](0.1 + 0.9 * share)
        axis.plot(*hand[:, :2].T, color=colour, lw=1 + 1.5 * share, zorder=2 + i)
        axis.plot(*hand[-1, :2], "o", color=colour, ms=4, zorder=2 + i)
        after = f"after {simulation + 1} simulations" if i else "first simulation"
        axis.plot([], [], color=colour, lw=2, label=after)
    draw_arm(axis, inertial, trajectory.coordinates()[-1].numpy(), color="0.7")
    axis.plot(*joints_at(inertial, TARGET)[-1, :2], "x", color="black", ms=9, mew=2, zorder=20, label="target")
    axis.set_aspect("equal")
    axis.axis("off")
    axis.legend(frameon=False, fontsize=7.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, 0.02))
    axis.set_title("to rest at the target: the hand, from the side", fontsize=10)


def main():
    folder = output_folder("reaching")
    full = sys.argv[2:] == ["full"]
    plan = FULL if full else QUICK
    figure = Figure(figsize=(4.4 + 3.4 * len(plan), 4.2), layout="constrained")
    left, *axes = figure.subplots(1, 1 + len(plan), width_ratios=[1.25] + [1] * len(plan))
    inertial, rows = arm(), []
    for axis, (kind, (methods, most)) in zip(axes, plan.items(), strict=True):
        task = Task(kind, inertial, STEP if full else COARSE)
        for method in methods:
            rows.append(solve(task, method, 1000 if method == ADJOINT else most))
            if kind == "rest" and method == ADJOINT:
                draw_reaches(left, task)
            best = np.minimum.accumulate(task.objectives)
            axis.loglog(np.arange(1, len(best) + 1), best, color=METHODS[method], lw=2, label=method)
            axis.plot(len(best), best[-1], "o" if rows[-1]["solved"] else "x", color=METHODS[method], ms=6)
        axis.axhline(1, color="0.7", lw=0.8, zorder=0)
        axis.set(xlabel="simulations", ylim=(0.01, None))
        axis.xaxis.set_major_formatter("{x:g}")
        axis.set_title(f"{kind}: {task.scale.size} numbers", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False, fontsize=8, loc="lower left")
    axes[0].set_ylabel("best objective; solved below 1")
    table = pd.DataFrame(rows)
    table.to_csv(folder / "reaching.csv", index=False)
    print(table.round({"seconds": 1, "objective": 2, "miss [mm]": 2}).to_string(index=False))
    for kind, found in table.groupby("task", sort=False) if full else ():
        adjoint, others = found["simulations"].iloc[0], found.iloc[1:]
        solved = others[others["solved"]]["simulations"]
        least = f"{solved.min() / adjoint:.1f}" if len(solved) else f"more than {plan[kind][1] / adjoint:.1f}"
        print(f"{kind}: without the adjoint {least} times as many simulations")
    figure.savefig(folder / "reaching.png", dpi=120)
    print("wrote", folder / "reaching.png")


if __name__ == "__main__":
    main()

"""Optimal torques of one reach, with lumped and with inertial muscles.

The arm of reaching.py goes to rest at the target, with torques linear between five times: once with the muscles' mass
along them, and once with it lumped into the upper arm, as in most models. Tolerances are wider than there and effort
counts for more, so that there is one best way. Then the torques that are best for the lumped arm are given to the
inertial one.

Effort hardly tells apart torques of adduction and rotation, so that a search from zero takes some 200 iterations, as
it does with a second argument "full". Otherwise it starts from what that found, FOUND, and shows that it stays there.
From the lumped arm's optimum the inertial arm's search ends in the same one, and the other way round, within 0.02 N m.

The upper arm keeps a share of its mass and inertia here, as in Wang et al. 2022, and its muscles lie elsewhere than
what it lost. How little of the miss is due to mass that slides is printed last: the same torques on arms from whose
upper arm the muscles themselves are subtracted.
"""

import sys

import numpy as np
import pandas as pd
from common import output_folder, pytorch
from matplotlib.figure import Figure
from models.reaching_arm import COORDINATES, START, arm_masses, reaching_arm
from reaching import DAMPING, NODES, STEP, TARGET, Task, arm, draw_arm, joints_at, optimum

import opensim_inertia as oi

torch = pytorch()
DISTANCE, REST, EFFORT = 0.02, 0.5, 0.3
FOUND = {  # N m, of COORDINATES at NODES
    "lumped": [
        [17.415, 19.039, 10.475, -7.747, -0.681],
        [-2.436, -0.532, 0.495, -2.524, -0.111],
        [0.0436, 0.0340, 0.0065, -0.0021, -0.0084],
        [4.181, 7.194, 2.730, -1.612, -3.333],
    ],
    "inertial": [
        [16.511, 17.998, 10.406, -7.852, -1.048],
        [-2.951, -0.594, 1.124, -2.870, -0.195],
        [0.0502, 0.0316, 0.0021, -0.0032, -0.0115],
        [4.196, 7.117, 2.604, -1.670, -3.259],
    ],
}
COLOURS = {"lumped": "0.25", "inertial": "#D55E00", "lumped torques, inertial arm": "#0072B2"}


def tasks(step=STEP):
    """Return the tasks of the lumped and the inertial arm, with equal weights of effort."""
    found = {name: Task("rest", arm(name == "lumped"), step, DISTANCE, REST, EFFORT) for name in ("lumped", "inertial")}
    found["lumped"].scale = found["inertial"].scale
    return found


def optima(pair, iterations, start=None):
    """Find the best reach of each arm, from FOUND unless a start is given."""
    return {
        name: optimum(task, iterations, np.array(FOUND[name]) if start is None else start)
        for name, task in pair.items()
    }


def sliding(torque):
    """Yield the miss [m] of torques on arms with sliding muscles only, by strain model."""
    for strain in ("rigid_tendon", "aponeurosis"):
        inertial = oi.InertialModel(reaching_arm(acting=False, damping=DAMPING), arm_masses(), strain)
        yield strain, outcome(Task("rest", inertial, STEP, DISTANCE, REST, EFFORT), torque)[2]


def outcome(task, torque):
    """Return angles over time [deg], the hand's path (T, 3), its miss [m], and the largest speed at the end
    [deg/s].
    """
    trajectory = task.simulation(torque=torch.from_numpy(torque))
    hand = trajectory.marker("hand").numpy()
    miss = np.linalg.norm(hand[-1] - joints_at(task.simulation.inertial, TARGET)[-1])
    return (
        np.degrees(trajectory.coordinates().numpy()),
        hand,
        miss,
        np.degrees(trajectory.speeds()[-1].abs().max().item()),
    )


def difference(found):
    """Return the largest difference of torques (4,) over the inertial arm's largest torque at the same joint."""
    lumped, inertial = (found[name].values["torque"] for name in ("lumped", "inertial"))
    return np.abs(inertial - lumped).max(axis=1) / np.abs(inertial).max(axis=1)


def main():
    folder = output_folder("lumped_or_inertial_controls")
    pair = tasks()
    full = sys.argv[2:] == ["full"]
    found = optima(pair, *((400, np.zeros((4, len(NODES)))) if full else (12,)))
    lumped, inertial = (found[name].values["torque"] for name in ("lumped", "inertial"))
    runs = {
        "lumped": outcome(pair["lumped"], lumped),
        "inertial": outcome(pair["inertial"], inertial),
        "lumped torques, inertial arm": outcome(pair["inertial"], lumped),
    }
    for name, (_, _, miss, speed) in runs.items():
        print(f"{name}: the hand misses by {1e3 * miss:.1f} mm, the fastest joint turns by {speed:.0f} deg/s")
    for strain, miss in sliding(lumped):
        print(f"lumped torques, muscles subtracted, {strain}: the hand misses by {1e3 * miss:.1f} mm")
    share = difference(found)
    table = pd.DataFrame(
        {
            "lumped, largest [N m]": np.abs(lumped).max(axis=1),
            "inertial, largest [N m]": np.abs(inertial).max(axis=1),
            "largest difference [N m]": np.abs(inertial - lumped).max(axis=1),
            "share [%]": 100 * share,
        },
        index=pd.Index(COORDINATES, name="coordinate"),
    )
    table.to_csv(folder / "lumped_or_inertial_controls.csv")
    print(table.round(3).to_string())
    for name, optimal in found.items():
        print(
            f"{name}: {optimal.iterations} iterations, {optimal.simulations} simulations, objective "
            f"{optimal.objective:.4f}, gradient {optimal.history['gradient'].iloc[-1]:.1e}"
        )

    figure = Figure(figsize=(11, 4.8), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[1, 1.7])
    way = left.subplots()
    model = pair["inertial"].simulation.inertial
    draw_arm(way, model, START, color="0.9")
    for name, (angles, hand, miss, _) in runs.items():
        if name != "lumped":
            draw_arm(way, model, np.radians(angles[-1]), color=COLOURS[name], alpha=0.25)
        style = "--" if name == "lumped" else "-"
        label = f"{name}: misses by {1e3 * miss:.0f} mm"
        way.plot(*hand[:, :2].T, style, color=COLOURS[name], lw=2, label=label, zorder=4)
    way.plot(*joints_at(model, TARGET)[-1, :2], "x", color="black", ms=9, mew=2, zorder=5)
    way.set_aspect("equal")
    way.axis("off")
    way.set_title("the hand, from the side", fontsize=10)
    way.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 0.0))
    for i, (axis, name) in enumerate(zip(right.subplots(2, 2).flat, COORDINATES, strict=True)):
        axis.axhline(0, color="0.85", lw=0.8)
        axis.plot(NODES, lumped[i], "o--", color=COLOURS["lumped"], lw=2, ms=4, label="lumped")
        axis.plot(NODES, inertial[i], "o-", color=COLOURS["inertial"], lw=2, ms=4, label="inertial")
        axis.set_title(f"{name.replace('_', ' ')} [N m]: {100 * share[i]:.0f} % apart", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
        if i > 1:
            axis.set_xlabel("time [s]")
        else:
            axis.legend(frameon=False, fontsize=8)
    figure.savefig(folder / "lumped_or_inertial_controls.png", dpi=120)
    print("wrote", folder / "lumped_or_inertial_controls.png")


if __name__ == "__main__":
    main()

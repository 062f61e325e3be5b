"""The double pendulum in space of Zoufaly et al. 2025 through gimbal lock, in Euler angles and in quaternions.

Six muscles pull with constant tension. The upper ball joint passes gimbal lock at distances of 0.3 to 0 rad; energies,
accuracy, steps and evaluations of both simulations stand side by side.
"""

import numpy as np
import pandas as pd
from common import markdown, output_folder, write_section
from matplotlib.figure import Figure
from models.ball_pendulum import MUSCLES, build_ball_pendulum, set_tensions
from scipy.spatial.transform import Rotation

import opensim_inertia as oi

TILTS = (0.3, 0.005, 0.0005, 0.0)  # rad
ANGLES, ELBOW = (0.3, 0.2), (0.2, 0.3, -0.4)  # of the upper joint beside its second, and of the lower, in lock [rad]
SPEEDS = (0.8, 1.8, -0.6, 0.2, -0.3, 0.3)  # there [rad/s]
BEFORE, AFTER = 0.25, 0.35  # s
TENSIONS = dict(zip(MUSCLES, (2.0, 3.0, 1.0, 2.0, 1.0, 3.0), strict=True))  # N
METHODS = {
    "sdirk2, 2 ms": oi.integrators.SDIRK2(step=2e-3),
    "dop853, 1e-8": oi.integrators.DOP853(accuracy=1e-8),
}
EXACT = oi.integrators.DOP853(accuracy=1e-12)  # in quaternions
COLOURS = dict(zip(TILTS, ("#0072B2", "#009E73", "#E69F00", "#D55E00"), strict=True))
WIDTHS = dict(zip(TILTS, (1.5, 4.5, 2.8, 1.2), strict=True))  # for lines that lie on each other


def approaching(tilt):
    """Return the pendulum, and a state from which it comes as near as ``tilt`` [rad] to lock after ``BEFORE`` seconds.

    Nothing is lost on the way, so that the state is found by going back: the same motion with all speeds turned round.
    """
    shoulder = (ANGLES[0], np.pi / 2 - tilt, ANGLES[1])
    back = -np.array(SPEEDS)
    inertial = oi.InertialModel(*build_ball_pendulum((shoulder, ELBOW), (back[:3], back[3:])))
    state = inertial.initial_state()
    set_tensions(inertial.model, state, TENSIONS)
    state = oi.simulate(oi.Problem(inertial, state, BEFORE, rotations="quaternion"), EXACT).final_state()
    for i in range(state.getNU()):
        state.updU().set(i, -state.getU().get(i))
    state.setTime(0.0)
    return inertial, state


def energy(motion):
    """Return kinetic and potential energy of the rods, and the muscles', tension times length, (T,) [J]."""
    muscles = motion.inertial.model.getMuscles()
    pull = [sum(f * muscles.get(name).getLength(state) for name, f in TENSIONS.items()) for state in motion.states()]
    return motion.energy()[["kinetic", "potential_bones"]].sum(axis=1).to_numpy() + pull


def rods(motion):
    """Return both rods' rotations relative to their parents at the last state."""
    last = motion.coordinates().to_numpy()[-1]
    return Rotation.from_euler("XYZ", last.reshape(2, 3))


def run(inertial, state, rotations, integrator):
    """Return the motion, up to a failure if there is one."""
    try:
        return oi.simulate(oi.Problem(inertial, state, BEFORE + AFTER, rotations=rotations), integrator)
    except oi.errors.DivergenceError as error:
        return error.trajectory


def compare():
    """Return a table with a row for each distance, method and kind of coordinates, and their motions."""
    rows, motions = [], {}
    for tilt in TILTS:
        inertial, state = approaching(tilt)
        exact = rods(oi.simulate(oi.Problem(inertial, state, BEFORE + AFTER, rotations="quaternion"), EXACT))
        for name, integrator in METHODS.items():
            for rotations in ("euler", "quaternion"):
                motion = run(inertial, state, rotations, integrator)
                motions[tilt, name, rotations] = motion
                total = energy(motion)
                arrives = motion.times[-1] > BEFORE + AFTER - 1e-9
                error = (rods(motion) * exact.inv()).magnitude().max() if arrives else np.nan
                row = {
                    "from lock [rad]": f"{tilt:g}",
                    "method": name,
                    "rotations": rotations,
                    "energy off [J]": f"{np.abs(total - total[0]).max():.1e}",
                    "angle off [rad]": f"{error:.1e}" if arrives else f"stops at {motion.times[-1]:.3f} s",
                    "steps": len(motion) - 1,
                    "evaluations": motion.evaluations,
                }
                rows.append(row)
    return pd.DataFrame(rows), motions


def draw(table, motions, path):
    """Draw the upper joint's coordinates, the energies, and the evaluations."""
    figure = Figure(figsize=(12, 3.9), layout="constrained")
    angles, energies, costs = figure.subplots(1, 3)
    motion = motions[0.0005, "dop853, 1e-8", "euler"]
    values = motion.coordinates().iloc[:, :3]
    for name, colour in zip(values, ("#0072B2", "0.5", "#D55E00"), strict=True):
        angles.plot(motion.times, np.degrees(values[name]), color=colour, label=name)
    Q = Rotation.from_euler("XYZ", values.to_numpy()).as_quat(scalar_first=True)
    Q *= np.sign(np.cumprod(np.r_[1.0, np.sign((Q[1:] * Q[:-1]).sum(axis=1))]))[:, None]
    beside = angles.twinx()
    for i in range(4):
        beside.plot(motion.times, Q[:, i], "--", color="black", alpha=0.3 + 0.2 * i, lw=1, label=f"$Q_{i}$")
    beside.set(ylim=(-1.05, 1.05), ylabel="elements of the quaternion")
    angles.set(ylabel="angle [degrees]", title="upper joint, 0.0005 rad from lock")
    angles.legend(loc="lower left", frameon=False, fontsize=8)
    beside.legend(loc="upper right", ncols=2, frameon=False, fontsize=8)
    for tilt in TILTS:
        for rotations, style in (("euler", "--"), ("quaternion", "-")):
            motion = motions[tilt, "sdirk2, 2 ms", rotations]
            off = np.abs(energy(motion) - energy(motion)[0])
            label = f"{tilt:g} rad" if rotations == "quaternion" else None
            energies.semilogy(
                motion.times[1:], off[1:], style, color=COLOURS[tilt], lw=WIDTHS[tilt] if label else 1.2, label=label
            )
    energies.set(ylabel="|change of total energy| [J]", title="sdirk2, 2 ms; dashed in Euler angles")
    energies.legend(frameon=False, fontsize=8, title="from lock", loc=(0.22, 0.03))
    energies.set_ylim(1e-7, None)
    counts = table[table["method"] == "dop853, 1e-8"].pivot(
        index="from lock [rad]", columns="rotations", values="evaluations"
    )
    counts = counts.loc[[f"{tilt:g}" for tilt in TILTS]]
    for k, (rotations, colour) in enumerate((("euler", "0.65"), ("quaternion", "#0072B2"))):
        costs.bar(np.arange(len(counts)) + 0.4 * k - 0.2, counts[rotations], 0.38, color=colour, label=rotations)
    costs.set_xticks(range(len(counts)), counts.index)
    costs.set(xlabel="from lock [rad]", ylabel="evaluations", title="dop853, relative accuracy 1e-8")
    costs.legend(frameon=False)
    for axis in (angles, energies):
        axis.axvline(BEFORE, color="0.8", lw=1, zorder=0)
        axis.set_xlabel("time [s]")
    for axis in (energies, costs):
        axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main():
    folder = output_folder("gimbal_lock")
    table, motions = compare()
    print(table.to_string(index=False))
    table.to_csv(folder / "gimbal_lock.csv", index=False)
    draw(table, motions, folder / "gimbal_lock.png")
    write_section("gimbal lock", markdown(table.set_index(["from lock [rad]", "method", "rotations"])))
    print("wrote", folder / "gimbal_lock.png")


if __name__ == "__main__":
    main()

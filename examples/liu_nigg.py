"""Four masses in a line that touch the ground in running, after Liu and Nigg 2000, by WobblingMass.

Lower and upper body each are a rigid mass and a wobbling one (Liu W, Nigg BM (2000), J Biomech 33:219-224). The
wobbling mass of the upper body is a ``WobblingMass`` of it. That of the lower body has springs to both rigid masses,
while a ``WobblingMass`` hangs on one segment: as "one" it is a body of its own and nothing differs from the paper's
equations, as "two" it is a ``WobblingMass`` of the lower body, and its second spring joins the rigid masses instead.

The paper is not at hand: masses, springs and dampers are as later papers quote them, and those of the ground and the
speeds at touch-down are from memory. What the abstract says can be checked: with more mass in the lower body, rigid or
wobbling, and with a larger rigid share of it, the impact is larger; mass of the upper body matters little for the
impact, and much for the second peak.
"""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from common import output_folder
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp

import opensim_inertia as oi

# isort: split
import opensim as osim

GRAVITY = 9.81  # m/s^2
STIFFNESS = np.array([6.0, 6.0, 10.0, 10.0, 18.0]) * 1e3  # k1 to k5 [N/m]; k4 and k5 are side by side
DAMPING = np.array([300.0, 650.0, 1900.0])  # c1, c2, c4 [N s/m]
SPEEDS = np.array([0.96, 0.96, 2.0, 2.0])  # downward, at touch-down [m/s]
GROUND = {"a": 1e6, "b": 1.38, "c": 2e4, "d": 0.75, "area": 2.0}  # a hard shoe
UNTIL, IMPACT_ENDS = 0.2, 0.05  # s
ACCURACY = 1e-8


@dataclass(frozen=True)
class Masses:
    """Rigid and wobbling masses of the lower and the upper body [kg]."""

    lower: float = 6.15
    lower_soft: float = 6.0
    upper: float = 12.58
    upper_soft: float = 50.34


def ground_force(depth, rate):
    """Return the force of the ground [N] at a depth [m] and rate [m/s] of compression."""
    depth, g = np.maximum(depth, 0.0), GROUND
    return np.maximum(g["area"] * (g["a"] * depth ** g["b"] + g["c"] * depth ** g["d"] * rate), 0.0)


def equations_of_the_paper(masses, times=None):
    """Return times [s] and the ground's force [N] by the paper's four equations, at all steps or at times (T,)."""
    m = np.array([masses.lower, masses.lower_soft, masses.upper, masses.upper_soft])
    (k1, k2, k3, k4, k5), (c1, c2, c4) = STIFFNESS, DAMPING

    def rates(_, y):
        x, v = y[:4], y[4:]
        leg = k1 * (x[0] - x[2]) + c1 * (v[0] - v[2])
        lower, between = k2 * (x[0] - x[1]) + c2 * (v[0] - v[1]), k3 * (x[1] - x[2])
        upper = (k4 + k5) * (x[2] - x[3]) + c4 * (v[2] - v[3])
        force = np.array([-ground_force(x[0], v[0]) - leg - lower, lower - between, leg + between - upper, upper])
        return np.concatenate([v, GRAVITY + force / m])

    start = np.concatenate([np.zeros(4), SPEEDS])
    answer = solve_ivp(rates, (0.0, UNTIL), start, t_eval=times, rtol=ACCURACY, atol=1e-10, max_step=1e-3)
    return answer.t, ground_force(answer.y[0], answer.y[4])


def line_of_masses(masses, soft):
    """Return an OpenSim model of masses in a line. Coordinates are upward: the lower body's, others from it.

    Args:
        masses: the masses.
        soft: how many of the wobbling masses are parts of their segments, 1 (the upper body's) or 2.
    """
    model = osim.Model()
    model.setName("liu_nigg")
    model.setGravity(osim.Vec3(0, -GRAVITY, 0))
    parts = [("lower", masses.lower + (masses.lower_soft if soft == 2 else 0.0), "ground")]
    parts += [("upper", masses.upper + masses.upper_soft, "lower")]
    parts += [] if soft == 2 else [("lower_soft", masses.lower_soft, "lower")]
    frames = {"ground": model.getGround()}
    for name, mass, parent in parts:
        body = osim.Body(name, mass, osim.Vec3(0), osim.Inertia(0.1, 0.1, 0.1))
        model.addBody(body)
        turned = osim.Vec3(0, 0, np.pi / 2)  # a slider moves along x
        joint = osim.SliderJoint(f"{name}_slider", frames[parent], osim.Vec3(0), turned, body, osim.Vec3(0), turned)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
        frames[name] = body
    (k1, k2, k3, _, _), (c1, c2, _) = STIFFNESS, DAMPING
    springs = {"upper": (k1 + (k3 if soft == 2 else 0.0), c1)} | ({} if soft == 2 else {"lower_soft": (k2, c2)})
    for name, (stiffness, damping) in springs.items():
        spring = osim.SpringGeneralizedForce(name)
        spring.setName(f"spring_{name}")
        spring.setStiffness(float(stiffness))
        spring.setViscosity(float(damping))
        spring.setRestLength(0.0)
        model.addForce(spring)
    model.finalizeConnections()
    return model


def wobbles(masses, soft):
    """Return the wobbling masses of segments."""
    (_, k2, _, k4, k5), (_, c2, c4) = STIFFNESS, DAMPING
    found = [oi.options.WobblingMass("upper", masses.upper_soft, (0, 0, 0), k4 + k5, c4, "upper soft")]
    if soft == 2:
        found.append(oi.options.WobblingMass("lower", masses.lower_soft, (0, 0, 0), k2, c2, "lower soft"))
    return tuple(found)


def simulated(masses, soft, swings=True):
    """Return times [s] and the ground's force [N] of a simulation; ``swings``: else nothing wobbles."""
    inertial = oi.InertialModel(line_of_masses(masses, soft), {})
    names = inertial.coordinate_names
    speeds = {"lower": -SPEEDS[0], "upper": SPEEDS[0] - SPEEDS[2], "lower_soft": SPEEDS[0] - SPEEDS[1]}
    state = inertial.initial_state()
    state.setU(osim.Vector.createFromMat(np.array([speeds[name] for name in names])))

    def forces(state):
        q, u = state.getQ().to_numpy(), state.getU().to_numpy()
        forces = np.zeros(len(names))
        forces[names.index("lower")] = ground_force(-q[names.index("lower")], -u[names.index("lower")])
        if soft == 1:  # the spring between the lower body's wobbling mass and the upper body
            pull = STIFFNESS[2] * (q[names.index("upper")] - q[names.index("lower_soft")])
            forces[names.index("upper")], forces[names.index("lower_soft")] = -pull, pull
        return forces

    masses_on_springs = wobbles(masses, soft)
    start = {mass.name: np.zeros((2, 3)) for mass in masses_on_springs}
    wobble = oi.options.Wobble(masses=masses_on_springs, start=start)
    run = oi.simulate(
        oi.Problem(inertial, state, UNTIL, forces=forces),
        oi.integrators.DOP853(step=1e-3, accuracy=ACCURACY),
        progress=False,
        wobble=wobble if swings else False,
    )
    place = names.index("lower")
    return run.times, ground_force(
        -run.coordinates().iloc[:, place].to_numpy(), -run.speeds().iloc[:, place].to_numpy()
    )


def peaks(times, force):
    """Return the first peak [kN], its time [ms], and the peak after it [kN], its time [ms]."""
    early = times < IMPACT_ENDS
    first = int(np.argmax(np.where(early, force, 0.0)))
    second = int(np.argmax(np.where(early, 0.0, force)))
    return force[first] / 1e3, 1e3 * times[first], force[second] / 1e3, 1e3 * times[second]


COLUMNS = ["impact [kN]", "at [ms]", "second peak [kN]", "at [ms] "]


def main():
    """Simulate, print the peaks, and draw."""
    folder = output_folder("liu_nigg")
    masses = Masses()
    curves = {
        "Liu and Nigg's equations": equations_of_the_paper(masses),
        "upper body's mass is a WobblingMass": simulated(masses, 1),
        "both are": simulated(masses, 2),
        "both, but nothing wobbles": simulated(masses, 2, swings=False),
    }
    table = pd.DataFrame([peaks(*curve) for curve in curves.values()], index=list(curves), columns=COLUMNS)
    print(table.round(3).to_string())
    times, force = curves["upper body's mass is a WobblingMass"]
    apart = np.abs(equations_of_the_paper(masses, times)[1] - force).max()
    print(f"differs from the paper's equations by {apart:.2g} N at most")
    changed = {
        "as it is": masses,
        "lower rigid + 2 kg": replace(masses, lower=masses.lower + 2.0),
        "lower wobbling + 2 kg": replace(masses, lower_soft=masses.lower_soft + 2.0),
        "2 kg of the lower wobbling made rigid": replace(masses, lower=8.15, lower_soft=4.0),
        "upper wobbling + 10 kg": replace(masses, upper_soft=masses.upper_soft + 10.0),
    }
    trends = pd.DataFrame([peaks(*simulated(m, 1)) for m in changed.values()], index=list(changed), columns=COLUMNS)
    print(trends.round(3).to_string())
    pd.concat([table, trends]).to_csv(folder / "liu_nigg.csv")
    figure = Figure(figsize=(7.5, 4.2), layout="constrained")
    axis = figure.subplots()
    styles = ["k-", "C0--", "C1-", "C7:"]
    for (name, (t, f)), style in zip(curves.items(), styles, strict=True):
        axis.plot(1e3 * t, f / 1e3, style, label=name)
    axis.set(xlabel="time after touch-down [ms]", ylabel="force of the ground [kN]", xlim=(0, 1e3 * UNTIL))
    axis.set_ylim(bottom=0.0)
    axis.set_title("Four masses in a line, after Liu and Nigg 2000")
    axis.legend(frameon=False)
    figure.savefig(folder / "liu_nigg.png", dpi=120)
    print("wrote", folder / "liu_nigg.png")


if __name__ == "__main__":
    main()

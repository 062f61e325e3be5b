"""A posture of Arm26 that falls over is held by feedback: controllability and a linear-quadratic regulator.

The state matrices come from this package, the design from python-control (pip install control).
"""

import numpy as np
from common import opensim_models, osim, output_folder
from matplotlib.figure import Figure

import opensim_inertia as oi

models = opensim_models()
try:
    import control
except ModuleNotFoundError:
    raise SystemExit("this example needs python-control, which is not installed: pip install control") from None

folder = output_folder("balanced_arm")
model = osim.Model(str(models / "Models" / "Arm26" / "arm26.osim"))
inertial = oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False))
p = oi.equilibrate(inertial, {"r_shoulder_elev": 0.2, "r_elbow_flex": 1.2})
linear = p.linearize()
print(f"without feedback a deviation doubles in {linear.doubling_time:.3f} s")

# Muscles at their least activation cannot do less: feedback goes to those that are active.
active = [i for i, name in enumerate(linear.input_names) if p.activations[name] > 0.05]
names = [linear.input_names[i] for i in active]
A, B = linear.A, linear.B[:, active]
slow = np.linalg.eigvals(A).real > -5  # what muscles at rest do fast is of no concern
reached = [np.linalg.matrix_rank(np.hstack([A - s * np.eye(len(A)), B])) == len(A) for s in np.linalg.eigvals(A)[slow]]
print(f"modes that {', '.join(names)} can control: {sum(reached)} of the {len(reached)} slow ones")
weights = np.diag([100.0 if name.endswith("/value") else 0.01 for name in linear.state_names])
gain, _, closed = control.lqr(A, B, weights, 10.0 * np.eye(len(active)))
print(f"with feedback the slowest mode decays at {-closed.real.max():.2f} per s")

variables = [inertial.model.getStateVariableNames().get(i) for i in range(len(linear.variable_names))]
order = [variables.index(name) for name in linear.state_names]
rest = inertial.model.getStateVariableValues(p.state).to_numpy()[order].copy()


def feedback(state: osim.State) -> dict[str, float]:
    """Excitations of the active muscles, from the deviations of all states."""
    deviation = inertial.model.getStateVariableValues(state).to_numpy()[order] - rest
    change = -gain @ deviation
    held = dict(p.excitations)
    for name, value in zip(names, change, strict=True):
        held[name] = float(np.clip(held[name] + value, 0.01, 1.0))
    return held


start = inertial.initial_state()
start.setY(p.state.getY())
inertial.model.getCoordinateSet().get("r_elbow_flex").setValue(start, 1.25)
runs = {
    "excitations held": oi.simulate(oi.Problem(inertial, start, 1.0, excitations=p.excitations), report_step=0.01),
    "feedback": oi.simulate(oi.Problem(inertial, start, 1.0, excitations=feedback), report_step=0.01),
}
figure = Figure(figsize=(5.6, 3.2), layout="constrained")
axes = figure.subplots()
for (name, run), color in zip(runs.items(), ("#D55E00", "#0072B2"), strict=True):
    elbow = np.degrees(run.coordinates()["r_elbow_flex"])
    axes.plot(elbow.index, elbow, color=color, label=name)
    print(f"{name}: the elbow ends {elbow.iloc[-1] - np.degrees(1.2):+.2f} degrees off")
axes.axhline(np.degrees(1.2), color="0.7", lw=0.8)
axes.set(xlabel="time [s]", ylabel="elbow flexion [deg]")
axes.legend(frameon=False)
figure.savefig(folder / "balanced_arm.png", dpi=160)
oi.plot(linear, folder / "modes.png")
print("wrote", folder)

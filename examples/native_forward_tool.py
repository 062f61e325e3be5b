"""OpenSim's own Forward Tool on a model that carries its muscles' inertia.

The reaching arm swings from its start, its muscles at rest; once with their mass along them, by the plugin's component
in the exported model, and once with it lumped into the upper arm. (docs/guides/opensim-tools.md)
"""

import numpy as np
from common import output_folder, plugin
from matplotlib.figure import Figure
from models import muscles_apart
from models.reaching_arm import COORDINATES, arm_masses, reaching_arm

import opensim_inertia as oi

osim = plugin()
SECONDS = 0.5


def run_forward_tool(model, folder):
    """Return the motion [rad] (times, coordinates) that the tool computes for a model's file."""
    tool = osim.ForwardTool()
    tool.setName(model.stem)
    tool.setModelFilename(str(model.resolve()))
    tool.setFinalTime(SECONDS)
    tool.setErrorTolerance(1e-8)
    tool.setResultsDir(str(folder.resolve()))
    tool.setSolveForEquilibrium(False)
    setup = folder / f"{model.stem}_setup.xml"
    tool.printToXML(str(setup))
    assert osim.ForwardTool(str(setup)).run()
    states = oi.read_table(folder / f"{model.stem}_states.sto")
    columns = {name: next(c for c in states if c.endswith(f"/{name}/value")) for name in COORDINATES}
    return states[list(columns.values())].set_axis(list(columns), axis=1)


def main():
    folder = output_folder("native_forward_tool")
    inertial = oi.InertialModel(*muscles_apart(reaching_arm(), arm_masses()), "rigid_tendon")
    inertial.export(folder / "inertial.osim")
    reaching_arm().printToXML(str(folder / "lumped.osim"))
    motions = {name: run_forward_tool(folder / f"{name}.osim", folder) for name in ("lumped", "inertial")}

    ours = oi.simulate(
        oi.Problem(inertial, t_final=SECONDS, equilibrate=False),
        oi.integrators.DOP853(accuracy=1e-8),
        progress=False,
        engine="python",
    )
    ends = {name: np.degrees(motion.iloc[-1].to_numpy()) for name, motion in motions.items()}
    last = np.degrees(ours.coordinates().iloc[-1].to_numpy())
    print(f"after {SECONDS} s, Forward Tool against oi.simulate: {np.abs(ends['inertial'] - last).max():.1e} deg")
    print(f"inertial against lumped: {np.abs(ends['inertial'] - ends['lumped']).max():.1f} deg")

    figure = Figure(figsize=(8, 5), layout="constrained")
    for axis, name in zip(figure.subplots(2, 2, sharex=True).flat, COORDINATES, strict=True):
        for kind, motion in motions.items():
            axis.plot(motion.index, np.degrees(motion[name]), label=kind)
        axis.set_title(f"{name.replace('_', ' ')} [deg]", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False)
    figure.supxlabel("time [s]", fontsize=10)
    figure.savefig(folder / "forward.png", dpi=120)


if __name__ == "__main__":
    main()

"""The ankle in the swing of running, 80 % of the shank's mass in four muscles (Wang et al. 2022, figure 10).

Hamner's subject 2 runs on a treadmill at 5 m/s. Soleus, gastrocnemii and tibialis anterior take 80 % of each shank's
mass, in the proportions of Ward et al. 2009. The paper's strain is uniform, with the belly in the middle of the path,
and its shank keeps a fifth of its mass and inertia. Nothing touches a swinging foot, so the swing's ankle moment needs
no ground reaction.

In the last rows, the muscles frozen to the shank are subtracted instead, which is the same at the ankle. Fibres lie
between aponeuroses, and masses are those of ``estimate_masses``.
"""

import numpy as np
import opensim as osim
import pandas as pd
from common import markdown, opensim_models, output_folder, write_section
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from models import muscles_apart
from scipy.interpolate import CubicSpline

import opensim_inertia as oi

WARD = {"soleus": 275.8, "med_gas": 113.5, "lat_gas": 62.2, "tib_ant": 80.1}  # [g]
LOAD = {"r": "ground_force_vy", "l": "1_ground_force_vy"}
PAPER = oi.StrainModel("uniform", belly="central")
#: Whose masses, and the strain model.
STRAINS = {
    "uniform strain, belly central": ("paper", PAPER),
    "uniform strain, belly proximal": ("paper", oi.StrainModel("uniform", belly="proximal")),
    "rigid tendon, all distal": ("paper", oi.StrainModel("rigid_tendon", proximal_tendon=0.0)),
    "rigid tendon, quarter proximal": ("paper", oi.StrainModel("rigid_tendon", proximal_tendon=0.25)),
    "rigid tendon, half proximal": ("paper", oi.StrainModel("rigid_tendon", proximal_tendon=0.5)),
    "rigid tendon, all proximal": ("paper", oi.StrainModel("rigid_tendon", proximal_tendon=1.0)),
    "uniform strain, belly central, subtracted": ("80 %", PAPER),
    "aponeuroses": ("80 %", "aponeurosis"),
    "aponeuroses, estimated masses": ("estimated", "aponeurosis"),
    "aponeuroses, all muscles of the legs": ("all", "aponeurosis"),
}
CUTOFF = 15.0  # [Hz], of the picture
DIP = 70  # where the closeup begins [% of the swing]
LINES = {
    "OpenSim": {"color": "#56B4E9", "lw": 4.0},
    "0 % in muscles": {"color": "#B22222", "lw": 1.2, "ls": "--"},
    "80 % in muscles": {"color": "#E69F00", "lw": 2.0},
}


def muscle_masses(model, share):
    """Return masses of the four muscles of each leg that sum up to ``share`` of its shank's mass."""
    rows = []
    for side in "rl":
        shank = model.getBodySet().get(f"tibia_{side}").getMass()
        for name, weight in WARD.items():
            rows.append((f"{name}_{side}", share * shank * weight / sum(WARD.values()), f"tibia_{side}", "Ward 2009"))
    return pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])


def model_and_masses(file, kind):
    """Return the model and its four muscles with 80 % of the shank's mass or estimates, or estimates of all muscles."""
    model = osim.Model(str(file))
    if kind == "paper":
        return muscles_apart(model, muscle_masses(model, 0.8))
    if kind == "80 %":
        return model, muscle_masses(model, 0.8)
    chosen = [f"{name}_{side}" for side in "rl" for name in WARD] if kind == "estimated" else ["*_r", "*_l"]
    return model, oi.estimate_masses(model, muscles=chosen)


def swings(grf, side, last):
    """Return take-off and touch-down [s] of every whole swing, in which less than 20 N act on the ground."""
    loaded = (grf[LOAD[side]] > 20).to_numpy()
    times = grf.index.to_numpy()
    off = [times[i + 1] for i in range(len(times) - 1) if loaded[i] and not loaded[i + 1]]
    on = [times[i] for i in range(len(times) - 1) if not loaded[i] and loaded[i + 1]]
    return [(a, b) for a in off for b in [min((t for t in on if t > a), default=np.inf)] if b < last]


def cut(times, values, phases):
    """Return the ankle moment in each phase at 0, 1, ... 100 % of it, (phases, 101)."""
    return CubicSpline(times, values)(np.array([np.linspace(a, b, 101) for a, b in phases]))


def ankle(result, side, kind):
    return getattr(result, kind)[f"ankle_angle_{side}"].to_numpy()


def stock(model_file, motion, times, folder):
    """Run OpenSim's own Inverse Dynamics Tool."""
    tool = osim.InverseDynamicsTool()
    tool.setModelFileName(str(model_file))
    tool.setCoordinatesFileName(str(motion))
    tool.setLowpassCutoffFrequency(CUTOFF)
    tool.setStartTime(times[0])
    tool.setEndTime(times[-1])
    excluded = osim.ArrayStr()
    excluded.append("Muscles")
    tool.setExcludedForces(excluded)
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("stock.sto")
    tool.run()
    return oi.read_table(folder / "stock.sto")


def changes(result, side, phases):
    """Return largest change, largest in the second half, and change of the peak, of each swing [% of lumped peak]."""
    lumped, inertial = (cut(result.times, ankle(result, side, kind), phases) for kind in ("lumped", "inertial"))
    peak, change = np.abs(lumped).max(axis=1), np.abs(inertial - lumped)
    parts = [change.max(axis=1), change[:, 50:].max(axis=1), np.abs(inertial).max(axis=1) - peak]
    return 100 * np.stack([part / peak for part in parts], axis=1)


def draw(curves, path):
    """Draw all swings with mean and standard deviation on the left, and the final dip on the right."""
    figure = Figure(figsize=(10, 6.6), layout="constrained")
    axes = figure.subplots(2, 2, width_ratios=[1.5, 1])
    percent = np.arange(101)
    for (left, right), (side, sets) in zip(axes, curves.items(), strict=True):
        for name, moments in sets.items():
            style = LINES[name]
            mean, sd = moments.mean(axis=0), moments.std(axis=0)
            left.plot(percent, moments.T, color=style["color"], lw=0.4, alpha=0.4)
            left.fill_between(percent, mean - sd, mean + sd, color=style["color"], alpha=0.25, lw=0)
            left.plot(percent, mean, **style, label=name)
            right.plot(percent, moments.T, **{**style, "lw": 0.5 * style["lw"]})
        inside = np.concatenate([moments[:, DIP:] for moments in sets.values()])
        low, high = inside.min() - 0.3, inside.max() + 0.3
        right.set_xlim(DIP, 100)
        right.set_ylim(low, high)
        left.add_patch(Rectangle((DIP, low), 100 - DIP, high - low, fill=False, ec="0.4", lw=0.8))
        left.set_title(f"{'right' if side == 'r' else 'left'} leg, {len(moments)} swings, mean and SD", fontsize=10)
        right.set_title("the final dip, each swing", fontsize=10)
        for axis in (left, right):
            axis.set_xlabel("take-off to touch-down [%]")
            axis.spines[["top", "right"]].set_visible(False)
        left.set_ylabel("ankle moment [N m]")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(path, dpi=150)


def main():
    data = opensim_models() / "Pipelines" / "Hamner"
    folder = output_folder("running_swing")
    model_file = data / "outputReference" / "subject02_scaled.osim"
    motion = data / "outputReference" / "ResultsIK" / "subject02_running_ik.mot"
    model = osim.Model(str(model_file))
    grf = oi.read_table(data / "subject02_running_grf.mot")

    none = oi.inverse_dynamics(
        oi.InertialModel(model, muscle_masses(model, 0.0)), oi.Recording(motion, cutoff=CUTOFF), band=False
    )
    table = {}
    for name, (kind, strain) in STRAINS.items():
        inertial = oi.InertialModel(*model_and_masses(model_file, kind), strain)
        for cutoff in (6.0, CUTOFF):
            result = oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=cutoff), band=False)
            for side in "rl":
                phases = swings(grf, side, result.times[-1])
                table[name, cutoff, side] = changes(result, side, phases).mean(axis=0)
            if kind == "paper" and strain is PAPER and cutoff == CUTOFF:
                most = result
    columns = ["largest change", "in second half", "change of peak"]
    table = pd.DataFrame(table, index=columns).T.rename_axis(["strain model", "cut-off [Hz]", "leg"])
    print("Change of the ankle moment, % of the swing's lumped peak, averaged over the swings:")
    for cutoff in (6.0, CUTOFF):
        shown = table.xs(cutoff, level="cut-off [Hz]").unstack("leg").loc[list(STRAINS)]
        print(f"\ncoordinates low-passed at {cutoff:g} Hz\n{shown.round(1).to_string()}")
    table.to_csv(folder / "strain_models.csv")
    spans = table[["largest change", "change of peak"]].groupby(level=0, sort=False)
    spans = spans.agg(lambda values: f"{values.min():.1f} to {values.max():.1f}")
    write_section("strain", markdown(spans.add_suffix(" [%]")))

    tool = stock(model_file, motion, most.times, folder)
    curves = {}
    for side in "rl":
        phases = swings(grf, side, most.times[-1])
        column = f"ankle_angle_{side}_moment"
        curves[side] = {
            "OpenSim": cut(tool.index.to_numpy(), tool[column].to_numpy(), phases),
            "0 % in muscles": cut(none.times, ankle(none, side, "inertial"), phases),
            "80 % in muscles": cut(most.times, ankle(most, side, "inertial"), phases),
        }
        gap = np.abs(tool[column].to_numpy() - ankle(none, side, "inertial")).max()
        change = table.loc[("uniform strain, belly central", CUTOFF, side), "largest change"]
        print(f"ankle_{side}: {len(phases)} swings, {change:.1f} % on average; 0 %: {gap:.0e} N m from OpenSim's tool")
    draw(curves, folder / "running_swing.png")
    print("wrote", folder / "running_swing.png")


if __name__ == "__main__":
    main()

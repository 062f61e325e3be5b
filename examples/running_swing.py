"""The ankle in the swing of running, 80 % of the shank's mass in four muscles (Wang et al. 2022, figure 10).

Hamner's subject 2 runs on a treadmill at 5 m/s. Soleus, gastrocnemii and tibialis anterior take 80 % of each shank's
mass, in the proportions of Ward et al. 2009. The paper's strain is uniform, with the belly in the middle of the path,
and its shank gives up a fraction of itself. Nothing touches a swinging foot, so the swing's ankle moment needs no
ground reaction.

The last rows leave the paper: the shank gives up what its muscles are (the conserving transfer), fibres lie between
aponeuroses, and masses are those of ``estimate_masses`` instead of 80 % of the shank's. No body would be left of a
shank of whose mass four muscles take 80 % in their place: the column *residual* says what had to be added to it, as a
share of its second moments. The ankle does not see that, nor which transfer it was: the shank is on the other side of
it.
"""

import warnings

import numpy as np
import opensim as osim
import pandas as pd
from common import opensim_models, output_folder
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from scipy.interpolate import CubicSpline

import opensim_inertia as oi

WARD = {"soleus": 275.8, "med_gas": 113.5, "lat_gas": 62.2, "tib_ant": 80.1}  # [g]
LOAD = {"r": "ground_force_vy", "l": "1_ground_force_vy"}
PAPER = {"strain": oi.StrainModel("uniform", belly="central"), "transfer": "proportional"}
ANATOMY = {"strain": "aponeurosis", "transfer": "conserving"}


def rigid(share):
    """Return arguments of ``InertialModel`` for rigid tendons, of which this share is at the origin."""
    return {"strain": oi.StrainModel("rigid_tendon", proximal_tendon=share), "transfer": "proportional"}


#: Whose masses, and the other arguments of ``InertialModel``.
STRAINS = {
    "uniform strain, belly central": ("80 %", PAPER),
    "uniform strain, belly proximal": ("80 %", {**PAPER, "strain": oi.StrainModel("uniform", belly="proximal")}),
    "rigid tendon, all distal": ("80 %", rigid(0.0)),
    "rigid tendon, quarter proximal": ("80 %", rigid(0.25)),
    "rigid tendon, half proximal": ("80 %", rigid(0.5)),
    "rigid tendon, all proximal": ("80 %", rigid(1.0)),
    "uniform strain, belly central, conserving": ("80 %", {**PAPER, "transfer": "conserving"}),
    "aponeuroses, conserving": ("80 %", ANATOMY),
    "aponeuroses, conserving, estimated masses": ("estimated", ANATOMY),
    "aponeuroses, conserving, all muscles of the legs": ("all", ANATOMY),
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


def masses_of(model, kind):
    """Return the four muscles with 80 % of the shank's mass or their estimated masses, or all muscles with theirs."""
    if kind == "80 %":
        return muscle_masses(model, 0.8)
    chosen = [f"{name}_{side}" for side in "rl" for name in WARD] if kind == "estimated" else ["*_r", "*_l"]
    return oi.estimate_masses(model, muscles=chosen)


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
    return getattr(result, kind)[f"ankle_angle_{side}_moment"].to_numpy()


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

    none = oi.inverse_dynamics(oi.InertialModel(model, muscle_masses(model, 0.0)), oi.Recording(motion, cutoff=CUTOFF))
    table = {}
    for name, (kind, options) in STRAINS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", oi.warnings.RemainderWarning)  # the table says so
            inertial = oi.InertialModel(model, masses_of(model, kind), **options)
        for cutoff in (6.0, CUTOFF):
            result = oi.inverse_dynamics(inertial, oi.Recording(motion, cutoff=cutoff))
            for side in "rl":
                phases = swings(grf, side, result.times[-1])
                shank = inertial.segments.loc[f"tibia_{side}"]
                residual = shank["residual"] if options["transfer"] == "conserving" else np.nan
                row = [*changes(result, side, phases).mean(axis=0), shank["given up"], 100 * residual]
                table[name, cutoff, side] = row
            if options is PAPER and cutoff == CUTOFF:
                most = result
    columns = ["largest change", "in second half", "change of peak"]
    table = pd.DataFrame(table, index=[*columns, "shank's mass in muscles [kg]", "residual [%]"]).T.rename_axis(
        ["strain model", "cut-off [Hz]", "leg"]
    )
    print("Change of the ankle moment, % of the swing's lumped peak, averaged over the swings:")
    for cutoff in (6.0, CUTOFF):
        shown = table.xs(cutoff, level="cut-off [Hz]").unstack("leg")[columns].loc[list(STRAINS)]
        print(f"\ncoordinates low-passed at {cutoff:g} Hz\n{shown.round(1).to_string()}")
    shank = table.xs((CUTOFF, "r"), level=(1, 2))[list(table.columns[3:])]
    print(f"\nthe right shank\n{shank.loc[list(STRAINS)].round(2).to_string()}")
    table.to_csv(folder / "strain_models.csv")

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

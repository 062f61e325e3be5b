"""Inverse dynamics of one public trial of each of four pipelines, and a study of six drop jumps.

python examples/public_trials.py OUT FOLDER    # of the repositories, pose2sim at commit f287b0e
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
from common import markdown, output_folder, write_section
from matplotlib.figure import Figure

import opensim_inertia as oi

JUMPS, OPENCAP, POSE2SIM = "nimblephysics/data/grf/Subject4", "opencap-processing", "pose2sim/Pose2Sim"
BALANCE = f"{POSE2SIM}/S00_Demo_BatchSession/S00_P00_SingleParticipant/S00_P00_OpenSim/S00_P00_T01_BalancingTrial"
LAI, WALK = f"{OPENCAP}/OpenSimPipeline/Models/LaiUhlrich2022.osim", f"{OPENCAP}/Moco/exampleWalking"
SHOULDER = "rmr-solver/OpenSim Models/for RMR solver/TSM_subject_2kgWeight.osim"
BODY = f"{POSE2SIM}/OpenSim_Setup/Model_Pose2Sim_Body25b_contacts_muscles.osim"
TRIALS = {
    "AddBiomechanics": (JUMPS, "--trial", "walking1"),
    "OpenCap": ("--model", LAI, "--motion", f"{WALK}/walking1_videoAndMocap.mot"),
    "Pose2Sim": ("--model", BODY, "--motion", f"{BALANCE}_filt_butterworth_0-100_body25b.mot"),
    "rmr-solver": ("--model", SHOULDER, "--motion", "rmr-solver/Results/IK solutions/ABD21.mot"),
}
FOUND = r"at most (\S+) N m \((\w+) at (\S+) s, (\S+) % of its peak; 95 % band (\S+ to \S+)\).* (\d+) muscles with mass"
STUDY = """grid = {{strain = ["aponeurosis", "uniform"], cutoff = [15]}}
output = {{reports = "none", pictures = false}}
trial = [{{setup = "{}", trials = ["DJ1", "DJ2", "DJ3", "DJAsym1", "DJAsym2", "DJAsym3"]}}]
"""

if __name__ == "__main__":
    folder = Path(sys.argv[2]).absolute() if len(sys.argv) > 2 else sys.exit("skipped: give a folder of repositories")
    out = output_folder("public_trials").absolute()
    figure, rows = Figure(figsize=(10, 2.6), layout="constrained"), {}
    command = [sys.executable, "-m", "opensim_inertia", "id", "--cutoff", "6", "--no-picture", "--out"]
    for plot, (name, trial) in zip(figure.subplots(1, 4), TRIALS.items(), strict=True):
        before = sum(os.times()[2:4])
        ended = subprocess.run([*command, out / name, *trial], cwd=folder, check=True, stdout=-1, text=True)
        change, moved, at, share, band, muscles = re.search(FOUND, " ".join(ended.stdout.split())).groups()
        curves = pd.read_csv(next((out / name).rglob("inverse_dynamics_curves.csv")), index_col="time")
        rows[name] = [muscles, moved, change, band, share, at, f"{sum(os.times()[2:4]) - before:.1f}"]
        difference, *ends = (curves[f"{moved}_difference{end}"] for end in ("", "_lower", "_upper"))
        plot.fill_between(curves.index, *ends, color="#E69F00", alpha=0.4)
        plot.plot(difference, "k", lw=1)
        plot.set(title=f"{name}\n{moved} [N m]", xlabel="time [s]")
    figure.savefig(out / "public_trials.png", dpi=140)
    names = ["muscles", "coordinate", "largest change [N m]", "band", "of the peak [%]", "at [s]", "used [s]"]
    trials = pd.DataFrame.from_dict(rows, "index", columns=names).rename_axis("pipeline")
    (out / "jumps.toml").write_text(STUDY.format(folder / JUMPS))
    peaks = oi.study(out / "jumps.toml", out=out / "jumps").peaks().set_index("name")
    peaks = peaks.filter(regex="(hip|knee|ankle).*_[rl]$", axis=0)
    sizes = peaks["largest difference"].abs().groupby([peaks.index.str[:-2], peaks["strain"]], sort=False)
    ranges = sizes.agg(lambda size: f"{size.min():.1f} to {size.max():.1f}").unstack("strain")
    for section, table in (("trials", trials), ("jumps", ranges.rename_axis("largest change [N m]"))):
        print(markdown(table), "\n")
        write_section(section, markdown(table.drop(columns="used [s]", errors="ignore")))

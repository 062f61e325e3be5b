"""A study of three legs that swing at two speeds, under four assumptions: mean curves and peaks."""

import matplotlib.pyplot as plt
from common import output_folder

import opensim_inertia as oi
from opensim_inertia.demo import write_cohort

STUDY = """
[[trial]]
setup = "S*/setup_*_*.xml"
id = "S{1}_{2}_{3}"
subject = "S{1}"
condition = "{2}"

[grid]
strain = ["aponeurosis", "uniform"]
placement = ["given", "central"]

[masses]
table = "masses.csv"

[uncertainty]
draws = 256

[curves]
axis = "cycle"
events = "events.csv"

[output]
reports = "none"
"""
COORDINATE = "ankle_angle_r"


def main() -> None:
    folder = output_folder("small_study")
    cohort = write_cohort(folder / "cohort", trials=2)
    (cohort / "masses.csv").write_bytes((cohort / "S1" / "masses.csv").read_bytes())  # the lightest subject's, for all
    (cohort / "study.toml").write_text(STUDY)
    study = oi.study(cohort / "study.toml", out=folder / "results")
    print(study)

    peaks = study.peaks()
    peaks = peaks[peaks["name"] == COORDINATE]
    change = peaks.pivot_table("difference at peak [%]", ["strain", "placement"], "condition", observed=True)
    print(f"{COORDINATE}: change of the largest moment [%], mean over trials", change.round(2), sep="\n")

    view = study.to_xarray().sel(name=COORDINATE)
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", sharey=True)
    for axis, speed in zip(axes, ("slow", "fast"), strict=True):
        for strain in ("aponeurosis", "uniform"):
            of_trials = view["difference"].sel(strain=strain, placement="given").squeeze()
            of_trials = of_trials.where(of_trials["condition"] == speed, drop=True)
            mean, spread = of_trials.mean("trial"), of_trials.std("trial")
            (line,) = axis.plot(mean["percent"], mean, label=f"strain {strain}")
            axis.fill_between(mean["percent"], mean - spread, mean + spread, color=line.get_color(), alpha=0.2, lw=0)
        axis.set(title=f"{speed}: {of_trials.sizes['trial']} trials of 3 subjects", xlabel="% of the swing")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("ankle moment, inertial - lumped [N m]")
    axes[0].legend(frameon=False)
    figure.savefig(folder / "ankle.png", dpi=160)
    print("wrote", folder)


if __name__ == "__main__":  # the processes that share the work import this file
    main()

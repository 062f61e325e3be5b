"""The table of figures in benchmarks/README.md: run benchmarks, keep what they print last, and write the table of it.

    python benchmarks/figures.py                                  # all that the table needs: some minutes
    python benchmarks/figures.py inverse_dynamics recruitment     # these; others stay as they were measured last
    python benchmarks/figures.py --table                          # nothing is run, the table is written anew

``figures.json`` beside this script holds the last line of each benchmark, with the day and the versions.
"""

import argparse
import datetime
import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from opensim_inertia._core.provenance import versions

HERE = Path(__file__).resolve().parent
KEPT, PAGE = HERE / "figures.json", HERE / "README.md"
#: Arguments of scripts that would take longer by default than a table is worth.
ARGUMENTS = {"inverse_dynamics": ["--repetitions", "3"]}
#: A line of name=value pairs, by which scripts end.
VALUES = re.compile(r"\w+=[-+.\w]+( \w+=[-+.\w]+)*")
START, END = "<!-- figures, by figures.py -->", "<!-- end of figures -->"


def cell(text: str) -> Callable[[Mapping[str, float]], str]:
    """Return what makes a cell of a script's values: their names in braces stand for them."""
    return lambda values: text.format(**values)


#: What is measured, what it is compared with, the script, and the cell.
ROWS: tuple[tuple[str, str, str, Callable[[Mapping[str, float]], str]], ...] = (
    (
        "`opensim-inertia id --no-picture` as a process: 92 muscles, low-passed at 15 Hz (OpenSim's splines dominate)",
        "`opensim.InverseDynamicsTool(...).run()` as a process",
        "inverse_dynamics",
        cell("{filtered_ratio_warm:.2f}"),
    ),
    (
        "the same, unfiltered",
        "the same",
        "inverse_dynamics",
        cell("{unfiltered_ratio_warm:.2f}"),
    ),
    (
        "the same with 42 wrapping muscles, low-passed at 15 Hz (a scaled Rajagopal2016, 72 rows), wraps in the cache",
        "the same",
        "inverse_dynamics",
        cell("{rajagopal_ratio_warm:.2f}; with an empty cache {rajagopal_ratio_cold:.2f}"),
    ),
    (
        "the same of Gait2392 (92 muscles, 6 Hz) and of Gait10dof18musc (18 muscles)",
        "the same",
        "inverse_dynamics",
        cell("{gait2392_ratio_warm:.2f}, {gait10_ratio_warm:.2f}"),
    ),
    (
        "its picture, with the import of Matplotlib",
        "",
        "inverse_dynamics",
        cell("{rajagopal_picture_s:.2f} s (72 rows), {unfiltered_picture_s:.2f} s (599 rows)"),
    ),
    (
        "solving alone, the inertial model being at hand: 92 muscles filtered, unfiltered, 42 of 80 wrapping",
        "OpenSim's lumped tool less loading",
        "inverse_dynamics",
        cell("{filtered_ratio_solve:.2f}, {unfiltered_ratio_solve:.2f}, {rajagopal_ratio_solve:.2f}"),
    ),
    (
        "recruitment of OpenSim's tutorial, from files to files",
        "OpenSim's Static Optimization",
        "recruitment",
        cell("{ratio_squares:.3f}; with muscle mass besides {ratio_inertial:.3f}; min/max {ratio_min_max:.3f}"),
    ),
    (
        "inverse dynamics with wobbling bellies (`wobble=True`), with the band over frequency and damping",
        "the same without",
        "wobble",
        cell("{rajagopal2016:.2f} (Rajagopal2016, rows at 100 Hz), {hamner:.2f} (Hamner's, rows at 60 Hz)"),
    ),
    (
        "the same without band",
        "the same without",
        "wobble",
        cell("{rajagopal2016_plain:.2f}, {hamner_plain:.2f}"),
    ),
    (
        "a right-hand side of a simulation with muscle mass, of Python, OpenSim and kernel",
        "OpenSim's own alone",
        "simulation",
        cell("{arm26_rhs:.1f} (Arm26), {gait10dof18musc_rhs:.1f} (Gait10dof18musc), {gait2392_rhs:.1f} (Gait2392)"),
    ),
    (
        "a simulation of 1 s at equal accuracy",
        "OpenSim's Manager",
        "simulation",
        cell("{arm26_simulation:.1f}, {gait10dof18musc_simulation:.1f}, {gait2392_simulation:.1f}"),
    ),
    (
        "right-hand side of a simulation with wobbling bellies",
        "the same without",
        "wobble",
        cell(
            "{rhs_arm26:.2f} (Arm26), {rhs_gait10dof18musc:.2f} (Gait10dof18musc), {rhs_gait2392:.2f} (Gait2392), "
            "{rhs_rajagopal2016:.2f} (Rajagopal2016)"
        ),
    ),
    (
        "a straight muscle more: inverse dynamics of many states; dM, h and g at one state",
        "a tendon with armature more in MuJoCo 4: `mj_inverse`; `mj_forward`",
        "kernel",
        cell(
            "{inverse_over_mujoco:.2f} ({inverse_running_model_aponeurosis_us:.3f} us); "
            "{evaluate_over_mujoco:.1f} ({evaluate_running_model_aponeurosis_us:.2f} us)"
        ),
    ),
)


def run(script: str) -> dict[str, float]:
    """Run a benchmark and return the values of its last line."""
    command = [sys.executable, str(HERE / f"{script}.py"), *ARGUMENTS.get(script, [])]
    print(" ".join(command), flush=True)
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    last = [line for line in lines if VALUES.fullmatch(line.strip())][-1]  # OpenSim may print after it
    return {name: float(value) for name, value in (pair.split("=", 1) for pair in last.split())}


def table(kept: Mapping[str, Any]) -> str:
    """Return the table of what has been measured."""
    lines = ["| what | compared with | ratio or time | measured by, on |", "|---|---|---|---|"]
    for what, compared, script, made in ROWS:
        if script in kept:
            source = f"`python benchmarks/{script}.py`, {kept[script]['day']}"
            lines.append(f"| {what} | {compared} | {made(kept[script]['values'])} | {source} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    scripts = list(dict.fromkeys(script for _, _, script, _ in ROWS))
    parser.add_argument("scripts", nargs="*", metavar="SCRIPT", help=f"default: {' '.join(scripts)}")
    parser.add_argument("--table", action="store_true", help="run nothing")
    arguments = parser.parse_args()
    if unknown := set(arguments.scripts) - set(scripts):
        parser.error(f"the table has nothing of {', '.join(sorted(unknown))}, but of {', '.join(scripts)}")
    kept = json.loads(KEPT.read_text()) if KEPT.is_file() else {}
    for script in [] if arguments.table else arguments.scripts or scripts:
        day = datetime.date.today().isoformat()
        kept[script] = {"day": day, "versions": versions(), "values": run(script)}
        KEPT.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
    before, rest = PAGE.read_text(encoding="utf-8").split(START)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{START}\n\n{table(kept)}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

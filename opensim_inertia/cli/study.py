"""Run many trials under many assumptions, on this machine or a cluster.

Every trial (a setup of inverse dynamics or of Static Optimization) is run under every combination of assumptions, in
parallel. Output: tables (.parquet and .csv) of all curves, peaks, mean curves with bands and contrasts between
conditions, failures (.csv), and a page with all results (index.html). Finished tasks are not repeated: after Ctrl-C,
run the same command. The exit code is 1 if some tasks failed, 2 if all did or the study cannot be run. Dask and others
are required: pip install "opensim_inertia[study]".

examples:
  opensim-inertia study study.toml
  opensim-inertia study study.toml --out results --workers 8
  opensim-inertia study study.toml --scheduler tcp://10.0.0.1:8786

a small study.toml:
  [[trial]]
  setup = "*/setup_*.xml"   # or folders of trials: "*"
  subject = "{1}"
  condition = "{2}"
  [grid]
  strain = ["aponeurosis", "uniform"]
  cutoff = [6, 15]

docs/guides/studies.md explains each key.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.representation import wrapped
from .arguments import ALL_FAILED, SOME_FAILED, add, existing
from .output import file_list

#: Descriptions of possible files.
CONTENTS = {
    "index.html": "the page to look at first: peaks, contrasts, mean curves, failures, reports of all trials",
    "curves.parquet": "all curves, a row for each trial, assumption, coordinate and time",
    "peaks.parquet": "peaks, signed, and their changes by muscle inertia",
    "mean_curves.parquet": "mean curves by condition, with bands and deviations between subjects",
    "contrasts.parquet": "differences between conditions in the sizes of peaks, with intervals",
    "failures.csv": "tasks without a result, and why",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add(parser, "study", "the study: trials and assumptions", "STUDY.toml", Path, check=existing("study file"))
    add(parser, "-o, --out", "folder (default: the file's out, or NAME_results)", "DIR")
    group = parser.add_argument_group("processes, instead of the file's").add_mutually_exclusive_group()
    add(group, "--scheduler", "address of a Dask scheduler, as tcp://10.0.0.1:8786", "ADDRESS")
    add(group, "--workers", "processes of this machine; 0: this one alone (default: all cores)", "N", int)


def run(args: argparse.Namespace) -> int:
    from ..studies import study

    cluster = {name: value for name in ("scheduler", "workers") if (value := getattr(args, name)) is not None}
    result = study(args.study, out=args.out, cluster=cluster or None)
    done, failed = len(result.tasks), len(result.failed)
    if result.headline:
        print(wrapped(result.headline))
    before = f"; {done - result.computed} of them were there before" if result.computed else ", all from before"
    trials = len({task.trial.id for task in result.tasks})
    print(f"{done} tasks of {trials} trials have results{before if result.computed < done else ''}")
    if failed:
        print(f"{failed} tasks have none; they are tried again when the study is run again")
    print(f"\nwritten to {result.folder}:")
    files = {what: result.folder / name for name, what in CONTENTS.items() if (result.folder / name).is_file()}
    print(file_list(files))
    if not failed:
        return 0
    print(f"\n{failed} of {failed + done} tasks FAILED: see failures.csv")
    return SOME_FAILED if done else ALL_FAILED

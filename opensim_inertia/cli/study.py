"""``opensim-inertia study``: a study from its file to its tables."""

from __future__ import annotations

import argparse

from ..studies import StudyResult, study
from .text import file_list

__all__ = ["run"]

#: What is written, where there is something to write.
CONTENTS = {
    "index.html": "the page to look at first: mean curves, failures, reports of all trials",
    "curves.parquet": "all curves, a row for each trial, assumption, coordinate and time",
    "peaks.parquet": "peaks, signed, and what muscle inertia changes there",
    "mean_curves.parquet": "mean curves by condition, with bands and deviations between subjects",
    "sobol.parquet": "Sobol indices: which unknown makes how much of a peak's variance",
    "failures.csv": "tasks without a result, and why",
}


#: Exit codes of a study of which some tasks failed, and of one that has no result at all.
SOME_FAILED, ALL_FAILED = 1, 2


def run(args: argparse.Namespace) -> int:
    """Run the command.

    Returns:
        the exit code: 0, 1 if some tasks have failed, 2 if all have.
    """
    cluster = {name: value for name in ("scheduler", "workers") if (value := getattr(args, name)) is not None}
    result = study(args.study, out=args.out, cluster=cluster or None)
    print(_described(result))
    print(f"\nwritten to {result.folder}:")
    files = {what: result.folder / name for name, what in CONTENTS.items() if (result.folder / name).is_file()}
    print(file_list(files))
    if not result.failed:
        return 0
    print(f"\n{len(result.failed)} of {len(result.failed) + len(result.tasks)} tasks FAILED: see failures.csv")
    return SOME_FAILED if result.tasks else ALL_FAILED


def _described(result: StudyResult) -> str:
    done, trials = len(result.tasks), len({task.trial.id for task in result.tasks})
    lines = [f"{done} tasks of {trials} trials have results"]
    if result.computed < done:
        lines[0] += f"; {done - result.computed} of them were there before" if result.computed else ", all from before"
    if result.failed:
        lines.append(f"{len(result.failed)} tasks have none; they are tried again when the study is run again")
    return "\n".join(lines)

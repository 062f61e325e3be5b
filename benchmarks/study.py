"""Studies: against single runs bit for bit, time with one and two workers, own overhead, and growth with the trials.

    python benchmarks/study.py grid FOLDER        # 6 trials x 2 strains x 3 placements x 2 cut-offs, 500 draws
    python benchmarks/study.py grow FOLDER 1000   # so many trials, the demo's that differ a little
    python benchmarks/study.py cost FOLDER 300    # processor time of each trial, and a simulation of 10^4 trials

Folders are kept; ``grid`` compares every task with a single run, and prints what it took with one and two workers.
``cost`` subtracts a study of a third of the trials from a whole one, by a scheduler and a worker of their own.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from heapq import heapreplace
from pathlib import Path
from typing import Any
from unittest.mock import patch

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in opensim-inertia: bands depend on it in their last bits

import numpy as np
import psutil
from common import report

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult, Uncertainty
from opensim_inertia.demo import write_cohort
from opensim_inertia.studies import StudyResult, tables
from opensim_inertia.studies.config import PLACES
from opensim_inertia.studies.tasks import FILES

GRID = {"strain": ["aponeurosis", "uniform"], "placement": ["given", "central", "proximal"], "cutoff": [6, 15]}
#: Inverse dynamics of public data, in a folder as OPENSIM_MODELS, or beside it.
PIPELINES = {
    "Gait2392": {
        "setup": "Pipelines/Gait2392_Simbody/subject01_Setup_InverseDynamics.xml",
        "model": "Pipelines/Gait2392_Simbody/OutputReference/subject01_simbody.osim",
    },
    "Gait10dof": {
        "setup": "Pipelines/Gait10dof18musc/ID/walk_Setup_ID.xml",
        "model": "Pipelines/Gait10dof18musc/OutputReference/subject01.osim",
        "motion": "Pipelines/Gait10dof18musc/OutputReference/IK/subject01_walk_IK.mot",
    },
    "Rajagopal": {"setup": "../rajagopal-running/setup_id.xml"},
}


def grid_study(folder: Path, out: str, workers: int) -> dict[str, Any]:
    """Six trials: the demo's leg at three sizes, and public data where they are."""
    cohort = write_cohort(folder / "cohort", conditions=["fast"])
    trials = [
        {"setup": f"{cohort}/S{n}/setup_fast_1.xml", "id": f"S{n}", "masses": f"{cohort}/S{n}/masses.csv"}
        for n in (1, 2, 3)
    ]
    root = Path(os.environ.get("OPENSIM_MODELS", "none"))
    for name, files in PIPELINES.items():
        if (root / files["setup"]).is_file():
            trials.append({what: str(root / path) for what, path in files.items()} | {"id": name})
    return {
        "name": "grid",
        "out": str(folder / out),
        "trial": trials,
        "grid": GRID,
        "masses": {"unsupported": "massless"},
        "uncertainty": {"draws": 500},
        "cluster": {"workers": workers},
        "output": {"reports": "none"},
    }


def spent() -> float:
    """Processor time of this process and of those that it started and that have ended [s]."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(config: dict[str, Any]) -> tuple[StudyResult, float, float]:
    """A study from nothing, its time, and the processor time of all processes [s]."""
    shutil.rmtree(config["out"], ignore_errors=True)
    start, before = time.perf_counter(), spent()
    result = oi.study(config)
    return result, time.perf_counter() - start, spent() - before


def single_run(task: Any) -> InverseDynamicsResult:
    """The same task as a user does it by hand, with a model of its own."""
    masses, (strain, placement, _, cutoff) = task.trial.masses, task.grid
    setup = oi.files.read_inverse_dynamics_setup(task.trial.setup)
    files = {field: task.trial.files.get(name) or getattr(setup, field) for name, field in FILES.items()}
    model = oi.InertialModel(
        files["model_file"],
        oi.estimate_masses(files["model_file"], table=masses.table),
        strain,
        unsupported=masses.unsupported,
        wrapping=oi.Wrapping(warn_wraps=False),
    )
    if placement != "given":
        own = {"masses": model.masses} if strain == "aponeurosis" else {}
        model = model.rebuilt(dict.fromkeys(model.muscle_names, PLACES.get(placement, placement)), **own)
    return oi.inverse_dynamics(
        model,
        oi.Recording(
            files["coordinates_file"], files["external_loads_file"], cutoff=cutoff, time_range=setup.time_range
        ),
        forces_to_exclude=setup.forces_to_exclude,
        band=Uncertainty(draws=500),
        progress=False,
    )


def same_bits(result: StudyResult, task: Any) -> bool:
    """Whether a task's curves, bands and peaks are those of a single run, to the bit."""
    ours, theirs = result.of(task), single_run(task)
    equal = True
    for k, name in enumerate(ours.names):
        i = theirs.coordinate_names.index(name)
        band = dict(zip(("lower", "upper"), theirs.difference_band(name), strict=True))
        for kind in ("lumped", "inertial"):
            equal &= np.array_equal(ours.curves[kind][:, k], theirs.folded(getattr(theirs, f"{kind}_forces"))[:, i])
        equal &= all(
            np.array_equal(ours.curves[end][:, k], theirs.folded(theirs.lumped_forces)[:, i] + band[end])
            for end in ("lower", "upper")
        )
    summary = theirs.summary()[list(ours.peak_columns)]
    return bool(equal and np.array_equal(ours.peaks, summary.to_numpy(dtype=float), equal_nan=True))


def grid(folder: Path) -> None:
    two, wall_two, cpu_two = timed(grid_study(folder, "two", 2))
    one, wall_one, cpu_one = timed(grid_study(folder, "one", 1))
    least = grid_study(folder, "least", 1)
    least |= {"trial": least["trial"][:1], "grid": {}}
    small, _, cpu_small = timed(least)
    fixed = cpu_small - small.cpu_seconds
    files = sorted(path.relative_to(one.folder) for path in one.folder.rglob("*") if path.is_file())
    same_files = all((one.folder / f).read_bytes() == (two.folder / f).read_bytes() for f in files)
    different = [f"{task.trial.id} {task.grid}" for task in one.tasks if not same_bits(one, task)]
    print(*different, sep="\n")
    report(
        tasks=len(one.tasks),
        failed=len(one.failed),
        differ_from_single_runs=len(different),
        same_files_with_two_workers=same_files,
        wall_one=wall_one,
        wall_two=wall_two,
        speedup=wall_one / wall_two,
        tasks_cpu=one.cpu_seconds,
        all_cpu=cpu_one,
        start_and_picture_cpu=fixed,
        overhead=cpu_one / one.cpu_seconds - 1,
        overhead_besides_start_and_picture=(cpu_one - fixed) / one.cpu_seconds - 1,
    )


def many(folder: Path, count: int, **cluster: Any) -> dict[str, Any]:
    """The configuration of a study of many trials."""
    cohort = write_cohort(folder / f"cohort_{count}", trials=-(-count // 6))
    setups = sorted(cohort.glob("S*/setup_*.xml"))[:count]
    return {
        "name": "grow",
        "out": str(folder / f"grow_{count}"),
        "trial": [
            {"setup": str(s), "id": str(i), "subject": s.parent.name, "masses": str(s.with_name("masses.csv"))}
            for i, s in enumerate(setups)
        ],
        "cluster": cluster,
        "output": {"reports": "none", "pictures": False},
    }


@contextmanager
def programs(folder: Path) -> Iterator[tuple[str, dict[str, psutil.Process]]]:
    """Run a scheduler and a worker, and yield the scheduler's address and both processes, by name."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    options = "scheduler --port 0 --host 127.0.0.1 --no-dashboard", "worker --nthreads 1 --no-nanny --no-dashboard"
    with ExitStack() as stack:
        started = {}
        for name, *words in map(str.split, options):
            words = [sys.executable, "-m", f"distributed.cli.dask_{name}", *words, "--scheduler-file", str(file)]
            process = subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            started[name] = psutil.Process(process.pid)
        while not file.is_file() or not file.read_text():
            time.sleep(0.1)
        yield json.loads(file.read_text())["address"], started


def costs(folder: Path, count: int) -> dict[str, float]:
    """Processor time [s] of each trial: of client, scheduler and worker, and the worker's for joining whole tables."""
    found = []
    with programs(folder) as (address, processes):

        def now() -> np.ndarray:
            return np.array([time.process_time(), *(sum(each.cpu_times()[:2]) for each in processes.values())])

        for trials in (6, count // 3, count):  # the first one warms up
            before, start = now(), time.perf_counter()
            time.sleep(5.0)
            idle = (now() - before) / (time.perf_counter() - start)
            config = many(folder, trials, scheduler=address)
            shutil.rmtree(config["out"], ignore_errors=True)
            before, start = now(), time.perf_counter()
            oi.study(config)
            spent = now() - before - idle * (time.perf_counter() - start)
            seconds: list[float] = []
            with patch.object(tables, "collect", timed_calls(tables.collect, seconds)):
                oi.study(config | {"cluster": {"workers": 0}})  # all results are there
            found.append((trials, np.append(spent, seconds)))
            print(trials, found[-1][1].round(3), flush=True)
    (less, few), (more, all_) = found[1:]
    return dict(zip(("client", *processes, "joining"), ((all_ - few) / (more - less)).tolist(), strict=True))


def timed_calls(function: Callable[..., Any], seconds: list[float]) -> Callable[..., Any]:
    """Return a function that appends the processor time of each call [s]."""

    def call(*arguments: Any) -> Any:
        start = time.process_time()
        found = function(*arguments)
        seconds.append(time.process_time() - start)
        return found

    return call


def simulated(trials: int, workers: int, cost: dict[str, float]) -> tuple[float, str]:
    """Time [s] of a study, and its bound: the client sends batches to free workers, of which one joins the tables."""
    size, sent, free = max(1, min(32, trials // (4 * workers))), 0.0, [0.0] * workers
    for start in range(0, trials, size):
        batch = min(size, trials - start)
        sent += batch * (cost["client"] + cost["scheduler"])
        heapreplace(free, max(sent, free[0]) + batch * (cost["worker"] - cost["joining"]))
    bounds = {name: cost[name] for name in ("client", "scheduler", "joining")}
    bounds["workers"] = (cost["worker"] - cost["joining"]) / workers
    return max(free) + trials * cost["joining"], max(bounds, key=bounds.__getitem__)


def cost(folder: Path, count: int) -> None:
    """Costs of each trial, and times of studies of 10^4 trials by them."""
    folder.mkdir(exist_ok=True)
    each = costs(folder, count)
    print("| workers | time of 10^4 trials [s] | bounded by |\n|---|---|---|")
    for workers in (1, 2, 8, 128):
        seconds, bound = simulated(10_000, workers, each)
        print(f"| {workers} | {seconds:.0f} | {bound} |")
    report(**{f"{name}_ms": 1e3 * value for name, value in each.items()}, client_of_10000=1e4 * each["client"])


def grow(folder: Path, count: int, workers: int) -> None:
    """A study of many trials: memory of this process and its workers, and time for each trial."""
    config = many(folder, count, workers=workers)
    peaks = {"client": 0, "worker": 0}
    running = threading.Event()

    def look() -> None:
        me = psutil.Process()
        while not running.wait(0.5):
            peaks["client"] = max(peaks["client"], me.memory_info().rss)
            for child in me.children(recursive=True):
                try:
                    peaks["worker"] = max(peaks["worker"], child.memory_info().rss)
                except psutil.Error:
                    continue

    thread = threading.Thread(target=look)
    thread.start()
    own = time.process_time()
    try:
        result, wall, cpu = timed(config)
    finally:
        running.set()
        thread.join()
    report(
        trials=count,
        failed=len(result.failed),
        wall=wall,
        wall_per_trial=wall / count,
        tasks_cpu=result.cpu_seconds,
        all_cpu=cpu,
        client_and_scheduler_cpu=time.process_time() - own,
        client_mb=peaks["client"] / 1e6,
        worker_mb=peaks["worker"] / 1e6,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("grid", "grow", "cost"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.what == "grid":
        grid(options.folder.absolute())
    elif options.what == "cost":
        cost(options.folder.absolute(), options.count)
    else:
        grow(options.folder.absolute(), options.count, options.workers)

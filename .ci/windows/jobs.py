"""The package's main jobs, and a comparison of their numbers between two systems.

``jobs.py run MODELS FOLDER`` takes a copy of the opensim-models repository; ``jobs.py compare FOLDER OTHER`` follows.
"""

import csv
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

#: Largest difference between systems, as a share of a column's largest number; where an iteration ends; and of bands,
#: which are drawn in single precision.
EXACT, ITERATED, SINGLE = 1e-12, 1e-8, 1e-6
ITERATIONS = ("recruit", "simulate")
#: Columns below this share of their table's largest number are rounding; times of equal peaks are either of both.
ROUNDING, TIES = 1e-6, ("time of change", "time")
STUDY = """
[[trial]]
setup = "S*/setup_*.xml"
id = "S{1}_{2}"
[grid]
strain = ["aponeurosis", "uniform"]
[masses]
table = "S1/masses.csv"
[uncertainty]
draws = 100
[output]
reports = "none"
pictures = false
"""


def jobs(models: Path) -> dict[str, list[str]]:
    """Return words of the command line by name of a job."""
    pipelines, demo = models / "Pipelines", Path("opensim_inertia_demo")
    gait10, gait2392 = pipelines / "Gait10dof18musc", pipelines / "Gait2392_Simbody"
    own = [gait10 / "ID/walk_Setup_ID.xml", "--model", gait10 / "OutputReference/subject01.osim"]
    own += ["--motion", gait10 / "OutputReference/IK/subject01_walk_IK.mot"]
    scaled = ["--model", gait2392 / "OutputReference/subject01_simbody.osim"]
    words: dict[str, list[object]] = {
        "demo": ["demo"],
        "id": ["id", *own, "--report", "--out", "id"],
        "id2": ["id", gait2392 / "subject01_Setup_InverseDynamics.xml", *scaled, "--report", "--out", "id2"],
        "check": ["check", *own, "--json", "check.json"],
        "recruit": ["recruit", *own, "--time-range", "0.6", "0.8", "--reserves", "10", "--workers", "2"],
        "simulate": ["simulate", demo / "leg.osim", "--masses", demo / "masses.csv", "--t-final", "0.1"],
        "interrupt": ["study", "cohort/study.toml", "--workers", "2", "--out", "study"],  # then gone on with
        "study": ["study", "cohort/study.toml", "--workers", "2", "--out", "study"],
    }
    for name in ITERATIONS:
        words[name] += ["--out", name]
    return {name: [str(word) for word in command] for name, command in words.items()}


def run(models: Path, folder: Path) -> int:
    """Run each job as a program of its own; return how many fail."""
    from opensim_inertia.demo import write_cohort

    folder.mkdir(parents=True)
    if sys.platform == "win32":  # Wine has no console unless asked for one
        ctypes.windll.kernel32.FreeConsole()
        ctypes.windll.kernel32.AllocConsole()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # of this program; those that it starts do not inherit it
    (write_cohort(folder / "cohort", trials=1) / "study.toml").write_text(STUDY)
    failed = 0
    for name, words in jobs(models).items():
        start = time.monotonic()
        process = started(words, folder)
        said = interrupted(process, folder) if name == "interrupt" else process.communicate()[0]
        passed = process.returncode in {"interrupt": (130,), "check": (0, 1)}.get(name, (0,))  # 1: with warnings
        failed += not passed
        print(f"{name:10} {'passed' if passed else 'FAILED'}, {time.monotonic() - start:.0f} s", flush=True)
        if not passed:
            print(said.decode(errors="replace"), flush=True)
    return failed


def started(words: list[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a command that has temporary folders, and on POSIX a session, of its own."""
    (folder / "temporary").mkdir(exist_ok=True)
    command, pipe = [sys.executable, "-m", "opensim_inertia", *words], subprocess.PIPE  # for all streams, as Wine wants
    streams = {"stdin": pipe, "stdout": pipe, "stderr": subprocess.STDOUT}
    environment = os.environ | {"TMPDIR": str(folder / "temporary")}
    return subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **streams)


def interrupted(process: subprocess.Popen[bytes], folder: Path) -> bytes:
    """Press Ctrl-C after the first result of a study, which must leave neither processes nor temporary files."""
    import psutil

    while process.poll() is None and not list((folder / "study").glob("tasks/*/*.npz")):
        time.sleep(0.1)
    its_own = psutil.Process(process.pid).children(recursive=True)
    os.kill(0, signal.CTRL_C_EVENT) if sys.platform == "win32" else os.killpg(process.pid, signal.SIGINT)
    try:
        said = process.communicate(timeout=100)[0]
    finally:
        left = psutil.wait_procs(its_own, timeout=10)[1]
        for each in (process, *left):
            with suppress(psutil.NoSuchProcess):
                each.kill()
    files = [*(folder / "temporary").iterdir(), *(folder / "study").rglob(".*")]
    assert its_own and not left and not files, (its_own, left, files)
    assert said.splitlines() == [b"opensim-inertia: interrupted"], said
    return said


def numbers(file: Path) -> dict[str, np.ndarray]:
    """The columns of numbers of a table, by label; nothing of other files."""
    text = file.read_text(encoding="utf-8").partition("endheader\n")
    rows = list(csv.reader((text[2] or text[0]).splitlines(), delimiter="\t" if text[2] else ","))
    columns = {}
    for label, *cells in zip(*rows, strict=True):
        try:
            columns[label] = np.array([float(cell or "nan") for cell in cells])
        except ValueError:
            continue
    return columns


def compare(here: Path, other: Path) -> int:
    """Print, for each job, how far tables of numbers differ; return how many differ more than they may."""
    worst: dict[str, tuple[float, str]] = {}
    files = [file.relative_to(here) for suffix in ("csv", "sto") for file in sorted(here.rglob(f"*.{suffix}"))]
    for file in files:
        job = file.parts[0].removeprefix("opensim_inertia_")
        if not (other / file).is_file():
            worst[job] = np.inf, f"{file.as_posix()}, which is missing"
            continue
        if b"\r" in (other / file).read_bytes():
            worst[job] = np.inf, f"{file.as_posix()}, whose lines do not end alike"
            continue
        mine, theirs = numbers(here / file), numbers(other / file)
        assert mine.keys() == theirs.keys(), file
        floor = ROUNDING * max((np.nanmax(np.abs(column), initial=0.0) for column in mine.values()), default=0.0)
        for label, column in mine.items():
            if label in TIES and "summary" in file.name:
                continue
            scale = np.nanmax(np.abs(column), initial=floor) or 1.0
            np.testing.assert_array_equal(np.isnan(column), np.isnan(theirs[label]), str(file))
            error = float(np.nanmax(np.abs(column - theirs[label]), initial=0.0) / scale)
            kind = f"{job}, bands" if "lower" in label or "upper" in label else job
            worst[kind] = max(worst.get(kind, (0.0, "")), (error, f"{file.as_posix()}, '{label}'"))
    documents = [json.loads((place / "check.json").read_text(encoding="utf-8")) for place in (here, other)]
    said = [[finding["text"] for finding in document["findings"]] for document in documents]
    print(f"check      {len(said[0])} findings, {'the same' if said[0] == said[1] else 'NOT the same'}")
    for job, (error, where) in worst.items():
        print(f"{job:12} {error:.1e} of the largest, in {where}")
    most = dict.fromkeys(ITERATIONS, ITERATED) | {job: SINGLE for job in worst if job.endswith("bands")}
    wrong = [error > most.get(job, EXACT) for job, (error, _) in worst.items()]
    return sum(wrong) + (said[0] != said[1])


if __name__ == "__main__":
    action, first, second = sys.argv[1], *map(Path, sys.argv[2:])
    sys.exit({"run": run, "compare": compare}[action](first.resolve(), second.resolve()))

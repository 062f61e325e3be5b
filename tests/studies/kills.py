"""Ends studies with two worker processes at random moments, goes on with them, and compares their files in the end.

They must be those that a single process writes.

    python tests/studies/kills.py --count 20

Each time the command and its workers are ended together: by SIGKILL, or by SIGINT as Ctrl-C does it, or the command by
SIGTERM as batch queues do it. When a study gets done it begins anew. POSIX only.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

import opensim_inertia
from opensim_inertia.demo import write_cohort

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from oracles.program import PROGRAM

STUDY = """
[[trial]]
setup = "S*/setup_*.xml"
id = "S{1}_{2}"
subject = "S{1}"
condition = "{2}"
[grid]
strain = ["aponeurosis", "uniform"]
placement = ["given", "central"]
[uncertainty]
draws = 128
[output]
reports = "none"
pictures = false
"""
#: Exit codes of a command that was ended, or was done before.
CODES = {signal.SIGKILL: (-9, 0), signal.SIGINT: (130, -2, 0), signal.SIGTERM: (143, -15, 0)}
#: How much longer two processes take, at most: they must be started.
SLOWER = 2.0
#: A study that takes longer hangs, and so do workers that take longer to end [s].
LONGEST, ENDING = 180.0, 20.0


def start(folder: Path, log: Path, workers: int = 2) -> subprocess.Popen[bytes]:
    """The command, in a session of its own."""
    package = str(Path(opensim_inertia.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": package, "TMPDIR": str(folder / "temporary"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-P", "-c", PROGRAM, "study", "study.toml", "--workers", str(workers)]
    with log.open("ab") as said:
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said, start_new_session=True)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def still_there(session: int) -> list[int]:
    """Processes of a session."""
    found = []
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
        except (OSError, psutil.Error):
            continue
    return found


def run(count: int, seed: int) -> list[str]:
    """Return what was found to be wrong."""
    chance, faults, killed, starts = random.Random(seed), [], 0, 0
    folder = Path(tempfile.mkdtemp(prefix="study_kills_"))
    try:
        write_cohort(folder, subjects=[(1.62, 56.0), (1.88, 92.0)], conditions=["slow"])
        (folder / "study.toml").write_text(STUDY)
        (folder / "temporary").mkdir()
        results, log = folder / "study_results", folder / "said.txt"
        begun = time.monotonic()
        if start(folder, log, workers=0).wait(LONGEST) != 0:
            return [f"the study fails: {log.read_text()}"]
        whole, longest = contents(results), SLOWER * (time.monotonic() - begun)
        shutil.rmtree(results)
        while killed < count or contents(results) != whole:
            process, starts, begun = start(folder, log), starts + 1, time.monotonic()
            kind = chance.choice(sorted(CODES))
            try:
                code = process.wait(chance.uniform(0.2, 1.0) * longest if killed < count else LONGEST)
            except subprocess.TimeoutExpired:
                if killed >= count:
                    return [*faults, "the study hangs"]
                killed += 1
                (process.send_signal if kind == signal.SIGTERM else lambda k, p=process: os.killpg(p.pid, k))(kind)
                code = process.wait(ENDING)
                if code not in CODES[kind]:
                    faults.append(f"{kind.name}: exit code {code}: {log.read_text()[-2000:]}")
            print(f"start {starts}: {kind.name}, exit code {code}, {killed} kills", flush=True)
            end = time.monotonic() + ENDING
            while still_there(process.pid) and time.monotonic() < end:
                time.sleep(0.1)
            if left := still_there(process.pid):
                faults.append(f"{kind.name}: {len(left)} processes are still there")
                os.killpg(process.pid, signal.SIGKILL)
            if not results.is_dir():
                continue
            for name, data in contents(results).items():
                hidden = Path(name).name.startswith(".")
                if hidden and kind != signal.SIGKILL and code != 0 and not was_killed(folder):
                    faults.append(f"{kind.name}: left {name}")
                if not hidden and name in whole and data != whole[name]:
                    faults.append(f"{kind.name}: {name} differs")
            if kind == signal.SIGKILL and code != 0:
                (folder / "killed").touch()
            if code == 0:
                if contents(results) != whole:
                    faults.append("the files of a study that was done differ")
                longest = min(longest, time.monotonic() - begun)
                if killed < count:
                    shutil.rmtree(results)
                    (folder / "killed").unlink(missing_ok=True)
        text = log.read_text()
        if "Traceback" in text:
            faults.append(text[text.index("Traceback") :][:2000])
        print(f"{killed} kills, {starts} starts")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return faults


def was_killed(folder: Path) -> bool:
    """Whether a SIGKILL may have left temporary files since the study began."""
    return (folder / "killed").exists()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = run(options.count, options.seed)
    print(*found, f"{len(found)} faults", sep="\n")

"""Ends commands at random moments by SIGKILL, SIGTERM and SIGINT, and looks at what they leave behind.

    python tests/kills.py --count 500

Files must be complete: those of the run before, or new ones. After SIGTERM and SIGINT nothing else may be left, neither
in the user's folder nor among temporary files. Commands run in copies of this process, in which all that they import is
there already, so that most signals come while they work. POSIX only.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pandas as pd

import opensim_inertia
from opensim_inertia.cli import main
from opensim_inertia.demo import write_demo
from opensim_inertia.files import read_table

#: Exit codes by signal: of a command that notices it, that has not begun to listen, or that was done.
CODES = {
    signal.SIGKILL: (-signal.SIGKILL, 0),
    signal.SIGTERM: (143, -signal.SIGTERM, 0),
    signal.SIGINT: (130, -signal.SIGINT, 0),
}
LONGEST = 120.0  # A command that takes longer [s] hangs
MODEL = ("--masses", "demo/masses.csv", "--trc", "--out", "results")
COMMANDS = {
    "id": ("id", "demo/setup_id.xml", *MODEL),
    "simulate": ("simulate", "demo/leg.osim", "--t-final", "0.05", *MODEL),
}


def start(words: tuple[str, ...], home: Path) -> int:
    """Start a command in ``home/here``, with its temporary files beside it; return its process."""
    process = os.fork()
    if process:
        return process
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(home / "here")
        for stream in (1, 2):
            os.dup2(os.open(home / "said.txt", os.O_CREAT | os.O_WRONLY | os.O_APPEND), stream)
        tempfile.tempdir = str(home / "temporary")
        code = main(words)
        sys.stdout.flush()
    except KeyboardInterrupt:  # before the command listens, or when it was done
        code = 130
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def ended(process: int, wait: float = LONGEST) -> int | None:
    """Return the exit code of a process, negative for a signal; None if it has not ended within ``wait`` [s]."""
    until = time.monotonic() + wait
    while True:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(0.002)


def is_complete(file: Path) -> bool:
    data = file.read_bytes()
    try:
        if file.suffix == ".png":
            return data.startswith(b"\x89PNG") and data.endswith(b"IEND\xaeB`\x82")
        if file.suffix == ".trc":
            rows = data.decode().splitlines()
            whole = int(rows[2].split("\t")[2]) == len([row for row in rows[5:] if row.strip()])
        elif file.suffix == ".json":
            whole = bool(json.loads(data))
        else:
            whole = len(read_table(file) if file.suffix == ".sto" else pd.read_csv(file)) > 0
        return whole and data.endswith(b"\n")
    except (ValueError, IndexError, opensim_inertia.InertiaError):
        return False


def files_in(folder: Path) -> set[Path]:
    """Files and empty folders."""
    every = [path for path in folder.rglob("*") if path.is_file() or not any(path.iterdir())]
    return {path.relative_to(folder) for path in every}


def faults(home: Path, old: Path | None, new: set[Path], number: signal.Signals, code: int | None) -> Iterator[str]:
    """What is wrong in ``home/here`` after a signal; results of ``old`` were there before, those of ``new`` may be."""
    here = home / "here"
    if code not in CODES[number]:
        yield f"exit code {code}: {(home / 'said.txt').read_text()[-500:]}"
    for path in files_in(here) - files_in(home / "inputs"):
        if path in new:
            if not is_complete(here / path):
                yield f"{path} is not complete"
        elif number != signal.SIGKILL or ((here / path).is_file() and not any(p.startswith(".") for p in path.parts)):
            yield f"left {path}"
    if old is not None:
        yield from (f"lost {path}" for path in files_in(old) - files_in(here))
    if number != signal.SIGKILL:
        yield from (f"left {path.name} among temporary files" for path in (home / "temporary").iterdir())


def run(home: Path, count: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    write_demo(home / "inputs" / "demo")

    def prepare(before: Path) -> None:
        for folder in ("here", "temporary"):
            shutil.rmtree(home / folder, ignore_errors=True)
        (home / "temporary").mkdir()
        (home / "said.txt").write_text("")
        shutil.copytree(before, home / "here")

    seconds = {}
    for name, words in COMMANDS.items():
        prepare(home / "inputs")
        begin = time.monotonic()
        assert ended(start(words, home)) == 0, (home / "said.txt").read_text()
        seconds[name] = time.monotonic() - begin
        shutil.copytree(home / "here", home / name)
    for trial in range(count):
        name = list(COMMANDS)[trial % 2]
        number = list(CODES)[trial // 2 % 3]
        old = home / name if rng.random() < 0.5 else None
        prepare(old or home / "inputs")
        process, moment = start(COMMANDS[name], home), rng.uniform(0.0, 1.05 * seconds[name])
        code = ended(process, moment)
        if code is None:
            os.kill(process, number)
            code = ended(process)
        if code is None:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
        what = f"{name}, {number.name} after {moment:.3f} s{', had old' * (old is not None)}: "
        yield from (what + fault for fault in faults(home, old, files_in(home / name), number, code))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=45, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    options = parser.parse_args()
    for module in ("cli.id", "cli.simulate", "model", "analyses.inverse_dynamics", "analyses.forward_simulation"):
        import_module(f"opensim_inertia.{module}")
    import_module("matplotlib.pyplot")
    with tempfile.TemporaryDirectory() as folder:
        found = list(run(Path(folder), options.count, options.seed))
    print(*found, f"{len(found)} faults", sep="\n")
    raise SystemExit(bool(found))

"""Ends commands at random moments by SIGKILL, SIGTERM and SIGINT, and looks at what they leave behind.

    python tests/kills.py --count 500

Files must be complete: those of the run before, or new ones. After SIGTERM and SIGINT nothing else may be left, neither
in the user's folder nor among temporary files. Commands run in copies of this process, in which all that they import is
there already, so that most signals come while they work; every tenth is a program of its own. POSIX only.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import pandas as pd
from oracles.program import PROGRAM

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
#: A program started in the background may inherit an ignored SIGINT; Python then installs no handler.
ALONE = 10  # One in so many is a program of its own
LONGEST = 120.0  # A command that takes longer [s] hangs


@dataclass(frozen=True)
class Command:
    """A command, run in a folder with the demo's files."""

    words: tuple[str, ...]
    results: str
    varies: bool = False


MODEL = ("--masses", "demo/masses.csv", "--trc", "--out")
COMMANDS = {
    "id": Command(("id", "demo/setup_id.xml", *MODEL, "results/id"), "results/id"),
    "simulate": Command(
        ("simulate", "demo/leg.osim", "--t-final", "0.05", *MODEL, "results/sim"), "results/sim", varies=True
    ),
}


def prepare() -> None:
    for name in ("cli.id", "cli.simulate", "model", "analyses.inverse_dynamics", "analyses.forward_simulation"):
        import_module(f"opensim_inertia.{name}")
    import_module("matplotlib.pyplot")


def start(command: Command, folder: Path, alone: bool) -> int:
    """Start a command in a folder, with ``temporary/`` beside it for its temporary files; return its process."""
    temporary = str(folder.parent / "temporary")
    said = os.open(folder.parent / "said.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    if alone:
        package = str(Path(opensim_inertia.__file__).parents[1])
        environment = os.environ | {"PYTHONPATH": package, "MPLBACKEND": "Agg", "TMPDIR": temporary}
        program = [sys.executable, "-W", "ignore", "-c", PROGRAM, *command.words]
        process = subprocess.Popen(program, cwd=folder, env=environment, stdout=said, stderr=said).pid
        os.close(said)
        return process
    process = os.fork()
    if process:
        os.close(said)
        return process
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(folder)
        os.dup2(said, 1)
        os.dup2(said, 2)
        tempfile.tempdir = temporary
        code = main(command.words)
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
        if not data.endswith(b"\n"):
            return False
        if file.suffix == ".sto":
            return bool(len(read_table(file)))
        if file.suffix == ".csv":
            return bool(len(pd.read_csv(file)))
        if file.suffix == ".trc":
            rows = data.decode().splitlines()
            return int(rows[2].split("\t")[2]) == len([row for row in rows[5:] if row.strip()])
        return file.suffix == ".json" and bool(json.loads(data))
    except (ValueError, IndexError, opensim_inertia.InertiaError):
        return False


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() or not any(path.iterdir()))


@dataclass
class Bench:
    """Commands that are ended at random moments, and what is wrong with what they leave."""

    home: Path
    random: random.Random
    ends: Counter[tuple[str, str, int | None]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seconds: dict[tuple[str, bool], float] = {}
        self.files: dict[str, dict[str, bytes | None]] = {}
        write_demo(self.home / "inputs" / "demo")
        for name, command in COMMANDS.items():
            runs = []
            for alone in (True, False):
                folder = self.folder(None)
                begin = time.monotonic()
                code = ended(start(command, folder, alone))
                self.seconds[name, alone] = time.monotonic() - begin
                if code != 0:
                    raise RuntimeError(f"{name}: exit code {code}\n{(self.home / 'said.txt').read_text()}")
                runs.append({path.name: path.read_bytes() for path in files_in(folder / command.results)})
            shutil.copytree(folder / command.results, self.home / "old" / name)
            one, other = runs
            is_known = not command.varies
            self.files[name] = {file: data if is_known and data == one[file] else None for file, data in other.items()}

    def folder(self, old: str | None) -> Path:
        """Return a folder with the inputs, and with old results of a command."""
        folder, temporary = self.home / "here", self.home / "temporary"
        for made in (folder, temporary):
            shutil.rmtree(made, ignore_errors=True)
        temporary.mkdir()
        shutil.copytree(self.home / "inputs", folder)
        if old is not None:
            shutil.copytree(self.home / "old" / old, folder / COMMANDS[old].results)
        return folder

    def once(self, name: str, number: signal.Signals, alone: bool) -> None:
        command, had_old = COMMANDS[name], self.random.random() < 0.5
        folder = self.folder(name if had_old else None)
        moment = self.random.uniform(0.0, 1.05 * self.seconds[name, alone])
        process = start(command, folder, alone)
        code = ended(process, moment)
        if code is None:
            os.kill(process, number)
            code = ended(process)
        self.ends[name, number.name, code] += 1
        what = f"{name}, {number.name} after {moment:.3f} s{' alone' * alone}{', had old' * had_old}: "
        self.faults += [what + fault for fault in self.wrong(name, folder, number, code, had_old)]
        if code is None:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)

    def wrong(self, name: str, folder: Path, number: signal.Signals, code: int | None, had_old: bool) -> Iterator[str]:
        if code not in CODES[number]:
            yield f"exit code {code}: {(self.home / 'said.txt').read_text()[-500:]}"
        results = folder / COMMANDS[name].results
        inputs = {path.relative_to(self.home / "inputs") for path in files_in(self.home / "inputs")}
        for path in files_in(folder):
            at = path.relative_to(folder)
            if path.parent == results and path.name in self.files[name]:
                data = self.files[name][path.name]
                if not is_complete(path) or (data is not None and path.read_bytes() != data):
                    yield f"{path.name} is not complete"
            elif at in inputs:
                continue
            elif number != signal.SIGKILL or (path.is_file() and not any(part.startswith(".") for part in at.parts)):
                yield f"left {at}"
        if had_old and (gone := [file for file in self.files[name] if not (results / file).is_file()]):
            yield f"lost {gone}"
        if number != signal.SIGKILL:
            yield from (f"left {path.name} among temporary files" for path in (self.home / "temporary").iterdir())


def run(count: int, seed: int, tell: Callable[[str], object] = print) -> list[str]:
    prepare()
    with tempfile.TemporaryDirectory() as home:
        bench = Bench(Path(home), random.Random(seed))
        kinds = [(name, number) for name in COMMANDS for number in CODES]
        for trial in range(count):
            name, number = kinds[trial % len(kinds)]
            bench.once(name, number, alone=trial // len(kinds) % ALONE == ALONE - 1)
    for (name, sent, code), times in sorted(bench.ends.items(), key=str):
        tell(f"{name:9} {sent:8} exit code {code}: {times}")
    return bench.faults


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=45, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    options = parser.parse_args()
    found = run(options.count, options.seed)
    print(*found, f"{len(found)} faults", sep="\n")
    raise SystemExit(bool(found))

"""Dask: clients given, schedulers and workers as programs of their own, workers and clients that are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from oracles.program import PROGRAM

import opensim_inertia as oi

distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")
for package in ("pyarrow",):
    pytest.importorskip(package)

Configured = Callable[..., dict[str, Any]]
SLOW_TO_START = 60.0


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(oi.__file__).parents[1]), "OMP_NUM_THREADS": "1"}


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def until(true: Callable[[], Any], what: str, limit: float = SLOW_TO_START) -> Any:
    """Wait for something to be true."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(0.02)
    pytest.fail(f"waited {limit:g} s for {what}")


class Programs:
    """A scheduler and workers as programs of their own on this machine, by address."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.workers: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        options = ["--port", "0", "--no-dashboard", "--scheduler-file", str(file), "--host", "127.0.0.1"]
        self.scheduler = self.start("scheduler", *options)
        until(file.is_file, "the scheduler")
        self.address = json.loads(until(file.read_text, "its address"))["address"]

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        log = self._stack.enter_context((self._folder / f"{words[0]}.log").open("ab"))
        process = subprocess.Popen(command, cwd=self._folder, env=environment(), stdout=log, stderr=log)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def add_worker(self) -> None:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(self._folder))
        self.workers.append(self.start("worker", self.address, *options))


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        yield Programs(tmp_path, stack)


def command(config: dict[str, Any], folder: Path, *options: str) -> subprocess.Popen[str]:
    """The command as a program of its own, in a session of its own."""
    lines = [f"name = {json.dumps(config['name'])}", f"out = {json.dumps(config['out'])}"]
    for trial in config["trial"]:
        lines += ["[[trial]]", *(f"{name} = {json.dumps(value)}" for name, value in trial.items())]
    for section in ("grid", "uncertainty", "output"):
        lines += [f"[{section}]", *(f"{name} = {json.dumps(value)}" for name, value in config[section].items())]
    lines += ["[cluster]", "workers = 1", "wait = 5.0"]
    file = folder / "study.toml"
    file.write_text("\n".join(lines) + "\n")
    words = [sys.executable, "-P", "-c", PROGRAM, "study", str(file), *options]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "start_new_session": True}
    return subprocess.Popen(words, cwd=folder, env=environment(), text=True, **pipes)


def test_a_client_that_is_given_is_used_and_stays_open(configured: Configured, tmp_path: Path) -> None:
    small = {"strain": "uniform"}
    here = oi.study(configured(grid=small))
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, local_directory=str(tmp_path)
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        result = oi.study(configured(grid=small, out=str(tmp_path / "there")), client=client)
        assert client.status == "running"
    assert result.computed == 4
    assert contents(result.folder) == contents(here.folder)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
def test_by_address_a_worker_and_a_client_may_be_killed(
    configured: Configured, tmp_path: Path, programs: Programs
) -> None:
    heavy = {"strain": ["aponeurosis", "uniform"], "placement": ["given", 0.2], "cutoff": ["setup", 12]}
    here = oi.study(configured(grid=heavy))
    there = tmp_path / "there"
    config = configured(grid=heavy, out=str(there))

    def done() -> int:
        return len(list(there.glob("tasks/*/*.npz")))

    with pytest.raises(oi.errors.ClusterError, match=r"no worker has come to the scheduler tcp://.* within 0\.2 s"):
        oi.study(config, cluster={"scheduler": programs.address, "wait": 0.2})
    for _ in range(2):
        programs.add_worker()
    leaving = command(config, tmp_path, "--scheduler", programs.address)
    until(lambda: done() >= 2, "two results")
    leaving.send_signal(signal.SIGKILL)  # a client that leaves
    leaving.communicate()
    assert 2 <= done() < 32
    going_on = command(config, tmp_path, "--scheduler", programs.address)
    seen = done()
    until(lambda: done() > seen + 2, "more results")
    programs.workers[0].kill()  # a worker in the middle
    said, _ = going_on.communicate(timeout=SLOW_TO_START)
    assert going_on.returncode == 0, said
    assert "32 tasks of 4 trials have results" in said
    assert contents(there) == contents(here.folder)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
def test_an_interrupt_and_the_end_of_the_scheduler_leave_whole_files(
    configured: Configured, tmp_path: Path, programs: Programs
) -> None:
    programs.add_worker()
    there = tmp_path / "there"
    config = configured(grid={"placement": [0.1 * i for i in range(11)]}, out=str(there))

    def done() -> int:
        return len(list(there.glob("tasks/*/*.npz")))

    process = command(config, tmp_path, "--scheduler", programs.address)
    until(done, "a result")
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=SLOW_TO_START)
    assert process.returncode == 130 and said.endswith("opensim-inertia: interrupted\n"), said
    process, seen = command(config, tmp_path, "--scheduler", programs.address), done()
    until(lambda: done() > seen + 2, "more results")
    programs.scheduler.kill()
    said, _ = process.communicate(timeout=2 * SLOW_TO_START)
    assert process.returncode == 2 and "Traceback" not in said, said
    assert "error: " in said.splitlines()[-1] and "scheduler" in said.splitlines()[-1], said
    here = oi.study(configured(grid=config["grid"]))
    found, whole = contents(there), contents(here.folder)
    results = [name for name in found if name.startswith("tasks") and not Path(name).name.startswith(".")]
    assert len(results) > 3 and all(found[name] == whole[name] for name in results)


def still_there(session: int) -> list[int]:
    """Processes of a session."""
    found = []
    for process in psutil.process_iter():
        with suppress(OSError, psutil.Error):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process.pid)
    return found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_ended_with_its_processes_and_resumed_it_ends_with_the_same_files(
    configured: Configured, tmp_path: Path, name: str
) -> None:
    """SIGKILL and SIGINT reach the workers of this machine, too, as Ctrl-C does; SIGTERM does not, as of a queue."""
    there, kind = tmp_path / "there", getattr(signal, name)
    config = configured(out=str(there), grid={"strain": ["aponeurosis", "uniform"], "placement": ["given", "central"]})
    process = command(config, tmp_path, "--workers", "2")
    until(lambda: list(there.glob("tasks/*/[0-9a-f]*.npz")), "a result")
    os.kill(process.pid, kind) if kind == signal.SIGTERM else os.killpg(process.pid, kind)
    said, _ = process.communicate(timeout=SLOW_TO_START)
    assert process.returncode in {"SIGKILL": (-9,), "SIGINT": (130, -2), "SIGTERM": (143, -15)}[name], said
    until(lambda: not still_there(process.pid), "the end of all processes")
    left = contents(there)
    assert name == "SIGKILL" or not any(Path(file).name.startswith(".") for file in left)
    again, whole = oi.study(config), oi.study(config | {"out": str(tmp_path / "whole")})
    assert 0 < again.computed < whole.computed
    assert contents(again.folder) == contents(whole.folder)

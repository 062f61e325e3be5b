"""Run a task in a fork of this process, so that a signal or a hang is noticed and ends nothing else."""

import os
import select
import signal
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MEMORY = 8 << 30  # What a process may take, for what asks for absurd amounts of memory [bytes]


@dataclass(frozen=True)
class Outcome:
    """How a task ended."""

    code: int | None
    failure: str
    out: str
    err: str
    seconds: float


def isolated(task: Callable[[], int], limit: float) -> Outcome:
    """Run a task in a fork of this process, which is killed after ``limit`` seconds."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        out, err = Path(scratch, "out"), Path(scratch, "err")
        done, failing = os.pipe()
        child = os.fork()
        if not child:
            os.close(done)
            _run(task, out, err, failing)
        os.close(failing)
        message = b""
        hangs = False
        while not hangs:
            hangs = not select.select([done], [], [], max(start + limit - time.monotonic(), 0.0))[0]
            if not hangs and not (part := os.read(done, 1 << 16)):
                break
            message += b"" if hangs else part
        if hangs:
            os.kill(child, signal.SIGKILL)
        os.close(done)
        status = os.waitpid(child, 0)[1]
        failure = "hang" if hangs else f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else message.decode()
        code = None if failure else os.WEXITSTATUS(status)
        texts = [file.read_text(errors="replace") if file.exists() else "" for file in (out, err)]
        return Outcome(code, failure, texts[0], texts[1], time.monotonic() - start)


def _run(task: Callable[[], int], out: Path, err: Path, failing: int) -> None:
    code = 1
    try:
        import resource

        if hasattr(resource, "RLIMIT_AS"):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        for number, file in ((1, out), (2, err)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
        try:
            code = task()
        except BaseException as error:
            traceback.print_exc()
            os.write(failing, type(error).__name__.encode())
    finally:
        for stream in (1, 2):
            os.fsync(stream)
        os._exit(code)

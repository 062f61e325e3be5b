"""The one module that imports Dask: processes of this machine, or workers of a scheduler, do the batches of a study."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic
from typing import Any

from .._core.errors import ClusterError, InertiaError, MissingPackageError
from .._core.processes import scratch_folder
from .._core.provenance import versions
from .._core.workers import processors, starting_workers
from .tasks import Task
from .worker import Outcome, do_batch

try:
    import dask
    import psutil
    from distributed import Client, KilledWorker, LocalCluster, wait
    from distributed.client import FutureCancelledError, FuturesCancelledError
except ImportError as error:
    raise MissingPackageError("studies need", "dask[distributed]", "study") from error


#: Memory that a process of this machine is given [bytes]; one has been measured to need 0.5 GB.
MEMORY = 10**9
#: Batches that wait at the scheduler for each process, besides those that are being done.
AHEAD = 1
#: Time between two looks at the workers, and time that processes of this machine are given to end [s].
LOOK, CLOSING = 2.0, 20.0
#: Who tells, with tracebacks, of lost connections, which become errors of one line.
LOGGERS = ("distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio")


@contextmanager
def connected(scheduler: str | None, workers: int | None, limit: float, client: Any = None) -> Iterator[Client]:
    """Yield a client of this machine's processes, of a scheduler's address, or the given one; wait ``limit`` [s]."""
    with ExitStack() as stack:
        if client is None:
            for logger in map(logging.getLogger, LOGGERS):
                stack.callback(logger.setLevel, logger.level)
                logger.setLevel(logging.CRITICAL + 1)
            address = scheduler or _local(workers, stack)
            try:
                client = Client(address, timeout=limit, set_as_default=False)
            except (OSError, TimeoutError, ValueError) as error:
                why = f"within {limit:g} s" if isinstance(error, OSError | TimeoutError) else f": {error}"
                raise ClusterError(f"the scheduler '{address}' cannot be reached {why}") from error
            stack.callback(client.close, timeout=CLOSING)
        elif not isinstance(client, Client) or client.asynchronous:
            raise ClusterError(f"client is {type(client).__name__}; expected a synchronous distributed.Client")
        try:
            client.wait_for_workers(1, timeout=limit)
        except TimeoutError:
            where = str(client.scheduler_info().get("address", "")) or repr(client)
            raise ClusterError(f"no worker has come to the scheduler {where} within {limit:g} s") from None
        yield client


def _local(workers: int | None, stack: ExitStack) -> LocalCluster:
    count = workers or max(1, min(processors(), int(psutil.virtual_memory().available // MEMORY)))
    scratch = stack.enter_context(scratch_folder())
    with dask.config.set({"temporary-directory": str(scratch)}), starting_workers(scratch):
        cluster = LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            memory_limit=0,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
        stack.callback(cluster.close, timeout=CLOSING)
    return cluster


def processes_of(client: Client) -> int:
    """Return how many tasks the workers of a client do at a time."""
    return sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())


def run(
    client: Client, folder: str, batches: Iterable[list[Task]], limit: float, done: Callable[[list[Outcome]], None]
) -> None:
    """Do batches, a few at a time, and call ``done`` with outcomes; those that kill workers are taken apart."""
    ahead, pending = deque(batches), dict[Any, list[Task]]()
    version = versions()["opensim_inertia"]
    last_progress = monotonic()
    try:
        while ahead or pending:
            room = (1 + AHEAD) * max(1, processes_of(client))
            while ahead and len(pending) < room:
                batch = ahead.popleft()
                pending[client.submit(do_batch, batch, folder, version, pure=False)] = batch
            completed: Sequence[Any] = ()
            with suppress(TimeoutError), client.as_current():
                completed = list(wait(list(pending), timeout=LOOK, return_when="FIRST_COMPLETED").done)
            for future in completed:
                batch = pending.pop(future)
                outcomes = _outcomes(future, batch)
                if outcomes is None:
                    ahead.extendleft([task] for task in batch)
                else:
                    done(outcomes)
                last_progress = monotonic()
            if processes_of(client):
                last_progress = monotonic()
            elif client.status != "running" or monotonic() - last_progress > limit:
                raise ClusterError(f"all workers of the scheduler have been gone for {limit:g} s")
    except (FutureCancelledError, FuturesCancelledError) as error:
        raise ClusterError("the scheduler has gone; run the study again to go on") from error
    finally:
        with suppress(Exception):
            client.cancel(list(pending))


def _outcomes(future: Any, batch: list[Task]) -> list[Outcome] | None:
    """Return a batch's outcome; None if it shall be taken apart."""
    if future.status == "cancelled":
        raise ClusterError("the scheduler has gone; run the study again to go on")
    error = future.exception()
    if error is None:
        return list(future.result())
    if isinstance(error, KilledWorker):
        if len(batch) > 1:
            return None
        message = "its worker was killed each time, perhaps for lack of memory"
        return [Outcome(batch[0].key, 0.0, "KilledWorker", message)]
    if isinstance(error, InertiaError):
        raise error
    raise ClusterError(f"workers cannot do the tasks: {type(error).__name__}: {error}") from error

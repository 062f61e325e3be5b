"""Parallel work by Dask: processes of this machine, or workers of a scheduler."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from .._core.errors import ClusterError, InertiaError, MissingPackageError
from .._core.processes import scratch_folder
from .._core.workers import processors, starting_workers
from .worker import do_batch

try:
    import dask
    import psutil
    from distributed import Client, KilledWorker, LocalCluster
    from distributed.client import FutureCancelledError, FuturesCancelledError
except ImportError as error:
    raise MissingPackageError("studies need", "dask[distributed]", "study") from error


#: Memory per process of this machine [bytes].
MEMORY = 10**9
KILLED = "its worker was killed each time, perhaps for lack of memory"
#: Waiting batches per process at the scheduler.
AHEAD = 1
#: Interval between checks of the workers, and time for local processes to end [s].
LOOK, CLOSING = 2.0, 20.0
#: Loggers of lost connections, silenced since errors report these.
LOGGERS = ("distributed", "distributed.client", "distributed.core", "tornado.application", "asyncio")


@contextmanager
def connected(scheduler: str | None, workers: int | None, limit: float, client: Any = None) -> Iterator[Client]:
    """Yield ``client`` or, if None, a new Dask client; raise ClusterError if no worker is there in ``limit`` [s]."""
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
    """Return the number of tasks that a client's workers can do in parallel."""
    return sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())


def run_on(
    client: Client, limit: float, bar: Any, do: Callable[..., Any], batches: Iterable[list[Any]], *arguments: Any
) -> list[tuple[list[Any], Any]]:
    """Return (batch, result of ``do``) as completed; split a :func:`do_batch` batch into tasks if it kills a worker."""
    found: list[tuple[list[Any], Any]] = []
    ahead, pending, completed = deque(batches), dict[Any, list[Any]](), SimpleQueue[Any]()
    last_progress, looked, workers = monotonic(), -math.inf, 0
    try:
        while ahead or pending:
            if monotonic() - looked > LOOK:
                workers, looked = processes_of(client), monotonic()
            while ahead and len(pending) < (1 + AHEAD) * max(1, workers):
                batch = ahead.popleft()
                future = client.submit(do, batch, *arguments, pure=False)
                pending[future] = batch
                future.add_done_callback(completed.put)
            with suppress(Empty):
                batch = pending.pop(future := completed.get(timeout=LOOK))
                last_progress, error = monotonic(), future.exception()
                killed = isinstance(error, KilledWorker) and do is do_batch
                if killed and len(batch) > 1:
                    ahead.extendleft([task] for task in batch)
                    continue
                if isinstance(error, InertiaError):
                    raise error
                if error is not None and not killed:
                    raise ClusterError(f"workers cannot do the tasks: {type(error).__name__}: {error}") from error
                result = [replace(batch[0], error="KilledWorker", message=KILLED)] if killed else future.result()
                found.append((batch, result))
                bar.update(len(batch))
            if workers:
                last_progress = monotonic()
            elif client.status != "running" or monotonic() - last_progress > limit:
                raise ClusterError(f"all workers of the scheduler have been gone for {limit:g} s")
    except (FutureCancelledError, FuturesCancelledError) as error:
        raise ClusterError("the scheduler has gone; run the study again to go on") from error
    finally:
        with suppress(Exception):
            client.cancel(list(pending))
    return found

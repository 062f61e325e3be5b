"""What the benchmarks share: the real models, OpenSim's tool in process, and alternating repetitions.

Who imports this can import what tests and examples are made of, too.
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from opensim_inertia._core.opensim import osim  # quietly

sys.path += [str(Path(__file__).resolve().parents[1] / folder) for folder in ("tests", "examples")]


def opensim_models() -> Path:
    """Folder laid out like the public opensim-models repository; leaves the script if there is none."""
    named = os.environ.get("OPENSIM_MODELS")
    root = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "opensim-models"
    if not (root / "Models").is_dir():
        print("skipped: set OPENSIM_MODELS to a copy of https://github.com/opensim-org/opensim-models")
        raise SystemExit(0)
    return root.resolve()


def processor_time() -> float:
    """Processor time [s] of this process and of those that it has started and waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def alternate(tasks: dict[str, Callable[[], object]], repetitions: int) -> dict[str, list[float]]:
    """Processor times [s] of each task, after one warm-up, taken in turns so that a busy machine disturbs all alike."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for repetition in range(-1, repetitions):
        for name, task in tasks.items():
            start = processor_time()
            task()
            if repetition >= 0:
                times[name].append(processor_time() - start)
    return times


def ratio(times: dict[str, list[float]], ours: str, theirs: str) -> float:
    """Median of the ratios within each repetition."""
    return statistics.median(a / b for a, b in zip(times[ours], times[theirs], strict=True))


def report(**values: object) -> None:
    """One last line of name=value pairs."""
    sys.stdout.flush()
    print(" ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}" for k, v in values.items()))


def random_states(state: "osim.State", count: int, seed: int = 0) -> list["osim.State"]:
    """States near a state, with speeds of about 1; constraints are not enforced."""
    rng = np.random.default_rng(seed)
    q = state.getQ().to_numpy().copy()
    made = []
    for _ in range(count):
        other = osim.State(state)
        other.setQ(osim.Vector.createFromMat(q + 0.1 * rng.standard_normal(q.size)))
        other.setU(osim.Vector.createFromMat(rng.standard_normal(other.getNU())))
        made.append(other)
    return made

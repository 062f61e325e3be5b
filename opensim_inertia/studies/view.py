"""The results of a study as one labelled array for each kind of curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._core.errors import UnknownNameError
from .._core.xarray import xr
from .means import MEANS, interpolated
from .store import Store
from .tasks import GRID, Task

__all__ = ["dataset"]


def dataset(store: Store, tasks: Sequence[Task], quantity: str, points: int) -> xr.Dataset:
    """Return the curves of a study; see :meth:`~.result.StudyResult.to_xarray`."""
    trials = list(dict.fromkeys(task.trial.id for task in tasks))
    values = {name: list(dict.fromkeys(task.grid[i] for task in tasks)) for i, name in enumerate(GRID)}
    results = {task: store.read(task.key) for task in tasks}
    quantities = dict.fromkeys(each for result in results.values() for each in result.quantities)
    if quantity not in quantities:
        raise UnknownNameError("quantity", quantity, quantities)
    names = list(
        dict.fromkeys(
            name
            for result in results.values()
            for of, name in zip(result.quantities, result.names, strict=True)
            if of == quantity
        )
    )
    dims = ["trial", *GRID, "name", "percent"]
    shape = [len(trials), *(len(each) for each in values.values()), len(names), points]
    arrays = {kind: np.full(shape, np.nan) for kind in MEANS}
    times = np.full((len(trials), points), np.nan)
    for task, result in results.items():
        span = task.trial.events or (float(result.times[0]), float(result.times[-1]))
        at = np.linspace(*span, points)
        curves = interpolated(result, at)
        if curves is None:
            continue
        place = trials.index(task.trial.id)
        times[place] = at
        where = (place, *(values[name].index(value) for name, value in zip(GRID, task.grid, strict=True)))
        for i, (of, name) in enumerate(zip(result.quantities, result.names, strict=True)):
            if of == quantity:
                for kind, curve in zip(MEANS, curves[:, :, i], strict=True):
                    arrays[kind][(*where, names.index(name))] = curve
    by_id = {task.trial.id: task.trial for task in tasks}
    coordinates = {
        "trial": trials,
        **{name: [str(v) if isinstance(v, str) else f"{v:g}" for v in each] for name, each in values.items()},
        "name": names,
        "percent": np.linspace(0.0, 100.0, points),
        "subject": ("trial", [by_id[name].subject for name in trials]),
        "condition": ("trial", [by_id[name].condition for name in trials]),
        "time": (("trial", "percent"), times),
    }
    return xr.Dataset({kind: (dims, values) for kind, values in arrays.items()}, coordinates, {"quantity": quantity})

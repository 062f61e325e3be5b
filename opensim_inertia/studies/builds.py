"""The inertial models of a process: the last few are kept, and what was found of their wrap objects."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from .._core.choices import DISTRIBUTIONS, STRAINS
from .._core.errors import ModelError
from .._core.opensim import osim
from ..files import StaticOptimizationSetup
from ..model import InertialModel
from ..muscles.masses.estimate import estimate_supported
from ..opensim_model.reading import load_model
from ..opensim_model.setups.force_sets import load_for_recruitment
from ..options import Wrapping
from ..paths.wrapping import WrapPlan
from .tasks import Task

__all__ = ["LOCK", "built"]

#: OpenSim, and the models of a process, are used by one thread at a time.
LOCK = RLock()
#: How many models are kept: a real one takes tens of megabytes.
KEPT = 4
#: How many models' wraps are kept: they are small.
KEPT_WRAPS = 64

Value = TypeVar("Value")


class _Last:
    """The last few objects that were asked for, by what they are made of.

    Args:
        most: how many.
    """

    def __init__(self, most: int) -> None:
        self._most, self._entries = most, OrderedDict[Hashable, Any]()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the object held for a key, or make it."""
        if key in self._entries:
            self._entries.move_to_end(key)
        else:
            self._entries[key] = make()
            while len(self._entries) > self._most:
                self._entries.popitem(last=False)
        return self._entries[key]


_MODELS, _WRAPS = _Last(KEPT), _Last(KEPT_WRAPS)


@dataclass
class _Wraps:
    """The survey of a model's wrap objects; None before a model was built."""

    plan: WrapPlan | None = None


def built(task: Task) -> InertialModel:
    """Return the inertial model of a task, perhaps that of another task with the same one.

    The caller holds :data:`LOCK`.

    Raises:
        InertiaError: whatever :class:`~opensim_inertia.InertialModel` and
            :func:`~opensim_inertia.estimate_masses` refuse. ModelError: no muscle has mass.
    """
    build = task.build
    stamps = tuple(
        _stamp(file) for file in (build.model, *build.force_sets, build.masses.table, build.masses.reference)
    )
    as_given = replace(build, placement=None)
    share = build.placement
    if share is None:
        return _MODELS.get((as_given, stamps), lambda: _build(task, stamps))
    return _MODELS.get((build, stamps), lambda: _placed(built(replace(task, build=as_given)), share))


def _placed(inertial: InertialModel, share: float) -> InertialModel:
    """Return a model with the same share at the origin of what is not belly, of all muscles."""
    masses = {"masses": inertial.masses} if inertial.options.strain_model.kind == "aponeurosis" else {}
    return inertial.rebuilt(dict.fromkeys(inertial.muscle_names, share), plan=inertial.wraps, **masses)


def _stamp(file: str | None) -> tuple[int, int] | None:
    """Return a file's time and size, which change with it."""
    if file is None:
        return None
    status = os.stat(file)
    return status.st_mtime_ns, status.st_size


def _build(task: Task, stamps: Hashable) -> InertialModel:
    """Build the inertial model of a task, with OpenSim's paths compared once for all models that share them.

    Args:
        task: the task; its share at the origin is ignored.
        stamps: times and sizes of the files that the model is read from.
    """
    build, masses = task.build, task.build.masses
    model = _load(task)
    checked = estimate_supported(
        model,
        masses.unsupported,
        method=masses.estimate,
        muscles=masses.muscles,
        table=masses.table,
        reference=masses.reference,
    )
    # What was found of wrap objects does not depend on where mass lies along the paths.
    alike = replace(build, strain=STRAINS[0], placement=None, distribution=DISTRIBUTIONS[0], points=0)
    known: _Wraps = _WRAPS.get((alike, stamps), _Wraps)
    inertial = InertialModel(
        model,
        checked,
        strain=build.strain,
        wrapping=Wrapping(build.wrapping, build.smoothing, plan=known.plan),
        distribution=build.distribution,
        points=build.points,
        reference=masses.reference,
        unsupported=masses.unsupported,
    )
    if not inertial.muscle_names:
        raise ModelError(f"model '{Path(build.model).name}': no muscle has mass")
    known.plan = inertial.wraps
    return inertial


def _load(task: Task) -> osim.Model:
    if isinstance(task.setup, StaticOptimizationSetup) and task.build.force_sets:
        return load_for_recruitment(task.setup, task.trial.setup)
    return load_model(task.build.model)

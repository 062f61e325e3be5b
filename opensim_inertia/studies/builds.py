"""The inertial models of a process, of which the last few are kept."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import RLock

from .._core.errors import ModelError
from ..model import InertialModel
from ..muscles.masses.estimate import estimate_masses
from ..opensim_model.reading.loading import initialise, load_model
from ..opensim_model.setups.driven_model import add_force_sets
from ..options.modelling import Wrapping
from .tasks import Build

__all__ = ["LOCK", "built"]

#: OpenSim, and the models of a process, are used by one thread at a time.
LOCK = RLock()
#: Number of models that are kept: a real one takes tens of megabytes.
KEPT = 4

Stamps = tuple[tuple[int, int] | None, ...]


def built(build: Build) -> InertialModel:
    """Return the inertial model of a task, which tasks with equal inputs share; the caller holds :data:`LOCK`."""
    files = (build.model, *build.force_sets, build.masses.table, build.masses.reference)
    return _model(build, tuple(map(_stamp, files)))


def _stamp(file: str | os.PathLike[str] | None) -> tuple[int, int] | None:
    """Return a file's time and size, which change with it."""
    if file is None:
        return None
    status = os.stat(file)
    return status.st_mtime_ns, status.st_size


@lru_cache(KEPT)
def _model(build: Build, stamps: Stamps) -> InertialModel:
    if build.placement is not None:
        given = _model(replace(build, placement=None), stamps)
        table = {"masses": given.masses} if given.options.strain_model.kind == "aponeurosis" else {}
        return given.rebuilt(dict.fromkeys(given.muscle_names, build.placement), plan=given.wraps, **table)
    masses, model = build.masses, load_model(build.model)
    if build.force_sets:
        initialise(model)
        add_force_sets(model, [Path(file) for file in build.force_sets], build.force_sets[0], replace=True)
    inertial = InertialModel(
        model,
        estimate_masses(model, **masses.arguments),
        strain=build.strain,
        wrapping=Wrapping(build.wrapping, build.smoothing),
        distribution=build.distribution,
        points=build.points,
        reference=masses.reference,
        unsupported=masses.unsupported,
    )
    if not inertial.muscle_names:
        raise ModelError(f"model '{Path(build.model).name}': no muscle has mass")
    return inertial

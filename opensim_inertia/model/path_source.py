"""The model from which muscles' paths are read: the inertial model's own, or another one of the same bodies."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from .._core.errors import ModelError
from .._core.opensim import osim
from .._core.provenance import model_checksum
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.coordinates import CoordinateTable, random_poses, read_coordinates
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.loading import copy_model, initialise
from ..paths.wrapping.poses import read_body_poses

#: Random poses at which bodies of both models are compared, and by how much they may be apart [m and rad].
POSES, SAME = 4, 1e-6


@dataclass(frozen=True)
class PathSource:
    """An initialised model from which paths are read; ``checksum``, by which wraps are kept, None if they are not."""

    model: osim.Model  # (with coordinates) the model
    coordinates: CoordinateTable
    is_own: bool = True  # whether it is the inertial model's own copy
    checksum: Callable[[], str] | None = None

    @classmethod
    def of(
        cls,
        model: osim.Model,
        coordinates: CoordinateTable,
        path_model: osim.Model | str | os.PathLike[str] | None,
        checksum: Callable[[], str] | None = None,
    ) -> PathSource:
        """Return the source of an initialised model's paths: another model, or its file, or (None) the model itself.

        ModelError: the path model has other coordinates, lacks a body or a muscle, or its bodies lie elsewhere.
        """
        if path_model is None:
            return cls(model, coordinates, checksum=checksum)
        other = copy_model(path_model)
        table = read_coordinates(other, initialise(other))
        _check_same(model, coordinates, other, table)
        return cls(other, table, False, partial(model_checksum, other))


def _check_same(model: osim.Model, coordinates: CoordinateTable, other: osim.Model, table: CoordinateTable) -> None:
    """Raise :class:`ModelError` unless another model has the same coordinates, bodies and muscles, and moves alike."""
    start = f"path_model '{other.getName()}' is no model of the same bodies as '{model.getName()}': "
    strange = sorted(set(coordinates.names).symmetric_difference(table.names))
    if strange:
        raise ModelError(f"{start}only one of them has the coordinate '{strange[0]}'")
    bodies = [body.getName() for body in model.getBodySet()]
    for body in bodies:
        if not other.getBodySet().contains(body):
            raise ModelError(f"{start}it has no body '{body}'")
    known = model_muscles(other)
    missing = [name for name in model_muscles(model) if name not in known]
    if missing:
        raise ModelError(f"{start}it has no muscle '{missing[0]}'")
    q = random_poses(model, coordinates, POSES)
    ours = read_body_poses(model, coordinates, Kinematics(model, coordinates, bodies), q)
    order = [coordinates.index(name) for name in table.names]
    theirs = read_body_poses(other, table, Kinematics(other, table, bodies), q[:, order])
    apart = np.abs(ours.position - theirs.position).max(axis=(0, 2))
    turned = np.abs(ours.rotation - theirs.rotation).max(axis=(0, 2, 3))
    worst = int(np.argmax(np.maximum(apart, turned)))
    if max(apart[worst], turned[worst]) > SAME:
        raise ModelError(f"{start}its body '{bodies[worst]}' lies elsewhere at the same pose")

"""What tells the paths of one model from those of another: their lengths at some poses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._opensim import osim
from ..errors import OtherModelError
from ..reading import CoordinateTable, model_muscles, random_poses
from .samples import OpenSimLengths

__all__ = ["check_fingerprint", "fingerprint"]

#: Random poses beside the default one.
POSES = 3
#: Lengths of the same path differ by less [m]; some wraps of OpenSim are iterated to this accuracy.
SAME = 1e-6


def fingerprint(model: osim.Model, coordinates: CoordinateTable, muscles: Iterable[str]) -> dict[str, Any]:
    """Return the model's name, its coordinates, poses, and the muscles' lengths there, as JSON knows them.

    A file's copies and models that differ in masses or strengths only have the same.
    """
    names = list(muscles)
    drawn = random_poses(model, coordinates, POSES, margin=0.1)
    poses = np.concatenate([coordinates.defaults[None], drawn])
    lengths = OpenSimLengths(model, coordinates, names).lengths(poses)
    return {
        "name": model.getName(),
        "coordinates": list(coordinates.names),
        "poses": poses.tolist(),
        "lengths": dict(zip(names, lengths.T.tolist(), strict=True)),
    }


def check_fingerprint(model: osim.Model, coordinates: CoordinateTable, stored: Mapping[str, Any], where: str) -> None:
    """Raise :class:`OtherModelError` unless a model has the paths of the one whose fingerprint is given.

    Errors of a damaged one are KeyError, TypeError and ValueError.
    """
    told = f"{where}: the fits are of model '{stored['name']}', not of this '{model.getName()}': "
    if tuple(stored["coordinates"]) != coordinates.names:
        missing = [name for name in stored["coordinates"] if name not in coordinates.names]
        raise OtherModelError(told + (f"it has no coordinate '{missing[0]}'" if missing else "its coordinates differ"))
    names, poses = list(stored["lengths"]), np.array(stored["poses"], dtype=float)
    there = model_muscles(model)
    for name in names:
        if name not in there:
            raise OtherModelError(f"{told}it has no muscle '{name}'")
    expected = np.array([stored["lengths"][name] for name in names], dtype=float).T
    off = np.abs(OpenSimLengths(model, coordinates, names).lengths(poses) - expected)
    if off.max(initial=0.0) > SAME:
        pose, number = np.unravel_index(int(off.argmax()), off.shape)
        at = "the default pose" if pose == 0 else "a pose"
        raise OtherModelError(f"{told}the path of '{names[number]}' is {1e3 * off.max():.3g} mm off at {at}")

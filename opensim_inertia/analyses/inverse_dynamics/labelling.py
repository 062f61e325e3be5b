"""Results of inverse dynamics as labelled arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.choices import KINDS
from ..._core.xarray import labelled, xr
from .parts import MuscleParts
from .wobble import WobbleRecord


def dataset(
    forces: pd.DataFrame,
    coordinates: Sequence[str],
    units: Sequence[str],
    muscles: Sequence[str],
    bands: Mapping[str, tuple[Array, Array]],
    parts: MuscleParts | None,
    provenance: Mapping[str, Any],
    answered: NDArray[np.bool_],
    doubtful: NDArray[np.bool_],
    wobble: WobbleRecord | None,
) -> xr.Dataset:
    """Return a dataset of the answers, with bands and muscles' parts where these were computed.

    Args:
        forces: the answers; index time [s], columns (kind, name), coordinates in the order of ``coordinates``.
        coordinates: names of the coordinates; ``units``: of their forces.
        muscles: names of the muscles with a part.
        bands: lower and upper end (T,) of the band around inertial - lumped, by coordinate; those without have NaN.
        parts: what each muscle adds; None where that was not kept.
        provenance: the provenance.
        answered: (T,), which rows have an answer.
        doubtful: (T, nu), which forces jumps of the recording change, or no body makes.
        wobble: what swings; None for nothing.
    """
    dims = ["time", "coordinate"]
    variables: dict[str, tuple[list[str], Any, str]] = {kind: (dims, forces[kind], "") for kind in KINDS}
    variables |= {"answered": (["time"], answered, "1"), "doubtful": (dims, doubtful, "1")}
    labels: dict[str, Any] = {"time": forces.index, "coordinate": list(coordinates)}
    if bands:
        unknown = np.full((2, len(forces)), np.nan)
        lower, upper = np.stack([bands.get(name, unknown) for name in coordinates], axis=-1)
        variables |= {"difference_lower": (dims, lower, ""), "difference_upper": (dims, upper, "")}
    if parts is not None:
        variables["per_muscle"] = (["muscle", *dims], parts.total.swapaxes(0, 1), "")
        labels["muscle"] = list(muscles)
    if wobble is not None:
        variables["wobble"] = (dims, wobble.forces, "")
        if wobble.lower is not None and wobble.upper is not None:
            variables["wobble_lower"] = (dims, wobble.forces + wobble.lower, "")
            variables["wobble_upper"] = (dims, wobble.forces + wobble.upper, "")
        variables["displacement"] = (["swinging", "time", "axis"], wobble.displacements.swapaxes(0, 1), "m")
        labels |= {"swinging": list(wobble.names), "axis": ["x", "y", "z"]}
    return labelled(variables, labels, provenance, units)

"""The reference pose, at which it is looked where muscles' bellies lie."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import FileFormatError, OptionError, UnknownNameError
from ..._core.opensim import osim
from ...files.tables import load_motion_table
from ...opensim_model.reading.coordinates import CoordinateTable, coordinate_of_path, follow_couplers
from ...opensim_model.reading.loading import InitialisedModel, initialise

Reference: TypeAlias = osim.State | Mapping[str, float] | ArrayLike | str | os.PathLike[str] | None
"""Types of a reference pose, see :func:`reference_pose`."""


def reference_pose(model: Any, reference: Reference = None) -> tuple[Any, Any]:
    """Return a copy of ``model`` and its state at a reference pose; ``model`` and its states stay as they are.

    Keep both: a state that outlives its model is not safe to use.

    Args:
        model: ``osim.Model``; of an initialised one that is handed on, that one is returned and no copy.
        reference: one of

            * ``None``: the default pose;
            * a dict ``{coordinate: value}`` in rad or m; other coordinates keep their defaults;
            * an array (nu,) of all coordinates in rad or m, in the order of the model's speeds
              (``InertialModel.coordinates.names``);
            * the path of a motion file of a static trial (``.mot`` or ``.sto``): the mean of its rows. Columns that are
              no coordinates of the model are left out, as in inverse dynamics;
            * an ``osim.State`` of a model with the same coordinates, which must still exist: its coordinate values.

            Locked coordinates take the values given. Coordinates that an enforced coupler ties to others follow them;
            other constraints are not enforced.

    Raises:
        UnknownNameError: the model has no such coordinate, or none of the file's columns is one.
        OptionError: a value is not a finite number, or there are too many or too few of them.
        FileFormatError: the file is missing or malformed, or a coordinate in it is not a number.
        ModelError: the model cannot be initialised.
    """
    ready, state = model_at_reference(model, reference)
    return ready.model, state


def model_at_reference(
    model: osim.Model | InitialisedModel, reference: Reference = None
) -> tuple[InitialisedModel, osim.State]:
    """Return the reference pose, as :func:`reference_pose` does, with the copy's data that are read once."""
    if not isinstance(model, InitialisedModel):
        copy = osim.Model(model)
        initialise(copy)
        model = InitialisedModel(copy)
    if reference is None:
        return model, model.state
    copy, state = model.model, osim.State(model.state)
    table = model.coordinates
    if isinstance(reference, osim.State):
        if reference.getNQ() != state.getNQ():
            raise OptionError(
                "reference",
                f"a state of {reference.getNQ()} generalized coordinates",
                f"one of {state.getNQ()}, as model '{copy.getName()}' has",
            )
        state.setQ(reference.getQ())
        return model, state
    values = _pose(copy, table, table.values(state), reference)
    table.set_values(state, follow_couplers(copy, table, values[None])[0])
    return model, state


def _pose(model: Any, table: CoordinateTable, default: Array, reference: Any) -> Array:
    """Return coordinate values (nu,) [rad or m] of a reference that is not a state."""
    where = f"model '{model.getName()}'"
    if isinstance(reference, str | os.PathLike):
        reference = _mean_of_rows(reference, model, table)
    if isinstance(reference, Mapping):
        values = default.copy()
        check_names("coordinate", reference, table.names, where)
        for name, value in reference.items():
            values[table.index(name)] = _number(value, f"a number in rad or m for coordinate '{name}'")
        return values
    expected = f"one number in rad or m for each of the {len(table.names)} coordinates of {where}"
    try:
        values = np.array(reference, dtype=float)
    except (TypeError, ValueError):
        raise OptionError("reference", reference, expected) from None
    if values.shape != default.shape:
        raise OptionError("reference", f"an array of shape {values.shape}", expected)
    for name, value in zip(table.names, values, strict=True):
        _number(value, f"a number in rad or m for coordinate '{name}'")
    return values


def _number(value: Any, expected: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise OptionError("reference", value, expected)
    return number


def _mean_of_rows(path: str | os.PathLike[str], model: Any, table: CoordinateTable) -> dict[str, float]:
    """Return the mean value [rad or m] of each coordinate in a motion file."""
    motion = load_motion_table(path, model)
    means: dict[str, float] = {}
    for label, column in zip(motion.labels, motion.values.T, strict=True):
        name = coordinate_of_path(label, table.names) or label
        if name in means:
            raise FileFormatError(path, f"coordinate '{name}' has more than one column")
        if name in table.names:
            means[name] = float(column.mean())
    if not means:
        first_label = next(iter(motion.labels), "")
        raise UnknownNameError("coordinate", first_label, table.names, f"{path}, whose columns are none of the model's")
    return means

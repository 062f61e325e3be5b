"""Checks of arguments that are inertial models or their states."""

from __future__ import annotations

import os

from .._core.checks import check_type
from .._core.errors import ModelError
from .._core.opensim import osim
from .model import InertialModel


def check_inertial(inertial: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` for what is no inertial model, which says how one is made."""
    named = repr(os.fspath(inertial)) if isinstance(inertial, str | os.PathLike) else "model"
    is_model = isinstance(inertial, str | os.PathLike | osim.Model)
    how = f"InertialModel({named}, estimate_masses({named}))" if is_model else "InertialModel(model, masses)"
    check_type("inertial", inertial, InertialModel, f"an InertialModel: make it first, as {how}")


def check_state(state: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` for what is no state of OpenSim's."""
    check_type("state", state, osim.State, "a state of the model (opensim.State), such as inertial.initial_state()")


def check_moves(inertial: InertialModel) -> None:
    """Raise :class:`~opensim_inertia.errors.ModelError` for a model that has no coordinates."""
    if not inertial.coordinate_names:
        raise ModelError(f"model '{inertial.model.getName()}' has no coordinates: nothing in it can move")

"""The muscles of a model, in its ForceSet or elsewhere."""

from __future__ import annotations

from ..._core.errors import ModelError
from ..._core.opensim import osim


def model_muscles(model: osim.Model) -> dict[str, osim.Muscle]:
    """Return a model's muscles by name, those among its ``<components>`` as well as those of its ForceSet.

    ``Model.getMuscles`` knows the ForceSet only; so does this function of a copy that was never initialised.
    """
    try:
        muscles = list(model.getMuscleList())
    except RuntimeError:  # the model does not know its components yet
        muscles = list(model.getMuscles())
    by_name: dict[str, osim.Muscle] = {}
    for muscle in muscles:
        name = muscle.getName()
        if name in by_name:
            raise ModelError(f"model '{model.getName()}' has two muscles called '{name}'; rename one")
        by_name[name] = muscle
    return by_name

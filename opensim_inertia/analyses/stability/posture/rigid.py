"""Models whose muscles have no states, so that their state matrices are linear in activations."""

from __future__ import annotations

from ...._core.checks import check_type
from ...._core.errors import OPENSIM_ERRORS, ModelError, opensim_reason
from ...._core.opensim import osim, quiet
from ....opensim_model.reading.components import model_muscles

__all__ = ["without_muscle_states"]

#: Muscles that can do without states.
CAPABLE = ("Millard2012EquilibriumMuscle", "DeGrooteFregly2016Muscle")


def without_muscle_states(model: osim.Model) -> osim.Model:
    """Return a copy of a model whose muscles have rigid tendons and no activation dynamics.

    Where a muscle is none of :data:`CAPABLE`, all are replaced by DeGrooteFregly2016Muscle, as OpenSim's ModelProcessor
    does it.

    Raises:
        ModelError: OpenSim cannot make it.
    """
    check_type("model", model, osim.Model, "an opensim.Model")
    try:
        with quiet():
            processor = osim.ModelProcessor(osim.Model(model))
            if any(m.getConcreteClassName() not in CAPABLE for m in model_muscles(model).values()):
                processor.append(osim.ModOpReplaceMusclesWithDeGrooteFregly2016())
            processor.append(osim.ModOpIgnoreTendonCompliance())
            processor.append(osim.ModOpIgnoreActivationDynamics())
            return processor.process()
    except OPENSIM_ERRORS as error:
        reason = opensim_reason(error)
        raise ModelError(f"model '{model.getName()}': its muscles cannot do without states: {reason}") from None

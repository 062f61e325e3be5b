"""Checks that simulations of a model can be differentiated."""

from __future__ import annotations

from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...model import InertialModel

#: Controllers that follow time alone.
FOLLOW_TIME = ("PrescribedController", "ControlSetController")


def check_differentiable(inertial: InertialModel) -> None:
    """Raise :class:`ModelError` where a path or a controller of the model cannot be differentiated, and name it."""
    led = inertial.wraps.opensim
    if led:
        names = ", ".join(f"'{name}'" for name in led)
        raise ModelError(
            f"gradients need paths in closed form, but {names} pass their wraps as OpenSim's own path "
            "(wrapping 'opensim'); give them no mass, or use wrapping='analytic'"
        )
    for component in list(inertial.model.getComponentsList()):
        controller = osim.Controller.safeDownCast(component)
        if controller is None or not controller.isEnabled():
            continue
        if controller.getConcreteClassName() not in FOLLOW_TIME:
            raise ModelError(
                f"controller '{controller.getName()}' ({controller.getConcreteClassName()}) may follow the state, "
                "which gradients do not; disable it, and give excitations as functions of time"
            )

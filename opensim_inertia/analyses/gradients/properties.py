"""A model's numbers by OpenSim path: found, read, set."""

from __future__ import annotations

import re
from typing import Any

from ..._core.errors import OPENSIM_ERRORS, OptionError, UnknownNameError, opensim_reason
from ..._core.opensim import osim

_PATH = re.compile(r"^(?P<component>.*)/(?P<name>[^/\[\]]+)(\[(?P<index>\d+)\])?$")


class ModelProperty:
    """One number of a model.

    Args:
        model: a model that has it.
        path: component and property, with an index for a part of a vector or list: "/bodyset/tibia_r/mass_center[1]".

    Raises:
        UnknownNameError: a component or property is not in the model. OptionError: it is no number.

    Attributes:
        component: path of its component.
        name: the property's.
        muscle: name of the muscle whose own property it is, or None.
    """

    def __init__(self, model: osim.Model, path: str) -> None:
        parts = _PATH.match(path)
        if parts is None:
            raise OptionError("Properties", path, "an OpenSim path such as '/bodyset/tibia_r/mass'")
        self.path = path
        self.component, self.name = parts["component"], parts["name"]
        self.index = None if parts["index"] is None else int(parts["index"])
        owner = self._owner(model)
        if not owner.hasProperty(self.name):
            raise UnknownNameError("property", self.name, _properties(owner), f"{owner.getConcreteClassName()} {path}")
        self.get(model)
        muscle = osim.Muscle.safeDownCast(owner)
        self.muscle: str | None = muscle.getName() if muscle is not None else None

    def get(self, model: osim.Model) -> float:
        """Return the number that a model has."""
        value = self._value(self._owner(model))
        parts = _parts(value)
        if parts is None:
            number = None if self.index is not None else value
        else:
            number = parts[self.index] if self.index is not None and self.index < len(parts) else None
        if isinstance(number, bool) or not isinstance(number, int | float):
            what = f"the index of one of its {len(parts)} numbers" if parts else "a property that is a number"
            raise OptionError("Properties", self.path, what)
        return float(number)

    def set(self, model: osim.Model, number: float) -> None:
        """Set the number in a model, which must be initialised anew."""
        owner = self._owner(model)
        setter = getattr(owner, f"set_{self.name}")
        if self.index is None:
            setter(float(number))
            return
        value = self._value(owner)
        value.set(self.index, float(number))
        setter(value)

    def _owner(self, model: osim.Model) -> Any:
        if self.component in ("", "/"):
            return model
        try:
            component = model.getComponent(self.component)
        except OPENSIM_ERRORS as error:
            paths = [c.getAbsolutePathString() for c in model.getComponentsList()]
            if self.component in paths:
                raise OptionError("Properties", self.path, opensim_reason(error)) from None
            raise UnknownNameError("component", self.component, paths, f"model '{model.getName()}'") from None
        kind = getattr(osim, component.getConcreteClassName(), None)
        return component if kind is None else kind.safeDownCast(component)

    def _value(self, owner: Any) -> Any:
        getter = getattr(owner, f"get_{self.name}", None)
        if getter is None:
            raise OptionError("Properties", self.path, "a property that OpenSim lets Python change")
        try:
            return getter()
        except TypeError:  # a list asks for an index
            raise OptionError("Properties", self.path, "a number or a vector of numbers") from None


def _parts(value: Any) -> list[float] | None:
    """Return the numbers of a vector; None if it is none."""
    if not isinstance(value, osim.Vec3 | osim.Vec6):
        return None
    return [float(value.get(i)) for i in range(value.size())]


def _properties(owner: Any) -> list[str]:
    return [owner.getPropertyByIndex(i).getName() for i in range(owner.getNumProperties())]

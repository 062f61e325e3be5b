"""States of an initialised model: the system that they belong to, and the lifetime of both."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from ..._core.errors import ModelError
from ..._core.opensim import osim

#: Methods of ``osim.State`` that give views into its own memory.
VIEWS = [
    f"{access}{what}"
    for what in (
        *("Q", "QDot", "QDotDot", "U", "UDot", "Z", "ZDot", "Y", "YDot"),
        *("QErr", "UErr", "UDotErr", "YErr", "Multipliers", "EventTriggers"),
    )
    for access in ("get", "upd")
]

#: The attribute of a state that holds its system, once that is known.
KNOWN = "known_system"


#: A system that is made anew may lie where the former one did, so that each one that is bound is marked: the first
#: weight of a speed in the model's working state, which is 1 in every new one and matters to error norms of Simbody's
#: integrators alone, is changed by a few roundings. Copies of states keep the mark, by which they are known; what an
#: integrator gets has none (:func:`without_mark`), so that its steps do not depend on what was bound before.
UNMARKED, EPSILON = 1.0, 2.0**-44
MARKS = itertools.cycle(range(1, 2**20))


def without_mark(state: osim.State) -> osim.State:
    """Return a copy of a state for one of Simbody's integrators, without the mark of the system it belongs to."""
    copy = osim.State(state)
    if copy.getNU() > 0:
        copy.updUWeights().set(0, UNMARKED)
    return copy


class ModelState(osim.State):  # type: ignore[misc]
    """A state that keeps its model alive, and is kept alive by the vectors that are read from it.

    Args:
        state: is copied.
        system: the system to which it belongs.

    Attributes:
        model: the model.
    """

    def __init__(self, state: osim.State, system: ModelSystem) -> None:
        super().__init__(state)
        setattr(self, KNOWN, system)
        self.model = system.model


def _keeping(name: str) -> Callable[..., Any]:
    read = getattr(osim.State, name)

    def keep(self: ModelState, *args: Any) -> Any:
        vector = read(self, *args)
        vector.kept_state = self
        return vector

    keep.__name__, keep.__doc__ = name, read.__doc__
    return keep


for _name in VIEWS:
    setattr(ModelState, _name, _keeping(_name))


class ModelSystem:
    """The Simbody system that a model has now. ``initSystem`` and ``buildSystem`` make another one in its place.

    What was taken from the former system then refers to memory that is no longer there. States are plain numbers, but
    what they hold has been computed by the former system.

    Args:
        model: an initialised model.

    Raises:
        ModelError: the model is not initialised.
    """

    def __init__(self, model: osim.Model) -> None:
        self.model = model
        if not model.isValidSystem():
            raise _not_initialised(model)
        state = model.updWorkingState()
        self._sizes = _sizes(state)
        self._has_speeds = state.getNU() > 0
        if self._find_mark() == UNMARKED and self._has_speeds:
            state.updUWeights().set(0, UNMARKED + next(MARKS) * EPSILON)
        self._mark = self._find_mark()

    def is_current(self) -> bool:
        """Return whether the model still has this system.

        Raises:
            ModelError: the model has been changed and not been initialised since.
        """
        try:
            return self._find_mark() == self._mark
        except RuntimeError:
            raise _not_initialised(self.model) from None

    def _find_mark(self) -> float:
        state = self.model.getWorkingState()
        return float(state.getUWeights().get(0)) if self._has_speeds else UNMARKED

    def check_current(self) -> None:
        """Raise :class:`ModelError` if the model has no longer this system."""
        if not self.is_current():
            raise ModelError(f"model '{self.model.getName()}' has been initialised anew since; read the state again")

    def new_state(self) -> ModelState:
        """Return a copy of the model's working state."""
        return ModelState(self.model.getWorkingState(), self)

    def copy(self, state: osim.State) -> ModelState:
        """Return a copy of a state of this system; errors as :meth:`check`."""
        self.check(state)
        return ModelState(state, self)

    def check(self, state: osim.State, unmarked: bool = False) -> None:
        """Raise :class:`ModelError` if a state is not one of this system.

        States from :meth:`new_state` and states that have been checked before are known. Of others sizes and the mark
        count, which copies of a state keep. A model without speeds has no mark: there the sizes alone count.

        Args:
            state: the state.
            unmarked: take states without any mark, too: a user's own model has them until it is first bound.
        """
        known = getattr(state, KNOWN, None)
        if known is not None and known.model is self.model and known._mark == self._mark:
            return
        if known is not None and not self._is_working_state(state):
            if known.model is self.model:
                raise ModelError(
                    f"the state is from before model '{self.model.getName()}' was initialised anew: take a new one"
                )
            owner, name = known.model.getName(), self.model.getName()
            what = f"another model, '{owner}'" if owner != name else f"another model, a copy of '{owner}'"
            raise ModelError(
                f"the state is one of {what}; expected one of this '{name}', as its initial_state() gives, to which "
                "setY may copy the values"
            )
        for what, count, expected in zip(SIZES, _sizes(state), self._sizes, strict=True):
            if count != expected:
                raise ModelError(f"the state has {count} {what}, the model {expected}: it is another model's")
        accepted_marks = {self._mark, UNMARKED} if unmarked else {self._mark}
        if self._has_speeds and float(state.getUWeights().get(0)) not in accepted_marks:
            raise ModelError(
                f"the state is not one of this '{self.model.getName()}': it belongs to another model, if only to a "
                "copy of this one, or to a system that the model had before; expected one that initial_state() gives, "
                "to which setY may copy the values"
            )
        setattr(state, KNOWN, self)

    def _is_working_state(self, state: osim.State) -> bool:
        """Return whether a state is the model's own, which ``initSystem`` makes anew in its place."""
        return int(state.this) == int(self.model.getWorkingState().this)


#: What is counted in states, in the order of ``_sizes``.
SIZES = ("speeds", "generalized coordinates", "state variables", "subsystems")


def _sizes(state: osim.State) -> tuple[int, int, int, int]:
    return state.getNU(), state.getNQ(), state.getNY(), state.getNumSubsystems()


def _not_initialised(model: osim.Model) -> ModelError:
    name = model.getName()
    return ModelError(f"model '{name}' has been changed and not been initialised since: call its initSystem()")

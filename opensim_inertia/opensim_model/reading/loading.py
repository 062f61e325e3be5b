"""Loading, copying and initialising models; checks that a state belongs to a model's Simbody system."""

from __future__ import annotations

import itertools
import logging
import os
import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from types import MappingProxyType
from typing import Any

from ..._core.checks import check_model_file, is_text, narrow_name
from ..._core.errors import OPENSIM_ERRORS, ModelError, OutputError, UnsupportedPathError, opensim_reason
from ..._core.opensim import osim, quiet
from ..._core.processes import scratch_folder
from .components import model_muscles, walk
from .coordinates import CoordinateTable, read_coordinates
from .paths import PlacedPoint, placed_points

#: Getters of ``osim.State`` that return views.
VIEWS = (
    *("Q", "QDot", "QDotDot", "U", "UDot", "Z", "ZDot", "Y", "YDot"),
    *("QErr", "UErr", "UDotErr", "YErr", "Multipliers", "EventTriggers"),
)
#: Attribute of a state that holds its known system.
KNOWN = "known_system"


#: A tiny change of the first speed's weight marks the system of a state. Only error norms of Simbody's integrators use
#: this weight. Copies keep the mark; integrators get states without it (:func:`without_mark`).
UNMARKED, EPSILON = 1.0, 2.0**-44
MARKS = itertools.cycle(range(1, 2**20))


def without_mark(state: osim.State) -> osim.State:
    """Return a state's copy for Simbody's integrators, without the system's mark: the first u weight is reset to 1."""
    copy = osim.State(state)
    if copy.getNU() > 0:
        copy.updUWeights().set(0, UNMARKED)
    return copy


class ModelState(osim.State):  # type: ignore[misc]
    """A copy of a state that keeps its model alive."""

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


for _name in [f"{access}{view}" for view in VIEWS for access in ("get", "upd")]:
    setattr(ModelState, _name, _keeping(_name))


class ModelSystem:
    """The Simbody system that a model's last ``initSystem`` built, to check that states belong to this system."""

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
        """Return whether the model still has this system; raise :class:`ModelError` if the model is not initialised."""
        try:
            return self._find_mark() == self._mark
        except RuntimeError:
            raise _not_initialised(self.model) from None

    def _find_mark(self) -> float:
        state = self.model.getWorkingState()
        return float(state.getUWeights().get(0)) if self._has_speeds else UNMARKED

    def check_current(self) -> None:
        """Raise :class:`ModelError` if the model was initialised again and has another system."""
        if not self.is_current():
            raise ModelError(f"model '{self.model.getName()}' has been initialised anew since; read the state again")

    def new_state(self) -> ModelState:
        """Return a copy of the model's working state."""
        return ModelState(self.model.getWorkingState(), self)

    def copy(self, state: osim.State) -> ModelState:
        """Return a copy of a state, after :meth:`check` of the state."""
        self.check(state)
        return ModelState(state, self)

    def check(self, state: osim.State, unmarked: bool = False) -> None:
        """Raise :class:`ModelError` for a state of another system; ``unmarked`` accepts states of unknown origin."""
        known = getattr(state, KNOWN, None)
        if known is not None and known.model is self.model and known._mark == self._mark:
            return
        # ``initSystem`` renews the working state in place
        is_known = known is not None and int(state.this) != int(self.model.getWorkingState().this)
        marks = {self._mark, UNMARKED} if unmarked else {self._mark}
        has_mark = not self._has_speeds or (state.getNU() > 0 and float(state.getUWeights().get(0)) in marks)
        if is_known or _sizes(state) != self._sizes or not has_mark:
            name = self.model.getName()
            raise ModelError(
                f"the state belongs to another model, to a copy of model '{name}', or to '{name}' before it was "
                "initialised again; expected a state by initial_state(), to which setY may copy the values"
            )
        setattr(state, KNOWN, self)


def _sizes(state: osim.State) -> tuple[int, int, int, int]:
    return state.getNU(), state.getNQ(), state.getNY(), state.getNumSubsystems()


def _not_initialised(model: osim.Model) -> ModelError:
    name = model.getName()
    return ModelError(f"model '{name}' has been changed and not been initialised since: call its initSystem()")


#: Lock for process-wide settings of OpenSim's serialisation.
_PRINTING = Lock()
#: Pattern of a property that these classes inherit but cannot read, with the text before it.
_USELESS_STRENGTH = re.compile(
    r"(<(DeGrooteFregly2016Muscle|MeyerFregly2016Muscle)\b(?:(?!</\2>).)*?)<optimal_force>[^<]*</optimal_force>",
    re.DOTALL,
)


@dataclass(frozen=True, eq=False)
class InitialisedModel:
    """An initialised model; functions given this object use the model without making a copy."""

    model: osim.Model

    @staticmethod
    def of(model: osim.Model | InitialisedModel | str | os.PathLike[str]) -> InitialisedModel:
        """Return an initialised copy of a model or file; initialised models are returned unchanged."""
        if isinstance(model, InitialisedModel):
            return model
        copy = copy_model(model)
        initialise(copy)
        return InitialisedModel(copy)

    @cached_property
    def muscles(self) -> Mapping[str, osim.Muscle]:
        """Muscles by name."""
        return MappingProxyType(model_muscles(self.model))

    @cached_property
    def coordinates(self) -> CoordinateTable:
        """Coordinates in the order of the model's speeds."""
        return read_coordinates(self.model, self.model.getWorkingState())

    @cached_property
    def path_points(self) -> Mapping[str, Sequence[PlacedPoint]]:
        """Path points from origin to insertion, by muscle; empty for unsupported paths."""
        points: dict[str, Sequence[PlacedPoint]] = dict.fromkeys(self.muscles, ())
        for name, muscle in self.muscles.items():
            with suppress(UnsupportedPathError):
                points[name] = placed_points(muscle)
        return MappingProxyType(points)

    @cached_property
    def state(self) -> osim.State:
        """The state at the default pose, read-only."""
        return osim.State(self.model.getWorkingState())


def copy_model(model: osim.Model | str | os.PathLike[str]) -> osim.Model:
    """Return a copy of a model, or the model in a file, with unique coordinate names."""
    if isinstance(model, osim.Model):
        return _named_apart(osim.Model(model))
    return load_model(model)


def _named_apart(model: osim.Model) -> osim.Model:
    """Rename coordinates with repeated names to ``<joint>_<coordinate>``; return the same model."""
    taken = {coordinate.getName() for coordinate in model.getCoordinateSet()}
    if len(taken) == model.getCoordinateSet().getSize():
        return model
    seen: set[str] = set()
    paths = {}
    for joint in model.updJointSet():
        others = {}
        for i in range(joint.numCoordinates()):
            name = joint.get_coordinates(i).getName()
            if name in seen:
                others[name] = f"{joint.getName()}_{name}"
                joint.upd_coordinates(i).setName(others[name])
                paths[f"/jointset/{joint.getName()}/{name}"] = f"/jointset/{joint.getName()}/{others[name]}"
            seen.add(name)
        custom = osim.CustomJoint.safeDownCast(joint)
        for axis in range(6) if custom is not None and others else ():
            transform = custom.updSpatialTransform().updTransformAxis(axis)
            names = transform.getCoordinateNamesInArray()
            for i in range(names.getSize()):
                names.set(i, others.get(names.get(i), names.get(i)))
            transform.setCoordinateNames(names)
    for component in walk(model):
        sockets = component.getSocketNames()
        for name in (sockets[i] for i in range(len(sockets))):
            path = component.getSocket(name).getConnecteePath()
            if path in paths:
                owner = model.updComponent(component.getAbsolutePathString())
                owner.updSocket(name).setConnecteePath(paths[path])
    model.finalizeConnections()
    return model


_LOG = logging.getLogger(__name__)


def load_model(path: str | os.PathLike[str]) -> osim.Model:
    """Return the model in a file; coordinates with repeated names are renamed to ``<joint>_<coordinate>``."""
    file = check_model_file(path)
    _LOG.info("loading the model %s", file)
    try:
        return _named_apart(osim.Model(narrow_name(file)))
    except OPENSIM_ERRORS as error:
        raise ModelError(f"{path}: OpenSim cannot read this model: {opensim_reason(error)}") from None


def model_xml(model: osim.Model) -> str:
    """Return a model's ``.osim`` text with unrounded numbers and with default properties."""
    with _PRINTING, scratch_folder() as scratch:
        shows_defaults, file = osim.OpenSimObject.getSerializeAllDefaults(), scratch / "model.osim"
        osim.OpenSimObject.setSerializeAllDefaults(True)
        try:
            with quiet():
                try:
                    model.printToXML(str(file))
                except OPENSIM_ERRORS:  # some old models cannot be printed before initialisation
                    initialised = osim.Model(model)
                    initialised.initSystem()
                    initialised.printToXML(str(file))
            return _USELESS_STRENGTH.sub(r"\1", file.read_text(encoding="utf-8", errors="surrogateescape"))
        except OPENSIM_ERRORS:
            raise OutputError(tempfile.gettempdir(), "OpenSim cannot print a model there") from None
        finally:
            osim.OpenSimObject.setSerializeAllDefaults(shows_defaults)


def model_of_xml(text: str) -> osim.Model:
    """Return the model from the text of :func:`model_xml`; relative file names stay unresolved."""
    with scratch_folder() as scratch:
        file = scratch / "model.osim"
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        return osim.Model(str(file))


def initialise(model: osim.Model, names_are_known: bool = False) -> osim.State:
    """Initialise a model, check its names, and return its default state."""
    try:
        with quiet():  # a ControlSetController prints each control
            state = model.initSystem()
    except OPENSIM_ERRORS as error:
        raise ModelError(f"model '{model.getName()}' cannot be initialised: {opensim_reason(error)}") from None
    for name in () if names_are_known else (model.getName(), *(place.getName() for place in walk(model))):
        if not is_text(name):  # OpenSim's Python raises an error for such names
            shown = name.encode(errors="surrogateescape").decode(errors="backslashreplace")
            raise ModelError(
                f"model '{model.getName()}': the name '{shown}' is not UTF-8; save the model file as UTF-8"
            )
    return state


def model_without_idle_forces(
    model: osim.Model, state: osim.State, kept: Collection[str]
) -> tuple[osim.Model, osim.State] | None:
    """Return a model copy without inactive forces, and its state; None if an actuator acts or initialisation fails."""
    forces = list(model.getForceSet())
    acts = {force.getName() for force in forces if force.appliesForce(state)}
    if any(force.getName() in acts and osim.Actuator.safeDownCast(force) is not None for force in forces):
        return None
    copy = osim.Model(model)
    for i, force in reversed(list(enumerate(forces))):
        if force.getName() not in acts and force.getName() not in kept:
            copy.updForceSet().remove(i)
    for others in (copy.updControllerSet(), copy.updProbeSet(), copy.updMarkerSet()):
        others.clearAndDestroy()
    try:
        bare = osim.State(initialise(copy, names_are_known=True))
    except ModelError:
        return None
    for force in copy.getForceSet():
        force.setAppliesForce(bare, force.getName() in acts)
    return copy, bare

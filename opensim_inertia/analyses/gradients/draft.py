"""A simulation problem into which parameters put their values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...dynamics.equations.problem import Problem, Signal
from ...dynamics.equations.start import carry_over
from ...model import InertialModel
from ...muscles.masses.table import follow_muscles


class Draft:
    """The draft of a problem, which :meth:`Parameter.apply` changes; the problem given stays as it is.

    Args:
        problem: a problem with a state, whose excitations and forces are given by name.

    Attributes:
        problem: the problem given.
        excitations: numbers or functions of time by actuator.
        forces: generalized forces [N m or N], numbers or functions of time by coordinate.
        y: the state (ny,) at the start, before its projection on the constraints.
        proximal_shares: of what is not belly, the share at the origin, for muscles in which it changes.
        aponeuroses: lengths of aponeuroses [m], for muscles in which they change.
        keeps_geometry: whether paths and wrap objects are those of the problem's model, so that they need not be looked
            at again; set it to False where they may change.
    """

    def __init__(self, problem: Problem) -> None:
        state = problem.first_state
        assert state is not None
        self.problem, self._state = problem, state
        self.excitations: dict[str, Signal] = dict(problem.excitations or {})  # type: ignore[arg-type]
        self.forces: dict[str, Signal] = dict(problem.forces or {})  # type: ignore[arg-type]
        self.y = self._state.getY().to_numpy().copy()
        self.proximal_shares: dict[str, float] = {}
        self.aponeuroses: dict[str, float] = {}
        self.keeps_geometry = True
        self._masses: pd.DataFrame | None = None
        self._model: osim.Model | None = None

    @property
    def masses(self) -> pd.DataFrame:
        """The mass table, a copy to be changed."""
        if self._masses is None:
            self._masses = self.problem.inertial.masses
        return self._masses

    @property
    def model(self) -> osim.Model:
        """The model as its user gave it; a copy to be changed."""
        if self._model is None:
            self._model = self.problem.inertial.original_model()
        return self._model

    def finished(self) -> Problem:
        """Return the problem with all changes; ``y`` is not part of it.

        Raises:
            ModelError: a change makes other state variables.
        """
        drives: dict[str, Any] = {"excitations": self.excitations or None, "forces": self.forces or None}
        inertial = self._inertial()
        if inertial is self.problem.inertial:
            return replace(self.problem, **drives)
        state = inertial.initial_state()
        if state.getNY() != self._state.getNY():
            raise ModelError("a property that is varied changes the number of the model's state variables")
        carry_over(self.problem.inertial.model, self._state, inertial.model, state)
        return replace(self.problem, inertial=inertial, state=state, **drives)

    def _inertial(self) -> InertialModel:
        """Return the model with all changes; itself if there are none."""
        inertial = self.problem.inertial
        changes: dict[str, Any] = {
            "masses": self._masses,
            "proximal_shares": self.proximal_shares or None,
            "aponeuroses": self.aponeuroses or None,
            "model": self._model,
        }
        changes = {what: change for what, change in changes.items() if change is not None}
        if not changes:
            return inertial
        if not inertial.has_explicit_points:  # the table knows the donor segments
            table = changes.setdefault("masses", inertial.mass_table)
            if "model" in changes:
                changes["masses"] = follow_muscles(table, inertial.model)
        if self.keeps_geometry:
            changes["plan"] = inertial.wraps
        return inertial.rebuilt(**changes)

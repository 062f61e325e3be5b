"""OpenSim's ``getLength`` at states, for muscles with smooth paths that are somewhere far from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading import PATH_LISTS, CoordinateTable, ModelSystem, MusclePath, model_muscles
from .current_cable import current_path

#: A length may be this far [m] from what ``getLength`` tells. In legs the path that OpenSim shows is up to 6 mm off,
#: where OpenSim leaves the ground places of wrap points as they were in its first pass.
FAR = 1e-2

#: Muscles are asked for at each state where the survey shows a length that is this far off [m]. Between its poses the
#: lengths of shoulders are up to five times as far.
SUSPECT = 2e-3

#: ``getLength`` is stale if it is more than this [m] off the path that OpenSim shows.
STALE = 5e-3

#: What is in doubt about a path that is far from OpenSim's length at a state.
FAR_FROM_OPENSIM = f"its length is more than {1e3 * FAR:.0f} mm off OpenSim's getLength"
FAR_FROM_STALE = (
    f"{FAR_FROM_OPENSIM}, which is itself in doubt, more than {1e3 * STALE:.0f} mm off the path that OpenSim shows"
)


class ReportedLengths:
    """OpenSim's lengths at one state.

    Args:
        source: gives them.
        q: coordinate values (nu,).
        lengths: [m] by muscle.

    Attributes:
        lengths: as given.
    """

    def __init__(self, source: LengthSource, q: Array, lengths: Mapping[str, float]) -> None:
        self.lengths = lengths
        self._source, self._q = source, q
        self._remarks: dict[str, str] = {}

    def remark(self, muscle: str) -> str:
        """Return doubts about a muscle with a smooth path far from OpenSim's length."""
        if muscle not in self._remarks:
            is_stale = abs(self._source.shown(muscle, self._q) - self.lengths[muscle]) > STALE
            self._remarks[muscle] = FAR_FROM_STALE if is_stale else FAR_FROM_OPENSIM
        return self._remarks[muscle]


class LengthSource:
    """Asks OpenSim for the lengths of muscles.

    Args:
        model: an initialised model, kept alive by this object.
        coordinates: its coordinates.
        muscles: paths of the muscles.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath]) -> None:
        of_model = model_muscles(model)
        self._paths = {path.muscle: current_path(model, path, of_model) for path in muscles}
        self._model, self._coordinates = model, coordinates
        self._state = ModelSystem(model).new_state()  # given other poses while PATH_LISTS is held

    def at(self, state: osim.State, q: Array) -> ReportedLengths:
        """Return ``getLength`` at a state realized to position, with coordinate values q (nu,)."""
        with PATH_LISTS:
            lengths = {name: path.reported_length(state) for name, path in self._paths.items()}
        return ReportedLengths(self, q, lengths)

    def shown(self, muscle: str, q: Array) -> float:
        """Return the length [m] of the path that OpenSim shows of a muscle at coordinate values q (nu,)."""
        with PATH_LISTS:
            self._coordinates.set_values(self._state, q)
            self._model.realizePosition(self._state)
            return self._paths[muscle].length(self._state)

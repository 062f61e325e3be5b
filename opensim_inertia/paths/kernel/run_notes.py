"""The notes of a run about muscles at the states that it evaluated, separate from those of all other runs.

A simulation, inverse dynamics and every other analysis has one :class:`RunNotes` of its own, which all evaluations of
that analysis fill. Its result keeps what was noted until then as plain text, so that no later call changes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import warn
from ..._core.errors import Option, listed
from ..._core.warnings import LostPathWarning, PolynomialPathWarning, ShortBellyWarning
from ...muscles.material import HOLD_WIDTH, SHORTEST_FIBRE
from ..wrapping import PolynomialPath
from ..wrapping.reported_lengths import FAR_FROM_OPENSIM
from .once import WarnOnce

__all__ = [
    "ExtrapolationMonitor",
    "MuscleNotes",
    "RunNotes",
]

#: What may be in doubt about a path at a state, by the kernel's word.
DOUBTS = {
    "divided": "two ways past a wrap object are of about one length, or there is hardly one, and its mass is divided "
    "between them and the straight line",
    "fast": "its mass moves more than twice as fast with a coordinate as all that carries its path, and its belly does "
    "not fit on the straight line through its path points",
    "inside": "an end of its path lies inside a wrap object, where OpenSim goes straight through; it is more than "
    "10 mm longer there",
    "far": FAR_FROM_OPENSIM,
    "straight": "its mass would move more than twice as fast with a coordinate as all that carries its path, and lies "
    "straight from path point to path point",
}

#: Times that are listed of each muscle.
MOST_TIMES = 5
#: A range is left by more than this share of it.
BEYOND = 1e-3


@dataclass(frozen=True, order=True)
class Extrapolation:
    """A fitted path that is used outside the range for which it was fitted.

    Attributes:
        muscle, coordinate: names.
        low, high: the range of the coordinate [rad or m].
        value: the value [rad or m] that lies furthest outside.
    """

    muscle: str
    coordinate: str
    low: float
    high: float
    value: float


@dataclass(frozen=True)
class MuscleNotes:
    """Notes about muscles; they can be pickled.

    All is in the order of the model, and does not depend on the order in which states were evaluated.

    Attributes:
        clamped: muscles whose fibres were held at their shortest length.
        fallbacks: the times [s], ascending, of the states at which a muscle had no smooth path, so that OpenSim's own
            path was taken, by muscle.
        extrapolations: fitted paths that were used outside the ranges for which they were fitted.
        doubts: the times [s], ascending, of the states at which a muscle's path is in doubt, by muscle and by what is.
            States without a time are left out.
    """

    clamped: tuple[str, ...] = ()
    fallbacks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    extrapolations: tuple[Extrapolation, ...] = ()
    doubts: Mapping[tuple[str, str], tuple[float, ...]] = field(default_factory=dict)

    @property
    def sentences(self) -> list[str]:
        """One sentence about all clamped muscles, and one about each other thing noted."""
        clamped = [str(_short_belly(self.clamped))] if self.clamped else []
        return clamped + self.path_sentences

    @property
    def path_sentences(self) -> list[str]:
        """The sentences about paths alone."""
        fallbacks = [_about_fallback(muscle, times) for muscle, times in self.fallbacks.items()]
        fallbacks += [_about_doubt(muscle, doubt, times) for (muscle, doubt), times in self.doubts.items()]
        return fallbacks + [_about_extrapolation([extrapolation]) for extrapolation in self.extrapolations]


class ExtrapolationMonitor:
    """Finds coordinate values outside the ranges for which paths were fitted.

    Args:
        polynomial_paths: fitted paths by muscle.
        coordinates: names along the axis of coordinates.

    Attributes:
        ranges: the range [rad or m] of each coordinate, by muscle and coordinate.
    """

    def __init__(self, polynomial_paths: Mapping[str, PolynomialPath], coordinates: Sequence[str]) -> None:
        self._names = tuple(coordinates)
        self.ranges = {muscle: path.ranges for muscle, path in polynomial_paths.items() if path.ranges}
        low, high = np.full(len(self._names), -np.inf), np.full(len(self._names), np.inf)
        for ranges in self.ranges.values():
            for name, (first, last) in ranges.items():
                i = self._names.index(name)
                low[i], high[i] = max(low[i], first), min(high[i], last)
        beyond = np.where(np.isfinite(high - low), BEYOND * np.abs(high - low), 0.0)
        self._low, self._high = low - beyond, high + beyond

    def outside(self, q: Array) -> list[Extrapolation]:
        """Return the coordinate values that lie outside; of ``q`` [rad or m] the first nu values count."""
        q = q[: len(self._names)]
        is_outside = (q < self._low) | (q > self._high)
        return [
            extrapolation
            for i in np.flatnonzero(is_outside).tolist()
            for muscle, ranges in self.ranges.items()
            if (bounds := ranges.get(self._names[i])) is not None
            and _beyond(extrapolation := Extrapolation(muscle, self._names[i], *bounds, float(q[i])))
        ]


class RunNotes:
    """Collects what one run notes of muscles, and warns of each thing once. Several threads may use it at a time.

    Args:
        muscles: names of all muscles with mass, by number.
        monitor: of the paths that were fitted; None: there are none.
    """

    def __init__(self, muscles: Sequence[str], monitor: ExtrapolationMonitor | None = None) -> None:
        self._muscles = tuple(muscles)
        self._monitor = ExtrapolationMonitor({}, ()) if monitor is None else monitor
        self._reference = MuscleNotes()
        self._is_kept, self._is_run, self._lock = True, False, Lock()
        self._begin(_Warnings(self._muscles))

    def _begin(self, warnings: _Warnings, clamped: Iterable[str] = ()) -> None:
        self._warnings = warnings
        self._clamped = set(clamped)
        self._fallbacks: dict[str, set[float]] = {}
        self._doubts: dict[tuple[str, str], set[float]] = {}
        self._extrapolations: dict[tuple[str, str], Extrapolation] = {}

    # -- collectors that belong together ---------------------------------------------------------------------------

    def freeze(self) -> MuscleNotes:
        """Return the notes of the model's construction, at its reference pose, and ignore all later ones.

        Of this, runs of the model (:meth:`for_run`) begin with the muscles whose fibres were held.
        """
        with self._lock:
            self._reference = self._recorded()
            self._is_kept = False
        return self._reference

    def for_run(self) -> RunNotes:
        """Return the notes of a new run of the same model. It warns anew of all but what the model was warned of."""
        clamped = self._reference.clamped
        return self._like(_Warnings(self._muscles, clamped, self._warnings), clamped)

    def again(self) -> RunNotes:
        """Return the notes of another run of the same analysis, which warns of nothing twice."""
        return self._like(self._warnings, self._reference.clamped)

    def for_call(self) -> RunNotes:
        """Return the notes of a single call, which begin empty and warn of nothing that this one has warned of."""
        return self._like(self._warnings, ())

    def _like(self, warnings: _Warnings, clamped: Iterable[str]) -> RunNotes:
        copy = object.__new__(RunNotes)  # quicker: a call needs no warnings of its own
        copy._muscles, copy._monitor, copy._reference = self._muscles, self._monitor, self._reference
        copy._is_kept, copy._is_run, copy._lock = True, True, Lock()
        copy._begin(warnings, clamped)
        return copy

    # -- noting ----------------------------------------------------------------------------------------------------

    def add_clamped(self, muscles: Iterable[int]) -> None:
        """Note muscles, by number, whose fibres were held in a call."""
        names = {self._muscles[i] for i in muscles}
        if names:
            with self._lock:
                if self._is_kept:
                    self._clamped |= names
            self._warnings.clamped.note(names)

    def add_fallback(self, muscle: str, time: float) -> None:
        """Note that OpenSim's path was taken for a muscle at a state of this time [s]."""
        with self._lock:
            if self._is_kept:
                self._fallbacks.setdefault(muscle, set()).add(time)
        self._warnings.fallbacks(muscle, time)

    def add_doubt(self, muscle: str, doubt: str, time: float) -> None:
        """Note what is in doubt about a muscle's path at a state of this time [s], NaN if it has none.

        While a model is made nobody is warned of it: no answer depends on it yet but the frozen mass, at one pose.
        """
        with self._lock:
            if self._is_kept:
                self._doubts.setdefault((muscle, doubt), set()).update([] if math.isnan(time) else [time])
        if self._is_run:
            self._warnings.doubts(muscle, doubt, time)

    def add_pose(self, q: Array) -> None:
        """Note which coordinate values (nu,) [rad or m] lie outside the ranges of fitted paths."""
        if self._monitor.ranges and (outside := self._monitor.outside(q)):
            with self._lock:
                if self._is_kept:
                    for extrapolation in outside:
                        self._extend(extrapolation)
            self._warnings.extrapolations(outside)

    def add(self, notes: MuscleNotes) -> None:
        """Add the notes that another process took for this run."""
        self.add_clamped(self._muscles.index(name) for name in notes.clamped)
        for muscle, times in notes.fallbacks.items():
            for time in times:
                self.add_fallback(muscle, time)
        for (muscle, doubt), times in notes.doubts.items():
            for time in times or (math.nan,):
                self.add_doubt(muscle, doubt, time)
        with self._lock:
            for extrapolation in notes.extrapolations:
                self._extend(extrapolation)
        self._warnings.extrapolations(notes.extrapolations)

    def _extend(self, extrapolation: Extrapolation) -> None:
        key = extrapolation.muscle, extrapolation.coordinate
        self._extrapolations[key] = max(
            self._extrapolations.get(key, extrapolation), extrapolation, key=lambda x: (_beyond(x), x.value)
        )

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Wait with warnings until the end of a block, and name all muscles in one of each kind."""
        with self._warnings.clamped.gathered(), self._warnings.lost.gathered(), self._warnings.doubtful.gathered():
            yield

    # -- what was noted --------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been noted."""
        return not (self._clamped or self._fallbacks or self._extrapolations or self._doubts)

    @property
    def noted(self) -> MuscleNotes:
        """What has been noted until now; where the model was frozen, the muscles whose fibres were held before."""
        with self._lock:
            return self._recorded()

    def _recorded(self) -> MuscleNotes:
        if not self._is_kept:
            return MuscleNotes(self._reference.clamped)
        return MuscleNotes(
            tuple(name for name in self._muscles if name in self._clamped),
            {name: tuple(sorted(self._fallbacks[name])) for name in self._muscles if name in self._fallbacks},
            tuple(sorted(self._extrapolations.values(), key=lambda x: (self._muscles.index(x.muscle), x))),
            {
                key: tuple(sorted(self._doubts[key]))
                for key in sorted(self._doubts, key=lambda key: (self._muscles.index(key[0]), key[1]))
            },
        )


class _Warnings:
    """The warnings of a run, each of which is given once.

    Args:
        muscles: names of all muscles with mass.
        known: muscles whose fibres are known to be held.
        model: the warnings of the model, which are not given again of what the run has warned of.
    """

    def __init__(self, muscles: Sequence[str], known: Iterable[str] = (), model: _Warnings | None = None) -> None:
        self._muscles = tuple(muscles)
        self._first: dict[str, float] = {}
        self._outside: set[tuple[str, str]] = set()
        self._lock = Lock()
        self._model = model
        self.clamped = WarnOnce[str](self._about_clamped, known)
        self.lost = WarnOnce[str](self._about_lost)
        self.doubtful = WarnOnce[tuple[str, str]](self._about_doubtful)

    def fallbacks(self, muscle: str, time: float) -> None:
        """Warn of a muscle for which OpenSim's path is taken at a time [s]."""
        with self._lock:
            self._first.setdefault(muscle, time)
        self.lost.note([muscle])

    def doubts(self, muscle: str, doubt: str, time: float) -> None:
        """Warn of what is in doubt about a muscle's path at a time [s]."""
        with self._lock:
            self._first.setdefault(f"{muscle}: {doubt}", time)
        self.doubtful.note([(muscle, doubt)])

    def extrapolations(self, outside: Iterable[Extrapolation]) -> None:
        """Warn of each coordinate outside ranges of fitted paths, once for all muscles concerned."""
        by_coordinate: dict[str, list[Extrapolation]] = {}
        with self._lock:
            for extrapolation in outside:
                if (extrapolation.muscle, extrapolation.coordinate) not in self._outside:
                    self._outside.add((extrapolation.muscle, extrapolation.coordinate))
                    by_coordinate.setdefault(extrapolation.coordinate, []).append(extrapolation)
        for group in by_coordinate.values():
            self._tell_model(group)
            warn(PolynomialPathWarning(_about_extrapolation(group)))

    def _tell_model(self, group: Iterable[Extrapolation]) -> None:
        if self._model is not None:
            with self._model._lock:
                self._model._outside |= {(extrapolation.muscle, extrapolation.coordinate) for extrapolation in group}

    def _about_clamped(self, muscles: Sequence[str]) -> ShortBellyWarning:
        if self._model is not None:
            self._model.clamped.leave_out(muscles)
        return _short_belly([name for name in self._muscles if name in muscles])

    def _about_lost(self, muscles: Sequence[str]) -> LostPathWarning:
        if self._model is not None:
            self._model.lost.leave_out(muscles)
        single = len(muscles) == 1
        first = min(self._first.get(name, math.nan) for name in muscles)
        return LostPathWarning(
            f"{'muscle' if single else f'{len(muscles)} muscles'} {listed(muscles)}: no smooth path over "
            f"{'its' if single else 'their'} wrap objects was found at time {first:.6g} s"
            f"{'' if single else ' or later'}; OpenSim's own path is used there. Results count these states"
        )

    def _about_doubtful(self, doubts: Sequence[tuple[str, str]]) -> LostPathWarning:
        if self._model is not None:
            self._model.doubtful.leave_out(doubts)
        muscles = list(dict.fromkeys(muscle for muscle, _ in doubts))
        first = min(self._first.get(f"{muscle}: {doubt}", math.nan) for muscle, doubt in doubts)
        when = "" if math.isnan(first) else f" (first at time {first:.6g} s)"
        if len(muscles) == 1:
            text = f"muscle {listed(muscles)}: {doubts[0][1]}{when}. Notes of results count these states"
        else:
            text = (
                f"{len(muscles)} muscles ({listed(muscles)}): their paths are in doubt at single states{when}. "
                "Notes of results say why and when"
            )
        return LostPathWarning(text)


def _short_belly(muscles: Sequence[str]) -> ShortBellyWarning:
    """Return the warning of muscles whose fibres are held."""
    single = len(muscles) == 1
    subject = f"muscle {listed(muscles)}" if single else f"{len(muscles)} muscles ({listed(muscles)})"
    return ShortBellyWarning(
        f"{subject}: {'its' if single else 'their'} fibres between rigid tendons became shorter than "
        f"{100 * (SHORTEST_FIBRE + HOLD_WIDTH):.0f} % of their optimal length; they are held there. "
        f"Check {'its tendon slack length' if single else 'their tendon slack lengths'}, or use ",
        Option("strain", "uniform"),
    )


def _about_fallback(muscle: str, times: Sequence[float]) -> str:
    """Return a sentence about the states at which OpenSim's path was taken for a muscle."""
    text = ", ".join(f"{time:.6g}" for time in times[:MOST_TIMES]) + (", ..." if len(times) > MOST_TIMES else "")
    states = "state" if len(times) == 1 else "states"
    return (
        f"muscle '{muscle}': no smooth path over its wrap objects was found at {len(times)} {states} (time {text} s); "
        "OpenSim's own path was used for it there"
    )


def _about_doubt(muscle: str, doubt: str, times: Sequence[float]) -> str:
    """Return a sentence about the states at which a muscle's path is in doubt."""
    text = ", ".join(f"{time:.6g}" for time in times[:MOST_TIMES]) + (", ..." if len(times) > MOST_TIMES else "")
    states = f"{len(times)} state{'' if len(times) == 1 else 's'} (time {text} s)" if times else "some states"
    return f"muscle '{muscle}': {doubt}, at {states}"


def _beyond(extrapolation: Extrapolation) -> float:
    """Return how far a value lies outside its range; 0 if it does not, or hardly."""
    excess = max(extrapolation.low - extrapolation.value, extrapolation.value - extrapolation.high)
    return excess if excess > BEYOND * (extrapolation.high - extrapolation.low) else 0.0


def _about_extrapolation(group: Sequence[Extrapolation]) -> str:
    """Return a sentence about muscles whose paths were fitted for one coordinate, at one value outside their ranges."""
    low, high = max(extrapolation.low for extrapolation in group), min(extrapolation.high for extrapolation in group)
    names = ", ".join(f"'{extrapolation.muscle}'" for extrapolation in group)
    subject = f"muscles {names}: their paths were" if len(group) > 1 else f"muscle {names}: its path was"
    return (
        f"{subject} fitted for coordinate '{group[0].coordinate}' from {low:.4g} to {high:.4g}, and is used at "
        f"{group[0].value:.4g}; a polynomial may be anywhere there"
    )

"""The notes of a run about muscles at the states that it evaluated, separate from those of all other runs.

A simulation, inverse dynamics and every other analysis has one :class:`RunNotes` of its own, which all evaluations of
that analysis fill. Its result keeps what was noted until then as plain text, so that no later call changes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from threading import Lock

from ..._core.checks import warn
from ..._core.errors import Option, listed
from ..._core.warnings import LostPathWarning, ShortBellyWarning
from ...muscles.material.strain import HOLD_WIDTH, SHORTEST_FIBRE
from ..wrapping.current_path import FAR

#: Fibres that are held, and smooth paths that are lost, among what is noted of muscles.
HELD, LOST = "held", "lost"

#: What may be in doubt about a path at a state, by the kernel's word.
DOUBTS = {
    "divided": "two ways past a wrap object are of about one length, or there is hardly one, and its mass is divided "
    "between them and the straight line",
    "fast": "its mass moves more than twice as fast with a coordinate as all that carries its path, and its belly does "
    "not fit on the straight line through its path points",
    "inside": "an end of its path lies inside a wrap object, where OpenSim goes straight through; it is more than "
    "10 mm longer there",
    "far": f"its length is more than {1e3 * FAR:.0f} mm off OpenSim's getLength",
    "straight": "its mass would move more than twice as fast with a coordinate as all that carries its path, and lies "
    "straight from path point to path point",
}

#: Times that are listed of each muscle.
MOST_TIMES = 5


@dataclass(frozen=True)
class MuscleNotes:
    """Notes about muscles; they can be pickled.

    All is in the order of the model, and does not depend on the order in which states were evaluated.

    Attributes:
        clamped: muscles whose fibres were held at their shortest length.
        fallbacks: the times [s], ascending, of the states at which a muscle had no smooth path, so that OpenSim's own
            path was taken, by muscle.
        doubts: the times [s], ascending, of the states at which a muscle's path is in doubt, by muscle and by what is.
            States without a time are left out.
    """

    clamped: tuple[str, ...] = ()
    fallbacks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
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
        return fallbacks + [
            f"muscle '{muscle}': {doubt}, at {_states(times)}" for (muscle, doubt), times in self.doubts.items()
        ]


class RunNotes:
    """Collects what one run notes of muscles, and warns of each thing once. Several threads may use it at a time.

    Args:
        muscles: names of all muscles with mass, by number.
        model: notes of the model at its reference pose; None: they are collected now.
        warnings: those that other runs of the same analysis have given; None: none.
        clamped: muscles whose fibres are known to be held.
    """

    def __init__(
        self,
        muscles: Sequence[str],
        model: MuscleNotes | None = None,
        warnings: _Warnings | None = None,
        clamped: Iterable[str] = (),
    ) -> None:
        self._muscles, self._is_run, self._is_kept = tuple(muscles), model is not None, True
        self._reference = MuscleNotes() if model is None else model
        self._warnings, self._lock = _Warnings(self._muscles) if warnings is None else warnings, Lock()
        self._seen: dict[tuple[str, str], set[float]] = {(name, HELD): set() for name in clamped}

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
        """Return the notes of a new run of the same model. It warns again of all but what the model was warned of."""
        held = self._reference.clamped
        return RunNotes(self._muscles, self._reference, _Warnings(self._muscles, held, self._warnings), held)

    def again(self) -> RunNotes:
        """Return the notes of another run of the same analysis, which warns of nothing twice."""
        return RunNotes(self._muscles, self._reference, self._warnings, self._reference.clamped)

    def for_call(self) -> RunNotes:
        """Return the notes of a single call, which begin empty and warn of nothing that this one has warned of."""
        return RunNotes(self._muscles, self._reference, self._warnings)

    # -- noting ----------------------------------------------------------------------------------------------------

    def add_clamped(self, muscles: Iterable[int]) -> None:
        """Note muscles, by number, whose fibres were held in a call."""
        self._add([(self._muscles[i], HELD) for i in muscles])

    def add_fallback(self, muscle: str, time: float) -> None:
        """Note that OpenSim's path was taken for a muscle at a state of this time [s]."""
        self._add([(muscle, LOST)], time)

    def add_doubt(self, muscle: str, doubt: str, time: float) -> None:
        """Note what is in doubt about a muscle's path at a state of this time [s], NaN if it has none.

        While a model is made nobody is warned of it: no answer depends on it yet but the frozen mass, at one pose.
        """
        self._add([(muscle, doubt)], time, self._is_run)

    def _add(self, things: list[tuple[str, str]], time: float = math.nan, warns: bool = True) -> None:
        if not things:
            return
        with self._lock:
            for thing in things if self._is_kept else ():
                self._seen.setdefault(thing, set()).update([] if math.isnan(time) else [time])
        if warns:
            self._warnings.note(things, time)

    def add(self, notes: MuscleNotes) -> None:
        """Add the notes that another process took for this run."""
        self._add([(name, HELD) for name in notes.clamped])
        lost = {(muscle, LOST): times for muscle, times in notes.fallbacks.items()}
        for thing, times in (lost | dict(notes.doubts)).items():
            for time in times or (math.nan,):
                self._add([thing], time)

    def gathered(self) -> AbstractContextManager[None]:
        """Wait with warnings until the end of a block, and name all muscles in one of each kind."""
        return self._warnings.gathered()

    # -- what was noted --------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been noted."""
        return not self._seen

    @property
    def noted(self) -> MuscleNotes:
        """All notes until now; after freezing the model, only the muscles with fibres held before."""
        with self._lock:
            return self._recorded()

    def _recorded(self) -> MuscleNotes:
        if not self._is_kept:
            return MuscleNotes(self._reference.clamped)
        ordered = sorted(self._seen, key=lambda thing: (self._muscles.index(thing[0]), thing[1]))
        return MuscleNotes(
            tuple(name for name, kind in ordered if kind == HELD),
            {name: tuple(sorted(self._seen[name, kind])) for name, kind in ordered if kind == LOST},
            {thing: tuple(sorted(self._seen[thing])) for thing in ordered if thing[1] not in (HELD, LOST)},
        )


class _Warnings:
    """Warns once of each thing, at the end of blocks in one line; not of ``known`` ones, nor again for the model."""

    def __init__(self, muscles: Sequence[str], known: Iterable[str] = (), model: _Warnings | None = None) -> None:
        self._muscles, self._model = tuple(muscles), model
        self._warned = {(name, HELD) for name in known}
        self._waiting: dict[tuple[str, str], float] = {}
        self._blocks, self._lock = 0, Lock()

    def note(self, things: Iterable[tuple[str, str]], time: float) -> None:
        """Note muscles, each with what is to be said of it at a time [s]."""
        with self._lock:
            for thing in things:
                if thing not in self._warned:
                    self._waiting.setdefault(thing, time)
            new = self._due()
        self._warn(new)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Wait with warnings until the end of a block."""
        with self._lock:
            self._blocks += 1
        try:
            yield
        finally:
            with self._lock:
                self._blocks -= 1
                new = self._due()
            self._warn(new)

    def _due(self) -> dict[tuple[str, str], float]:
        if self._blocks:
            return {}
        new, self._waiting = self._waiting, {}
        self._warned |= new.keys()
        return new

    def _warn(self, new: Mapping[tuple[str, str], float]) -> None:
        if self._model is not None:
            with self._model._lock:
                self._model._warned |= new.keys()
        held = {name for name, kind in new if kind == HELD}
        if held:
            warn(_short_belly([name for name in self._muscles if name in held]))
        lost = {name: time for (name, kind), time in new.items() if kind == LOST}
        if lost:
            warn(_lost_paths(lost))
        doubts = {thing: time for thing, time in new.items() if thing[1] not in (HELD, LOST)}
        if doubts:
            warn(_doubtful_paths(doubts))


def _lost_paths(first: Mapping[str, float]) -> LostPathWarning:
    """Return the warning of muscles without smooth paths, by the first time [s] of each."""
    single, muscles = len(first) == 1, list(first)
    return LostPathWarning(
        f"{'muscle' if single else f'{len(muscles)} muscles'} {listed(muscles)}: no smooth path over "
        f"{'its' if single else 'their'} wrap objects was found at time {min(first.values()):.6g} s"
        f"{'' if single else ' or later'}; OpenSim's own path is used there. Results count these states"
    )


def _doubtful_paths(first: Mapping[tuple[str, str], float]) -> LostPathWarning:
    """Return the warning of muscles and what is in doubt of each, by the first time [s]."""
    muscles, time = list(dict.fromkeys(muscle for muscle, _ in first)), min(first.values())
    when = "" if math.isnan(time) else f" (first at time {time:.6g} s)"
    if len(muscles) == 1:
        _, doubt = next(iter(first))
        return LostPathWarning(f"muscle {listed(muscles)}: {doubt}{when}. Notes of results count these states")
    return LostPathWarning(
        f"{len(muscles)} muscles ({listed(muscles)}): their paths are in doubt at single states{when}. "
        "Notes of results say why and when"
    )


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
    return (
        f"muscle '{muscle}': no smooth path over its wrap objects was found at {_states(times)}; "
        "OpenSim's own path was used for it there"
    )


def _states(times: Sequence[float]) -> str:
    """Return the number of states, and the first times [s]."""
    text = ", ".join(f"{time:.6g}" for time in times[:MOST_TIMES]) + (", ..." if len(times) > MOST_TIMES else "")
    return f"{len(times)} state{'' if len(times) == 1 else 's'} (time {text} s)" if times else "some states"

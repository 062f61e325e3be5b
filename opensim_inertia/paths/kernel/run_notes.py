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

from ..._core.errors import Option, listed
from ..._core.warnings import LostPathWarning, ShortBellyWarning
from ...muscles.material import HOLD_WIDTH, SHORTEST_FIBRE
from ..wrapping import FAR
from .once import WarnOnce

__all__ = [
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
    "far": f"its length is more than {1e3 * FAR:.0f} mm off OpenSim's getLength, which may be stale over several wraps",
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
        return fallbacks + [_about_doubt(muscle, doubt, times) for (muscle, doubt), times in self.doubts.items()]


class RunNotes:
    """Collects what one run notes of muscles, and warns of each thing once. Several threads may use it at a time.

    Args:
        muscles: names of all muscles with mass, by number.
    """

    def __init__(self, muscles: Sequence[str]) -> None:
        self._muscles = tuple(muscles)
        self._reference = MuscleNotes()
        self._is_kept, self._is_run, self._lock = True, False, Lock()
        self._begin(_Warnings(self._muscles))

    def _begin(self, warnings: _Warnings, clamped: Iterable[str] = ()) -> None:
        self._warnings = warnings
        self._clamped = set(clamped)
        self._fallbacks: dict[str, set[float]] = {}
        self._doubts: dict[tuple[str, str], set[float]] = {}

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
        copy._muscles, copy._reference = self._muscles, self._reference
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

    def add(self, notes: MuscleNotes) -> None:
        """Add the notes that another process took for this run."""
        self.add_clamped(self._muscles.index(name) for name in notes.clamped)
        for muscle, times in notes.fallbacks.items():
            for time in times:
                self.add_fallback(muscle, time)
        for (muscle, doubt), times in notes.doubts.items():
            for time in times or (math.nan,):
                self.add_doubt(muscle, doubt, time)

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Wait with warnings until the end of a block, and name all muscles in one of each kind."""
        with self._warnings.clamped.gathered(), self._warnings.lost.gathered(), self._warnings.doubtful.gathered():
            yield

    # -- what was noted --------------------------------------------------------------------------------------------

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been noted."""
        return not (self._clamped or self._fallbacks or self._doubts)

    @property
    def noted(self) -> MuscleNotes:
        """All notes until now; after freezing the model, only the muscles with fibres held before."""
        with self._lock:
            return self._recorded()

    def _recorded(self) -> MuscleNotes:
        if not self._is_kept:
            return MuscleNotes(self._reference.clamped)
        return MuscleNotes(
            tuple(name for name in self._muscles if name in self._clamped),
            {name: tuple(sorted(self._fallbacks[name])) for name in self._muscles if name in self._fallbacks},
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

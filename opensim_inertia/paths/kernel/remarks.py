"""Remarks on muscles during an analysis: limited fibre lengths, missing smooth paths, doubtful paths."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import ModelError, Option, listed
from ..._core.warnings import LostPathWarning, ShortBellyWarning
from ...muscles.material import HOLD_WIDTH, SHORTEST_FIBRE
from ..wrapping.current_path import FAR

#: Remarks for limited fibre lengths and for lost smooth paths.
HELD = "held"
LOST = "no smooth path over its wrap objects was found, and OpenSim's own path is used"

#: Remarks for doubtful paths, by the kernel's key.
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

#: A muscle and its remark.
Remark = tuple[str, str]


class MuscleRemarks:
    """Collector of remarks (texts) on muscles, with times [s]; remarks on fibres of limited length have no times.

    Muscles in ``held`` and remarks in ``told``, which collectors may share, cause no warning.
    """

    def __init__(
        self, muscles: Sequence[str], held: Sequence[str] = (), told: dict[Remark, object] | None = None
    ) -> None:
        self._muscles, self._known = tuple(muscles), tuple(held)
        self.times: dict[Remark, set[float]] = {(name, HELD): set() for name in held}
        self._told = dict.fromkeys(self.times) if told is None else told

    def again(self) -> MuscleRemarks:
        """Return a new collector for another run of the analysis; warnings already given are not repeated."""
        return MuscleRemarks(self._muscles, self._known, self._told)

    def update(self, times: Mapping[Remark, Iterable[float]]) -> None:
        """Add remarks (muscle, text), the keys of ``times``, with times [s]; leave out NaN times."""
        for remark, more in times.items():
            self.times.setdefault(remark, set()).update(time for time in more if not math.isnan(time))

    def muscles(self, *remarks: str) -> tuple[str, ...]:
        """Return the muscles that have any of these remarks; without arguments, muscles with doubtful paths."""
        named = {name for name, remark in self.times if (remark in remarks if remarks else remark not in (HELD, LOST))}
        return tuple(name for name in self._muscles if name in named)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """One diagnostic for all limited fibres, and one for each other remark on a muscle."""
        found, held = [], self.muscles(HELD)
        if held:
            tendons = "its tendon slack length" if len(held) == 1 else "their tendon slack lengths"
            text = (
                f"{'its' if len(held) == 1 else 'their'} fibres between rigid tendons became shorter than "
                f"{100 * (SHORTEST_FIBRE + HOLD_WIDTH):.0f} % of their optimal length, and are held there"
            )
            cure = (f"check {tendons}, or use ", Option("strain", "uniform"))
            found.append(Diagnostic("warning", "fibres", _named(held), text, cure, ShortBellyWarning))
        for name, text in sorted(self.times, key=lambda each: (each[1] != LOST, self._muscles.index(each[0]), each[1])):
            if text != HELD:
                times = tuple(sorted(self.times[name, text]))
                found.append(Diagnostic("warning", "paths", f"muscle '{name}'", text, (), LostPathWarning, times))
        return found

    def warn(self, doubts: bool = True) -> None:
        """Warn of new remarks, jointly for all paths; ``doubts``: whether to warn of doubtful (not lost) paths too."""
        token, new = object(), MuscleRemarks(self._muscles)  # the thread that sets the token gives the warning
        for remark, times in self.times.items():
            if (doubts or remark[1] in (HELD, LOST)) and self._told.setdefault(remark, token) is token:
                new.times[remark], self._told[remark] = times, None
        found = new.diagnostics
        paths = [each for each in found if each.check == "paths"]
        if len(paths) > 1:
            muscles = new.muscles(*{remark for _, remark in new.times if remark != HELD})
            first = min((time for each in paths for time in each.times), default=None)
            when = "" if first is None else f" (first at time {first:.6g} s)"
            text = f"their paths are lost or in doubt at single states{when}. Notes of results say why and when"
            found = [each for each in found if each not in paths]
            found.append(Diagnostic("warning", "paths", _named(muscles), text, kind=LostPathWarning))
        raise_or_warn(found, ModelError)


def _named(muscles: Sequence[str]) -> str:
    return f"muscle {listed(muscles)}" if len(muscles) == 1 else f"{len(muscles)} muscles ({listed(muscles)})"

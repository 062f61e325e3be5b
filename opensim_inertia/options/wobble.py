"""How bellies, and masses on segments, swing."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from .._core.errors import OptionError
from .._core.options import Check, Options, above, at_least, option

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Wobble", "WobblingMass", "wobble_of"]

_above_zero, _at_least_zero = above(0.0), at_least(0.0)


def _source_of_tension(text: str) -> float | Path:
    try:
        return float(text)
    except ValueError:
        return Path(text)


def _range(check: Check) -> Check:
    """Return a check of two numbers, the smaller first."""

    def check_range(name: str, value: Any) -> tuple[float, ...]:
        pair = tuple(float(check(name, x)) for x in value) if isinstance(value, list | tuple) else ()
        if len(pair) != 2 or pair[0] > pair[1]:
            raise OptionError(name, value, "two numbers, the smaller first")
        return pair

    return check_range


def _check_tension(name: str, value: Any) -> Any:
    """Return a table, or a number that is at least zero; raise :class:`OptionError` for a smaller one."""
    return float(_at_least_zero(name, value)) if isinstance(value, Real) else value


def _check_start(name: str, value: Any) -> dict[str, np.ndarray] | None:
    """Return displacements and their rates (2, 3) by what swings; raise :class:`OptionError` for what is none."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise OptionError(name, value, "a dict of displacements by what swings")
    import numpy as np  # which takes time, and which the command line's help does not need

    start = {}
    for what, given in value.items():
        try:
            vectors = np.array(given, dtype=float)
        except (TypeError, ValueError):
            vectors = np.full(3, np.nan)
        if vectors.shape not in ((3,), (2, 3)) or not np.isfinite(vectors).all():
            raise OptionError(f"{name} of '{what}'", given, "three numbers of metres, or two rows with rates in m/s")
        start[str(what)] = np.stack([vectors, np.zeros(3)]) if vectors.ndim == 1 else vectors
    return start


@dataclass(frozen=True)
class WobblingMass:
    """Mass of a segment that swings on a spring: fat, skin, viscera, or all that is soft.

    It is part of the segment as published, whose mass, centre and inertia stay what they are while it rests.

    Attributes:
        body: name of the segment.
        mass: [kg].
        centre: where it rests in the segment's frame, (3,) [m].
        stiffness: of the spring, the same in all directions [N/m].
        damping: of the damper [N s/m].
        name: what it is called; empty: as its segment.
    """

    body: str
    mass: float
    centre: tuple[float, float, float]
    stiffness: float
    damping: float
    name: str = ""

    def __post_init__(self) -> None:
        _above_zero(f"mass of the wobbling mass on '{self.body}'", self.mass)
        _above_zero(f"stiffness of the wobbling mass on '{self.body}'", self.stiffness)
        _at_least_zero(f"damping of the wobbling mass on '{self.body}'", self.damping)
        centre = tuple(self.centre)
        if len(centre) != 3 or not all(isinstance(x, Real) and math.isfinite(float(x)) for x in centre):
            raise OptionError(f"centre of the wobbling mass on '{self.body}'", self.centre, "three numbers of metres")
        object.__setattr__(self, "centre", tuple(float(x) for x in centre))


def _check_masses(name: str, value: Any) -> tuple[WobblingMass, ...]:
    masses = (value,) if isinstance(value, WobblingMass) else tuple(value)
    for mass in masses:
        if not isinstance(mass, WobblingMass):
            raise OptionError(name, mass, "WobblingMass objects")
    return masses


@dataclass(frozen=True)
class Wobble(Options):
    """How muscles' bellies swing across their paths, and what else of segments swings.

    Where an analysis takes one, True stands for one with the default options.
    """

    prefix: ClassVar[str] = "wobble_"
    frequency: float = option(
        15.0,
        "frequency of a belly without tension, unless the mass table has it",
        unit="Hz",
        check=_above_zero,
        metavar="Hz",
    )
    damping: float = option(
        0.2,
        "damping of bellies as a share of the critical one, unless the mass table has it",
        check=_at_least_zero,
        metavar="SHARE",
    )
    tension: str | os.PathLike[str] | float | Any = option(
        None,
        "muscles' forces that stiffen bellies: a table (.sto) over the motion's times, or one number; none: the "
        "muscle's current force in simulations, zero in inverse dynamics",
        unit="N",
        check=_check_tension,
        parse=_source_of_tension,
        metavar="FILE",
        is_file=True,
        only="command",
    )
    frequency_factor: tuple[float, float] = option(
        (2 / 3, 5 / 3),
        "frequencies that the band covers, lowest and highest, as shares of each belly's own",
        check=_range(_above_zero),
        only="python",
    )
    damping_factor: tuple[float, float] = option(
        (0.5, 2.0),
        "dampings that the band covers, lowest and highest, as shares of each belly's own",
        check=_range(_at_least_zero),
        only="python",
    )
    bellies: bool = option(True, "muscles' bellies swing, beside the masses on segments", only="python")
    masses: tuple[WobblingMass, ...] = option(
        (), "masses of segments that swing on springs", check=_check_masses, only="python"
    )
    start: Mapping[str, Any] | None = option(
        None,
        "displacements in ground at the start of a simulation by name, (3,), or (2, 3) with their rates; of bellies "
        "across the chord only; others start at rest where their forces balance",
        unit="m, m/s",
        check=_check_start,
        only="python",
    )

    @property
    def carriers(self) -> tuple[str, ...]:
        """The segments that carry masses on springs, each once."""
        return tuple(dict.fromkeys(mass.body for mass in self.masses))

    @property
    def factors(self) -> list[tuple[float, float]]:
        """Factors on frequencies and on dampings: what is taken, then the corners of what the band covers."""
        return [(1.0, 1.0), *((f, c) for f in self.frequency_factor for c in self.damping_factor)]

    def described(self, of_file: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the options as JSON knows them; ``of_file`` makes a record of the table of tensions."""
        record = {name: getattr(self, name) for name in self.entries()}
        is_file = not (self.tension is None or isinstance(self.tension, Real))
        tension = of_file(self.tension) if is_file else self.tension
        start = None if self.start is None else {name: given.tolist() for name, given in self.start.items()}
        return record | {"start": start} | {"tension": tension, "masses": [asdict(mass) for mass in self.masses]}


def wobble_of(value: bool | Wobble | None) -> Wobble | None:
    """Return a wobble as it is, one with the default options for True, and None for False or None."""
    if isinstance(value, Wobble):
        return value
    if not isinstance(value, bool) and value is not None:
        raise OptionError("wobble", value, "True, False or a Wobble")
    return Wobble() if value else None

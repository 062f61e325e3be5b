"""Options of analyses: recordings, implausible results, uncertainty bands, and wobble."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, Unpack

from .._core.choices import ACCELERATIONS, IMPLAUSIBLE, Accelerations, Implausible
from .._core.errors import OptionError
from .._core.options import Check, Options, above, at_least, between, option, read_cutoff, read_number, whole

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

#: Smallest and largest number of draws of a band.
FEWEST, MOST = 100, 100_000


@dataclass(frozen=True, eq=False)
class Recording(Options):
    """A recorded motion, the measured external loads, and options for processing both.

    Analyses also accept the motion alone, with default options.
    """

    motion: str | os.PathLike[str] | pd.DataFrame = option(
        help="``.mot`` or ``.sto`` file of coordinates or states, or a DataFrame (index time [s], radians and metres)",
        only="python",
        is_file=True,
        synonyms=("coordinates", "kinematics", "mot"),
    )
    external_loads: str | os.PathLike[str] | None = option(
        None,
        "file of OpenSim's external loads (XML)",
        only="python",
        is_file=True,
        synonyms=("loads", "forces", "grf", "ground_reactions"),
    )
    cutoff: float | None = option(
        None,
        "low-pass cut-off frequency of the coordinates; none: no filter",
        unit="Hz",
        metavar="Hz",
        parse=read_cutoff,
        setup=True,
        only="command",
        recorded="cut-off [Hz]",
        synonyms=("filter", "lowpass", "low_pass"),
    )
    time_range: tuple[float, float] | None = option(
        None,
        "first and last time; beyond the recording the filter extrapolates; infinite ones are the recording's",
        unit="s",
        parse=float,
        several=2,
        metavar=("T0", "T1"),
        setup=True,
        only="command",
        recorded="time range [s]",
        synonyms=("start", "end", "interval", "initial_time", "final_time"),
    )
    accelerations: Accelerations | os.PathLike[str] | pd.DataFrame = option(
        "coordinates",
        "the data to differentiate: OpenSim's Inverse Dynamics Tool takes coordinates, its Static Optimization speeds; "
        "in Python also a Path or table of speeds [rad/s, m/s] at the motion's times, not with cutoff or assemble",
        choices=ACCELERATIONS,
        is_file=True,
        setup=True,
        synonyms=("speeds", "velocities"),
    )
    assemble: bool = option(
        False,
        "project the motion on the model's constraints, as couplers of knees, before it is differentiated",
        recorded="projected on the constraints",
        synonyms=("constraints", "project"),
    )
    as_recorded: bool = option(
        False, "take coupled coordinates as recorded; otherwise those 5 degrees or 5 mm off their couplers are moved"
    )
    interpolate_jumps: bool = option(
        False,
        "mend jumps that come back within five rows by a cubic spline; otherwise they are solved, and marked",
        recorded="jumps interpolated",
        synonyms=("interpolate", "glitches", "mend"),
    )
    strict: bool = option(
        False,
        "turn warnings into errors: loads that end or jump, a motion that breaks constraints or lacks coordinates, "
        "rows of recruitment without a solution",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.assemble and self.as_recorded:
            raise OptionError("as_recorded", True, "False where the motion is projected on the constraints")
        if self.assemble and not isinstance(self.accelerations, str):
            expected = "False where speeds are given, which belong to the coordinates as they are"
            raise OptionError("assemble", True, expected)


class RecordingOptions(TypedDict, total=False):
    """Options of :class:`Recording` as keyword arguments of an analysis."""

    external_loads: str | os.PathLike[str] | None
    cutoff: float | None
    time_range: tuple[float, float] | None
    accelerations: Accelerations | os.PathLike[str] | pd.DataFrame
    assemble: bool
    as_recorded: bool
    interpolate_jumps: bool
    strict: bool


def recording_of(motion: Any, **options: Unpack[RecordingOptions]) -> Recording:
    """Return ``motion`` as a :class:`Recording` with these options; fields of a given Recording are replaced."""
    recording = motion if isinstance(motion, Recording) else Recording(motion, **options)
    return replace(recording, **options) if options else recording


@dataclass(frozen=True)
class Answers(Options):
    """Options that analyses of recorded motions have in addition to :class:`Recording`: implausible results, wobble."""

    implausible: Implausible = option(
        IMPLAUSIBLE[0],
        "answers that no body makes, as moments beyond 20 N m per kg: refuse them, or warn and give them",
        choices=IMPLAUSIBLE,
    )
    wobble: bool = option(False, "let bellies wobble across their paths, as the motion drives them")


@dataclass(frozen=True)
class Uncertainty(Options):
    """Options of a result's uncertainty band: spread of masses, unknown belly places, and the band's level."""

    mass_cv: float = option(0.25, "coefficient of variation of each muscle's mass", check=between(0, 2))
    common: float = option(
        0.5, "part of the variance of its logarithm that all muscles have in common", check=between(0, 1)
    )
    level: float = option(0.95, "part of the draws within the band", check=between(0, 1))
    draws: int = option(2000, "how many draws there are", check=whole(FEWEST, MOST))
    seed: int = option(0, "seed of the random numbers", check=whole(0, 2**63))
    placement: bool = option(
        True, "whether the places of bellies are unknown, too: aponeuroses, and free tendon at origins"
    )


_above_zero, _at_least_zero = above(0.0), at_least(0.0)


def _source_of_tension(text: str) -> float | Path:
    return Path(text) if math.isnan(number := read_number(text)) else number


def _range(check: Check) -> Check:
    """Return a check that a value is two ascending numbers, and that each number passes ``check``."""

    def check_range(name: str, value: Any) -> tuple[float, ...]:
        pair = tuple(float(check(name, x)) for x in value) if isinstance(value, list | tuple) else ()
        if len(pair) != 2 or pair[0] > pair[1]:
            raise OptionError(name, value, "two numbers, the smaller first")
        return pair

    return check_range


def _check_tension(name: str, value: Any) -> Any:
    """Return ``value``, a table of muscle tensions or a number; raise :class:`OptionError` for a negative number."""
    return float(_at_least_zero(name, value)) if isinstance(value, Real) else value


def _check_start(name: str, value: Any) -> dict[str, np.ndarray] | None:
    """Return initial displacement and rate (2, 3) of each wobbling mass, by name; raise OptionError if invalid."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise OptionError(name, value, "a dict of displacements by name of the wobbling mass")
    import numpy as np  # not needed for the command line's help

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
    """A mass, such as fat or viscera, that wobbles on a spring attached to a segment.

    It is part of the published segment; at rest the segment's mass, centre and inertia are unchanged.

    Attributes:
        body: name of the segment.
        mass: [kg].
        centre: rest position in the segment's frame, (3,) [m].
        stiffness: of the isotropic spring [N/m].
        damping: of the damper [N s/m].
        name: of the mass; default: the segment's name.
    """

    body: str
    mass: float
    centre: tuple[float, float, float]
    stiffness: float
    damping: float
    name: str = ""

    def __post_init__(self) -> None:
        for name, check in (("mass", _above_zero), ("stiffness", _above_zero), ("damping", _at_least_zero)):
            check(f"{name} of the wobbling mass on '{self.body}'", getattr(self, name))
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
    """Masses on springs and dampers: muscle bellies that swing across their paths, and other masses on segments.

    Analyses also accept True, for default options.
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
    bellies: bool = option(True, "muscles' bellies wobble, beside the masses on segments", only="python")
    masses: tuple[WobblingMass, ...] = option(
        (), "masses of segments that wobble on springs", check=_check_masses, only="python"
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
        """The names of segments with masses on springs."""
        return tuple(dict.fromkeys(mass.body for mass in self.masses))

    @property
    def factors(self) -> list[tuple[float, float]]:
        """Factors (frequency, damping): (1, 1), then the four pairs of limits that the uncertainty band covers."""
        return [(1.0, 1.0), *((f, c) for f in self.frequency_factor for c in self.damping_factor)]

    def described(self, of_file: Callable[[Any], Any]) -> dict[str, Any]:
        """Return the options as JSON types; ``of_file`` describes a file of muscle tensions."""
        record = {name: getattr(self, name) for name in self.entries()}
        is_file = not (self.tension is None or isinstance(self.tension, Real))
        tension = of_file(self.tension) if is_file else self.tension
        start = None if self.start is None else {name: given.tolist() for name, given in self.start.items()}
        return record | {"start": start} | {"tension": tension, "masses": [asdict(mass) for mass in self.masses]}


def wobble_of(value: bool | Wobble | None) -> Wobble | None:
    """Return a :class:`Wobble`; True gives default options, False and None give None."""
    if isinstance(value, Wobble):
        return value
    if not isinstance(value, bool) and value is not None:
        raise OptionError("wobble", value, "True, False or a Wobble")
    return Wobble() if value else None

"""Options of all analyses of recorded motions: how a recording is read, answers that are refused, bands."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from .._core.choices import ACCELERATIONS, IMPLAUSIBLE, Accelerations, Implausible
from .._core.errors import OptionError
from .._core.options import Options, between, option, whole
from .._core.parsing import read_cutoff

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Answers", "Recording", "Uncertainty", "recording_of"]

#: The fewest draws that make a band, and the most.
FEWEST, MOST = 100, 100_000


@dataclass(frozen=True, eq=False)
class Recording(Options):
    """A recorded motion, the loads that were measured with it, and how both are read.

    Wherever an analysis takes one, the motion alone stands for a recording whose other options are the defaults.
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
    """Options of :class:`Recording` as keywords of an analysis."""

    external_loads: str | os.PathLike[str] | None
    cutoff: float | None
    time_range: tuple[float, float] | None
    accelerations: Accelerations | os.PathLike[str] | pd.DataFrame
    assemble: bool
    as_recorded: bool
    interpolate_jumps: bool
    strict: bool


def recording_of(motion: Any, **options: Unpack[RecordingOptions]) -> Recording:
    """Return a recording with these options, of a motion alone or of a recording."""
    recording = motion if isinstance(motion, Recording) else Recording(motion, **options)
    return replace(recording, **options) if options else recording


@dataclass(frozen=True)
class Answers(Options):
    """Arguments of analyses of recorded motions besides the recording."""

    implausible: Implausible = option(
        IMPLAUSIBLE[0],
        "answers that no body makes, as moments beyond 20 N m per kg: refuse them, or warn and give them",
        choices=IMPLAUSIBLE,
    )
    wobble: bool = option(False, "let bellies swing across their paths, as the motion drives them")


@dataclass(frozen=True)
class Uncertainty(Options):
    """The unknowns that a band covers, and how much of their spread."""

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

"""How a recorded motion is read, for all analyses of motions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._core.choices import ACCELERATIONS, Accelerations
from .._core.choices import IMPLAUSIBLE as ANSWERS
from .._core.errors import OptionError
from .._core.options import OptionField, Options, option
from .._core.parsing import read_cutoff

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["IMPLAUSIBLE", "Recording", "recording_of"]

#: An argument of the analyses of recorded motions.
IMPLAUSIBLE = OptionField(
    "answers that no body makes, such as moments beyond 20 N m per kg of body mass: refuse them, or warn and give them "
    "all the same",
    name="implausible",
    keyword="implausible",
    kind="str",
    default=ANSWERS[0],
    choices=ANSWERS,
)


@dataclass(frozen=True, eq=False)
class Recording(Options):
    """A recorded motion, the loads that were measured with it, and how both are read.

    Wherever an analysis takes one, the motion alone stands for a recording whose other options are the defaults.
    """

    motion: str | os.PathLike[str] | pd.DataFrame = option(
        help="``.mot`` or ``.sto`` file of coordinates or states, or a DataFrame (index time [s], radians and metres)",
        asked=False,
        is_file=True,
        synonyms=("coordinates", "kinematics", "mot"),
    )
    external_loads: str | os.PathLike[str] | None = option(
        None,
        "file of OpenSim's external loads (XML)",
        asked=False,
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
        study=False,
        recorded="cut-off [Hz]",
        synonyms=("filter", "lowpass", "low_pass"),
    )
    time_range: tuple[float, float] | None = option(
        None,
        "first and last time; beyond the recording the filter extrapolates, as in OpenSim's Inverse Dynamics Tool; "
        "missing or infinite ones are the recording's",
        unit="s",
        parse=float,
        several=2,
        metavar=("T0", "T1"),
        setup=True,
        study=False,
        recorded="time range [s]",
        synonyms=("start", "end", "interval", "initial_time", "final_time"),
    )
    accelerations: Accelerations | os.PathLike[str] | pd.DataFrame = option(
        "coordinates",
        "the data to differentiate: OpenSim's Inverse Dynamics Tool takes splines through coordinates, its Static "
        "Optimization through speeds",
        in_python="or a Path or table of speeds [rad/s, m/s] at the motion's times, in place of the coordinates' "
        "derivatives; a file of states may be both motion and speeds; not with cutoff or assemble",
        choices=ACCELERATIONS,
        is_file=True,
        setup_default="speeds",
        synonyms=("speeds", "velocities"),
    )
    assemble: bool = option(
        False,
        "project the motion on the model's constraints, as couplers of knees, before speeds and accelerations are "
        "taken",
        recorded="projected on the constraints",
        synonyms=("constraints", "project"),
    )
    as_recorded: bool = option(
        False,
        "take coupled coordinates as recorded, as OpenSim does; otherwise those more than 5 degrees or 5 mm off their "
        "couplers are moved onto them",
    )
    interpolate_jumps: bool = option(
        False,
        "mend jumps of a coordinate that come back within five rows by the cubic spline through the other rows; "
        "otherwise they are solved as recorded, and marked",
        recorded="jumps interpolated",
        synonyms=("interpolate", "glitches", "mend"),
    )
    strict: bool = option(
        False,
        "turn warnings into errors: a motion that goes on where the external loads have no data, loads that jump, "
        "a motion that breaks the model's constraints or lacks coordinates, and in recruitment rows without a solution",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.assemble and self.as_recorded:
            raise OptionError("as_recorded", True, "False where the motion is projected on the constraints")
        if self.assemble and not isinstance(self.accelerations, str):
            expected = "False where speeds are given, which belong to the coordinates as they are"
            raise OptionError("assemble", True, expected)


def recording_of(motion: Any) -> Recording:
    """Return a recording as it is, and a motion alone as one with the default options."""
    return motion if isinstance(motion, Recording) else Recording(motion)

"""The datasets that can be fetched: files of one commit of the public repository opensim-org/opensim-models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

__all__ = ["CATALOGUE", "COMMIT", "NAMES", "Dataset", "Entry", "checksums"]

COMMIT = "20a888b9655e73fb84963d6e03eee3752cf6074b"

GAIT10 = "Pipelines/Gait10dof18musc/OutputReference/"
GAIT2354 = "Pipelines/Gait2354_Simbody/"
GAIT2392 = "Pipelines/Gait2392_Simbody/"
HAMNER = "Pipelines/Hamner/"


@dataclass(frozen=True)
class Dataset:
    """A model with a recorded motion, as files on this computer.

    Attributes:
        name: as given to :func:`~opensim_inertia.datasets.fetch`.
        about: what it is.
        model: the ``.osim`` file.
        motion: coordinates over time; None where there is no public motion.
        loads: the setup of external loads, whose table lies beside it; None where there is none.
        setup: the setup of OpenSim's Inverse Dynamics Tool; None where the published one names files that are not
            public.
        time_range: first and last time [s] for which there are both motion and loads, or what the published setup asks
            for where that is less; None where there is no motion. It is ``time_range`` of
            :func:`~opensim_inertia.inverse_dynamics`.
    """

    name: str
    about: str
    model: Path
    motion: Path | None = None
    loads: Path | None = None
    setup: Path | None = None
    time_range: tuple[float, float] | None = None


@dataclass(frozen=True)
class Entry:
    """The files of a dataset, relative to the repository; ``beside`` are those that other files name.

    ``time_range`` is that of :class:`Dataset`.
    """

    about: str
    model: str
    motion: str | None = None
    loads: str | None = None
    setup: str | None = None
    beside: tuple[str, ...] = ()
    time_range: tuple[float, float] | None = None

    @property
    def files(self) -> list[str]:
        """All of them."""
        names = (self.model, self.motion, self.loads, self.setup, *self.beside)
        return [file for file in names if file is not None]

    def at(self, name: str, folder: Path) -> Dataset:
        """Return the dataset whose files lie below a folder."""
        roles = {"motion": self.motion, "loads": self.loads, "setup": self.setup}
        files = {role: folder / file for role, file in roles.items() if file is not None}
        return Dataset(name, self.about, folder / self.model, **files, time_range=self.time_range)


CATALOGUE: Mapping[str, Entry] = {
    "arm26": Entry(
        "Arm26: six muscles, two coordinates; the elbow flexes",
        "Models/Arm26/arm26.osim",
        "Tutorials/Computed_Muscle_Control/OutputReference/InverseKinematics/arm26_InverseKinematics.mot",
        time_range=(0.0, 1.0),
    ),
    "gait10dof18musc": Entry(
        "Gait10dof18musc, scaled: walking with ground reactions, and a setup of inverse dynamics",
        f"{GAIT10}subject01.osim",
        f"{GAIT10}IK/subject01_walk_IK.mot",
        f"{GAIT10}ExperimentalData/subject01_walk_grf.xml",
        f"{GAIT10}ID/walk_Setup_ID.xml",
        (f"{GAIT10}ExperimentalData/subject01_walk_grf.mot",),
        (0.0, 2.5),
    ),
    "gait2354": Entry(
        "Gait2354, scaled: walking with ground reactions",
        f"{GAIT2354}OutputReference/subject01_simbody.osim",
        f"{GAIT2354}subject01_walk1_ik.mot",
        f"{GAIT2354}subject01_walk1_grf.xml",
        beside=(f"{GAIT2354}subject01_walk1_grf.mot",),
        time_range=(0.4, 1.6),
    ),
    "gait2392": Entry(
        "Gait2392, scaled: walking with ground reactions, which end before the motion",
        f"{GAIT2392}OutputReference/subject01_simbody.osim",
        f"{GAIT2392}subject01_walk1_ik.mot",
        f"{GAIT2392}subject01_walk1_grf.xml",
        beside=(f"{GAIT2392}subject01_walk1_grf.mot",),
        time_range=(0.5, 2.5),
    ),
    "hamner": Entry(
        "Hamner's full-body model, subject 2: running with ground reactions",
        f"{HAMNER}outputReference/subject02_scaled.osim",
        f"{HAMNER}outputReference/ResultsIK/subject02_running_ik.mot",
        f"{HAMNER}External_Loads.xml",
        beside=(f"{HAMNER}subject02_running_grf.mot",),
        time_range=(0.0, 9.96666667),
    ),
    "rajagopal2016": Entry("Rajagopal2016: the generic model, without a motion", "Models/Rajagopal/Rajagopal2016.osim"),
}

#: Names of all datasets.
NAMES = tuple(CATALOGUE)


@cache
def checksums() -> dict[str, str]:
    """Return the SHA-256 of each file of the catalogue."""
    by_file: dict[str, str] = json.loads(files(__package__).joinpath("registry.json").read_text(encoding="utf-8"))
    return by_file

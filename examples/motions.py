"""Recorded motions on real models that several examples use."""

import os
from dataclasses import dataclass
from pathlib import Path

from common import opensim_models

import opensim_inertia as oi


@dataclass(frozen=True)
class Recorded:
    """A model with a recorded motion and its ground reactions.

    Attributes:
        name: for people to read.
        model, motion, loads: files.
        cutoff: low-pass cut-off of the coordinates [Hz].
        time_range: first and last time [s] that the loads cover; None: all of the motion.
    """

    name: str
    model: Path
    motion: Path
    loads: Path
    cutoff: float
    time_range: tuple[float, float] | None

    def recording(self):
        """Return the recording that ``inverse_dynamics`` takes."""
        return oi.Recording(self.motion, self.loads, self.cutoff, self.time_range)


def rajagopal_running():
    """Return the folder of the scaled Rajagopal2016 running, or None if there is none.

    RAJAGOPAL_RUNNING names it; else it is rajagopal-running beside the models. It holds subject_scaled_run.osim,
    ik_output_run.mot and grf_run.xml, as OpenSim's Scale and IK tools make them from Rajagopal's distribution.
    """
    folder = Path(os.environ.get("RAJAGOPAL_RUNNING") or opensim_models().parent / "rajagopal-running")
    return folder if (folder / "subject_scaled_run.osim").is_file() else None


def recorded_motions():
    """Return the motions that are there; a printed line names those that are not."""
    models = opensim_models()
    found = []
    rajagopal = rajagopal_running()
    if rajagopal is None:
        print("left out Rajagopal2016, running: set RAJAGOPAL_RUNNING to a folder with subject_scaled_run.osim")
    else:
        files = (rajagopal / name for name in ("subject_scaled_run.osim", "ik_output_run.mot", "grf_run.xml"))
        found.append(Recorded("Rajagopal2016, running", *files, 15.0, (0.832, 1.546)))
    hamner = models / "Pipelines" / "Hamner"
    found.append(
        Recorded(
            "Hamner, running",
            hamner / "outputReference" / "subject02_scaled.osim",
            hamner / "outputReference" / "ResultsIK" / "subject02_running_ik.mot",
            hamner / "External_Loads.xml",
            15.0,
            None,
        )
    )
    gait = models / "Pipelines" / "Gait2392_Simbody"
    found.append(
        Recorded(
            "Gait2392, walking",
            gait / "OutputReference" / "subject01_simbody.osim",
            gait / "subject01_walk1_ik.mot",
            gait / "subject01_walk1_grf.xml",
            6.0,
            (0.5, 2.5),
        )
    )
    return found

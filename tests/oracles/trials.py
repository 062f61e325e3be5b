"""Public trials for inverse dynamics, what OpenSim's own tool says of them, and a small one with inertial muscles."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.muscles.masses.rigid import RigidMass
from opensim_inertia.opensim_model.reading.motion import Motion, load_motion

GAIT2392, GAIT10, HAMNER = (f"Pipelines/{name}" for name in ("Gait2392_Simbody", "Gait10dof18musc", "Hamner"))
TRIALS = {
    "gait2392_walk": (
        f"{GAIT2392}/OutputReference/subject01_simbody.osim",
        f"{GAIT2392}/subject01_walk1_ik.mot",
        f"{GAIT2392}/subject01_walk1_grf.xml",
    ),
    "gait10dof_walk": (
        f"{GAIT10}/OutputReference/subject01.osim",
        f"{GAIT10}/OutputReference/IK/subject01_walk_IK.mot",
        f"{GAIT10}/ExperimentalData/subject01_walk_grf.xml",
    ),
    "hamner_run": (
        f"{HAMNER}/outputReference/subject02_scaled.osim",
        f"{HAMNER}/outputReference/ResultsIK/subject02_running_ik.mot",
        f"{HAMNER}/External_Loads.xml",
    ),
}


def data_of(loads: Path) -> Path:
    """The table of measured forces that a file of external loads names."""
    return loads.parent / re.findall("<datafile>(.*)</datafile>", loads.read_text())[0].strip()


def run_tool(
    model: osim.Model,
    motion: Path,
    loads: Path | None,
    cutoff: float | None,
    times: tuple[float, float],
    folder: Path,
    excluding: tuple[str, ...] = ("Muscles",),
) -> pd.DataFrame:
    tool = osim.InverseDynamicsTool()
    copy = osim.Model(model)
    tool.setModel(copy)
    tool.setCoordinatesFileName(str(motion))
    tool.setLowpassCutoffFrequency(-1.0 if cutoff is None else cutoff)
    tool.setStartTime(times[0])
    tool.setEndTime(times[1])
    excluded = osim.ArrayStr()
    for name in excluding:
        excluded.append(name)
    tool.setExcludedForces(excluded)
    if loads is not None:
        tool.setExternalLoadsFileName(str(loads))
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("tool.sto")
    with quiet():
        assert tool.run()
    return oi.read_table(folder / "tool.sto")


def run_analysis(model: Path, analysis: osim.Analysis, times: tuple[float, float], name: str, **motion: Path) -> None:
    """OpenSim's Analyze Tool with one analysis, run afresh in the folder of the model's file."""
    folder = model.parent
    analysis.setStartTime(times[0])
    analysis.setEndTime(times[1])
    tool = osim.AnalyzeTool()
    tool.setName(name)
    tool.setModelFilename(str(model))
    if "states" in motion:
        tool.setStatesFileName(str(motion["states"]))
    else:
        tool.setCoordinatesFileName(str(motion["coordinates"]))
        tool.setLowpassCutoffFrequency(6.0)
    tool.setInitialTime(times[0])
    tool.setFinalTime(times[1])
    tool.setResultsDir(str(folder))
    tool.updAnalysisSet().cloneAndAppend(analysis)
    tool.printToXML(str(folder / "setup.xml"))
    with quiet():
        assert osim.AnalyzeTool(str(folder / "setup.xml")).run()


@cache
def gait10(root: Path) -> tuple[oi.InertialModel, Path, Path]:
    model, motion, loads = (root / file for file in TRIALS["gait10dof_walk"])
    live = osim.Model(str(model))
    return oi.InertialModel(live, oi.estimate_masses(live)), motion, loads


@cache
def short_walk(root: Path) -> InverseDynamicsResult:
    inertial, motion, loads = gait10(root)
    return oi.inverse_dynamics(inertial, oi.Recording(motion, loads, 6.0, (0.5, 0.7)))


def recorded_motion(inertial: oi.InertialModel, motion: Path, cutoff: float, times: tuple[float, float]) -> Motion:
    """A motion as inverse dynamics reads it; ``run_tool`` shows that OpenSim reads the same."""
    return load_motion(motion, inertial.model, inertial.coordinate_names, cutoff, times)


def weld(model: osim.Model, segment: str, pseudo_inertia: np.ndarray) -> None:
    """A body of a pseudo-inertia (4, 4) in a segment's frame, welded to it; connections are not finalized."""
    rigid = RigidMass.from_pseudo_inertia(pseudo_inertia)
    i = rigid.inertia
    inertia = osim.Inertia(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
    body = osim.Body(f"{segment}_welded", rigid.mass, osim.Vec3(*rigid.center), inertia)
    model.addBody(body)
    model.addJoint(osim.WeldJoint(f"{segment}_weld", model.getBodySet().get(segment), body))

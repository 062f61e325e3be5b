"""The tutorial on joint loads that OpenSim publishes, and OpenSim's own Static Optimization of it, run afresh."""

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.dynamics.load_sharing.actuation import ModelActuators
from opensim_inertia.model.recorded_motion import recorded_motion

from .by_keyword import recruit

FOLDER = "Tutorials/Estimating_Joint_Reaction_Loads"
PUBLISHED = "OutputReference/ResultsStaticOptimization/subject01_"
MODEL, MOTION = "subject01_simbody_adjusted_StaticOp.osim", "subject01_walk1_Kinematics.sto"
LOADS, ACTUATORS = "foot_floor_loads.xml", "gait2392_SO_weak_Residual_Actuators.xml"
SETUP = "setup_static_optimization.xml"


@cache
def inertial(root: Path, muscles_have_mass: bool) -> oi.InertialModel:
    model = str(root / FOLDER / MODEL)
    return oi.InertialModel(model, oi.estimate_masses(model) if muscles_have_mass else {})


def recruited(root: Path, muscles_have_mass: bool = False, **options: object) -> oi.recruitment.RecruitmentResult:
    """The tutorial as its setup asks for it: each tenth row, accelerations from the speeds."""
    folder = root / FOLDER
    settings = {"actuators": folder / ACTUATORS, "every": 10, "accelerations": "speeds"} | options
    settings |= {"external_loads": folder / LOADS}
    return recruit(inertial(root, muscles_have_mass), folder / MOTION, **settings)


def published(root: Path, what: str) -> pd.DataFrame:
    return oi.read_table(root / FOLDER / f"{PUBLISHED}{what}.sto")


def equations(
    root: Path, result: oi.recruitment.RecruitmentResult
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Matrix, forces asked for and controls at each row, from the parts of the package that the answer is made of."""
    folder = root / FOLDER
    leg = inertial(root, bool(result.provenance["muscles with mass"]))
    motion = recorded_motion(leg, oi.Recording(folder / MOTION, accelerations="speeds"))
    actuation = ModelActuators(leg, oi.Actuation(folder / ACTUATORS, result.provenance["reserves"]))
    for row, time in enumerate(result.times):
        place = int(np.argmin(np.abs(motion.times - time)))
        arms, strengths, *_ = actuation.at(time, motion.q[place], motion.u[place])
        yield (arms * strengths[:, None]).T, result.answer.generalized[row], result.answer.controls[row]


def run_tool(root: Path, out: Path, end: float, power: int = 2) -> pd.DataFrame:
    """Controls by OpenSim's Static Optimization, each tenth row from 0.5 s on."""
    folder = root / FOLDER
    tree = ElementTree.parse(folder / SETUP)
    changes = {
        "model_file": folder / MODEL,
        "force_set_files": folder / ACTUATORS,
        "results_directory": out,
        "external_loads_file": folder / LOADS,
        "coordinates_file": folder / MOTION,
        "final_time": end,
        "end_time": end,
        "activation_exponent": power,
    }
    for name, value in changes.items():
        for element in tree.iter(name):
            element.text = str(value)
    setup, here = out / "setup.xml", Path.cwd()
    tree.write(setup)
    os.chdir(out)
    try:
        with quiet():
            assert osim.AnalyzeTool(str(setup)).run()
    finally:
        os.chdir(here)
    return oi.read_table(out / "subject01_StaticOptimization_activation.sto")

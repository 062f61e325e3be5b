"""Real models with inertial muscles, and motions of theirs."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.opensim_model.reading.coordinates import random_poses as poses_of
from opensim_inertia.opensim_model.reading.coordinates import read_coordinates
from opensim_inertia.opensim_model.reading.paths import ConditionalPoint, read_path

from .finite_differences import Array

STRAINS = ("aponeurosis", "rigid_tendon", "uniform")
MODELS = {
    "arm26": "Models/Arm26/arm26.osim",
    "gait10dof18musc": "Models/Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "leg6dof9musc": "Models/Leg6Dof9Musc/leg6dof9musc.osim",
    "hamner": "Pipelines/Hamner/outputReference/subject02_scaled.osim",
    "rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
}

#: Those over whose wrap objects the ways of wrapping are tested.
WRAPPING_MODELS = {name: MODELS[name] for name in ("arm26", "rajagopal2016")}


@cache
def original(root: Path, name: str) -> osim.Model:
    model = osim.Model(str(root / MODELS[name]))
    model.initSystem()
    return model


@cache
def table(root: Path, name: str) -> pd.DataFrame:
    return oi.estimate_masses(original(root, name))


@cache
def wrapping(root: Path, name: str) -> tuple[str, ...]:
    model = original(root, name)
    coordinates = read_coordinates(model, model.getWorkingState())
    return tuple(m.getName() for m in model.getMuscles() if read_path(m, coordinates).wraps)


@cache
def heavy(
    root: Path, name: str, strain: str = "aponeurosis", distribution: str = "continuous", wraps: bool = True
) -> oi.InertialModel:
    """A real model with all of its muscles inertial, or only those that do not wrap."""
    masses = table(root, name)
    if not wraps:
        masses = masses[~masses["muscle"].isin(wrapping(root, name))]
    return oi.InertialModel(original(root, name), masses, strain, distribution, points=7)


def random_poses(inertial: oi.InertialModel, count: int, seed: int = 0) -> Array:
    """Poses (count, nu) over the ranges of motion, at which couplers are met."""
    return poses_of(inertial.model, inertial.coordinates, count, seed)


def random_motion(inertial: oi.InertialModel, seed: int = 0) -> tuple[Array, Array]:
    """Coordinates within their ranges, 0.01 away from where conditional points switch, and speeds, in speed order."""
    rng = np.random.default_rng(seed)
    low, high = np.clip(inertial.coordinates.ranges.T, -1.2, 1.2)
    coordinates = inertial.coordinates
    edges = [
        (coordinates.index(point.coordinate), bound)
        for muscle in inertial.model.getMuscles()
        for point in read_path(muscle, coordinates).points
        if isinstance(point, ConditionalPoint)
        for bound in point.range
    ]
    while True:
        q = low + (high - low) * rng.uniform(0.25, 0.75, low.size)
        if all(abs(q[i] - bound) > 0.01 for i, bound in edges):
            return q, rng.normal(size=low.size)


def arm26_swing(rows: int, step: float = 0.05) -> pd.DataFrame:
    """A motion of Arm26 in which muscles touch and leave their wrap objects."""
    times = pd.Index(np.arange(rows) * step, name="time")
    angles = {"r_shoulder_elev": 0.4 * np.sin(5 * times), "r_elbow_flex": 1.2 + 0.8 * np.sin(8 * times)}
    return pd.DataFrame(angles, index=times)

"""Answers of several kinds that models give, and all that each of them says, to be compared with what it says alone."""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.checks import silenced
from opensim_inertia._core.opensim import osim
from opensim_inertia._core.provenance import run_record
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult, Uncertainty
from opensim_inertia.analyses.ranking import MuscleRanking
from opensim_inertia.paths.kernel.evaluation import InertialTerms

from . import pendulum
from .demo_leg import build_leg
from .finite_differences import Array
from .live_states import state_at
from .pendulum import Geometry
from .planar_arm import POSE, arm

REAL = {
    "arm26": "Arm26/arm26.osim",
    "leg6dof9musc": "Leg6Dof9Musc/leg6dof9musc.osim",
    "gait10dof18musc": "Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Gait2392_Simbody/gait2392_thelen2003muscle.osim",
}
"""Public models that the tests bring along."""

MODELS = ("demo leg", *REAL, "arm26 as OpenSim", "paths by a network", "planar arm")

FOLDED = {"knee_angle_r": -1.8, "ankle_angle_r": -0.7, "r_elbow_flex": 2.0, "elbow": -1.15}
"""Coordinate values [rad] of a pose in which most models have notes, where the model has such a coordinate."""

NOTES = {
    **dict.fromkeys(("demo leg", "gait10dof18musc", "gait2392"), "became shorter than"),
    "paths by a network": "OpenSim's own path is used",
}
"""What notes of the folded pose say, by model."""

SECONDS, RATE = 0.2, 100.0  # Of motions [s, Hz]
SIMULATED = 0.004  # Of simulations [s]

Answer = Callable[[oi.InertialModel], Any]


def build(name: str) -> oi.InertialModel:
    if name == "planar arm":
        return arm("rigid")
    if name == "paths by a network":
        g = replace(Geometry(), ranges=((-0.3, 0.3), (-0.2, 0.3)))
        model, masses = pendulum.opensim_model(g), pendulum.mass_table(g)
        return oi.InertialModel(model, masses, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping="neural")
    if name == "demo leg":
        model = build_leg()
    else:
        model = osim.Model(str(Path(__file__).parents[1] / "data" / "Models" / REAL[name.split()[0]]))
        model.initSystem()
    way = "opensim" if name.endswith("as OpenSim") else "analytic"
    return oi.InertialModel(model, oi.estimate_masses(model), wrapping=way)


def pose(inertial: oi.InertialModel, is_folded: bool) -> Array:
    """Coordinate values of the default pose, or of a folded one."""
    q = inertial.coordinates.values(inertial.initial_state())
    for name, value in FOLDED.items() if is_folded else ():
        if name in inertial.coordinate_names:
            q[inertial.coordinate_names.index(name)] = value
    return q


def motion(inertial: oi.InertialModel, is_folded: bool) -> pd.DataFrame:
    """Small swings of all coordinates about a pose."""
    times = np.arange(0.0, SECONDS, 1.0 / RATE)
    q = pose(inertial, is_folded) + 0.01 * np.sin(2 * np.pi * times / SECONDS)[:, None]
    return pd.DataFrame(q, index=pd.Index(times, name="time"), columns=list(inertial.coordinate_names))


def simulated(is_folded: bool, inertial: oi.InertialModel) -> oi.forward_simulation.Trajectory:
    state = state_at(inertial, pose(inertial, is_folded))
    return oi.simulate(
        oi.Problem(inertial, state, SIMULATED, equilibrate=False), "rk45", progress=False, engine="python"
    )


def inverted(is_folded: bool, inertial: oi.InertialModel) -> InverseDynamicsResult:
    moved = motion(inertial, is_folded)
    return oi.inverse_dynamics(inertial, moved, progress=False, band=Uncertainty(draws=100), implausible="warn")


def recruited(is_folded: bool, workers: int, inertial: oi.InertialModel) -> oi.recruitment.RecruitmentResult:
    return oi.recruit(
        inertial,
        motion(inertial, is_folded),
        workers=workers,
        progress=False,
        implausible="warn",
        actuation=oi.Actuation(reserves=1000.0, free="base"),
        outputs=oi.options.RecruitmentOutputs(joints="all", tension_ends=True, every=2),
    )


def ranked(is_folded: bool, inertial: oi.InertialModel) -> MuscleRanking:
    return oi.rank_muscles(inertial, motion(inertial, is_folded))


def evaluated(is_folded: bool, inertial: oi.InertialModel) -> InertialTerms:
    return inertial.evaluate(state_at(inertial, pose(inertial, is_folded)), per_muscle=True)


def linearized(is_folded: bool, inertial: oi.InertialModel) -> oi.stability.Linearization:
    return oi.linearize(inertial, state_at(inertial, pose(inertial, is_folded)))


def differentiated(is_folded: bool, inertial: oi.InertialModel) -> Any:
    """A simulation with its gradient, by what pushes on the first coordinate and a muscle's mass."""
    varied = {
        "force": oi.gradients.Forces([inertial.coordinate_names[0]]),
        "mass": oi.gradients.MuscleMasses([inertial.muscle_names[0]]),
    }
    problem = oi.Problem(inertial, state_at(inertial, pose(inertial, is_folded)), SIMULATED, equilibrate=True)
    run_of = oi.DifferentiableSimulation(problem, varied, oi.integrators.SDIRK2(step=SIMULATED / 2), progress=False)
    run = run_of.run()
    return run.trajectory, run_of.gradient(run, np.ones_like(run.trajectory.y))


def equilibrated(inertial: oi.InertialModel) -> oi.stability.Posture:
    return oi.equilibrate(inertial, POSE)


ANSWERS: dict[str, Answer] = {
    f"{name}, {where}": partial(ask, is_folded)
    for name, ask in {
        "simulate": simulated,
        "inverse dynamics": inverted,
        "recruit": lambda is_folded, inertial: recruited(is_folded, 1, inertial),
        "recruit by two": lambda is_folded, inertial: recruited(is_folded, 2, inertial),
        "rank": ranked,
        "evaluate": evaluated,
        "linearize": linearized,
        "gradient": differentiated,
    }.items()
    for where, is_folded in (("upright", False), ("folded", True))
} | {"posture": equilibrated}
"""All that is asked, by what it is called."""


def asked_of(model: str) -> list[str]:
    if model == "planar arm":
        return ["posture", *(name for name in ANSWERS if name.startswith(("simulate", "linearize", "gradient")))]
    left_out = ["posture", *(["gradient", "recruit"] if model.startswith("p") else [])]
    return [name for name in ANSWERS if not name.startswith(tuple(left_out))]


def answer(name: str, inertial: oi.InertialModel) -> Any:
    """One of ANSWERS, or the error that is raised in its place."""
    try:
        return ANSWERS[name](inertial)
    except oi.InertiaError as error:
        return error


def said(result: Any) -> dict[str, str]:
    """All that a result says: its record, report, arrays and caption, as text or the checksum of its numbers."""
    if isinstance(result, oi.InertiaError):
        return {"error": f"{type(result).__name__}: {result}"}
    if isinstance(result, tuple):
        trajectory, gradient = result
        return said(trajectory) | {name: _sum(values) for name, values in gradient.items()}
    if isinstance(result, InertialTerms):
        numbers = _sum(result.mass_matrix, result.bias, result.gravity, *(t.bias for t in result.muscles.values()))
        return {"notes": "\n".join(result.notes), "numbers": numbers}
    if isinstance(result, oi.stability.Linearization):
        return {"run.json": run_record(result.provenance), "numbers": _sum(result.A, result.B, result.basis)}
    if isinstance(result, oi.stability.Posture):
        numbers = _sum(result.state.getY().to_numpy(), result.effect)
        return {"run.json": run_record(result.provenance), "numbers": numbers}
    texts = {}
    if find_spec("xarray"):  # an optional package
        labelled = result.to_xarray()
        numbers = _sum(*(v.to_numpy() for v in labelled.data_vars.values()))
        texts = {"to_xarray": f"{labelled.attrs}", "numbers": numbers}
    if isinstance(result, MuscleRanking):
        return texts | {"run.json": run_record(result.provenance)}
    texts["report"] = oi.report(result).html
    if isinstance(result, oi.forward_simulation.Trajectory):
        return texts | {"notes": "\n".join(result.model_notes), "states": _sum(result.times, result.y)}
    if isinstance(result, oi.recruitment.RecruitmentResult):
        texts["caption"] = result.caption
    else:
        with PICTURES:
            figure = oi.plot(result)
        texts["caption"] = "\n".join(text.get_text() for text in figure.texts)
    return texts | {"run.json": run_record(result.provenance)}


def said_alone(model: str, name: str) -> dict[str, str]:
    """What one answer of a model says that was made for it alone."""
    with silenced(oi.InertiaWarning):
        return said(answer(name, build(model)))


PICTURES = threading.Lock()  # Matplotlib is for one thread at a time


def _sum(*arrays: Array) -> str:
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array).tobytes())
    return whole.hexdigest()

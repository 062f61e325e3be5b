"""Reactions of joints to published muscle forces, against the reactions that OpenSim publishes with them."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from oracles import tutorial

import opensim_inertia as oi
from opensim_inertia.analyses.recruitment.rows import ReactionSolver
from opensim_inertia.dynamics.load_sharing.actuation import ModelActuators
from opensim_inertia.model.recorded_motion import recorded_motion
from opensim_inertia.opensim_model.setups.loads import Loads


def test_published_forces_make_the_published_reaction(opensim_models: Path) -> None:
    folder = opensim_models / tutorial.FOLDER
    inertial = tutorial.inertial(opensim_models, False)
    actuation = ModelActuators(inertial, oi.Actuation(folder / tutorial.ACTUATORS))
    motion = recorded_motion(inertial, oi.Recording(folder / tutorial.MOTION, accelerations="speeds"))
    loads_of_motion = Loads(folder / tutorial.LOADS)
    solver = ReactionSolver(inertial, actuation, ["hip_r"], loads_of_motion, ("Actuators",), motion.times)
    forces = tutorial.published(opensim_models, "StaticOptimization_force")
    reaction = tutorial.published(opensim_models, "JointReaction_ReactionLoads")
    for row in range(0, len(forces), 10):
        pulls = forces[list(actuation.names)].iloc[row].to_numpy()
        place = int(np.argmin(np.abs(motion.times - forces.index[row])))
        reactions, frames, _ = solver.at(motion, place, "lumped", pulls, np.zeros(len(inertial.coordinate_names)))
        rotation = frames[0, 0, 3:].reshape(3, 3)
        ours = rotation.T @ reactions[0, 0, 3:]
        published = reaction[[f"hip_r_on_femur_r_in_femur_r_f{x}" for x in "xyz"]].iloc[row].to_numpy()
        assert np.abs(ours - published).max() < 0.01

"""Bellies fit on their paths at every pose, whatever the strain model says of them."""

import warnings
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles.real_models import random_poses

import opensim_inertia as oi

MODELS = [
    "Models/Arm26/arm26.osim",
    "Models/Gait10dof18musc/gait10dof18musc.osim",
    "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "Models/Rajagopal/Rajagopal2016.osim",
]
POSES = 60  # As many as the survey of wraps looks at
FIT = 1e-12  # Relative rounding of a sum of lengths


@pytest.mark.parametrize("name", slow_except(MODELS[:1], MODELS))
@pytest.mark.parametrize("strain", ["aponeurosis", "rigid_tendon", "uniform"])
def test_no_belly_is_longer_than_its_path(name: str, strain: str, opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / name))
    shortest = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.warnings.ShortBellyWarning)
        inertial = oi.InertialModel(model, oi.estimate_masses(model), strain=strain)
        state = inertial.initial_state()
        for q in random_poses(inertial, POSES):
            inertial.coordinates.set_values(state, q)
            lengths = inertial.path_lengths(state)
            assert (lengths["belly"] <= lengths["path"] * (1 + FIT)).all()
            assert (lengths["fibre"] > 0).all() and (lengths["fibre"] <= lengths["belly"] * (1 + FIT)).all()
            for muscle, row in lengths.iterrows():
                m = inertial.material_map(str(muscle))
                rest = row["path"] - row["fibre"]
                # free tendons and aponeurosis are the slack length, but where fibres are held
                if strain != "uniform" and not row["held"]:
                    assert rest == pytest.approx(m.slack, rel=1e-9)
                assert row["belly"] - row["fibre"] == pytest.approx(m.aponeurosis * rest, rel=1e-9, abs=1e-12)
            shortest = min(shortest, float((lengths["fibre"] / lengths["path"]).min()))
    assert shortest < 0.5, "fibres get short at some pose"

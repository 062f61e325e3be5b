"""Recruitment of a model with wraps, couplers, and knees whose rotations share a coordinate."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from oracles import by_keyword, real_models

import opensim_inertia as oi

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning"),
]


@cache
def recruited(root: Path, workers: int = 1) -> oi.recruitment.RecruitmentResult:
    inertial = real_models.heavy(root, "rajagopal2016")
    time = np.linspace(0, 1, 41)
    swing = 0.15 * np.sin(2 * np.pi * time)[:, None] * inertial.coordinates.rotational
    motion = pd.DataFrame(inertial.reference + swing, index=time, columns=inertial.coordinate_names)
    for knee in ("knee_angle_r", "knee_angle_l"):
        motion[knee] = 0.6 + 0.4 * np.sin(2 * np.pi * time)
    options = {"assemble": True, "reserves": 50.0, "kind": ("inertial", "lumped"), "joints": "all", "every": 8}
    return by_keyword.recruit(inertial, motion, workers=workers, tension_ends=True, **options)


def test_accelerations_are_the_motions(opensim_models: Path) -> None:
    result = recruited(opensim_models)
    assert (result.status == "solved").all()
    for answer in result.answers.values():
        assert answer.acceleration_error.max() < 1e-8
    assert "knee_angle_r_beta" not in result.coordinate_names  # it follows the knee

"""What is kept of OpenSim's paths at many poses, against OpenSim asked again at each of them."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.real_models import MODELS

from opensim_inertia.opensim_model.reading.coordinates import random_poses, read_coordinates
from opensim_inertia.opensim_model.reading.kinematics import Kinematics
from opensim_inertia.opensim_model.reading.paths import MusclePath, geometry_path, read_path
from opensim_inertia.paths.wrapping.current_path import CurrentPath, shown_length
from opensim_inertia.paths.wrapping.path_samples import OpenSimPathSamples, sample_opensim_paths
from opensim_inertia.paths.wrapping.surfaces import wrap_bodies

SHOULDER = "Models/ThoracoscapularShoulder/ThoracoscapularShoulderModel.osim"
ROUNDING = 1e-12  # m; the same sums in another order


def looked_at(file: Path, poses: int) -> tuple[osim.Model, osim.State, list[MusclePath], dict[str, OpenSimPathSamples]]:
    model = osim.Model(str(file))
    state = model.initSystem()
    coordinates = read_coordinates(model, state)
    muscles = [path for m in model.getMuscles() if (path := read_path(m, coordinates)).wraps or len(path.points) > 2]
    bodies = dict.fromkeys(b for p in muscles for b in (*p.bodies, *wrap_bodies(model.getMuscles().get(p.muscle))))
    q = random_poses(model, coordinates, poses, seed=11)
    samples = sample_opensim_paths(model, coordinates, muscles, Kinematics(model, coordinates, tuple(bodies)), q)
    return model, state, muscles, samples


@pytest.mark.slow
@pytest.mark.parametrize("file", [MODELS["arm26"], MODELS["rajagopal2016"], MODELS["gait2392"], SHOULDER])
def test_as_opensim_shows_them(opensim_models: Path, file: str) -> None:
    """Points, those that move and those that are there in a range only included; arcs, their sides and lengths."""
    model, state, muscles, samples = looked_at(opensim_models / file, 6)
    coordinates = read_coordinates(model, state)
    poses = next(iter(samples.values())).poses
    wrapped = 0
    for pose, q in enumerate(poses.q):
        coordinates.set_values(state, q)
        model.realizePosition(state)
        for path in muscles:
            sample, current = samples[path.muscle], CurrentPath(model, path)
            points = current.active_points(state)
            assert list(points) == np.flatnonzero(sample.active[pose]).tolist()
            np.testing.assert_allclose(sample.places[pose, list(points)], list(points.values()), rtol=0, atol=ROUNDING)
            shape, wrapped_path = current.shape(state), sample.wrapped_path(pose)
            assert (wrapped_path.sequence, tuple(sample.wrapped(pose))) == (shape.sequence, shape.surfaces)
            for arc, controls in zip(wrapped_path.arcs, shape.controls, strict=True):
                np.testing.assert_allclose(arc.points, controls, rtol=0, atol=1e-9)
            geometry = geometry_path(model.getMuscles().get(path.muscle))
            assert sample.lengths[pose] == pytest.approx(shown_length(geometry, state), rel=0, abs=ROUNDING)
            wrapped += len(shape.surfaces)
    assert wrapped > 5 or not any(path.wraps for path in muscles)


def test_ends_inside_are_told(opensim_models: Path) -> None:
    """An end inside a surface: OpenSim does not wrap it there."""
    _, _, _, samples = looked_at(opensim_models / SHOULDER, 20)
    count = 0
    for sample in samples.values():
        for name in sample.surfaces:
            inside = sample.inside(name)
            if len(sample.path.points) == 2:
                assert not any(inside[arc.pose] for arc in sample.arcs if arc.surface == name)
                count += int(inside.sum())
    assert count > 50

"""InertialModel: muscles without mass, and paths that cannot carry any."""

from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.live_states import state_at
from oracles.real_models import original, random_motion, table
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def test_zero_masses_give_zeros(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    masses = table(opensim_models, "gait10dof18musc")
    for nothing in ({}, masses.assign(mass=0.0), masses.iloc[:0]):
        inertial = oi.InertialModel(model, nothing)
        assert inertial.muscle_names == () and inertial.frozen.by_segment == {} and len(inertial.segments) == 0
        q, u = random_motion(inertial)
        terms = inertial.evaluate(state_at(inertial, q, u), per_muscle=True)
        n = len(inertial.coordinate_names)
        np.testing.assert_array_equal(terms.mass_matrix, np.zeros((n, n)))
        np.testing.assert_array_equal(terms.bias, np.zeros(n))
        np.testing.assert_array_equal(terms.gravity, np.zeros(n))
        assert terms.kinetic_energy == terms.potential_energy == 0.0
        assert (
            inertial.mass_points(state_at(inertial, q)) == {} and len(inertial.path_lengths(state_at(inertial, q))) == 0
        )
        for body, mine in zip(model.getBodySet(), inertial.model.getBodySet(), strict=True):
            assert body.getMass() == mine.getMass()


def test_muscles_not_named_stay_massless(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    one = oi.InertialModel(model, {"soleus_r": 0.5})
    assert one.muscle_names == ("soleus_r",) and list(one.segments.index) == ["tibia_r"]
    q, u = random_motion(one)
    terms = one.evaluate(state_at(one, q, u))
    assert abs(terms.mass_matrix[one.coordinate_names.index("ankle_angle_r")]).max() > 1e-5
    left = one.coordinate_names.index("ankle_angle_l")
    np.testing.assert_array_equal(terms.mass_matrix[left], 0.0)


def test_unsupported_paths_are_named_or_left_massless() -> None:
    """A pendulum whose muscle "odd" has a path of another class; "mus" is ordinary."""
    model = two_links(BENT)
    muscle = osim.Thelen2003Muscle("odd", 100.0, 0.1, 0.1, 0.0)
    path = osim.FunctionBasedPath()
    path.setLengthFunction(osim.LinearFunction(0.05, 0.4))
    coordinates = osim.StdVectorString()
    coordinates.append(model.getCoordinateSet().get(0).getAbsolutePathString())
    path.setCoordinatePaths(coordinates)
    muscle.set_path(path)
    model.addForce(muscle)
    model.finalizeConnections()
    masses = pd.DataFrame({"muscle": ["mus", "odd"], "mass": [0.5, 0.25], "segment": ["link1", "link2"]})
    for given in (masses, {"mus": 0.5, "odd": 0.25}):
        with pytest.raises(oi.errors.UnsupportedPathError, match="'odd'.*FunctionBasedPath") as caught:
            oi.InertialModel(model, given)
        assert caught.value.muscle == "odd"
        assert oi.InertialModel(model, given, unsupported="massless").left_massless == ("odd",)
    inertial = oi.InertialModel(model, masses, unsupported="massless")
    assert inertial.muscle_names == ("mus",)
    assert list(inertial.segments.index) == ["link1"]  # the other's mass stays rigid in its segment
    assert np.abs(inertial.evaluate(inertial.initial_state(), subtract_frozen=False).mass_matrix).max() > 0.01
    oi.InertialModel(model, {"mus": 0.5})  # a muscle without mass may have any path

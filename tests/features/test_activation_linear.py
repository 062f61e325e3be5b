"""State matrices that are linear in activations, against linearizations of their own."""

import numpy as np
import opensim as osim
import pytest
from conftest import model_path
from oracles.planar_arm import MUSCLES, POSE, arm

import opensim_inertia as oi

MATRIX = 1e-8  # Of the largest entry; measured 3e-10. Bunderson et al. 2012: 2.2e-8.


@pytest.mark.parametrize("kind", ["rigid", "millard rigid"])
def test_against_linearizations(kind: str) -> None:
    inertial = arm(kind)
    p = oi.equilibrate(inertial, POSE)
    linear = oi.stability.ActivationLinear(inertial, p.state, 1.5)
    patterns = oi.stability.sample_patterns(p, 6, seed=2)
    matrices = linear.matrices(patterns)
    assert matrices.shape == (6, 4, 4)
    for a, A in zip(patterns, matrices, strict=True):
        other = oi.equilibrate(inertial, POSE, activations=dict(zip(MUSCLES, a.tolist(), strict=True)))
        np.testing.assert_allclose(list(other.activations.values()), a, rtol=0, atol=1e-9)
        exact = other.linearize(1.5)
        assert exact.state_names == linear.state_names
        np.testing.assert_allclose(A, exact.A, rtol=0, atol=MATRIX * np.abs(exact.A).max())
        assert bool(linear.stable(a)) == exact.is_stable
        found = linear.eigenvalues(a)
        np.testing.assert_allclose(sorted(found.real), sorted(exact.eigenvalues().real), rtol=1e-6, atol=1e-6)
    assert linear.error(patterns[:2]).max() < MATRIX
    assert np.ptp(matrices, axis=0).max() > 1.0
    np.testing.assert_array_equal(linear.matrices(p.activations), linear.matrices(list(p.activations.values())))


def test_points_that_push_and_other_stiffness() -> None:
    """A force at a point, and the stiffness given per call."""
    inertial = arm()
    push = {"fore": ((0.0, -0.3, 0.0), (4.0, 12.0, 0.0))}
    p = oi.equilibrate(inertial, POSE, point_forces=push, forces={"shoulder": 0.5})
    linear = oi.stability.ActivationLinear(inertial, p.state, forces=p.external_forces, point_forces=push)
    exact = p.linearize(3.0).A
    np.testing.assert_allclose(linear.matrices(p.activations, 3.0), exact, rtol=0, atol=MATRIX * np.abs(exact).max())
    without = oi.stability.ActivationLinear(inertial, p.state, forces=p.external_forces).matrices(p.activations, 3.0)
    assert np.abs(without - exact).max() > 0.1


@pytest.mark.slow
def test_real_models() -> None:
    """Gait10dof18musc with inertial muscles, its pelvis held."""
    model = osim.Model(str(model_path("Models/Gait10dof18musc/gait10dof18musc.osim")))
    model.initSystem()
    for name in ("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension"):
        model.updCoordinateSet().get(name).set_locked(True)
    model = oi.stability.without_muscle_states(model)
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    p = oi.equilibrate(inertial, {"hip_flexion_r": 0.3, "knee_angle_r": -0.5})
    linear = oi.stability.ActivationLinear(inertial, p.state)
    assert linear.error(oi.stability.sample_patterns(p, 5)).max() < MATRIX


def test_elastic_tendons_are_refused_or_told_of() -> None:
    inertial = arm("states")
    p = oi.equilibrate(inertial, POSE)
    with pytest.raises(
        oi.errors.ModelError, match="'shoulder_flexor' .DeGrooteFregly2016Muscle. has activation dynamics and an"
    ):
        oi.stability.ActivationLinear(inertial, p.state)
    linear = oi.stability.ActivationLinear(inertial, p.state, approximate=True)
    assert 1e-3 < linear.error(list(p.activations.values())) < 1.0
    thelen = arm("thelen")
    with pytest.raises(oi.errors.ModelError, match="Thelen2003Muscle after ModOpReplaceMusclesWith"):
        oi.stability.ActivationLinear(thelen, thelen.initial_state())

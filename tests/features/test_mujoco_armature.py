"""Bellies on ground are MuJoCo's tendon armature; for a belly on a moving rod the kinetic energy is written by hand."""

from types import ModuleType

import numpy as np
import pytest

pytest.importorskip("mujoco", "4", reason="needs MuJoCo 4")

EXAMPLE = "mujoco_armature"
ROUNDING = 1e-9  # Of the muscle's part (measured: 7e-13)
SAME_MOTION = 1e-6  # rad after 1 s, by two integrators (measured: 2e-9)


@pytest.mark.parametrize("strain", ["rigid_tendon", "aponeurosis", "uniform"])
@pytest.mark.parametrize("joints", ["one joint", "two joints"])
def test_armature_is_a_belly_on_ground(scene: ModuleType, joints: str, strain: str) -> None:
    mass_matrix, bias, swing, moved = scene.compare(scene.PATHS[joints], strain, states=20)
    assert mass_matrix < ROUNDING and bias < ROUNDING and swing < SAME_MOTION
    assert moved > 1e-3


def test_moment_arms_over_a_cylinder(scene: ModuleType) -> None:
    """Before, in and after touch; MuJoCo takes no armature there."""
    refusal, apart = scene.over_a_cylinder(states=20)
    assert "wrapping not supported" in refusal
    assert apart < ROUNDING


def test_a_belly_on_a_rod_couples_it_with_length(scene: ModuleType) -> None:
    """Material y + xi B below the pin and d beside it has velocities w (y + xi B) and w d - xi l'; mean over xi."""
    inertial = scene.in_opensim(**scene.LEG, slack=scene.LEG_SLACK, donor="rod1")
    model = scene.in_mujoco(**scene.LEG, armature=scene.MUSCLE / 3)
    (_, (d, y, _)), (_, via), (_, insertion) = scene.LEG["path"]

    def fibre(elbow: float) -> float:
        c, s = np.cos(elbow), np.sin(elbow)
        end = np.array([[c, -s], [s, c]]) @ insertion[:2] - [0, scene.ROD]
        return float(y - via[1] + np.linalg.norm(end - via[:2]) - scene.LEG_SLACK)

    rng = np.random.default_rng(1)
    for q in rng.uniform((-2, -1.2), (2, 1.0), (20, 2)):
        theirs, _, arms = scene.mujoco_at(model, q, np.zeros(2))
        B, frozen = fibre(q[1]), fibre(scene.START[1])
        expected = np.outer([-d / 2, 0], arms)
        expected += expected.T
        expected[0, 0] += -y * (B - frozen) + (B**2 - frozen**2) / 3
        ours = scene.ours_at(inertial, q, np.zeros(2))[0]
        np.testing.assert_allclose(ours - theirs, scene.MUSCLE * expected, rtol=0, atol=1e-12)
        assert np.abs(expected).max() > 2e-4

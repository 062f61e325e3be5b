"""Rigid mass on segments, against OpenSim's own inverse dynamics of bodies that have it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.added_parts import weld
from oracles.finite_differences import Array

from opensim_inertia._core.opensim import osim
from opensim_inertia.muscles.masses.rigid import (
    RigidMass,
    body_mass_properties,
    parameters,
    rigid_inverse,
    rigid_regressors,
    set_mass_properties,
)
from opensim_inertia.opensim_model.reading import Kinematics, read_coordinates

ROUNDING = 1e-11
"""Relative to the largest force: Newton and Euler in another order than Simbody's recursion."""


def test_mass_properties_are_opensims(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    for body in model.getBodySet():
        read = body_mass_properties(model, body.getName())
        i = read.inertia
        assert read.mass == body.getMass()
        np.testing.assert_array_equal(read.center, body.getMassCenter().to_numpy())
        entries = [i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]]
        np.testing.assert_array_equal(entries, [body.get_inertia().get(k) for k in range(6)])
        np.testing.assert_array_equal(i, i.T)


def test_fraction_keeps_its_place() -> None:
    whole = RigidMass(2.0, np.array([0.1, 0.2, 0.3]), np.diag([1.0, 2.0, 3.0]))
    part = whole.scaled(0.25)
    assert part.mass == 0.5
    np.testing.assert_array_equal(part.center, whole.center)
    np.testing.assert_array_equal(part.inertia, 0.25 * whole.inertia)


def from_points(points: Array, masses: Array) -> RigidMass:
    """Point masses, fixed to each other."""
    places = np.column_stack([points, np.ones(len(points))])
    return RigidMass.from_pseudo_inertia(np.einsum("k,ki,kj->ij", masses, places, places))


def test_points_have_the_inertia_of_their_sum() -> None:
    """T = 1/2 w^T I w for every spin w about the centre of mass, and the sum of mass."""
    rng = np.random.default_rng(0)
    points, masses, spin = rng.normal(size=(7, 3)), rng.uniform(0.1, 1, 7), rng.normal(size=3)
    lumped = from_points(points, masses)
    restored = RigidMass.from_pseudo_inertia(lumped.pseudo_inertia)
    for one, other in zip(
        (restored.mass, restored.center, restored.inertia), (lumped.mass, lumped.center, lumped.inertia), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-14)
    spread = points - lumped.center
    np.testing.assert_allclose(lumped.covariance, np.einsum("k,ki,kj->ij", masses, spread, spread), rtol=0, atol=1e-14)
    assert lumped.mass == pytest.approx(masses.sum())
    np.testing.assert_allclose((masses[:, None] * (points - lumped.center)).sum(axis=0), 0, atol=1e-14)
    energy = 0.5 * (masses * (np.cross(spin, points - lumped.center) ** 2).sum(axis=1)).sum()
    assert 0.5 * spin @ lumped.inertia @ spin == pytest.approx(energy, rel=1e-12)
    assert energy > 0.1


@pytest.mark.parametrize("name", ["Gait2392_Simbody/gait2392_thelen2003muscle", "Rajagopal/Rajagopal2016"])
def test_forces_are_those_of_opensims_welded_bodies(opensim_models: Path, name: str) -> None:
    """Rajagopal2016 too, whose knees have a wrong bias in Simbody: ours must add up with Simbody's inverse."""
    bare = osim.Model(str(opensim_models / f"Models/{name}.osim"))
    rng = np.random.default_rng(3)
    parts = {}
    for body in ("femur_r", "tibia_r", "calcn_r", "pelvis"):
        points = rng.normal(size=(6, 3)) * 0.1
        parts[body] = from_points(points, rng.uniform(0.1, 0.4, 6))
    loaded = osim.Model(bare)
    for body, part in parts.items():
        weld(loaded, body, part)
    loaded.finalizeConnections()
    states = [osim.State(model.initSystem()) for model in (bare, loaded)]
    coordinates = read_coordinates(bare, states[0])
    low, high = np.clip(coordinates.ranges.T, -1.2, 1.2)
    q = low + (high - low) * rng.uniform(0.25, 0.75, low.size)
    u, udot = rng.normal(size=(2, low.size)) * [[2.0], [20.0]]
    forces, frames = [], []
    for model, state in zip((bare, loaded), states, strict=True):
        assert read_coordinates(model, state).names == coordinates.names
        state.setQ(osim.Vector.createFromMat(q))
        state.setU(osim.Vector.createFromMat(u))
        for i in range(model.getForceSet().getSize()):
            model.getForceSet().get(i).setAppliesForce(state, False)
        forces.append(osim.InverseDynamicsSolver(model).solve(state, osim.Vector.createFromMat(udot)).to_numpy().copy())
        frames.append(Kinematics(model, coordinates, ["ground", *parts]).read(state))
    gravity = bare.getGravity().to_numpy()
    bodies = ["ground", *parts]
    matrices = {name: part.pseudo_inertia for name, part in parts.items()}
    none, ours = rigid_inverse(bodies, [{}, matrices], frames[:1], udot[None], gravity)
    exact = forces[1] - forces[0]
    assert np.abs(exact).max() > 5
    np.testing.assert_allclose(ours[0], exact, rtol=0, atol=ROUNDING * np.abs(forces[1]).max())
    np.testing.assert_array_equal(none, 0.0)
    regressors = rigid_regressors(bodies, parts, frames[:1], udot[None], gravity)
    by_numbers = sum(regressors[:, i] @ parameters(matrix) for i, matrix in enumerate(matrices.values()))
    np.testing.assert_allclose(by_numbers, ours, rtol=0, atol=ROUNDING * np.abs(ours).max())


def test_ten_numbers() -> None:
    """In the order that the docstring says, of a body whose numbers all differ."""
    matrix = np.arange(16.0).reshape(4, 4)
    matrix = matrix + matrix.T
    expected = [30.0, 15.0, 20.0, 25.0, 0.0, 10.0, 20.0, 5.0, 10.0, 15.0]
    expected[1:4] = [matrix[0, 3], matrix[1, 3], matrix[2, 3]]
    np.testing.assert_array_equal(parameters(matrix), expected)
    np.testing.assert_array_equal(parameters(np.stack([matrix, 2 * matrix])), [expected, 2 * np.array(expected)])


def test_set_properties_are_read_back_and_the_system_follows() -> None:
    """About the pin of a pendulum: I + m r^2."""
    model = osim.Model()
    rod = osim.Body("rod", 1.0, osim.Vec3(0), osim.Inertia(1.0))
    model.addBody(rod)
    model.addJoint(osim.PinJoint("pin", model.getGround(), rod))
    properties = from_points(np.random.default_rng(2).normal(size=(5, 3)), np.arange(1.0, 6.0))
    set_mass_properties(model, "rod", properties)
    state = model.initSystem()
    read = body_mass_properties(model, "rod")
    assert read.mass == properties.mass
    np.testing.assert_array_equal(read.center, properties.center)
    np.testing.assert_array_equal(read.inertia, properties.inertia)
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcM(state, matrix)
    about_pin = properties.inertia[2, 2] + properties.mass * (properties.center[:2] ** 2).sum()
    assert matrix.get(0, 0) == pytest.approx(about_pin, rel=1e-12)

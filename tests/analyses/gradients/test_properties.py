"""Gradients by numbers of the model: muscles' own, of every kind of muscle, and others."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import slow_except
from oracles import limbs, muscle_machines
from oracles.gradients import errors

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

MUSCLE = 2e-6
"""Relative, of what is the muscle's own; measured 8e-7, of the slack length of stiff tendons: models are moved."""
OTHER = 2e-6
"""Of other numbers; measured 2e-7, of a path point; 5e-9 of masses and gravity."""
OWN = ("max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "pennation_angle_at_optimal")


def check(simulation: oi.DifferentiableSimulation, moves: dict[str, object], values: dict[str, object]) -> None:
    for name, error in errors(simulation, moves, values).items():
        assert error < (MUSCLE if name == "own" else OTHER), f"{name}: {error:.1e}"


@pytest.mark.slow
@pytest.mark.parametrize("segment", slow_except(["rod"], ["rod", ""]))
@pytest.mark.parametrize("kind", slow_except(["equilibrium"], muscle_machines.KINDS))
def test_every_kind_of_muscle(kind: str, segment: str) -> None:
    """Its own numbers, its excitation, mass and place."""
    inertial = muscle_machines.inertial_model(muscle_machines.hinge(muscle_machines.KINDS[kind]()), segment)
    parameters = {
        "own": oi.gradients.Properties([f"/forceset/muscle/{name}" for name in OWN]),
        "excitation": oi.gradients.Excitations("muscle", [0.0, 0.012]),
        "mass": oi.gradients.MuscleMasses("muscle"),
        "belly": oi.gradients.BellyPlacement("muscle"),
        "start": oi.gradients.InitialCoordinates("angle"),
    }
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.012), parameters, oi.integrators.SDIRK2(step=3e-3, accuracy=1e-11)
    )
    moves = {"own": [0.1, 1e-5, 1e-6, 1e-4], "excitation": 1e-3, "mass": 1e-3, "belly": 1e-2, "start": 1e-5}
    check(simulation, moves, {"excitation": [[0.3, 0.6]], "belly": [0.4], "start": [0.01]})


@pytest.mark.slow
def test_own_numbers_of_several_muscles_at_once() -> None:
    """All that are moved at a time keep apart; one muscle is disabled and counts by its mass alone."""
    model = limbs.limbs("fixed", pull=True)
    model.getMuscles().get("middle").set_appliesForce(False)
    inertial = oi.InertialModel(model, {"long": 0.9, "middle": 0.6})
    paths = [f"/forceset/{m}/{p}" for m in limbs.MUSCLES for p in OWN[:3]]
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.012, excitations={"long": 0.5}),
        {"own": oi.gradients.Properties(paths)},
        oi.integrators.SDIRK2(step=3e-3, accuracy=1e-11),
    )
    run = simulation.run()
    cotangents = np.ones_like(run.trajectory.y)
    found = simulation.gradient(run, cotangents)["own"]
    assert (found[[3, 4]] == 0).all() and found[5] != 0  # no force; its belly is what the tendon leaves
    assert (found[[0, 1, 2, 6, 7, 8]] != 0).all()
    for which in range(3):  # one muscle after the other, or those that count more hide others
        moves = np.zeros(9)
        moves[3 * which : 3 * which + 3] = [0.1, 1e-5, 1e-6]
        check(simulation, {"own": moves}, {})


@pytest.mark.slow
def test_numbers_that_are_no_muscles() -> None:
    inertial = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())
    moves = {
        "/bodyset/shank/mass": 1e-2,
        "/bodyset/thigh/mass_center[1]": 1e-3,
        "/bodyset/foot/inertia[2]": 1e-4,
        "/gravity[1]": 1e-2,
        "/gravity[0]": 1e-2,
        "/forceset/short/path/short-P2/location[1]": 1e-6,
    }
    parameters = {f"p{i}": oi.gradients.Properties(path) for i, path in enumerate(moves)}
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.012), parameters, oi.integrators.SDIRK2(step=3e-3, accuracy=1e-11)
    )
    check(simulation, {f"p{i}": move for i, move in enumerate(moves.values())}, {})


def test_values_are_those_of_the_model_and_change_it() -> None:
    inertial = oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())
    names = [
        "/bodyset/shank/mass",
        "/bodyset/thigh/mass_center[1]",
        "/gravity[1]",
        "/forceset/long/max_isometric_force",
    ]
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.01), {"p": oi.gradients.Properties(names)}, oi.integrators.SDIRK2(step=2e-3)
    )
    np.testing.assert_allclose(simulation.values["p"], [2.2, -0.175, -limbs.GRAVITY, 300.0], rtol=1e-12)
    changed = [2.5, -0.16, -9.0, 350.0]
    model = limbs.limbs("fixed", gravity=9.0, pull=True)
    model.getBodySet().get("shank").setMass(2.5)
    thigh = model.getBodySet().get("thigh")
    centre = thigh.getMassCenter()
    centre.set(1, -0.16)
    thigh.setMassCenter(centre)
    model.getMuscles().get("long").setMaxIsometricForce(350.0)
    other = oi.InertialModel(model, limbs.masses())
    state = other.initial_state()
    state.setY(osim.Vector.createFromMat(simulation.run().trajectory.y[0].copy()))
    same = oi.simulate(oi.Problem(other, state, 0.01), oi.integrators.SDIRK2(step=2e-3))
    np.testing.assert_allclose(simulation.run({"p": changed}).trajectory.y, same.y, rtol=0, atol=1e-9)
    assert np.abs(simulation.run().trajectory.y[-1] - same.y[-1]).max() > 1e-3

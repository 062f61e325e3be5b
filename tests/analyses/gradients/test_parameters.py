"""Gradients by numbers of the model, and by where muscles' mass is and whose it was, against differences."""

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs, muscle_machines
from oracles.gradients import errors

import opensim_inertia as oi

MUSCLE = 2e-6
"""Relative, of what is the muscle's own; measured 8e-7, of the slack length of stiff tendons: models are moved."""
STEPS = oi.integrators.SDIRK2(step=3e-3, accuracy=1e-11)
OTHER = 2e-6  # Of other numbers; measured 2e-7, of a path point; 5e-9 of masses and gravity
OWN = ("max_isometric_force", "optimal_fiber_length", "tendon_slack_length", "pennation_angle_at_optimal")


def check(
    simulation: oi.DifferentiableSimulation, moves: dict[str, object], most: float, values: object = None
) -> None:
    for name, error in errors(simulation, moves, values).items():
        assert error < most, f"{name}: {error:.1e}"


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
    simulation = oi.DifferentiableSimulation(oi.Problem(inertial, t_final=0.012), parameters, STEPS)
    moves = {"own": [0.1, 1e-5, 1e-6, 1e-4], "excitation": 1e-3, "mass": 1e-3, "belly": 1e-2, "start": 1e-5}
    check(simulation, moves, MUSCLE, {"excitation": [[0.3, 0.6]], "belly": [0.4], "start": [0.01]})


@pytest.mark.slow
def test_own_numbers_of_several_muscles_at_once() -> None:
    """All that are moved at a time keep apart; one muscle is disabled and counts by its mass alone."""
    model = limbs.limbs("fixed", pull=True)
    model.getMuscles().get("middle").set_appliesForce(False)
    inertial = oi.InertialModel(model, {"long": 0.9, "middle": 0.6})
    paths = [f"/forceset/{m}/{p}" for m in limbs.MUSCLES for p in OWN[:3]]
    problem = oi.Problem(inertial, t_final=0.012, excitations={"long": 0.5})
    simulation = oi.DifferentiableSimulation(problem, {"own": oi.gradients.Properties(paths)}, STEPS)
    run = simulation.run()
    cotangents = np.ones_like(run.trajectory.y)
    found = simulation.gradient(run, cotangents)["own"]
    assert (found[[3, 4]] == 0).all() and found[5] != 0  # no force; its belly is what the tendon leaves
    assert (found[[0, 1, 2, 6, 7, 8]] != 0).all()
    for which in range(3):  # one muscle after the other, or those that count more hide others
        moves = np.zeros(9)
        moves[3 * which : 3 * which + 3] = [0.1, 1e-5, 1e-6]
        check(simulation, {"own": moves}, MUSCLE)


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
    simulation = oi.DifferentiableSimulation(oi.Problem(inertial, t_final=0.012), parameters, STEPS)
    check(simulation, {f"p{i}": move for i, move in enumerate(moves.values())}, OTHER)


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


EXACT = 1e-6  # Relative, of masses and places, as in ``test_adjoint``; measured 1e-7
DIFFERENCED = 1e-5
"""Relative, of masses and places where inertia is added: models are moved by differences; measured 3e-6."""


def inertial_of(donors: bool = True, add_missing_inertia: bool = False) -> oi.InertialModel:
    """Limbs on which free tendon lies at both ends, so that nothing is at the end of its range."""
    model = limbs.limbs("fixed", pull=True)
    table = oi.InertialModel(model, limbs.masses()).masses
    if not donors:
        table["segment"] = ""
    for i, name in enumerate(table["muscle"]):
        slack = model.getMuscles().get(name).getTendonSlackLength()
        table.loc[i, ["belly", "free_tendon_proximal", "free_tendon_distal"]] = np.nan, 0.2 * slack, 0.35 * slack
    return oi.InertialModel(model, table, add_missing_inertia=add_missing_inertia)


CASES = [(True, False), (False, False), (True, True)]
IDS = ["donors", "no donors", "inertia added"]


@pytest.mark.slow
@pytest.mark.parametrize(("donors", "adds"), slow_except(CASES[:1], CASES), ids=IDS)
def test_every_place_and_mass(donors: bool, adds: bool) -> None:
    inertial = inertial_of(donors, adds)
    slack = [inertial.architecture[name].slack_length for name in limbs.MUSCLES]
    parameters = {
        "belly": oi.gradients.BellyPlacement(limbs.MUSCLES),
        "aponeurosis": oi.gradients.AponeurosisLength(limbs.MUSCLES),
        "mass": oi.gradients.MuscleMasses(limbs.MUSCLES),
    }
    simulation = oi.DifferentiableSimulation(oi.Problem(inertial, t_final=0.03), parameters, STEPS)
    np.testing.assert_allclose(simulation.values["belly"], 0.2 / 0.55, rtol=1e-9)
    np.testing.assert_allclose(simulation.values["aponeurosis"], 0.45 * np.array(slack), rtol=1e-9)
    values = {"belly": [0.3, 0.6, 0.45], "aponeurosis": np.array(slack) * [0.4, 0.5, 0.3]}
    moves = {"belly": 1e-2, "aponeurosis": 3e-3, "mass": 3e-3}
    check(simulation, moves, EXACT, values)


@pytest.mark.slow
@pytest.mark.parametrize(("donors", "adds"), slow_except(CASES[:1], CASES), ids=IDS)
def test_numbers_of_muscles_and_segments(donors: bool, adds: bool) -> None:
    """A muscle's own lengths say where its mass is at the reference pose; a segment's mass is partly muscle."""
    inertial = inertial_of(donors, adds)
    own = ("optimal_fiber_length", "tendon_slack_length")
    parameters = {
        "lengths": oi.gradients.Properties(
            [f"/forceset/{muscle}/{name}" for muscle in ("middle", "short") for name in own]
        ),
        "mass": oi.gradients.Properties("/bodyset/thigh/mass"),
        "centre": oi.gradients.Properties("/bodyset/thigh/mass_center[0]"),
    }
    # implicit steps as well solved as stiff tendons allow: at 1e-11 one iteration less shows in differences over 1e-6 m
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.012), parameters, oi.integrators.SDIRK2(step=3e-3, accuracy=1e-12)
    )
    moves = {"lengths": [1e-5, 1e-6, 1e-5, 1e-6], "mass": 1e-2, "centre": 1e-3}
    check(simulation, moves, MUSCLE)


@pytest.mark.slow
@pytest.mark.parametrize("adds", slow_except([False], [False, True]))
@pytest.mark.parametrize("kind", slow_except(["held point"], ["coupled", "held point"]))
def test_constrained_chains(kind: str, adds: bool) -> None:
    """Through projections on constraints, whose metric depends on inertia that is added."""
    model, state_of = limbs.constrained(kind)
    table = oi.InertialModel(model, {"muscle": 0.8}).masses
    table.loc[0, ["belly", "free_tendon_proximal", "free_tendon_distal"]] = np.nan, 0.02, 0.03
    inertial = oi.InertialModel(model, table, add_missing_inertia=adds)
    parameters = {
        "belly": oi.gradients.BellyPlacement("muscle"),
        "aponeurosis": oi.gradients.AponeurosisLength("muscle"),
        "mass": oi.gradients.MuscleMasses("muscle"),
    }
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, state_of(inertial), 0.04),
        parameters,
        oi.integrators.BackwardEuler(step=0.01, accuracy=1e-12),
    )
    moves = {"belly": 1e-2, "aponeurosis": 3e-3, "mass": 1e-2}
    check(simulation, moves, DIFFERENCED if adds else EXACT)


def test_values_make_the_model_that_the_table_says() -> None:
    """Lengths given to a run are those of a table made by hand."""
    inertial = inertial_of()
    parameters = {"belly": oi.gradients.BellyPlacement("long"), "aponeurosis": oi.gradients.AponeurosisLength("long")}
    simulation = oi.DifferentiableSimulation(oi.Problem(inertial, t_final=0.012), parameters, STEPS)
    run = simulation.run({"belly": [0.25], "aponeurosis": [0.15]})
    table, slack = inertial.masses.copy(), inertial.architecture["long"].slack_length
    row = table.index[table["muscle"] == "long"][0]
    free = slack - 0.15
    table.loc[row, ["belly", "free_tendon_proximal", "free_tendon_distal"]] = np.nan, 0.25 * free, 0.75 * free
    by_hand = oi.InertialModel(limbs.limbs("fixed", pull=True), table)
    state = by_hand.initial_state()
    state.setY(run.system.set_state(0.0, run.trajectory.y[0]).getY())
    same = oi.simulate(oi.Problem(by_hand, state, 0.012), STEPS)
    np.testing.assert_allclose(run.trajectory.y, same.y, rtol=0, atol=1e-9)
    assert np.abs(simulation.run().trajectory.y[-1] - same.y[-1]).max() > 1e-6


def made(inertial: oi.InertialModel, names: str | tuple[str, ...] = "long") -> oi.DifferentiableSimulation:
    return oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.006),
        {"a": oi.gradients.AponeurosisLength(names)},
        oi.integrators.SDIRK2(step=3e-3),
    )


def test_what_has_no_aponeuroses_is_named() -> None:
    with pytest.raises(oi.errors.OptionError, match="AponeurosisLength.*strain='aponeurosis'"):
        made(oi.InertialModel(limbs.limbs("fixed"), limbs.masses(), "uniform"))
    points = oi.masses.PointMasses([0.2, 0.7], [0.1, 0.2])
    with pytest.raises(oi.errors.OptionError, match="AponeurosisLength.*PointMasses"):
        made(oi.InertialModel(limbs.limbs("fixed"), {"long": 0.3, "short": points}))
    model = limbs.limbs("fixed")
    model.getMuscles().get("long").setTendonSlackLength(0.0)
    inertial = oi.InertialModel(model, {"long": 0.3, "short": 0.2})
    with pytest.raises(oi.errors.OptionError, match="AponeurosisLength.*'long'.*slack length is not zero"):
        made(inertial)
    assert made(inertial, "short").values["a"] > 0
    with pytest.raises(oi.errors.OptionError):
        made(inertial_of()).run({"a": [-0.01]})
    with pytest.raises(oi.errors.MassError, match="'long'"):
        made(inertial_of()).run({"a": [0.6]})

"""Named errors for what cannot be differentiated, varied or optimised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from models.reaching_arm import arm_masses, reaching_arm
from oracles import limbs
from oracles.integrators import FIXED

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

NAN, INF = float("nan"), float("inf")
SHORT = oi.integrators.SDIRK2(step=2e-3)


@pytest.fixture(scope="module")
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


def made(
    inertial: oi.InertialModel, parameters: Any = None, integrator: Any = SHORT, **acting: Any
) -> oi.DifferentiableSimulation:
    varied = {"torque": oi.gradients.Forces(["hip", "knee"])} if parameters is None else parameters
    problem = oi.Problem(inertial, **{"t_final": 4e-3} | acting)
    return oi.DifferentiableSimulation(problem, varied, integrator)


# -- what is varied --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameter", "wrong", "near"),
    [
        (oi.gradients.Forces("kne"), "kne", "knee"),
        (oi.gradients.InitialCoordinates(["hip", "ankel"]), "ankel", "ankle"),
        (oi.gradients.InitialSpeeds("HIPP"), "HIPP", "hip"),
        (oi.gradients.Excitations("lnog"), "lnog", "long"),
        (oi.gradients.MuscleMasses("shrt"), "shrt", "short"),
        (oi.gradients.BellyPlacement("midle"), "midle", "middle"),
        (oi.gradients.Properties("/bodyset/shnk/mass"), "/bodyset/shnk", "/bodyset/shank"),
        (oi.gradients.Properties("/bodyset/shank/mas"), "mas", "mass"),
        (oi.gradients.Properties("/forceset/long/max_isometric_forse"), "max_isometric_forse", "max_isometric_force"),
    ],
)
def test_names_that_are_not_in_the_model(pulled: oi.InertialModel, parameter: Any, wrong: str, near: str) -> None:
    with pytest.raises(oi.errors.UnknownNameError, match=f"'{wrong}'.*did you mean.*'{near}'") as caught:
        made(pulled, {"p": parameter})
    assert near in caught.value.near_matches


@pytest.mark.parametrize(
    "path",
    [
        "/forceset/long/appliesForce",  # true or false
        "/bodyset/shank/mass_center",  # three numbers
        "/bodyset/shank/mass_center[3]",
        "/bodyset/shank/mass[0]",
        "/jointset/hip_joint/coordinates[0]",
        "/bodyset/shank/frame_geometry",
        "mass",
    ],
)
def test_properties_that_are_no_number(pulled: oi.InertialModel, path: str) -> None:
    with pytest.raises(oi.errors.OptionError, match="Properties") as caught:
        made(pulled, {"p": oi.gradients.Properties(path)})
    assert caught.value.value == path


@pytest.mark.parametrize("names", [[], [""], None, 3, [1, 2], ["hip", "hip"]])
@pytest.mark.parametrize("kind", [oi.gradients.Forces, oi.gradients.MuscleMasses, oi.gradients.Properties])
def test_names_that_are_none(kind: Any, names: Any, pulled: oi.InertialModel) -> None:
    with pytest.raises(oi.InertiaError) as caught:
        made(pulled, {"p": kind(names)})
    assert kind.__name__ in str(caught.value) or "''" in str(caught.value)


@pytest.mark.parametrize(
    "times", [[0.1], [], [0.2, 0.1], [0.1, 0.1], [0.0, NAN], [0.0, INF], "soon", 3.0, [[0.0, 0.1], [0.2, "x"]]]
)
def test_times_that_do_not_increase(times: Any) -> None:
    for kind in (oi.gradients.Forces, oi.gradients.Excitations):
        with pytest.raises(oi.errors.OptionError, match="times.*at least two times that increase"):
            kind("hip", times)


@pytest.mark.parametrize("count", [None, 0, -1, 2.0, "two"])
def test_basis_of_how_many(count: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="count"):
        oi.gradients.Forces("hip", lambda t: np.ones(2), count)


@pytest.mark.parametrize("basis", [lambda t: np.ones(3), lambda t: 1.0, lambda t: [1.0, NAN], lambda t: [[1.0]]])
def test_basis_that_gives_something_else(pulled: oi.InertialModel, basis: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="times.*2 finite weights at 0"):
        made(pulled, {"p": oi.gradients.Forces("hip", basis, 2)}).run()


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        None,
        [],
        oi.gradients.Forces("hip"),
        {"my torque": oi.gradients.Forces("hip")},
        {1: oi.gradients.Forces("hip")},
        {"p": "hip"},
        {"p": None},
    ],
)
def test_parameters(pulled: oi.InertialModel, parameters: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="parameters"):
        oi.DifferentiableSimulation(oi.Problem(pulled, t_final=0.01), parameters)


def test_what_is_varied_twice(pulled: oi.InertialModel) -> None:
    for one, two in (
        (oi.gradients.Forces("hip"), oi.gradients.Forces(["knee", "hip"])),
        (oi.gradients.Excitations("long"), oi.gradients.Excitations("long", [0.0, 0.1])),
        (oi.gradients.MuscleMasses("long"), oi.gradients.MuscleMasses(["short", "long"])),
        (oi.gradients.InitialSpeeds("hip"), oi.gradients.InitialSpeeds("hip")),
    ):
        with pytest.raises(oi.errors.OptionError, match="'one'"):
            made(pulled, {"one": one, "two": two})
    made(pulled, {"one": oi.gradients.InitialSpeeds("hip"), "two": oi.gradients.InitialCoordinates("hip")})


def test_what_is_varied_and_driven(pulled: oi.InertialModel) -> None:
    with pytest.raises(oi.errors.OptionError, match="'forces' does not give already"):
        made(pulled, {"p": oi.gradients.Forces("hip")}, forces={"hip": 1.0})
    with pytest.raises(oi.errors.OptionError, match="'excitations' does not give already"):
        made(pulled, {"p": oi.gradients.Excitations("long")}, excitations={"long": 0.5})


def test_explicit_points_have_masses_of_their_own() -> None:
    points = oi.masses.PointMasses([0.2, 0.6], [0.3, 0.4])
    inertial = oi.InertialModel(limbs.limbs("fixed"), {"long": points, "short": 0.3})
    with pytest.raises(oi.errors.OptionError, match="MuscleMasses.*PointMasses"):
        made(inertial, {"p": oi.gradients.MuscleMasses("short")})


# -- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values", [1.0, [1.0], [1.0, 2.0, 3.0], [[1.0, 2.0]], [1.0, NAN], [1.0, INF], "much", None, ["a", "b"]]
)
def test_values_of_other_shapes_or_not_finite(pulled: oi.InertialModel, values: Any) -> None:
    simulation = made(pulled)
    with pytest.raises(oi.errors.OptionError, match=r"torque=.*finite numbers of shape \(2,\)"):
        simulation.run({"torque": values})


def test_values_of_what_is_no_parameter(pulled: oi.InertialModel) -> None:
    with pytest.raises(oi.errors.UnknownNameError, match="parameter 'torqe'; did you mean 'torque'"):
        made(pulled).run({"torqe": [1.0, 2.0]})


def test_masses_and_places_that_cannot_be(pulled: oi.InertialModel) -> None:
    simulation = made(pulled, {"mass": oi.gradients.MuscleMasses(["long", "short"])})
    for mass in (0.0, -0.1):
        with pytest.raises(oi.errors.MassError, match="'short': a mass must be positive"):
            simulation.run({"mass": [0.5, mass]})
    placed = made(pulled, {"belly": oi.gradients.BellyPlacement("long")})
    for share in (-0.01, 1.01):
        with pytest.raises(oi.errors.OptionError, match="between 0 and 1"):
            placed.run({"belly": [share]})


def test_cotangents_of_other_shapes(pulled: oi.InertialModel) -> None:
    simulation = made(pulled)
    run = simulation.run()
    with pytest.raises(oi.errors.OptionError, match="cotangents"):
        simulation.gradient(run, np.zeros((2, 3)))


# -- what cannot be differentiated -----------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["auto", "bdf", "rk45", "dop853", "euler", None])
def test_integrators_whose_steps_are_not_fixed(pulled: oi.InertialModel, integrator: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match=", ".join(map(repr, FIXED))) as caught:
        made(pulled, integrator=integrator)
    assert caught.value.option == "integrator" and caught.value.value == integrator


@pytest.mark.parametrize(("option", "value"), [("control", object()), ("rotations", "quaternion")])
def test_what_acts_and_has_no_gradient(pulled: oi.InertialModel, option: str, value: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match=f"{option}.*for gradients"):
        made(pulled, **{option: value})


def test_drives_that_follow_the_state(pulled: oi.InertialModel) -> None:
    for option in ("excitations", "forces"):
        with pytest.raises(oi.errors.OptionError, match=f"{option}.*numbers or functions of time, for gradients"):
            made(pulled, **{option: lambda state: {}})


def test_muscles_that_are_led_by_opensim() -> None:
    """Those with mass are named; without mass they do no harm."""
    arm = oi.InertialModel(reaching_arm(False), arm_masses(), wrapping="opensim")
    with pytest.raises(oi.errors.ModelError, match="'DELT1'.*'BIC'.*wrapping 'opensim'.*give them no mass"):
        made(arm, {"p": oi.gradients.Forces("elbow_flexion")}).gradient(*_run_of(arm))
    table = arm_masses()
    light = oi.InertialModel(reaching_arm(False), table[table["muscle"] == ""], wrapping="opensim")
    simulation = made(light, {"p": oi.gradients.Forces("elbow_flexion")})
    run = simulation.run()
    assert simulation.gradient(run, np.ones_like(run.trajectory.y))["p"][0] != 0


def _run_of(inertial: oi.InertialModel) -> Any:
    run = made(inertial, {"p": oi.gradients.Forces("elbow_flexion")}).run()
    return run, np.ones_like(run.trajectory.y)


def test_controllers_that_may_follow_the_state() -> None:
    """Named; disabled, or of time alone, they do no harm."""
    for enabled in (True, False):
        model = limbs.limbs("fixed", pull=True)
        reflex = osim.ToyReflexController(0.5)
        reflex.setName("reflex")
        for name in limbs.MUSCLES:
            reflex.addActuator(model.getMuscles().get(name))
        reflex.setEnabled(enabled)
        model.addController(reflex)
        model.finalizeConnections()
        inertial = oi.InertialModel(model, limbs.masses())
        if enabled:
            with pytest.raises(oi.errors.ModelError, match="'reflex'.*ToyReflexController.*disable it"):
                _gradient(made(inertial))
        else:
            _gradient(made(inertial))
    model = limbs.limbs("fixed", pull=True)
    ramp = osim.PrescribedController()
    ramp.setName("ramp")
    ramp.addActuator(model.getMuscles().get("long"))
    ramp.prescribeControlForActuator("long", osim.LinearFunction(3.0, 0.2))
    model.addController(ramp)
    model.finalizeConnections()
    _gradient(made(oi.InertialModel(model, limbs.masses())))


def _gradient(simulation: oi.DifferentiableSimulation) -> None:
    run = simulation.run()
    assert np.isfinite(simulation.gradient(run, np.ones_like(run.trajectory.y))["torque"]).all()

"""Named errors for what cannot be differentiated, varied or optimised."""

from typing import Any

import numpy as np
import opensim as osim
import pytest
from models.reaching_arm import arm_masses, reaching_arm
from oracles import limbs
from oracles.integrators import FIXED

import opensim_inertia as oi

Forces, Excitations, Properties = oi.gradients.Forces, oi.gradients.Excitations, oi.gradients.Properties
NAN = float("nan")
SHORT = oi.integrators.SDIRK2(step=2e-3)


@pytest.fixture(scope="module")
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


def made(
    inertial: oi.InertialModel, parameters: Any = None, integrator: Any = SHORT, **acting: Any
) -> oi.DifferentiableSimulation:
    varied = {"torque": Forces(["hip", "knee"])} if parameters is None else parameters
    problem = oi.Problem(inertial, **{"t_final": 4e-3} | acting)
    return oi.DifferentiableSimulation(problem, varied, integrator)


@pytest.mark.parametrize(
    ("parameter", "wrong", "near"),
    [
        (Forces("kne"), "kne", "knee"),
        (oi.gradients.InitialSpeeds("HIPP"), "HIPP", "hip"),
        (Excitations("lnog"), "lnog", "long"),
        (oi.gradients.BellyPlacement("midle"), "midle", "middle"),
        (Properties("/bodyset/shnk/mass"), "/bodyset/shnk", "/bodyset/shank"),
        (Properties("/forceset/long/max_isometric_forse"), "max_isometric_forse", "max_isometric_force"),
    ],
)
def test_names_that_are_not_in_the_model(pulled: oi.InertialModel, parameter: Any, wrong: str, near: str) -> None:
    with pytest.raises(oi.errors.UnknownNameError, match=f"'{wrong}'.*did you mean.*'{near}'") as caught:
        made(pulled, {"p": parameter})
    assert near in caught.value.near_matches


@pytest.mark.parametrize(
    ("parameters", "acting", "message"),
    [
        ({"p": Properties("/forceset/long/appliesForce")}, {}, "Properties"),  # true or false
        ({"p": Properties("/bodyset/shank/mass_center")}, {}, "Properties"),  # three numbers
        ({"p": Properties("/bodyset/shank/mass[0]")}, {}, "Properties"),
        ({}, {}, "parameters"),
        ({"my torque": Forces("hip")}, {}, "parameters"),
        ({"p": "hip"}, {}, "parameters"),
        ({"one": Forces("hip"), "two": Forces(["knee", "hip"])}, {}, "'one'"),
        ({"one": Excitations("long"), "two": Excitations("long", [0.0, 0.1])}, {}, "'one'"),
        ({"p": Forces("hip")}, {"forces": {"hip": 1.0}}, "'forces' does not give already"),
        ({"p": Excitations("long")}, {"excitations": {"long": 0.5}}, "'excitations' does not give already"),
        (None, {"control": object()}, "control.*for gradients"),
        (None, {"rotations": "quaternion"}, "rotations.*for gradients"),
        (None, {"forces": lambda state: {}}, "forces.*numbers or functions of time, for gradients"),
        (None, {"integrator": "bdf"}, "integrator='bdf'.*" + ", ".join(map(repr, FIXED))),
    ],
)
def test_what_cannot_be_varied(pulled: oi.InertialModel, parameters: Any, acting: Any, message: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=message):
        made(pulled, parameters, **acting)


@pytest.mark.parametrize("times", [[0.2, 0.1], [0.1], [0.0, NAN], "soon"])
def test_times_that_do_not_increase(times: Any) -> None:
    with pytest.raises(oi.errors.OptionError, match="times.*at least two times that increase"):
        Forces("hip", times)


def test_a_basis_has_so_many_weights(pulled: oi.InertialModel) -> None:
    with pytest.raises(oi.errors.OptionError, match="count"):
        Forces("hip", lambda t: np.ones(2), 2.0)
    with pytest.raises(oi.errors.OptionError, match="times.*2 finite weights at 0"):
        made(pulled, {"p": Forces("hip", lambda t: np.ones(3), 2)}).run()


def test_explicit_points_have_masses_of_their_own() -> None:
    points = oi.masses.PointMasses([0.2, 0.6], [0.3, 0.4])
    inertial = oi.InertialModel(limbs.limbs("fixed"), {"long": points, "short": 0.3})
    with pytest.raises(oi.errors.OptionError, match="MuscleMasses.*PointMasses"):
        made(inertial, {"p": oi.gradients.MuscleMasses("short")})


def test_values_that_do_not_fit(pulled: oi.InertialModel) -> None:
    simulation = made(pulled)
    for values in ([1.0, 2.0, 3.0], [1.0, NAN], "much"):
        with pytest.raises(oi.errors.OptionError, match=r"torque=.*finite numbers of shape \(2,\)"):
            simulation.run({"torque": values})
    with pytest.raises(oi.errors.UnknownNameError, match="parameter 'torqe'; did you mean 'torque'"):
        simulation.run({"torqe": [1.0, 2.0]})
    with pytest.raises(oi.errors.OptionError, match="cotangents"):
        simulation.gradient(simulation.run(), np.zeros((2, 3)))
    with pytest.raises(oi.errors.MassError, match="'short': a mass must be positive"):
        made(pulled, {"mass": oi.gradients.MuscleMasses(["long", "short"])}).run({"mass": [0.5, 0.0]})
    with pytest.raises(oi.errors.OptionError, match="between 0 and 1"):
        made(pulled, {"belly": oi.gradients.BellyPlacement("long")}).run({"belly": [1.01]})


def gradient(simulation: oi.DifferentiableSimulation) -> Any:
    run = simulation.run()
    (found,) = simulation.gradient(run, np.ones_like(run.trajectory.y)).values()
    return found


def test_muscles_that_are_led_by_opensim() -> None:
    """Those with mass are named; without mass they do no harm."""
    table, flexion = arm_masses(), {"p": Forces("elbow_flexion")}
    arm = oi.InertialModel(reaching_arm(False), table, wrapping="opensim")
    with pytest.raises(oi.errors.ModelError, match="'DELT1'.*'BIC'.*wrapping 'opensim'.*give them no mass"):
        gradient(made(arm, flexion))
    light = oi.InertialModel(reaching_arm(False), table[table["muscle"] == ""], wrapping="opensim")
    assert gradient(made(light, flexion))[0] != 0


def test_controllers_that_may_follow_the_state() -> None:
    """Named; disabled, or of time alone, they do no harm."""
    for kind in ("enabled", "disabled", "of time"):
        model = limbs.limbs("fixed", pull=True)
        controller = osim.PrescribedController() if kind == "of time" else osim.ToyReflexController(0.5)
        controller.setName("reflex")
        for name in limbs.MUSCLES:
            controller.addActuator(model.getMuscles().get(name))
            if kind == "of time":
                controller.prescribeControlForActuator(name, osim.LinearFunction(3.0, 0.2))
        controller.setEnabled(kind != "disabled")
        model.addController(controller)
        model.finalizeConnections()
        inertial = oi.InertialModel(model, limbs.masses())
        if kind == "enabled":
            with pytest.raises(oi.errors.ModelError, match="'reflex'.*ToyReflexController.*disable it"):
                gradient(made(inertial))
        else:
            assert np.isfinite(gradient(made(inertial))).all()

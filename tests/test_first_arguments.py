"""What newcomers give in place of what is asked for: each is refused by an error that says what is right."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles.demo_leg import build_leg

import opensim_inertia as oi
from opensim_inertia.analyses.moment_arms import path_jacobians
from opensim_inertia.demo import write_demo
from opensim_inertia.warnings import InputWarning

OF_AN_INERTIAL_MODEL: dict[str, Callable[[object], object]] = {
    "inverse_dynamics": lambda given: oi.inverse_dynamics(given, "walk.mot"),
    "recruit": lambda given: oi.recruit(given, "walk.mot"),
    "Problem": lambda given: oi.Problem(given),
    "rank_muscles": lambda given: oi.rank_muscles(given, "walk.mot"),
    "equilibrate": lambda given: oi.equilibrate(given, {}),
    "linearize": lambda given: oi.linearize(given, None),
    "plot_masses": lambda given: oi.plotting.plot_masses(given),
    "write_mass_points": lambda given: oi.mass_points.write_mass_points(given, "walk.mot", "points.trc"),
}
OF_A_MODEL: dict[str, Callable[[object], object]] = {
    "fit_length_polynomials": lambda given: oi.fit_length_polynomials(given),
    "estimate_masses": lambda given: oi.estimate_masses(given),
    "InertialModel": lambda given: oi.InertialModel(given, {}),
    "compare_wraps": lambda given: oi.compare_wraps(given),
}


@cache
def leg() -> oi.InertialModel:
    model = build_leg()
    model.initSystem()
    return oi.InertialModel(model, oi.estimate_masses(model))


@pytest.mark.parametrize("name", OF_AN_INERTIAL_MODEL)
def test_a_model_in_the_place_of_an_inertial_model(name: str) -> None:
    if name == "recruit":
        pytest.importorskip("daqp", reason="recruitment needs DAQP")
    call = OF_AN_INERTIAL_MODEL[name]
    with pytest.raises(oi.errors.OptionError, match=r"InertialModel\('leg.osim'\)"):
        call("leg.osim")
    with pytest.raises(
        oi.errors.OptionError, match=r"inertial=<Model>: expected an InertialModel: make it first, as Inert"
    ):
        call(build_leg())
    with pytest.raises(oi.errors.OptionError, match=r"inertial=<DataFrame>: .* as InertialModel\(model\)"):
        call(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(oi.errors.OptionError, match="inertial=<NoneType>"):
        call(None)


@pytest.mark.parametrize("make", [oi.plot, oi.report])
def test_what_has_no_picture_or_page(make: Callable[[object], object]) -> None:
    class Trajektory:
        """Named almost as a result."""

    with pytest.raises(oi.errors.UnknownNameError, match="'DataFrame' in .*; there are 'InverseDynamicsResult', 'Recr"):
        make(pd.DataFrame({"a": [1.0]}))
    with pytest.raises(oi.errors.UnknownNameError, match="did you mean 'Trajectory'"):
        make(Trajektory())


@pytest.mark.parametrize("name", OF_A_MODEL)
def test_an_inertial_model_in_the_place_of_a_model(name: str) -> None:
    with pytest.raises(oi.errors.OptionError, match=r"model=<InertialModel>: expected an opensim.Model .* was made of"):
        OF_A_MODEL[name](leg())
    with pytest.raises(oi.errors.OptionError, match=r"model=5: expected an opensim.Model or the name of its file$"):
        OF_A_MODEL[name](5)


@pytest.mark.parametrize(
    ("given", "shown"),
    [(None, "<NoneType>"), (3, "3"), (np.zeros(9), "<ndarray>"), (pd.Series([1.0]), "<Series>")],
)
def test_no_motion(given: object, shown: str) -> None:
    for motion in (given, oi.Recording(given)):
        with pytest.raises(
            oi.errors.OptionError, match=f"motion={shown}: expected a .mot or .sto file, or a DataFrame"
        ):
            oi.inverse_dynamics(leg(), motion)


def test_other_first_arguments() -> None:
    for call in (oi.stability.stable_share, lambda given: oi.stability.sample_patterns(given, 10)):
        with pytest.raises(
            oi.errors.OptionError, match=r"p=<InertialModel>: expected a Posture: find it first, as equilib"
        ):
            call(leg())
    for call in (oi.simulate, lambda given: oi.DifferentiableSimulation(given, {})):
        with pytest.raises(
            oi.errors.OptionError, match=r"problem=<InertialModel>: expected a Problem: state it first, as Prob"
        ):
            call(leg())
    with pytest.raises(oi.errors.OptionError, match=r"simulation=<InertialModel>: expected a DifferentiableSimulation"):
        oi.minimise(leg(), lambda trajectory: trajectory)
    with pytest.raises(oi.errors.OptionError, match=r"model='leg.osim': expected an opensim.Model"):
        oi.stability.without_muscle_states("leg.osim")
    with pytest.raises(oi.errors.OptionError, match=r"model='leg.osim': expected an InertialModel, or an initialised"):
        path_jacobians("leg.osim", leg().initial_state())
    with pytest.raises(oi.errors.OptionError, match=r"state=0.5: expected a state of the model"):
        oi.simulate(oi.Problem(leg(), 0.5))


def test_degrees_in_the_place_of_radians_are_refused() -> None:
    with pytest.raises(oi.errors.OptionError, match=r"coordinates\['knee_angle_r'\]=-70: .*-70 degrees are -1.222 rad"):
        oi.equilibrate(leg(), {"knee_angle_r": -70})


def test_what_is_slightly_beyond_its_range_is_warned_of() -> None:
    low, high = leg().coordinates.ranges[leg().coordinates.index("ankle_angle_r")].tolist()
    beyond = pytest.warns(InputWarning, match=r"ankle_angle_r.* is beyond the range of this coordinate")
    with beyond, suppress(oi.InertiaError):  # of muscles that do not hold it there
        oi.equilibrate(leg(), {"ankle_angle_r": high + 0.1})
    impossible, text = leg().coordinates.misplaced("ankle_angle_r", high + 1.01 * (high - low))
    assert impossible and "beyond" in text
    for value in (low, high, (low + high) / 2, high + 1e-9):
        assert leg().coordinates.misplaced("ankle_angle_r", value) == (False, "")
    assert leg().coordinates.misplaced("pelvis_ty", 95.0)[0] is False  # no angle, and so no degrees


def test_ranges_that_say_nothing_refuse_nothing() -> None:
    model = osim.Model()
    body = osim.Body("wheel", 1.0, osim.Vec3(0), osim.Inertia(1.0))
    joint = osim.PinJoint("hub", model.getGround(), body)
    joint.updCoordinate().setName("turns")
    joint.updCoordinate().setRangeMin(-1e5)
    joint.updCoordinate().setRangeMax(1e5)
    model.addBody(body)
    model.addJoint(joint)
    model.finalizeConnections()
    assert oi.InertialModel(model, {}).coordinates.misplaced("turns", 400.0) == (False, "")


@pytest.mark.parametrize("signal", [30, 30.0, np.float64(30), oi.forward_simulation.Pulse(0.0, 0.1, 30.0)])
def test_percent_in_the_place_of_excitations_are_refused(signal: object) -> None:
    expected = r"excitations\['soleus_r'\]=30.*: expected an excitation from 0 to 1, .*; 0.3 for 30 %\?"
    with pytest.raises(oi.errors.OptionError, match=expected):
        oi.simulate(oi.Problem(leg(), t_final=0.01, excitations={"soleus_r": signal}))


def test_excitations_at_their_bounds_and_functions_are_taken() -> None:
    state = leg().initial_state()
    for value in (0.0, 1.0, lambda time: 1.5):
        oi.simulate(
            oi.Problem(leg(), state, t_final=1e-4, excitations={"soleus_r": value}),
            oi.integrators.ForwardEuler(step=1e-4),
        )
    with pytest.raises(oi.errors.OptionError, match=r"excitations\['soleus_r'\]=-0.5"):
        oi.linearize(leg(), state, excitations={"soleus_r": -0.5})
    with pytest.raises(
        oi.errors.OptionError, match=r"activations\['soleus_r'\]=30: expected an activation from 0 to 1"
    ):
        oi.equilibrate(leg(), {}, activations={"soleus_r": 30})


def test_wrong_files_are_told_by_what_they_are(tmp_path: Path) -> None:
    write_demo(tmp_path)
    model, motion, setup = (tmp_path / name for name in ("leg.osim", "swing.mot", "setup_id.xml"))
    with pytest.raises(
        oi.errors.FileFormatError, match=r"leg.osim: is an OpenSim model: give it with --model, and a motion"
    ):
        oi.files.read_inverse_dynamics_setup(model)
    with pytest.raises(
        oi.errors.FileFormatError, match=r"is a table .*: give it with --motion, and a model with --model"
    ):
        oi.files.read_inverse_dynamics_setup(motion)
    with pytest.raises(
        oi.errors.FileFormatError, match=r"is a setup of OpenSim's Inverse Dynamics Tool, which .* id` and .* read"
    ):
        oi.files.read_forward_setup(setup)
    with pytest.raises(oi.errors.FileFormatError, match=r"leg.osim: is an OpenSim model, not an OpenSim table"):
        oi.inverse_dynamics(leg(), model)
    with pytest.raises(oi.errors.ModelError, match=r"swing.mot' is a table .*; expected an OpenSim model"):
        oi.estimate_masses(motion)
    with pytest.raises(oi.errors.ModelError, match=r"setup_id.xml' is a setup of .*; expected an OpenSim model"):
        oi.estimate_masses(setup)

"""Inertial models that are pickled, deeply copied or sent to a new process are the same to the last bit."""

import copy
import hashlib
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.demo_leg import build_leg
from oracles.live_states import answers
from oracles.planar_arm import arm
from oracles.real_models import original, random_motion, table
from oracles.two_links import BENT, two_links
from oracles.wrap_model import MASSES, limit, wrap_model

import opensim_inertia as oi
from opensim_inertia.model.model import bound_to

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")
Array = np.ndarray


def same(ours: list[Array], theirs: list[Array]) -> bool:
    return len(ours) > 8 and all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def leg() -> oi.InertialModel:
    model = build_leg()
    return oi.InertialModel(model, oi.estimate_masses(model), reference={"knee_angle_r": -0.4})


def lumps() -> oi.InertialModel:
    points = oi.masses.PointMasses([0.2, 1 / 3, 0.9], [0.1, 0.2 / 3, 0.05])
    return oi.InertialModel(two_links(BENT), {"mus": points}, "uniform")


def led_by_networks() -> oi.InertialModel:
    return oi.InertialModel(
        limit(wrap_model("cylinder", "-y")), MASSES, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping="neural"
    )


def with_muscles_that_refuse_a_strength() -> oi.InertialModel:
    """OpenSim writes their default ``optimal_force``, and refuses to read it again."""
    return arm("states")


@pytest.mark.parametrize("build", [leg, lumps, led_by_networks, with_muscles_that_refuse_a_strength])
def test_round_trips_change_no_bit(build: Callable[[], oi.InertialModel]) -> None:
    inertial = build()
    motion = random_motion(inertial)
    for made in (pickle.loads(pickle.dumps(inertial)), copy.deepcopy(inertial)):
        assert same(answers(made, *motion), answers(inertial, *motion))
        assert made.options == inertial.options and made.model is not inertial.model
        ours, theirs = made.provenance(), inertial.provenance()
        assert ours.pop("masses").frame().equals(theirs.pop("masses").frame()) and ours == theirs
        again = pickle.loads(pickle.dumps(made))
        assert same(answers(again, *motion), answers(inertial, *motion))


@pytest.mark.parametrize("way", ["analytic", "opensim"])
def test_real_models_change_no_bit(opensim_models: Path, way: str) -> None:
    model, masses = original(opensim_models, "arm26"), table(opensim_models, "arm26")
    arm = oi.InertialModel(model, masses, oi.StrainModel("rigid_tendon", proximal_tendon={"BRA": 0.3}), wrapping=way)
    made = pickle.loads(pickle.dumps(arm))
    motion = random_motion(arm)
    assert same(answers(made, *motion), answers(arm, *motion))
    assert set(made.wraps.opensim) == set(arm.wraps.opensim)


def test_what_was_warned_of_is_not_said_again() -> None:
    model = two_links([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38)
    inertial = oi.InertialModel(model, {"mus": 0.5}, reference=[0.0, 2.4])  # its fibres are held
    assert inertial.notes
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = pickle.loads(pickle.dumps(inertial))
    assert made.notes == inertial.notes


def test_loads_are_not_lost_without_a_word() -> None:
    inertial = leg()
    other = osim.Model(inertial.model)
    other.initSystem()
    for send in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="loads"):
            send(bound_to(inertial, other))


def test_defaults_of_other_files_change_nothing(opensim_models: Path) -> None:
    """OpenSim takes the ``<defaults>`` of a file that it reads as those of its classes, in the whole process."""
    inertial = led_by_networks()
    text = inertial.original_model().dump()
    pipeline = opensim_models / "Pipelines" / "Gait2392_Simbody"
    setup = oi.files.read_inverse_dynamics_setup(pipeline / "subject01_Setup_InverseDynamics.xml")
    osim.ExternalLoads(str(setup.external_loads_file), True)
    assert pickle.loads(pickle.dumps(inertial)).original_model().dump() == text


OLD = """<OpenSimDocument Version="10901"><Model name="old"><BodySet name=""><objects>
<Body name="ground"/>
<Body name="rod"><mass>1.0</mass><mass_center>0 -0.2 0</mass_center>
<inertia_xx>0.01</inertia_xx><inertia_yy>0.001</inertia_yy><inertia_zz>0.01</inertia_zz>
<Joint><CustomJoint name="hinge"><parent_body>ground</parent_body>
<CoordinateSet name=""><objects><Coordinate name="angle"><prescribed_function /></Coordinate></objects></CoordinateSet>
<SpatialTransform name=""><TransformAxis name="rotation1"><function /><coordinates>angle</coordinates>
<axis>0 0 1</axis></TransformAxis><TransformAxis name="rotation2"><function /><coordinates /><axis>1 0 0</axis>
</TransformAxis><TransformAxis name="rotation3"><function /><coordinates /><axis>0 1 0</axis></TransformAxis>
</SpatialTransform></CustomJoint></Joint></Body>
</objects></BodySet></Model></OpenSimDocument>"""


def test_results_name_the_models_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the sum of its bytes when it was read, also in another process and when the file has gone."""
    monkeypatch.chdir(tmp_path)
    file = Path("old.osim")
    file.write_text(OLD)
    inertial = oi.InertialModel(osim.Model("old.osim"), {})
    read = {"file": "old.osim", "sha256 of the file": hashlib.sha256(OLD.encode()).hexdigest()}
    file.unlink()
    for model in (inertial, pickle.loads(pickle.dumps(inertial))):
        assert model.provenance()["model"].items() >= read.items()
    assert "file" not in oi.InertialModel(build_leg(), {}).provenance()["model"]


def test_a_model_that_opensim_cannot_print_before_it_is_initialised(tmp_path: Path) -> None:
    """As models of version 1.9 with empty functions: OpenSim runs them, but its ``dump`` and ``printToXML`` fail."""
    file = tmp_path / "old.osim"
    file.write_text(OLD)
    with pytest.raises(RuntimeError):
        osim.Model(str(file)).dump()
    inertial = oi.InertialModel(file, {})
    copy = pickle.loads(pickle.dumps(inertial))
    assert copy.provenance()["model"] == inertial.provenance()["model"]
    states = [each.initial_state() for each in (inertial, copy)]
    udot, other = (each.udot(state) for each, state in zip((inertial, copy), states, strict=True))
    assert np.array_equal(udot, other)
